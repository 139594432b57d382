"""What a learner may choose."""

from dataclasses import dataclass

from hf_fewshot.episodes.options import require_whole
from hf_fewshot.registry import unknown

PROTOTYPES, LOGISTIC, TUNED = "prototypes", "logistic", "tuned"
HEADS = (PROTOTYPES, LOGISTIC, TUNED)
# What cosines are multiplied by, to be told apart by a softmax.
SCALE = 20.0


@dataclass(frozen=True)
class Tuning:
    """How an encoder is tuned on labelled examples, with heads that begin as prototypes.

    Args:
        steps: of AdamW; None: as many as show so many examples `epochs` times as there are beside one of each class,
            and of words all of them. One example of a class does not say what its examples share.
        epochs: how often.
        batch_size: examples of a step, of all classes alike.
        share: of the layers, from the last, that learn; word embeddings stay as they are.
        learning_rate: of these layers; it rises in the first tenth of the steps and falls to zero in the others.
        head_learning_rate: of the heads.
        scale: what cosines are multiplied by in the loss.
        seed: of dropout and the order of examples.
    """

    steps: int | None = None
    epochs: int = 12
    batch_size: int = 32
    share: float = 0.5
    learning_rate: float = 5e-5
    head_learning_rate: float = 1e-3
    scale: float = SCALE
    seed: int = 0

    def __post_init__(self) -> None:
        require_whole(epochs=self.epochs, batch_size=self.batch_size)
        if self.steps is not None:
            require_whole(steps=self.steps)
        if not 0 < self.share <= 1:
            raise ValueError(f"share={self.share}, but it must be above 0 and at most 1.")
        if min(self.learning_rate, self.head_learning_rate) < 0 or self.scale <= 0:
            raise ValueError(
                f"learning_rate={self.learning_rate}, head_learning_rate={self.head_learning_rate}, scale={self.scale}"
                ": rates must not be negative, and the scale must be positive."
            )

    def n_steps(self, n_examples: int) -> int:
        """How many steps so many examples take; it may be none."""
        return self.steps or -(-self.epochs * n_examples // self.batch_size)


# Chosen on training rows of BANKING77 that are not asked in docs/performance.md, and on training sentences of CrossNER
# that are not among the examples.
TEXTS = Tuning()
WORDS = Tuning(epochs=24, batch_size=16, share=1.0, learning_rate=3e-4)


@dataclass(frozen=True)
class LearnerOptions:
    """What is learned from labelled examples, and how.

    Args:
        head: "prototypes" (the mean of each class), "logistic" (a logistic regression on the frozen encoder, the quick
            way) or "tuned" (the encoder is tuned, and a logistic regression stands on it).
        label_names: the name of a class counts as an example of it; None: where all names are words and the task has
            texts of its own.
        strength: how much examples count against small weights in the logistic regression (scikit-learn's C).
        none_of_the_above: answer "NOTA" to what is like no class, by a threshold chosen on the examples.
        tuning: of the head "tuned"; None: what is usual for the task (`TEXTS` or `WORDS`).
    """

    head: str = TUNED
    label_names: bool | None = None
    strength: float = 30.0
    none_of_the_above: bool = False
    tuning: Tuning | None = None

    def __post_init__(self) -> None:
        if self.head not in HEADS:
            raise unknown("head", self.head, HEADS)
        if self.strength <= 0:
            raise ValueError(f"strength must be positive, but is {self.strength}.")
