"""What names stand for, as "module:Class" strings: the core reaches benchmarks, metrics and trainers by name only."""

import importlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.entries import MethodEntry, SystemEntry
from hf_fewshot.names import Names, nearest

BENCHMARKS = Names(
    {
        "clues": "hf_fewshot.dataset_scripts.clues.clues:Clues",
        "few_nerd": "hf_fewshot.dataset_scripts.few_nerd.few_nerd:FewNerd",
        "fewjoint": "hf_fewshot.dataset_scripts.fewjoint.fewjoint:FewJoint",
        "fewrel": "hf_fewshot.dataset_scripts.fewrel.fewrel:FewRel",
        "fs_tacred": "hf_fewshot.dataset_scripts.fs_tacred.fs_tacred:FsTacred",
        "own_entities": "hf_fewshot.dataset_scripts.own_data.own_entities:OwnEntities",
        "own_relations": "hf_fewshot.dataset_scripts.own_data.own_relations:OwnRelations",
        "own_texts": "hf_fewshot.dataset_scripts.own_data.own_texts:OwnTexts",
        "own_utterances": "hf_fewshot.dataset_scripts.own_data.own_utterances:OwnUtterances",
    }
)

# Their configurations, so far as they are known without a look at the builders, which takes seconds; a test compares.
CONFIGS = {
    "clues": ("conll03", "mnli", "record", "squad", "sst2", "wikiann"),
    "few_nerd": ("inter", "intra", "supervised"),
    "fewjoint": ("episodes", "examples"),
}
# The package that holds recipes.
RECIPES = "hf_fewshot.recipes"

TASKS = Names(
    {
        "joint": "hf_fewshot.tasks.joint:Joint",
        "tagging": "hf_fewshot.tasks.tagging:Tagging",
        "relation": "hf_fewshot.tasks.relation:Relation",
        "classification": "hf_fewshot.tasks.classification:Classification",
        "spans": "hf_fewshot.tasks.spans:Spans",
    }
)


# The fields of `endpoints.reach.Reach`; a test compares them.
REACH = (
    *("endpoint", "provider", "token_env", "concurrency", "timeout", "max_retries", "max_failures", "prices"),
    *("requests_per_minute", "tokens_per_minute"),
)

_METHODS = {
    "proto": MethodEntry(
        "hf_fewshot.methods.prototypes:Prototypes", None, "prototypes: the mean of each class (ProtoBERT)"
    ),
    "nnshot": MethodEntry(
        "hf_fewshot.methods.nearest_neighbour:NearestNeighbour", None, "the nearest support word or example (NNShot)"
    ),
    "logistic": MethodEntry(
        "hf_fewshot.methods.logistic:Logistic", None, "a logistic regression of the support vectors"
    ),
    "structshot": MethodEntry(
        "hf_fewshot.methods.nearest_neighbour:StructShot",
        ("tagging",),
        "NNShot with Viterbi over abstract transitions (StructShot)",
    ),
    "threshold": MethodEntry(
        "hf_fewshot.methods.none_of_the_above:Threshold", ("relation",), "prototypes; none below a learned threshold"
    ),
    "nav": MethodEntry(
        "hf_fewshot.methods.none_of_the_above:Nav", ("relation",), "prototypes; none is a learned vector (NAV)"
    ),
    "mnav": MethodEntry(
        "hf_fewshot.methods.none_of_the_above:Mnav", ("relation",), "prototypes; none is one of several vectors (MNAV)"
    ),
    "sentence_pair": MethodEntry(
        "hf_fewshot.methods.sentence_pair:SentencePair", ("relation",), "query and support read together (BERT-PAIR)"
    ),
    "joint_proto": MethodEntry(
        "hf_fewshot.methods.joint_prototypes:JointPrototypes",
        ("joint",),
        "prototypes of intents and tags (JointProto)",
    ),
}

EPISODIC = "hf_fewshot.systems.episodic:EpisodicSystem"
BASELINE = "hf_fewshot.systems.baseline:BaselineSystem"


def _episodic(entry: MethodEntry) -> SystemEntry:
    return SystemEntry(EPISODIC, entry.tasks, "encoder", entry.about)


METHODS = Names(_METHODS)
SYSTEMS = Names(
    {
        **{name: _episodic(entry) for name, entry in _METHODS.items()},
        "sep_proto": SystemEntry(
            "hf_fewshot.systems.separate:SeparateSystem",
            ("joint",),
            "encoder",
            "one network for intents, one for slots (SepProto)",
        ),
        "tuned": SystemEntry(
            "hf_fewshot.systems.tuned:TunedSystem",
            ("classification", "joint", "relation", "tagging"),
            "encoder",
            "encoder and heads tuned on each support set",
            tunes=True,
        ),
        "tagger": SystemEntry(
            "hf_fewshot.systems.tagger:TaggerSystem",
            ("tagging",),
            "encoder",
            "supervised token classifier (BERT-Tagger)",
        ),
        "span_finetuning": SystemEntry(
            "hf_fewshot.systems.spans:SpanSystem", ("spans",), "encoder", "answers are spans of question and context"
        ),
        "prompt_tuning": SystemEntry(
            "hf_fewshot.systems.clozes:ClozeSystem",
            ("spans",),
            "masked language model",
            "cloze templates with demonstrations",
        ),
        "text_to_text": SystemEntry(
            "hf_fewshot.systems.text_to_text:TextToTextSystem", ("spans",), "T5", "answers are written"
        ),
        "in_context": SystemEntry(
            "hf_fewshot.systems.in_context:InContextSystem",
            None,
            "causal language model or endpoint",
            "demonstrations in the prompt, no training",
            REACH,
        ),
        "lm_tuning": SystemEntry(
            "hf_fewshot.systems.lm_tuning:LmTuningSystem",
            None,
            "causal language model",
            "a LoRA adapter learns the answers to prompts",
            tunes=True,
        ),
        "people": SystemEntry(
            "hf_fewshot.systems.people:PeopleSystem",
            None,
            "",
            "people, who answer on a page: hf-fewshot annotate",
            repeats="annotators",
        ),
        "always_none": SystemEntry(BASELINE, None, "", "baseline: none of the above"),
        "one_class": SystemEntry(BASELINE, None, "", "baseline: the class with most support"),
        "no_entity": SystemEntry(BASELINE, None, "", "baseline: O for every word"),
        "no_slot": SystemEntry(BASELINE, None, "", "baseline: the most frequent intent, no slot"),
        "seen_words": SystemEntry(BASELINE, None, "", "baseline: the tag a word has in the support set"),
        "always_empty": SystemEntry(BASELINE, None, "", "baseline: no answer"),
        "most_frequent": SystemEntry(BASELINE, None, "", "baseline: the most frequent set of answers"),
        "every_label": SystemEntry(BASELINE, None, "", "baseline: all labels that the question names"),
    }
)

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
    fitting = tuple(tasks)
    entry = MethodEntry(reference, fitting, about)
    _require_new(name, reference, METHODS, SYSTEMS.keys() - METHODS.keys())
    _require_tasks(fitting)
    METHODS[name] = entry
    SYSTEMS[name] = _episodic(entry)


def register_system(name: str, reference: str, *, tasks: Iterable[str], needs: str = "", about: str = "") -> None:
    """Makes a system of one's own known under a name: to runs and recipes, as their method.

    Args:
        reference: its class as "module:Class" (see `hf_fewshot.systems.system.System`).
        tasks: the tasks it fits.
        needs: the kind of model that a run must name for it, such as "encoder"; "" if it needs none.
        about: what it is, in a few words.
    """
    fitting = tuple(tasks)
    _require_new(name, reference, SYSTEMS, METHODS)
    _require_tasks(fitting)
    SYSTEMS[name] = SystemEntry(reference, fitting, needs, about)


def _require_new(name: str, reference: str, known: Mapping[str, Any], others: Collection[str]) -> None:
    """The same again is fine, as in a notebook; another thing of that name is not."""
    _require_reference(reference)
    if name in others or (name in known and known[name].reference != reference):
        raise ValueError(f"There is a method {name!r} already. Give yours another name.")


def _require_tasks(tasks: Iterable[str]) -> None:
    for task in tasks:
        if task not in TASKS:
            raise unknown("task", task, TASKS)


def method_class(name: str) -> Any:
    """The class of the method of a name."""
    if name not in METHODS:
        raise unknown("method", name, METHODS)
    return resolve(METHODS[name].reference)


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
    close = nearest(str(name), known)
    return f"Did you mean {close!r}?" if close is not None else f"Known: {', '.join(known)}."


def unknown(kind: str, name: object, known: Iterable[str]) -> ValueError:
    """The error for a name that is not in `known`."""
    return ValueError(f"Unknown {kind} {name!r}. {suggestion(name, known)}")
