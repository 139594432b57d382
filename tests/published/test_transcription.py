"""Every cell of the papers' tables, compared with a second transcription."""

import pytest

from hf_fewshot.published import published_scores, read_published
from hf_fewshot.runs.run import Run
from tests.published import papers


def cells(benchmark, source, **fields):
    """(config, split, options, other data, system, measure) to score and deviation, of the tables of a source."""
    found = {}
    for one in read_published(benchmark):
        if source in one.source and all(getattr(one, name).startswith(value) for name, value in fields.items()):
            options = tuple(sorted(one.data.items(), key=str))
            for measure, score in one.scores.items():
                key = (one.config, one.split, options, one.other_data, one.system, measure)
                assert key not in found, key
                found[key] = (score, one.std.get(measure))
    return found


def key(config, system, measure, split="test", other_data=None, **options):
    return config, split, tuple(sorted(options.items(), key=str)), other_data, system, measure


def test_people_of_clues():
    expected = {
        key(task, "human", "s1", shots=shots, all_rows=False): tuple(map(float, cell.split()))
        for shots, line in papers.CLUES_TABLE_4.items()
        for task, cell in zip(papers.CLUES_TASKS, line.split(","), strict=True)
    }
    assert len(expected) == 24
    assert cells("clues", "Table 4") == expected


@pytest.mark.parametrize(
    ("table", "text", "tasks", "n"),
    [
        ("Table 5", papers.CLUES_TABLE_5, papers.CLUES_TASKS[:2], 2 * (9 * 4 + 3)),
        ("Table 6", papers.CLUES_TABLE_6, papers.CLUES_TASKS[2:], 4 * 5 * 4),
    ],
)
def test_models_of_clues(table, text, tasks, n):
    expected = {}
    for line in text.strip().splitlines():
        name, *columns = line.split("|")
        model, how = name.split()
        for task, column in zip(tasks, columns, strict=True):
            *shots, all_data = papers.scores_and_deviations(column)
            system = f"{model} {papers.CLUES_HOW[how]}"
            for number, cell in zip((10, 20, 30), shots, strict=True):
                expected[key(task, system, "s1", shots=number, all_rows=False)] = cell
            if all_data is not None:
                other_data = "all training data of the task"
                expected[key(task, system, "s1", other_data=other_data, all_rows=True)] = all_data
    assert len(expected) == n
    assert cells("clues", table) == expected


def test_readme_of_clues():
    expected = {("mnli", 10): 60.5, ("mnli", 20): 67.2, ("mnli", 30): 67.9, ("sst2", 30): 91.3}
    assert cells("clues", "README") == {
        key(task, "LiST", "s1", shots=shots, all_rows=False): (score, None)
        for (task, shots), score in expected.items()
    }


def test_few_shot_tables_of_few_nerd():
    expected = {}
    for (config, system), line in papers.FEW_NERD_TABLES_5_AND_6.items():
        for (n_way, shots), cell in zip(papers.WAYS, line.split("|"), strict=True):
            values, deviation = cell.split()
            precision, recall, f1 = papers.numbers(values)
            of = {"precision": (precision, None), "recall": (recall, None), "f1": (f1, float(deviation))}
            expected |= {key(config, system, name, n_way=n_way, shots=shots): pair for name, pair in of.items()}
    assert len(expected) == 72
    assert cells("few_nerd", "Tables 5 (INTRA) and 6 (INTER)", data_version="first") == expected


def test_supervised_scores_of_few_nerd():
    expected = {}
    for data, line in papers.FEW_NERD_TABLE_4.items():
        options = {"n_way": None, "shots": None} if data is None else {}
        for name, value in zip(("precision", "recall", "f1"), papers.numbers(line), strict=True):
            expected[key("supervised", "BERT-Tagger", name, other_data=data, **options)] = (value, None)
    assert cells("few_nerd", "Table 4") == expected


def test_errors_of_few_nerd():
    names = ("fp_error", "fn_error", "within_error", "outer_error")
    expected = {
        key("inter", system, name, n_way=5, shots=5): (value, None)
        for system, line in papers.FEW_NERD_TABLE_7.items()
        for name, value in zip(names, papers.numbers(line), strict=True)
    }
    assert cells("few_nerd", "Table 7", data_version="first") == expected


@pytest.mark.parametrize(
    ("table", "ways", "version"),
    [
        (papers.FEW_NERD_CURRENT, ((5, 1), (10, 1), (5, 5), (10, 5)), "current (arXiv version 6)"),
        (papers.FEW_NERD_LATER, papers.WAYS, "not stated by the source"),
    ],
)
def test_later_scores_of_few_nerd(table, ways, version):
    expected = {
        key(config, system, "f1", n_way=n_way, shots=shots): value
        for system, lines in table.items()
        for config, line in lines.items()
        for (n_way, shots), value in zip(ways, papers.numbers(line), strict=True)
    }
    found = cells("few_nerd", "", data_version=version)
    assert {place: score for place, (score, _) in found.items()} == expected


def joint_cells(line, **options):
    names = ("intent_accuracy", "slot_f1", "sentence_accuracy")
    found = {}
    for row in line.split("; "):
        system, _, values = row.rpartition(" ")
        for name, value in zip(names, papers.numbers(values), strict=True):
            found[key("episodes", system, name, episodes="released", **options)] = (value, None)
    return found


def test_tables_of_fewjoint():
    expected = joint_cells(papers.FEWJOINT_TABLE_4, data_version="1.0", shots=3)
    assert cells("fewjoint", "Table 4", data_version="1.0") == expected
    readme = {}
    for shots, line in papers.FEWJOINT_README.items():
        readme |= joint_cells(line, data_version="1.1", shots=shots)
    found = cells("fewjoint", "README", data_version="1.1")
    assert {place: pair for place, pair in found.items() if place[4] != "JointTransfer"} == readme
    claimed = {
        key("episodes", "Han et al. 2023", "sentence_accuracy", episodes="released", shots=shots): (score, None)
        for shots, score in ((1, 42.20), (5, 60.79))
    }
    assert cells("fewjoint", "arxiv.org/abs/2312.13495", data_version="not stated by the source") == claimed


def test_development_scores_of_fewrel():
    expected = {}
    for row in papers.FEWREL_TABLE_3.split("; "):
        system, _, values = row.partition(" ")
        for shots, cell in zip((1, 5), values.split(" | "), strict=True):
            for name, pair in zip(("accuracy", "f1"), cell.split(", "), strict=True):
                options = {"domain": "wiki", "n_way": 5, "shots": shots, "nota_rate": 0.5}
                expected[key("default", system, name, "validation", **options)] = tuple(map(float, pair.split()))
    assert len(expected) == 16
    assert cells("fewrel", "Table 3") == expected


def test_test_scores_and_domain_adaptation_of_fewrel():
    expected = {}
    for system, line in papers.FEWREL_NOTA.items():
        rates = ((0.15, 1), (0.15, 5), (0.5, 1), (0.5, 5))
        for (rate, shots), value in zip(rates, papers.numbers(line), strict=True):
            options = {"domain": "wiki", "n_way": 5, "shots": shots, "nota_rate": rate}
            expected[key("default", system, "accuracy", **options)] = (value, None)
    for (split, system), line in papers.FEWREL_ADAPTATION.items():
        for (n_way, shots), value in zip(papers.WAYS, papers.numbers(line), strict=True):
            options = {"domain": "pubmed", "n_way": n_way, "shots": shots, "nota_rate": None, "na_rate": None}
            expected[key("default", system, "accuracy", split, **options)] = (value, None)
    table_3 = cells("fewrel", "Table 3")
    assert {place: pair for place, pair in cells("fewrel", "").items() if place not in table_3} == expected


def test_scores_of_few_shot_tacred():
    options = {"n_way": 5, "shots": 5, "episodes": "published"}
    assert cells("fs_tacred", "Table 4") == {key("default", "MNAV", "f1", **options): (30.04, None)}
    assert cells("fs_tacred", "Section 7.2") == {key("default", "MNAV, supervised", "f1", **options): (61.19, None)}


def test_scores_on_other_data_stand_beside_no_run():
    others = [one for name in ("clues", "few_nerd") for one in read_published(name) if one.other_data is not None]
    assert {one.other_data for one in others} == {"all training data of the task", "CoNLL'03", "OntoNotes 5.0"}
    runs = [Run("few_nerd", "tagger", "supervised"), Run("clues", "span_finetuning", "sst2", {"shots": 30})]
    beside = [one for run in runs for one in published_scores(run)]
    assert beside
    assert not any(one.other_data for one in beside)
    assert published_scores(Run("clues", "span_finetuning", "sst2", {"all_rows": True})) == []


def test_a_score_whose_data_the_source_does_not_say_says_so_where_it_is_shown():
    run = Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1})
    versions = {one.system: one.data_version for one in published_scores(run)}
    for system in ("NuNER", "TadNER", "HEProto"):
        assert versions[system] == "not stated by the source: one of three generations"
    joint = {one.system: one.data_version for one in published_scores(Run("fewjoint", "proto", data={"shots": 1}))}
    assert joint["Han et al. 2023"].startswith("not stated by the source: its abstract names SNIPS and FewJoint")
    assert joint["ConProm + TR"] == "1.1"
