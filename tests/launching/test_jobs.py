from hf_fewshot.launching.jobs import Job, planned_jobs
from hf_fewshot.launching.trainings import training_of
from hf_fewshot.runs.run import Run

DATA = {"n_way": 3, "shots": 1, "nota_rate": 0.5}


def trained(**changes):
    fields = {"data": DATA, "training": {"max_steps": 3}, "model": "encoder"}
    return training_of(Run("fewrel", "proto", **(fields | changes)))


def test_what_trains_for_others_comes_first_and_the_others_wait_for_it():
    trainings = {"frozen": None, "a0": "A", "b0": "B", "a1": "A", "a2": "A", "alone": "C", "b1": "B"}
    assert planned_jobs(trainings, {}, 1) == [
        Job(("a0",)),
        Job(("b0",)),
        Job(("frozen",)),
        Job(("alone",)),
        Job(("a1",), after=0),
        Job(("a2",), after=0),
        Job(("b1",), after=1),
    ]


def test_a_job_of_several_runs_takes_those_that_share_a_model():
    trainings = {"f0": None, "a0": "A", "f1": None, "a1": "A", "f2": None, "a2": "A", "alone": "C"}
    assert planned_jobs(trainings, {}, 2) == [
        Job(("a0", "a1")),
        Job(("f0", "f1")),
        Job(("f2", "alone")),
        Job(("a2",), after=0),
    ]


def test_runs_wait_for_a_job_submitted_earlier_that_trains_their_model():
    assert planned_jobs({"a1": "A", "a2": "A", "b": "B"}, {"A": "17_3"}, 1) == [
        Job(("b",)),
        Job(("a1",), after="17_3"),
        Job(("a2",), after="17_3"),
    ]


def test_nothing_to_do_is_no_job():
    assert planned_jobs({}, {"A": "17_3"}, 4) == []


def test_runs_that_differ_in_what_they_predict_share_a_training():
    assert trained(data={**DATA, "seed": 4}) == trained()
    assert trained(split="validation", system="Another name") == trained()


def test_runs_with_another_training_share_none():
    others = [
        trained(seed=1),
        trained(model="other"),
        trained(data={**DATA, "shots": 5}),
        trained(training={"max_steps": 4}),
        trained(options={"layers": 2}),
    ]
    assert len({trained(), *others}) == 6


def test_what_trains_nothing_has_no_training():
    assert trained(training=None) is None
    assert training_of(Run("fewrel", "always_none", data=DATA)) is None


def test_folds_are_trained_on_each_for_itself_even_without_a_word_on_training():
    folds = [
        training_of(Run("clues", "span_finetuning", "sst2", {"shots": 10, "fold": fold}, model="m")) for fold in (1, 2)
    ]
    assert None not in folds
    assert len(set(folds)) == 2


def test_where_jobs_cannot_wait_one_does_all_runs_that_share_a_model():
    trainings = {"a0": "A", "f0": None, "a1": "A", "a2": "A", "alone": "C"}
    assert planned_jobs(trainings, {}, 2, can_wait=False) == [Job(("a0", "a1", "a2")), Job(("f0", "alone"))]
