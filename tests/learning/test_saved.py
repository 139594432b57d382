"""Learners in folders: whole, with or without examples, damaged."""

import json
from pathlib import Path

import numpy as np
import pytest

from hf_fewshot import FewShotLearner, pipeline
from tests.small_episodes import TAGGED
from tests.small_learners import EXAMPLES, JOINT, QUERIES, SHORT, TEXTS, learner


@pytest.mark.parametrize("task", EXAMPLES)
def test_a_learner_comes_back_with_all_it_has_learned(bert, tmp_path, task):
    saved = learner(bert, task, head="tuned", tuning=SHORT).fit(EXAMPLES[task])
    saved.save_pretrained(tmp_path / "mine")
    loaded = FewShotLearner.from_pretrained(tmp_path / "mine")
    assert loaded.classes == saved.classes
    assert loaded.options == saved.options
    assert loaded.answers(QUERIES[task], nearest=2) == saved.answers(QUERIES[task], nearest=2)
    assert loaded.fitted.support.examples == saved.fitted.support.examples


def test_none_of_the_above_comes_back_too(bert, tmp_path):
    saved = learner(bert, none_of_the_above=True).fit(TEXTS)
    saved.save_pretrained(tmp_path / "mine")
    rule = FewShotLearner.from_pretrained(tmp_path / "mine").fitted.none[0]
    assert rule.threshold == saved.fitted.none[0].threshold
    np.testing.assert_array_equal(rule.means, saved.fitted.none[0].means)


def test_examples_can_be_left_out(bert, tmp_path):
    learner(bert).fit(TEXTS).save_pretrained(tmp_path / "mine", examples=False)
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [
        "config.json",
        "heads.safetensors",
        "learner.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    content = b"".join(path.read_bytes() for path in (tmp_path / "mine").iterdir() if "tokenizer" not in path.name)
    assert b"anna" not in content
    loaded = FewShotLearner.from_pretrained(tmp_path / "mine")
    assert loaded.predict("anna lives in paris") == "home"
    with pytest.raises(ValueError, match=r"saved without its examples, but to name the nearest of them takes them"):
        loaded.answers(["anna"], nearest=1)
    with pytest.raises(
        ValueError, match=r"saved without its examples, but to add to them takes them\. Fit it again\."
    ):
        loaded.add_examples(TEXTS)


def test_a_folder_that_is_there_is_not_overwritten(bert, tmp_path):
    (tmp_path / "mine").mkdir()
    learner(bert).fit(TEXTS).save_pretrained(tmp_path / "mine")  # an empty folder is as good as none
    with pytest.raises(ValueError, match=r"mine is there already\. Give a new folder, or remove it first\."):
        learner(bert).fit(TEXTS).save_pretrained(tmp_path / "mine")


def test_the_folder_is_a_model_of_the_pipeline_as_well(bert, tmp_path):
    learner(bert, "tagging").fit(TAGGED).save_pretrained(tmp_path / "mine")
    found = pipeline("few-shot-ner", tmp_path / "mine")(TAGGED[:2], ["anna lives in paris ."])
    assert ("person", "anna") in [(entity["type"], entity["text"]) for entity in found[0]]


def broken(folder: Path, name: str, change) -> None:
    file = folder / name
    file.write_bytes(change(file.read_bytes()))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("learner.json", lambda content: b"{", r"cannot be loaded: "),
        ("learner.json", lambda content: content.replace(b'"format": 1', b'"format": 9'), r"expected format 1, got 9"),
        (
            "learner.json",
            lambda content: content.replace(b'"job"', b'"job", "x"'),
            r"3 classes of label, but a head of 2",
        ),
        ("learner.json", lambda content: content.replace(b'"strength"', b'"strenght"'), r"cannot be loaded: "),
        ("heads.safetensors", lambda content: content[:40], r"cannot be loaded: "),
        ("examples.jsonl", lambda content: content.split(b"\n")[0], r"1 examples, but vectors of 4"),
    ],
)
def test_damaged_files_are_an_error_in_words(bert, tmp_path, name, change, message):
    learner(bert).fit(TEXTS).save_pretrained(tmp_path / "mine")
    broken(tmp_path / "mine", name, change)
    with pytest.raises(ValueError, match=message):
        FewShotLearner.from_pretrained(tmp_path / "mine")


def test_a_folder_without_a_learner_is_said_so(bert):
    with pytest.raises(ValueError, match=r"holds no learner\.json: it is no saved learner\."):
        FewShotLearner.from_pretrained(bert)


def test_what_is_written_says_the_task_and_the_classes(bert, tmp_path):
    learner(bert, "joint").fit(JOINT).save_pretrained(tmp_path / "mine")
    content = json.loads((tmp_path / "mine" / "learner.json").read_text())
    assert content["task"] == "joint"
    assert content["classes"] == {"slot_tags": ["O", "org", "place"], "intent": ["home", "job"]}
