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


def test_a_deviation_may_be_known_of_some_measures_only(read):
    (score,) = read(lambda c: c["tables"][0]["rows"][0].update(std=[[None, 2], None]))
    assert score.std == {"recall": 2.0}


def test_other_data_of_a_column_is_said(read):
    (score,) = read(lambda c: c["tables"][0]["columns"][0].update(other_data="CoNLL'03"))
    assert score.other_data == "CoNLL'03"


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
        (lambda c: c["tables"][0]["rows"][0].update(scores=[[None, 1], None]), r"percentages .* got \[None, 1\]"),
        (lambda c: c["tables"][0]["rows"][0].update(std=[1, None]), "deviations of f1, recall, or null, got 1"),
        (lambda c: c["tables"][0]["rows"][0].update(std=[["x", None], None]), r"percentages of f1, got \['x'\]"),
        (lambda c: c.pop("tables"), "expected fields and a list of tables, got dict"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(read, change, message):
    with pytest.raises(PublishedError, match=message):
        read(change)


def test_every_benchmark_has_a_file_of_its_own():
    for benchmark in BENCHMARKS:
        own = builder_of(benchmark).OWN_DATA
        assert {score.benchmark for score in read_published(benchmark)} == (set() if own else {benchmark})
    with pytest.raises(ValueError, match=r"Unknown benchmark 'clue'. Did you mean 'clues'\?"):
        read_published("clue")


def test_every_setting_exists():
    assert len(scores()) > 200
    for score in scores():
        builder = resolve(BENCHMARKS[score.benchmark])
        assert score.config in {config.name for config in builder.BUILDER_CONFIGS}, score
        builder.BUILDER_CONFIG_CLASS(name=score.config, **score.data).check()
        assert score.split in ("validation", "test")
        assert "(20" in score.source


def test_no_cell_stands_twice():
    cells = [
        (s.benchmark, s.config, s.split, s.system, s.data_version, s.other_data, str(sorted(s.data.items())), measure)
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
        assert set(builder_of(benchmark).MEASURES) <= set(of_metric.get(benchmark, ()))


def test_fine_tuned_bert_on_names_is_marked_as_the_trivial_baseline():
    marked = [s for s in read_published("clues") if "equals the always-empty baseline" in s.remarks]
    found = [(s.config, s.system, s.data["shots"], s.scores["s1"], s.std["s1"]) for s in marked]
    assert found == [
        *(("conll03", "BERT-base fine-tuning", shots, 51.3, 0.0) for shots in (10, 20, 30)),
        *(("conll03", "BERT-large fine-tuning", shots, 51.3, 0.0) for shots in (10, 20, 30)),
        *(("wikiann", "BERT-base fine-tuning", shots, 62.8, 0.0) for shots in (10, 20, 30)),
        ("wikiann", "BERT-large fine-tuning", 10, 62.8, 0.0),
    ]
