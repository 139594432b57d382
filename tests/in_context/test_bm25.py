import numpy as np
import pytest

from hf_fewshot.in_context.bm25 import BM25, terms


def test_scores_are_those_of_the_formula():
    # Three texts of 2, 2 and 4 words, 8/3 on average.
    index = BM25([["lost", "card"], ["card", "card"], ["a", "new", "card", "reader"]])
    # "lost" in the first text: ln(8/3) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / (8/3))) = 0.98083 * 2.2 / 1.975
    assert index.scores(["lost"]) == pytest.approx([1.09257, 0, 0], abs=1e-5)
    # "card" is in all three: ln(1 + 0.5/3.5) = 0.133531; twice in the second: 2 * 2.2 / (2 + 0.975) = 1.478992
    assert index.scores(["card"]) == pytest.approx([0.148744, 0.197491, 0.110856], abs=1e-5)
    assert index.scores(["lost", "card", "card"]) == pytest.approx([1.390058, 0.394983, 0.221712], abs=1e-5)
    assert index.scores(["unknown"]).tolist() == [0, 0, 0]


def test_nothing_to_compare_with_is_no_error():
    assert BM25([]).scores(["a"]).tolist() == []
    assert np.array_equal(BM25([[], []]).scores(["a"]), [0, 0])


def test_terms_are_words_or_chinese_characters():
    assert terms("I lost My-card, 3 times!") == ["i", "lost", "my", "card", "3", "times"]
    assert terms("订5张 iPhone票") == ["订", "5", "张", "iphone", "票"]
