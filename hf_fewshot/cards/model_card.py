"""The card of a model: what it is, how to use it, what its records say."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from huggingface_hub import ModelCardData

from hf_fewshot.cards.benchmark import benchmark_facts
from hf_fewshot.cards.front_matter import SafeModelCard
from hf_fewshot.cards.model_index import dataset_id, eval_results, is_official
from hf_fewshot.cards.own_code import OwnMethod, own_code_usage
from hf_fewshot.cards.usage import is_adapter, usage
from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS, HUB_IDS
from hf_fewshot.runs.record import Record
from hf_fewshot.tables.markdown import markdown_tables
from hf_fewshot.tables.plain import markdown_code, markdown_name, one_line
from hf_fewshot.tables.settings import settings
from hf_fewshot.tables.shown_record import shown_record
from hf_fewshot.tasks import task_of
from hf_fewshot.text.redaction import redacted

TEMPLATE = Path(__file__).with_name("model_card.md.jinja")


@dataclass(frozen=True)
class ModelFacts:
    """What a card says beyond records.

    Args:
        name: the repository or folder under which the model is loaded.
        config: the content of its `config.json`, or `adapter_config.json`; None where there is no model.
        parts: folders of the models, where there are several.
        task: joint, tagging, relation, spans or classification; None: that of the records.
        base_model: the pretrained model that it is made from; None: that of the records.
        license: of the model; nothing is said where it is not known.
        language: None: that of the benchmarks.
        tags: beside ours.
        datasets: the repositories of benchmarks by their names, where they are not those of all users.
        own_code: methods that are not ours, whose source lies in the folder `code`.
        weights_of: the name of the run that the weights come from, where there are several.
        training: arguments of the training; empty: those of the records.
        scores: of the training on its evaluation data, in percent by name.
    """

    name: str
    config: Mapping[str, Any] | None = None
    parts: Sequence[str] = ()
    task: str | None = None
    base_model: str | None = None
    license: str | None = None
    language: str | list[str] | None = None
    tags: Sequence[str] = ()
    datasets: Mapping[str, str] = field(default_factory=dict)
    own_code: Sequence[OwnMethod] = ()
    weights_of: str | None = None
    training: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)


def model_card(records: Sequence[Record], facts: ModelFacts) -> SafeModelCard:
    """The card of a model with the given records."""
    records = [shown_record(record) for record in records]
    facts = _completed(records, facts)
    base_model = _hub_id(facts.base_model)
    facts = replace(facts, base_model=_public_name(facts.base_model))
    records = [_without_path(record) for record in records]
    benchmarks = list(dict.fromkeys(record.run.benchmark for record in records))
    language = facts.language or _once(code for name in benchmarks for code in benchmark_facts(name).language)
    real = _once(record.run.benchmark for record in records if is_official(record))
    data = ModelCardData(
        model_name=facts.name.rsplit("/", 1)[-1],
        language=language or None,
        license=facts.license,
        library_name=_library(facts.config),
        tags=_once(["hf_fewshot", "few-shot", *(facts.tags), *_methods(records)]),
        datasets=[dataset_id(name, False, facts.datasets) for name in real] or None,
        base_model=base_model,
        pipeline_tag=_pipeline_tag(facts),
        eval_results=eval_results(records, facts.datasets) if records else None,
    )
    return SafeModelCard.from_template(
        data,
        template_path=str(TEMPLATE),
        title=data.model_name,
        name=markdown_name,
        code=markdown_code,
        facts=facts,
        methods=_methods(records),
        usage=usage(facts.name, facts.config, facts.task, facts.parts, facts.base_model),
        own_code=own_code_usage(facts.name, facts.own_code),
        # Its headings begin below ours.
        tables=re.sub(r"^#", "##", markdown_tables(records), flags=re.MULTILINE).strip(),
        settings=settings(records),
        provenance=provenance(records),
        has_sample=any(record.run.data.get("sample") for record in records),
        has_other=any(setting.is_other for setting in settings(records)),
        licences=[benchmark_facts(name) for name in real],
    )


def provenance(records: Sequence[Record]) -> dict[str, str]:
    """What the runs were made with, all values of all records."""
    environments = [record.environment for record in records]
    known: dict[str, list[Any]] = {
        "Versions": [
            ", ".join(f"{name} {version}" for name, version in one.get("versions", {}).items()) for one in environments
        ],
        "Python": [one.get("python") for one in environments],
        "Device": [one.get("device") for one in environments],
        "Processes": [one.get("n_processes") for one in environments],
        "Precision": [one.get("precision") for one in environments],
        "Commit of hf_fewshot": [one.get("commit") for one in environments],
        "First and last start": [min(starts), max(starts)] if (starts := [one.started for one in records]) else [],
        "Seconds in all": [round(sum(sum(record.seconds.values()) for record in records))],
    }
    said = {name: "; ".join(_once(str(value) for value in values if value)) for name, values in known.items()}
    return {name: text for name, text in said.items() if text}


def _completed(records: Sequence[Record], facts: ModelFacts) -> ModelFacts:
    tasks = _once(record.task for record in records)
    models = _once(record.run.model for record in records if record.run.model)
    trainings = [record.run.written["training"] for record in records]
    is_shared = bool(trainings) and all(one == trainings[0] for one in trainings)
    return replace(
        facts,
        task=facts.task or (tasks[0] if len(tasks) == 1 else None),
        base_model=facts.base_model or (models[0] if len(models) == 1 else None),
        training=facts.training or (is_shared and trainings[0]) or {},
    )


def _library(config: Mapping[str, Any] | None) -> str:
    """What loads the model."""
    if config is None or str(config.get("model_type")).startswith("hf_fewshot"):
        return "hf_fewshot"
    return "peft" if is_adapter(config) else "transformers"


def _pipeline_tag(facts: ModelFacts) -> str | None:
    """What the Hub offers to do with it: language models write, and without a model there is nothing."""
    if facts.config is None:
        return None
    classes = [str(one) for one in facts.config.get("architectures") or ()]
    if facts.config.get("task_type") == "CAUSAL_LM" or any(one.endswith("ForCausalLM") for one in classes):
        return "text-generation"
    return task_of(facts.task).hub_task if facts.task else None


def _without_path(record: Record) -> Record:
    return replace(record, run=replace(record.run, model=_public_name(record.run.model)))


def _public_name(model: str | None) -> str | None:
    """The name of a model; of a folder the last part, and not its place on this machine."""
    return model if model is None or _is_hub_id(model) else Path(redacted(model)).name


def _hub_id(model: str | None) -> str | None:
    """The repository of a model on the Hub; embedded ones are there, too, under longer names."""
    if model in HUB_IDS:
        return HUB_IDS[model]
    return model if _is_hub_id(model) else None


def _is_hub_id(model: str | None) -> bool:
    """Whether a model can be on the Hub under this name: embedded ones and folders are not."""
    if model is None or model in (*ENCODERS, *CAUSAL_LMS):
        return False
    return re.fullmatch(r"[\w.-]{1,96}(/[\w.-]{1,96})?", model, re.ASCII) is not None and not Path(model).exists()


def _methods(records: Iterable[Record]) -> list[str]:
    return _once(one_line(record.run.method) for record in records)


def _once(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))
