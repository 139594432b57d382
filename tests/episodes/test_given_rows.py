import pytest
from datasets import Dataset, DatasetDict

from hf_fewshot import predict, score
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.given_rows import episode_set
from hf_fewshot.episodes.references import references
from hf_fewshot.systems.system import System
from hf_fewshot.tasks.schemas import episode_features


class FirstClass(System):
    """Says the first class of an episode."""

    @classmethod
    def fit(cls, work):
        return cls()

    def predict(self, episodes, setup):
        return [[episode.classes[0]] * len(episode.query) for episode in episodes]


def table(episodes: EpisodeSet) -> Dataset:
    """The rows as `load_dataset` gives them."""
    return Dataset.from_list(list(episodes.rows()), features=episode_features(episodes.task))


@pytest.mark.parametrize("name", ["relation_episodes", "tagging_episodes", "text_episodes", "joint_episodes"])
def test_rows_are_the_episodes_that_they_show(name, request):
    episodes = request.getfixturevalue(name)
    rows = table(episodes)
    for given in (rows, list(rows), rows[:], rows.with_format("numpy"), episodes):
        found = episode_set(given)
        assert (found.task, found.fingerprint) == (episodes.task, episodes.fingerprint)
        assert list(references(found)) == list(references(episodes))
    assert episode_set(rows[1]).fingerprint == episodes[1:2].fingerprint


def test_rows_can_be_predicted_on_and_scored(relation_episodes):
    rows = table(relation_episodes)
    predictions = predict(FirstClass(), relation_episodes)
    assert predict(FirstClass(), rows) == predict(FirstClass(), rows[:2]) + predict(FirstClass(), rows.select([2]))
    assert predict(FirstClass(), rows) == predictions
    assert score(rows, predictions) == score(relation_episodes, predictions)
    assert score(relation_episodes[:1], predictions[:1]) == score(rows[0], predictions[:1])


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("abc", TypeError, r"rows with support and query as load_dataset gives them\. Got 'abc'\."),
        (7, TypeError, "Expected episodes: those of hf_fewshot.load_episodes"),
        ([], ValueError, "There are no episodes: the rows are empty"),
        ([{"id": "0", "text": "a", "label": "b"}], ValueError, r"Got rows with id, text, label\. Of a benchmark, say"),
        ([1], ValueError, r"Got 1\."),
        (
            [{"support": [], "query": [{"id": "1", "words": []}], "classes": []}],
            ValueError,
            "The examples of these episodes have id, words, which is those of no task",
        ),
        (
            DatasetDict(test=Dataset.from_dict({"a": [1]})),
            ValueError,
            r"are splits: test\. .* as \['test'\]",
        ),
    ],
)
def test_what_are_no_episodes_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        episode_set(given)
