"""CLUES (Mukherjee et al., 2021): six language understanding tasks as context, question and a set of answer spans."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from datasets import Dataset, List, Value

from hf_fewshot.data.benchmark_config import FewShotConfig
from hf_fewshot.data.builder import FewShotBuilder
from hf_fewshot.data.splits import TEST, TRAIN
from hf_fewshot.files.raw_files import (
    RawFileError,
    read_json_lines,
    require_keys,
    require_types,
    require_unique,
    require_words,
    shown,
)
from hf_fewshot.files.sources import RawFilesNotFoundError, Repository
from hf_fewshot.tasks import task_of

SHOTS = (10, 20, 30)
FOLDS = (1, 2, 3, 4, 5)
# MNLI's question as published, and as it is meant: a gold label is a span of the question.
MISSPELT = "entailment, contraction, or neutral?"
CORRECTED = "entailment, contradiction, or neutral?"
ANSWER = List({"text": Value("string"), "answer_start": Value("int32")})


class Task(NamedTuple):
    """Where a task's files are, what is special about its rows.

    `asks_all`: every context is asked all questions, and an example is a context with all of them.
    """

    folder: str
    prefix: str
    description: str
    extra: dict[str, Any] = {}  # noqa: RUF012 - a NamedTuple's default; never changed
    asks_all: bool = False


TASKS = {
    "sst2": Task("SST-2", "sst", "Sentiment of a film review sentence"),
    "mnli": Task("MNLI", "mnli", "Entailment between two sentences", {"genre": Value("string")}),
    "conll03": Task("CoNLL2003", "conll", "Named entities of the news; three questions per sentence", asks_all=True),
    "wikiann": Task(
        "WikiANN_EN", "wikiann", "Named entities of Wikipedia; three questions per sentence", asks_all=True
    ),
    "squad": Task(
        "SQuAD-v2",
        "squad-v2",
        "Reading comprehension, half of the questions without an answer",
        {"answer_variants": ANSWER, "is_impossible": Value("bool"), "plausible_answers": ANSWER},
    ),
    "record": Task(
        "ReCoRD",
        "record",
        "Cloze questions about news, answered by an entity of the text",
        {"entities": List({"start": Value("int32"), "end": Value("int32")}), "is_impossible": Value("bool")},
    ),
}


@dataclass
class CluesConfig(FewShotConfig):
    """Options of CLUES.

    Args:
        shots: 10, 20 or 30 training rows (sentences, for the two entity tasks) in all, not per class; 0: none, only
            the description of the task.
        fold: which of the five training splits.
        all_rows: train on all of the task instead of a fold: on `<task>_train.jsonl` in data_dir, a file of your own
            beside those of the authors, who publish none.
        compat: "original" leaves MNLI's question as published, where "contradiction" is misspelt.
    """

    shots: int = 10
    fold: int = 1
    all_rows: bool = False
    compat: str | None = None

    @property
    def has_examples(self) -> bool:
        return self.all_rows or self.shots != 0

    def check(self) -> None:
        super().check()
        self.require("shots", 0, *SHOTS)
        self.require("fold", *FOLDS)
        self.require("all_rows", True, False)
        if self.all_rows:
            self.refuse_unused("with all_rows, which has one training set", "shots", "fold")
        if self.shots == 0:
            self.refuse_unused("with shots=0, which has no training rows", "fold")
        self.require("compat", "original", None)
        if self.name != "mnli":
            self.refuse_unused(f"on {self.name}, which is read as published", "compat")
        self.refuse_unused("on CLUES, which has fixed splits", "seed", "n_episodes")


class Clues(FewShotBuilder):
    """Builder of the six CLUES tasks; the configuration is the task. There is no validation split: true few-shot."""

    NAME = "clues"
    TASK = "spans"
    SPLITS = (TRAIN, TEST)
    HAS_FOLDS = True
    BUILDER_CONFIG_CLASS = CluesConfig
    BUILDER_CONFIGS: ClassVar = [CluesConfig(name=name, description=task.description) for name, task in TASKS.items()]
    REPOSITORY = Repository(
        "CLUES",
        "https://github.com/microsoft/CLUES",
        "https://raw.githubusercontent.com/microsoft/CLUES/HEAD",
        Path(__file__).with_name("checksums.txt"),
    )
    LICENSE = "MIT"
    ABOUT = "six English tasks as sets of answers; 10, 20, 30 shots, five folds"
    AXES = ("shots", "all_rows")
    SHOWN: ClassVar = {"config": "conll03"}
    MEASURES = ("s1",)
    AGGREGATE = "hf_fewshot.dataset_scripts.clues.aggregate:all_tasks"
    STATISTICS = "hf_fewshot.dataset_scripts.clues.statistics:statistics"
    GOLD = ("answers", "answer_variants", "is_impossible", "plausible_answers")
    DESCRIPTION = (
        "CLUES: few-shot evaluation of natural language understanding. Six tasks in one form, context and question to "
        "a set of answer spans; 10, 20 or 30 training examples in five splits each; human performance for comparison."
    )
    CITATION = """@inproceedings{mukherjee2021clues,
  title = {CLUES: Few-Shot Learning Evaluation in Natural Language Understanding},
  author = {Mukherjee, Subhabrata and Liu, Xiaodong and Zheng, Guoqing and Hosseini, Saghar and Cheng, Hao
            and Yang, Greg and Meek, Christopher and Awadallah, Ahmed Hassan and Gao, Jianfeng},
  booktitle = {NeurIPS Datasets and Benchmarks},
  year = {2021}
}"""

    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        task = TASKS[self.config.name]
        stem = f"data/JSON/CLUES-JSON/{task.folder}/{task.prefix}"
        test: dict[str, tuple[str, ...]] = {TEST: (f"{stem}_test.jsonl",)}
        if not self.config.has_examples:
            return test
        which = "" if self.config.all_rows else f"_{self.config.shots}_{self.config.fold}"
        return {TRAIN: (f"{stem}_train{which}.jsonl",), **test}

    def split_files(self, split: str) -> dict[str, Path]:
        if split == TRAIN:
            self._require_all_rows()
        return super().split_files(split)

    def find_files(self) -> dict[str, dict[str, Path]]:
        self._require_all_rows()
        return super().find_files()

    def _require_all_rows(self) -> None:
        """The file of all training rows is the user's: there is no other way to it."""
        if not self.config.all_rows:
            return
        (path,) = self.raw_paths()[TRAIN]
        if self.source.find_local(path) is None:
            raise RawFilesNotFoundError(
                f"all_rows=True reads {path}, which the authors do not publish, and data_dir={self.config.data_dir!r} "
                "does not hold it. Put all training rows of the task there, in the form of the authors' files."
            )

    def extra_columns(self) -> dict[str, Any]:
        return TASKS[self.config.name].extra

    def read_examples(self, split: str) -> Iterator[dict[str, Any]]:
        for file in self.files[split].values():
            lines = list(read_json_lines(file))
            rows = [read_row(file, line, item, TASKS[self.config.name]) for line, item in lines]
            require_unique(file, [row["id"] for row in rows], [line for line, _ in lines])
            for row in rows:
                if self.config.compat is None and row["question"] == MISSPELT:
                    row["question"] = CORRECTED
                yield row

    def refuse_overlap(self, train: Dataset, questions: Dataset) -> None:
        asked = {(tuple(row["context"]), row["question"]) for row in questions}
        common = [row["id"] for row in train if (tuple(row["context"]), row["question"]) in asked]
        if common:
            config = self.config
            which = "all rows" if config.all_rows else f"{config.shots} shots, fold {config.fold}"
            raise ValueError(
                f"{len(common)} training rows of clues/{config.name}, {which} are also test rows: "
                f"{', '.join(common[:5])}. The published files have none: check data_dir."
            )


def read_row(path: Path, line: int, item: dict[str, Any], task: Task) -> dict[str, Any]:
    """One row. No answer, written `[""]` in some tasks and `[]` in others, is an empty list."""
    require_keys(path, line, item, "id", "context", "question", "answer")
    context = item["context"] if isinstance(item["context"], list) else [item["context"]]
    answer = item["answer"]
    if not isinstance(answer, list):
        raise RawFileError(path, line, "answer as a list", shown(answer))
    variants = [one if isinstance(one, dict) else {"text": one, "answer_start": -1} for one in answer]
    if not all(isinstance(one.get("text"), str) for one in variants):
        raise RawFileError(path, line, "answers as texts or objects with a text", shown(answer))
    texts = dict.fromkeys(one["text"] for one in variants if one["text"] != "")
    name = str(item["id"]) if type(item["id"]) is int else item["id"]
    row = {"id": name, "context": context, "question": item["question"], "answers": list(texts)}
    unread = item.keys() - {"id", "context", "question", "answer"} - task.extra.keys()
    if unread:
        raise RawFileError(path, line, "the keys of this task alone", f"also {', '.join(sorted(unread))}")
    for column in task.extra:
        value = variants if column == "answer_variants" else item.get(column)
        row[column] = _nothing(task.extra[column]) if value is None else value
    require_types(path, line, row, {**task_of("spans").columns, **task.extra})
    require_words(path, line, context)
    require_words(path, line, [row["question"]])
    _require_offsets(path, line, row)
    return row


def _require_offsets(path: Path, line: int, row: dict[str, Any]) -> None:
    """Positions of answers and entities are those of the first context; -1 where the file has none."""
    text = row["context"][0]
    for answer in (*row.get("answer_variants", ()), *row.get("plausible_answers", ())):
        start = answer["answer_start"]
        if start != -1 and (start < 0 or not text.startswith(answer["text"], start)):
            found = text[max(start, 0) :][: len(answer["text"])]
            raise RawFileError(path, line, f"{shown(answer['text'])} at position {start}", shown(found))
    for span in row.get("entities", ()):
        if not 0 <= span["start"] <= span["end"] < len(text):
            raise RawFileError(path, line, f"entities within the {len(text)} characters", shown(span))


def _nothing(feature: Any) -> Any:
    """What stands for a field the raw row does not have."""
    return [] if isinstance(feature, List) else False if feature.dtype == "bool" else ""
