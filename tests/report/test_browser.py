import pytest

from hf_fewshot.report.browser import read_browse
from hf_fewshot.text.marked import Mark, Piece, pieces


def test_a_sentence_is_cut_at_its_spans():
    found = pieces(["in", "New", "York", "now"], " ", [(1, 3, "city")], [(1, 3, "city")], "missed", {"city": 2})
    assert found == [
        Piece("in", ()),
        Piece(" ", ()),
        Piece("New York", (Mark("city", 2, "", True),)),
        Piece(" ", ()),
        Piece("now", ()),
    ]


def test_spans_that_overlap_share_a_piece_and_a_label_stands_at_the_end_of_its_span():
    found = pieces(list("abc"), "", [(0, 2, "x"), (1, 3, "y")], [(1, 3, "y")], "missed", {"x": 1})
    assert found == [
        Piece("a", (Mark("x", 1, "missed", False),)),
        Piece("b", (Mark("x", 1, "missed", True), Mark("y", 0, "", False))),
        Piece("c", (Mark("y", 0, "", True),)),
    ]


def test_gold_and_predictions_are_one_line_where_they_agree_and_two_where_not(tmp_path, browse_item, write_browse):
    right = browse_item(
        ["查", "北", "京"], [[1, 3, "city"]], [[1, 3, "city"]], joiner="", label="QUERY", predicted_label="QUERY"
    )
    wrong = browse_item(["a", "b"], [[0, 1, "x"]], [], label="QUERY", predicted_label="QUERY")
    support = browse_item(["a"], [], label="OTHER")
    row = {
        "index": 3,
        "title": "city",
        "classes": ["QUERY", "city", "x"],
        "support": [support],
        "query": [right, wrong],
    }
    (episode,) = read_browse(write_browse(tmp_path / "browse.jsonl", row))
    assert (episode.index, episode.title, episode.classes) == (3, "city", ["QUERY", "city", "x"])
    assert [item.right for item in [*episode.support, *episode.query]] == [None, True, False]
    assert [item.language for item in episode.query] == ["zh", ""]
    assert list(episode.query[0].lines) == [""]
    assert [piece.text for piece in episode.query[0].lines[""]] == ["查", "北京"]
    assert list(episode.query[1].lines) == ["gold", "predicted"]
    assert episode.query[1].lines["gold"][0] == Piece("a", (Mark("x", 3, "missed", True),))


def test_a_wrong_label_alone_makes_a_query_wrong(tmp_path, browse_item, write_browse):
    query = browse_item(["a"], [[0, 1, "head"]], [[0, 1, "head"]], label="founder", predicted_label="NOTA")
    row = {"index": 0, "title": "", "classes": ["founder"], "support": [], "query": [query]}
    (episode,) = read_browse(write_browse(tmp_path / "browse.jsonl", row))
    assert not episode.query[0].right
    assert list(episode.query[0].lines) == [""]


def test_a_system_that_predicts_no_labels_is_not_wrong_about_them(tmp_path, browse_item, write_browse):
    query = browse_item(["a"], [[0, 1, "x"]], [[0, 1, "x"]], label="QUERY")
    row = {"index": 4, "title": "episode 4", "classes": ["x"], "support": [], "query": [query]}
    (episode,) = read_browse(write_browse(tmp_path / "browse.jsonl", row))
    assert episode.query[0].right
    assert episode.title == ""


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"index": 0, "title": "", "classes": [], "support": []}, "line 1, is no episode to browse: has no 'query'"),
        (
            {"index": 0, "title": "", "classes": [], "support": [], "query": [{"tokens": ["a"]}]},
            "has no 'joiner'. Delete the folder",
        ),
        ({"index": 0, "title": "", "classes": [3], "support": [], "query": []}, "expected a list of texts. Delete"),
        ({"index": 0, "title": "", "classes": "ab", "support": [], "query": []}, "expected a list of texts. Delete"),
        ([], "list indices must be integers or slices, not str. Delete"),
    ],
)
def test_lines_that_are_no_episodes_are_refused(tmp_path, write_browse, row, message):
    with pytest.raises(ValueError, match=message):
        read_browse(write_browse(tmp_path / "browse.jsonl", row))


@pytest.mark.parametrize("change", [{"tokens": [1]}, {"joiner": 3}, {"tokens": "ab"}])
def test_words_that_are_no_text_are_refused(tmp_path, browse_item, write_browse, change):
    item = browse_item(["a"], []) | change
    row = {"index": 0, "title": "", "classes": [], "support": [item], "query": []}
    with pytest.raises(ValueError, match="line 1, is no episode to browse: expected a list of texts"):
        read_browse(write_browse(tmp_path / "browse.jsonl", row))


@pytest.mark.parametrize(
    ("line", "message"),
    [(b"\xff{}", "codec can't decode"), (b'{"index": 0, "index": 1}', "the key 'index' comes twice in one object")],
)
def test_what_is_no_json_is_refused_with_its_place(tmp_path, line, message):
    (tmp_path / "browse.jsonl").write_bytes(b"\n" + line)
    with pytest.raises(ValueError, match=f"browse.jsonl, line 2, is no episode to browse: .*{message}"):
        read_browse(tmp_path / "browse.jsonl")


def test_spans_outside_of_the_sentence_are_refused(tmp_path, browse_item, write_browse):
    row = {"index": 0, "title": "", "classes": [], "support": [browse_item(["a"], [[0, 2, "x"]])], "query": []}
    with pytest.raises(ValueError, match=r"span \[0, 2, 'x'\] of 1 tokens"):
        read_browse(write_browse(tmp_path / "browse.jsonl", row))
