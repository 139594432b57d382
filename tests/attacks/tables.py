"""What came of a round in words: a table of counts, which is Markdown, and the bad ends."""

from collections.abc import Iterator

from tests.attacks.attacker import Tally
from tests.attacks.verdict import RIGHT, End

COLUMNS = {
    "tracebacks": End.TRACEBACK,
    "hangs": End.HANG,
    "wrong numbers": End.WRONG_NUMBER,
    "escapes": End.ESCAPE,
    "too much memory": End.MEMORY,
}


def counts(tallies: dict[str, Tally]) -> str:
    """Inputs, bad ends of each kind and the peak of memory, per attacker and in all."""
    total = Tally()
    for tally in tallies.values():
        total.ends += tally.ends
        total.peak = max(total.peak, tally.peak)
    rows = [_row(name, tally) for name, tally in {**tallies, "all": total}.items()]
    head = ["attacker", "inputs", *COLUMNS, "peak, MB"]
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(row, widths) for row in [head, rule, *rows])


def bad_ends(tallies: dict[str, Tally]) -> int:
    """How many attacks ended as none may."""
    return sum(count for tally in tallies.values() for end, count in tally.ends.items() if end not in RIGHT)


def failures(tallies: dict[str, Tally], seed: int) -> Iterator[str]:
    """Bad ends of like kind together: how many, what is seen of the first, and all of them to be repeated."""
    for name, tally in tallies.items():
        alike: dict[tuple[End, str], list[int]] = {}
        for number, verdict in tally.failures:
            alike.setdefault((verdict.end, verdict.gist), []).append(number)
        first = {number: verdict.detail.strip().partition("\n")[0] for number, verdict in tally.failures}
        for (end, _), numbers in sorted(alike.items(), key=lambda pair: -len(pair[1])):
            yield f"\n{len(numbers)} x {end}: {first[numbers[0]][:300]!r}"
            yield f"  {again(name, seed, numbers[0])}"
            if len(numbers) > 1:
                yield f"  and numbers {', '.join(map(str, numbers[1:30]))}"


def again(name: str, seed: int, number: int) -> str:
    """The command that repeats one attack."""
    return f"python -m tests.attacks --attacker {name!r} --seed {seed} --number {number}"


def _row(name: str, tally: Tally) -> list[str]:
    inputs = sum(tally.ends.values())
    return [name, f"{inputs:,}", *(f"{tally.ends[end]:,}" for end in COLUMNS.values()), f"{tally.peak >> 20:,}"]


def _line(cells: list[str], widths: list[int]) -> str:
    rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return f"| {' | '.join([cells[0].ljust(widths[0]), *rest])} |"
