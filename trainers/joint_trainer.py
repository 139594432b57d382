"""Learns intents and slots from training episodes: FewJoint's meta-learning (Hou et al., 2020, Section 4)."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from transformers import TrainerCallback

from hf_fewshot.models.joint_inputs import JointCollator
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments
from hf_fewshot.trainers.unfreezing import GradualUnfreezing, layer_groups


@dataclass
class JointTrainingArguments(EpisodicTrainingArguments):
    """Arguments of `JointTrainer`. Defaults are FewJoint's."""

    learning_rate: float = field(default=1e-5, metadata={"help": "Learning rate of the encoder."})
    head_learning_rate: float | None = field(
        default=1e-3, metadata={"help": "Learning rate of what is above the encoder; None: that of the encoder."}
    )
    num_train_epochs: float = field(default=4, metadata={"help": "Passes over the training episodes."})
    max_grad_norm: float = field(default=0.0, metadata={"help": "Largest norm of all gradients; 0: any."})
    max_grad_value: float | None = field(default=5.0, metadata={"help": "Largest value of a gradient; None: any."})
    unfreezing_groups: int = field(
        default=0,
        metadata={
            "help": "Groups of layers that begin to learn one per epoch, from the top and after an epoch without the "
            "encoder (gradual unfreezing); 0: all learn from the beginning."
        },
    )
    metric_for_best_model: str | None = field(
        default="sentence_accuracy", metadata={"help": "Score that chooses the checkpoint."}
    )

    def __post_init__(self) -> None:
        if self.unfreezing_groups < 0:
            raise ValueError(f"unfreezing_groups={self.unfreezing_groups}, but it must be 0 or more.")
        if self.max_steps <= 0 and 0 < self.num_train_epochs <= self.unfreezing_groups:
            raise ValueError(
                f"unfreezing_groups={self.unfreezing_groups} releases its last group after as many epochs, but the "
                f"training has num_train_epochs={self.num_train_epochs:g}. Raise these, or lower the groups."
            )
        super().__post_init__()


class GradientClipping(TrainerCallback):
    """Cuts gradients off at a value."""

    def __init__(self, accelerator: Any, value: float) -> None:
        self.accelerator = accelerator
        self.value = value

    def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.accelerator.clip_grad_value_(kwargs["model"].parameters(), self.value)


class JointTrainer(EpisodicTrainer):
    """Trains a `JointModel` on joint episodes, evaluates as FewJoint does."""

    args: JointTrainingArguments
    collator_class: ClassVar[Any] = JointCollator

    def __init__(self, model: Any, args: JointTrainingArguments, **options: Any) -> None:
        if not isinstance(model, JointModel):
            raise ValueError(f"JointTrainer needs a JointModel, got a {type(model).__name__}.")
        if model.method.part != "joint" and args.metric_for_best_model == "sentence_accuracy":
            args.metric_for_best_model = {"intent": "intent_accuracy", "slots": "slot_f1"}[model.method.part]
        super().__init__(model, args, **options)
        if args.max_grad_value is not None:
            self.add_callback(GradientClipping(self.accelerator, args.max_grad_value))
        if args.unfreezing_groups:
            self.add_callback(GradualUnfreezing(layer_groups(model.encoder, args.unfreezing_groups)))
