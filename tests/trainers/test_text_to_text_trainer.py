import logging
import math
from types import SimpleNamespace

import pytest
import torch
from transformers import BertConfig, BertModel

from hf_fewshot.systems.text_to_text import TextToTextSystem, encode_sources, parse_answers, source_text, target_text
from hf_fewshot.trainers.text_to_text_trainer import (
    TextToTextCollator,
    TextToTextTrainer,
    TextToTextTrainingArguments,
    text_pairs,
    token_loss,
)
from tests.trainers.answer_rows import TEXT_ROWS as ROWS
from tests.trainers.answer_script import load


def arguments(folder, **options):
    chosen = {"learning_rate": 1e-2, "save_strategy": "no", "report_to": "none", "seed": 7, "max_target_length": 12}
    return TextToTextTrainingArguments(str(folder), use_cpu=True, disable_tqdm=True, **{**chosen, **options})


def trained(folder, out, **options):
    model, tokenizer = load(folder)
    trainer = TextToTextTrainer(
        model, arguments(out, **options), processing_class=tokenizer, train_dataset=ROWS, eval_dataset=ROWS
    )
    trainer.train()
    return trainer


def test_rows_as_text():
    row = {"question": "which?", "context": ["one ", "two"], "answers": ["a b", "c"]}
    assert source_text(row) == "question: which? context: one two"
    assert target_text(row) == "a b | c"
    assert target_text(row | {"answers": []}) == ""
    with pytest.raises(ValueError, match=r"Row 7 has the answer 'a\|b', which holds the separator"):
        target_text(row | {"id": 7, "answers": ["a|b"]})


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("a b | c", ["a b", "c"]),
        ("", []),
        ("  ", []),
        ("||", []),
        ("a|a | a", ["a"]),
        (" | b |", ["b"]),
        ("A | a", ["A", "a"]),
    ],
)
def test_written_text_is_a_set_of_answers(text, answers):
    assert parse_answers(text) == answers


@pytest.mark.parametrize("answers", [[], ["x"], ["x y", "z"], ["U.S.", "São Paulo", "3,5"]])
def test_parsing_takes_back_what_was_written(answers):
    assert parse_answers(target_text({"answers": answers})) == answers


def test_a_batch_has_labels_that_end(t5):
    model, tokenizer = load(t5)
    pairs = text_pairs(tokenizer, ROWS[1:5:3], 20, 10)
    batch = TextToTextCollator(tokenizer.pad_token_id, model.prepare_decoder_input_ids_from_labels)(pairs)
    end, tom = tokenizer.eos_token_id, tokenizer.convert_tokens_to_ids("▁tom")
    assert batch["labels"].tolist() == [[tom, end], [end, -100]]
    # The decoder starts with padding, and reads a token when it writes the next.
    assert batch["decoder_input_ids"].tolist() == [[0, tom], [0, end]]
    assert tokenizer.decode(batch["input_ids"][0], skip_special_tokens=True) == "question: who? context: tom runs"


def test_contexts_that_are_cut_are_counted_and_answers_are_not_cut(t5, caplog):
    _, tokenizer = load(t5)
    with caplog.at_level(logging.WARNING):
        sources = encode_sources(tokenizer, ROWS, 6)
    assert max(len(ids) for ids in sources) == 6
    assert "2 of 6 contexts are cut off at max_source_length=6 tokens" in caplog.text
    with pytest.raises(ValueError, match=r"The answers of row '2' have 4 tokens, more than max_target_length=3"):
        text_pairs(tokenizer, ROWS, 20, 3)
    with pytest.raises(ValueError, match=r"Expected training rows, got none"):
        text_pairs(tokenizer, [], 20, 3)


def test_sets_are_learned_and_the_saved_model_writes_the_same(t5, tmp_path):
    trainer = trained(t5, tmp_path, num_train_epochs=100)
    scores = trainer.evaluate()
    assert scores["eval_s1"] == 1.0
    assert scores["eval_always_empty_s1"] == 2 / 6
    trainer.save_model(tmp_path / "saved")
    model, tokenizer = load(tmp_path / "saved")
    answers = [row["answers"] for row in ROWS]
    assert TextToTextSystem(model, tokenizer, max_target_length=12).answers(ROWS) == answers
    assert [TextToTextSystem(model, tokenizer, max_target_length=12).answers([row])[0] for row in ROWS] == answers
    assert TextToTextSystem(model, tokenizer, max_target_length=12).answers([]) == []


def test_the_same_seed_gives_the_same_weights_and_weights_move(t5, tmp_path):
    start = load(t5)[0].state_dict()
    first, second = (trained(t5, tmp_path, max_steps=3).model.state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert [name for name in start if torch.equal(start[name], first[name])] == []


@pytest.mark.parametrize(("adamax", "kind"), [(True, "Adamax"), (False, "AdamW")])
def test_the_optimizer_of_the_authors_can_be_had(adamax, kind, t5, tmp_path):
    trainer = trained(t5, tmp_path, max_steps=2, adamax=adamax, learning_rate=3e-4)
    assert type(trainer.optimizer.optimizer).__name__ == kind
    assert sum(len(group["params"]) for group in trainer.optimizer.param_groups) == len(list(load(t5)[0].parameters()))


def test_the_loss_by_hand():
    # Two tokens of a vocabulary of two: probabilities of the right one 1/2 and 3/4; then padding. A step has four.
    scores = torch.tensor([[[0.0, 0.0], [0.0, math.log(3)], [5.0, 0.0]]])
    labels = torch.tensor([[0, 1, -100]])
    outputs = SimpleNamespace(logits=scores)
    assert token_loss(outputs, labels).item() == pytest.approx((math.log(2) + math.log(4 / 3)) / 2, rel=1e-5)
    # A tenth of the weight is spread over the vocabulary.
    smoothed = 0.95 * math.log(4 / 3) + 0.05 * math.log(4)
    assert token_loss(outputs, labels, 0.1).item() == pytest.approx((math.log(2) + smoothed) / 2, rel=1e-5)


def test_accumulated_steps_have_the_loss_of_one_large_batch(t5, tmp_path):
    losses = [
        trained(
            t5, tmp_path, max_steps=1, per_device_train_batch_size=batch, gradient_accumulation_steps=steps
        ).state.log_history[-1]["train_loss"]
        for batch, steps in ((6, 1), (2, 3))
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_a_model_that_only_encodes_is_refused(t5, tmp_path):
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    with pytest.raises(ValueError, match="needs an encoder-decoder such as T5, got BertModel"):
        TextToTextTrainer(
            BertModel(BertConfig(vocab_size=9, **sizes)), arguments(tmp_path), processing_class=load(t5)[1]
        )
