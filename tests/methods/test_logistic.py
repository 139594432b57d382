"""The logistic regression of support vectors, against scikit-learn's and by its own condition."""

import numpy as np
import pytest
import torch

from hf_fewshot.methods.logistic import Logistic, logistic_head


def blobs(seed=0, n=30, dim=5, classes=3):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(n) % classes
    vectors = torch.randn(n, dim, generator=generator) + torch.eye(classes, dim)[labels] * 2
    return torch.nn.functional.normalize(vectors, dim=-1), labels


@pytest.mark.parametrize("strength", [0.5, 30.0])
def test_the_head_is_that_of_scikit_learn(strength):
    linear_model = pytest.importorskip("sklearn.linear_model")
    vectors, labels = blobs()
    theirs = linear_model.LogisticRegression(C=strength, max_iter=5000, tol=1e-10).fit(vectors.numpy(), labels.numpy())
    ours = logistic_head(vectors, labels, 3, strength=strength).scores(vectors).softmax(-1)
    np.testing.assert_allclose(ours.numpy(), theirs.predict_proba(vectors.numpy()), atol=2e-4)


def test_weights_count_vectors_several_times():
    vectors, labels = blobs(n=9)
    twice = logistic_head(torch.cat([vectors, vectors[:3]]), torch.cat([labels, labels[:3]]), 3, strength=5.0)
    weighted = logistic_head(vectors, labels, 3, strength=5.0, weights=torch.tensor([2.0] * 3 + [1.0] * 6))
    torch.testing.assert_close(weighted.weight, twice.weight, atol=1e-4, rtol=0)


def test_a_class_without_a_vector_is_never_the_answer():
    vectors, labels = blobs()
    head = logistic_head(vectors, labels, 4, strength=30.0)
    assert head.scores(vectors)[:, 3].tolist() == [-np.inf] * len(vectors)


def test_the_method_leaves_out_padding_and_works_in_inference_mode():
    vectors, labels = blobs(n=12)
    method = Logistic(5)
    with torch.inference_mode():
        vectors = method.transform(vectors * 7)
        padded = torch.cat([vectors, torch.ones(2, 5)])
        marked = torch.cat([labels, torch.tensor([-1, -1])])
        both = method(torch.stack([padded, padded]), torch.stack([marked, marked]), vectors.expand(2, -1, -1), 3)
    alone = logistic_head(vectors, labels, 3, strength=30.0).scores(vectors)
    torch.testing.assert_close(both[0], alone)
    torch.testing.assert_close(both[1], alone)
    assert alone.argmax(1).tolist() == labels.tolist()


def test_a_strength_that_is_not_positive_is_refused():
    with pytest.raises(ValueError, match=r"strength must be positive, but is 0\."):
        Logistic(5, strength=0)
