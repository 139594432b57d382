"""The script of a job far away, which `uv run` reads: it brings its environment with it (PEP 723)."""

import json
import sys
from collections.abc import Iterable

TEXT = '''\
# /// script
# requires-python = "=={python}.*"
# dependencies = {dependencies}
# [tool.uv]
# constraint-dependencies = {constraints}
# ///
"""The runs of a job of {name}: made, and uploaded to the repository that its plan names."""

from pathlib import Path

from hf_fewshot.launching.hub_job_work import main

if __name__ == "__main__":
    main(Path(__file__).parent)
'''


def python_version() -> str:
    """Of this Python, such as 3.11."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def uv_script(name: str, requirement: str, pins: Iterable[str]) -> str:
    """The text of it.

    Args:
        name: of the jobs.
        requirement: where our package comes from.
        pins: versions of everything else.
    """
    return TEXT.format(
        python=python_version(), name=name, dependencies=_listed([requirement]), constraints=_listed(pins)
    )


def _listed(values: Iterable[str]) -> str:
    """A list in TOML, one value in each line of a comment."""
    return "[\n" + "".join(f"#   {json.dumps(value)},\n" for value in values) + "# ]"
