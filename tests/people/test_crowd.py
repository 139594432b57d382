"""Several annotators at once: nothing is lost, nothing is mixed up."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from hf_fewshot.people.plan import Plan
from hf_fewshot.people.study import read_annotators
from tests.running_study import running_study

N = 20
PLAN = Plan("fewrel", None, {"n_way": 5, "shots": 1, "n_episodes": 2, "sample": True}, "validation", annotators=N)


def test_twenty_annotators_at_once_lose_and_mix_nothing(tmp_path):
    """Everybody has answers of their own, known before: what is on disk in the end is exactly that."""
    with running_study(tmp_path / "study", PLAN) as running:
        study = running.study
        episodes = list(study.questions.episodes)

        def own(number):
            """The class with this number, counted on from query to query."""
            return [
                [episode.classes[(number + place) % 5] for place in range(len(episode.query))] for episode in episodes
            ]

        def work(name):
            with running.annotator(name) as somebody:
                somebody.answer_all(own(somebody.number))
                return somebody.number

        with ThreadPoolExecutor(N) as pool:
            numbers = list(pool.map(work, [f"annotator {place}" for place in range(N)]))
    assert sorted(numbers) == list(range(1, N + 1))
    annotators = read_annotators(tmp_path / "study", study.plan, study.questions)
    counted = 0
    for annotator in annotators:
        assert annotator.is_done
        expected = own(annotator.number)
        for question, given in annotator.of_step("annotation").items():
            assert given.answer.label == expected[question.episode][question.place]
            counted += 1
    assert counted == N * sum(len(episode.query) for episode in episodes)
    assert {annotator.name for annotator in annotators} == {f"annotator {place}" for place in range(N)}


def test_orders_are_functions_of_seed_and_number_alone(tmp_path):
    orders = []
    for folder, plan in (("one", PLAN), ("two", replace(PLAN, annotators=2)), ("three", replace(PLAN, seed=1))):
        with running_study(tmp_path / folder, plan) as running:
            for name in ("anna", "ben"):
                with running.annotator(f"{name} {folder}") as somebody:
                    orders.append([*somebody.questions.values()])
    assert orders[0] == orders[2]
    assert orders[1] == orders[3]
    assert len({str(order) for order in orders}) == 4
