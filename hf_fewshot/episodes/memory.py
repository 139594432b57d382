"""How much memory a run over a set of episodes takes, before any is made."""

import os

# Of an episode: its numbers, what is predicted and counted of it; docs/performance.md has what was measured.
BYTES_PER_EPISODE = 500
BYTES_PER_EXAMPLE = 50


def require_memory(n_episodes: int, n_way: int | None, n_shot: int | None, n_query: int | None) -> None:
    """The episodes fit into the memory of this machine; None: one class, or as many queries as shots."""
    n_shot = n_shot or 1
    n_examples = (n_way or 1) * (n_shot + (n_query or n_shot))
    needed = n_episodes * (BYTES_PER_EPISODE + n_examples * BYTES_PER_EXAMPLE)
    if needed > physical_memory():
        raise ValueError(
            f"{_count(n_episodes)} episodes of about {_count(n_examples)} examples take {_in_words(needed)} of "
            f"memory, and this machine has {_in_words(physical_memory())}. Lower n_episodes, n_way, shots or n_query."
        )


def physical_memory() -> int:
    """Bytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _count(number: int) -> str:
    """A number that nobody would count is shown by its size."""
    return str(number) if number < 10**15 else f"10^{int(number.bit_length() * 0.30103)}"


def _in_words(size: int) -> str:
    for unit in ("GB", "TB", "PB"):
        if size < 1000 << 30:
            return f"about {size / (1 << 30):.0f} {unit}"
        size >>= 10
    return "more than any machine has"
