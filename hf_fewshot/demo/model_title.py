"""What a model is called on pages."""

from pathlib import Path


def model_title(name: str | Path) -> str:
    """Its name; of a folder not where it is, and of a run's model the run."""
    path = Path(name)
    if not path.is_dir():
        return str(name)
    resolved = path.resolve()
    return resolved.parent.name if resolved.name == "model" else resolved.name
