import json
from dataclasses import replace

import pytest

from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.runs.predictions import Header, PredictionsError, read_header, read_predictions, write_predictions

HEADER = Header("few_nerd", "inter", {"n_way": 2, "shots": 1}, "test", "mine")


def rewrite(path, change):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def tagged(tagging_episodes, tmp_path):
    predictions = [
        [["O"] * len(tagging_episodes.examples[row]["tokens"]) for row in episode.query]
        for episode in tagging_episodes
    ]
    path = tmp_path / "predictions.jsonl"
    write_predictions(path, HEADER, tagging_episodes, predictions)
    return path, predictions


def test_predictions_are_read_as_they_were_written(tagged, tagging_episodes):
    path, predictions = tagged
    assert read_header(path) == HEADER
    assert read_predictions(path, tagging_episodes) == predictions


def test_the_order_of_lines_and_ids_does_not_matter(tagged, tagging_episodes):
    path, predictions = tagged

    def change(lines):
        lines[1:] = lines[:0:-1]
        for line in lines[1:]:
            line["ids"].reverse()
            line["predictions"].reverse()

    rewrite(path, change)
    assert read_predictions(path, tagging_episodes) == predictions


def test_all_problems_are_listed(tagged, tagging_episodes):
    path, _ = tagged
    first = json.loads(path.read_text().splitlines()[1])

    def change(lines):
        lines[1]["predictions"][0] = ["O"]
        lines[1]["predictions"][1][0] = "planet"
        lines[2]["ids"][0] = "strange"
        lines.append(first)
        lines.append({"index": 99, "ids": [], "predictions": []})

    rewrite(path, change)
    with pytest.raises(PredictionsError) as raised:
        read_predictions(path, tagging_episodes)
    message = str(raised.value)
    assert "has 6 problems" in message
    assert "expected one tag for each of" in message
    assert "tags planet are none of the episode's" in message
    assert "id 'strange' is no query" in message
    assert "is missing" in message
    assert "episode 0 comes twice" in message
    assert f"index 99, but there are episodes 0 to {len(tagging_episodes) - 1}" in message


def test_missing_episodes_are_named(tagged, tagging_episodes):
    path, _ = tagged
    rewrite(path, lambda lines: lines.pop(1))
    with pytest.raises(PredictionsError, match="has 1 problems:\n  episode 0: missing"):
        read_predictions(path, tagging_episodes)


def test_predictions_of_other_episodes_are_refused(tagged, tagging_episodes):
    path, _ = tagged
    rewrite(path, lambda lines: lines[0].update(fingerprint="0" * 64))
    with pytest.raises(PredictionsError, match=r"written for other episodes: fingerprint 000000000000\.\.\."):
        read_predictions(path, tagging_episodes)


@pytest.mark.parametrize("first", ["", "[]", "{}", "no json", '{"format": "x", "version": 1}'])
def test_a_file_without_a_header_is_refused(tmp_path, first):
    path = tmp_path / "predictions.jsonl"
    path.write_text(first + "\n")
    with pytest.raises(PredictionsError, match="does not begin with a header"):
        read_header(path)


def test_a_wrong_header_is_refused(tmp_path):
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"format": "hf_fewshot/predictions", "version": 1, "bench": "x"}\n')
    with pytest.raises(
        PredictionsError, match=r"unknown 'bench'. Did you mean 'benchmark'\?\nThe header of .* has no 'benchmark'\."
    ):
        read_header(path)


def test_labels_must_be_classes_of_the_episode(relation_episodes, tmp_path):
    path = tmp_path / "predictions.jsonl"
    names = [["NOTA"] * len(episode.query) for episode in relation_episodes]
    write_predictions(path, Header("fewrel"), relation_episodes, names)
    assert read_predictions(path, relation_episodes) == names
    names[0][0] = "no such relation"
    write_predictions(path, Header("fewrel"), relation_episodes, names)
    with pytest.raises(PredictionsError, match="class 'no such relation' is none of"):
        read_predictions(path, relation_episodes)


def test_joint_predictions_have_intent_and_tags(joint_episodes, tmp_path):
    path = tmp_path / "predictions.jsonl"
    episode = joint_episodes[0]
    intent = next(name for name in episode.classes if name.startswith("intent:")).removeprefix("intent:")
    right = [
        [{"intent": intent, "slot_tags": ["O"] * len(joint_episodes.examples[row]["tokens"])} for row in episode.query]
        for episode in joint_episodes
    ]
    write_predictions(path, Header("fewjoint"), joint_episodes, [right[0], *right[1:]])
    content = json.loads(path.read_text().splitlines()[1])
    assert set(content["predictions"][0]) == {"intent", "slot_tags"}
    rewrite(path, lambda lines: lines[1]["predictions"].__setitem__(0, {"intent": "x", "slot_tags": []}))
    with pytest.raises(PredictionsError, match="intent 'x' is none of the episode's"):
        read_predictions(path, joint_episodes)


def test_questions_have_the_ids_of_their_benchmark(tmp_path):
    row = {"context": ["a"], "question": "b?", "answers": ["a"]}
    episodes = split_episode("spans", [{"id": "1", **row}], [{"id": "q-7", **row}, {"id": "8", **row}])
    path = tmp_path / "predictions.jsonl"
    write_predictions(path, Header("clues", "sst2"), episodes, [[["a"], []]])
    assert json.loads(path.read_text().splitlines()[1])["ids"] == ["q-7", "8"]
    assert read_predictions(path, episodes) == [[["a"], []]]


# What strangers write


def first_line(path, **content):
    path.write_text(json.dumps({"format": "hf_fewshot/predictions", "version": 1, **content}) + "\n")
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"benchmark": ["fewrel"]}, r"benchmark=\['fewrel'\], but this part of it must be text"),
        ({"benchmark": "fewrel", "config": 7}, "config=7, but this part of it must be text or none"),
        ({"benchmark": "fewrel", "data": "n_way"}, "data='n_way', but this part of it must be a mapping"),
        ({"benchmark": "fewrel", "split": None}, "split=None, but this part of it must be text"),
        ({"benchmark": "fewrel", "system": 1}, "system=1, but this part of it must be text"),
        ({"benchmark": "fewrel", "fingerprint": 0}, "fingerprint=0, but this part of it must be text"),
        ({"benchmark": "fewrel", "seed": "1"}, "seed='1', but this part of it must be a whole number"),
        ({"benchmark": "fewrel", "seed": -1}, "seed must be a whole number of at least 0, but is -1"),
        ({"benchmark": "fewrl"}, r"Unknown benchmark 'fewrl'\. Did you mean 'fewrel'\?"),
        ({"benchmark": "few_nerd"}, "few_nerd has several configurations; choose one"),
        ({"benchmark": "fewrel", "data": {"cache_dir": "/x"}}, "cache_dir='/x' is no option of fewrel, which has"),
        ({"benchmark": "fewrel", "data": {"data_dir": "/x"}}, "is no option of fewrel.* with --data-dir"),
        ({"benchmark": "fewrel", "data": {"num_proc": 9}}, "Unknown option of fewrel 'num_proc'"),
        (
            {"benchmark": "fewrel", "data": {"shots": True, "n_way": 5}},
            "shots=True, but this option of fewrel must be",
        ),
        (
            {"benchmark": "fewrel", "data": {"n_way": 5, "shots": 1, "n_episodes": 10**12}},
            "1000000000000 episodes of about 10 examples take about 909 TB of memory",
        ),
        (
            {"benchmark": "fewrel", "data": {"n_way": 5, "shots": 1, "n_episodes": 1001}},
            "n_episodes=1001, but there are lines of 0 episodes",
        ),
        (
            {"benchmark": "fewrel", "data": {"n_way": 5, "shots": 1, "n_query": 999}},
            "n_query=999 queries of an episode cannot stand in so small a file",
        ),
    ],
)
def test_a_header_chooses_among_the_benchmark_s_own_options_of_bounded_size(content, message, tmp_path):
    path = first_line(tmp_path / "predictions.jsonl", **content)
    with pytest.raises(PredictionsError, match=rf"The header of .*predictions\.jsonl( cannot be used)?: .*{message}"):
        read_header(path)


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (b'{"format": "hf_fewshot/predictions", "version": true, "benchmark": "fewrel"}', "another format or version"),
        (b'{"format": "hf_fewshot/predictions", "version": 2, "benchmark": "fewrel"}', "another format or version"),
        (b'{"format": "hf_fewshot/predictions", "version": 1, "version": 1}', "the key 'version' comes twice"),
        (b'{"format": "hf_fewshot/predictions", "version": 1, "data": {"seed": NaN}}', "NaN is no number"),
        (b"[" * 100_000, "it is nested more than 200 deep"),
        (b"\xff\xfe", "cannot be read"),
        (b'"' + b"a" * (2 << 20), "cannot be read: Unterminated string"),
    ],
)
def test_a_first_line_that_is_no_header_says_why(first, why, tmp_path):
    path = tmp_path / "predictions.jsonl"
    path.write_bytes(first + b"\n")
    with pytest.raises(PredictionsError, match=f"does not begin with a header.*{why}"):
        read_header(path)


def test_a_byte_order_mark_does_no_harm(tagged, tagging_episodes):
    path, predictions = tagged
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_header(path) == HEADER
    assert read_predictions(path, tagging_episodes) == predictions


def test_the_seed_of_training_is_part_of_the_run(tmp_path, relation_episodes):
    path = tmp_path / "predictions.jsonl"
    names = [["NOTA"] * len(episode.query) for episode in relation_episodes]
    write_predictions(path, Header("fewrel"), relation_episodes, names)
    assert "seed" not in path.read_text().splitlines()[0]
    assert read_header(path).run.seed == 0
    write_predictions(path, Header("fewrel", seed=3), relation_episodes, names)
    assert read_header(path).run.seed == 3


def test_some_options_make_sense_with_a_data_dir(tmp_path):
    path = first_line(tmp_path / "predictions.jsonl", benchmark="fewjoint", data={"fold": 1})
    assert read_header(path, data_dir="snips").data == {"fold": 1}
    with pytest.raises(PredictionsError, match="fold=1 has no effect without data_dir"):
        read_header(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"7", r"line 3: no object with index, ids and predictions \('int' object is not subscriptable\)"),
        (b"[1]", "line 3: no object with index, ids and predictions"),
        (b'{"index": 1, "ids": []}', r"line 3: no object with index, ids and predictions \(no 'predictions'\)"),
        (b'{"index": 1, "ids": [], "ids": []}', "the key 'ids' comes twice in one object"),
        (b'{"index": 1, "ids": ["\xff"]}', "line 3: no object with .* can't decode byte 0xff"),
        (b'{"index": true, "ids": [], "predictions": []}', "line 3: index True, but there are episodes 0 to"),
        (b'{"index": 1.0, "ids": [], "predictions": []}', "line 3: index 1.0, but there are episodes 0 to"),
        (b'{"index": 1, "ids": [7], "predictions": [[]]}', "line 3, episode 1: id 7 is no text; write ids as"),
        (b'{"index": 1, "ids": [null], "predictions": [[]]}', "line 3, episode 1: id None is no text"),
        (b'{"index": 1, "ids": "ab", "predictions": "ab"}', "line 3: ids and predictions must be lists"),
    ],
)
def test_a_line_of_another_kind_is_named_with_its_number(line, message, tagged, tagging_episodes):
    path, _ = tagged
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([*lines[:2], line, *lines[3:]]))
    with pytest.raises(PredictionsError, match=message):
        read_predictions(path, tagging_episodes)


@pytest.mark.parametrize("tag", [7, None, [], {}, "planet"])
def test_tags_of_another_kind_are_named(tag, tagged, tagging_episodes):
    path, _ = tagged
    rewrite(path, lambda lines: lines[1]["predictions"][0].__setitem__(0, tag))
    with pytest.raises(PredictionsError, match=r"tags .* are none of the episode's"):
        read_predictions(path, tagging_episodes)


def test_what_a_language_model_did_not_say_in_the_right_form_can_be_scored(
    tagged, tagging_episodes, relation_episodes, joint_episodes
):
    path, _ = tagged
    unparsed = {
        "tagging": lambda n: ["<unparsed>"] * n,
        "relation": lambda n: "<unparsed>",
        "joint": lambda n: {"intent": "<unparsed>", "slot_tags": ["B-<unparsed>"] + ["I-<unparsed>"] * (n - 1)},
    }
    for episodes in (tagging_episodes, relation_episodes, joint_episodes):
        rows = [
            [unparsed[episodes.task](len(episodes.examples[row]["tokens"])) for row in episode.query]
            for episode in episodes
        ]
        write_predictions(path, HEADER, episodes, rows)
        assert read_predictions(path, episodes) == rows


def test_a_query_that_is_asked_twice_is_answered_twice(relation_episodes, tmp_path):
    first = relation_episodes[0]
    twice = replace(first, query=(first.query[0], first.query[0]))
    episodes = replace(relation_episodes, make=lambda _: twice, length=1)
    path = tmp_path / "predictions.jsonl"
    answers = [["NOTA", first.classes[0]]]
    write_predictions(path, Header("fewrel"), episodes, answers)
    assert read_predictions(path, episodes) == answers
    rewrite(path, lambda lines: [lines[1][key].pop() for key in ("ids", "predictions")])
    with pytest.raises(PredictionsError, match=r"has 1 problems:\n  line 2, episode 0: id '.*' is missing"):
        read_predictions(path, episodes)


def test_long_values_are_cut_in_errors(relation_episodes, tmp_path):
    path = tmp_path / "predictions.jsonl"
    names = [["x" * 10**6] * len(episode.query) for episode in relation_episodes]
    write_predictions(path, Header("fewrel"), relation_episodes, names)
    with pytest.raises(PredictionsError, match=r"class 'x{76}\.\.\. is none of") as raised:
        read_predictions(path, relation_episodes)
    assert len(str(raised.value)) < 10_000
