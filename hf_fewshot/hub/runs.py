"""Runs to a model repository: model, records, card and results."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from huggingface_hub import eval_result_entries_to_yaml
from huggingface_hub.utils import yaml_dump

from hf_fewshot.cards.model_card import ModelFacts, model_card
from hf_fewshot.cards.model_index import eval_entries
from hf_fewshot.cards.own_code import FOLDER as CODE
from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.hub.access import hub_access
from hf_fewshot.hub.gathered import gather
from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.own_code import own_code
from hf_fewshot.hub.pins import Pins
from hf_fewshot.hub.upload import Push, Upload
from hf_fewshot.registry import BENCHMARKS
from hf_fewshot.runs.folder import EARLIER, find_records
from hf_fewshot.runs.record import FILE_NAME, Record
from hf_fewshot.statistics import median_model, median_of

Places = str | Path | Iterable[str | Path]
MODEL = "model"
# Where runs keep their trained models, in the folder of results; runs link to them.
KEPT = "models"
PICKLE = "training_args.bin"


def push_run(
    folders: Places,
    repo_id: str,
    *,
    private: bool = True,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
    model: str | Path | None = None,
    license: str | None = None,
    datasets: Mapping[str, str] | None = None,
) -> Push:
    """Uploads runs as one commit: model and tokenizer, records, card, `.eval_results`.

    Files of an earlier push that are not part of this one are deleted: give all runs that the card shall show. Records
    that cannot be believed are an error. Links and hidden files of a model are left out; `Push.left_out` names them.

    Args:
        folders: of runs, or folders with folders of runs.
        repo_id: such as "user/model"; made if it is not there.
        private: whether a new repository is private; a public one is only written to with `private=False`.
        dry_run: upload nothing, and return (and log) what would be.
        token: of the Hub; None: the saved one.
        overwrite: replace files that were not written by a push of ours.
        model: the run's folder whose model is uploaded. None: that of the only run with one; of runs which differ in
            seeds and draws only, the one with the median score.
        license: of the model.
        datasets: dataset repositories whose leaderboards the results belong to, by name of the benchmark; None: those
            of one organisation (see `benchmark_repository`).
    """
    runs = read_runs(folders)
    records = list(runs.values())
    owner = model_owner(runs, Path(model) if model is not None else None)
    models = _models(owner) if owner is not None else {}
    files: dict[str, Content] = {}
    left_out: dict[str, str] = {}
    for part, folder in models.items():
        found, prefix = gather(folder), "" if part == MODEL else f"{part}/"
        files |= {prefix + name: path for name, path in found.files.items() if path.name != PICKLE}
        left_out |= {prefix + name: reason for name, reason in found.left_out.items()}
        left_out |= {prefix + name: "a pickle" for name, path in found.files.items() if path.name == PICKLE}
    configs = [_config(_config_file(folder)) for folder in models.values()]
    parts = [part for part in models if part != MODEL]
    own_methods, code, missing = own_code(records)
    left_out |= missing
    files |= {f"{CODE}/{path}": place for path, place in code.items()}
    facts = ModelFacts(
        repo_id,
        config=configs[0] if configs else None,
        parts=parts,
        license=license,
        datasets=datasets or {},
        own_code=own_methods,
        weights_of=runs[owner].run.name if owner is not None and len(runs) > 1 else None,
    )
    files |= record_files(runs)
    if dry_run:
        files |= result_files(records, repo_id, datasets)
    else:
        with hub_access(repo_id, token) as api:
            files |= result_files(records, repo_id, datasets, Pins(api))
    files["README.md"] = str(model_card(records, facts)).encode()
    message = f"Upload {len(records)} {'run' if len(records) == 1 else 'runs'} with hf_fewshot"
    upload = Upload(repo_id, "model", files, message, private, left_out=left_out)
    return upload.push(dry_run=dry_run, token=token, overwrite=overwrite)


def record_files(runs: Mapping[Path, Record]) -> dict[str, Content]:
    """Records by their path in a repository, where `find_records` looks for them."""
    return {f"records/{record.run.name}/{FILE_NAME}": place / FILE_NAME for place, record in runs.items()}


def result_files(
    records: Sequence[Record],
    repo_id: str,
    datasets: Mapping[str, str] | None,
    pins: Pins | None = None,
    *,
    suffix: str = "",
) -> dict[str, Content]:
    """The files in `.eval_results`, one per benchmark.

    Args:
        pins: looks up which commit of a benchmark has the episodes; None: nothing is asked.
        suffix: of their names.
    """
    entries = eval_entries(records, repo_id, datasets, pins)
    return {
        f".eval_results/{name}{suffix}.yaml": yaml_dump(eval_result_entries_to_yaml(own)).encode()
        for name, own in entries.items()
    }


def read_runs(folders: Places) -> dict[Path, Record]:
    """The records in folders, at any depth, by the folder of their run; all that cannot be believed is an error."""
    # Never repositories: what others have recorded is theirs to push.
    places = [Path(one) for one in ([folders] if isinstance(folders, str | Path) else folders)]
    found = find_records(*places)
    if found.left_out:
        raise ValueError("\n".join(["Nothing is uploaded beside records that cannot be believed:", *found.left_out]))
    for place in places:
        if not any(folder.is_relative_to(place) for folder in found.records):
            raise ValueError(f"{place} holds no {FILE_NAME}. Give the folder of a run, or a folder with such folders.")
    links = [folder for folder in found.records if (folder / FILE_NAME).is_symlink()]
    if links:
        raise ValueError(f"{FILE_NAME} is a link in {_listed(links)}: nothing is uploaded. Put the file itself there.")
    return found.records


def model_owner(runs: Mapping[Path, Record], chosen: Path | None) -> Path | None:
    """The folder of the run whose model is uploaded; None if no run has one."""
    owners = [place for place in runs if any(_models(place))]
    if chosen is not None:
        if chosen not in owners:
            raise ValueError(f"model={str(chosen)!r}, but it must be one of {_listed(owners)}.")
        return chosen
    if not owners:
        return None
    if len({runs[place].run.cell for place in owners}) > 1:
        raise ValueError(
            f"These runs have models of different methods or settings: {_listed(owners)}. A repository has one model: "
            "name its run with model=..., or push them one by one."
        )
    return _median_owner({place: runs[place] for place in owners})


def _median_owner(runs: Mapping[Path, Record]) -> Path:
    """The run whose model is reported: the median model where tables have it, else that with the median score."""
    owners, records = list(runs), list(runs.values())
    run = records[0].run
    if run.benchmark in BENCHMARKS and builder_of(run.benchmark).reports_median_model(run.data):
        with suppress(ValueError):  # models that cannot be ranked
            seed = median_of(records).seed
            return next(place for place, record in runs.items() if record.run.seed == seed)
    return owners[median_model([record.score for record in records])]


def _models(place: Path) -> dict[str, Path]:
    """The models of a run by their folder in the repository: `model`, or the parts `model-<part>`."""
    folders = sorted(path for path in place.glob(f"{MODEL}*") if _config_file(path).is_file())
    return {path.name if path.name == MODEL else path.name.removeprefix(f"{MODEL}-"): _kept(path) for path in folders}


def _config_file(folder: Path) -> Path:
    """What says which model, or adapter of one, a folder holds."""
    adapter = folder / "adapter_config.json"
    return adapter if adapter.is_file() else folder / "config.json"


def _kept(folder: Path) -> Path:
    """The folder itself where it is a link to a model that the results keep; another link is an error."""
    if not folder.is_symlink():
        return folder
    results = folder.parent.resolve().parent
    kept = (results.parent if results.name == EARLIER else results) / KEPT
    if not folder.resolve().is_relative_to(kept.resolve()):
        raise ValueError(
            f"{folder} is a link to {folder.resolve()}, which is not in {kept}: nothing is uploaded. Copy the model "
            "in place of the link if it is meant."
        )
    return folder.resolve()


def _config(path: Path) -> dict[str, Any]:
    try:
        content = strict_json(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}. Run this again to make the model anew.") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected an object, got a {type(content).__name__}. It is no model of a run.")
    return content


def _listed(places: Iterable[Any]) -> str:
    return ", ".join(map(str, places)) or "the runs with a model, of which there are none"
