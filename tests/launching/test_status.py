"""What is known of runs, from files and from what Slurm says; here the test says it."""

import os
from types import SimpleNamespace

import pytest

from hf_fewshot.launching import launch, slurm
from hf_fewshot.launching.slurm_commands import ArrayTask, read_tasks
from hf_fewshot.launching.status import RunState, run_states
from hf_fewshot.launching.submission import Submission, submissions
from hf_fewshot.runs.failure import forget_failure, note_failure, read_failure

SAID = """\
17|0|RUNNING|None|hf-fewshot-x
17|1|PENDING|Dependency|hf-fewshot-x
17|2|CANCELLED|None|hf-fewshot-x
17|3|OUT_OF_MEMORY|OutOfMemory|hf-fewshot-x
9|N/A|RUNNING|None|a|b
"""


@pytest.fixture
def submitted(tmp_path, monkeypatch):
    """An array of four jobs in a folder of results, and a function by which Slurm says how far they are."""
    submission = Submission(
        "hf-fewshot-x", "slurm", ["17_0", "17_1", "17_2", "17_3"], [["a", "b", "c"], ["d"], ["e"], ["f"]], {"a": "A"}
    )
    submission.write(tmp_path)
    (submission.folder(tmp_path) / "job.sh").touch()
    for name in "abcdef":
        (tmp_path / name).mkdir()

    def say(said):
        monkeypatch.setattr(slurm, "tasks", lambda arrays: read_tasks(said) if arrays == {"17"} else {})
        return submission

    return say


def test_lines_of_squeue_are_read():
    assert read_tasks(SAID) == {
        ("17", 0): ArrayTask("RUNNING", "None", "hf-fewshot-x"),
        ("17", 1): ArrayTask("PENDING", "Dependency", "hf-fewshot-x"),
        ("17", 2): ArrayTask("CANCELLED", "None", "hf-fewshot-x"),
        ("17", 3): ArrayTask("OUT_OF_MEMORY", "OutOfMemory", "hf-fewshot-x"),
    }


def test_every_run_is_in_one_state(submitted, tmp_path):
    submission = submitted(SAID)
    (tmp_path / "a" / "record.json").touch()
    submission.log(tmp_path, 3).write_text("predict: 10 %\rpredict: 20 %\nslurmstepd: error: oom_kill event\n\n")
    assert run_states(list("abcdefg"), tmp_path) == [
        RunState("a", "done", "", "17_0"),
        RunState("b", "running", "", "17_0"),
        RunState("c", "waiting", "for another run of its job", "17_0"),
        RunState("d", "waiting", "Dependency", "17_1"),
        RunState("e", "failed", "cancelled; its log ends with: nothing, it never began", "17_2"),
        RunState("f", "failed", "out of memory; its log ends with: slurmstepd: error: oom_kill event", "17_3"),
        RunState("g", "missing"),
    ]


def test_a_run_that_failed_says_why_while_its_job_goes_on(submitted, tmp_path):
    submitted(SAID)
    note_failure(tmp_path / "a", "max_length=9999, but the model has 130 positions.")
    assert run_states(["a", "b"], tmp_path) == [
        RunState("a", "failed", "max_length=9999, but the model has 130 positions.", "17_0"),
        RunState("b", "running", "", "17_0"),
    ]


def test_a_run_that_failed_can_be_submitted_again_while_its_job_goes_on(submitted, tmp_path, monkeypatch):
    submitted(SAID)
    note_failure(tmp_path / "a", "max_length=9999, but the model has 130 positions.")
    monkeypatch.setattr(launch, "training_of", lambda run: None)
    jobs = launch.jobs_of([SimpleNamespace(name=name) for name in "abd"], tmp_path, slurm.Slurm("run"))
    assert [job.runs for job in jobs] == [("a",)]


def test_a_record_from_before_is_not_taken_for_that_of_a_run_that_is_made_again(submitted, tmp_path):
    submitted(SAID)
    (tmp_path / "a" / "record.json").touch()
    os.utime(tmp_path / "a" / "record.json", (1, 1))
    assert run_states(["a"], tmp_path) == [RunState("a", "running", "", "17_0")]


def test_a_job_that_slurm_has_forgotten_is_known_by_what_it_left(submitted, tmp_path):
    submission = submitted("")
    (tmp_path / "a" / "record.json").touch()
    submission.with_cancelled([1]).write(tmp_path)
    submission.log(tmp_path, 0).write_text("hf-fewshot: no such file\n")
    assert run_states(list("abd"), tmp_path) == [
        RunState("a", "done", "", "17_0"),
        RunState("b", "failed", "ended; its log ends with: hf-fewshot: no such file", "17_0"),
        RunState("d", "failed", "cancelled", "17_1"),
    ]


def test_a_job_of_somebody_else_with_the_same_id_is_not_ours(submitted, tmp_path):
    submitted(SAID.replace("hf-fewshot-x", "theirs"))
    assert [one.state for one in run_states(["b", "d"], tmp_path)] == ["failed", "failed"]


def test_the_last_submission_of_a_run_counts(submitted, tmp_path):
    submitted(SAID)
    Submission("hf-fewshot-y", "slurm", ["18_0"], [["d"]]).write(tmp_path)
    assert run_states(["d"], tmp_path)[0].job == "18_0"


def test_what_was_submitted_is_read_as_it_was_written(submitted, tmp_path):
    submission = submitted(SAID).with_cancelled([2])
    submission.write(tmp_path)
    assert list(submissions(tmp_path)) == [submission]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "submission.json is damaged: .* Delete it once none of its jobs is left"),
        ('{"launcher": "slurm", "ids": ["1; rm"], "jobs": [["a"]]}', "'1; rm' is no id of a job"),
        ('{"launcher": "slurm", "ids": ["1_0"], "jobs": []}', "1 ids of 0 jobs"),
        ('{"launcher": "slurm", "ids": ["1_0"]}', "has no 'jobs'"),
    ],
)
def test_a_damaged_list_of_jobs_is_an_error_with_its_name(text, message, tmp_path):
    (tmp_path / "jobs" / "x").mkdir(parents=True)
    (tmp_path / "jobs" / "x" / "submission.json").write_text(text)
    with pytest.raises(ValueError, match=message):
        list(submissions(tmp_path))


def test_a_failure_is_kept_until_the_run_begins_again(tmp_path):
    note_failure(tmp_path / "run", "no space\nleft")
    assert read_failure(tmp_path / "run") == "no space\nleft"
    forget_failure(tmp_path / "run")
    assert read_failure(tmp_path / "run") is None
