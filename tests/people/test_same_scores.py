"""An annotator who answers exactly as a saved run predicts gets exactly the scores of that run."""

import json
from itertools import count

import pytest

from hf_fewshot.cli.main import main
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.episodes.references import references
from hf_fewshot.people.plan import Plan
from hf_fewshot.registry import BENCHMARKS
from hf_fewshot.runs.folder import read_records
from hf_fewshot.runs.predictions import Header, read_predictions, write_predictions
from hf_fewshot.runs.record import Record
from tests.running_study import running_study

# Each benchmark in settings of its own, with a trivial system whose answers are wrong in some places.
SETTINGS = [
    ("clues", "wikiann", {"shots": 10}, "test", "most_frequent"),
    ("clues", "mnli", {"shots": 10}, "test", "every_label"),
    ("few_nerd", "inter", {"n_way": 5, "shots": 1, "n_episodes": 2}, "test", "seen_words"),
    ("fewjoint", None, {"shots": 1, "n_episodes": 2}, "test", "seen_words"),
    ("fewrel", None, {"n_way": 5, "shots": 1, "n_episodes": 3, "na_rate": 0.5}, "validation", "one_class"),
    ("fs_tacred", None, {"n_way": 5, "shots": 1, "n_episodes": 12}, "test", "one_class"),
    ("own_entities", None, {"shots": 2}, "test", "seen_words"),
    ("own_relations", None, {"shots": 2}, "test", "one_class"),
    ("own_texts", None, {"shots": 2}, "test", "one_class"),
    ("own_utterances", None, {"shots": 2}, "test", "seen_words"),
]


def saved_run(folder, data, baseline):
    """Predictions in a file and their record: every third query is answered right, the others as by a baseline."""
    episodes, number = data.episodes, count()
    trivial = episodes.kind.baseline_predictions(baseline, episodes)
    pairs = (zip(own, right, strict=True) for own, right in zip(trivial, references(episodes), strict=True))
    predictions = [[right if next(number) % 3 == 0 else own for own, right in queries] for queries in pairs]
    header = Header(data.benchmark, data.config, data.options, data.split, "a system", episodes.fingerprint)
    path = folder / "saved.jsonl"
    write_predictions(path, header, episodes, predictions)
    source = ["--data-dir", str(data.source["data_dir"])] if data.source else []
    assert main(["score", str(path), *source, "--output", str(folder / "scored")]) == 0
    (record,) = read_records(folder / "scored")
    return path, record


def require_same_scores(tmp_path, data, baseline, capsys):
    path, record = saved_run(tmp_path, data, baseline)
    plan = Plan(data.benchmark, data.config, data.options, data.split, annotators=1)
    with running_study(tmp_path / "study", plan, source=data.source) as running, running.annotator("anna") as anna:
        anna.answer_all(read_predictions(path, running.study.questions.episodes))
    own = Record.read(tmp_path / "study" / plan.run(1).name)
    assert 0 < record.score < 1
    assert own.scores == record.scores
    assert (own.units, own.numerators, own.denominators) == (record.units, record.numerators, record.denominators)
    assert (own.intervals, own.episodes, own.confusion) == (record.intervals, record.episodes, record.confusion)
    assert (own.run.system, own.run.seed, own.measure) == ("People", 1, record.measure)
    (person,) = json.loads((tmp_path / "study" / "people.json").read_text(encoding="utf-8"))["people"]
    assert (person["left_out"], person["training"]) == ("", 1.0)


def test_every_benchmark_and_task_is_among_them():
    assert {name for name, *_ in SETTINGS} == set(BENCHMARKS)
    tasks = {builder_of(name).TASK for name, *_ in SETTINGS}
    assert tasks == {"classification", "joint", "relation", "spans", "tagging"}


@pytest.mark.parametrize(("benchmark", "config", "options", "split", "baseline"), SETTINGS)
def test_who_answers_like_a_saved_run_gets_its_scores(tmp_path, capsys, benchmark, config, options, split, baseline):
    data = Data(benchmark, config, {**options, "sample": True}, split)
    require_same_scores(tmp_path, data, baseline, capsys)
