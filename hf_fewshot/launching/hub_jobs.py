"""Hugging Face Jobs: runs on machines that are paid for by the minute and see nothing of this one."""

import logging
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from huggingface_hub import HfApi, JobInfo, JobStage, Volume, get_token
from huggingface_hub._jobs_api import TERMINAL_JOB_STAGES
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.utils import validate_repo_id

from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.hub.access import hub_access
from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.pull import pull_runs
from hf_fewshot.hub.results_repository import JOBS, ResultsRepository
from hf_fewshot.launching.hub_job_work import ERRORS, LOGS
from hf_fewshot.launching.job_plan import FILE_NAME as PLAN
from hf_fewshot.launching.job_plan import FILES, JobPlan
from hf_fewshot.launching.jobs import Job
from hf_fewshot.launching.launcher import Launcher, Submitted, Task
from hf_fewshot.launching.package_source import PackageSource, pins
from hf_fewshot.launching.prices import Hardware, cost_in_words
from hf_fewshot.launching.submission import Submission
from hf_fewshot.launching.uv_script import python_version, uv_script
from hf_fewshot.runs.failure import note_failure, read_failure
from hf_fewshot.runs.record import FILE_NAME as RECORD
from hf_fewshot.text.redaction import redacted

logger = logging.getLogger(__name__)

MOUNT = "/submission"
LABEL, NUMBER = "hf-fewshot-submission", "hf-fewshot-job"
TOKEN = "HF_TOKEN"
LOG_LINES = 1000


@dataclass(frozen=True)
class HubJobs(Launcher):
    """How runs are submitted to it.

    Args:
        repository: the dataset repository for results.
        package: where jobs get this package from.
        flavor: the hardware.
        timeout: of a job, in seconds.
        namespace: who pays; None: whose token it is.
        image: with uv in it; None: uv's own with this version of Python.
        secrets: names of environment variables that jobs get; `HF_TOKEN`, with which they upload, is always one.
        extras: of this package, that the runs take.
        models: upload trained models too.
        files: of the current folder, that jobs need under the same names.
    """

    repository: str = ""
    package: PackageSource = field(default_factory=lambda: PackageSource.read(None))
    flavor: str = "cpu-basic"
    timeout: int = 3600
    namespace: str | None = None
    image: str | None = None
    secrets: Sequence[str] = ()
    extras: Sequence[str] = ()
    models: bool = False
    files: Mapping[str, Path] = field(default_factory=dict)

    name = "jobs"
    script_name = "job.py"
    shares_files = False
    has_price = True
    secrets_remedy = "--secret NAME gives jobs that of this name"

    def __post_init__(self) -> None:
        super().__post_init__()
        ResultsRepository(self.repository)
        missing = [name for name in self.secrets if name != TOKEN and not os.environ.get(name)]
        if missing:
            raise ValueError(
                f"--secret {', '.join(missing)}: here is no such environment variable, whose value jobs could get."
            )

    def startable(self, jobs: Sequence[Job], n_underway: int) -> Sequence[Job]:
        """As many as may run at once beside those that do: Jobs itself starts all."""
        return jobs[: max(0, self.at_once - n_underway)]

    def script(self, name: str, jobs: Sequence[Job], folder: Path) -> str:
        """What uv runs: the environment, and one line that calls us."""
        return uv_script(name, self.package.requirement(self.extras, MOUNT), pins(self.extras))

    def preview(self, jobs: Sequence[Job], seconds: Sequence[float | None], folder: Path) -> str:
        """Jobs, where everything comes from and goes to, and the cost."""
        with hub_access(self.repository, None) as api:
            hardware = Hardware.chosen(self.flavor, api.list_jobs_hardware())
        lines = [
            f"  {number}: {', '.join(job.runs)}" + ("" if one is None else f" (about {one / 60:.1f} minutes)")
            for number, (job, one) in enumerate(zip(jobs, seconds, strict=True))
        ]
        lines += [
            f"Image: {self.image_name}; package: {self.package.place}.",
            f"Secrets: {', '.join(self.secret_names)}. Files: {', '.join(self.files) or 'none'}.",
            f"Results: dataset repository {self.repository}{', with trained models' if self.models else ''}.",
        ]
        return "\n".join(lines) + "\n" + cost_in_words(hardware, self.timeout, seconds)

    @property
    def image_name(self) -> str:
        return self.image or f"ghcr.io/astral-sh/uv:python{python_version()}-bookworm"

    @property
    def secret_names(self) -> list[str]:
        return list(dict.fromkeys((TOKEN, *self.secrets)))

    def submit(self, name: str, jobs: Sequence[Job], folder: Path) -> Submitted:
        """Uploads the script with what it needs, and submits a job for each; if one is refused, none is left."""
        secrets = self._secret_values()
        repository = ResultsRepository(self.repository)
        runs = [list(job.runs) for job in jobs]
        plan = JobPlan(name, list(self.command), runs, self.repository, self.secret_names, self.models)
        files: dict[str, Content] = {PLAN: plan.content, self.script_name: folder / self.script_name}
        files |= {f"{FILES}/{path}": place for path, place in self.files.items()}
        if self.package.wheel is not None:
            files[self.package.place] = self.package.wheel
        with hub_access(self.repository, None) as api:
            Hardware.chosen(self.flavor, api.list_jobs_hardware())
            namespace = self.namespace or api.whoami()["name"]
            repository.create()
            commit = repository.upload(
                {f"{JOBS}/{name}/{path}": content for path, content in files.items()}, f"Submit {len(jobs)} jobs"
            )
            volume = Volume(
                type="dataset",
                source=self.repository,
                mount_path=MOUNT,
                revision=commit,
                read_only=True,
                path=f"{JOBS}/{name}",
            )
            ids: list[str] = []
            with _all_or_none(api, namespace, ids):
                for number in range(len(jobs)):
                    job = api.run_job(
                        image=self.image_name,
                        command=["uv", "run", f"{MOUNT}/{self.script_name}", str(number)],
                        env={"PYTHONUNBUFFERED": "1"},
                        secrets=secrets,
                        flavor=self.flavor,
                        timeout=self.timeout,
                        name=f"{name}-{number}".replace(".", "-"),
                        labels={LABEL: name, NUMBER: str(number)},
                        volumes=[volume],
                        namespace=namespace,
                    )
                    ids.append(job.id)
        return Submitted(ids, {"namespace": namespace, "repository": self.repository})

    def begin(self, submitted: Submitted, jobs: Sequence[Job]) -> None:
        """Nothing: they have begun."""

    @classmethod
    def tasks(cls, submissions: Collection[Submission]) -> dict[tuple[str, int], Task]:
        """Asks for the jobs of a submission at once, and for each that is not among them."""
        found = {}
        for one in submissions:
            with _place(one) as (api, namespace, _):
                listed = {job.id: job for job in api.list_jobs(namespace=namespace, labels={LABEL: one.name})}
                for number, identity in enumerate(one.ids):
                    job = listed.get(identity) or _inspected(api, namespace, identity)
                    if job is not None:
                        found[one.name, number] = _task(job)
        return found

    @classmethod
    def cancel(cls, submission: Submission, numbers: Collection[int]) -> None:
        """Ends jobs; one that has ended meanwhile is no error."""
        with _place(submission) as (api, namespace, _):
            for number in numbers:
                _cancel(api, namespace, submission.ids[number])

    @classmethod
    def fetch(cls, submission: Submission, ended: Collection[int], output: Path) -> None:
        """Brings records, messages of what failed, and logs."""
        runs = [name for job in submission.jobs for name in job]
        coming = [name for name in runs if not _is_settled(output / name)]
        logs = [number for number in range(len(submission.jobs)) if not submission.log(output, number).exists()]
        if not coming and not set(logs) & set(ended):
            return
        with _place(submission) as (api, namespace, repository):
            pulled = pull_runs(repository.repo_id, output, only=coming) if coming else None
            for name, why in pulled.refused.items() if pulled else ():
                note_failure(output / name, why)
            left = repository.files(f"{JOBS}/{submission.name}")
            for name in coming:
                if f"{ERRORS}/{name}.txt" in left and not _is_settled(output / name):
                    note_failure(output / name, _text(repository, submission, f"{ERRORS}/{name}.txt"))
            for number in logs:
                within = f"{LOGS}/{number}.log"
                if within in left:
                    text = _text(repository, submission, within)
                elif number in ended:  # before it could upload anything
                    text = _printed(api, namespace, submission.ids[number])
                else:
                    continue
                with whole_file(submission.log(output, number)) as unfinished:
                    unfinished.write_text(text, encoding="utf-8")

    def _secret_values(self) -> dict[str, str]:
        token = os.environ.get(TOKEN) or get_token()
        if not token:
            raise ValueError(
                "Jobs upload their results with your token, and there is none: run `hf auth login`, or set HF_TOKEN."
            )
        return {name: token if name == TOKEN else os.environ[name] for name in self.secret_names}


@contextmanager
def _place(submission: Submission) -> Iterator[tuple[HfApi, str, ResultsRepository]]:
    """The client, whose jobs they are, and where their results are."""
    try:
        namespace, repo_id = submission.about["namespace"], submission.about["repository"]
    except KeyError as error:
        raise ValueError(f"{submission.name} does not say the {error} of its jobs: it is damaged.") from error
    validate_repo_id(f"{namespace}/jobs")
    with hub_access(repo_id, None) as api:
        yield api, namespace, ResultsRepository(repo_id)


@contextmanager
def _all_or_none(api: HfApi, namespace: str, ids: list[str]) -> Iterator[None]:
    """Cancels the jobs that were submitted when another cannot be; who is interrupted leaves none either."""
    try:
        yield
    except BaseException:
        for identity in ids:
            with suppress(HfHubHTTPError):
                _cancel(api, namespace, identity)
        raise


def _cancel(api: HfApi, namespace: str, identity: str) -> None:
    try:
        api.cancel_job(job_id=identity, namespace=namespace)
    except HfHubHTTPError:
        job = _inspected(api, namespace, identity)
        if job is not None and job.status.stage not in TERMINAL_JOB_STAGES:
            raise


def _inspected(api: HfApi, namespace: str, identity: str) -> JobInfo | None:
    """A job by its id; None: it was deleted."""
    try:
        return api.inspect_job(job_id=identity, namespace=namespace)
    except HfHubHTTPError as error:
        if error.response.status_code == 404:
            return None
        raise


def _task(job: JobInfo) -> Task:
    stage = str(getattr(job.status.stage, "value", job.status.stage))
    is_underway = stage not in [one.value for one in TERMINAL_JOB_STAGES]
    is_running = stage == JobStage.RUNNING.value
    return Task(stage, job.status.message or "", is_underway and not is_running, is_running)


def _is_settled(run: Path) -> bool:
    return (run / RECORD).exists() or read_failure(run) is not None


def _text(repository: ResultsRepository, submission: Submission, within: str) -> str:
    path = repository.download(f"{JOBS}/{submission.name}/{within}")
    return path.read_text(encoding="utf-8", errors="replace")


def _printed(api: HfApi, namespace: str, identity: str) -> str:
    lines = api.fetch_job_logs(job_id=identity, namespace=namespace, tail=LOG_LINES)
    return redacted("".join(f"{line.rstrip()}\n" for line in lines))
