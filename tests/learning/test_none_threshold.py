"""The threshold of none of the above, worked out by loops."""

import numpy as np
import pytest
import torch

from hf_fewshot.learning.none_threshold import choose_threshold


def unit(*degrees):
    angles = torch.tensor(degrees).deg2rad()
    return torch.stack([angles.cos(), angles.sin()], dim=1)


def by_loops(vectors, labels):
    """Each example without itself, and without its class."""
    vectors, labels = vectors.double().numpy(), labels.numpy()
    inside, outside = [], []
    for i, (vector, label) in enumerate(zip(vectors, labels, strict=True)):
        means = {}
        for name in set(labels):
            own = [v for j, v in enumerate(vectors) if labels[j] == name and j != i]
            if own:
                mean = np.sum(own, axis=0)
                means[name] = float(vector @ mean / np.linalg.norm(mean))
        others = [value for name, value in means.items() if name != label]
        outside.append(max(others))
        if label in means:
            inside.append(max(means.values()))
    return np.array(inside), np.array(outside)


def right(threshold, inside, outside):
    return np.mean(inside >= threshold) + np.mean(outside < threshold)


def test_the_threshold_is_between_near_and_far():
    # An example without itself is at 10 degrees from its class, and at 85 or more from the other.
    found = choose_threshold(unit(0.0, 10.0, 95.0, 105.0), torch.tensor([0, 0, 1, 1]), 2)
    inside, outside = by_loops(unit(0.0, 10.0, 95.0, 105.0), torch.tensor([0, 0, 1, 1]))
    assert outside.max() < found < inside.min()
    assert found == pytest.approx((np.cos(np.deg2rad(10)) + outside.max()) / 2, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_threshold_is_right_more_often(seed):
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 4, (25,), generator=generator)
    vectors = torch.nn.functional.normalize(torch.randn(25, 3, generator=generator), dim=-1)
    inside, outside = by_loops(vectors, labels)
    best = max(right(cut, inside, outside) for cut in np.linspace(-1, 1, 4001))
    assert right(choose_threshold(vectors, labels, 4), inside, outside) >= best - 1e-9


def test_one_example_of_each_class_is_too_little():
    with pytest.raises(
        ValueError, match=r"needs two classes, and one of them with two examples; got 2 classes and 2 "
    ):
        choose_threshold(unit(0.0, 90.0), torch.tensor([0, 1]), 2)
