"""What is wrong with the content of a record file: names, types, ranges, and a score that its units deny."""

import datetime
import math
from collections.abc import Iterator, Mapping
from typing import Any

from hf_fewshot.data.draws import DRAWS
from hf_fewshot.registry import TASKS
from hf_fewshot.text.short_value import short

# Rounding of sums over many units.
TOLERANCE = 1e-6
# Larger numbers are no count, score or time, and their sums may be infinite.
LARGEST = 1e15
UNITS = ("episode", "domain", "question")
OPTIONAL = ("depends_on", "answers")
TEXTS = ("task", "measure", "unit", "started", "command")
MAPPINGS = ("run", "scores", "intervals", "baselines", "episodes", "environment", "seconds", *OPTIONAL)
LISTS = ("units", "numerators", "denominators")


def problems(content: Mapping[str, Any], known: set[str], known_of_run: set[str]) -> list[str]:
    """All that is wrong with a record's content, in words; nothing if it can be believed.

    Args:
        known: the fields of a record.
        known_of_run: the fields of its run.
    """
    found = list(_names("it", content, known))
    run = content.get("run")
    found += _names("its run", run, known_of_run) if isinstance(run, dict) else ["its run is no object"]
    found = found or list(_types(content))
    found = found or [
        *_run(content["run"]),
        *_data(content["run"]["data"]),
        *_environment(content["environment"]),
        *_numbers(content),
        *_episodes(content),
        *_confusion(content),
        *_dependencies(content.get("depends_on")),
        *_answers(content.get("answers", {})),
    ]
    return found or list(_score(content))


def _names(what: str, content: Mapping[str, Any], known: set[str]) -> Iterator[str]:
    yield from (f"{what} has no {name!r}" for name in sorted(known - set(content) - set(OPTIONAL)))
    yield from (f"{what} has an unknown {_shown(name)}" for name in sorted(set(content) - known))


def _types(content: Mapping[str, Any]) -> Iterator[str]:
    for names, kind, word in ((TEXTS, str, "text"), (MAPPINGS, dict, "an object"), (LISTS, list, "a list")):
        for name in names:
            if name in content and not isinstance(content[name], kind):
                yield f"{name!r} is {_shown(content[name])}, expected {word}"
    for name, known in (("task", TASKS), ("unit", UNITS)):
        if isinstance(content[name], str) and content[name] not in known:
            yield f"{name!r} is {_shown(content[name])}, expected one of {', '.join(known)}"


def _run(run: Mapping[str, Any]) -> Iterator[str]:
    for name in ("benchmark", "method", "split", "system"):
        if not isinstance(run[name], str) or not run[name]:
            yield f"{name!r} of its run is {_shown(run[name])}, expected text"
    for name, kind, word in (("config", str, "text"), ("model", str, "text"), ("training", dict, "an object")):
        if run[name] is not None and not isinstance(run[name], kind):
            yield f"{name!r} of its run is {_shown(run[name])}, expected {word} or null"
    for name in ("data", "options"):
        if not isinstance(run[name], dict):
            yield f"{name!r} of its run is {_shown(run[name])}, expected an object"
    if type(run["seed"]) is not int or not _is_number(run["seed"]):
        yield f"'seed' of its run is {_shown(run['seed'])}, expected a whole number"


def _data(data: Any) -> Iterator[str]:
    """Options are values; draws are told apart by one value each, and columns of tables are sorted by numbers."""
    for name, value in data.items() if isinstance(data, dict) else ():
        numeric = name in ("n_way", "shots", "nota_rate", "na_rate")
        several = isinstance(value, list | dict) and name not in DRAWS and not numeric
        values = [*(value.values() if isinstance(value, dict) else value)] if several else [value]
        if not all(one is None or _is_number(one) or (isinstance(one, str | bool) and not numeric) for one in values):
            word = "a number" if numeric else "a number or text"
            yield f"the option {_shown(name)} of its data is {_shown(value)}, expected {word}"


def _environment(environment: Mapping[str, Any]) -> Iterator[str]:
    fits = {
        "versions": (lambda value: isinstance(value, dict), "an object"),
        "commit": (lambda value: value is None or isinstance(value, str), "text or null"),
        "parameters": (lambda value: value is None or _is_size(value), "a whole number above 0 or null"),
    }
    for name, (fit, word) in fits.items():
        if name in environment and not fit(environment[name]):
            yield f"{name!r} of its environment is {_shown(environment[name])}, expected {word}"


def _numbers(content: Mapping[str, Any]) -> Iterator[str]:
    for name, value in content["scores"].items():
        if not _is_number(value):
            yield f"the score {_shown(name)} is {_shown(value)}, expected a number"
        elif value < 0 or (value > 1 and not _is_count(name)):
            yield f"the score {_shown(name)} is {value}, expected {'0 or more' if _is_count(name) else 'from 0 to 1'}"
    for name, value in content["baselines"].items():
        if not _is_number(value) or not 0 <= value <= 1:
            yield f"the baseline {_shown(name)} is {_shown(value)}, expected a number from 0 to 1"
    for name, value in content["intervals"].items():
        pair = isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))
        if not pair or not 0 <= value[0] <= value[1] <= 1:
            yield f"the interval of {_shown(name)} is {_shown(value)}, expected two numbers from 0 to 1 in order"
    level = content["confidence_level"]
    if not _is_number(level) or not 0 < level < 1:
        yield f"confidence_level is {_shown(level)}, expected a number between 0 and 1"
    for name, value in content["seconds"].items():
        if not _is_number(value) or value < 0:
            yield f"the seconds of {_shown(name)} are {_shown(value)}, expected a number of 0 or more"
    if content["measure"] not in content["scores"]:
        yield f"its scores have no {_shown(content['measure'])}, the main measure"
    try:
        datetime.datetime.fromisoformat(content["started"])
    except ValueError:
        yield f"'started' is {_shown(content['started'])}, expected a date and time"


def _episodes(content: Mapping[str, Any]) -> Iterator[str]:
    episodes = content["episodes"]
    for name, kind in (("fingerprint", str), ("n_episodes", int), ("n_queries", int), ("official", bool)):
        if type(episodes.get(name)) is not kind:
            yield f"{name!r} of its episodes is {_shown(episodes.get(name))}, expected a {kind.__name__}"
            return
    for name in ("n_episodes", "n_queries"):
        if not 1 <= episodes[name] <= LARGEST:
            yield f"{name!r} of its episodes is {_shown(episodes[name])}, expected 1 or more"
    data = content["run"]["data"]
    if episodes["official"] and isinstance(data, dict) and data.get("sample"):
        yield "it says that sample data is the benchmark's own"
    lengths = {name: len(content[name]) for name in LISTS}
    if len(set(lengths.values())) > 1:
        yield "there are " + ", ".join(f"{count} {name}" for name, count in lengths.items())
    expected = {"question": episodes["n_queries"]}.get(content["unit"], episodes["n_episodes"])
    if lengths["units"] != expected:
        yield f"there are {lengths['units']} units for {expected} {content['unit']}s"


def _confusion(content: Mapping[str, Any]) -> Iterator[str]:
    table = content["confusion"]
    if table is None:
        return
    labels, counts = (table.get(name) if isinstance(table, dict) else None for name in ("labels", "counts"))
    square = (
        isinstance(labels, list)
        and isinstance(counts, list)
        and all(isinstance(label, str) for label in labels)
        and len(counts) == len(labels)
        and all(isinstance(row, list) and len(row) == len(labels) for row in counts)
        and all(type(count) is int and 0 <= count <= LARGEST for row in counts for count in row)
    )
    if not square:
        yield "its confusion is no table of counts with a label for each row and column"


def _dependencies(depends_on: Mapping[str, Any] | None) -> Iterator[str]:
    if not depends_on:
        return
    files, data = depends_on.get("files"), depends_on.get("data")
    fits = (
        set(depends_on) == {"files", "data"}
        and isinstance(files, dict)
        and all(isinstance(value, str) for value in files.values())
        and isinstance(data, list)
        and all(isinstance(one, dict) and set(one) == {"part", "options", "files", "content"} for one in data)
        and all(isinstance(one[name], str) for one in data for name in ("part", "files", "content"))
        and all(isinstance(one["options"], dict) for one in data)
    )
    if not fits:
        yield "its depends_on has no hashes of files and of data"


def _answers(answers: Mapping[str, Any]) -> Iterator[str]:
    for name, value in answers.items():
        if not _is_number(value) or value < 0:
            yield f"the number {name!r} of its answers is {_shown(value)}, expected 0 or more"


def _score(content: Mapping[str, Any]) -> Iterator[str]:
    if not all(isinstance(name, str) for name in content["units"]):
        yield "its units have names that are no text"
        return
    pairs = list(zip(content["numerators"], content["denominators"], strict=True))
    for number, pair in enumerate(pairs):
        if not all(map(_is_number, pair)) or not 0 <= pair[0] <= pair[1] + TOLERANCE:
            yield f"unit {number} has {_shown(list(pair))}, expected 0 <= numerator <= denominator"
            return
    total = math.fsum(denominator for _, denominator in pairs)
    follows = math.fsum(numerator for numerator, _ in pairs) / total if total else 0.0
    score = content["scores"][content["measure"]]
    if abs(score - follows) > TOLERANCE:
        yield f"its score says {100 * score:.2f} %, but its units say {100 * follows:.2f} %"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 < value <= LARGEST


def _is_count(name: str) -> bool:
    """Whether a measure is a number of things: `n`, `n_correct`, `per_type/art-film/n_correct`."""
    last = name.rpartition("/")[2]
    return last == "n" or last.startswith("n_")


def _shown(value: Any) -> str:
    return short(value, 60)
