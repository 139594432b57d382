"""Settings, systems, seeds and versions in words: what the appendix of a paper says of its runs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hf_fewshot.runs.record import Record
from hf_fewshot.tables.plain import one_line
from hf_fewshot.tables.settings import Setting

DIGITS = 12  # of a fingerprint


def appendix(settings: Sequence[Setting]) -> list[str]:
    """Paragraphs about the runs of a benchmark: data, systems, software."""
    data = [f"{setting.title}: {_episodes(setting.records)}." for setting in settings]
    systems: dict[str, list[Record]] = {}
    for setting in settings:
        for system in setting.systems:
            systems.setdefault(f"{system.label}: {_made_of(system.records[0])}", []).extend(system.records)
    runs = [f"{name}; {_seeds(records)}." for name, records in systems.items()]
    records = [record for setting in settings for record in setting.records]
    level = f"{100 * records[0].confidence_level:g} %"
    how = (
        f"Scores are means over runs with the sample standard deviation (over n \N{MINUS SIGN} 1). {level} confidence "
        "intervals of one run are bootstrap intervals over its units; of several, Student's t with the variances that "
        "seeds, draws and shared units cause."
    )
    return [*data, *runs, how, _software(records)]


def _episodes(records: Sequence[Record]) -> str:
    known = {record.episodes["fingerprint"]: record for record in records}
    counts = dict.fromkeys(
        f"{_many(one.episodes['n_episodes'], 'episode')} with {one.episodes['n_queries']:,} queries"
        for one in known.values()
    )
    draws = f"{len(known)} draws of " if len(known) > 1 else ""
    prints = ", ".join(str(one)[:DIGITS] for one in known)
    return f"{draws}{' or '.join(counts)} (fingerprint{'s' if len(known) > 1 else ''} {prints})"


def _made_of(record: Record) -> str:
    run = record.run
    parts = [f"method {run.method}", _options(run.options), f"model {run.model}" if run.model else ""]
    training = "not trained" if run.training is None else f"trained with {_options(run.training.written)}"
    return one_line(", ".join(part for part in [*parts, training] if part))


def _options(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_value(value)}" for name, value in options.items() if value is not None)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"({_options(value)})"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _seeds(records: Sequence[Record]) -> str:
    seeds = sorted({record.run.seed for record in records})
    return f"{_many(len(records), 'run')}, seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"


def _software(records: Iterable[Record]) -> str:
    environments = [record.environment for record in records]
    versions: dict[str, dict[str, None]] = {}
    for one in environments:
        for name, version in {**one.get("versions", {}), "Python": one.get("python")}.items():
            if version:
                versions.setdefault(name, {})[str(version)] = None
    parts = [f"{name} {' and '.join(found)}" for name, found in versions.items()]
    for label, key, length in (("commit", "commit", 10), ("on", "device", 80), ("precision", "precision", 80)):
        found = dict.fromkeys(str(one[key])[:length] for one in environments if one.get(key))
        parts += [f"{label} {' and '.join(found)}"] if found else []
    return one_line(f"Software: {', '.join(parts)}.")


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
