"""What each trainer is given by benchmarks/training.py: a model, sample data, and how a plain loop computes its loss.

Encoders are the one that is asked for. T5 and Llama have random weights and sizes near that encoder's, with its
vocabulary: steps of training take as long as with learned ones.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch
from transformers import BertForMaskedLM, LlamaConfig, LlamaForCausalLM, T5Config, T5ForConditionalGeneration

import hf_fewshot
from hf_fewshot import trainers
from hf_fewshot.adapters.answered_prompts import AnsweredPrompt
from hf_fewshot.adapters.batches import answer_loss
from hf_fewshot.adapters.lora import Lora, with_adapter
from hf_fewshot.clozes.cloze import load_cloze
from hf_fewshot.clozes.inputs import ClozeBatch, ClozeInputBuilder
from hf_fewshot.clozes.masked_lm import label_scores
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.trainers.tagger_trainer import tagger_from_encoder
from hf_fewshot.trainers.text_to_text_trainer import token_loss

EIGHT = {"per_device_train_batch_size": 8}
T5_SIZES = {"d_model": 384, "d_kv": 32, "d_ff": 1536, "num_layers": 4, "num_heads": 12}
LLAMA_SIZES = {"hidden_size": 384, "intermediate_size": 1536, "num_hidden_layers": 6, "num_attention_heads": 12}


def own_loss(model: Any, batch: dict[str, Any]) -> torch.Tensor:
    """What the model itself says."""
    return model(**batch)["loss"]


class Training(NamedTuple):
    """A trainer and all that it is made of.

    Args:
        options: of its arguments.
        extra: what only this trainer takes.
        loss: of a model on a batch, as a plain loop computes it.
    """

    trainer: Any
    arguments: Any
    model: Any
    tokenizer: Any
    data: Any
    options: Mapping[str, Any] = EIGHT
    extra: Mapping[str, Any] = {}
    loss: Callable[[Any, dict[str, Any]], torch.Tensor] = own_loss


def episodic(encoder: Any) -> Training:
    episodes = hf_fewshot.load_episodes(
        "few_nerd", "inter", split="train", n_way=5, shots=1, n_episodes=200, sample=True, episodes="sampled"
    )
    made = hf_fewshot.FewShotModel.from_encoder(encoder, "proto")
    one = {"per_device_train_batch_size": 1}
    return Training(trainers.EpisodicTrainer, trainers.EpisodicTrainingArguments, *made, episodes, one)


def joint(encoder: Any) -> Training:
    episodes = hf_fewshot.load_episodes("fewjoint", split="train", shots=1, sample=True)
    made = hf_fewshot.JointModel.from_encoder(encoder, "joint_proto")
    one = {"per_device_train_batch_size": 1}
    return Training(trainers.JointTrainer, trainers.JointTrainingArguments, *made, episodes, one)


def joint_pretraining(encoder: Any) -> Training:
    utterances = hf_fewshot.load_episodes("fewjoint", split="train", shots=1, sample=True).examples
    made = hf_fewshot.JointModel.from_encoder(encoder, "joint_proto")
    return Training(trainers.JointPretrainer, trainers.JointPretrainingArguments, *made, utterances)


def tagger(encoder: Any) -> Training:
    rows = hf_fewshot.load_dataset("few_nerd", "inter", split="train", sample=True)
    return Training(
        trainers.TaggerTrainer, trainers.TaggerTrainingArguments, *tagger_from_encoder(encoder, rows), rows
    )


def spans(encoder: Any) -> Training:
    made = SpanModel.from_encoder(encoder, max_length=128)
    return Training(trainers.SpanTrainer, trainers.SpanTrainingArguments, *made, clues("conll03"))


def prompts(encoder: Any) -> Training:
    tokenizer, cloze = load_tokenizer(encoder), load_cloze("sst2")
    words = ClozeInputBuilder(tokenizer, cloze, 128).label_tokens

    def loss(model: Any, batch: dict[str, Any]) -> torch.Tensor:
        read = ClozeBatch(**{name: part for name, part in batch.items() if name != "labels"})
        return torch.nn.functional.cross_entropy(label_scores(model, read, words), batch["labels"])

    return Training(
        trainers.PromptTrainer,
        trainers.PromptTrainingArguments,
        BertForMaskedLM.from_pretrained(encoder),
        tokenizer,
        clues("sst2"),
        {**EIGHT, "max_length": 128},
        {"cloze": cloze},
        loss,
    )


def text_to_text(encoder: Any) -> Training:
    tokenizer = load_tokenizer(encoder)
    torch.manual_seed(0)
    config = T5Config(vocab_size=len(tokenizer), decoder_start_token_id=tokenizer.pad_token_id, **T5_SIZES)

    def loss(model: Any, batch: dict[str, Any]) -> torch.Tensor:
        outputs = model(**{name: part for name, part in batch.items() if name != "labels"})
        return token_loss(outputs, batch["labels"])

    kind, arguments = trainers.TextToTextTrainer, trainers.TextToTextTrainingArguments
    return Training(kind, arguments, T5ForConditionalGeneration(config), tokenizer, clues("conll03"), loss=loss)


def language_model(encoder: Any) -> Training:
    tokenizer = load_tokenizer(encoder)
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), **LLAMA_SIZES))
    examples = []
    for row in clues("sst2"):
        asked = tokenizer(f"{row['context'][0]} {row['question']}")["input_ids"]
        answer = tokenizer(row["answers"][0], add_special_tokens=False)["input_ids"]
        examples.append(AnsweredPrompt([*asked, *answer], len(answer)))

    def loss(model: Any, batch: dict[str, Any]) -> torch.Tensor:
        outputs = model(**{name: part for name, part in batch.items() if name != "labels"})
        return answer_loss(outputs, batch["labels"])

    adapted = with_adapter(model, Lora(), seed=0)
    return Training(trainers.LmTrainer, trainers.LmTrainingArguments, adapted, tokenizer, examples, loss=loss)


def clues(config: str) -> list[dict[str, Any]]:
    """Rows of sample data."""
    return hf_fewshot.load_dataset("clues", config, shots=30, sample=True)["train"].to_list()


TRAININGS: dict[str, Callable[[Any], Training]] = {
    "EpisodicTrainer": episodic,
    "JointTrainer": joint,
    "JointPretrainer": joint_pretraining,
    "TaggerTrainer": tagger,
    "SpanTrainer": spans,
    "PromptTrainer": prompts,
    "TextToTextTrainer": text_to_text,
    "LmTrainer": language_model,
}
