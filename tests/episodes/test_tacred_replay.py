import json

import pytest

from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.episodes.tacred_replay import PUBLISHED_LENGTH, PUBLISHED_SEEDS, draw

# Class sizes of the test split in the order of the authors' file (PROTOCOLS: Few-Shot TACRED).
SIZES = (14705, 346, 37, 132, 68, 55, 81, 18, 28, 9, 30)
NAMES = ("no_relation", *(f"relation {number}" for number in range(1, 11)))

# (targets, support positions, queries as class and position), confirmed against the published ids below.
FIRST = ([9, 10, 8, 6, 3], [[0], [4], [22], [57], [14]], [(0, 2169), (0, 10977), (0, 12832)])
SECOND = ([7, 1, 8, 2, 10], [[11], [326], [23], [34], [1]], [(0, 4629), (1, 108), (0, 8467)])


@pytest.mark.shared_data
def test_the_published_ids_come_out_without_a_conflict(shared_data):
    folder = shared_data / "Few_Shot_transformation_and_sampling/test_episodes/ids_of_episodes"
    published = json.loads((folder / "ids_of_5_way_1_shots_10K_episodes_3q_seed_160290.json").read_text())
    episodes = list(draw(NaturalNota(5, 1, 3), SIZES, NAMES, 160290, PUBLISHED_LENGTH))
    assert len(published) == len(episodes) == 10_000
    # TACRED itself is licensed. But if ours are the published draws, (class, position) and id must be one to one.
    id_of, place_of, compared = {}, {}, 0
    for (targets, support, queries), (support_ids, query_ids) in zip(episodes, published, strict=True):
        places = [(c, p) for c, positions in zip(targets, support, strict=True) for p in positions] + queries
        ids = [name for per_class in support_ids for name in per_class] + query_ids
        for place, name in zip(places, ids, strict=True):
            assert id_of.setdefault(place, name) == name
            assert place_of.setdefault(name, place) == place
            compared += 1
    assert compared == 10_000 * 5 + 30_000
    outside = [c not in targets for targets, _, queries in episodes for c, _ in queries]
    assert round(100 * sum(outside) / len(outside), 2) == 97.43


def test_the_first_episodes_of_a_published_set_are_these():
    first, second = draw(NaturalNota(5, 1, 3), SIZES, NAMES, PUBLISHED_SEEDS[0], 2)
    assert first == FIRST
    assert second == SECOND
    assert list(draw(NaturalNota(5, 1, 3), SIZES, NAMES, PUBLISHED_SEEDS[0], 1)) == [FIRST]
