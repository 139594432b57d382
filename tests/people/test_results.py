"""Records, agreement and times of a study."""

import json

import pytest

from hf_fewshot.people.agreement import cohens_kappa
from hf_fewshot.people.annotator import plain_answer
from hf_fewshot.people.assignment import episodes_of
from hf_fewshot.people.opening import open_study
from hf_fewshot.people.plan import Plan, StudyError
from hf_fewshot.people.results import write_study
from hf_fewshot.people.study import read_annotators
from hf_fewshot.runs.folder import read_records
from hf_fewshot.runs.predictions import read_predictions
from hf_fewshot.statistics import compare, summary
from hf_fewshot.tasks.form import Answer, Mark
from tests.small_study import label_of, text_file, text_plan


@pytest.fixture
def opened(tmp_path):
    """The small study, as a server has it."""
    study = open_study(tmp_path / "study", text_plan(), {}, {"data_dir": str(text_file(tmp_path))})
    yield study
    study.close()


def answer(study, name, *, wrong=0, wrong_in_training=0, seconds=1.0, until=6):
    """Somebody who answers so many queries, the first ones of them wrong."""
    taken = study.join(name)
    left = {"training": wrong_in_training, "annotation": wrong}
    while not taken.annotator.is_done and len(taken.annotator.of_step("annotation")) < until:
        question = taken.annotator.question
        if question is None:
            taken.begin()
            continue
        label = label_of(study.questions.form(question).parts[0].text)
        if left[question.step]:
            left[question.step] -= 1
            label = {"lost": "late", "late": "lost"}[label]
        taken.answer(question, Answer(label), seconds)
    return taken.annotator


def written(study, **options):
    annotators = read_annotators(study.folder, study.plan, study.questions)
    return write_study(study.folder, study.plan, study.data, annotators, **options)


def test_each_annotator_who_is_done_is_a_repeat_with_predictions_and_a_record(opened):
    answer(opened, "anna", wrong=1, seconds=2.0)
    answer(opened, "ben", wrong=3, wrong_in_training=1, seconds=4.0)
    answer(opened, "cleo", until=2)
    found = written(opened)
    records = read_records(opened.folder)
    assert {record.run.seed: record.score for record in records} == pytest.approx({1: 5 / 6, 2: 3 / 6})
    assert {(record.run.system, record.run.method, record.episodes["n_queries"]) for record in records} == {
        ("People", "people", 6)
    }
    assert [record.seconds["predict"] for record in sorted(records, key=lambda one: one.run.seed)] == [12.0, 24.0]
    path = opened.folder / opened.plan.run(1).name / "predictions.jsonl"
    assert len(read_predictions(path, opened.questions.episodes)[0]) == 6
    assert [(one.name, one.answered, one.queries, one.left_out) for one in found.people] == [
        ("anna", 6, 6, ""),
        ("ben", 6, 6, ""),
        ("cleo", 2, 6, "not done"),
    ]
    assert [one.training for one in found.people] == [1.0, 0.5, 1.0]
    assert [one.seconds for one in found.people] == [2.0, 4.0, 1.0]
    assert (found.mean, found.std) == pytest.approx((4 / 6, 2**0.5 / 6))
    content = json.loads((opened.folder / "people.json").read_text(encoding="utf-8"))
    assert (content["scores"], content["mean"]) == ({"1": 5 / 6, "2": 0.5}, pytest.approx(4 / 6))


def test_who_did_badly_in_the_training_can_be_left_out_and_comes_back(opened):
    answer(opened, "anna")
    answer(opened, "ben", wrong_in_training=1)
    assert [one.left_out for one in written(opened, min_training=0.7).people] == ["", "training below 0.7"]
    assert [record.run.seed for record in read_records(opened.folder)] == [1]
    # A server that goes on keeps the choice.
    assert [one.left_out for one in written(opened).people] == ["", "training below 0.7"]
    assert [one.left_out for one in written(opened, min_training=0.5).people] == ["", ""]
    assert sorted(record.run.seed for record in read_records(opened.folder)) == [1, 2]


def test_a_record_stays_as_it_is_while_its_answers_do(opened):
    answer(opened, "anna")
    written(opened)
    path = opened.folder / opened.plan.run(1).name / "record.json"
    before = path.stat().st_mtime_ns, path.read_bytes()
    answer(opened, "ben")
    written(opened)
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before
    path.write_text("{")
    written(opened)
    assert json.loads(path.read_text())["scores"] == json.loads(before[1])["scores"]


def test_kappa_of_labels_is_that_of_the_textbook():
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, by chance 0.5, kappa 0.4.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohens_kappa(first, second) == pytest.approx(0.4)
    assert cohens_kappa(["a", "b"], ["b", "a"]) == -1.0
    assert cohens_kappa(["a", "b", "c"], ["a", "b", "c"]) == 1.0
    assert cohens_kappa(["a", "a"], ["a", "a"]) is None


def test_annotators_agree_on_the_queries_that_both_have_answered(opened):
    answer(opened, "anna")
    answer(opened, "ben")
    answer(opened, "cleo", until=2)
    found = written(opened)
    assert [(one.first, one.second, one.n, one.f1) for one in found.agreements] == [
        (1, 2, 6, None),
        (1, 3, 2, None),
        (2, 3, 2, None),
    ]
    assert found.agreements[0].kappa == 1.0
    assert found.f1 is None


def test_marks_of_two_annotators_are_compared_by_f1(tmp_path):
    rows = [
        {"tokens": ["Anna", "met", name], "tags": ["B-person", "O", "B-person"]} for name in ("Ben", "Cleo", "Dora")
    ]
    (tmp_path / "names.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = {"data_dir": str(tmp_path / "names.jsonl")}
    study = open_study(tmp_path / "study", Plan("own_entities", None, {"shots": 1}, annotators=2), {}, source)
    both = (Mark(0, 0, 4, "person"),)
    for name, all_marked in (("anna", True), ("ben", False)):
        taken = study.join(name)
        while not taken.annotator.is_done:
            question = taken.annotator.question
            if question is None:
                taken.begin()
                continue
            end = len(study.questions.form(question).parts[0].text)
            marks = (*both, Mark(0, 9, end, "person")) if all_marked else both
            taken.answer(question, Answer(marks=marks), 1.0)
    found = written(study)
    study.close()
    # Of two queries: four marks of one, two of the other, two in common.
    assert (found.agreements[0].kappa, found.agreements[0].f1) == (None, pytest.approx(2 * 2 / 6))
    assert [found.scores[1], found.scores[2]] == pytest.approx([1.0, 2 / 3])


def test_shares_of_episodes_make_one_record_of_all_who_share_them(tmp_path):
    data = {"n_way": 3, "shots": 1, "n_episodes": 4, "sample": True}
    plan = Plan("fewrel", None, data, "validation", annotators=4, share=2)
    assert [episodes_of(plan, number, 4) for number in (1, 2, 3, 4)] == [range(0, 2), range(2, 4)] * 2
    study = open_study(tmp_path / "study", plan, {}, {})
    for name in ("anna", "ben", "cleo", "dora"):
        taken = study.join(name)
        while not taken.annotator.is_done and name != "dora":
            question = taken.annotator.question
            if question is None:
                taken.begin()
                continue
            label = next(iter(study.questions.form(question).choice.options))
            taken.answer(question, Answer(label), 1.0)
    found = written(study)
    assert [(one.group, one.queries, one.left_out) for one in found.people] == [
        (1, 6, ""),
        (1, 6, ""),
        (2, 6, "the group is not done"),
        (2, 6, "not done"),
    ]
    (record,) = read_records(study.folder)
    assert (record.run.seed, record.run.options, record.episodes["n_queries"]) == (1, {"share": 2}, 12)
    assert record.episodes["fingerprint"] == study.questions.episodes.fingerprint
    assert [(one.first, one.second, one.n) for one in found.agreements] == [(1, 3, 6)]
    study.close()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"annotators": 0}, "annotators=0, but at least one is asked"),
        ({"annotators": 3, "share": 2}, "share=2, but the 3 annotators must fall into so many groups of one size"),
    ],
)
def test_groups_must_be_of_one_size(changes, message):
    with pytest.raises(StudyError, match=message):
        text_plan(**changes)


def test_more_sharers_than_episodes_are_refused(tmp_path):
    with pytest.raises(StudyError, match="Each episode is to be answered by 1 of 4 annotators, so 4 share 1 episodes"):
        open_study(tmp_path, text_plan(annotators=4, share=1), {}, {"data_dir": str(text_file(tmp_path))})


def test_people_are_compared_with_every_seed_of_a_model(opened, tmp_path):
    for name, wrong in (("anna", 1), ("ben", 2), ("cleo", 3)):
        answer(opened, name, wrong=wrong)
    written(opened)
    from hf_fewshot.runs.execution import execute
    from hf_fewshot.runs.run import Run

    run = Run("own_texts", "one_class", None, {"shots": 1})
    model = [execute(run, tmp_path / "runs", source=opened.data.source, progress=False)]
    people = list(read_records(opened.folder))
    found = compare(people, model)
    assert (found.first, found.second, found.n) == ("People", "one_class", 3)
    assert found.difference == pytest.approx(4 / 6 - 0.5)
    assert (found.sources, found.p_t) == (("annotators", "units"), None)
    assert found.low < found.difference < found.high
    assert summary(people).sources == ("annotators", "units")


def test_an_answer_is_plain_json():
    answer = Answer("lost", (Mark(0, 1, 2, "x"),))
    assert plain_answer(answer) == {"label": "lost", "marks": [{"part": 0, "start": 1, "end": 2, "label": "x"}]}
