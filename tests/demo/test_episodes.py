"""Episodes of benchmarks on the page: every sample data can be loaded, and what is right comes along."""

import pytest

from hf_fewshot.demo.episodes import EpisodeSource, Expected, load_episode, sample_sources
from hf_fewshot.demo.marked_text import Mark
from hf_fewshot.demo.model import page_tasks
from hf_fewshot.demo.sheet import read_sheet
from hf_fewshot.demo.trial import Answer, Entity
from hf_fewshot.tasks import task_of

TASKS = {task.name: task for task in page_tasks()}
SOURCES = [(task, source) for task in TASKS.values() for source in sample_sources(task)]


def test_whole_texts_come_first_and_every_task_can_load_something():
    assert list(TASKS) == ["classification", "tagging", "joint", "relation"]
    assert [source.name for _, source in SOURCES] == [
        "own_texts, sample data",
        "few_nerd/inter, sample data",
        "own_entities, sample data",
        "fewjoint, sample data",
        "own_utterances, sample data",
        "fewrel, sample data",
        "fs_tacred, sample data",
        "own_relations, sample data",
    ]


@pytest.mark.parametrize(("task", "source"), SOURCES, ids=[source.benchmark for _, source in SOURCES])
def test_an_episode_is_examples_and_queries_with_what_is_right(task, source):
    episode = load_episode(source, task, 0)
    sheet = read_sheet(episode.sheet, task)
    assert episode.title.startswith(f"{source.name}, episode 1 of ")
    assert len(sheet.rows) >= 4
    assert episode.left_out == 0
    assert 3 <= len(episode.queries) <= 30
    assert all(one.entities is not None or one.label for one in episode.queries.values())


def test_relations_have_their_names_and_may_be_none_of_the_above():
    source = EpisodeSource("fewrel", None, {"n_way": 2, "nota_rate": 0.9, "n_episodes": 5, "sample": True})
    episode = load_episode(source, TASKS["relation"], 0, shots=3)
    names = {row["relation"] for row in read_sheet(episode.sheet, TASKS["relation"]).rows}
    assert len(read_sheet(episode.sheet, TASKS["relation"]).rows) == 6
    assert not any(name.startswith("P9") for name in names)
    assert {one.label for one in episode.queries.values()} <= {*names, "NOTA"}
    assert all("](head)" in sentence and "](tail)" in sentence for sentence in episode.queries)


def test_an_episode_that_is_not_there_is_an_error():
    _, source = SOURCES[1]
    with pytest.raises(
        ValueError, match=r"^There is no episode 21: few_nerd/inter, sample data has 20\. Give a smaller"
    ):
        load_episode(source, TASKS["tagging"], 20)


def answer(label=None, is_none=False, entities=None):
    found = None if entities is None else tuple(Entity(Mark(0, 1, kind), text, 1, {}, ()) for text, kind in entities)
    return Answer("text", label, is_none, {}, (), found, (), None)


@pytest.mark.parametrize(
    ("expected", "said", "is_met"),
    [
        (Expected("a", None), answer("a"), True),
        (Expected("a", None), answer("b"), False),
        (Expected("NOTA", None), answer(is_none=True), True),
        (Expected("NOTA", None), answer("a"), False),
        (Expected(None, (("x", "p"), ("y", "q"))), answer(entities=[("y", "q"), ("x", "p")]), True),
        (Expected(None, (("x", "p"),)), answer(entities=[("x", "q")]), False),
        (Expected(None, ()), answer(entities=[]), True),
        (Expected("a", (("x", "p"),)), answer("a", entities=[]), False),
    ],
)
def test_an_answer_is_right_if_class_and_entities_are(expected, said, is_met):
    assert expected.is_met(said) is is_met


def test_a_task_of_another_kind_is_no_task_of_the_page():
    assert task_of("spans") not in page_tasks()
