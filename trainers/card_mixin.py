"""The card of a trained model, in place of the one that `transformers` writes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from hf_fewshot.cards.model_card import ModelFacts, model_card
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.measures import MEASURES, percent

# The arguments that a reader looks for first; all of them are in training_args.bin.
ARGUMENTS = (
    "learning_rate",
    "head_learning_rate",
    "num_train_epochs",
    "max_steps",
    "per_device_train_batch_size",
    "gradient_accumulation_steps",
    "weight_decay",
    "warmup_steps",
    "seed",
    "bf16",
    "fp16",
)


class CardMixin:
    """Makes `create_model_card`, and with it `push_to_hub`, write our card.

    `records` are the runs whose results it shows; without any it shows the scores of the last evaluation.
    """

    args: Any
    state: Any
    accelerator: Any
    model: Any
    train_dataset: Any
    # Where the training data does not say it.
    task: ClassVar[str | None] = None
    records: Sequence[Record] = ()

    def create_model_card(
        self,
        language: str | None = None,
        license: str | None = None,
        tags: str | list[str] | None = None,
        model_name: str | None = None,
        finetuned_from: str | None = None,
        tasks: str | list[str] | None = None,
        dataset_tags: str | list[str] | None = None,
        dataset: str | list[str] | None = None,
        dataset_args: str | list[str] | None = None,
    ) -> None:
        """Writes README.md into the output folder. What it says of data and results comes from `records` alone."""
        for said in (tasks, dataset_tags, dataset, dataset_args):
            if said is not None:
                raise ValueError(f"The card takes tasks and data from records of runs, got {said!r}. Set `records`.")
        if not self.is_world_process_zero():  # type: ignore[attr-defined]
            return
        folder = Path(self.args.output_dir)
        model = self.accelerator.unwrap_model(self.model)
        facts = ModelFacts(
            name=getattr(self, "hub_model_id", None) or model_name or folder.name,
            config=_config(model),
            task=getattr(self.train_dataset, "task", self.task),
            base_model=finetuned_from or model.config.name_or_path or None,
            license=license,
            language=language,
            tags=[tags] if isinstance(tags, str) else tags or (),
            training=self._arguments(),
            scores=self._scores(),
        )
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "README.md").write_text(str(model_card(self.records, facts)), encoding="utf-8")

    def _arguments(self) -> dict[str, Any]:
        known = {name: getattr(self.args, name, None) for name in ARGUMENTS}
        arguments = {name: value for name, value in known.items() if value not in (None, False, -1)}
        return {**arguments, "steps": self.state.global_step}

    def _scores(self) -> dict[str, float]:
        evaluations = [one for one in self.state.log_history if any(name.startswith("eval_") for name in one)]
        last = evaluations[-1] if evaluations else {}
        return {label: percent(last[f"eval_{name}"]) for name, label in MEASURES.items() if f"eval_{name}" in last}


def _config(model: Any) -> dict[str, Any]:
    """What a card needs of a model's configuration."""
    adapters = getattr(model, "peft_config", None)
    if adapters:
        return {"peft_type": next(iter(adapters.values())).peft_type}
    return {"model_type": model.config.model_type, "architectures": [type(model).__name__]}
