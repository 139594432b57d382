import pytest

from hf_fewshot.registry import BASELINE, SYSTEMS, TASKS
from hf_fewshot.systems.fitting import fits
from hf_fewshot.tasks import task_of

BASELINES = {name: task_of(name).baselines for name in TASKS}


def baseline_predictions(name, episodes):
    return episodes.kind.baseline_predictions(name, episodes)


def test_relations(relation_episodes):
    assert baseline_predictions("always_none", relation_episodes)[0] == ["NOTA", "NOTA", "NOTA"]
    assert baseline_predictions("one_class", relation_episodes)[1] == ["works"]


def test_tags(tagging_episodes):
    assert baseline_predictions("no_entity", tagging_episodes)[0] == [["O"] * 5, ["O"]]
    # The support set of episode 1 has "rome", "acme" as no word of its own; "anna", "paris", "berlin", "paul" it has.
    assert baseline_predictions("seen_words", tagging_episodes)[1][0] == ["O"] * 5
    assert baseline_predictions("seen_words", tagging_episodes)[2][0] == ["org", "org", "O", "O", "O", "O", "O", "O"]


def test_intents_and_slots(joint_episodes):
    predicted = baseline_predictions("no_slot", joint_episodes)[0]
    assert predicted[0] == {"intent": "lives", "slot_tags": ["O"] * 4}
    seen = baseline_predictions("seen_words", joint_episodes)[0]
    assert seen[2]["slot_tags"] == ["B-org", "I-org", "O", "O", "B-place", "B-place", "I-place"]


def test_unknown_names_are_refused(tagging_episodes):
    with pytest.raises(ValueError, match=r"Unknown baseline of task 'tagging' 'seen_word'. Did you mean 'seen_words'"):
        baseline_predictions("seen_word", tagging_episodes)


def test_every_baseline_is_a_system():
    trivial = {name: entry for name, entry in SYSTEMS.items() if entry.reference == BASELINE}
    assert {name for known in BASELINES.values() for name in known} == set(trivial)
    for task, known in BASELINES.items():
        assert {name for name in trivial if fits(name, task)} == set(known)
