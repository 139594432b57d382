"""Whether raw files are surely a benchmark's own."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hf_fewshot.data.builder import FewShotBuilder

# What `counts_agree` found, by benchmark, configuration, split and hashes of raw files: to read them takes seconds.
_COUNTS_AGREE: dict[tuple[Any, ...], bool] = {}


def is_official(builder: "FewShotBuilder", split: str) -> bool:
    """Whether the raw files of a split are those that their authors published (see `FewShotBuilder.official`)."""
    hashes = builder.file_hashes(split)
    known = {path: builder.REPOSITORY.checksum(path) for path in hashes}
    if any(expected not in (None, hashes[path]) for path, expected in known.items()):
        return False
    if all(known[path] for path in builder.split_files(split)):
        return True
    key = (builder.NAME, builder.config.name, split, *hashes.items())
    if key not in _COUNTS_AGREE:
        _COUNTS_AGREE[key] = builder.counts_agree(split)
    return _COUNTS_AGREE[key]
