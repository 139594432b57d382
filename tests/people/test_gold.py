"""Nobody sees what is right of a query: not in replies, not in ids, not in their order, not in files of the page."""

import json
import re
from functools import cached_property

import httpx
import pytest

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.people.plan import Plan
from tests.running_study import running_study

SETTINGS = [
    ("clues", "mnli", {"shots": 10}, "test"),
    ("few_nerd", "inter", {"n_way": 3, "shots": 1, "n_episodes": 1}, "test"),
    ("fewjoint", None, {"shots": 1, "n_episodes": 1}, "test"),
    ("fewrel", None, {"n_way": 5, "shots": 1, "n_episodes": 2, "na_rate": 1}, "validation"),
    ("own_texts", None, {"shots": 2}, "test"),
]


def replies_of(folder, plan, predictions_of):
    """All replies to somebody who answers all in one way, without the names of things that change by themselves."""
    with running_study(folder, plan) as running:
        predictions = predictions_of(running.study.questions.episodes)
        about = httpx.get(f"{running.url}/api/study").json()
        with running.annotator("anna") as anna:
            anna.answer_all(predictions)
            ids = {one: str(number) for number, one in enumerate(anna.questions)}
        text = json.dumps([about, *running.replies], ensure_ascii=False)
    return re.sub(r"\b[0-9a-f]{24}\b", lambda found: ids[found[0]], text.replace(about["study"], "study"))


def test_replies_are_the_same_whatever_is_right(tmp_path, monkeypatch):
    """With what is right of all queries changed, nothing that anybody gets changes."""
    for benchmark, config, options, split in SETTINGS:
        plan = Plan(benchmark, config, {**options, "sample": True}, split, annotators=1)
        wrong = {}

        def answered(episodes, wrong=wrong):
            if not wrong:
                (name, *_) = episodes.kind.baselines
                wrong["predictions"] = episodes.kind.baseline_predictions(name, episodes)
                wrong["right"] = list(references(episodes))
                wrong["queries"] = {row for episode in episodes for row in episode.query}
            return wrong["predictions"]

        before = replies_of(tmp_path / f"{benchmark}-1", plan, answered)
        plain = EpisodeSet.plain_examples.func

        def turned(episodes, wrong=wrong, plain=plain):
            """The examples with the answers of queries taken from another query."""
            rows = plain(episodes)
            queries = sorted(wrong["queries"] - {row for episode in episodes for row in episode.support})
            gold = [name for name in rows[0] if name in HIDDEN]
            assert gold
            for one, other in zip(queries, [*queries[1:], *queries[:1]], strict=True):
                rows[one] = {**rows[one], **{name: changed(rows[other][name], rows[one]) for name in gold}}
            assert rows != plain(episodes)
            return rows

        with monkeypatch.context() as patch:
            cached = cached_property(turned)
            cached.__set_name__(EpisodeSet, "plain_examples")
            patch.setattr(EpisodeSet, "plain_examples", cached)
            after = replies_of(tmp_path / f"{benchmark}-2", plan, answered)
        assert after == before


HIDDEN = {"answers", "tags", "intent", "slot_tags", "relation", "relation_name", "original_relation", "label"}


def changed(value, row):
    """The value of another row; tags as many as there are words."""
    if isinstance(value, list) and "tokens" in row:
        return (value * len(row["tokens"]))[: len(row["tokens"])]
    return value


@pytest.mark.parametrize("zero_shots", [False, True])
def test_an_order_says_nothing_of_what_is_right(served, zero_shots):
    """Orders follow from seed and number alone, so that texts of a class do not stand together for all."""
    with served(zero_shots=zero_shots) as running:
        orders = set()
        for name in ("anna", "ben", "cleo"):
            with running.annotator(name) as somebody:
                places = tuple(one.place for one in somebody.questions.values() if one.step == "annotation")
            assert sorted(places) == list(range(6))
            orders.add(places)
    assert len(orders) == 3


def test_ids_are_others_in_another_study_and_for_another_annotator(served):
    ids = []
    for folder in ("one", "two"):
        with served(folder) as running:
            for name in ("anna", "ben"):
                with running.annotator(name) as somebody:
                    ids += somebody.questions
    assert len(ids) == len(set(ids)) == 32


def test_files_of_the_study_are_not_served(served, tmp_path):
    with served() as running, running.annotator("anna"):
        paths = ["/study.json", "/private.json", "/annotators/0001.jsonl", "/../study.json", "/people.json", "/api"]
        paths += ["/%2e%2e/application.py", "/page/page.html", "/page.html", "/openapi.json", "/docs"]
        for path in paths:
            assert httpx.get(running.url + path).status_code == 404, path
