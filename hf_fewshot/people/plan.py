"""The plan of a study: on which data, by how many people, in which order; written before anybody is asked."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.runs.run import Run

FILE_NAME = "study.json"
FORMAT, VERSION = "hf_fewshot/study", 1
METHOD, SYSTEM, SYSTEM_OF_DESCRIPTION = "people", "People", "People, description only"
SIZES = (("n_way", "way"), ("shots", "shot"))
# The words of an option, where they are not those of its field.
WORDS = {"zero_shots": "--zero-shots", "fingerprint": "fingerprint of the episodes"}


class StudyError(ValueError):
    """A study cannot be begun, or cannot go on."""


@dataclass(frozen=True)
class Plan:
    """What decides who is asked what.

    Args:
        benchmark: whose episodes are asked.
        config: its configuration.
        data: options of it.
        split: whose queries are asked.
        fingerprint: of the episodes: which examples they are.
        content: of all that is asked: what these examples say.
        annotators: how many people are asked.
        names: theirs, where they are known before; each has a link of their own.
        share: how many of them answer each episode; None: all of them.
        zero_shots: people see the description alone, no example.
        seed: of their orders.
        title: of the study.
        description: what people are told; None: what the benchmark or its task says.
    """

    benchmark: str
    config: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    split: str = "test"
    fingerprint: str = ""
    content: str = ""
    annotators: int = 3
    names: tuple[str, ...] = ()
    share: int | None = None
    zero_shots: bool = False
    seed: int = 0
    title: str = ""
    description: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        if self.annotators < 1:
            raise StudyError(f"annotators={self.annotators}, but at least one is asked. Give 1 or more.")
        if self.share is not None and (self.share < 1 or self.annotators % self.share):
            raise StudyError(
                f"share={self.share}, but the {self.annotators} annotators must fall into so many groups of one size, "
                "each of which answers all episodes. Give a number that divides theirs."
            )

    @property
    def options(self) -> dict[str, Any]:
        """Those of people as a system."""
        chosen = {"zero_shots": self.zero_shots or None, "share": self.share}
        return {name: value for name, value in chosen.items() if value is not None}

    def run(self, number: int = 0) -> Run:
        """One repeat as a run: an annotator's answers to all episodes, or those of a group of annotators."""
        system = SYSTEM_OF_DESCRIPTION if self.zero_shots else SYSTEM
        return Run(self.benchmark, METHOD, self.config, self.data, self.split, system, self.options, seed=number)

    @property
    def folder_name(self) -> str:
        """The usual name of the study's folder, the same for the same data."""
        return self.run().name.replace("_seed=0_", "_")

    @property
    def shown_title(self) -> str:
        """The title, or what the data is."""
        name = self.run().setting[0]
        words = [f"{self.data[option]}-{word}" for option, word in SIZES if option in self.data]
        return self.title or ", ".join(filter(None, [name, " ".join(words)]))

    @property
    def group_size(self) -> int:
        """How many annotators answer all episodes together."""
        return 1 if self.share is None else self.annotators // self.share

    def write(self, folder: Path) -> None:
        """Writes `study.json`; it appears when it is whole."""
        content = {"format": FORMAT, "version": VERSION, **asdict(self)}
        with whole_file(folder / FILE_NAME) as unfinished:
            unfinished.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Plan":
        """The plan of the study in a folder."""
        path = folder / FILE_NAME
        try:
            content = strict_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise StudyError(f"{folder} holds no study: it has no {FILE_NAME}. Give the folder of one.") from None
        except ValueError as error:
            raise StudyError(f"{path} is damaged: {error}. Restore it, or begin a study in another folder.") from error
        head = (content.pop("format", None), content.pop("version", None)) if isinstance(content, dict) else None
        if head != (FORMAT, VERSION):
            raise StudyError(f"{path} is no plan of a study that this version reads. Give the folder of one.")
        return from_mapping(cls, content, str(path))

    def require_same(self, asked: "Plan", folder: Path) -> None:
        """Raises StudyError if something else is asked for than the study that is there."""
        for name, own in _plain(self).items():
            other = _plain(asked)[name]
            if own != other:
                raise StudyError(
                    f"{folder} holds a study with {WORDS.get(name, name)} {own!r}, but {other!r} was asked for. "
                    "No answers would fit both: leave it as it was, or begin a study in another folder."
                )


def _plain(plan: Plan) -> dict[str, Any]:
    """As it stands in a file."""
    return json.loads(json.dumps(asdict(plan)))
