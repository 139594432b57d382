"""Pre-training on all utterances as one set."""

from dataclasses import fields

import pytest
import torch

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.trainers.joint_pretrainer import JointPretrainer, JointPretrainingArguments
from tests.small_episodes import JOINT, episodes_of
from tests.systems.joint_script import build
from tests.tiny_models import write_bert


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return write_bert(tmp_path_factory.mktemp("joint_encoder"), num_hidden_layers=1)


@pytest.fixture(scope="module")
def utterances():
    # An intent of the same name is another one in another domain.
    return episodes_of("joint", [{**row, "domain": "ab"[i % 2]} for i, row in enumerate(JOINT)]).examples


@pytest.fixture
def pretrainer(encoder, utterances, arguments):
    def make(model_options=None, **options):
        model, tokenizer = build(encoder, **(model_options or {}))
        rates = {"learning_rate": 3e-3, "head_learning_rate": 1e-2}
        chosen = {"max_steps": 30, "per_device_train_batch_size": 4, **rates, **options}
        trainer = JointPretrainer(
            model,
            arguments(JointPretrainingArguments, **chosen),
            processing_class=tokenizer,
            train_dataset=utterances,
        )
        return trainer, model

    return make


def losses(trainer):
    return [row["loss"] for row in trainer.state.log_history if "loss" in row]


@torch.no_grad()
def loss_on(trainer, utterances):
    trainer.classifier.eval()
    return float(trainer.classifier(**trainer.collate(utterances.to_list()))["loss"])


def test_it_lowers_its_loss_and_moves_only_the_encoder_of_the_model(pretrainer, utterances):
    trainer, model = pretrainer({"transitions": "cdt", "tapnet": True, "dependency": True})
    before = {name: value.clone() for name, value in model.state_dict().items()}
    start = loss_on(trainer, utterances)
    trainer.train()
    assert loss_on(trainer, utterances) < 0.8 * start
    moved = {name for name, value in model.state_dict().items() if not torch.equal(value, before[name])}
    assert "encoder.embeddings.word_embeddings.weight" in moved
    assert "encoder.encoder.layer.0.output.dense.weight" in moved
    assert all(name.startswith("encoder.") for name in moved)


def test_the_same_seed_gives_the_same_encoder(pretrainer):
    runs = []
    for seed in (1, 1, 2):
        torch.manual_seed(0)  # the classifiers are drawn when the trainer is made
        trainer, model = pretrainer({"dropout": 0.2}, seed=seed, max_steps=3)
        trainer.train()
        runs.append((losses(trainer), model.encoder.embeddings.word_embeddings.weight.detach().clone()))
    assert runs[0][0] == runs[1][0] != runs[2][0]
    assert torch.equal(runs[0][1], runs[1][1])


def test_a_batch_is_words_and_utterances_with_their_numbers(pretrainer, utterances):
    trainer, _ = pretrainer()
    intents = [("a", "born"), ("a", "lives"), ("a", "works"), ("b", "lives"), ("b", "works")]
    assert trainer.classifier.intent_number == {name: i for i, name in enumerate(intents)}
    tags = ["B-org", "B-person", "B-place", "I-org", "I-place", "O"]
    assert trainer.classifier.tag_number == {name: i for i, name in enumerate(tags)}
    batch = trainer.collate([utterances[5], utterances[0]])
    assert batch["intents"].tolist() == [3, 1]
    assert batch["tags"].tolist() == [2, 1, 5, 5, 2]
    assert batch["utterance"].tolist() == [0, 1, 1, 1, 1]


@torch.no_grad()
def test_the_loss_is_that_of_words_and_of_mean_vectors(pretrainer, utterances):
    trainer, model = pretrainer()
    classifier = trainer.classifier.eval()
    batch = trainer.collate([utterances[5], utterances[0]])
    names = ("input_ids", "attention_mask", "row_sequence", "row_positions")
    rows = model.encode(EncoderInputs(**{name: batch[name] for name in names}))
    tags = torch.stack(
        [-classifier.tags(row).log_softmax(0)[tag] for row, tag in zip(rows, batch["tags"], strict=True)]
    ).mean()
    first, second = classifier.intents(rows[0]), classifier.intents(rows[1:].mean(0))
    intents = -(first.log_softmax(0)[3] + second.log_softmax(0)[1]) / 2
    torch.testing.assert_close(classifier(**batch)["loss"], tags + intents, rtol=1e-4, atol=1e-5)


def test_the_classifiers_learn_at_a_rate_of_their_own(pretrainer):
    trainer, model = pretrainer(learning_rate=1e-5, head_learning_rate=0.5)
    rates = {id(p): group["lr"] for group in trainer.create_optimizer().param_groups for p in group["params"]}
    assert {rates[id(p)] for p in model.encoder.parameters()} == {1e-5}
    assert {rates[id(p)] for p in trainer.classifier.tags.parameters()} == {0.5}
    assert not any(id(p) in rates for p in model.method.parameters())


def test_resuming_gives_what_an_uninterrupted_run_gives(pretrainer, tmp_path):
    options = {"save_strategy": "steps", "save_steps": 2, "max_steps": 4}
    whole, whole_model = pretrainer(output_dir=str(tmp_path / "whole"), **options)
    whole.train()
    resumed, model = pretrainer(output_dir=str(tmp_path / "whole"), **options)
    resumed.train(resume_from_checkpoint=str(tmp_path / "whole" / "checkpoint-2"))
    assert losses(resumed) == losses(whole)
    for name, value in model.state_dict().items():
        assert torch.equal(value, whole_model.state_dict()[name]), name


def test_pairs_cannot_be_pretrained(pretrainer):
    with pytest.raises(ValueError, match="Pre-training on single utterances needs pairwise=False"):
        pretrainer({"pairwise": True})


def test_every_option_has_a_help_text():
    own = JointPretrainingArguments.__annotations__
    texts = {f.name: f.metadata.get("help") for f in fields(JointPretrainingArguments) if f.name in own}
    assert len(texts) == len(own) >= 6
    assert all(texts.values())
