import pytest
import torch

import hf_fewshot
from hf_fewshot.systems.pipeline import FewShotPipeline

SUPPORT = [
    {"tokens": ["anna", "lives", "in", "paris"], "tags": ["person", "O", "O", "place"]},
    {"tokens": ["tom", "works", "at", "acme", "corp"], "tags": ["person", "O", "O", "org", "org"]},
]


def relation(text, head, tail, **label):
    places = {name: {"start": place, "end": place + 1} for name, place in (("head", head), ("tail", tail))}
    return {"tokens": text.split(), **places, **label}


@pytest.fixture
def ner(bert):
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(bert, "nnshot")
    return hf_fewshot.pipeline("few-shot-ner", model, tokenizer)


def test_a_support_sentence_as_query_gets_its_own_tags(ner):
    # The nearest support word of each word is itself.
    queries = [{"tokens": SUPPORT[1]["tokens"]}, "anna lives in paris", ["anna", "lives", "in", "paris"]]
    assert ner.predict(SUPPORT, queries) == [SUPPORT[1]["tags"], SUPPORT[0]["tags"], SUPPORT[0]["tags"]]
    assert ner(SUPPORT, ["tom works at acme corp"]) == [
        [
            {"type": "person", "text": "tom", "start": 0, "end": 1},
            {"type": "org", "text": "acme corp", "start": 3, "end": 5},
        ]
    ]


def test_bio_tags_in_the_support_set_are_read_by_their_type(ner):
    support = [{"tokens": ["acme", "corp", "is", "in", "rome"], "tags": ["B-org", "I-org", "O", "O", "B-place"]}]
    assert ner.predict(support, ["acme corp is in rome"]) == [["org", "org", "O", "O", "place"]]


def test_a_saved_model_labels_in_three_lines(bert, tmp_path):
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(bert, "proto", layers=2)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    loaded = hf_fewshot.pipeline("few-shot-ner", tmp_path)
    queries = ["mia was born in oslo", "the bank is in rome"]
    assert loaded.predict(SUPPORT, queries) == FewShotPipeline(model, tokenizer, "tagging").predict(SUPPORT, queries)


@pytest.mark.parametrize("representation", ["sentence", "mean"])
def test_texts_are_classified_by_one_vector_each(bert, representation):
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(bert, "proto", representation=representation)
    classify = hf_fewshot.pipeline("few-shot-text-classification", model, tokenizer)
    support = [{"text": "anna lives in paris", "label": "home"}, {"text": "paul works", "label": "job"}]
    assert classify(support, ["paul works", {"text": "anna lives in paris"}]) == ["job", "home"]


@pytest.mark.parametrize("method", ["threshold", "sentence_pair"])
def test_relations_may_be_none_of_those_shown(method, bert):
    torch.manual_seed(0)
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(bert, method, max_length=40)
    classify = hf_fewshot.pipeline("few-shot-relation-classification", model, tokenizer)
    support = [
        relation("anna lives in paris", 0, 3, relation="lives"),
        relation("tom works at acme", 0, 3, relation="works"),
    ]
    query = [relation("mia lives in rome", 0, 3)]
    assert classify(support, query)[0] in ("lives", "works", "NOTA")
    if method == "threshold":
        with torch.no_grad():
            model.method.threshold.fill_(1e6)
        assert classify(support, query) == ["NOTA"]


@pytest.mark.parametrize(
    ("support", "queries", "message"),
    [
        ([], ["x"], "at least one support example and one query, got 0 and 1"),
        (SUPPORT, [], "at least one support example and one query, got 2 and 0"),
        ([{"tokens": ["a"]}], ["x"], "Support example 0 has no 'tags'"),
        ([{"tokens": ["a", "b"], "tags": ["X"]}], ["x"], "Example 0: 2 tokens, but 1 tags"),
        ([{"tokens": ["a"], "tags": ["O"]}], ["x"], "show no entity: all tags are O"),
        (SUPPORT, [""], "has no words"),
    ],
)
def test_what_cannot_be_labelled_is_refused(support, queries, message, ner):
    with pytest.raises(ValueError, match=message):
        ner(support, queries)


def test_relations_need_their_entities(bert):
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(bert, "proto", representation="markers")
    classify = hf_fewshot.pipeline("few-shot-relation-classification", model, tokenizer)
    with pytest.raises(ValueError, match="Expected a relation instance with tokens, head and tail, got 'anna lives'"):
        classify([relation("anna lives", 0, 1, relation="r")], ["anna lives"])


def test_unknown_tasks_and_missing_tokenizers_are_refused(bert):
    with pytest.raises(ValueError, match=r"Unknown task 'few-shot-nre'\. Did you mean 'few-shot-ner'\?"):
        hf_fewshot.pipeline("few-shot-nre", bert)
    model, _ = hf_fewshot.FewShotModel.from_encoder(bert, "proto")
    with pytest.raises(ValueError, match="needs its tokenizer"):
        hf_fewshot.pipeline("few-shot-ner", model)
