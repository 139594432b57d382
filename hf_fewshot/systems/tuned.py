"""Tuning on support sets, for all tasks with classes: a learner is fitted to each episode."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from hf_fewshot.encoding.vectors import fingerprint
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.options import require_whole
from hf_fewshot.episodes.part import Part
from hf_fewshot.labelled.schemes import bio_tags
from hf_fewshot.learning.answering import Found, classify
from hf_fewshot.learning.learner import FewShotLearner, usual_layers
from hf_fewshot.learning.options import SCALE, LearnerOptions, Tuning
from hf_fewshot.systems.engine import Worker, deal_out
from hf_fewshot.systems.episodic import require_support
from hf_fewshot.systems.network_options import NetworkOptions
from hf_fewshot.systems.networks import check_encoder, model_class, ready_network, trained_by
from hf_fewshot.systems.system import TUNED, Asked, Predictions, Setup, System, TrainedBy, count_parameters
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks import Task, task_of
from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.tasks.tags import bare, tag_spans

# What the encoder is trained by before, where a run trains it on episodes.
METHOD = "proto"


@dataclass(frozen=True)
class TunedOptions:
    """How examples become vectors, and how the encoder is tuned on a support set.

    Args:
        layers: how many of the last layers are added up; none: the last one for texts, else four.
        max_length: tokens of a sequence; none: as many as the encoder reads itself for texts, else 128.
        strength: how much examples count against small weights in the logistic regression (scikit-learn's C).
        label_names: the name of a class counts as an example of it; none: where all names are words, of texts.
        tuning: steps, rates and what else is said of the tuning (see `hf_fewshot.learning.options.Tuning`); none: what
            is usual for the task.
    """

    layers: int | None = None
    max_length: int | None = None
    strength: float = LearnerOptions.strength
    label_names: bool | None = None
    tuning: Tuning | None = None

    def __post_init__(self) -> None:
        for name in ("layers", "max_length"):
            if getattr(self, name) is not None:
                require_whole(**{name: getattr(self, name)})
        self.learner()

    def learner(self) -> LearnerOptions:
        """The options of the learner of each episode."""
        return LearnerOptions(strength=self.strength, label_names=self.label_names, tuning=self.tuning)


class TunedSystem(System):
    """Predicts each episode with an encoder and heads tuned on its support set; each begins with the same weights."""

    Options = TunedOptions

    def __init__(self, learner: FewShotLearner) -> None:
        self.learner = learner

    @classmethod
    def way_of_learning(cls, options: Mapping[str, Any], is_trained: bool) -> str:
        return TUNED

    @property
    def n_parameters(self) -> int | None:
        return count_parameters([self.learner.model])

    @classmethod
    def trained_by(cls, name: str) -> TrainedBy | None:
        return trained_by(model_class(METHOD))

    @classmethod
    def check(cls, asked: Asked) -> None:
        require_support(asked)
        kind = task_of(asked.benchmark.TASK)
        if asked.training is not None and len(kind.class_columns) > 1:
            raise ValueError(
                f"Method {asked.name!r} is not trained on episodes of task {kind.name!r}, whose examples have several "
                "labels. Leave training out, or take a method of that task with a tuning of its own."
            )

    @classmethod
    def check_model(cls, asked: Asked, folder: Path) -> None:
        kind, options = task_of(asked.benchmark.TASK), asked.options
        layers = options.layers or usual_layers(kind)
        network = NetworkOptions(representation=kind.read_as, layers=layers, max_length=options.max_length)
        check_encoder(asked._replace(options=network), folder)

    @classmethod
    def fit(cls, work: Work) -> Self:
        options: TunedOptions = work.options
        kind = task_of(work.data.task)
        network = {
            "representation": kind.read_as,
            "layers": options.layers or usual_layers(kind),
            "similarity": "cosine",
            "temperature": 1 / SCALE,
        }
        if options.max_length is not None:
            network["max_length"] = options.max_length
        model, tokenizer = ready_network(work, "model", METHOD, network)
        model.to(work.accelerator.device)
        return cls(FewShotLearner(model, tokenizer, kind.name, options.learner()))

    def predict(self, episodes: EpisodeSet, setup: Setup) -> Predictions:
        return deal_out(TunedWorker(self.learner, episodes), setup).predictions(len(episodes))


class TunedWorker(Worker):
    """Fits the learner to one episode after the other."""

    bar = ("tune", "episode")

    def __init__(self, learner: FewShotLearner, episodes: EpisodeSet) -> None:
        self.learner = learner
        self.episodes = episodes

    def parts(self) -> Iterable[Part]:
        return (Part(number, number) for number in range(len(self.episodes)))

    def identity(self) -> dict[str, Any]:
        model = self.learner.model
        return {
            "episodes": self.episodes.fingerprint,
            "n_episodes": len(self.episodes),
            "model": fingerprint(model, model, self.learner.tokenizer),
            "options": asdict(self.learner.options),
        }

    def rows(self, batches: Sequence[Sequence[Part]]) -> Iterator[list[dict[str, Any]]]:
        ids, examples = self.episodes.example_ids, self.episodes.plain_examples
        for batch in batches:
            found = []
            for part in batch:
                episode = self.episodes[part.number]
                predictions = self._predicted(episode, examples)
                found.append({"index": part.index, "ids": [ids[n] for n in episode.query], "predictions": predictions})
            yield found

    def _predicted(self, episode: Episode, examples: Sequence[dict[str, Any]]) -> list[Any]:
        task = self.learner.task
        learner = self.learner.learn([within(task, examples[number], episode.classes) for number in episode.support])
        features = learner.encode([examples[number] for number in episode.query])
        assert learner.fitted is not None
        return in_form(classify(learner.fitted, features), features.offsets)


def within(task: Task, example: dict[str, Any], classes: Sequence[str]) -> dict[str, Any]:
    """An example as an episode of these classes sees it: tags of other types are O."""
    found = dict(example)
    for column in task.class_columns:
        if column.is_tags:
            own = {name.removeprefix(column.prefix) for name in classes if name.startswith(column.prefix)}
            tags = example[column.name]
            found[column.name] = [tag if kind in own else OUTSIDE for tag, kind in zip(tags, bare(tags), strict=True)]
    return found


def in_form(found: Sequence[Found], offsets: Any) -> list[Any]:
    """What heads say of queries in the form of the task's references."""
    columns: dict[str, list[Any]] = {}
    for one in found:
        names = one.names.tolist()
        if one.part.column.is_tags:
            names = [names[start:end] for start, end in pairwise(offsets)]
        columns[one.part.column.name] = names
    if len(columns) == 1:
        return next(iter(columns.values()))
    for one in found:
        if one.part.column.is_tags:
            tags = columns[one.part.column.name]
            columns[one.part.column.name] = [bio_tags(tag_spans(own), len(own)) for own in tags]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
