"""Imports hf_fewshot when datasets or evaluate is first looked for: `hf-fewshot autoload on` puts a copy of this file
into an environment, which runs it whenever Python starts. Hence it stands alone and imports nothing until then."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any

LIBRARIES = ("datasets", "evaluate")


class Finder:
    """Waits for the first of the libraries, then leaves the finding to others, those of hf_fewshot among them."""

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "ModuleSpec | None":
        """Nothing for any other module."""
        if name not in LIBRARIES:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        from importlib.util import find_spec

        try:
            import hf_fewshot  # noqa: F401 - it registers what it has
        except Exception as error:  # noqa: BLE001 - whatever is wrong with us, what others import goes on
            if getattr(error, "name", None) != "hf_fewshot":  # not there: it was removed, and this file was not
                import warnings

                warnings.warn(
                    f"hf_fewshot could not be loaded ({type(error).__name__}: {error}). `hf-fewshot autoload off` "
                    "stops it from being tried.",
                    stacklevel=2,
                )
        # Again from the beginning: the list of finders is another one now.
        return find_spec(name)


def install() -> None:
    """Begins to wait."""
    sys.meta_path.insert(0, Finder())
