"""The page in headless Chromium: each task from the first click to the thanks, by mouse, keys and touch."""

import pytest

from tests.people.browser import studies
from tests.people.browser.person import KeyboardPerson, Person

pytestmark = pytest.mark.browser


def by_text(running, step="annotation"):
    """The answers on disk as a person sees them, sorted."""
    return sorted(
        (one["answer"]["label"], [(mark["start"], mark["end"], mark["label"]) for mark in one["answer"]["marks"]])
        for one in running.answers(step=step)
    )


def finish(person, running):
    """From the first click to the thanks, with every answer right."""
    person.join("anna")
    person.begin()
    person.work(running.right)
    assert person.shown("h1") == ["Now your answers count"]
    person.begin()
    assert person.shown(".examples summary")[0].startswith("Examples")
    person.work(running.right)
    assert person.shown("h1") == ["Thank you"]


TASKS = ["classification", "relation", "tagging", "joint", "spans"]


@pytest.mark.parametrize(
    ("task", "kind"), [*((task, KeyboardPerson) for task in TASKS), *((task, Person) for task in TASKS[2:])]
)
def test_a_task_is_worked_through(page, serve, task, kind):
    running = serve(getattr(studies, task))
    finish(kind(page, running.url), running)
    assert running.answers()
