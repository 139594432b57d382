import logging

import pytest
import torch

from hf_fewshot import load_dataset
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.spans.inputs import SpanInputBuilder
from hf_fewshot.spans.span_set import answer_counts
from hf_fewshot.systems.spans import SpanSystem
from hf_fewshot.trainers.span_trainer import SpanCollator, SpanTrainer, SpanTrainingArguments, labelled_windows
from tests.tiny_models import write_bert
from tests.trainers.answer_rows import NAME_ROWS as ROWS
from tests.trainers.answer_rows import NAME_WORDS as WORDS

REVIEWS = [
    {"id": str(n), "question": "good or bad ?", "context": [text], "answers": [label]}
    for n, (text, label) in enumerate(
        [("anna lives", "good"), ("paul works", "bad"), ("mia lives", "good"), ("tom works", "bad")] * 2
    )
]


@pytest.fixture
def encoder(tmp_path):
    return write_bert(tmp_path / "encoder", WORDS, hidden_size=32, num_hidden_layers=1)


def arguments(folder, **options):
    chosen = {"learning_rate": 1e-2, "warmup_steps": 0, "save_strategy": "no", "report_to": "none", "seed": 7}
    return SpanTrainingArguments(str(folder), use_cpu=True, disable_tqdm=True, **{**chosen, **options})


def trained(encoder, folder, rows, head="set", **options):
    counts = answer_counts(rows) if head == "set" else {}
    model, tokenizer = SpanModel.from_encoder(encoder, max_length=40, stride=20, head=head, **counts)
    trainer = SpanTrainer(
        model, arguments(folder, **options), processing_class=tokenizer, train_dataset=rows, eval_dataset=rows
    )
    trainer.train()
    return trainer


def test_the_defaults_are_those_of_the_paper(tmp_path):
    own = SpanTrainingArguments(str(tmp_path))
    assert (own.learning_rate, own.num_train_epochs, own.per_device_train_batch_size) == (5e-5, 3, 16)


def test_sets_of_names_are_learned_and_the_saved_model_predicts_the_same(encoder, tmp_path):
    trainer = trained(encoder, tmp_path, ROWS, num_train_epochs=80, per_device_train_batch_size=8)
    scores = trainer.evaluate()
    assert scores["eval_s1"] > 0.95
    # 4 of the 16 rows have no name.
    assert scores["eval_always_empty_s1"] == 4 / 16
    predictions = trainer.answers(ROWS)
    assert ["anna", "tom"] in predictions
    assert [] in predictions
    trainer.save_model(tmp_path / "saved")
    again = SpanModel.from_pretrained(tmp_path / "saved")
    assert SpanSystem(again, trainer.processing_class).answers(ROWS) == predictions


def test_labels_of_the_question_are_learned_and_there_is_always_one(encoder, tmp_path):
    trainer = trained(encoder, tmp_path, REVIEWS, num_train_epochs=40)
    assert trainer.evaluate()["eval_s1"] == 1.0
    unseen = [{"question": "good or bad ?", "context": ["the corp is a bank of oslo"]}]
    assert [len(answers) for answers in trainer.answers(unseen)] == [1]


def test_the_single_head_learns_one_name_or_none(encoder, tmp_path):
    trainer = trained(encoder, tmp_path, ROWS, head="single", num_train_epochs=80, per_device_train_batch_size=8)
    answers = trainer.answers(ROWS)
    assert {len(one) for one in answers} == {0, 1}
    right = [one[:1] == row["answers"][:1] for one, row in zip(answers, ROWS, strict=True)]
    assert sum(right) >= 15
    trainer.save_model(tmp_path / "saved")
    again = SpanModel.from_pretrained(tmp_path / "saved")
    assert SpanSystem(again, trainer.processing_class).answers(ROWS) == answers


@pytest.mark.parametrize("head", ["set", "single"])
def test_the_loss_on_other_rows_is_the_mean_over_their_windows(head, encoder, tmp_path):
    trainer = trained(encoder, tmp_path, ROWS, head=head, max_steps=2)
    # Of another size than the batches, so that a mean of means would be another.
    trainer.args.per_device_eval_batch_size = 5
    windows = labelled_windows(trainer.builder, ROWS, head)
    assert len(windows) == 16
    trainer.model.eval()  # without dropout
    with torch.inference_mode():
        losses = [trainer.model(**SpanCollator(0)([window])).loss.item() for window in windows]
    trainer.model.train()
    assert trainer.loss(ROWS) == pytest.approx(sum(losses) / 16, rel=1e-4)
    assert trainer.model.training
    assert "eval_loss" not in trainer.evaluate()
    trainer.args.metric_for_best_model = "loss"
    assert trainer.evaluate()["eval_loss"] == pytest.approx(sum(losses) / 16, rel=1e-4)


def test_the_same_seed_gives_the_same_weights_and_all_weights_move(encoder, tmp_path):
    start = SpanModel.from_encoder(encoder, max_length=40, stride=20)[0].state_dict()
    first, second = (trained(encoder, tmp_path, ROWS, max_steps=3).model.state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    still = [name for name in start if torch.equal(start[name], first[name])]
    assert [name for name in still if "pooler" not in name] == []


def test_the_head_can_have_a_learning_rate_of_its_own(encoder, tmp_path):
    model, tokenizer = SpanModel.from_encoder(encoder, max_length=40, stride=20)
    own = arguments(tmp_path, learning_rate=0.0, head_learning_rate=0.1, max_steps=2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    trainer = SpanTrainer(model, own, processing_class=tokenizer, train_dataset=ROWS)
    trainer.train()
    moved = [name for name, value in model.state_dict().items() if not torch.equal(value, before[name])]
    assert moved == ["head.weight"]
    assert type(trainer.optimizer.optimizer) is torch.optim.Adamax


def test_a_batch_has_padded_labels(encoder):
    _, tokenizer = SpanModel.from_encoder(encoder, max_length=40, stride=20)
    rows = [ROWS[0], {"id": "x", "question": "list", "context": ["the bank"], "answers": []}]
    batch = SpanCollator(0)(labelled_windows(SpanInputBuilder(tokenizer, 40, 20), rows))
    assert batch["labels"].shape == (2, 10, 2)
    # [CLS] list the people [SEP] anna lives in paris [SEP]
    assert batch["labels"].nonzero().tolist() == [[0, 5, 0], [0, 5, 1]]
    assert batch["candidates"].sum(1).tolist() == [7, 3]


def test_rows_whose_answers_are_nowhere_are_left_out_and_named(encoder, caplog):
    _, tokenizer = SpanModel.from_encoder(encoder, max_length=40, stride=20)
    builder = SpanInputBuilder(tokenizer, 40, 20)
    lost = {"id": "lost", "question": "good, bd ?", "context": ["a"], "answers": ["bad"]}
    partly = {"id": "partly", "question": "good ?", "context": ["a"], "answers": ["bad", "good"]}
    with caplog.at_level(logging.WARNING):
        windows = labelled_windows(builder, [lost, partly, ROWS[0]])
    assert len(windows) == 2
    assert "1 of 3 training rows are left out" in caplog.text
    assert "lost ('bad')" in caplog.text
    with pytest.raises(
        ValueError, match="Expected training rows with answers in their question or context; none of 1"
    ):
        labelled_windows(builder, [lost])
    with pytest.raises(
        ValueError, match="Expected training rows with answers in their question or context; none of 0"
    ):
        labelled_windows(builder, [])


def test_evaluation_without_rows_is_refused(encoder, tmp_path):
    model, tokenizer = SpanModel.from_encoder(encoder, max_length=40, stride=20)
    trainer = SpanTrainer(model, arguments(tmp_path), processing_class=tokenizer, train_dataset=ROWS)
    with pytest.raises(ValueError, match="Evaluation needs rows with question, context and answers"):
        trainer.evaluate()


@pytest.mark.parametrize("task", ["sst2", "mnli", "conll03", "wikiann", "squad", "record"])
def test_every_answer_of_the_sample_rows_is_a_span(task, encoder, caplog):
    _, tokenizer = SpanModel.from_encoder(encoder, max_length=60, stride=20)
    rows = load_dataset("clues", task, shots=30, fold=1, sample=True, split="train")
    builder = SpanInputBuilder(tokenizer, 500, 200)
    with caplog.at_level(logging.WARNING):
        windows = labelled_windows(builder, rows)
    assert caplog.text == ""
    assert len(windows) >= len(rows)
    answered = sum(bool(item.labels.any()) for item in windows)
    assert answered >= sum(bool(answers) for answers in rows["answers"])


def test_as_published_contradiction_is_no_span_of_the_question_of_mnli(encoder, caplog):
    _, tokenizer = SpanModel.from_encoder(encoder, max_length=60, stride=20)
    rows = load_dataset("clues", "mnli", shots=30, fold=1, sample=True, split="train", compat="original")
    with caplog.at_level(logging.WARNING):
        labelled_windows(SpanInputBuilder(tokenizer, 80, 20), rows)
    assert "10 of 30 training rows are left out" in caplog.text
    assert "('contradiction')" in caplog.text
