"""Training on episodes: it learns, repeats itself, resumes, and keeps the best."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import torch
from accelerate import Accelerator
from transformers import TrainerCallback

from hf_fewshot.encoding.vectors import encode_examples
from hf_fewshot.episodes.scoring import score
from hf_fewshot.methods.nearest_neighbour import count_transitions
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer
from tests.predicted import predict_episodes


def losses(trainer):
    return [row["loss"] for row in trainer.state.log_history if "loss" in row]


def weights(trainer):
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


@torch.no_grad()
def loss_on(trainer, episodes):
    """The loss without dropout."""
    batch = trainer.data_collator(episodes[:])
    return float(trainer.model.eval()(**batch).loss)


def assert_same(first, second, **tolerance):
    assert first.keys() == second.keys()
    for name in first:
        torch.testing.assert_close(first[name], second[name], rtol=0, atol=tolerance.get("atol", 0), equal_nan=True)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("proto", {}),
        ("nnshot", {"dropout": 0.1}),
        ("structshot", {"layers": 1}),
        ("proto", {"representation": "markers"}),
        ("threshold", {}),
        ("nav", {}),
        ("mnav", {"n_vectors": 5}),
        ("mnav", {"n_vectors": 5, "mlp": True}),
        ("sentence_pair", {}),
    ],
)
def test_training_moves_all_parameters_and_lowers_the_loss(trainer, relations, entities, method, options):
    words = method in ("nnshot", "structshot") or (options == {} and method == "proto")
    train = entities("train", 8) if words else relations("train", 8)
    rate = 3e-4 if "mlp" in options else 3e-3
    steps = 90 if method == "sentence_pair" else 30
    running = trainer(method, train, max_steps=steps, learning_rate=rate, model_options=options, warmup_steps=0)
    before, loss_before = weights(running), loss_on(running, train)
    running.train()
    after, loss_after = weights(running), loss_on(running, train)
    # BERT's pooler has no part in the vectors; the transitions are counted, not learned.
    still = {name for name in before if torch.equal(before[name], after[name]) and "encoder.pooler" not in name}
    positions = {"encoder.embeddings.position_ids", "encoder.embeddings.token_type_ids", "method.abstract"}
    assert still <= positions
    assert all(value.isfinite().all() for value in after.values())
    assert len(losses(running)) == steps
    assert loss_after < 0.95 * loss_before


def test_the_same_seed_gives_the_same_model_and_another_seed_another(trainer, relations):
    train = relations("train")
    runs = []
    for seed in (1, 1, 2):
        running = trainer("mnav", train, seed=seed, model_options={"dropout": 0.3})
        running.train()
        runs.append((weights(running), losses(running)))
    assert runs[0][1] == runs[1][1] != runs[2][1]
    assert_same(runs[0][0], runs[1][0])
    assert not torch.equal(runs[0][0]["method.vectors"], runs[2][0]["method.vectors"])


def test_resuming_gives_what_an_uninterrupted_run_gives(trainer, relations, tmp_path):
    train, options = relations("train"), {"save_strategy": "steps", "save_steps": 3, "head_learning_rate": 1e-2}
    whole = trainer("mnav", train, model_options={"dropout": 0.3}, output_dir=str(tmp_path / "whole"), **options)
    whole.train()

    class Stop(TrainerCallback):
        def on_step_end(self, args, state, control, **kwargs):
            control.should_training_stop = state.global_step == 3

    parts = trainer("mnav", train, model_options={"dropout": 0.3}, output_dir=str(tmp_path / "parts"), **options)
    parts.add_callback(Stop())
    parts.train()
    assert parts.state.global_step == 3
    resumed = trainer("mnav", train, model_options={"dropout": 0.3}, output_dir=str(tmp_path / "parts"), **options)
    resumed.train(resume_from_checkpoint=True)
    assert resumed.state.global_step == 6
    assert losses(resumed) == losses(whole)
    assert_same(weights(resumed), weights(whole))


def test_gradient_accumulation_equals_a_larger_batch(trainer, relations):
    # Every episode has the same number of queries, so the mean of means is the mean.
    train = relations("train", nota_rate=None)
    options = {"max_steps": 3, "max_grad_norm": 0.0, "optim": "sgd", "learning_rate": 0.05, "warmup_steps": 0}
    options["model_options"] = {"representation": "markers"}
    large = trainer("proto", train, per_device_train_batch_size=4, **options)
    small = trainer("proto", train, per_device_train_batch_size=2, gradient_accumulation_steps=2, **options)
    # Dropout would draw other numbers for other batches.
    for running in (large, small):
        for module in running.model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        running.model.config.encoder.attention_probs_dropout_prob = 0.0
        running.train()
    assert losses(small) == pytest.approx(losses(large), rel=1e-3)
    assert_same(weights(small), weights(large), atol=1e-4)


def test_the_method_can_learn_at_a_rate_of_its_own(trainer, relations):
    running = trainer("mnav", relations("train"), head_learning_rate=0.5, weight_decay=0.02, learning_rate=1e-3)
    groups = running.create_optimizer().param_groups
    names = {id(parameter): name for name, parameter in running.model.named_parameters()}
    seen = {}
    for group in groups:
        for parameter in group["params"]:
            seen[names[id(parameter)]] = (group["lr"], group["weight_decay"])
    assert seen.keys() == {name for name, _ in running.model.named_parameters()}
    assert seen["method.vectors"] == (0.5, 0.02)
    assert seen["encoder.encoder.layer.0.output.dense.weight"] == (1e-3, 0.02)
    assert seen["encoder.encoder.layer.0.output.dense.bias"] == (1e-3, 0.0)
    assert seen["encoder.encoder.layer.0.output.LayerNorm.weight"] == (1e-3, 0.0)
    one = trainer("mnav", relations("train"), learning_rate=1e-3)
    assert {group["lr"] for group in one.create_optimizer().param_groups} == {1e-3}


def test_the_threshold_has_a_rate_of_its_own_and_no_decay(trainer, relations):
    running = trainer("threshold", relations("train"), weight_decay=0.02, learning_rate=1e-3)
    groups = running.create_optimizer().param_groups
    (own,) = [group for group in groups if any(one is running.model.method.threshold for one in group["params"])]
    assert (own["lr"], own["weight_decay"], len(own["params"])) == (0.1, 0.0, 1)
    assert {group["lr"] for group in groups} == {0.1, 1e-3}
    other = trainer("threshold", relations("train"), threshold_learning_rate=2.0, head_learning_rate=0.5)
    assert {group["lr"] for group in other.create_optimizer().param_groups} == {2.0, 1e-3}
    alike = trainer("threshold", relations("train"), threshold_learning_rate=1e-3, weight_decay=0.02)
    alike.create_optimizer()
    undecayed = [group for group in alike.optimizer.param_groups if group["weight_decay"] == 0.0]
    assert any(one is alike.model.method.threshold for group in undecayed for one in group["params"])
    assert {group["lr"] for group in alike.optimizer.param_groups} == {1e-3}


def test_l2_of_the_head_is_a_sum_of_squares_in_the_loss_and_spares_the_encoder(trainer, relations):
    train = relations("train", 2)
    options = {"max_steps": 1, "optim": "sgd", "learning_rate": 0.1, "max_grad_norm": 0.0, "warmup_steps": 0}
    options |= {"weight_decay": 0.0, "model_options": {"n_vectors": 3}}
    plain = trainer("mnav", train, **options)
    plain.train()
    decayed = trainer("mnav", train, head_l2=0.25, **options)
    start = weights(decayed)
    decayed.train()
    for name, value in weights(decayed).items():
        # A step of plain descent is rate * (gradient + 2 * factor * weight): the derivative of factor * weight ** 2.
        step = 0.1 * 2 * 0.25 if name == "method.vectors" else 0.0
        torch.testing.assert_close(value, weights(plain)[name] - step * start[name], atol=1e-5, rtol=1e-5)


def test_l2_does_not_go_with_scaled_gradients(arguments):
    with pytest.raises(ValueError, match="head_l2 needs the true gradients, but those of fp16 are scaled"):
        arguments(head_l2=1e-3, fp16=True, use_cpu=False)


def test_evaluation_gives_the_scores_of_the_task(trainer, relations, entities):
    for method, episodes in (("mnav", relations("validation", 15)), ("nnshot", entities("validation", 15))):
        running = trainer(method, None, episodes)
        metrics = running.evaluate()
        predictions = predict_episodes(
            running.model, running.processing_class, episodes, progress=False, accelerator=Accelerator(cpu=True)
        )
        expected = score(episodes, predictions)
        assert metrics["eval_f1"] == expected["f1"]
        assert metrics["eval_accuracy"] == expected["accuracy"]
        assert not any("/" in name for name in metrics)
        assert running.evaluate(metric_key_prefix="test")["test_f1"] == expected["f1"]


def test_evaluation_leaves_the_next_step_as_it_was(trainer, relations):
    train, dev = relations("train"), relations("validation", 5)
    plain = trainer("mnav", train, model_options={"dropout": 0.3})
    plain.train()
    watched = trainer("mnav", train, dev, model_options={"dropout": 0.3}, eval_strategy="steps", eval_steps=1)
    watched.train()
    assert losses(plain) == losses(watched)
    assert_same(weights(plain), weights(watched))


class Scores:
    """Answers for evaluations, one after the other."""

    def __init__(self, *values):
        self.values = list(values)

    def __call__(self, *arguments, **options):
        return {"f1": self.values.pop(0), "per_class/x": 1.0}


def test_the_best_checkpoint_by_f1_is_loaded_and_training_stops_early(trainer, relations, monkeypatch):
    monkeypatch.setattr("hf_fewshot.trainers.episodic_trainer.score", Scores(0.1, 0.5, 0.3, 0.5, 0.9))
    running = trainer(
        "mnav",
        relations("train"),
        relations("validation", 2),
        max_steps=10,
        early_stopping_patience=2,
        eval_strategy="steps",
        save_strategy="steps",
        eval_steps=1,
        save_steps=1,
    )
    assert running.args.load_best_model_at_end
    kept = {}

    class Watch(TrainerCallback):
        def on_step_end(self, args, state, control, model=None, **kwargs):
            kept[state.global_step] = {name: value.clone() for name, value in model.state_dict().items()}

    running.add_callback(Watch())
    running.train()
    assert running.state.global_step == 4
    assert running.state.best_metric == 0.5
    assert Path(running.state.best_model_checkpoint).name == "checkpoint-2"
    assert_same(weights(running), kept[2])


@pytest.mark.parametrize("method", ["structshot", "mnav", "sentence_pair"])
def test_a_trained_model_predicts_the_same_after_saving(trainer, relations, entities, tmp_path, method):
    kind = entities if method == "structshot" else relations
    running = trainer(method, kind("train"), max_steps=3)
    running.train()
    running.save_model(str(tmp_path / "model"))
    dev = kind("validation", 8)
    options = {"progress": False, "accelerator": Accelerator(cpu=True)}
    again, tokenizer = FewShotModel.from_pretrained(tmp_path / "model"), load_tokenizer(tmp_path / "model")
    assert predict_episodes(again, tokenizer, dev, **options) == predict_episodes(
        running.model, running.processing_class, dev, **options
    )
    assert json.loads((tmp_path / "model" / "config.json").read_text())["method"] == method


def test_mnav_vectors_start_as_means_of_training_relations(trainer, relations):
    train = relations("train")
    running = trainer("mnav", train, model_options={"n_vectors": 4})
    start = running.model.method.vectors.detach().clone()
    assert torch.equal(trainer("mnav", train, model_options={"n_vectors": 4}).model.method.vectors, start)
    assert not torch.equal(trainer("mnav", train, model_options={"n_vectors": 4}, seed=8).model.method.vectors, start)
    drawn = trainer("mnav", train, model_options={"n_vectors": 4}, init_from_data=False).model.method.vectors
    assert not torch.equal(drawn, start)
    # Means of ten examples lie much nearer to the mean of all than single examples do.
    plain = train.examples.to_list()
    rows = encode_examples(
        running.model, running.processing_class, plain, progress=False, accelerator=Accelerator(cpu=True)
    )
    table = rows.take(np.arange(len(train.examples)))
    spread = (table - table.mean(0)).norm(dim=1)
    assert (start - table.mean(0)).norm(dim=1).max() < spread.median()


def test_transitions_are_counted_on_the_training_tags(trainer, entities):
    train = entities("train")
    running = trainer("structshot", train)
    expected = count_transitions(train.examples["tags"][:])
    assert running.model.method.abstract.tolist() == pytest.approx(expected)
    assert trainer("structshot", train, init_from_data=False).model.method.abstract.isnan().all()


def test_columns_cannot_be_removed_from_episodes(arguments):
    with pytest.raises(ValueError, match="remove_unused_columns must stay False"):
        arguments(remove_unused_columns=True)


def test_evaluation_without_episodes_says_what_it_needs(trainer, relations):
    with pytest.raises(ValueError, match="Evaluation needs an EpisodeSet as eval_dataset, got NoneType"):
        trainer("mnav", relations("train")).evaluate()


def test_episodes_that_do_not_fit_the_method_are_refused(encoder, arguments, entities):
    model, tokenizer = FewShotModel.from_encoder(encoder, "mnav")
    with pytest.raises(ValueError, match="Episodes of task 'tagging' need representation=\"words\", got 'markers'"):
        EpisodicTrainer(model, arguments(), processing_class=tokenizer, train_dataset=entities("train"))


def test_every_option_has_a_help_text(arguments):
    own = set(type(arguments()).__annotations__)
    texts = {field.name: field.metadata.get("help") for field in fields(arguments()) if field.name in own}
    assert len(texts) == len(own) >= 9
    assert all(texts.values())
