"""An utterance, its intent and its slots."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from datasets import Dataset, List, Value

from hf_fewshot.registry import resolve
from hf_fewshot.tasks.answer_schemas import TEXT, list_of, object_of, one_of
from hf_fewshot.tasks.answers_in_words import parse_frame
from hf_fewshot.tasks.asked import Example
from hf_fewshot.tasks.form import Answer, Choice, Form, FormError, Marking, part_of_words, tags_marked, tags_of
from hf_fewshot.tasks.labels import OUTSIDE, UNPARSED
from hf_fewshot.tasks.loose_answers import loose_frame
from hf_fewshot.tasks.one_label import one_class
from hf_fewshot.tasks.parsed import Parsed
from hf_fewshot.tasks.tags import (
    joiner,
    mark,
    no_entity,
    seen_words,
    shown_types,
    spans_as_texts,
    tag_spans,
    wrong_tags,
)
from hf_fewshot.tasks.task import STRING, Baseline, ClassColumn, Row, Shown, Sums, Task
from hf_fewshot.text.short_value import short

if TYPE_CHECKING:
    from hf_fewshot.episodes.episode import Episode

# What the classes of an episode begin with.
INTENT, SLOT = "intent:", "slot:"


def intents_of(classes: Iterable[str]) -> list[str]:
    """The names of the intents among the classes of an episode."""
    return [name.removeprefix(INTENT) for name in classes if name.startswith(INTENT)]


def slots_of(classes: Iterable[str]) -> list[str]:
    """The names of the slots among the classes of an episode."""
    return [name.removeprefix(SLOT) for name in classes if name.startswith(SLOT)]


def class_names(intents: Iterable[str], slots: Iterable[str]) -> tuple[str, ...]:
    """Intents and slots as the classes of an episode."""
    return (*(INTENT + name for name in intents), *(SLOT + name for name in slots))


def _with_one_intent(tags: Baseline) -> Baseline:
    def answer(support: Sequence[Row], queries: Sequence[Row]) -> list[Any]:
        pairs = zip(one_class("intent")(support, queries), tags(support, queries), strict=True)
        return [{"intent": intent, "slot_tags": found} for intent, found in pairs]

    return answer


class Joint(Task):
    """Intents and slots together. A prediction is `{"intent": ..., "slot_tags": [...]}`, tags with B- and I-."""

    name = "joint"
    columns: ClassVar[dict[str, Any]] = {
        "id": STRING,
        "domain": STRING,
        "tokens": List(STRING),
        "intent": STRING,
        "slot_tags": List(STRING),
    }
    class_columns = (
        ClassColumn("slot_tags", is_tags=True, prefix=SLOT, answer="slots"),
        ClassColumn("intent", prefix=INTENT, answer="intent"),
    )
    measure = "sentence_accuracy"
    hub_task = "token-classification"
    pipeline = "few-shot-intent-and-slots"
    pipeline_example = (
        """[
    {"tokens": list("明天天气"), "intent": "weather", "slot_tags": ["B-date", "I-date", "O", "O"]},
    {"tokens": list("播放音乐"), "intent": "music", "slot_tags": ["O", "O", "O", "O"]},
]""",
        '[list("今天天气")]',
    )
    query_example = '"今天天气"'
    baselines: ClassVar[dict[str, Baseline]] = {
        "no_slot": _with_one_intent(no_entity),
        "seen_words": _with_one_intent(seen_words("slot_tags")),
    }
    query_fields = ("sentence",)
    episode_fields = ("domain", "intents", "slots")
    analysis = "hf_fewshot.analyses.intents_and_slots:analyse"
    told = (
        "Choose the intent of each utterance: what somebody wants who says it. Then mark the slots, the values in it "
        "that matter for the intent: select the words, then choose the slot. An utterance may have none."
    )
    marks_measure = "slot_f1"

    def episode_columns(self) -> dict[str, Any]:
        return {"index": Value("int64"), "domain": STRING, "intents": List(STRING), "slots": List(STRING)}

    def head(self, episode: "Episode") -> Row:
        classes = episode.classes
        return {"domain": episode.group, "intents": intents_of(classes), "slots": slots_of(classes)}

    def classes_of(self, head: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
        return class_names(head["intents"], head["slots"]), head["domain"]

    def class_names(self, classes: Iterable[str]) -> list[str]:
        return [name.partition(":")[2] for name in classes]

    def references(self, examples: Dataset, episodes: Iterable["Episode"]) -> Iterator[list[Any]]:
        intents, tags = examples["intent"][:], examples["slot_tags"][:]
        for episode in episodes:
            yield [{"intent": intents[row], "slot_tags": tags[row]} for row in episode.query]

    def wrong(self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str]) -> str:
        if not isinstance(prediction, dict) or set(prediction) != {"intent", "slot_tags"}:
            return f"expected {{'intent': ..., 'slot_tags': [...]}}, got {short(prediction)}"
        intent = prediction["intent"]
        if intent != UNPARSED and not (isinstance(intent, str) and f"{INTENT}{intent}" in classes):
            return f"intent {short(intent)} is none of the episode's"
        known = {f"{prefix}-{name}" for name in (*slots_of(classes), UNPARSED) for prefix in "BI"}
        return wrong_tags(prediction["slot_tags"], len(example["tokens"]), known)

    def score(
        self, predictions: list[Any], references: list[Any], groups: Sequence[int] | np.ndarray, **options: Any
    ) -> Row:
        """Intent accuracy and slot F1 as means over groups, sentence accuracy over all, as FewJoint reports them.

        Of predictions without intents or without tags (SepProto's networks) only the other part.
        """
        options.pop("compat", None)
        scores: Row = {}
        has_intents, has_tags = (
            all(isinstance(one, dict) and name in one for one in predictions) for name in ("intent", "slot_tags")
        )
        if not has_intents and not has_tags:
            raise ValueError(f"Expected predictions with 'intent', 'slot_tags' or both, got {predictions[0]!r} first.")
        both = (predictions, references)
        if has_intents:
            # Without tags every sentence counts as tagged right, and the accuracy of sentences means nothing.
            rows = [part if has_tags else [{**one, "slot_tags": []} for one in part] for part in both]
            found = resolve("hf_fewshot.metrics.joint_accuracy.scoring:score")(*rows, groups=groups, **options)
            for name, value in found.items():
                if name.startswith("intent_accuracy_group_mean"):
                    scores[name.replace("_group_mean", "")] = value
                elif has_tags and name.startswith("sentence_accuracy") and "group_mean" not in name:
                    scores[name] = value
        if has_tags:
            tags = [[one["slot_tags"] for one in part] for part in both]
            score = resolve("hf_fewshot.metrics.slot_f1.scoring:score")
            # Where every sentence is a group of its own they are questions of one episode, not episodes.
            one_episode = 1 < len(groups) == len(np.unique(groups))
            found = score(*tags, groups=groups, average="pooled" if one_episode else "episode", **options)
            wanted = ("f1", "precision", "recall")
            scores |= {f"slot_{name}": value for name, value in found.items() if name.startswith(wanted)}
        return scores

    def unit(self, n_episodes: int) -> str:
        return "question" if n_episodes == 1 else "domain"

    def sums(
        self, found: Mapping[str, Any], units: Sequence[str], sizes: Sequence[int], pairs: Iterable[tuple[Any, Any]]
    ) -> Sums:
        """How many sentences of each unit are right, intent and every tag."""
        score = resolve("hf_fewshot.metrics.joint_accuracy.scoring:score")
        shares = [score(list(own), gold)["sentence_accuracy"] if gold else 0.0 for own, gold in pairs]
        right = [float(round(share * size)) for share, size in zip(shares, sizes, strict=True)]
        return Sums(right, list(map(float, sizes)))

    def render(self, example: Mapping[str, Any]) -> str:
        return f"{example['intent']}: {mark(example['tokens'], tag_spans(example['slot_tags']))}"

    def words(self, example: Mapping[str, Any]) -> list[str]:
        return example["tokens"]

    def shown(self, example: Mapping[str, Any]) -> Shown:
        return Shown(tag_spans(example["slot_tags"]), example["intent"])

    def with_reference(self, example: Row, reference: Any) -> Row:
        return {**example, **reference}

    def shown_prediction(self, prediction: Any, example: Mapping[str, Any]) -> Shown:
        tags = prediction.get("slot_tags", example["slot_tags"])
        return Shown(tag_spans(tags), prediction.get("intent"))

    def confused(self, reference: Any, prediction: Any) -> list[tuple[str, str]] | None:
        return [(reference["intent"], prediction["intent"])] if "intent" in prediction else None

    def classes_in(self, support: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        for tag in sorted({tag for example in support for tag in example["slot_tags"]}):
            if tag != OUTSIDE and not tag.startswith(("B-", "I-")):
                raise ValueError(f"{tag!r} is no BIO tag. Write slots as B-name and I-name.")
        intents = dict.fromkeys(example["intent"] for example in support)
        return class_names(intents, shown_types(example["slot_tags"] for example in support))

    def form(self, example: Example, classes: Sequence[str], words: Mapping[str, str]) -> Form:
        intents = intents_of(classes)
        return Form(
            (part_of_words("utterance", example["tokens"]),),
            choice=Choice("Intent", dict(zip(intents, intents, strict=True))),
            marking=Marking("Slots", tuple(slots_of(classes))),
        )

    def filled(self, answer: Answer, example: Example, classes: Sequence[str], **scored_by: Any) -> Any:
        part = part_of_words("utterance", example["tokens"])
        return {"intent": answer.label, "slot_tags": tags_of(part, answer.marks, slots_of(classes), bio=True)}

    def answered(
        self, prediction: Any, example: Mapping[str, Any], classes: Sequence[str], **scored_by: Any
    ) -> Answer:
        if "intent" not in prediction or "slot_tags" not in prediction:
            raise FormError("a prediction without an intent, or without slots")
        part = part_of_words("utterance", example["tokens"])
        return Answer(prediction["intent"], tags_marked(part, prediction["slot_tags"], bio=True))

    def fields(self, example: Mapping[str, Any]) -> dict[str, str]:
        return {"sentence": joiner(example["tokens"]).join(example["tokens"])}

    def describe(self, classes: Sequence[str], group: str, words: Mapping[str, str] | None) -> dict[str, str]:
        named = {"intents": intents_of(classes), "slots": slots_of(classes)}
        return {"domain": group, **{kind: ", ".join(names) for kind, names in named.items()}}

    def answer(self, example: Mapping[str, Any], classes: Sequence[str]) -> tuple[str, str]:
        slots = spans_as_texts(example["tokens"], example["slot_tags"], slots_of(classes))
        return json.dumps({"intent": example["intent"], "slots": slots}, ensure_ascii=False), example["intent"]

    def answer_schema(self, classes: Sequence[str], words: Mapping[str, str] | None) -> dict[str, Any]:
        slots = list_of(object_of(text=TEXT, type=one_of(slots_of(classes))))
        return object_of(intent=one_of(intents_of(classes)), slots=slots)

    def read(self, text: str, example: Mapping[str, Any], classes: Sequence[str]) -> Parsed | None:
        known = (example["tokens"], intents_of(classes), slots_of(classes))
        strict = parse_frame(text, *known)
        frame = strict or loose_frame(text, *known)
        return None if frame is None else Parsed(frame[0], unplaced=frame[1], loose=strict is None)

    def unparsed(self, example: Mapping[str, Any]) -> Any:
        """No intent, and a slot too many."""
        tags = [f"{'I' if place else 'B'}-{UNPARSED}" for place in range(len(example["tokens"]))]
        return {"intent": UNPARSED, "slot_tags": tags}
