"""Which no_relation instances of the training data the authors' models were trained on.

Their code cuts the list of the transformed training file to 34,574 of 59,961 instances, by positions in that file.
"""

from pathlib import Path
from typing import Any

from hf_fewshot.files.pickled_numbers import pickled_numbers
from hf_fewshot.files.raw_files import RawFileError, read_json, shown
from hf_fewshot.files.sources import Repository, Source

REPOSITORY = Repository(
    "Few_Shot_transformation_and_sampling",
    "https://github.com/ofersabo/Few_Shot_transformation_and_sampling",
    "https://raw.githubusercontent.com/ofersabo/Few_Shot_transformation_and_sampling/HEAD",
)
PICKLE = "numbers_for_downsampling.pickle"
# A plain list, and the two forms in the authors' repository.
NAMES = ("train_no_relation_kept.json", "numbers_for_downsampling.txt", PICKLE)
KEY = "the_required_numbers"


def find_kept(source: Source) -> Path:
    """The list beside the raw files, else that of the authors."""
    for name in NAMES:
        file = source.find_local(name)
        if file is not None:
            return file
    return Source(source.benchmark, REPOSITORY).find(PICKLE)


def read_kept(file: Path, n_rows: int) -> list[int]:
    """The positions, in the authors' order; each is that of one of the `n_rows` instances."""
    numbers = pickled_numbers(file) if file.suffix == ".pickle" else _written(file)
    wrong = [one for one in numbers if type(one) is not int or not 0 <= one < n_rows]
    if wrong:
        raise RawFileError(file, None, f"positions among the {n_rows} no_relation instances", shown(wrong[0]))
    if not numbers or len(set(numbers)) < len(numbers):
        raise RawFileError(
            file, None, "positions, each once", f"{len(numbers)}, {len(set(numbers))} of them different"
        )
    return numbers


def _written(file: Path) -> list[Any]:
    if file.suffix == ".json":
        return read_json(file, list)
    found = read_json(file, dict).get(KEY)
    if not isinstance(found, list):
        raise RawFileError(file, None, f"a list of positions as {KEY!r}", shown(found))
    return found
