"""The progress bar of a training."""

from typing import Any

from transformers import PrinterCallback, ProgressCallback


class TrainingBar(ProgressCallback):
    """A bar that says what it counts, with the last loss and score; the Trainer's own prints a line each time."""

    def on_train_begin(self, *arguments: Any, **options: Any) -> None:
        super().on_train_begin(*arguments, **options)
        if self.training_bar is not None:
            self.training_bar.set_description("train")

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        shown = ("loss", args.metric_for_best_model, f"eval_{args.metric_for_best_model}")
        found = {name.removeprefix("eval_"): value for name, value in (logs or {}).items() if name in shown}
        if self.training_bar is not None and found:
            self.training_bar.set_postfix(found)


def use_training_bar(trainer: Any) -> None:
    """Replaces the Trainer's own bar and printed lines; without progress there is neither."""
    trainer.remove_callback(PrinterCallback)
    if trainer.pop_callback(ProgressCallback) is not None:
        trainer.add_callback(TrainingBar())
