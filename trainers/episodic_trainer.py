"""Learns a few-shot method from training episodes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase, Trainer, TrainingArguments
from transformers.trainer_utils import PredictionOutput

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import InputBuilder
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.references import references
from hf_fewshot.episodes.scoring import score
from hf_fewshot.methods.training_data import TrainingData
from hf_fewshot.models.episode_batch import EpisodeBatch, EpisodeBatcher
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.method_model import MethodModel
from hf_fewshot.models.pairs import pair_inputs
from hf_fewshot.systems.episodic import EpisodicSystem
from hf_fewshot.systems.system import predict
from hf_fewshot.trainers.card_mixin import CardMixin
from hf_fewshot.trainers.device_mixin import DeviceMixin
from hf_fewshot.trainers.early_stopping import EarlyStopping
from hf_fewshot.trainers.finite_mixin import FiniteMixin
from hf_fewshot.trainers.fresh_episodes import EpochSampler, FreshEpisodes
from hf_fewshot.trainers.head_decay import HeadDecay
from hf_fewshot.trainers.lean_step_mixin import LeanStepMixin
from hf_fewshot.trainers.whole_step_mixin import WholeStepMixin

# It is on the scale of scores: no weight, to be decayed and moved like one.
THRESHOLD = "method.threshold"


@dataclass
class EpisodicTrainingArguments(TrainingArguments):
    """Arguments of `EpisodicTrainer`; a batch is a number of episodes. Defaults are Few-NERD's."""

    learning_rate: float = field(default=1e-4, metadata={"help": "Learning rate of the encoder."})
    weight_decay: float = field(default=0.01, metadata={"help": "Weight decay of all weights but biases and norms."})
    warmup_steps: float = field(default=0.1, metadata={"help": "Steps of linear warm-up, or their share if below 1."})
    per_device_train_batch_size: int = field(default=4, metadata={"help": "Episodes per process and step."})
    remove_unused_columns: bool = field(default=False, metadata={"help": "Must stay False: rows are episodes."})
    metric_for_best_model: str | None = field(default="f1", metadata={"help": "Score that chooses the checkpoint."})
    head_learning_rate: float | None = field(
        default=None, metadata={"help": "Learning rate of the method's own parameters; None: that of the encoder."}
    )
    threshold_learning_rate: float = field(
        default=0.1, metadata={"help": "Learning rate of Threshold's number, which is on the scale of scores."}
    )
    head_l2: float = field(
        default=0.0,
        metadata={"help": "Adds so much of the squares of the method's own weights to the loss (Sabo et al.: 1e-3)."},
    )
    fresh_episodes: bool = field(
        default=False,
        metadata={"help": "Draw as many new episodes for every epoch; else all epochs have the same."},
    )
    early_stopping_patience: int | None = field(
        default=None, metadata={"help": "Stop after so many evaluations without a better score; None: never."}
    )
    init_from_data: bool = field(
        default=True,
        metadata={"help": "Let methods that can (MNAV, StructShot) begin with training examples."},
    )

    def __post_init__(self) -> None:
        if self.remove_unused_columns:
            raise ValueError("remove_unused_columns must stay False: a batch is made of episodes, not of columns.")
        if self.early_stopping_patience is not None:
            self.load_best_model_at_end = True
        if self.head_l2 and self.fp16:
            raise ValueError(
                "head_l2 needs the true gradients, but those of fp16 are scaled. Use bf16, or leave it out."
            )
        super().__post_init__()


class EpisodeCollator:
    """A batch of episodes; each distinct example is tokenized once."""

    def __init__(self, model: FewShotModel, tokenizer: PreTrainedTokenizerBase, episodes: EpisodeSet) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.episodes = episodes
        self.batcher = EpisodeBatcher(episodes, model.config.representation)
        self.is_pair = model.config.representation == "pair"
        if not self.is_pair:
            config = model.config
            self.builder = InputBuilder(tokenizer, config.representation, config.max_length, model.pooling)

    def __call__(self, batch: Sequence[Episode]) -> dict[str, Any]:
        """The arguments of `FewShotModel.forward`."""
        inputs, episodes = self.read(batch)
        return {**inputs.by_name(), **episodes.by_name()}

    def read(self, batch: Sequence[Episode]) -> tuple[EncoderInputs, EpisodeBatch]:
        """What an encoder reads of some episodes, and the episodes."""
        if self.is_pair:
            pairs, rows = pair_inputs(self.model, self.tokenizer, self.episodes.examples, batch)
            return pairs, replace(self.batcher(batch), query_rows=rows)
        used = self.batcher.used(batch)
        inputs = self.builder(self.batcher.sentences(used))
        starts = np.zeros(len(self.batcher.lengths), dtype=np.int64)
        starts[used] = inputs.offsets[:-1]
        return EncoderInputs.padded(inputs, self.tokenizer.pad_token_id), self.batcher(batch, starts)


class EpisodicTrainer(CardMixin, FiniteMixin, WholeStepMixin, LeanStepMixin, DeviceMixin, Trainer):
    """Trains on episodes, evaluates on episodes with the metric of the task.

    Args:
        model: a `FewShotModel`.
        args: `EpisodicTrainingArguments`.
        processing_class: the model's tokenizer.
        train_dataset: training episodes. Their ways, shots and rate of none-of-the-above may differ from those of the
            evaluation.
        eval_dataset: episodes on which checkpoints are compared.
    """

    args: EpisodicTrainingArguments
    processing_class: PreTrainedTokenizerBase
    collator_class: ClassVar[Any] = EpisodeCollator

    def __init__(
        self,
        model: MethodModel,
        args: EpisodicTrainingArguments,
        *,
        processing_class: PreTrainedTokenizerBase,
        train_dataset: EpisodeSet | None = None,
        eval_dataset: EpisodeSet | None = None,
        **options: Any,
    ) -> None:
        collator = None if train_dataset is None else self.collator_class(model, processing_class, train_dataset)
        self.epochs = None
        if args.fresh_episodes and train_dataset is not None:
            train_dataset = FreshEpisodes.of(train_dataset)
            self.epochs = EpochSampler(len(train_dataset))
        super().__init__(
            model=model,
            args=args,
            processing_class=processing_class,
            train_dataset=train_dataset,
            eval_dataset=eval_dataset,
            data_collator=collator,
            **options,
        )
        if self.epochs is not None:
            self.add_callback(self.epochs)
        if args.head_l2:
            self.add_callback(HeadDecay(args.head_l2))
        if args.early_stopping_patience is not None:
            self.add_callback(EarlyStopping(args.early_stopping_patience))
        if args.init_from_data and train_dataset is not None:
            examples, none = train_dataset.examples, train_dataset.spec.get("nota_class")
            model.method.begin(
                TrainingData(
                    examples,
                    model,
                    processing_class,
                    args.seed,
                    self.accelerator,
                    episodes=train_dataset,
                    nota_class=none,
                )
            )

    def loss_counts(self, batch: dict[str, Any]) -> torch.Tensor:
        return self.accelerator.unwrap_model(self.model).loss_counts(batch)

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        return super()._get_train_sampler(train_dataset) if self.epochs is None else self.epochs

    def create_optimizer(self, model: Any = None) -> torch.optim.Optimizer:
        """AdamW with the papers' groups: no decay of biases and norms, rates of their own for the method's parts."""
        owner: Any = self.model if model is None else model
        rates = {name: self._rate(name) for name, own in owner.named_parameters() if own.requires_grad}
        has_own_groups = THRESHOLD in rates or set(rates.values()) != {self.args.learning_rate}
        if self.optimizer is None and has_own_groups:
            decayed = set(self.get_decay_parameter_names(owner)) - {THRESHOLD}
            groups: dict[tuple[float, bool], list[torch.nn.Parameter]] = {}
            for name, parameter in owner.named_parameters():
                if name in rates:
                    groups.setdefault((rates[name], name in decayed), []).append(parameter)
            optimizer, options = self.get_optimizer_cls_and_kwargs(self.args, owner)
            self.optimizer = optimizer(
                [
                    {"params": own, "lr": rate, "weight_decay": self.args.weight_decay if decay else 0.0}
                    for (rate, decay), own in groups.items()
                ],
                **options,
            )
        return super().create_optimizer(model)

    def _rate(self, name: str) -> float:
        """The learning rate of a parameter."""
        if name == THRESHOLD:
            return self.args.threshold_learning_rate
        of_head = self.args.head_learning_rate
        return self.args.learning_rate if of_head is None or name.startswith("encoder.") else of_head

    def evaluate(
        self, eval_dataset: Any = None, ignore_keys: Any = None, metric_key_prefix: str = "eval"
    ) -> dict[str, float]:
        """The scores of the task on evaluation episodes."""
        episodes = self.eval_dataset if eval_dataset is None else eval_dataset
        metrics = self.predict(episodes, metric_key_prefix=metric_key_prefix).metrics or {}
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def predict(self, test_dataset: Any, ignore_keys: Any = None, metric_key_prefix: str = "test") -> PredictionOutput:
        """The predictions of each episode's queries, what would be right, and the scores of the task."""
        if not isinstance(test_dataset, EpisodeSet):
            raise ValueError(
                f"Evaluation needs an EpisodeSet as {metric_key_prefix}_dataset, got {type(test_dataset).__name__}."
            )
        system = EpisodicSystem(self.accelerator.unwrap_model(self.model), self.processing_class)
        shown = not self.args.disable_tqdm
        predictions: Any = predict(system, test_dataset, accelerator=self.accelerator, progress=shown)
        scores = score(test_dataset, predictions)
        metrics = {f"{metric_key_prefix}_{name}": value for name, value in scores.items() if "/" not in name}
        # Lists of lists, where the Trainer's own are arrays.
        found: Any = predictions
        right: Any = list(references(test_dataset))
        return PredictionOutput(found, right, metrics)
