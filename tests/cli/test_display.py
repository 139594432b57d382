from hf_fewshot.cli.display import render_row
from hf_fewshot.tasks.tags import mark, tag_spans


def test_io_runs_and_bio_chunks_become_spans():
    assert tag_spans(["art-film", "art-film", "O", "art-film", "person"]) == [
        (0, 2, "art-film"),
        (3, 4, "art-film"),
        (4, 5, "person"),
    ]
    assert tag_spans(["B-city", "I-city", "B-city", "O", "I-day"]) == [(0, 2, "city"), (2, 3, "city"), (4, 5, "day")]


def test_spans_are_marked_and_chinese_has_no_spaces():
    assert mark(["in", "New", "York", "."], [(1, 3, "city")]) == "in [New York|city] ."
    assert mark(["去", "北", "京"], [(1, 3, "city")]) == "去[北京|city]"


def test_a_joint_episode_shows_domain_labels_and_both_parts():
    member = {"id": "1", "domain": "d", "tokens": ["北", "京"], "intent": "ASK", "slot_tags": ["B-city", "I-city"]}
    row = {
        "index": 4,
        "domain": "d",
        "intents": ["ASK"],
        "slots": ["city"],
        "support": [member] * 8,
        "query": [member],
    }
    assert render_row("joint", row).splitlines() == [
        "episode 4: domain d, classes ASK, city",
        "  support (8)",
        *["    ASK: [北京|city]"] * 6,
        "    ... and 2 more",
        "  query (1)",
        "    ASK: [北京|city]",
    ]


def test_relations_mark_head_and_tail_where_they_do_not_overlap():
    def entity(start, end):
        return {"mentions": [{"start": start, "end": end}]}

    row = {"tokens": ["Ann", "Lee", "ran"], "relation": "r", "head": entity(0, 2), "tail": entity(2, 3)}
    assert render_row("relation", row) == "r: [Ann Lee|head] [ran|tail]"
    assert render_row("relation", {**row, "tail": entity(1, 2)}) == "r: Ann Lee ran"


def test_characters_that_act_on_a_terminal_are_shown_in_names_and_words():
    member = {"tokens": ["a\x1b[2J", "b\x9b"], "tags": ["c\u202e", "O"]}
    row = {"index": 0, "classes": ["x\x07\ny"], "support": [member], "query": []}
    assert render_row("tagging", row).splitlines() == [
        "episode 0: classes x\\x07\\ny",
        "  support (1)",
        "    [a\\x1b[2J|c\\u202e] b\\x9b",
        "  query (0)",
    ]
    assert render_row("classification", {"label": "\x00", "text": "two\r\nlines"}) == "\\x00: two lines"


def test_spans_say_what_the_answer_is():
    row = {"question": "Who?", "answers": [], "context": ["one", "two"]}
    assert render_row("spans", row) == "Who? -> no answer: one / two"
    assert render_row("spans", {**row, "answers": ["one"]}) == "Who? -> ['one']: one / two"
