"""Threshold, NAV and MNAV, by hand."""

import math

import pytest
import torch

from hf_fewshot.methods.none_of_the_above import Mnav, Nav, Threshold

SUPPORT = torch.tensor([[[1.0, 0.0], [3.0, 0.0], [0.0, 2.0]]])
LABELS = torch.tensor([[0, 0, 1]])
QUERY = torch.tensor([[[1.0, 1.0], [-1.0, 3.0]]])


def set_to(parameter, values):
    with torch.no_grad():
        parameter.copy_(torch.tensor(values))


def test_the_threshold_is_one_more_score():
    method = Threshold(2)
    set_to(method.threshold, 2.5)
    # Prototypes (2,0) and (0,2).
    scores = method(SUPPORT, LABELS, QUERY, 2)
    assert scores.tolist() == [[[2.0, 2.0, 2.5], [-2.0, 6.0, 2.5]]]
    assert scores.argmax(-1).tolist() == [[2, 1]]


def test_nav_is_a_dot_product_with_one_vector():
    method = Nav(2)
    assert method.vectors.shape == (1, 2)
    set_to(method.vectors, [[3.0, -1.0]])
    assert method(SUPPORT, LABELS, QUERY, 2).tolist() == [[[2.0, 2.0, 2.0], [-2.0, 6.0, -6.0]]]


def test_mnav_takes_the_best_of_its_vectors():
    method = Mnav(2, n_vectors=3)
    set_to(method.vectors, [[3.0, -1.0], [0.0, 3.0], [-4.0, 0.0]])
    # Dots: (1,1): 2, 3, -4; (-1,3): -6, 9, 4.
    assert method(SUPPORT, LABELS, QUERY, 2)[..., -1].tolist() == [[3.0, 9.0]]


def test_mnav_has_twenty_vectors_unless_told():
    assert Mnav(6).vectors.shape == (20, 6)
    with pytest.raises(ValueError, match="n_vectors must be at least 1, but is 0"):
        Mnav(6, n_vectors=0)


def by_hand(head, vector):
    """The head in plain loops: y = W1 x + b1, then W2 tanh(y) + b2 + y."""
    first, second = head.first.weight.tolist(), head.second.weight.tolist()
    hidden = [sum(w * x for w, x in zip(row, vector, strict=True)) for row in first]
    hidden = [y + b for y, b in zip(hidden, head.first.bias.tolist(), strict=True)]
    squashed = [math.tanh(y) for y in hidden]
    above = [sum(w * y for w, y in zip(row, squashed, strict=True)) for row in second]
    return [z + b + y for z, b, y in zip(above, head.second.bias.tolist(), hidden, strict=True)]


@pytest.fixture
def narrow_head(monkeypatch):
    """Heads of 7 units, which loops can compute."""
    monkeypatch.setattr("hf_fewshot.methods.relation_head.HIDDEN", 7)


def test_the_head_is_a_layer_and_a_skip_over_a_second_one(narrow_head):
    method = Mnav(3, mlp=True, n_vectors=2).eval()
    vectors = torch.randn(4, 3, generator=torch.Generator().manual_seed(0))
    found = method.transform(vectors).tolist()
    for own, vector in zip(found, vectors.tolist(), strict=True):
        assert own == pytest.approx(by_hand(method.head, vector), abs=1e-5)


def test_the_head_has_the_sizes_of_the_original():
    method = Mnav(3, mlp=True, n_vectors=2)
    assert method.head.first.weight.shape == (2000, 3)
    assert method.head.second.weight.shape == (2000, 2000)
    assert method.head.dropout.p == 0.1
    # They live before the head.
    assert method.vectors.shape == (2, 3)


def test_the_head_drops_inputs_in_training_only(narrow_head):
    method = Threshold(50, mlp=True)
    vectors = torch.ones(3, 50)
    torch.manual_seed(0)
    drawn = method.head.dropout(vectors)
    assert sorted({round(one, 4) for one in drawn.flatten().tolist()}) == [0.0, 1.1111]
    torch.manual_seed(0)
    expected = [by_hand(method.head, row) for row in drawn.tolist()]
    torch.testing.assert_close(method.transform(vectors), torch.tensor(expected), atol=1e-5, rtol=0)
    method.eval()
    assert torch.equal(method.transform(vectors), method.transform(vectors))


@pytest.mark.parametrize("kind", [Nav, Mnav])
def test_supports_queries_and_none_vectors_all_go_through_the_head(kind, narrow_head):
    torch.manual_seed(1)
    method = kind(2, mlp=True).eval()
    scores = method(method.transform(SUPPORT), LABELS, method.transform(QUERY), 2)
    support = [by_hand(method.head, row) for row in SUPPORT[0].tolist()]
    none = [by_hand(method.head, row) for row in method.vectors.tolist()]
    means = [[(a + b) / 2 for a, b in zip(support[0], support[1], strict=True)], support[2]]

    def dot(one, other):
        return sum(a * b for a, b in zip(one, other, strict=True))

    for own, row in zip(scores[0].tolist(), QUERY[0].tolist(), strict=True):
        query = by_hand(method.head, row)
        expected = [dot(query, mean) for mean in means] + [max(dot(query, vector) for vector in none)]
        assert own == pytest.approx(expected, abs=1e-4)


def test_nav_begins_with_standard_normal_numbers_and_never_with_data():
    torch.manual_seed(0)
    expected = torch.randn(1, 4000)
    torch.manual_seed(0)
    method = Nav(4000)
    assert torch.equal(method.vectors, expected)
    assert float(method.vectors.detach().std()) == pytest.approx(1.0, abs=0.05)
    assert not Nav.begins_with_data()


def test_nav_can_begin_shorter():
    torch.manual_seed(0)
    expected = 0.1 * torch.randn(1, 4000)
    torch.manual_seed(0)
    torch.testing.assert_close(Nav(4000, start_std=0.1).vectors.detach(), expected)
    with pytest.raises(ValueError, match=r"start_std must be positive, but is 0\.0"):
        Nav(6, start_std=0.0)


def test_without_the_mlp_vectors_stay_as_they_are():
    vectors = torch.randn(2, 3)
    assert Threshold(3).transform(vectors) is vectors


@pytest.mark.parametrize("mlp", [False, True])
def test_the_own_loss_of_nav_is_the_log_of_its_distance_to_the_mean_of_all_supports(mlp, narrow_head):
    torch.manual_seed(2)
    method = Nav(3, mlp=mlp, mean_distance_loss=True).eval()
    support = torch.randn(2, 3, 3, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[0, 1, 1], [0, 1, -1]])
    rows = [*support[0].tolist(), *support[1, :2].tolist()]  # the last one only fills up
    after = [by_hand(method.head, row) if mlp else row for row in (*rows, method.vectors[0].tolist())]
    *supports, none = after
    squares = [(value - sum(column) / 5) ** 2 for value, column in zip(none, zip(*supports, strict=True), strict=True)]
    found = method.own_loss(support, labels)
    assert found.item() == pytest.approx(math.log(math.sqrt(sum(squares))), abs=1e-5)
    # A step against its gradient brings the vector nearer.
    found.backward()
    with torch.no_grad():
        method.vectors -= 0.01 * method.vectors.grad
    assert method.own_loss(support, labels) < found


def test_as_the_paper_reads_no_method_adds_to_the_loss():
    for method in (Threshold(2), Nav(2), Mnav(2)):
        assert method.own_loss(SUPPORT, LABELS).item() == 0.0
