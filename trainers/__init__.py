"""Trainers of few-shot methods: subclasses of `transformers.Trainer`, each beside its arguments."""

from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments
from hf_fewshot.trainers.joint_pretrainer import JointPretrainer, JointPretrainingArguments
from hf_fewshot.trainers.joint_trainer import JointTrainer, JointTrainingArguments
from hf_fewshot.trainers.lm_trainer import LmTrainer, LmTrainingArguments
from hf_fewshot.trainers.prompt_trainer import PromptTrainer, PromptTrainingArguments
from hf_fewshot.trainers.span_trainer import SpanTrainer, SpanTrainingArguments
from hf_fewshot.trainers.tagger_trainer import TaggerTrainer, TaggerTrainingArguments
from hf_fewshot.trainers.text_to_text_trainer import TextToTextTrainer, TextToTextTrainingArguments

__all__ = [
    "EpisodicTrainer",
    "EpisodicTrainingArguments",
    "JointPretrainer",
    "JointPretrainingArguments",
    "JointTrainer",
    "JointTrainingArguments",
    "LmTrainer",
    "LmTrainingArguments",
    "PromptTrainer",
    "PromptTrainingArguments",
    "SpanTrainer",
    "SpanTrainingArguments",
    "TaggerTrainer",
    "TaggerTrainingArguments",
    "TextToTextTrainer",
    "TextToTextTrainingArguments",
]
