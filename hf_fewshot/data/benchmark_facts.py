"""What is true of a benchmark, said by its builder."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION
from hf_fewshot.files.sources import Repository
from hf_fewshot.registry import unknown


class BenchmarkFacts:
    """What others ask of a benchmark without reading any of its data."""

    DEFAULT_CONFIG_NAME: str | None
    builder_configs: ClassVar[dict[str, Any]]
    NAME: ClassVar[str]
    TASK: ClassVar[str]
    SPLITS: ClassVar[tuple[str, ...]] = (TRAIN, VALIDATION, TEST)
    REPOSITORY: ClassVar[Repository]
    DESCRIPTION: ClassVar[str]
    CITATION: ClassVar[str] = ""
    LICENSE: ClassVar[str]
    OPTIONAL_FILES: ClassVar[tuple[str, ...]] = ()  # raw files that rows depend on where data_dir holds them
    ABOUT: ClassVar[str] = ""  # a few words for lists
    NEEDS: ClassVar[str] = "downloads"  # what it takes to read it
    MAY_BE_PUBLISHED: ClassVar[bool] = True  # else its texts are licensed to whoever has the data
    AXES: ClassVar[tuple[str, ...]] = ("n_way", "shots")  # options that tables have columns for
    SHOWN: ClassVar[dict[str, Any]] = {}  # config and options with which `hf-fewshot show` shows it
    MEASURES: ClassVar[tuple[str, ...]] = ()  # that its published.yaml may give, by the names our metrics give them
    AGGREGATE: ClassVar[str | None] = None  # "module:function" that sums up tables of its configurations
    STATISTICS: ClassVar[str | None] = None  # "module:function" with tables and charts that no other benchmark has
    OWN_DATA: ClassVar[bool] = False  # of whoever runs it, in any of several formats: there is no other data
    NOTA_CLASS: ClassVar[str | None] = None  # the class of examples that stands for none of the others
    HAS_FOLDS: ClassVar[bool] = False  # trained on one of several small splits, asked all test rows
    GOLD: ClassVar[tuple[str, ...]] = ()  # with folds: columns that say what is right

    @classmethod
    def folder(cls) -> Path:
        """The folder of the benchmark: its code, its card, its published numbers."""
        return Path(inspect.getfile(cls)).parent

    @classmethod
    def config_name(cls, name: str | None) -> str:
        """The name of a configuration, or of the default one for None."""
        if name is None and cls.DEFAULT_CONFIG_NAME is None:
            raise ValueError(
                f"{cls.NAME} has several configurations; choose one: "
                f"load_dataset({cls.NAME!r}, {next(iter(cls.builder_configs))!r}, ...). "
                f"Known: {', '.join(cls.builder_configs)}."
            )
        if name is not None and name not in cls.builder_configs:
            raise unknown(f"configuration of {cls.NAME}", name, cls.builder_configs)
        return name or str(cls.DEFAULT_CONFIG_NAME)

    @classmethod
    def reports_median_model(cls, options: Mapping[str, Any]) -> bool:
        """Whether papers report, with these options, the median one of several models with its spread over draws.

        Else they report means over all runs.
        """
        return False
