"""Prompt-based fine-tuning of a masked language model as a system."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from datasets import Dataset
from transformers import AutoModelForMaskedLM

from hf_fewshot.clozes.cloze import Cloze, load_cloze, load_clozes
from hf_fewshot.clozes.inputs import ClozeInputBuilder, Demonstrations, Row
from hf_fewshot.clozes.masked_lm import label_scores, load_masked_lm
from hf_fewshot.encoding.evaluation_mode import evaluation_mode
from hf_fewshot.models.encoder_model import check_positions, n_positions
from hf_fewshot.systems.fold_system import FoldSystem, Model
from hf_fewshot.systems.model_outline import outline
from hf_fewshot.systems.system import Asked, TrainedBy
from hf_fewshot.systems.training import chosen_arguments
from hf_fewshot.systems.work import Work

# Without training arguments that would say it; no cloze without demonstrations is that long.
MAX_LENGTH = 512
TRAINER = "hf_fewshot.trainers.prompt_trainer"
ROWS_AT_ONCE = 16
# Behind the name of a template that has the description of its task.
DESCRIBED = "_described"


@dataclass(frozen=True)
class ClozeOptions:
    """How rows become clozes.

    Args:
        template: the name of a template; none: that of the benchmark's configuration, without examples the one with
            the description of the task.
        file: a YAML file with templates of one's own.
        new_head: let an encoder without a masked-language-model head have a new, untrained one.
    """

    template: str | None = None
    file: str | None = None
    new_head: bool = False

    def __post_init__(self) -> None:
        if self.template is not None:
            load_cloze(self.template, self.file)
        elif self.file is not None:
            load_clozes(self.file)


class ClozeSystem(FoldSystem):
    """Fills in the word of a label; without examples as the model knows it.

    Args:
        model: a masked language model.
        tokenizer: the model's.
        cloze: the template and the words of the labels.
        demonstrations: training rows to show behind each row; None: nothing is shown.
        n_draws: over how many draws of demonstrations the probabilities are averaged (LM-BFF: 16).
        max_length: tokens of a filled template.
        seed: of the draws.
    """

    zero_shot = True
    Options = ClozeOptions

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        cloze: Cloze,
        *,
        demonstrations: Sequence[Row] | None = None,
        n_draws: int = 16,
        max_length: int = MAX_LENGTH,
        seed: int = 0,
    ) -> None:
        super().__init__(model, tokenizer)
        self.builder = ClozeInputBuilder(tokenizer, cloze, max_length)
        self.demonstrations = None if demonstrations is None else Demonstrations(cloze, demonstrations)
        self.n_draws = n_draws
        self.seed = seed

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return TrainedBy(f"{TRAINER}:PromptTrainer", f"{TRAINER}:PromptTrainingArguments")

    @classmethod
    def check(cls, asked: Asked) -> None:
        _cloze(asked.options, asked.config.name, asked.config.has_examples)

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        model = outline(AutoModelForMaskedLM, folder, "a masked language model")
        if model.config.architectures == [type(model.base_model).__name__] and not asked.options.new_head:
            raise ValueError(
                f"It was saved as a {model.config.architectures[0]}, without a masked-language-model head. Use a "
                "checkpoint that has one, or new_head=True to train one from the start."
            )
        if asked.config.has_examples:
            check_positions(model, **chosen_arguments(asked, cls, "max_length"))

    @classmethod
    def fit(cls, work: Work) -> Self:
        if work.data.has_examples:
            return super().fit(work)
        if work.options.new_head:
            raise ValueError("new_head=True, but there are no examples to train it on. Use a model that has its head.")
        model, tokenizer = load_masked_lm(work.model)
        longest = min(n_positions(model) or MAX_LENGTH, MAX_LENGTH)
        return cls(model, tokenizer, _cloze_of(work), max_length=longest)

    @classmethod
    def made(cls, work: Work, model: Model, rows: Dataset) -> Self:
        options = chosen_arguments(work, cls, "demonstrations", "n_draws", "max_length")
        options["demonstrations"] = list(rows) if options["demonstrations"] else None
        return cls(*model, _cloze_of(work), seed=work.seed, **options)

    @classmethod
    def train(cls, work: Work, rows: Dataset, checkpoints: Path) -> Model:
        cloze = _cloze_of(work)
        model, tokenizer = load_masked_lm(work.model, new_head=work.options.new_head)
        cls._train(work, checkpoints, model=model, cloze=cloze, processing_class=tokenizer, train_dataset=rows)
        return model, tokenizer

    @classmethod
    def load(cls, folder: Path) -> Model:
        return load_masked_lm(folder)

    @torch.inference_mode()
    def answers(self, questions: Sequence[dict[str, Any]]) -> list[list[str]]:
        """The label of each row, as its one answer."""
        rows, shown, labels = list(questions), self.demonstrations, list(self.builder.cloze.labels)
        check_positions(self.model, self.builder.max_length)
        total = torch.zeros(len(rows), len(labels))
        with evaluation_mode(self.model):
            for draw in range(1 if shown is None else self.n_draws):
                for begin in range(0, len(rows), ROWS_AT_ONCE):
                    part = range(begin, min(begin + ROWS_AT_ONCE, len(rows)))
                    drawn = [
                        [] if shown is None else shown.draw(np.random.default_rng([self.seed, number, draw]))
                        for number in part
                    ]
                    batch = self.builder([rows[number] for number in part], drawn).to(self.model.device)
                    scores = label_scores(self.model, batch, self.builder.label_tokens)
                    total[part.start : part.stop] += scores.softmax(1).cpu()
        return [[labels[number]] for number in total.argmax(1).tolist()]


def _cloze(options: ClozeOptions, config: str, has_examples: bool) -> Cloze:
    return load_cloze(options.template or (config if has_examples else f"{config}{DESCRIBED}"), options.file)


def _cloze_of(work: Work) -> Cloze:
    return _cloze(work.options, work.data.config_name, work.data.has_examples)
