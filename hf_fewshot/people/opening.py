"""A study is begun, or goes on: its plan is written first, and compared with the data ever after."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.people.assignment import episodes_of
from hf_fewshot.people.names import require_name
from hf_fewshot.people.plan import FILE_NAME, Plan, StudyError
from hf_fewshot.people.private import Private
from hf_fewshot.people.questions import Questions
from hf_fewshot.people.study import Study, private_of
from hf_fewshot.runs.run_data import data_of


def asked_plan(folder: Path, asked: Plan | None, given: dict[str, Any]) -> Plan:
    """The plan of the study in a folder, or of one that is to be begun there.

    Args:
        asked: with the data that was named; None where a study is to go on.
        given: other fields of the plan that were given.
    """
    if not (folder / FILE_NAME).exists():
        if asked is None:
            raise StudyError(
                f"{folder} holds no study. Name a benchmark to begin one: --benchmark, or --data and --task."
            )
        return replace(asked, **given)
    plan = Plan.read(folder)
    other = replace(plan, **given) if asked is None else replace(asked, **given)
    plan.require_same(replace(other, fingerprint=plan.fingerprint, content=plan.content), folder)
    return plan


def read_data(folder: Path, plan: Plan, private: Private) -> Data:
    """The data of a study; other data than that it was begun with is an error."""
    data = data_of(plan.run(), private.source)
    was, now = (plan.fingerprint, plan.content), _hashes(data)
    if plan.fingerprint and now != was:
        raise StudyError(
            f"{folder} was begun with other data: fingerprint {was[0][:12]}..., content {was[1][:12]}..., this has "
            f"{now[0][:12]}... and {now[1][:12]}.... Bring the data back as it was, or begin a study elsewhere."
        )
    return data


def _hashes(data: Data) -> tuple[str, str]:
    """Which examples are asked, and all that they say."""
    fingerprint = data.episodes.fingerprint
    return fingerprint, data.readings[0].content


def open_study(folder: Path, asked: Plan | None, given: dict[str, Any], source: dict[str, Any]) -> Study:
    """The study in a folder for a server, which has claimed it.

    Args:
        asked: with the data that was named; None where a study is to go on.
        given: other fields of the plan that were given.
        source: where raw files are, if it was said.
    """
    plan = asked_plan(folder, asked, given)
    private = private_of(folder)
    private.source = {name: _anywhere(place) for name, place in source.items()} or private.source
    data = read_data(folder, plan, private)
    check_answerable(plan, Questions(data.episodes))
    if not plan.fingerprint:
        fingerprint, content = _hashes(data)
        plan = replace(plan, fingerprint=fingerprint, content=content)
        plan.write(folder)
    return Study(folder, plan, data, private)


def _anywhere(place: str) -> str:
    """A place as it is known from every folder; of the Hub it is so anyway."""
    return place if place.startswith("hub:") else str(Path(place).absolute())


def check_answerable(plan: Plan, questions: Questions) -> None:
    """Raises an error if people cannot be asked: by these names, without forms, or with no episode for some."""
    names = [require_name(name).casefold() for name in plan.names]
    twice = [name for place, name in enumerate(plan.names) if names[place] in names[:place]]
    if twice:
        raise StudyError(f"The name {twice[0]!r} is given twice, in whatever case. Give each annotator another one.")
    for number in range(1, plan.annotators + 1):
        episodes_of(plan, number, len(questions.episodes))
    questions.first_form()
