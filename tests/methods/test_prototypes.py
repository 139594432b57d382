"""Prototypes and nearest neighbours, against hand-worked numbers and plain loops."""

import math

import numpy as np
import pytest
import torch

from hf_fewshot.methods.joint_prototypes import JointPrototypes
from hf_fewshot.methods.method import PADDING, Method, require_similarity, similarity
from hf_fewshot.methods.nearest_neighbour import NearestNeighbour, StructShot
from hf_fewshot.methods.none_of_the_above import Mnav, Threshold
from hf_fewshot.methods.prototypes import Prototypes, prototypes

SUPPORT = torch.tensor([[[0.0, 0.0], [2.0, 0.0], [4.0, 4.0]]])
LABELS = torch.tensor([[0, 0, 1]])
QUERY = torch.tensor([[[1.0, 1.0], [4.0, 3.0]]])


def episode(generator, n_support, n_query, n_classes, dim=5):
    """A random episode in which every class has support."""
    spare = torch.randint(n_classes, (n_support - n_classes,), generator=generator)
    labels = torch.cat([torch.arange(n_classes), spare])
    support = torch.randn(n_support, dim, generator=generator)
    return support, labels, torch.randn(n_query, dim, generator=generator)


def padded(episodes):
    """Episodes of different sizes as one batch; what fills it up is far from zero on purpose."""
    size = [max(len(part[i]) for part in episodes) for i in range(3)]
    dim = episodes[0][0].shape[1]
    support = torch.full((len(episodes), size[0], dim), 7.5)
    labels = torch.full((len(episodes), size[1]), PADDING)
    query = torch.full((len(episodes), size[2], dim), -3.25)
    for i, (own_support, own_labels, own_query) in enumerate(episodes):
        support[i, : len(own_support)] = own_support
        labels[i, : len(own_labels)] = own_labels
        query[i, : len(own_query)] = own_query
    return support, labels, query


def test_a_prototype_is_the_mean_of_its_class():
    means, present = prototypes(SUPPORT, LABELS, 3)
    assert means.tolist() == [[[1.0, 0.0], [4.0, 4.0], [0.0, 0.0]]]
    assert present.tolist() == [[True, True, False]]


def test_prototype_scores_are_negative_squared_distances():
    # (1,1) to (1,0): 1; to (4,4): 18. (4,3) to (1,0): 18; to (4,4): 1.
    assert Prototypes(2)(SUPPORT, LABELS, QUERY, 2).tolist() == [[[-1.0, -18.0], [-18.0, -1.0]]]


def test_prototype_scores_can_be_dot_products():
    assert Prototypes(2, similarity="dot")(SUPPORT, LABELS, QUERY, 2).tolist() == [[[1.0, 8.0], [4.0, 28.0]]]


def test_the_nearest_support_vector_of_a_class_counts():
    # (1,1): 2 to both of class 0, 18 to class 1. (4,3): 13 to (2,0), 1 to (4,4).
    assert NearestNeighbour(2)(SUPPORT, LABELS, QUERY, 2).tolist() == [[[-2.0, -18.0], [-13.0, -1.0]]]
    assert NearestNeighbour(2, similarity="dot")(SUPPORT, LABELS, QUERY, 2).tolist() == [[[2.0, 8.0], [8.0, 28.0]]]


def test_cosines_do_not_depend_on_lengths():
    # (1,1) to (1,0): 45 degrees; to (4,4): none. (4,3) has the length 5.
    expected = torch.tensor([[[0.5**0.5, 1.0], [0.8, 7 / 5 * 0.5**0.5]]])
    torch.testing.assert_close(Prototypes(2, similarity="cosine")(SUPPORT, LABELS, QUERY, 2), expected)
    # The nearest of class 0 is (2,0); a vector of zeros is at right angles to all.
    torch.testing.assert_close(NearestNeighbour(2, similarity="cosine")(SUPPORT, LABELS, QUERY, 2), expected)
    torch.testing.assert_close(NearestNeighbour(2, similarity="cosine")(3 * SUPPORT, LABELS, QUERY / 7, 2), expected)


def test_cosines_are_those_of_numpy():
    generator = np.random.default_rng(3)
    query, keys = generator.normal(size=(2, 3, 4)), generator.normal(size=(2, 5, 4))
    found = similarity(torch.from_numpy(query), torch.from_numpy(keys), "cosine").numpy()
    lengths = np.linalg.norm(query, axis=-1)[:, :, None] * np.linalg.norm(keys, axis=-1)[:, None]
    np.testing.assert_allclose(found, np.einsum("eqd,ekd->eqk", query, keys) / lengths, atol=1e-12)


@pytest.mark.parametrize("kind", ["l2", "dot"])
def test_similarity_is_the_plain_formula(kind):
    generator = torch.Generator().manual_seed(0)
    query, keys = torch.randn(2, 3, 4, generator=generator), torch.randn(2, 5, 4, generator=generator)
    for e in range(2):
        for q in range(3):
            for k in range(5):
                pairs = list(zip(query[e, q].tolist(), keys[e, k].tolist(), strict=True))
                plain = sum(a * b for a, b in pairs) if kind == "dot" else -sum((a - b) ** 2 for a, b in pairs)
                assert similarity(query, keys, kind)[e, q, k].item() == pytest.approx(plain, abs=1e-5)


@pytest.mark.parametrize("method", [Prototypes, NearestNeighbour])
@pytest.mark.parametrize("kind", ["l2", "dot", "cosine"])
def test_scores_equal_a_plain_loop(method, kind):
    support, labels, query = episode(torch.Generator().manual_seed(1), 9, 4, 3)
    scores = method(5, similarity=kind)(support[None], labels[None], query[None], 3)[0]

    def near(a, b):
        if kind == "cosine":
            return (a @ b / (a @ a * (b @ b)).sqrt()).item()
        return (a @ b).item() if kind == "dot" else -((a - b) ** 2).sum().item()

    for q in range(4):
        for c in range(3):
            members = [support[i] for i in range(9) if labels[i] == c]
            if method is Prototypes:
                expected = near(query[q], sum(members) / len(members))
            else:
                expected = max(near(query[q], member) for member in members)
            assert scores[q, c].item() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "method",
    [
        Prototypes(5),
        Prototypes(5, similarity="dot"),
        Prototypes(5, similarity="cosine"),
        NearestNeighbour(5),
        NearestNeighbour(5, similarity="dot"),
        NearestNeighbour(5, similarity="cosine"),
        Threshold(5),
        Mnav(5, n_vectors=3),
    ],
    ids=["proto-l2", "proto-dot", "proto-cosine", "nn-l2", "nn-dot", "nn-cosine", "threshold", "mnav"],
)
@torch.no_grad()
def test_padding_never_changes_a_score(method):
    generator = torch.Generator().manual_seed(2)
    episodes = [episode(generator, *sizes) for sizes in ((4, 2, 2), (9, 7, 4), (6, 1, 3))]
    together = method(*padded(episodes), 4)
    for i, (support, labels, query) in enumerate(episodes):
        n_classes = int(labels.max()) + 1
        alone = method(support[None], labels[None], query[None], n_classes)[0]
        kept = together[i, : len(query)]
        torch.testing.assert_close(kept[:, :n_classes], alone[:, :n_classes])
        assert (kept[:, n_classes:4] == -torch.inf).all()
        if method.nota:
            torch.testing.assert_close(kept[:, -1], alone[:, -1])


@pytest.mark.parametrize(
    "method", [Prototypes(2), Prototypes(2, similarity="cosine"), NearestNeighbour(2), Threshold(2), Mnav(2)]
)
@torch.no_grad()
def test_a_class_without_support_scores_minus_infinity_and_is_never_predicted(method):
    scores = method(SUPPORT, LABELS, QUERY - 100, 4)
    assert (scores[..., 2:4] == -torch.inf).all()
    assert not scores.isnan().any()
    assert not set(scores.argmax(-1).flatten().tolist()) & {2, 3}


def test_gradients_are_finite_where_a_class_has_no_support():
    support = SUPPORT.clone().requires_grad_()
    kinds = ("l2", "cosine")
    for method in (one(2, similarity=kind) for one in (Prototypes, NearestNeighbour) for kind in kinds):
        scores = method(support, LABELS, QUERY, 3)
        torch.nn.functional.cross_entropy(scores[0], torch.tensor([0, 1])).backward()
        assert support.grad is not None
        assert support.grad.isfinite().all()
        assert support.grad.abs().sum() > 0
        support.grad = None


def test_the_default_decoder_takes_the_best_class():
    scores = torch.tensor([[[0.0, 2.0, 1.0], [3.0, -math.inf, 1.0]]])
    assert Method(3).decode(scores, torch.tensor([2])).tolist() == [[1, 0]]


def test_an_unknown_similarity_is_refused():
    with pytest.raises(ValueError, match='similarity must be "l2" or "dot" or "cosine", but is \'cos\''):
        require_similarity("cos")
    with pytest.raises(ValueError, match='similarity must be "l2" or "dot", but is \'cosine\''):
        JointPrototypes(3, similarity="cosine")
    with pytest.raises(ValueError, match="but is 'euclid'"):
        Prototypes(3, similarity="euclid")
    with pytest.raises(ValueError, match="but is 'L2'"):
        NearestNeighbour(3, similarity="L2")


def test_a_temperature_divides_the_scores():
    assert Prototypes(2, temperature=2.0)(SUPPORT, LABELS, QUERY, 3).tolist() == [
        [[-0.5, -9.0, -math.inf], [-9.0, -0.5, -math.inf]]
    ]
    warm = NearestNeighbour(2, temperature=4.0)(SUPPORT, LABELS, QUERY, 2)
    assert warm.tolist() == [[[-0.5, -4.5], [-3.25, -0.25]]]
    assert StructShot(2, temperature=4.0)(SUPPORT, LABELS, QUERY, 2).tolist() == warm.tolist()


@pytest.mark.parametrize("method", [Prototypes, NearestNeighbour, StructShot])
@pytest.mark.parametrize("temperature", [0, -1.5])
def test_the_temperature_must_be_positive(method, temperature):
    with pytest.raises(ValueError, match=f"temperature must be positive, but is {temperature}"):
        method(2, temperature=temperature)
