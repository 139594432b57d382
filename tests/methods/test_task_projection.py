"""TapNet's projection beside a plain null space."""

import numpy as np
import pytest
import torch

from hf_fewshot.methods.task_projection import MAX_CLASSES, TaskProjection

DIM = 8


@pytest.fixture
def projection():
    torch.manual_seed(0)
    return TaskProjection(DIM)


def episode(seed=0, n_episodes=1, n_classes=4, n_query=3):
    generator = torch.Generator().manual_seed(seed)
    prototypes = torch.randn(n_episodes, n_classes, DIM, generator=generator)
    query = torch.randn(n_episodes, n_query, DIM, generator=generator)
    return prototypes, torch.ones(n_episodes, n_classes, dtype=torch.bool), query


def plain_null_space(prototypes, references):
    """Columns that span what is orthogonal to the differences of unit references and unit prototypes."""
    errors = []
    for number, (prototype, own) in enumerate(zip(prototypes, references, strict=True)):
        others = [reference for k, reference in enumerate(references) if k != number]
        distinct = own - sum(others) / len(others)
        errors.append(distinct / np.linalg.norm(distinct) - prototype / np.linalg.norm(prototype))
    _, sizes, directions = np.linalg.svd(np.array(errors))
    return directions[int((sizes > 1e-6).sum()) :].T


def distances(query, prototypes):
    return ((query[:, None] - prototypes[None]) ** 2).sum(-1)


@pytest.mark.parametrize("name_weight", [0.0, 0.4, 1.0])
@torch.no_grad()
def test_distances_are_those_in_the_plain_null_space(projection, name_weight):
    prototypes, present, query = episode()
    names = torch.randn(1, 4, DIM, generator=torch.Generator().manual_seed(7)) if name_weight else None
    references = projection.references[:4].double().numpy()
    if names is not None:
        own, named = (
            vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            for vectors in (references, names[0].double().numpy())
        )
        references = (1 - name_weight) * own + name_weight * named
    space = plain_null_space(prototypes[0].double().numpy(), references)
    assert space.shape == (DIM, DIM - 4)
    expected = distances(query[0].double().numpy() @ space, prototypes[0].double().numpy() @ space)
    moved, moved_query = projection(prototypes, present, query, names, name_weight)
    np.testing.assert_allclose(distances(moved_query[0].numpy(), moved[0].numpy()), expected, rtol=1e-3, atol=1e-4)


@torch.no_grad()
def test_each_prototype_lies_along_its_reference(projection):
    prototypes, present, _ = episode(1)
    references = projection.references[:4]
    distinct = references - (references.sum(0) - references) / 3
    moved, moved_references = projection(prototypes, present, distinct.unsqueeze(0))
    cosines = torch.cosine_similarity(moved[0], moved_references[0], dim=-1)
    torch.testing.assert_close(cosines, torch.ones(4), rtol=1e-4, atol=1e-4)
    before = torch.cosine_similarity(prototypes[0], distinct, dim=-1)
    assert before.max() < 0.95


@torch.no_grad()
def test_absent_classes_do_not_matter(projection):
    prototypes, present, query = episode(2)
    alone, alone_query = projection(prototypes[:, :2], present[:, :2], query)
    present[:, 2:] = False
    for filling in (0.0, 1.0, -50.0):
        moved, moved_query = projection(prototypes.index_fill(1, torch.tensor([2, 3]), filling), present, query)
        torch.testing.assert_close(moved[:, :2], alone, rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(moved_query, alone_query, rtol=1e-4, atol=1e-4)


@torch.no_grad()
def test_a_batch_is_projected_as_its_episodes_one_by_one(projection):
    prototypes, present, query = episode(3, n_episodes=3)
    present[1, 3] = present[2, 0] = False
    together = projection(prototypes, present, query)
    for number in range(3):
        own = slice(number, number + 1)
        alone = projection(prototypes[own], present[own], query[own])
        for a, b in zip(together, alone, strict=True):
            torch.testing.assert_close(a[own], b, rtol=1e-4, atol=1e-4)


def test_gradients_reach_prototypes_and_queries_and_are_finite(projection):
    prototypes, present, query = episode(4)
    present[0, 3] = False
    prototypes[0, 3] = 0
    prototypes.requires_grad_()
    query.requires_grad_()
    moved, moved_query = projection(prototypes, present, query)
    ((moved_query.unsqueeze(2) - moved.unsqueeze(1)) ** 2).sum().backward()
    assert prototypes.grad.isfinite().all()
    assert query.grad.isfinite().all()
    assert query.grad.abs().sum() > 0


def test_one_class_alone_can_be_projected(projection):
    prototypes, present, query = episode(5, n_classes=1)
    moved, moved_query = projection(prototypes, present, query)
    assert moved.isfinite().all()
    assert moved_query.isfinite().all()


def test_more_tags_than_references_are_refused(projection):
    prototypes = torch.zeros(1, MAX_CLASSES + 1, DIM)
    with pytest.raises(ValueError, match="TapNet has 256 references, but an episode has 257 tags"):
        projection(prototypes, torch.ones(1, MAX_CLASSES + 1, dtype=torch.bool), torch.zeros(1, 1, DIM))
