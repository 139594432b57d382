"""Each of the trainers, of a tiny model and with a few rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments
from hf_fewshot.trainers.joint_pretrainer import JointPretrainer, JointPretrainingArguments
from hf_fewshot.trainers.joint_trainer import JointTrainer, JointTrainingArguments
from hf_fewshot.trainers.tagger_trainer import TaggerTrainer, TaggerTrainingArguments, tagger_from_encoder
from tests.small_episodes import JOINT, RELATIONS, TAGGED, episodes_of
from tests.tiny_models import write_bert, write_masked_bert, write_t5
from tests.trainers.answer_rows import NAME_WORDS
from tests.trainers.answer_script import prompt_trainer, span_trainer, text_to_text_trainer
from tests.trainers.lm_training import lm_trainer

Options = dict[str, Any]
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
# Of different numbers of queries and classes; the last query of some has no class, or one without support.
RELATION_EPISODES = episodes_of(
    "relation",
    RELATIONS,
    Episode(("lives", "works"), (0, 2), (1, 3, 4)),
    Episode(("works", "born", "lives"), (2, 3, 4, 5, 0), (1,)),
    Episode(("born", "lives"), (5, 1), (0, 4, 6)),
    Episode(("capital", "lives"), (13, 7), (6, 8, 14, 15, 9)),
    Episode(("born", "works", "capital"), (11, 9), (10, 12, 14)),
)
JOINT_EPISODES = episodes_of(
    "joint",
    JOINT,
    Episode(("intent:lives", "intent:works", "slot:person", "slot:place", "slot:org"), (0, 1, 2), (3, 5, 6), "a"),
    Episode(("intent:born", "intent:lives", "slot:place"), (4, 5), (0, 2), "b"),
    Episode(("intent:works", "slot:org", "slot:person"), (1,), (6, 3, 5), "c"),
    Episode(("intent:lives", "slot:place"), (5, 2), (0,), "d"),
    Episode(("intent:works", "intent:lives", "slot:org", "slot:place"), (6, 0), (1, 2, 3, 4), "e"),
)


def write_models(folder: Path) -> None:
    """The models that trainers begin with, without dropout."""
    write_bert(folder / "bert", num_hidden_layers=2, hidden_size=32, **NO_DROPOUT)
    write_bert(folder / "span_bert", NAME_WORDS, hidden_size=32, num_hidden_layers=2, **NO_DROPOUT)
    write_masked_bert(folder / "masked", initializer_range=0.5, **NO_DROPOUT)
    write_t5(folder / "t5")


def episodic(folder: Path, options: Options) -> Any:
    """A trainer of relations with none of the above."""
    model, tokenizer = FewShotModel.from_encoder(folder / "bert", "threshold", max_length=24)
    arguments = EpisodicTrainingArguments(learning_rate=0.05, warmup_steps=0, optim="sgd", **options)
    return EpisodicTrainer(model, arguments, processing_class=tokenizer, train_dataset=RELATION_EPISODES)


def pairs(folder: Path, options: Options) -> Any:
    """A trainer of pairs of sentences, with L2 of the head."""
    model, tokenizer = FewShotModel.from_encoder(folder / "bert", "sentence_pair", max_length=48)
    model.method.dropout.p = 0.0
    own = {"learning_rate": 0.05, "warmup_steps": 0, "optim": "sgd", "head_l2": 0.1}
    arguments = EpisodicTrainingArguments(**own | options)
    return EpisodicTrainer(model, arguments, processing_class=tokenizer, train_dataset=RELATION_EPISODES)


def joint(folder: Path, options: Options, **method: Any) -> Any:
    """A trainer of intents and slots."""
    model, tokenizer = JointModel.from_encoder(folder / "bert", "joint_proto", max_length=24, **method)
    arguments = JointTrainingArguments(
        **{"learning_rate": 0.05, "warmup_steps": 0, "optim": "sgd", "max_grad_value": None} | options
    )
    return JointTrainer(model, arguments, processing_class=tokenizer, train_dataset=JOINT_EPISODES)


def joint_unfrozen(folder: Path, options: Options) -> Any:
    """The same whose encoder begins to learn in the second epoch."""
    return joint(folder, options | {"unfreezing_groups": 1})


def joint_cdt(folder: Path, options: Options) -> Any:
    """The same with transitions that are learned."""
    return joint(folder, options, transitions="cdt", dependency=True)


def pretrainer(folder: Path, options: Options) -> Any:
    """A trainer of all utterances as one set."""
    model, tokenizer = JointModel.from_encoder(folder / "bert", "joint_proto", max_length=24)
    rates = {"learning_rate": 0.05, "head_learning_rate": 0.05, "warmup_steps": 0, "optim": "sgd"}
    rows = Dataset.from_list(JOINT[:5])
    return JointPretrainer(
        model, JointPretrainingArguments(**rates, **options), processing_class=tokenizer, train_dataset=rows
    )


def tagger(folder: Path, options: Options) -> Any:
    """A trainer of a token classifier."""
    sentences = Dataset.from_list(TAGGED[:5])
    model, tokenizer = tagger_from_encoder(folder / "bert", sentences)
    arguments = TaggerTrainingArguments(learning_rate=0.05, warmup_steps=0, optim="sgd", max_length=24, **options)
    return TaggerTrainer(model, arguments, processing_class=tokenizer, train_dataset=sentences)


def spans(folder: Path, options: Options) -> Any:
    """A trainer of spans."""
    return fewer(span_trainer(folder / "span_bert", options))


def prompts(folder: Path, options: Options) -> Any:
    """A trainer of prompts."""
    return fewer(prompt_trainer(folder / "masked", options))


def text_to_text(folder: Path, options: Options) -> Any:
    """A trainer of text to text."""
    return fewer(text_to_text_trainer(folder / "t5", options))


def language_model(folder: Path, options: Options) -> Any:
    """A trainer of an adapter."""
    return fewer(lm_trainer(**options))


def fewer(trainer: Any) -> Any:
    """The trainer with the first five of its rows."""
    trainer.train_dataset = trainer.train_dataset[:5]
    return trainer


TRAINERS: dict[str, Callable[[Path, Options], Any]] = {
    "episodic": episodic,
    "pairs": pairs,
    "joint": joint,
    "joint_unfrozen": joint_unfrozen,
    "joint_cdt": joint_cdt,
    "pretrainer": pretrainer,
    "tagger": tagger,
    "spans": spans,
    "prompts": prompts,
    "text_to_text": text_to_text,
    "language_model": language_model,
}


def make(kind: str, folder: Path, batch_size: int, accumulated: int = 1, **more: Any) -> Any:
    """A trainer of batches of so many rows for each process; nothing is clipped, which would hide a wrong size."""
    torch.manual_seed(0)
    return TRAINERS[kind](
        folder,
        {
            "output_dir": "out",
            "num_train_epochs": 2,
            "max_steps": -1,
            "per_device_train_batch_size": batch_size,
            "gradient_accumulation_steps": accumulated,
            "max_grad_norm": 1e9,
            "use_cpu": True,
            "report_to": "none",
            "disable_tqdm": True,
            "save_strategy": "no",
            "logging_steps": 1,
            "seed": 7,
        }
        | more,
    )


def train(trainer: Any) -> dict[str, Any]:
    """What training leads to."""
    before = {name: value.clone() for name, value in trainer.model.state_dict().items()}
    trainer.train()
    steps = [row for row in trainer.state.log_history if "loss" in row]
    return {
        "process": (trainer.accelerator.process_index, trainer.accelerator.num_processes),
        "losses": [row["loss"] for row in steps],
        "norms": [row["grad_norm"] for row in steps],
        "before": before,
        "weights": trainer.model.state_dict(),
        "mean_loss": trainer.mean_loss(trainer.train_dataset),
    }
