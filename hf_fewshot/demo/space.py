"""The page of a model as a Space: what its repository holds, and the push."""

import importlib.metadata
import json
import zipfile
from email.parser import HeaderParser
from pathlib import Path

from huggingface_hub.repocard_data import CardData
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from packaging.requirements import Requirement

from hf_fewshot.cards.front_matter import front_matter
from hf_fewshot.demo.model_title import model_title
from hf_fewshot.embedded import HUB_IDS
from hf_fewshot.hub.access import hub_access
from hf_fewshot.hub.gathered import Gathered, gather
from hf_fewshot.hub.manifest import Content
from hf_fewshot.hub.upload import Push, Upload
from hf_fewshot.launching.package_source import PACKAGE, PackageSource
from hf_fewshot.model_names import check_model_name
from hf_fewshot.text.visible import visible

# Where a model that comes with the Space lies in it.
MODEL = "model"
# What the page takes of the package beside its core.
EXTRA = "spaces"
PYTHON = "3.12"
# Of a trainer: it is a pickle, and nothing here needs it.
PICKLES = (".bin", ".pt", ".pkl")


def push_demo(
    model: str | Path,
    repo_id: str,
    *,
    package: PackageSource | None = None,
    private: bool = True,
    dry_run: bool = False,
    token: str | None = None,
    overwrite: bool = False,
    license: str | None = None,
) -> Push:
    """Uploads the page of a model as a gradio Space, in one commit.

    Args:
        model: an id on the Hub, which the Space reads from there; an embedded model, of which it takes the original;
            or a folder (a saved learner, a trained model, an encoder), which becomes part of the Space.
        repo_id: such as "user/my-intents-demo"; made if it is not there.
        package: where the Space gets this package from; None: as it is installed here.
        license: of the Space.
    """
    name = HUB_IDS.get(str(model), str(model))
    check_model_name(name)
    on_hub = not Path(name).is_dir()
    found = Gathered() if on_hub else gather(Path(name))
    if on_hub and not dry_run:
        with hub_access(name, token) as api:
            api.model_info(name)  # a Space of a model that is not there could only fail
    title = visible(model_title(name).rsplit("/", 1)[-1])
    pickles = {path: "a pickle" for path in found.files if path.endswith(PICKLES)}
    files: dict[str, Content] = {
        f"{MODEL}/{path}": file for path, file in found.files.items() if path not in pickles and path != "README.md"
    }
    package = package or PackageSource.read(None)
    files["requirements.txt"] = "".join(f"{line}\n" for line in _requirements(package)).encode()
    if package.wheel is not None:
        files[package.place] = package.wheel
    place = json.dumps(name) if on_hub else f'Path(__file__).with_name("{MODEL}")'
    files["app.py"] = _written(
        "space_app.py.jinja", on_hub=on_hub, place=place, package=package, title=json.dumps(title, ensure_ascii=False)
    )
    files["README.md"] = _card(title, name if on_hub else None, license)
    left_out = {f"{MODEL}/{path}": reason for path, reason in (found.left_out | pickles).items()}
    message = "Upload a demo with hf_fewshot"
    upload = Upload(repo_id, "space", files, message, private, space_sdk="gradio", left_out=left_out)
    return upload.push(dry_run=dry_run, token=token, overwrite=overwrite)


def _requirements(package: PackageSource) -> list[str]:
    """What the Space installs; of a wheel, what it requires: a Space installs before it has its files."""
    if package.wheel is None:
        return [package.requirement([EXTRA], "")]
    with zipfile.ZipFile(package.wheel) as wheel:
        (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        required = HeaderParser().parsestr(wheel.read(metadata).decode()).get_all("Requires-Dist", [])
    return [_line(Requirement(text)) for text in required if _is_needed(Requirement(text))]


def _is_needed(wanted: Requirement) -> bool:
    return wanted.marker is None or wanted.marker.evaluate({"extra": EXTRA})


def _line(wanted: Requirement) -> str:
    """A requirement without its condition, which holds."""
    wanted.marker = None
    return str(wanted)


def _card(title: str, on_hub: str | None, license: str | None) -> bytes:
    data = CardData(
        title=f"Try {title}",
        emoji="💬",
        colorFrom="blue",
        colorTo="green",
        sdk="gradio",
        sdk_version=importlib.metadata.version("gradio"),
        python_version=PYTHON,
        app_file="app.py",
        pinned=False,
        license=license,
        models=[on_hub] if on_hub else None,
        tags=["few-shot", PACKAGE],
    )
    return f"---\n{front_matter(data)}\n---\n\n".encode() + _written("space_card.md.jinja", title=title, on_hub=on_hub)


def _written(template: str, **values: object) -> bytes:
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True)
    return environment.get_template(template).render(**values).encode()
