"""A million episodes must fit beside everything else: what a run keeps of one is bounded, from answers to record."""

import gc
import tracemalloc

import pytest
from accelerate import Accelerator

from hf_fewshot import make_episodes
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.episodes.part import Part
from hf_fewshot.episodes.units import measure_episodes
from hf_fewshot.runs.confusion import confusion
from hf_fewshot.runs.predictions import Header, write_predictions
from hf_fewshot.systems.engine import Worker, deal_out
from hf_fewshot.systems.system import Setup
from hf_fewshot.tasks.schemas import example_features, table_of

N_EPISODES = 5_000
N_CLASSES = 12


class Cheap(Worker):
    """Answers the first class of the episode."""

    bar = ("predict", "episode")

    def __init__(self, episodes):
        self.episodes = episodes

    def parts(self):
        return (Part(number, number) for number in range(len(self.episodes)))

    def identity(self):
        return {"episodes": self.episodes.fingerprint}

    def rows(self, batches):
        ids = self.episodes.example_ids
        for (part,) in batches:
            episode = self.episodes[part.number]
            answers = [episode.classes[0]] * len(episode.query)
            yield [{"index": part.index, "ids": [ids[row] for row in episode.query], "predictions": answers}]


@pytest.fixture(scope="module")
def episodes():
    rows = [{"id": f"id {n}", "text": "t", "label": f"class {n % N_CLASSES}"} for n in range(240)]
    examples = table_of(rows, example_features("classification"))
    made = make_episodes(
        examples, NaturalNota(5, 1, 3, nota_class=None), task="classification", length=N_EPISODES, seed=3
    )
    assert len(made.fingerprint) == 64  # all are drawn and kept
    return made


class Peak:
    """The largest memory within a block beyond that at its beginning, in bytes for each episode."""

    def __enter__(self):
        gc.collect()
        tracemalloc.start()
        return self

    def __exit__(self, *_):
        self.bytes = tracemalloc.get_traced_memory()[1] / N_EPISODES
        tracemalloc.stop()


def test_what_is_dealt_out_and_gathered_takes_600_bytes_an_episode(episodes, tmp_path):
    setup = Setup(Accelerator(), tmp_path, progress=False)
    with Peak() as first:
        predictions = deal_out(Cheap(episodes), setup).predictions(N_EPISODES)
    assert len(predictions) == N_EPISODES
    assert 100 < first.bytes < 600
    # What is there already is read line by line; its texts are not shared.
    with Peak() as again:
        assert deal_out(Cheap(episodes), setup).predictions(N_EPISODES) == predictions
    assert 100 < again.bytes < 800


def test_scores_and_files_take_700_bytes_an_episode(episodes, tmp_path):
    predictions = [[episode.classes[0]] * 3 for episode in episodes]
    with Peak() as scored:
        measured = measure_episodes(episodes, predictions)
    assert len(measured.units) == N_EPISODES
    assert 100 < scored.bytes < 700
    with Peak() as written:
        write_predictions(tmp_path / "predictions.jsonl", Header("fewrel"), episodes, predictions)
        assert confusion(episodes, predictions)["labels"]
    assert written.bytes < 10
