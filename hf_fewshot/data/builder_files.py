"""The raw files that a builder reads: which, where they are, and whether they are still the same."""

import abc
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import datasets

from hf_fewshot.data.benchmark_facts import BenchmarkFacts
from hf_fewshot.data.samples import sample_folder
from hf_fewshot.files.at_hand import NotAtHandError, nothing_fetched
from hf_fewshot.files.file_hashes import sha256_of
from hf_fewshot.files.sources import RawFilesNotFoundError, Source
from hf_fewshot.registry import unknown


class BuilderFiles(BenchmarkFacts):
    """What a builder knows of its raw files."""

    config: Any

    @abc.abstractmethod
    def raw_paths(self) -> dict[str, tuple[str, ...]]:
        """For each split, the raw files it is read from, as paths in the authors' layout."""

    @cached_property
    def source(self) -> Source:
        """Where the raw files come from."""
        if self.config.sample:
            return Source(self.NAME, self.REPOSITORY, sample_folder(self.NAME), sample=True)
        folder = self.config.data_dir
        return Source(self.NAME, self.REPOSITORY, Path(folder).expanduser() if folder is not None else None)

    @cached_property
    def files(self) -> dict[str, dict[str, Path]]:
        """For each split whose raw files are there, these files."""
        return self.find_files()

    def split_files(self, split: str) -> dict[str, Path]:
        """The raw files of one split; the others are not looked for."""
        paths = self.raw_paths()
        if split not in paths:
            raise unknown(f"split of {self.NAME}/{self.config.name}", split, paths)
        return {path: self.source.find(path) for path in paths[split]}

    @cached_property
    def optional_files(self) -> dict[str, Path]:
        """Those of OPTIONAL_FILES that are there."""
        found = {path: self.source.find_local(path) for path in self.OPTIONAL_FILES}
        return {path: file for path, file in found.items() if file is not None}

    def find_files(self) -> dict[str, dict[str, Path]]:
        """Looks for the raw files of all splits."""
        by_split = self.raw_paths()
        present = self.source.find_present(path for paths in by_split.values() for path in paths)
        found = {
            s: {p: present[p] for p in paths} for s, paths in by_split.items() if all(p in present for p in paths)
        }
        if not found:
            self.source.find(next(path for paths in by_split.values() for path in paths if path not in present))
        for split in by_split.keys() - found.keys():
            datasets.logging.get_logger("hf_fewshot").warning(
                f"{self.NAME}: data_dir does not hold the raw files of split {split!r}; it is left out."
            )
        return found

    def split_names(self) -> Iterable[str]:
        """The splits that are there, or of files that would have to be fetched first, those that there are."""
        try:
            with nothing_fetched():
                return self.files
        except (NotAtHandError, RawFilesNotFoundError):
            if self.config.data_dir is not None:
                raise
            return self.raw_paths()

    def file_hashes(self, *splits: str) -> dict[str, str]:
        """SHA-256 of the raw files that rows of these splits (default: all that are there) are read from.

        By their paths in the authors' layout. The raw files of other splits are not opened.
        """
        files = dict(self.optional_files)
        for split in splits or self.files:
            files |= self.split_files(split)
        return {path: sha256_of(file) for path, file in files.items()}

    def origin(self) -> list[Any]:
        """What rows are read from, beside the options: another way to raw files, or other files, are read again."""
        return [self.source.key, self._stamps()]

    def _stamps(self) -> list[tuple[str, int, int, int]]:
        """Sizes and times of local raw files: changed files are read again.

        A copy may keep size and time of modification (st_mtime), but not the time of the change itself (st_ctime).
        """
        paths = sorted({*self.OPTIONAL_FILES, *(path for paths in self.raw_paths().values() for path in paths)})
        stats = {path: at.stat() for path in paths if (at := self.source.find_local(path)) is not None}
        return [(path, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns) for path, stat in stats.items()]
