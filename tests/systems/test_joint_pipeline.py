"""Intents and slots of one's own sentences, in English words and Chinese characters."""

import json

import pytest
import torch

import hf_fewshot
from hf_fewshot.systems.pipeline import FewShotPipeline
from tests.predicted import predict_episodes
from tests.systems.joint_script import build, without_dropout
from tests.tiny_models import write_bert

TASK = "few-shot-intent-and-slots"
SUPPORT = [
    {"tokens": ["anna", "lives", "in", "paris"], "intent": "home", "slot_tags": ["B-person", "O", "O", "B-place"]},
    {
        "tokens": ["tom", "works", "at", "acme", "corp"],
        "intent": "job",
        "slot_tags": ["B-person", "O", "O", "B-org", "I-org"],
    },
]
CHINESE = [
    {"tokens": list("北京天气"), "intent": "查天气", "slot_tags": ["B-城市", "I-城市", "O", "O"]},
    {"tokens": list("放首歌"), "intent": "播放", "slot_tags": ["O", "O", "O"]},
]


@pytest.fixture
def understand(bert):
    return hf_fewshot.pipeline(TASK, *build(bert))


def test_a_support_sentence_as_query_gets_its_own_labels(understand):
    queries = [{"tokens": SUPPORT[1]["tokens"]}, "anna lives in paris", SUPPORT[0]["tokens"]]
    found = understand(SUPPORT, queries)
    assert [one["intent"] for one in found] == ["job", "home", "home"]
    assert found[1] == found[2]
    assert [len(one["slot_tags"]) for one in found] == [5, 4, 4]
    assert found[0]["slot_tags"][3:] == ["B-org", "I-org"]


def test_queries_may_have_words_and_labels_of_their_own(understand):
    labelled = {"tokens": ["mia", "sleeps"], "intent": "rest", "slot_tags": ["B-cat", "O"]}
    (found,) = understand(SUPPORT, [labelled])
    assert found["intent"] in ("home", "job")
    assert set(found["slot_tags"]) <= {"O", *(f"{p}-{s}" for p in "BI" for s in ("person", "place", "org"))}


def test_chinese_sentences_are_characters(tmp_path):
    encoder = write_bert(tmp_path, list("北京天气放首歌上海的吗"))
    understand = hf_fewshot.pipeline(TASK, *build(encoder, transitions="rules"))
    found = understand(CHINESE, [list("北京天气"), {"tokens": list("放首歌")}, list("上海的天气")])
    # 北 and 京 are the only characters that support their tags.
    assert found[0]["intent"] == "查天气"
    assert found[0]["slot_tags"][:2] == ["B-城市", "I-城市"]
    assert found[1]["intent"] == "播放"
    assert len(found[2]["slot_tags"]) == 5


def test_support_without_any_slot_gives_intents_and_o(understand):
    support = [
        {"tokens": ["anna", "lives"], "intent": "home", "slot_tags": ["O", "O"]},
        {"tokens": ["tom", "works"], "intent": "job", "slot_tags": ["O", "O"]},
    ]
    assert understand(support, ["tom works"]) == [{"intent": "job", "slot_tags": ["O", "O"]}]


def test_names_are_read_in_the_pipeline_too(bert):
    support = [{"tokens": ["rome", "corp"], "intent": "home", "slot_tags": ["I-place", "O"]}, SUPPORT[1]]
    understand = hf_fewshot.pipeline(TASK, *build(bert, name_weight=0.5))
    assert [len(one["slot_tags"]) for one in understand(support, ["mia works in oslo"])] == [4]


def test_one_part_alone_and_pairs_work_in_the_pipeline(bert):
    intents = hf_fewshot.pipeline(TASK, *build(bert, part="intent"))
    assert intents(SUPPORT, ["anna lives in paris"]) == [{"intent": "home"}]
    pairs = hf_fewshot.pipeline(TASK, *build(bert, pairwise=True))
    assert pairs(SUPPORT, ["anna lives in paris"])[0].keys() == {"intent", "slot_tags"}


def test_a_saved_model_understands_in_three_lines(bert, tmp_path):
    model, tokenizer = build(bert, dependency=True)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    loaded = hf_fewshot.pipeline(TASK, tmp_path)
    queries = ["mia was born in oslo", "the bank is in rome"]
    assert loaded(SUPPORT, queries) == FewShotPipeline(model, tokenizer, "joint")(SUPPORT, queries)


def test_a_pipeline_tunes_on_the_examples_of_each_call(bert):
    model, tokenizer = build(bert)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    tuning = hf_fewshot.SupportTuning(steps=60, learning_rate=5e-3, head_learning_rate=0.1, dropout=0.0)
    understand = hf_fewshot.pipeline(TASK, without_dropout(model), tokenizer, tuning)
    right = [{"intent": one["intent"], "slot_tags": one["slot_tags"]} for one in SUPPORT]
    assert understand(SUPPORT, [one["tokens"] for one in SUPPORT]) == right
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize(
    ("support", "queries", "message"),
    [
        ([], ["x"], "at least one support example and one query, got 0 and 1"),
        (SUPPORT, [], "at least one support example and one query, got 2 and 0"),
        ([{"tokens": ["a"], "slot_tags": ["O"]}], ["x"], "Support example 0 has no 'intent'"),
        ([{"tokens": ["a"], "intent": "i"}], ["x"], "Support example 0 has no 'slot_tags'"),
        ([{"tokens": ["a", "b"], "intent": "i", "slot_tags": ["O"]}], ["x"], "Example 0: 2 tokens, but 1 tags"),
        ([{"tokens": ["a"], "intent": "i", "slot_tags": ["city"]}], ["x"], "'city' is no BIO tag"),
        (SUPPORT, [""], "has no words"),
    ],
)
def test_what_cannot_be_labelled_is_refused(support, queries, message, understand):
    with pytest.raises(ValueError, match=message):
        understand(support, queries)


def test_models_of_another_kind_are_refused(bert, understand):
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(bert, "proto")
    with pytest.raises(ValueError, match="need a JointModel, got a FewShotModel"):
        hf_fewshot.pipeline(TASK, model, tokenizer)(SUPPORT, ["x"])
    with pytest.raises(ValueError, match="Expected joint episodes"):
        hf_fewshot.pipeline("few-shot-ner", understand.model, tokenizer)([{"tokens": ["a"], "tags": ["place"]}], ["x"])
    with pytest.raises(ValueError, match="Tuning on support sets needs a JointModel"):
        hf_fewshot.pipeline("few-shot-ner", model, tokenizer, hf_fewshot.SupportTuning(steps=1))


# Two domains of SNIPS's few-shot form: English words, slots with their tags, one intent per sentence.
MUSIC = {
    "support": {
        "seq_ins": [["play", "jazz", "in", "paris"], ["stop", "the", "music"]],
        "seq_outs": [["O", "B-genre", "O", "B-city"], ["O", "O", "O"]],
        "labels": [["PlayMusic"], ["StopMusic"]],
    },
    "query": {
        "seq_ins": [["stop", "the", "music"], ["play", "in", "new", "york"]],
        "seq_outs": [["O", "O", "O"], ["O", "O", "B-city", "I-city"]],
        "labels": [["StopMusic"], ["PlayMusic"]],
    },
}
WEATHER = {
    "support": {
        "seq_ins": [["rain", "in", "rome", "today"], ["is", "it", "cold"]],
        "seq_outs": [["O", "O", "B-city", "B-time"], ["O", "O", "B-condition"]],
        "labels": [["GetWeather"], ["AskTemperature"]],
    },
    "query": {
        "seq_ins": [["is", "it", "cold", "in", "rome"]],
        "seq_outs": [["O", "O", "B-condition", "O", "B-city"]],
        "labels": [["AskTemperature"]],
    },
}


def test_english_episode_files_are_read_predicted_and_scored(bert, tmp_path):
    document = {"Music": [MUSIC], "Weather": [WEATHER]}
    for split in ("train", "valid", "test"):
        (tmp_path / f"snips_{split}_1.json").write_text(json.dumps(document))
    episodes = hf_fewshot.load_episodes("fewjoint", split="test", shots=1, data_dir=str(tmp_path), fold=1)
    assert [episode.group for episode in episodes] == ["Music", "Weather"]
    assert episodes[0].classes == ("intent:PlayMusic", "intent:StopMusic", "slot:city", "slot:genre")
    for options in ({"transitions": "rules"}, {"name_weight": 0.3}, {"pairwise": True}):
        model, tokenizer = build(bert, **options)
        predictions = predict_episodes(model, tokenizer, episodes, progress=False)
        assert [[len(one["slot_tags"]) for one in own] for own in predictions] == [[3, 4], [5]]
        scores = hf_fewshot.score(episodes, predictions)
        assert scores.keys() >= {"intent_accuracy", "slot_f1", "sentence_accuracy"}
    tuned = predict_episodes(
        *build(bert),
        episodes,
        progress=False,
        tuning=hf_fewshot.SupportTuning(steps=40, learning_rate=3e-3, dropout=0.0),
    )
    # It is a support sentence too.
    assert tuned[0][0] == {"intent": "StopMusic", "slot_tags": ["O", "O", "O"]}
    examples = hf_fewshot.load_dataset("fewjoint", "examples", split="train", data_dir=str(tmp_path), fold=1)
    assert examples[0]["tokens"] == ["play", "jazz", "in", "paris"]
