import pytest
import yaml

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.published import PublishedError, PublishedScore, read_published
from hf_fewshot.published.tables import read_file
from hf_fewshot.registry import BENCHMARKS, resolve
from hf_fewshot.tasks import task_of

TABLE = {
    "benchmark": "few_nerd",
    "split": "test",
    "measures": ["f1", "recall"],
    "encoder": "BERT",
    "data_version": "1",
    "data": {"n_way": 5},
    "remarks": ["all"],
    "tables": [
        {
            "source": "Paper, Table 1",
            "columns": [{"config": "inter", "data": {"shots": 1}, "remarks": ["one"]}, {"config": "intra"}],
            "rows": [{"system": "S", "scores": [[50, 60.5], None], "std": [[1, 2], None]}],
        }
    ],
}


@pytest.fixture
def read(tmp_path):
    """Reads a file with TABLE, changed."""

    def read(change=None):
        content = yaml.safe_load(yaml.safe_dump(TABLE))
        if change:
            change(content)
        file = tmp_path / "file.yaml"
        file.write_text(yaml.safe_dump(content))
        read_file.cache_clear()
        return read_file(file)

    return read


def scores():
    return [score for benchmark in BENCHMARKS for score in read_published(benchmark)]


def found(benchmark, config, data, system, version, split="test"):
    """The measures of a system in a setting, from all its tables of one data version."""
    measures = {}
    for score in read_published(benchmark):
        setting = (score.config, score.data, score.system, score.split)
        if setting == (config, data, system, split) and score.data_version.startswith(version):
            measures |= score.scores
    return measures


def test_a_table_is_read_cell_by_cell(read):
    assert read() == (
        PublishedScore(
            benchmark="few_nerd",
            config="inter",
            data={"n_way": 5, "shots": 1},
            split="test",
            system="S",
            encoder="BERT",
            scores={"f1": 50.0, "recall": 60.5},
            std={"f1": 1.0, "recall": 2.0},
            source="Paper, Table 1",
            data_version="1",
            remarks=("all", "one"),
        ),
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c["tables"][0].pop("source"), r"file.yaml, table 1, S: .* but there is no source. Add it"),
        (lambda c: c["tables"][0].update(source=""), "but there is no source"),
        (lambda c: c["tables"][0]["rows"][0].pop("system"), "but there is no system"),
        (
            lambda c: c.update(measures=["f1", "recal"]),
            r"unknown measure 'recal' of few_nerd. Did you mean 'recall'\?",
        ),
        (lambda c: c.update(benchmark="few_nert"), r"unknown benchmark 'few_nert'. Did you mean 'few_nerd'\?"),
        (lambda c: c.update(split_="test"), r"has an unknown 'split_'. Did you mean 'split'\?"),
        (lambda c: c["tables"][0]["rows"][0].update(scores=[[1, 2]]), "got 2 columns, 1 scores, 2 deviations"),
        (lambda c: c["tables"][0]["rows"][0].update(scores=[50, None]), "expected percentages of f1, recall, got 50"),
        (lambda c: c["tables"][0]["rows"][0].update(scores=[[50, 101], None]), r"percentages .* got \[50, 101\]"),
        (lambda c: c["tables"][0]["rows"][0].update(scores=[["5", 1], None]), r"percentages .* got \['5', 1\]"),
        (lambda c: c.pop("tables"), "expected fields and a list of tables, got dict"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(read, change, message):
    with pytest.raises(PublishedError, match=message):
        read(change)


def test_every_benchmark_has_a_file_of_its_own():
    for benchmark in BENCHMARKS:
        assert {score.benchmark for score in read_published(benchmark)} == {benchmark}
    with pytest.raises(ValueError, match=r"Unknown benchmark 'clue'. Did you mean 'clues'\?"):
        read_published("clue")


def test_every_setting_exists():
    assert len(scores()) > 200
    for score in scores():
        builder = resolve(BENCHMARKS[score.benchmark])
        assert score.config in {config.name for config in builder.BUILDER_CONFIGS}, score
        options = {**score.data}
        if score.system == "human":
            options.pop("shots")  # people were also asked without any example
        builder.BUILDER_CONFIG_CLASS(name=score.config, **options).check()
        assert score.split in ("validation", "test")
        assert "(20" in score.source


def test_no_cell_stands_twice():
    cells = [
        (s.benchmark, s.config, s.split, s.system, s.data_version, tuple(sorted(s.data.items(), key=str)), measure)
        for s in scores()
        for measure in s.scores
    ]
    assert len(set(cells)) == len(cells)


def test_measures_have_the_names_that_our_metrics_give():
    tags = [["O", "art-film"]]
    labels = ["a", "NOTA"]
    of_metric = {
        "clues": resolve("hf_fewshot.metrics.s1.scoring:score")([["a"]], [["a"]]),
        "few_nerd": resolve("hf_fewshot.metrics.entity_f1.scoring:score")(tags, tags),
        "fewrel": resolve("hf_fewshot.metrics.nota_f1.scoring:score")(labels, labels),
    }
    of_metric["fs_tacred"] = of_metric["fewrel"]
    row = [{"intent": "i", "slot_tags": ["B-x"]}]
    of_metric["fewjoint"] = task_of("joint").score(row, row, [0])
    for benchmark in BENCHMARKS:
        assert set(builder_of(benchmark).MEASURES) <= set(of_metric[benchmark])


@pytest.mark.parametrize(
    ("shots", "version", "system", "expected"),
    [
        (3, "1.0", "SepProto", (72.30, 34.11, 16.40)),
        (3, "1.0", "JointProto + Finetune", (73.82, 61.79, 38.97)),
        (1, "1.1", "LD-Proto + TR", (67.64, 45.20, 22.69)),
        (5, "1.1", "ConProm + TR", (77.07, 57.11, 34.44)),
        (5, "1.0", "ConProm + TR", (75.54, 50.28, 28.69)),
    ],
)
def test_scores_of_fewjoint(shots, version, system, expected):
    data = {"data_version": version, "episodes": "released", "shots": shots}
    names = ("intent_accuracy", "slot_f1", "sentence_accuracy")
    assert found("fewjoint", "episodes", data, system, version) == dict(zip(names, expected, strict=True))


@pytest.mark.parametrize(
    ("config", "n_way", "shots", "system", "version", "expected"),
    [
        ("intra", 5, 1, "ProtoBERT", "current", 20.76),
        ("intra", 10, 5, "StructShot", "current", 26.42),
        ("inter", 10, 1, "NNShot", "current", 38.87),
        ("inter", 5, 5, "ESD", "current", 69.06),
        ("inter", 10, 5, "DecomposedMetaNER", "current", 68.11),
        ("intra", 5, 5, "ProtoBERT", "first", 37.08),
        ("intra", 10, 1, "StructShot", "first", 12.31),
        ("inter", 10, 5, "ProtoBERT", "first", 56.29),
    ],
)
def test_scores_of_few_nerd(config, n_way, shots, system, version, expected):
    assert found("few_nerd", config, {"n_way": n_way, "shots": shots}, system, version)["f1"] == expected


def test_error_analysis_and_supervised_scores_of_few_nerd():
    assert found("few_nerd", "inter", {"n_way": 5, "shots": 5}, "StructShot", "first") == {
        "f1": 35.95,
        "fp_error": 3.11,
        "fn_error": 8.42,
        "within_error": 5.59,
        "outer_error": 13.62,
    }
    supervised = found("few_nerd", "supervised", {"n_way": None, "shots": None}, "BERT-Tagger", "first")
    assert supervised == {"f1": 68.88, "precision": 67.39, "recall": 70.45}


def test_scores_of_relations():
    data = {"domain": "wiki", "n_way": 5, "shots": 5, "nota_rate": 0.5}
    assert found("fewrel", "default", data, "MNAV", "2.0", "validation") == {"accuracy": 81.25, "f1": 80.06}
    assert found("fewrel", "default", {**data, "shots": 1, "nota_rate": 0.15}, "BERT-PAIR", "2.0") == {
        "accuracy": 77.67
    }
    tacred = {"n_way": 5, "shots": 5, "episodes": "published"}
    assert found("fs_tacred", "default", tacred, "MNAV", "published") == {"f1": 30.04}


def test_fine_tuned_bert_on_names_is_marked_as_the_trivial_baseline():
    marked = [s for s in read_published("clues") if "equals the always-empty baseline" in s.remarks]
    assert [(s.config, s.system, s.scores["s1"], s.std["s1"]) for s in marked] == [
        ("conll03", "BERT-base fine-tuning", 51.3, 0.0),
        ("wikiann", "BERT-base fine-tuning", 62.8, 0.0),
    ]
