"""Checks of sampling options, worded the same for all samplers."""

# What the generators of Python, numpy and torch all take.
MAX_SEED = 2**32 - 1


def require_whole(**options: int | None) -> None:
    """Each option is a whole number of at least one."""
    for name, value in options.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, but is {value!r}.")


def require_seed(seed: object) -> None:
    """The seed is one that every random generator takes."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed must be a whole number of at least 0, but is {seed!r}. The largest is {MAX_SEED}.")


def require_draw(draw: object) -> None:
    """The number of a draw."""
    if isinstance(draw, bool) or not isinstance(draw, int) or not 0 <= draw <= MAX_SEED:
        raise ValueError(f"draw must be a whole number of at least 0, but is {draw!r}.")


def require_classes(n_way: int, available: int, what: str = "classes") -> None:
    """There are at least `n_way` classes."""
    if n_way > available:
        raise ValueError(f"n_way={n_way}, but there are only {available} {what}. Lower n_way or use another split.")


def listed(counts: dict[str, int], limit: int = 8) -> str:
    """`name (count)` for a few entries, and how many more there are."""
    shown = ", ".join(f"{name} ({count})" for name, count in list(counts.items())[:limit])
    return shown + (f" and {len(counts) - limit} more" if len(counts) > limit else "")
