"""What methods draw from training examples before they begin."""

from collections import Counter

import numpy as np
import pytest
import torch
from datasets import Dataset

from hf_fewshot.methods.none_of_the_above import Mnav
from hf_fewshot.methods.training_data import TrainingData


class Numbers(TrainingData):
    """Training data whose vectors are the numbers in its rows; it notes which were asked for."""

    asked: list[int]

    def vectors(self, examples):
        object.__setattr__(self, "asked", examples["number"][:])
        return torch.tensor(examples["number"][:], dtype=torch.float).unsqueeze(1)


def data(classes, seed=0, nota_class=None):
    table = Dataset.from_dict({"relation": classes, "number": list(range(len(classes)))})
    return Numbers(table, None, None, seed, nota_class=nota_class)


def test_a_class_is_drawn_first_all_alike_then_some_of_its_rows():
    classes = ["rare"] * 3 + ["common"] * 997
    drawn = data(classes).drawn_by_class("relation", 2000, 10)
    kinds = Counter(classes[rows[0]] for rows in drawn)
    assert kinds["rare"] == pytest.approx(1000, abs=100)
    for rows in drawn:
        assert len({classes[row] for row in rows}) == 1
        assert len(set(rows)) == len(rows) == (3 if classes[rows[0]] == "rare" else 10)


def test_none_of_the_above_is_never_drawn():
    classes = ["a", "no_relation", "NOTA", "b"] * 50
    drawn = data(classes, nota_class="no_relation").drawn_by_class("relation", 200, 2)
    assert {classes[row] for rows in drawn for row in rows} == {"a", "b"}
    # A class of that name is one like the others where nobody says what it stands for.
    other = data(classes).drawn_by_class("relation", 200, 2)
    assert {classes[row] for rows in other for row in rows} == {"a", "b", "no_relation"}
    with pytest.raises(ValueError, match="The 2 training examples have no class in 'relation' beside none"):
        data(["NOTA", "NOTA"]).drawn_by_class("relation", 1, 1)


def test_the_same_seed_draws_the_same():
    classes = [f"r{i % 7}" for i in range(200)]
    drawn = [data(classes, seed).drawn_by_class("relation", 20, 10) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_mnav_begins_with_means_of_what_is_drawn_and_encodes_nothing_else():
    given = data(["a"] * 30 + ["b"] * 4 + ["none"] * 5000, seed=5, nota_class="none")
    method = Mnav(1, n_vectors=8)
    method.begin(given)
    drawn = given.drawn_by_class("relation", 8, 10)
    assert method.vectors.flatten().tolist() == pytest.approx([float(np.mean(rows)) for rows in drawn], rel=1e-6)
    assert given.asked == sorted({row for rows in drawn for row in rows})
    assert max(given.asked) < 34
    assert [len(rows) for rows in drawn].count(4) == [rows[0] >= 30 for rows in drawn].count(True) > 0


def test_what_begins_lives_before_the_head():
    given = data(["a"] * 10)
    method = Mnav(1, mlp=True, n_vectors=2)
    method.begin(given)
    assert method.vectors.tolist() == [[4.5], [4.5]]
