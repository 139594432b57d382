"""What is wrong with a prediction, in words."""

from typing import Any

from hf_fewshot.episodes.class_index import OUTSIDE
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.in_context.parsing import UNPARSED

LENGTH = 80  # characters of a value in an error


class PredictionCheck:
    """Checks predictions for the queries of an episode.

    `<unparsed>`, which stands for an answer that a language model did not give in the right form, may be predicted
    everywhere: it is never right.
    """

    def __init__(self, episodes: EpisodeSet, episode: Episode) -> None:
        self.episodes = episodes
        self.task = episodes.task
        self.classes = {*episode.classes}
        self.slots = {name.removeprefix("slot:") for name in episode.classes if name.startswith("slot:")}

    def __call__(self, prediction: Any, row: int) -> str:
        """What is wrong with the prediction for the example in a row; nothing if it is empty."""
        if self.task in ("relation", "classification"):
            return self._label(prediction)
        if self.task == "spans":
            fits = isinstance(prediction, list) and all(isinstance(answer, str) for answer in prediction)
            return "" if fits else f"expected a list of answers, got {short(prediction)}"
        if self.task == "tagging":
            return self._tags(prediction, row, {*self.classes, UNPARSED})
        if not isinstance(prediction, dict) or set(prediction) != {"intent", "slot_tags"}:
            return f"expected {{'intent': ..., 'slot_tags': [...]}}, got {short(prediction)}"
        intent = prediction["intent"]
        if intent != UNPARSED and not (isinstance(intent, str) and f"intent:{intent}" in self.classes):
            return f"intent {short(intent)} is none of the episode's"
        known = {f"{prefix}-{name}" for name in (*self.slots, UNPARSED) for prefix in "BI"}
        return self._tags(prediction["slot_tags"], row, known)

    def _label(self, prediction: Any) -> str:
        if isinstance(prediction, str) and (prediction in self.classes or prediction in (NOTA, UNPARSED)):
            return ""
        return f"class {short(prediction)} is none of {', '.join(sorted(self.classes))} or {NOTA}"

    def _tags(self, tags: Any, row: int, known: set[str]) -> str:
        length = len(self.episodes.examples[row]["tokens"])
        if not isinstance(tags, list) or len(tags) != length:
            got = f"{len(tags)} tags" if isinstance(tags, list) else short(tags)
            return f"expected one tag for each of {length} words, got {got}"
        strange = sorted({str(tag) for tag in tags if not isinstance(tag, str) or tag not in {*known, OUTSIDE}})
        return f"tags {', '.join(strange)} are none of the episode's" if strange else ""


def short(value: Any) -> str:
    """A value, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= LENGTH else text[: LENGTH - 3] + "..."
