"""Training on joint episodes: it learns, repeats itself, resumes, clips, and unfreezes."""

import logging
from dataclasses import fields

import pytest
import torch
from accelerate import Accelerator
from transformers import AlbertConfig, AlbertModel, AutoModel, TrainerCallback

from hf_fewshot.episodes.minimum_including import MinimumIncluding
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.sampling import make_episodes
from hf_fewshot.episodes.scoring import score
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.trainers.joint_trainer import JointTrainer, JointTrainingArguments
from hf_fewshot.trainers.unfreezing import layer_groups
from tests.predicted import predict_episodes
from tests.systems.joint_script import build, many
from tests.tiny_models import write_bert


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return write_bert(tmp_path_factory.mktemp("joint_encoder"), num_hidden_layers=1)


@pytest.fixture
def trainer(encoder, arguments):
    """A trainer of a new model on 12 episodes: `trainer({"transitions": "cdt"}, max_steps=3)`."""

    def make(model_options=None, evaluation=None, train=None, encoder=encoder, **options):
        model, tokenizer = build(encoder, **(model_options or {}))
        return JointTrainer(
            model,
            arguments(JointTrainingArguments, **options),
            processing_class=tokenizer,
            train_dataset=many(12) if train is None else train,
            eval_dataset=evaluation,
        )

    return make


def losses(trainer):
    return [row["loss"] for row in trainer.state.log_history if "loss" in row]


def weights(trainer):
    return {name: value.clone() for name, value in trainer.model.state_dict().items()}


def assert_same(first, second):
    assert first.keys() == second.keys()
    for name in first:
        assert torch.equal(first[name], second[name]), name


class Watch(TrainerCallback):
    """What the encoder was, and which gradients there were, at each step."""

    def __init__(self):
        self.encoder, self.gradients, self.free, self.names = [], [], [], set()

    def on_optimizer_step(self, args, state, control, model=None, **kwargs):
        self.gradients.append(max(p.grad.abs().max().item() for p in model.parameters() if p.grad is not None))
        self.names = {name for name, _ in model.encoder.named_parameters()}
        self.free.append({name for name, one in model.encoder.named_parameters() if one.requires_grad})

    def on_step_end(self, args, state, control, model=None, **kwargs):
        self.encoder.append({name: value.clone() for name, value in model.encoder.state_dict().items()})


@torch.no_grad()
def loss_on(trainer, episodes):
    return float(trainer.model.eval()(**trainer.data_collator(episodes[:])).loss)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"dependency": True, "transitions": "cdt"},
        {"pairwise": True},
        {"name_weight": 0.3, "tapnet": True},
        {"part": "intent"},
        {"part": "slots", "transitions": "cdt"},
    ],
    ids=str,
)
def test_training_moves_the_parameters_and_lowers_the_loss(trainer, options):
    train = many(4)
    running = trainer(options, train=train, max_steps=20, learning_rate=3e-3, head_learning_rate=1e-2, warmup_steps=0)
    before, loss_before = weights(running), loss_on(running, train)
    running.train()
    after, loss_after = weights(running), loss_on(running, train)
    still = {name for name in before if torch.equal(before[name], after[name]) and "pooler" not in name}
    assert still <= {"encoder.embeddings.position_ids", "encoder.embeddings.token_type_ids"}
    assert all(value.isfinite().all() for value in after.values())
    assert loss_after < 0.99 * loss_before


def test_the_same_seed_gives_the_same_model_and_another_seed_another(trainer):
    runs = []
    for seed in (1, 1, 2):
        running = trainer({"dropout": 0.3}, seed=seed)
        running.train()
        runs.append((weights(running), losses(running)))
    assert runs[0][1] == runs[1][1] != runs[2][1]
    assert_same(runs[0][0], runs[1][0])


def test_gradients_are_cut_off_at_a_value(trainer):
    found = {}
    for value in (None, 1e-3, 5.0):
        running = trainer(max_grad_value=value, max_steps=2)
        watch = Watch()
        running.add_callback(watch)
        running.train()
        found[value] = watch.gradients
    assert max(found[None]) > 1e-2
    assert found[1e-3] == pytest.approx([1e-3, 1e-3])
    assert max(found[5.0]) <= 5.0


def test_groups_of_layers_are_released_one_per_epoch(trainer, tmp_path):
    encoder = write_bert(tmp_path / "deep", num_hidden_layers=3)
    # Six steps make an epoch: none, the two upper layers, all.
    running = trainer(encoder=encoder, unfreezing_groups=2, max_steps=-1, num_train_epochs=3, warmup_steps=0)
    start = weights(running)
    watch = Watch()
    running.add_callback(watch)
    running.train()
    upper = {name for name in watch.names if name.startswith(("encoder.layer.1.", "encoder.layer.2.", "pooler."))}
    lower = {name for name in watch.names if name.startswith(("encoder.layer.0.", "embeddings."))}
    assert upper | lower == watch.names
    assert watch.free == [set()] * 6 + [upper] * 6 + [watch.names] * 6
    for step, encoder in enumerate(watch.encoder):
        moved = {name for name in watch.names if not torch.equal(encoder[name], start[f"encoder.{name}"])}
        # BERT's pooler has no part in the vectors.
        assert {name for name in moved if "pooler" not in name} == {
            name for name in ([set(), upper, watch.names][step // 6]) if "pooler" not in name
        }
    assert not torch.equal(weights(running)["method.log_temperature"], start["method.log_temperature"])
    assert all(parameter.requires_grad for parameter in running.model.parameters())


def test_all_is_free_after_training_that_ends_before_it_was_released_which_it_says(trainer, caplog):
    running = trainer(unfreezing_groups=1, max_steps=2)
    with caplog.at_level(logging.WARNING):
        running.train()
    assert all(parameter.requires_grad for parameter in running.model.parameters())
    assert "unfreezing_groups=1 releases its last group after as many epochs, but the training ends in epoch 1" in (
        caplog.text
    )


@pytest.mark.parametrize("groups", [1, 2, 3, 5])
def test_every_parameter_is_in_one_group_and_upper_layers_come_first(tmp_path, groups):
    encoder = AutoModel.from_pretrained(write_bert(tmp_path / "deep", num_hidden_layers=5))
    names = {id(parameter): name for name, parameter in encoder.named_parameters()}
    found = [[names[id(parameter)] for parameter in group] for group in layer_groups(encoder, groups)]
    assert sorted(name for group in found for name in group) == sorted(names.values())
    layers = [sorted({int(name.split(".")[2]) for name in group if ".layer." in name}) for group in found]
    expected = {
        1: [[0, 1, 2, 3, 4]],
        2: [[2, 3, 4], [0, 1]],
        3: [[3, 4], [1, 2], [0]],
        5: [[4], [3], [2], [1], [0]],
    }
    assert layers == expected[groups]
    assert "embeddings.word_embeddings.weight" in found[-1]
    assert "pooler.dense.weight" in found[0]


def test_more_groups_than_layers_and_encoders_without_a_list_of_layers_are_refused(trainer, tmp_path):
    with pytest.raises(ValueError, match="unfreezing_groups=2, but the encoder has 1 layers"):
        trainer(unfreezing_groups=2)
    with pytest.raises(ValueError, match="unfreezing_groups=-1, but it must be 0 or more"):
        JointTrainingArguments(str(tmp_path), unfreezing_groups=-1)
    with pytest.raises(ValueError, match="unfreezing_groups=4 releases its last group after as many epochs"):
        JointTrainingArguments(str(tmp_path), unfreezing_groups=4)
    shared = AlbertModel(AlbertConfig(vocab_size=9, num_hidden_layers=4, hidden_size=8, num_attention_heads=2))
    with pytest.raises(
        ValueError, match="Expected an encoder with one list of its 4 layers, got AlbertModel, which has 0"
    ):
        layer_groups(shared, 2)


class Stop(TrainerCallback):
    def __init__(self, step):
        self.step = step

    def on_step_end(self, args, state, control, **kwargs):
        control.should_training_stop = state.global_step == self.step


@pytest.mark.parametrize("groups", [0, 1])
@pytest.mark.parametrize("stop", [4, 8])
def test_resuming_gives_what_an_uninterrupted_run_gives(trainer, tmp_path, groups, stop):
    # Stops in the middle of the first epoch of six steps, in which the encoder does not learn, and of the second.
    options = {"save_strategy": "steps", "save_steps": 4, "max_steps": 10, "unfreezing_groups": groups}
    whole = trainer({"dropout": 0.3, "transitions": "cdt"}, output_dir=str(tmp_path / "whole"), **options)
    whole.train()
    parts = trainer({"dropout": 0.3, "transitions": "cdt"}, output_dir=str(tmp_path / "parts"), **options)
    parts.add_callback(Stop(stop))
    parts.train()
    assert parts.state.global_step == stop
    resumed = trainer({"dropout": 0.3, "transitions": "cdt"}, output_dir=str(tmp_path / "parts"), **options)
    watch = Watch()
    resumed.add_callback(watch)
    resumed.train(resume_from_checkpoint=True)
    assert resumed.state.global_step == 10
    assert watch.free == [watch.names if step >= 6 * groups else set() for step in range(stop, 10)]
    assert losses(resumed) == losses(whole)
    assert_same(weights(resumed), weights(whole))


def test_evaluation_gives_the_scores_of_fewjoint(trainer, joint_episodes):
    running = trainer({"dependency": True}, joint_episodes)
    metrics = running.evaluate()
    accelerator = Accelerator(cpu=True)
    predictions = predict_episodes(
        running.model, running.processing_class, joint_episodes, progress=False, accelerator=accelerator
    )
    expected = score(joint_episodes, predictions)
    for name in ("sentence_accuracy", "slot_f1", "intent_accuracy"):
        assert metrics[f"eval_{name}"] == expected[name]
    assert running.evaluate(metric_key_prefix="test")["test_slot_f1"] == expected["slot_f1"]


def test_prediction_gives_predictions_references_and_scores(trainer, joint_episodes):
    running = trainer()
    found = running.predict(joint_episodes)
    assert found.label_ids == list(references(joint_episodes))
    assert [len(own) for own in found.predictions] == [3, 2, 3]
    expected = score(joint_episodes, found.predictions)
    assert found.metrics == {f"test_{name}": value for name, value in expected.items()}
    with pytest.raises(ValueError, match="Evaluation needs an EpisodeSet as test_dataset, got list"):
        running.predict([])


def test_evaluation_leaves_the_next_step_as_it_was(trainer, joint_episodes):
    plain = trainer({"dropout": 0.3}, unfreezing_groups=1)
    plain.train()
    watched = trainer({"dropout": 0.3}, joint_episodes, unfreezing_groups=1, eval_strategy="steps", eval_steps=1)
    watched.train()
    assert losses(plain) == losses(watched)
    assert_same(weights(plain), weights(watched))


def test_the_best_checkpoint_by_sentence_accuracy_is_loaded(trainer, joint_episodes, monkeypatch):
    answers = [{"sentence_accuracy": value} for value in (0.1, 0.5, 0.3)]
    monkeypatch.setattr("hf_fewshot.trainers.episodic_trainer.score", lambda *_: answers.pop(0))
    options = {"eval_strategy": "steps", "save_strategy": "steps", "eval_steps": 1, "save_steps": 1, "max_steps": 3}
    running = trainer(evaluation=joint_episodes, load_best_model_at_end=True, **options)
    running.train()
    assert running.state.best_metric == 0.5
    assert running.state.best_model_checkpoint.endswith("checkpoint-2")


def test_a_trained_model_predicts_the_same_after_saving(trainer, joint_episodes, tmp_path):
    running = trainer({"transitions": "cdt", "dependency": True, "name_weight": 0.2}, max_steps=3)
    running.train()
    running.save_model(str(tmp_path / "model"))
    options = {"progress": False, "accelerator": Accelerator(cpu=True)}
    again, tokenizer = JointModel.from_pretrained(tmp_path / "model"), load_tokenizer(tmp_path / "model")
    assert predict_episodes(again, tokenizer, joint_episodes, **options) == predict_episodes(
        running.model, running.processing_class, joint_episodes, **options
    )


def test_the_upper_layers_learn_at_a_rate_of_their_own(trainer):
    running = trainer({"transitions": "cdt"}, learning_rate=1e-5, weight_decay=0.02)
    names = {id(parameter): name for name, parameter in running.model.named_parameters()}
    rates = {names[id(p)]: g["lr"] for g in running.create_optimizer().param_groups for p in g["params"]}
    assert rates.keys() == {name for name, _ in running.model.named_parameters()}
    for name, rate in rates.items():
        assert rate == (1e-5 if name.startswith("encoder.") else 1e-3), name


def test_defaults_are_those_of_fewjoint():
    chosen = {field.name: field.default for field in fields(JointTrainingArguments)}
    assert (chosen["learning_rate"], chosen["head_learning_rate"], chosen["num_train_epochs"]) == (1e-5, 1e-3, 4)
    assert (chosen["per_device_train_batch_size"], chosen["warmup_steps"], chosen["max_grad_value"]) == (4, 0.1, 5.0)
    own = JointTrainingArguments.__annotations__
    texts = {field.name: field.metadata.get("help") for field in fields(JointTrainingArguments) if field.name in own}
    assert len(texts) == len(own) >= 7
    assert all(texts.values())


def test_a_model_or_episodes_of_another_kind_are_refused(encoder, trainer, tagging_episodes, tmp_path):
    with pytest.raises(ValueError, match=r"Expected joint episodes .* got episodes of task 'tagging'"):
        trainer(train=tagging_episodes)
    with pytest.raises(ValueError, match="Evaluation needs an EpisodeSet as eval_dataset, got NoneType"):
        trainer().evaluate()
    model, tokenizer = FewShotModel.from_encoder(encoder, "proto")
    arguments = JointTrainingArguments(output_dir=str(tmp_path), use_cpu=True, report_to="none")
    with pytest.raises(ValueError, match="JointTrainer needs a JointModel, got a FewShotModel"):
        JointTrainer(model, arguments, processing_class=tokenizer, train_dataset=many(2))


@pytest.mark.parametrize(("part", "metric"), [("intent", "intent_accuracy"), ("slots", "slot_f1")])
def test_a_network_of_one_part_is_chosen_by_the_score_of_that_part(trainer, part, metric):
    assert trainer({"part": part}).args.metric_for_best_model == metric


def test_joint_episodes_are_drawn_anew_for_every_epoch_too(trainer):
    drawn = many(3)
    spec = MinimumIncluding(n_shot=1, n_query=1)
    train = make_episodes(drawn.examples, spec, task="joint", length=3, seed=4)
    running = trainer(
        train=train, max_steps=-1, num_train_epochs=2, fresh_episodes=True, per_device_train_batch_size=1
    )
    seen, collate = [], running.data_collator
    running.data_collator = lambda batch: seen.extend(batch) or collate(batch)
    running.train()
    assert seen == [train.make(number) for number in range(6)]
