import pickle

import pytest

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.sampling import make_episodes
from hf_fewshot.episodes.scores import Scores


@pytest.fixture(scope="module")
def sampled(relation_episodes) -> EpisodeSet:
    return make_episodes(relation_episodes.examples, NWayKShot(2, 1, 1), task="relation", length=6, seed=3)


def test_a_part_of_a_set_is_a_set(sampled):
    part = sampled[1:5:2]
    assert isinstance(part, EpisodeSet)
    assert list(part) == [sampled[1], sampled[3]]
    assert (len(part), part[-1], part.examples) == (2, sampled[3], sampled.examples)
    assert list(part[1:]) == [sampled[3]]
    assert list(sampled[::-1]) == list(sampled)[::-1]
    assert len(sampled[6:]) == 0
    with pytest.raises(IndexError, match="episode 2 of a set of 2"):
        part[2]


def test_a_part_has_a_fingerprint_of_its_own(sampled):
    assert sampled[:].fingerprint == sampled.fingerprint
    assert sampled[:3].fingerprint != sampled.fingerprint


def test_a_part_reaches_another_process(sampled):
    assert list(pickle.loads(pickle.dumps(sampled[2:4]))) == [sampled[2], sampled[3]]


def test_sets_and_episodes_are_shown_in_a_line(sampled, relation_episodes):
    assert repr(sampled) == (
        "EpisodeSet(6 episodes, task='relation', 16 examples, n_shot=1, sampler='NWayKShot', n_way=2, n_query=1, "
        "seed=3)"
    )
    assert repr(Episode(("a", "b"), (1, 2), tuple(range(500)))) == "Episode(2 classes, 2 support, 500 query)"
    assert repr(Episode(("intent:a",), (1,), (2,), "weather")) == (
        "Episode(1 classes, 1 support, 1 query, group 'weather')"
    )


def test_scores_are_a_dict_that_is_shown_in_short():
    found = Scores({"f1": 0.123456, "n_correct": 3, "per_type/a/f1": 1.0, "per_group/0/f1": 0.5})
    assert found == {"f1": 0.123456, "n_correct": 3, "per_type/a/f1": 1.0, "per_group/0/f1": 0.5}
    assert repr(found) == "{'f1': 0.1235, 'n_correct': 3, ... 2 more}"
    assert repr(Scores({"accuracy": 1.0})) == "{'accuracy': 1}"
    assert Scores({"<b>": 0.5})._repr_html_() == "<table><tr><th>&lt;b&gt;</th><td>0.5000</td></tr></table>"
