import numpy as np
import pytest
from datasets import Dataset

from hf_fewshot.analyses.similarity import (
    Mention,
    drawn_mentions,
    mean_dot_products,
    mention_vectors,
    similarity_findings,
    type_similarities,
)
from hf_fewshot.analyses.word_encoder import word_encoder
from hf_fewshot.tasks import task_of
from tests.small_episodes import TAGGED

TAGGING = task_of("tagging")


def test_mean_dot_products_are_those_of_all_pairs():
    rng = np.random.default_rng(0)
    types = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])
    vectors = rng.normal(size=(9, 5)).astype(np.float32)
    expected = np.zeros((3, 3))
    for one in range(3):
        for two in range(3):
            products = [
                float(vectors[i].astype(float) @ vectors[j].astype(float))
                for i in range(9)
                for j in range(9)
                if types[i] == one and types[j] == two and i != j
            ]
            expected[one, two] = sum(products) / len(products)
    assert mean_dot_products(vectors, types) == pytest.approx(expected)


def test_a_mention_is_the_mean_of_its_words():
    words = np.arange(12, dtype=np.float32).reshape(6, 2)
    offsets = np.array([0, 4, 6])
    found = mention_vectors(words, offsets, [Mention(1, 0, 2), Mention(0, 1, 2), Mention(0, 1, 4)])
    assert found.tolist() == [[9.0, 10.0], [2.0, 3.0], [4.0, 5.0]]


@pytest.fixture
def many():
    """Two hundred sentences with one entity each of two types, and one of a third."""
    rows = [{"tags": ["O", f"art-{'film' if n % 2 else 'music'}"], "tokens": ["a", f"w{n}"]} for n in range(200)]
    return Dataset.from_list([*rows, {"tags": ["person-actor"], "tokens": ["x"]}])


def test_mentions_are_a_function_of_the_seed(many):
    drawn = [drawn_mentions(TAGGING, many, 30, seed) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    # A single mention has no pair.
    assert {name: len(mentions) for name, mentions in drawn[0].items()} == {"art-film": 30, "art-music": 30}
    assert all(len(set(mentions)) == 30 for mentions in drawn[0].values())
    assert all(many[row]["tags"][start:end] == ["art-film"] for row, start, end in drawn[0]["art-film"])
    assert {len(mentions) for mentions in drawn_mentions(TAGGING, many, 500, 0).values()} == {100}


@pytest.mark.parametrize(
    ("sentences", "mentions"),
    [
        (["a a O a", "b b O b"], {"a": [(0, 0, 2), (0, 3, 4)], "b": [(1, 0, 2), (1, 3, 4)]}),
        (["B-a B-a I-a", "O I-a I-a"], {"a": [(0, 0, 1), (0, 1, 3), (1, 1, 3)]}),
        # Beside types without a prefix, B-cell is a type.
        (
            ["B-cell B-cell", "B-cell virus", "virus O"],
            {"B-cell": [(0, 0, 2), (1, 0, 1)], "virus": [(1, 1, 2), (2, 0, 1)]},
        ),
    ],
)
def test_mentions_are_runs_of_types_or_begin_with_b(sentences, mentions):
    rows = Dataset.from_list([{"tags": tags.split(), "tokens": tags.split()} for tags in sentences])
    assert drawn_mentions(TAGGING, rows, 10, 0) == mentions


@pytest.mark.parametrize(
    ("task", "rows", "n_mentions", "message"),
    [
        ("tagging", [{"tags": ["O"], "tokens": ["a"]}], 10, "No type has two mentions"),
        ("tagging", [{"tags": ["x"], "tokens": ["a"]}], 1, "it takes two mentions to compare"),
        ("classification", [{"text": "a", "label": "b"}], 10, "'classification' have no tagged words"),
    ],
)
def test_what_cannot_be_compared_is_refused(task, rows, n_mentions, message):
    with pytest.raises(ValueError, match=message):
        drawn_mentions(task_of(task), Dataset.from_list(rows), n_mentions, 0)


def test_types_are_compared_by_an_encoder(bert):
    model, tokenizer = word_encoder(str(bert))
    sentences = Dataset.from_list(TAGGED)
    found = type_similarities(model, tokenizer, TAGGING, sentences, progress=False)
    assert found.types == ("org", "person", "place")
    assert found.n_mentions.tolist() == [3, 4, 4]
    assert found.values == pytest.approx(found.values.T)
    (sheet,), (chart,) = (lambda one: (one.sheets, one.charts))(similarity_findings("few_nerd", "title", found))
    assert sheet.column("type") == ["org", "person", "place"]
    assert chart.sections == {"": ("org", "person", "place")}
    others = {name: [v for j, v in enumerate(found.values[i]) if j != i] for i, name in enumerate(found.types)}
    assert sheet.column("similarity") == pytest.approx([max(values) for values in others.values()])


def test_the_vectors_of_a_trained_tagger_are_those_of_its_encoder(bert, tmp_path):
    from transformers import AutoModel, AutoModelForTokenClassification, AutoTokenizer

    AutoModelForTokenClassification.from_pretrained(bert, num_labels=3).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(bert).save_pretrained(tmp_path)
    model, _ = word_encoder(str(tmp_path))
    weights = AutoModel.from_pretrained(bert, add_pooling_layer=False).state_dict()
    own = model.encoder.state_dict()
    assert all((own[name] == weight).all() for name, weight in weights.items())


def test_a_few_shot_model_is_taken_with_its_own_options(bert, tmp_path):
    from hf_fewshot.models.few_shot_model import FewShotModel

    for representation in ("words", "markers"):
        model, tokenizer = FewShotModel.from_encoder(bert, "proto", representation=representation, layers=2)
        model.save_pretrained(tmp_path / representation)
        tokenizer.save_pretrained(tmp_path / representation)
    assert word_encoder(str(tmp_path / "words"))[0].config.layers == 2
    with pytest.raises(ValueError, match="gives vectors of markers, not of words"):
        word_encoder(str(tmp_path / "markers"))
