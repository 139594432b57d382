"""Checks of sampling options, worded the same for all samplers."""

# The label of examples that belong to none of the classes of a split.
NOTA = "NOTA"


def require_whole(**options: int | None) -> None:
    """Each option is a whole number of at least one."""
    for name, value in options.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, but is {value!r}.")


def require_classes(n_way: int, available: int, what: str = "classes") -> None:
    """There are at least `n_way` classes."""
    if n_way > available:
        raise ValueError(f"n_way={n_way}, but there are only {available} {what}. Lower n_way or use another split.")


def listed(counts: dict[str, int], limit: int = 8) -> str:
    """`name (count)` for a few entries, and how many more there are."""
    shown = ", ".join(f"{name} ({count})" for name, count in list(counts.items())[:limit])
    return shown + (f" and {len(counts) - limit} more" if len(counts) > limit else "")
