"""What can be scored without understanding anything, as systems: the run's method is the name of a baseline."""

from typing import Any

from hf_fewshot.systems.work import Work


def predict(work: Work) -> list[list[Any]]:
    """The answers of a trivial baseline of the task."""
    with work.timed("predict"):
        episodes = work.data.episodes
        return episodes.kind.baseline_predictions(work.run.method, episodes)
