"""Prompt-based fine-tuning of CLUES: a masked language model learns to fill in templates (Mukherjee et al., 2021)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase, TrainerCallback, TrainingArguments

from hf_fewshot.clozes.cloze import Cloze
from hf_fewshot.clozes.inputs import ClozeBatch, ClozeInputBuilder, Demonstrations
from hf_fewshot.clozes.masked_lm import label_scores
from hf_fewshot.models.encoder_model import check_positions
from hf_fewshot.systems.clozes import ClozeSystem
from hf_fewshot.trainers.answer_trainer import AnswerTrainer

N_DRAWS = 16


@dataclass
class PromptTrainingArguments(TrainingArguments):
    """Arguments of `PromptTrainer`; a batch is a number of rows. Defaults are those of CLUES."""

    learning_rate: float = field(default=1e-5, metadata={"help": "Learning rate (paper: 1e-5)."})
    num_train_epochs: float = field(default=20, metadata={"help": "Passes over the training rows (paper: 20)."})
    per_device_train_batch_size: int = field(default=8, metadata={"help": "Rows per process and step (paper: 8)."})
    remove_unused_columns: bool = field(default=False, metadata={"help": "Must stay False: rows fill in templates."})
    metric_for_best_model: str | None = field(default="s1", metadata={"help": "Score that chooses the checkpoint."})
    max_length: int = field(default=512, metadata={"help": "Tokens of a sequence with demonstrations (paper: 512)."})
    demonstrations: bool = field(
        default=True, metadata={"help": "Show a training row of each label behind every row, drawn anew each time."}
    )
    n_draws: int = field(
        default=N_DRAWS, metadata={"help": "Draws of demonstrations over which predictions are averaged (LM-BFF: 16)."}
    )

    def __post_init__(self) -> None:
        if not self.demonstrations and self.n_draws != N_DRAWS:
            raise ValueError(f"n_draws={self.n_draws}, but demonstrations=False shows nothing to draw. Leave it out.")
        super().__post_init__()


class PromptCollator(TrainerCallback):
    """Numbers of training rows as a padded batch of clozes.

    What is shown behind a row depends on the seed, the epoch and the row alone: processes that share a batch draw what
    one process would. The Trainer tells the epoch.
    """

    def __init__(self, builder: ClozeInputBuilder, rows: Sequence[dict[str, Any]], shows: bool, seed: int) -> None:
        self.builder = builder
        self.rows = rows
        self.demonstrations = Demonstrations(builder.cloze, rows)
        self.shows = shows
        self.seed = seed
        # In shared memory, for data loader workers that outlive an epoch.
        self.epoch = torch.zeros(1, dtype=torch.long).share_memory_()
        names = list(builder.cloze.labels)
        self.labels = [names.index(builder.cloze.label_of(row)) for row in rows]

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Draws anew."""
        self.epoch.fill_(int(state.epoch or 0))

    def __call__(self, numbers: Sequence[int]) -> dict[str, torch.Tensor]:
        batch = self.builder([self.rows[n] for n in numbers], [self.shown(n) for n in numbers])
        return {**batch.by_name(), "labels": torch.tensor([self.labels[n] for n in numbers])}

    def shown(self, number: int) -> list[Any]:
        """The demonstrations behind a row in this epoch."""
        if not self.shows:
            return []
        return self.demonstrations.draw(np.random.default_rng([self.seed, int(self.epoch), number]), without=number)


class PromptTrainer(AnswerTrainer):
    """Trains a masked language model on rows with `context`, `question` and one of a template's labels as answer.

    Evaluates with S1, which for one answer is the accuracy.
    """

    args: PromptTrainingArguments

    def __init__(
        self,
        model: PreTrainedModel,
        args: PromptTrainingArguments,
        *,
        cloze: Cloze,
        processing_class: PreTrainedTokenizerBase,
        train_dataset: Any = None,
        **options: Any,
    ) -> None:
        check_positions(model, args.max_length)
        self.builder = ClozeInputBuilder(processing_class, cloze, args.max_length)
        self.train_rows = None if train_dataset is None else list(train_dataset)
        collator = PromptCollator(self.builder, self.train_rows or [], args.demonstrations, args.seed)
        super().__init__(
            model=model,
            args=args,
            processing_class=processing_class,
            train_dataset=None if self.train_rows is None else list(range(len(self.train_rows))),
            data_collator=collator,
            **options,
        )
        self.add_callback(collator)

    def loss_means(self, model: Any, inputs: dict[str, Any]) -> tuple[torch.Tensor, Any]:
        """Cross-entropy over the words of the labels, a mean over rows."""
        batch = ClozeBatch(**{name: part for name, part in inputs.items() if name != "labels"})
        scores = label_scores(model, batch, self.builder.label_tokens)
        return torch.nn.functional.cross_entropy(scores, inputs["labels"]).reshape(1), {"logits": scores}

    def answers(self, rows: Sequence[dict[str, Any]]) -> list[list[str]]:
        """The labels by the model as it is now; demonstrations are training rows."""
        if self.args.demonstrations and self.train_rows is None:
            raise ValueError("Demonstrations are training rows: give train_dataset, or demonstrations=False.")
        system = ClozeSystem(
            self.accelerator.unwrap_model(self.model),
            self.processing_class,
            self.builder.cloze,
            demonstrations=self.train_rows if self.args.demonstrations else None,
            n_draws=self.args.n_draws,
            max_length=self.args.max_length,
            seed=self.args.seed,
        )
        return system.answers(rows)
