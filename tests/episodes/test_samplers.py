"""Properties that every sampler must have, on random data, and what each says to impossible requests."""

import subprocess
import sys

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hf_fewshot import make_episodes
from hf_fewshot.episodes.class_index import index_labels, index_tags
from hf_fewshot.episodes.minimum_including import MinimumIncluding
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.episodes.tacred_replay import replay
from hf_fewshot.tasks.schemas import example_features

tag = st.sampled_from(["O", "O", "a", "b", "c", "d", "e"])
sentences = st.lists(st.lists(tag, min_size=1, max_size=6), min_size=5, max_size=60)
labels = st.lists(st.sampled_from(["NOTA", "NOTA", "a", "b", "c", "d"]), min_size=8, max_size=80)
seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


def sampler_or_skip(spec, index, seed):
    """The sampler, or an unused example where the data cannot serve the request."""
    try:
        return spec.sampler(index, seed)
    except ValueError:
        assume(False)


def counts(index, rows):
    return dict(zip(index.classes, index.table(rows).sum(0).tolist(), strict=True))


@quick
@given(sentences, st.integers(1, 3), st.integers(1, 2), st.integers(1, 2), seeds)
def test_k2k_episodes_hold_k_to_2k_entities_of_their_types_and_nothing_else(data, n_way, n_shot, n_query, seed):
    index = index_tags(data)
    sampler = sampler_or_skip(NWayK2K(n_way, n_shot, n_query), index, seed)
    for number in range(3):
        try:
            episode = sampler(number)
        except ValueError as error:
            assert "episode with" in str(error)  # noqa: PT017 - whether it raises depends on the drawn data
            continue
        assert len(set(episode.classes)) == n_way
        assert not set(episode.support) & set(episode.query)
        for rows, k in ((episode.support, n_shot), (episode.query, n_query)):
            assert len(set(rows)) == len(rows)
            held = counts(index, rows)
            assert all(k <= held[name] <= 2 * k for name in episode.classes)
            assert all(held[name] == 0 for name in index.classes if name not in episode.classes)
        assert sampler(number) == episode


@quick
@given(sentences, st.integers(1, 3), st.integers(0, 3), seeds)
def test_minimum_including_reaches_k_and_can_lose_no_utterance(data, n_shot, n_query, seed):
    index = index_tags(data)
    sampler = sampler_or_skip(MinimumIncluding(n_shot, n_query or None, scarce="skip"), index, seed)
    try:
        episode = sampler(7)
    except ValueError as error:
        assert "n_query" in str(error)  # noqa: PT017
        return
    holds = index.table(episode.support) > 0
    position = {name: c for c, name in enumerate(index.classes)}
    own = [position[name] for name in episode.classes]
    totals = holds.sum(0)
    assert all(totals[c] >= n_shot for c in own)
    assert all(((totals - row)[own] < n_shot).any() for row in holds)
    assert not set(episode.support) & set(episode.query)
    if n_query:
        assert len(set(episode.query)) == n_query


@quick
@given(labels, st.integers(1, 3), st.integers(1, 2), st.integers(1, 2), st.sampled_from([None, 0.0, 0.5, 1.0]), seeds)
def test_n_way_k_shot_has_k_of_each_class_and_the_asked_number_of_queries(data, n_way, n_shot, n_query, rate, seed):
    index = index_labels(data)
    sampler = sampler_or_skip(NWayKShot(n_way, n_shot, n_query, nota_rate=rate, nota_class="NOTA"), index, seed)
    try:
        episode = sampler(3)
    except ValueError as error:
        assert "none-of-the-above queries" in str(error)  # noqa: PT017
        return
    assert "NOTA" not in episode.classes
    assert [data[row] for row in episode.support] == [name for name in episode.classes for _ in range(n_shot)]
    assert len(episode.query) == n_way * n_query == len(set(episode.query))
    assert not set(episode.support) & set(episode.query)
    known = sum(data[row] in episode.classes for row in episode.query)
    if rate in (0.0, None):
        assert known == n_way * n_query
    if rate == 1.0:
        assert known == 0


@quick
@given(labels, st.integers(1, 3), st.integers(1, 2), st.integers(1, 4), seeds)
def test_natural_episodes_never_query_a_support_example(data, n_way, n_shot, n_query, seed):
    index = index_labels(data)
    spec = NaturalNota(n_way, n_shot, n_query, nota_class="NOTA")
    sampler = sampler_or_skip(spec, index, seed)
    episode = sampler(5)
    assert [data[row] for row in episode.support] == [name for name in episode.classes for _ in range(n_shot)]
    assert "NOTA" not in episode.classes
    assert len(episode.query) == n_query
    assert not set(episode.support) & set(episode.query)
    for again in replay(spec, index, seed, length=2):
        assert [data[row] for row in again.support] == [name for name in again.classes for _ in range(n_shot)]
        assert not set(again.support) & set(again.query)


def test_the_toolkit_rate_adds_queries_beside_those_of_the_classes():
    data = [name for name in "abcdefgh" for _ in range(20)]
    index = index_labels(data)
    for na_rate, share in ((1, 1 / 6), (2, 2 / 7), (5, 1 / 2)):
        episode = NWayKShot(5, 1, 1, na_rate=na_rate).sampler(index)(0)
        outside = [row for row in episode.query if data[row] not in episode.classes]
        assert len(outside) / len(episode.query) == share


def test_the_paper_rate_is_a_probability_per_query():
    data = [name for name in "abcdefgh" for _ in range(20)]
    sampler = NWayKShot(5, 1, 2, nota_rate=0.3).sampler(index_labels(data))
    outside = [data[row] not in e.classes for e in map(sampler, range(2000)) for row in e.query]
    assert len(outside) == 20_000
    assert np.mean(outside) == pytest.approx(0.3, abs=0.01)


def test_natural_queries_follow_the_frequencies_of_the_data():
    data = ["NOTA"] * 900 + ["a"] * 60 + ["b"] * 30 + ["c"] * 10
    sampler = NaturalNota(2, 2, 3, nota_class="NOTA").sampler(index_labels(data))
    drawn = [data[row] for e in map(sampler, range(5000)) for row in e.query]
    for name, share in (("NOTA", 0.9), ("a", 0.06), ("b", 0.03), ("c", 0.01)):
        assert drawn.count(name) / len(drawn) == pytest.approx(share, abs=0.01)


def test_k2k_draws_sentences_as_uniformly_as_drawing_until_one_fits():
    # One type; sentences with one or two entities. With K = 1 the first sentence drawn ends the support set.
    index = index_tags([["a"], ["a"], ["a", "O", "a"], ["a", "O", "a"], ["a"]])
    sampler = NWayK2K(1, 1).sampler(index)
    first = np.bincount([sampler(number).support[0] for number in range(5000)], minlength=5) / 5000
    assert first == pytest.approx([0.2] * 5, abs=0.02)


EPISODES_OF_ALL_SAMPLERS = """
from hf_fewshot.episodes.minimum_including import MinimumIncluding
from hf_fewshot.episodes.natural_nota import NaturalNota
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.class_index import index_labels, index_tags
tags = index_tags([["O", "abcdef"[i % 6], "O", "abcdef"[i * i % 6]] for i in range(200)])
labels = index_labels(["NOTA" if i % 3 else "abcdefg"[i % 7] for i in range(300)])
for number in (11, 3):
    print(NWayK2K(3, 2).sampler(tags, 9)(number))
    print(MinimumIncluding(2).sampler(tags, 9)(number))
    print(NWayKShot(3, 2, nota_rate=0.5, nota_class="NOTA").sampler(labels, 9)(number))
    print(NaturalNota(3, 2, nota_class="NOTA").sampler(labels, 9)(number))
"""


def test_episodes_are_the_same_in_any_process_order_and_hash_seed():
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": hash_seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for hash_seed, code in (
            ("0", EPISODES_OF_ALL_SAMPLERS),
            ("4711", EPISODES_OF_ALL_SAMPLERS),
            ("1", EPISODES_OF_ALL_SAMPLERS.replace("(11, 3)", "(3, 11)")),
        )
    ]
    assert len(outputs[0]) == 8
    assert outputs[0] == outputs[1] == outputs[2][4:] + outputs[2][:4]


IMPOSSIBLE = {
    "more ways than types": (
        NWayK2K(3, 1),
        index_tags([["a"], ["b"]]),
        r"n_way=3, but there are only 2 types\. Lower n_way",
    ),
    "types with too few entities": (
        NWayK2K(2, 2),
        index_tags([["a"]] * 4 + [["b"]] * 3),
        r"only 1 types have the 4 entities .* too few have: b \(3\)",
    ),
    "labels with too few utterances": (
        MinimumIncluding(2),
        index_tags([["B-x"], ["B-x"], ["B-y"]]),
        r"shots=2, but in 'the data' these labels are held by fewer examples: y \(1\)",
    ),
    "classes with too few examples": (
        NWayKShot(2, 2),
        index_labels(["a"] * 3 + ["b"] * 2),
        r"only 1 classes have the 3 examples that 2 shots and 1 queries need; too few have: b \(2\)",
    ),
    "no class left for none-of-the-above": (
        NWayKShot(2, 1, nota_rate=0.5),
        index_labels(["a"] * 9 + ["b"] * 9),
        r"need a class beside the n_way=2, but there are only 2 classes",
    ),
    "a class for none that the data does not have": (
        NaturalNota(1, 1),
        index_labels(["NOTA"] * 9 + ["a"] * 4),
        r"nota_class='no_relation' is no class of the data\. .* nota_class=None",
    ),
    "none-of-the-above as a target": (
        NWayKShot(1, 1),
        index_labels(["NOTA"] * 9 + ["a"] * 4),
        r"The data has a class 'NOTA', which would be a target\. Say nota_class='NOTA'",
    ),
    "relations with k or fewer instances": (
        NaturalNota(2, 3),
        index_labels(["no_relation"] * 9 + ["a"] * 4 + ["b"] * 3),
        r"only 1 classes have more than shots=3 examples; too few have: b \(3\)",
    ),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_request_names_class_and_counts(case):
    spec, index, message = IMPOSSIBLE[case]
    with pytest.raises(ValueError, match=message):
        spec.sampler(index)


def test_k2k_ends_with_an_error_where_types_never_stand_alone():
    # Every sentence with `a` holds five `b` as well, more than 2K: here the original never returns.
    index = index_tags([["a", "O"] + ["b", "O"] * 5] * 50)
    sampler = NWayK2K(2, 1).sampler(index)
    with pytest.raises(ValueError, match=r"No 2-way 1~2-shot episode .* sentences of one type only: a \(0\), b \(0\)"):
        sampler(0)


def test_k2k_draws_other_types_where_a_draw_cannot_be_served():
    # `a` only occurs together with the rare `z`, so no episode has `a` without `z`.
    index = index_tags([["a", "z"]] * 20 + [["b"]] * 20 + [["c"]] * 20)
    sampler = NWayK2K(2, 1).sampler(index)
    assert {frozenset(sampler(number).classes) for number in range(60)} == {frozenset("az"), frozenset("bc")}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NWayK2K(0, 1), "n_way must be a whole number of at least 1, but is 0"),
        (lambda: NWayK2K(5, 1.5), "n_shot must be a whole number of at least 1, but is 1.5"),
        (lambda: MinimumIncluding(1, scarce="drop"), "scarce must be .* but is 'drop'"),
        (lambda: NWayKShot(5, 1, nota_rate=0.5, na_rate=5), "exclude each other"),
        (lambda: NWayKShot(5, 1, nota_rate=5), "nota_rate is a probability between 0 and 1, but is 5"),
        (lambda: NWayKShot(5, 1, na_rate=-1), "na_rate must not be negative, but is -1"),
        (lambda: NWayKShot(5, 1, na_rate=float("inf")), "na_rate must be a number, but is inf"),
        (lambda: NaturalNota(5, True), "n_shot must be a whole number of at least 1, but is True"),
    ],
)
def test_wrong_options_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_minimum_including_stays_within_a_domain_and_takes_them_in_turn():
    rows = [
        {"id": str(i), "domain": "cd"[i % 2], "tokens": ["t"], "intent": "IJ"[i // 2 % 2], "slot_tags": ["O"]}
        for i in range(40)
    ]
    examples = Dataset.from_list(rows, features=example_features("joint"))
    episodes = make_episodes(examples, MinimumIncluding(1, 2), task="joint", length=6, seed=1)
    assert [episode.group for episode in episodes] == ["c", "d"] * 3
    for episode in episodes:
        assert {rows[row]["domain"] for row in episode.support + episode.query} == {episode.group}
        assert episode.classes == ("intent:I", "intent:J")


def test_a_support_set_that_takes_the_whole_domain_is_an_error():
    sampler = MinimumIncluding(2, None).sampler(index_tags([["B-x"], ["B-x"]]))
    with pytest.raises(ValueError, match=r"with shots=2 all 2 of 'the data' are in it\. Lower shots"):
        sampler(0)


def test_a_domain_of_which_nothing_is_left_is_left_out():
    index = index_tags([["B-x"]] * 3 + [["B-y"]] * 9)
    spec = MinimumIncluding(5, 2, scarce="skip")
    sampler = spec.sampler(index, groups=["small"] * 3 + ["large"] * 9)
    assert [sampler(number).group for number in range(3)] == ["large"] * 3
    with pytest.raises(ValueError, match=r"No group has min_group_size=1 examples whose labels are each held by 5"):
        spec.sampler(index_tags([["B-x"]] * 3))


def test_more_none_of_the_above_queries_than_examples_are_refused_at_once():
    with pytest.raises(ValueError, match=r"na_rate=1000000000000\.0 and n_query=1 ask for more .* the 12 examples"):
        NWayKShot(2, 1, na_rate=1e12).sampler(index_labels(list("abc") * 4))


def test_n_query_beyond_the_domain_is_an_error():
    sampler = MinimumIncluding(1, 4).sampler(index_tags([["B-x"], ["B-x"]]))
    with pytest.raises(ValueError, match=r"n_query=4, but '' has 1 utterances beside a support set of 1"):
        sampler(0)
