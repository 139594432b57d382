import pytest

from hf_fewshot.published import published_scores
from hf_fewshot.runs.run import Run


def found(run, measure):
    """The measure by system, of the first table that has it."""
    return {s.system: s.scores[measure] for s in reversed(published_scores(run)) if measure in s.scores}


def test_options_that_the_run_leaves_out_have_their_defaults():
    # Version 1.1 and released episodes.
    assert found(Run("fewjoint", "joint_proto", data={"shots": 1}), "slot_f1") == {
        "SepProto": 33.16,
        "JointProto": 35.51,
        "LD-Proto": 34.53,
        "LD-Proto + TR": 45.20,
        "ConProm": 39.07,
        "ConProm + TR": 47.66,
        "JointTransfer": 28.98,
    }
    # The paper's three shots are of version 1.0 only.
    assert published_scores(Run("fewjoint", "joint_proto")) == []
    assert found(Run("fewjoint", "joint_proto", data={"data_version": "1.0"}), "slot_f1")["JointProto"] == 40.37


def test_options_that_the_publication_does_not_name_do_not_count():
    run = Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1, "n_episodes": 500, "seed": 3})
    assert found(run, "f1")["StructShot"] == 51.88


def test_the_current_data_comes_first():
    run = Run("few_nerd", "proto", "intra", {"n_way": 5, "shots": 1})
    first = [score for score in published_scores(run) if score.system == "ProtoBERT"]
    assert [score.scores["f1"] for score in first] == [20.76, 23.45, 20.71]
    assert first[0].std == {"f1": 0.84}
    assert first[0].data_version == "current (arXiv version 6)"


def test_each_fold_of_clues_stands_beside_the_mean_over_folds():
    run = Run("clues", "span", "mnli", {"shots": 30, "fold": 4})
    assert found(run, "s1") == {
        "human": 69.4,
        "BERT-base fine-tuning": 35.4,
        "BERT-base prompts": 42.5,
        "BERT-large fine-tuning": 33.3,
        "BERT-large prompts": 45.3,
        "RoBERTa-large fine-tuning": 34.0,
        "RoBERTa-large prompts": 61.6,
        "DeBERTa-large fine-tuning": 26.7,
        "DeBERTa-large prompts": 62.9,
        "T5-large fine-tuning": 36.8,
        "GPT-3 in context": 33.2,
        "LiST": 67.9,
    }


def test_relations_are_matched_by_their_rate_of_none_of_the_above():
    data = {"n_way": 5, "shots": 1, "nota_rate": 0.5}
    assert found(Run("fewrel", "mnav", data=data, split="validation"), "f1") == {
        "Sentence-Pair": 71.85,
        "Threshold": 73.34,
        "NAV": 75.00,
        "MNAV": 75.22,
    }
    assert published_scores(Run("fewrel", "mnav", data={**data, "domain": "pubmed"}, split="validation")) == []
    assert published_scores(Run("fewrel", "mnav", data={**data, "nota_rate": 0.15}, split="validation")) == []
    assert found(Run("fs_tacred", "mnav", data={"n_way": 5, "shots": 5, "test_seed": 160292}), "f1")["MNAV"] == 30.04


@pytest.mark.parametrize(
    "run",
    [
        Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1, "sample": True}),
        Run("few_nerd", "proto", "inter", {"n_way": 3, "shots": 1}),
        Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1}, split="validation"),
        Run("fewjoint", "joint_proto", "episodes", {"shots": 1, "episodes": "sampled"}),
        Run("fewjoint", "joint_proto", "examples", {"shots": 1}),
    ],
)
def test_other_data_has_no_published_scores(run):
    assert published_scores(run) == []


def test_an_unknown_benchmark_is_refused():
    with pytest.raises(ValueError, match=r"Unknown benchmark 'few_nert'. Did you mean 'few_nerd'\?"):
        published_scores(Run("few_nert", "proto"))
