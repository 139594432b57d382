import numpy as np
import pytest
import torch
from datasets import Dataset
from transformers import AutoModelForTokenClassification

from hf_fewshot.models.encoder_model import IGNORED
from hf_fewshot.systems.tagger import TaggerSystem, score_tags
from hf_fewshot.trainers.tagger_trainer import (
    TaggerCollator,
    TaggerTrainer,
    TaggerTrainingArguments,
    tagger_from_encoder,
)
from tests.small_episodes import TAGGED
from tests.tiny_models import write_bert

SENTENCES = Dataset.from_list(TAGGED * 6)


@pytest.fixture
def tagger(tmp_path):
    return tagger_from_encoder(write_bert(tmp_path / "encoder"), SENTENCES)


def arguments(folder, **options):
    chosen = {"max_steps": 150, "learning_rate": 1e-2, "warmup_steps": 0, "save_strategy": "no", "report_to": "none"}
    return TaggerTrainingArguments(str(folder), use_cpu=True, disable_tqdm=True, **{**chosen, **options})


def test_only_the_first_piece_of_a_word_carries_a_label(tagger):
    model, tokenizer = tagger
    collate = TaggerCollator(tokenizer, model.config.label2id, 20)
    # "xy" is not in the vocabulary: two pieces.
    batch = collate([{"tokens": ["anna", "xy", "paris"], "tags": ["person", "O", "place"]}])
    number = model.config.label2id
    assert number["O"] == 0
    assert batch["labels"].tolist() == [[IGNORED, number["person"], 0, IGNORED, number["place"], IGNORED]]


def test_long_sentences_are_cut_into_chunks_and_nothing_is_lost(tagger):
    model, tokenizer = tagger
    words = ["anna", "lives", "in", "paris", "."] * 9
    collate = TaggerCollator(tokenizer, model.config.label2id, 12)
    batch = collate([{"tokens": words, "tags": ["O"] * 45}])
    assert batch["input_ids"].shape == (5, 12)
    assert int((batch["labels"] == 0).sum()) == 45
    assert [len(tags) for tags in TaggerSystem(model, tokenizer, 12).tags([words, ["bern"]])] == [45, 1]


def test_tags_are_those_of_the_plain_classifier(tagger):
    model, tokenizer = tagger
    ids = tokenizer(["anna", "lives", "in", "oslo"], is_split_into_words=True, return_tensors="pt")
    with torch.no_grad():
        best = model.eval()(**ids).logits[0, 1:-1].argmax(-1)
    expected = [model.config.id2label[int(number)] for number in best]
    assert TaggerSystem(model, tokenizer, 30).tags([["anna", "lives", "in", "oslo"], ["bern"]])[0] == expected


def test_training_learns_the_sentences_and_the_saved_model_is_an_ordinary_one(tagger, tmp_path):
    model, tokenizer = tagger
    trainer = TaggerTrainer(
        model,
        arguments(tmp_path, max_steps=500),
        processing_class=tokenizer,
        train_dataset=SENTENCES,
        eval_dataset=SENTENCES,
    )
    before = trainer.evaluate()["eval_f1"]
    trainer.train()
    after = trainer.evaluate()
    assert before < 0.5
    assert after["eval_f1"] == 1.0
    assert after["eval_n_references"] == 6 * 11
    trainer.save_model(tmp_path / "saved")
    again = AutoModelForTokenClassification.from_pretrained(tmp_path / "saved")
    words = SENTENCES["tokens"][:6]
    assert TaggerSystem(again, tokenizer, 30).tags(words) == SENTENCES["tags"][:6]


def test_the_same_seed_gives_the_same_weights(tmp_path):
    weights = []
    for run in ("a", "b"):
        model, tokenizer = tagger_from_encoder(write_bert(tmp_path / run), SENTENCES)
        torch.manual_seed(1)
        model.classifier.reset_parameters()
        trainer = TaggerTrainer(
            model, arguments(tmp_path, max_steps=5, seed=3), processing_class=tokenizer, train_dataset=SENTENCES
        )
        trainer.train()
        weights.append(np.concatenate([p.detach().numpy().ravel() for p in model.parameters()]))
    assert (weights[0] == weights[1]).all()


def test_a_tag_the_model_does_not_know_is_refused(tagger):
    model, tokenizer = tagger
    with pytest.raises(ValueError, match=r"The tags \['city'\] are none of the model's"):
        TaggerCollator(tokenizer, model.config.label2id, 20)([{"tokens": ["bern"], "tags": ["city"]}])


def test_evaluation_without_sentences_is_refused(tagger, tmp_path):
    model, tokenizer = tagger
    trainer = TaggerTrainer(model, arguments(tmp_path), processing_class=tokenizer, train_dataset=SENTENCES)
    with pytest.raises(ValueError, match="Evaluation needs sentences"):
        trainer.evaluate()


def test_bio_tags_are_scored_as_chunks():
    assert score_tags([["B-x", "B-x"]], [["B-x", "I-x"]])["n_correct"] == 0
    assert score_tags([["x", "x"]], [["x", "x"]])["f1"] == 1.0


def test_chunks_longer_than_the_models_positions_are_refused(tagger, tmp_path):
    model, tokenizer = tagger
    positions = model.config.max_position_embeddings
    with pytest.raises(ValueError, match=f"^max_length={positions + 1}, but the model has {positions} positions"):
        TaggerTrainer(model, arguments(tmp_path, max_length=positions + 1), processing_class=tokenizer)
