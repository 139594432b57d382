"""What the result of a run depends on beside the run itself: the user's own code and files, weights, data.

A run names a method, a format, a model; what stands behind the name can change. The hashes of it are in the record.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from huggingface_hub import try_to_load_from_cache

from hf_fewshot.data.benchmark_data import Data, Reading
from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS
from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.registry import METHODS, method_class
from hf_fewshot.runs.own_code import UNREADABLE, sources
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run, is_remote
from hf_fewshot.systems.options import system_class

MODEL = "model"
NOT_THERE = "not there"
ALL_EPISODES = "all episodes"


def named_things(run: Run, data: Data) -> dict[str, str]:
    """What stands behind the names of a run: hashes of its method, files in its options, weights.

    And what a method begins with where that is not each training example once.
    """
    files = {name: sha256_of(path) for name, path in option_files(run).items()}
    of_code = {f"source of {name}": digest for name, digest in sources(run.method).items()}
    return {**of_code, **_version(run.method), **files, **_weights(run), **_beginning(run, data)}


def _beginning(run: Run, data: Data) -> dict[str, str]:
    """That a method begins with released episodes: before, it began with the sentences of the train split."""
    begins = run.method in METHODS and method_class(run.method).begins_with_data()
    return {f"what {run.method} begins with": ALL_EPISODES} if begins and data.trains_on_released else {}


def dependencies(data: Data, named: Mapping[str, str]) -> dict[str, Any]:
    """`Record.depends_on`: what was read so far, and what stands behind names."""
    return {"files": dict(named), "data": [reading._asdict() for reading in data.readings]}


def changes(record: Record, run: Run, data: Data) -> list[str]:
    """In words, all that is no longer as it was when the record of this run was made."""
    if not record.depends_on:
        return _changes_since_unknown(record, run, data)
    return changes_since(record.depends_on, run, data)


def changes_since(depends_on: Mapping[str, Any], run: Run, data: Data) -> list[str]:
    """The same for what was written down of a run by `dependencies`."""
    found = [
        f"{name} (was {was[:12]}, is {now[:12]})"
        for name, was, now in _pairs(depends_on["files"], named_things(run, data))
        if was != now or now == UNREADABLE
    ]
    readings = (Reading(**one) for one in depends_on["data"])
    return found + [changed for reading in readings if (changed := changed_reading(reading, data))]


def _changes_since_unknown(record: Record, run: Run, data: Data) -> list[str]:
    """The same for a record of a version that noted its episodes only."""
    found = [f"{name} (not recorded)" for name in named_things(run, data) if name != MODEL]
    was, now = record.episodes["fingerprint"], data.episodes.fingerprint
    return found if was == now else [*found, f"episodes (were {was[:12]}, are {now[:12]})"]


def changed_reading(before: Reading, data: Data) -> str:
    """What is different in the data of today, in words; "" if nothing is."""
    if not data.reads(before.part, before.options):
        return f"{before.name} (this run does not read it)"
    if data.files(before.part, before.options) == before.files:
        return ""
    # Other files or newer code can hold the very same rows.
    now = data.content(before.part, before.options)
    return "" if now == before.content else f"{before.name} (was {before.content[:12]}, is {now[:12]})"


def _pairs(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name in sorted({*before, *now}):
        yield name, before.get(name, NOT_THERE), now.get(name, NOT_THERE)


def _version(method: str) -> dict[str, str]:
    """The version of a method or system whose options have meant another one before."""
    version = getattr(method_class(method) if method in METHODS else system_class(method), "version", 1)
    return {f"version of {method}": str(version)} if version > 1 else {}


def option_files(run: Run) -> dict[str, Path]:
    """The files that options of a run name, such as a prompt format or a template of one's own, by what they are."""
    return {**_files("option", run.options), **_files("training", run.written["training"])}


def _files(where: str, options: Any, name: str = "") -> dict[str, Path]:
    if isinstance(options, Mapping):
        within = f"{name}." if name else ""
        return {k: v for key, one in options.items() for k, v in _files(where, one, f"{within}{key}").items()}
    if isinstance(options, str) and name and _is_file(options):
        return {f"file of {where} {name}": Path(options)}
    return {}


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a path, or with a NUL byte
        return False


def _weights(run: Run) -> dict[str, str]:
    """Of the run's model, unless it is behind an endpoint, and of an encoder that its options name."""
    named = {MODEL: None if is_remote(run) else run.model, f"{MODEL} of option encoder": run.options.get("encoder")}
    return {name: found for name, model in named.items() if isinstance(model, str) and (found := _weights_of(model))}


def _weights_of(model: str) -> str:
    """A hash of the files of a folder, or the commit of a model of the Hub; "" where neither is known.

    Embedded models are checked when they are read.
    """
    if model in ENCODERS or model in CAUSAL_LMS:
        return ""
    folder = Path(model)
    if folder.is_dir():
        digest = hashlib.sha256()
        for path in _model_files(folder):
            digest.update(f"{path.relative_to(folder)} {sha256_of(path)}\n".encode())
        return digest.hexdigest()
    try:
        config = try_to_load_from_cache(model, "config.json")
    except ValueError:  # no name that the Hub could have
        return ""
    return Path(config).parent.name if isinstance(config, str) else ""


def _model_files(folder: Path) -> Sequence[Path]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "README.md")
    return [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
