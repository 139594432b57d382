"""Names of benchmarks and metrics, as "module:Class" strings: the core reaches the other rooms by name only."""

import importlib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Generic, TypeVar

from hf_fewshot.plugins import load_plugins

T = TypeVar("T")


class Names(MutableMapping[str, T], Generic[T]):
    """What names stand for. Those of plugins are there as soon as somebody asks for them, or for all names."""

    def __init__(self, own: Mapping[str, T]) -> None:
        self._known = dict(own)

    def __getitem__(self, name: str) -> T:
        if name not in self._known:
            load_plugins()
        return self._known[name]

    def __setitem__(self, name: str, meaning: T) -> None:
        self._known[name] = meaning

    def __delitem__(self, name: str) -> None:
        del self._known[name]

    def __iter__(self) -> Iterator[str]:
        load_plugins()
        return iter(self._known)

    def __len__(self) -> int:
        load_plugins()
        return len(self._known)


BENCHMARKS = Names(
    {
        "clues": "hf_fewshot.dataset_scripts.clues.clues:Clues",
        "few_nerd": "hf_fewshot.dataset_scripts.few_nerd.few_nerd:FewNerd",
        "fewjoint": "hf_fewshot.dataset_scripts.fewjoint.fewjoint:FewJoint",
        "fewrel": "hf_fewshot.dataset_scripts.fewrel.fewrel:FewRel",
        "fs_tacred": "hf_fewshot.dataset_scripts.fs_tacred.fs_tacred:FsTacred",
    }
)

TASKS = Names(
    {
        "joint": "hf_fewshot.tasks.joint:Joint",
        "tagging": "hf_fewshot.tasks.tagging:Tagging",
        "relation": "hf_fewshot.tasks.relation:Relation",
        "classification": "hf_fewshot.tasks.classification:Classification",
        "spans": "hf_fewshot.tasks.spans:Spans",
    }
)

METHODS = {
    "proto": "hf_fewshot.methods.prototypes:Prototypes",
    "nnshot": "hf_fewshot.methods.nearest_neighbour:NearestNeighbour",
    "structshot": "hf_fewshot.methods.nearest_neighbour:StructShot",
    "threshold": "hf_fewshot.methods.none_of_the_above:Threshold",
    "nav": "hf_fewshot.methods.none_of_the_above:Nav",
    "mnav": "hf_fewshot.methods.none_of_the_above:Mnav",
    "sentence_pair": "hf_fewshot.methods.sentence_pair:SentencePair",
    "joint_proto": "hf_fewshot.methods.joint_prototypes:JointPrototypes",
}

TRIVIAL = (
    "always_none",
    "one_class",
    "no_entity",
    "no_slot",
    "seen_words",
    "always_empty",
    "most_frequent",
    "every_label",
)

# What a run can name as its method: from `Work` to predictions.
SYSTEMS = {
    **dict.fromkeys(METHODS, "hf_fewshot.systems.episodic:predict"),
    "sep_proto": "hf_fewshot.systems.episodic:predict_separately",
    "tagger": "hf_fewshot.systems.tagger:predict",
    "span_finetuning": "hf_fewshot.systems.answers:predict_spans",
    "prompt_tuning": "hf_fewshot.systems.answers:predict_clozes",
    "text_to_text": "hf_fewshot.systems.answers:predict_texts",
    "in_context": "hf_fewshot.systems.in_context:predict",
    **dict.fromkeys(TRIVIAL, "hf_fewshot.systems.baselines:predict"),
}

# The value is the folder below metrics/, or a path from outside: conlleval is the name the field knows slot_f1 by.
METRICS = Names(
    {
        "conlleval": "slot_f1",
        "entity_f1": "entity_f1",
        "joint_accuracy": "joint_accuracy",
        "nota_f1": "nota_f1",
        "s1": "s1",
        "slot_f1": "slot_f1",
    }
)


def register_benchmark(name: str, reference: str) -> None:
    """Makes a benchmark of one's own known under a name: to `datasets`, the command line, runs and recipes.

    Args:
        name: the NAME of its builder.
        reference: the builder as "package.module:Class"; its folder holds its card and its sample data, too.
    """
    _require_reference(reference)
    if "." not in reference.partition(":")[0]:
        raise ValueError(f"Expected a builder in a package, 'package.module:Class', got {reference!r}.")
    _add("benchmark", BENCHMARKS, name, reference)


def register_task(name: str, reference: str) -> None:
    """Makes a task of one's own known under a name, its class as "module:Class"."""
    _require_reference(reference)
    _add("task", TASKS, name, reference)


def register_metric(name: str, folder: str | Path) -> None:
    """Makes a metric of one's own known to `evaluate.load`: a folder X that has X.py, as `evaluate` expects it."""
    place = Path(folder).absolute()
    if not (place / f"{place.name}.py").is_file():
        raise ValueError(f"Expected a folder with the metric in {place.name}.py, got {str(folder)!r}.")
    _add("metric", METRICS, name, str(place))


def _require_reference(reference: str) -> None:
    if ":" not in reference:
        raise ValueError(f"Expected a class as 'module:Class', got {reference!r}.")


def _add(kind: str, names: Names[str], name: str, meaning: str) -> None:
    if not name.isidentifier():
        raise ValueError(f"Expected a name of letters, digits and _ for a {kind}, got {name!r}.")
    if names.get(name, meaning) != meaning:
        raise ValueError(f"There is a {kind} {name!r} already. Give yours another name.")
    names[name] = meaning


def register_method(name: str, reference: str, *, tasks: Iterable[str], about: str = "") -> None:
    """Makes a method of one's own known under a name: to models, runs and recipes.

    Args:
        reference: its class as "module:Class", importable wherever a model is built or loaded.
        tasks: the tasks it fits, such as ("tagging", "relation").
        about: what it is, in a few words.
    """
    from hf_fewshot import catalogue

    if ":" not in reference:
        raise ValueError(f"Expected a class as 'module:Class', got {reference!r}.")
    if METHODS.get(name, reference) != reference or (name in SYSTEMS and name not in METHODS):
        raise ValueError(f"There is a method {name!r} already. Give yours another name.")
    entry = catalogue.MethodEntry(tuple(tasks), "encoder", about)
    for task in entry.tasks:
        if task not in catalogue.ALL:
            raise unknown("task", task, catalogue.ALL)
    METHODS[name] = reference
    SYSTEMS[name] = SYSTEMS["proto"]
    catalogue.METHODS[name] = entry


def resolve(reference: str) -> Any:
    """The object behind a "module:Name" string."""
    module, _, name = reference.partition(":")
    loaded = importlib.import_module(module)
    if not hasattr(loaded, name):
        raise ImportError(f"{reference!r} was registered, but module {module!r} has no {name!r}.", name=module)
    return getattr(loaded, name)


def suggestion(name: object, known: Iterable[str]) -> str:
    """A sentence that offers the known name nearest to `name`, or lists all of them."""
    known = sorted(known)
    close = get_close_matches(str(name), known, n=1, cutoff=0.6)
    return f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(known)}."


def unknown(kind: str, name: object, known: Iterable[str]) -> ValueError:
    """The error for a name that is not in `known`."""
    return ValueError(f"Unknown {kind} {name!r}. {suggestion(name, known)}")
