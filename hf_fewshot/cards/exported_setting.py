"""A setting of a benchmark that was written out: what its rows are, as a file beside them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hf_fewshot.cards.setting_name import places, setting_name
from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.registry import BENCHMARKS, unknown
from hf_fewshot.text.redaction import redacted_values

FILE_NAME = "setting.json"
FORMAT = "hf_fewshot/setting"
VERSION = 1
# Where the rows of settings are, each in a folder of its name.
DATA = "data"
# On which split systems are compared: the first of these that there is.
EVALUATION_SPLITS = ("test", "validation")


@dataclass(frozen=True)
class ExportedSetting:
    """One configuration of an exported benchmark.

    Args:
        benchmark: its name.
        config: its configuration.
        options: of `load_dataset` that decide the rows, and not where they came from.
        rows: number of rows by split.
        row: what a row is, "episode" or "example".
        fingerprint: of the episodes of the evaluation split; None where rows are examples.
        raw_files: a hash over the raw files that it was made from.
        versions: of the libraries that made it.
    """

    benchmark: str
    config: str | None
    options: dict[str, Any]
    rows: dict[str, int]
    row: str
    fingerprint: str | None
    raw_files: str
    versions: dict[str, str]

    def __post_init__(self) -> None:
        if self.benchmark not in BENCHMARKS:
            raise unknown("benchmark", self.benchmark, BENCHMARKS)
        hidden = ("cache_dir", *places(self.benchmark))
        shown = {name: self.options[name] for name in sorted(self.options) if name not in hidden}
        object.__setattr__(self, "options", redacted_values(shown))

    @property
    def is_sample(self) -> bool:
        """Whether it is sample data of our own."""
        return bool(self.options.get("sample"))

    @property
    def name(self) -> str:
        """The configuration under which it is loaded; draws have their own."""
        return setting_name(self.benchmark, self.config, self.options, without=())

    @property
    def folder(self) -> str:
        """Where its rows are."""
        return f"{DATA}/{self.name}"

    @property
    def call(self) -> str:
        """The code that gives the same rows."""
        options = [f"{name}={value!r}" for name, value in self.options.items()]
        which = [json.dumps(self.benchmark), *([json.dumps(self.config)] if self.config else [])]
        return f"load_dataset({', '.join([*which, *options])})"

    @property
    def evaluation_split(self) -> str | None:
        """The split on which systems are compared."""
        return next((split for split in EVALUATION_SPLITS if split in self.rows), None)

    def written(self) -> str:
        """The content of its file."""
        return json.dumps({"format": FORMAT, "version": VERSION, **vars(self)}, indent=1, ensure_ascii=False) + "\n"


def read_setting(content: bytes, path: str) -> ExportedSetting:
    """The setting that a file describes, which must be that of its folder.

    Args:
        path: of the file, for messages; its folder has the name of the setting.
    """
    try:
        said = strict_json(content)
        if not isinstance(said, Mapping) or said.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        if said.get("version") != VERSION:
            raise ValueError(f"this version of hf_fewshot reads version {VERSION} of it, not {said.get('version')!r}")
        fields = {name: value for name, value in said.items() if name not in ("format", "version")}
        setting = from_mapping(ExportedSetting, fields, "It")
        if not path.endswith(f"{setting.folder}/{FILE_NAME}"):
            raise ValueError(f"it describes {setting.name!r}, whose folder is another one")
    except ValueError as error:
        raise ValueError(f"{path} does not describe an exported setting: {error}. Export it again.") from error
    return setting
