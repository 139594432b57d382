import hashlib
import json
import pickle
import tracemalloc

import pytest

from hf_fewshot.episodes.class_index import index_labels
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.episode_table import EpisodeTable
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.tasks.schemas import example_features, table_of

FIRST = Episode(("b", "a"), (3, 1, 4), (1, 5), "music")
SECOND = Episode((), (), (2_000_000_000,))
THIRD = Episode(("a", "music"), (0,), ())
# 5-way 1-shot with three queries, as in Few-Shot TACRED.
N_EPISODES = 20_000
LABELS = ["no_relation"] * 300 + [f"relation {number % 10}" for number in range(100)]


@pytest.fixture(scope="module")
def sampler():
    return NaturalNota(5, 1, 3).sampler(index_labels(LABELS), seed=7)


def of(make, length):
    rows = [{"id": f"id {number}", "text": "t", "label": "a"} for number in range(len(LABELS))]
    examples = table_of(rows, example_features("classification"))
    return EpisodeSet("classification", examples, make, length)


def test_a_table_gives_the_episodes_that_it_was_given():
    table = EpisodeTable([FIRST, SECOND])
    table.append(THIRD)
    assert list(map(table, range(len(table)))) == [FIRST, SECOND, THIRD]
    again = pickle.loads(pickle.dumps(table))
    assert (len(again), again(2)) == (3, THIRD)


@pytest.mark.parametrize("wrong", [Episode(("a",), (1,), (2, 1 << 40)), Episode(("a",), ("1",), ())])
def test_an_episode_without_row_numbers_is_not_kept_in_part(wrong):
    table = EpisodeTable([FIRST])
    with pytest.raises((OverflowError, TypeError), match="int"):
        table.append(wrong)
    table.append(THIRD)
    assert list(map(table, range(len(table)))) == [FIRST, THIRD]


def test_a_set_of_given_episodes_has_no_others():
    episodes = of(EpisodeTable([FIRST, SECOND]), 2)
    assert [*episodes, episodes[-2], *episodes[1:]] == [FIRST, SECOND, FIRST, SECOND]
    with pytest.raises(IndexError, match="episode 2 of a set of 2"):
        episodes[2]


def test_episodes_that_were_gone_through_are_not_drawn_again(sampler):
    drawn = []
    episodes = of(lambda number: drawn.append(number) or sampler(number), 6)
    assert episodes[4] == sampler(4)
    passes = zip(episodes, episodes, strict=True)
    assert [next(passes) for _ in range(3)] == [(sampler(n), sampler(n)) for n in range(3)]
    assert drawn == [4, 0, 1, 2]
    assert list(episodes) == [sampler(number) for number in range(6)]
    assert list(episodes) == [sampler(number) for number in range(6)]
    assert [episodes[-1], *episodes[2:4]] == [sampler(5), sampler(2), sampler(3)]
    assert drawn == [4, 0, 1, 2, 3, 4, 5]


def test_the_fingerprint_is_that_of_the_readable_content(sampler):
    episodes = of(sampler, 3)
    lines = [
        json.dumps([one.classes, [[f"id {n}" for n in one.support], [f"id {n}" for n in one.query]], ""]) + "\n"
        for one in map(sampler, range(3))
    ]
    assert episodes.fingerprint == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_an_episode_that_is_kept_takes_a_hundred_bytes(sampler):
    episodes = of(sampler, N_EPISODES)
    assert len(sampler.pool[0]) == 400  # made before memory is counted
    tracemalloc.start()
    assert sum(len(episode.query) for episode in episodes) == 3 * N_EPISODES
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # 13 numbers of four bytes, the ends of three lists of eight, a group of four: 80, and what arrays grow ahead.
    assert 80 * N_EPISODES <= kept < 100 * N_EPISODES
    assert peak < 110 * N_EPISODES
