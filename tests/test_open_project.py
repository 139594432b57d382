"""Workflows, templates and files about the project name only what there is."""

import re
import shlex
import tomllib

import pytest
import yaml

import hf_fewshot
from hf_fewshot.cli.main import parser
from tests.docs.blocks import PROJECT, named

WORKFLOWS = sorted(PROJECT.glob(".github/workflows/*.yml"))
FORMS = sorted(one for one in PROJECT.glob(".github/ISSUE_TEMPLATE/*.yml") if one.name != "config.yml")
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]


def read(file):
    return yaml.safe_load(file.read_text("utf-8"))


def steps(workflow):
    return [step for job in read(workflow)["jobs"].values() for step in job.get("steps", [])]


def lines(workflow):
    """The lines that a workflow's shells run."""
    texts = (step["run"].replace("\\\n", " ") for step in steps(workflow) if "run" in step)
    return [line.strip() for text in texts for line in text.splitlines()]


def test_workflows_and_forms_are_found():
    assert [one.name for one in WORKFLOWS] == ["docs.yml", "release.yml", "tests.yml", "wheel.yml"]
    assert [one.name for one in FORMS] == ["bug.yml", "number.yml", "proposal.yml"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=named)
def test_commands_of_a_workflow_are_there(workflow):
    targets = re.findall(r"^([\w-]+):(?!=)", (PROJECT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for line in lines(workflow):
        words = shlex.split(line)
        if words[0] == "make":
            assert words[1] in targets
        if words[0].startswith(".ci/"):
            assert (PROJECT / words[0]).stat().st_mode & 0o111, f"{words[0]} cannot be run"
        if words[0] == "hf-fewshot":
            assert parser().parse_args(words[1:]).run is not None
        for extras in re.findall(r"(?:\.|\.whl\))\[([\w,-]+)\]", line):
            assert set(extras.split(",")) <= set(SETTINGS["optional-dependencies"])


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=named)
def test_a_workflow_may_only_read_but_for_what_a_job_says(workflow):
    content = read(workflow)
    assert content["permissions"] == {"contents": "read"}
    for job in content["jobs"].values():
        assert set(job.get("permissions", {})) <= {"id-token", "pages"}
    called = [job["uses"] for job in content["jobs"].values() if "uses" in job]
    assert all((PROJECT / place).is_file() for place in called)


def test_tests_run_what_runs_here_on_every_python_that_we_name():
    job = read(PROJECT / ".github/workflows/tests.yml")["jobs"]["tests"]
    versions = job["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13"]
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    named_versions = [one for one in SETTINGS["classifiers"] if "Python :: 3." in one]
    assert named_versions == [f"Programming Language :: Python :: {one}" for one in versions]


def test_a_release_is_published_without_a_token_and_only_after_the_wheel_was_tried():
    jobs = read(PROJECT / ".github/workflows/release.yml")["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert (jobs["publish"]["needs"], jobs["wheel"]["needs"]) == ("wheel", "version")
    assert "secrets" not in (PROJECT / ".github/workflows/release.yml").read_text("utf-8")


def test_the_lines_by_which_a_release_knows_its_version_stand_in_their_files():
    version = hf_fewshot.__version__
    checked = [line for line in lines(PROJECT / ".github/workflows/release.yml") if line.startswith("grep")]
    assert len(checked) == 2
    for line in checked:
        *_, wanted, file = shlex.split(line.replace("${GITHUB_REF_NAME#v}", version))
        assert wanted in (PROJECT / file).read_text("utf-8")


@pytest.mark.parametrize("form", FORMS, ids=named)
def test_a_form_for_issues_asks_for_something(form):
    content = read(form)
    assert set(content) == {"name", "description", "labels", "body"}
    ids = [field["id"] for field in content["body"]]
    assert len(ids) == len(set(ids))
    assert all(field["attributes"]["label"] for field in content["body"])
    assert any(field.get("validations", {}).get("required") for field in content["body"])


def test_the_citation_is_of_this_version_and_names_no_person():
    citation = read(PROJECT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["authors"] == [{"name": "hf_fewshot maintainers"}]
    assert citation["version"] == hf_fewshot.__version__
    assert citation["license"] == SETTINGS["license"]


def test_commits_are_checked_by_the_ruff_that_make_check_runs():
    repositories = {one["repo"].rsplit("/", 1)[1]: one for one in read(PROJECT / ".pre-commit-config.yaml")["repos"]}
    assert f"\nruff=={repositories['ruff-pre-commit']['rev'].removeprefix('v')}\n" in (
        PROJECT / "constraints.txt"
    ).read_text("utf-8")
    assert [hook["id"] for hook in repositories["ruff-pre-commit"]["hooks"]] == ["ruff-check", "ruff-format"]


def test_the_skill_says_what_it_is_for():
    _, head, _ = (PROJECT / "SKILL.md").read_text("utf-8").split("---\n", 2)
    skill = yaml.safe_load(head)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", skill["name"])
    assert 100 <= len(skill["description"]) <= 1024
