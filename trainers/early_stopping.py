"""Ends a training whose score does not get better."""

from typing import Any

from transformers import TrainerCallback


class EarlyStopping(TrainerCallback):
    """Stops after `patience` evaluations in a row that are not above the best before.

    It counts in the log, which is part of a checkpoint: a training that was interrupted stops where it would have.
    """

    def __init__(self, patience: int) -> None:
        if patience < 1:
            raise ValueError(f"early_stopping_patience must be at least 1, but is {patience}.")
        self.patience = patience

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        name = args.metric_for_best_model
        name = name if name.startswith("eval_") else f"eval_{name}"
        scores = [row[name] for row in state.log_history if name in row]
        best = max(scores, default=None) if args.greater_is_better else min(scores, default=None)
        if scores and len(scores) - 1 - scores.index(best) >= self.patience:
            control.should_training_stop = True
