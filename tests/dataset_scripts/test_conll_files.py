"""Files with B- and I- labels, as CoNLL'03, OntoNotes and CrossNER have them, read as data of Few-NERD's kind."""

import re

import pytest
from datasets import load_dataset

import hf_fewshot
from hf_fewshot.dataset_scripts.few_nerd.files import read_tagged_text
from hf_fewshot.files.raw_files import RawFileError
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.run import Run

CONLL = """-DOCSTART- -X- -X- O

Anna NNP B-NP B-PER
lives VBZ B-VP O
. . O O

-DOCSTART- -X- -X- O

Rome NNP B-NP B-LOC
Paris NNP B-NP B-LOC
"""
EXPECTED = [
    {"id": "x-0", "tokens": ["Anna", "lives", "."], "tags": ["B-PER", "O", "O"]},
    {"id": "x-1", "tokens": ["Rome", "Paris"], "tags": ["B-LOC", "B-LOC"]},
]
# Enough of each type for two-way one-shot episodes.
SENTENCES = "anna\tB-PER\nlives\tO\nin\tO\nparis\tB-LOC\n\ntom\tB-PER\nmia\tB-PER\nin\tO\nthe\tB-LOC\nbank\tI-LOC\n\n"


@pytest.fixture
def folder(tmp_path):
    for name in ("train", "dev", "test"):
        (tmp_path / f"{name}.txt").write_text(SENTENCES)
    return tmp_path


@pytest.mark.parametrize("separator", [" ", "\t", "  "])
def test_the_first_and_the_last_column_count_whatever_parts_them(tmp_path, separator):
    path = tmp_path / "train.txt"
    path.write_text(CONLL.replace(" ", separator))
    assert list(read_tagged_text(path, "x", "bio")) == EXPECTED


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Rome", "expected a word and, after a tab or space, its label, got"),
        (
            "Rome\tLOC",
            'expected O, B-type or I-type; labels that are types alone are read with scheme="io", got "LOC"',
        ),
        ("Rome\tB-", "expected O, B-type or I-type"),
        ("Rome\tS-LOC", "expected O, B-type or I-type"),
    ],
)
def test_other_labels_are_refused_with_their_line(tmp_path, line, problem):
    path = tmp_path / "train.txt"
    path.write_text(f"Anna\tB-PER\n{line}\n")
    with pytest.raises(RawFileError, match=re.escape(f", line 2: {problem}")):
        list(read_tagged_text(path, "x", "bio"))


def test_labels_with_prefixes_are_never_read_as_types(folder):
    with pytest.raises(RawFileError, match=r'without B- or I- .* are read with scheme="bio", .*, got "B-PER"'):
        load_dataset("few_nerd", "supervised", data_dir=str(folder))


def test_the_scheme_has_no_effect_on_released_episodes_and_sample_data():
    for options in ({"sample": True}, {"n_way": 5, "shots": 1, "episodes": "released"}):
        with pytest.raises(ValueError, match="scheme='bio' has no effect on sample data and released episodes"):
            load_dataset("few_nerd", "inter", scheme="bio", **options)
    with pytest.raises(ValueError, match="scheme='iob', but it must be one of 'io', 'bio'"):
        load_dataset("few_nerd", "inter", scheme="iob", sample=True)


def test_sampled_episodes_count_entities_that_touch_as_two(folder):
    options = {"n_way": 2, "shots": 1, "scheme": "bio", "n_episodes": 5}
    episodes = hf_fewshot.load_episodes("few_nerd", "inter", data_dir=str(folder), split="test", **options)
    assert {episode.classes for episode in episodes} <= {("LOC", "PER"), ("PER", "LOC")}
    # Both sentences are needed, one of them with two people.
    assert {(*episode.support, *episode.query) for episode in episodes} == {(0, 1), (1, 0)}
    perfect = [[row["tags"] for row in episodes.row(number)["query"]] for number in range(5)]
    assert hf_fewshot.score(episodes, perfect)["f1"] == 1.0


def test_a_tagger_predicts_and_is_chosen_and_scored_by_bio_tags(bert, folder, tmp_path):
    training = {"max_steps": 300, "learning_rate": 5e-3, "warmup_steps": 0, "validation": {}, "eval_steps": 100}
    run = Run(
        "few_nerd",
        "tagger",
        config="supervised",
        data={"scheme": "bio"},
        model=str(bert),
        training={**training, "save_steps": 100, "use_cpu": True},
    )
    record = execute(run, tmp_path / "results", source={"data_dir": str(folder)}, progress=False)
    assert record.scores["f1"] == 1.0
    assert record.scores["n_references"] == 5
    read = [(one["part"], one["options"]) for one in record.depends_on["data"]]
    assert read == [("rows", {"split": "train"}), ("rows", {"split": "validation"}), ("episodes", {})]
    lines = (tmp_path / "results" / run.name / "predictions.jsonl").read_text()
    assert '["B-PER", "B-PER", "O", "B-LOC", "I-LOC"]' in lines


def test_the_validation_of_a_tagger_has_no_options():
    run = Run("few_nerd", "tagger", "supervised", {"sample": True}, model="m", training={"validation": {"shots": 1}})
    with pytest.raises(ValueError, match=r"is validated on all examples of the validation split.*validation=\{\}"):
        check_runs([run])
    check_runs([Run("few_nerd", "tagger", "supervised", {"sample": True}, model="m", training={"validation": {}})])


@pytest.mark.shared_data
@pytest.mark.parametrize("domain", ["ai", "literature", "music"])
def test_crossner_has_the_entities_that_its_b_labels_count(shared_data, domain):
    folder = shared_data / "CrossNER" / domain
    data = load_dataset("few_nerd", "supervised", data_dir=str(folder), scheme="bio")
    for split, file in (("train", "train"), ("validation", "dev"), ("test", "test")):
        lines = [line.split("\t") for line in (folder / f"{file}.txt").read_text().split("\n")]
        tags = [line[1] for line in lines if len(line) == 2]
        assert [tag for row in data[split]["tags"] for tag in row] == tags
        scores = hf_fewshot.tasks.task_of("tagging").score(
            data[split]["tags"][:], data[split]["tags"][:], [0] * len(data[split])
        )
        # Every entity of these files begins with B-.
        assert scores["n_references"] == scores["n_correct"] == sum(tag.startswith("B-") for tag in tags)
