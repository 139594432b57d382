"""What jobs may cost: the time they may take, times the price of their hardware."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from huggingface_hub import JobHardwareInfo

from hf_fewshot.registry import unknown

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
# What prices are said for.
PERIODS = {"second": 1, "minute": 60, "hour": 3600}
DURATION = re.compile(r"(\d+(?:\.\d+)?)([smhd])", re.ASCII)


def seconds_of(text: str) -> int:
    """A duration such as 90s, 30m, 2h or 1d."""
    found = DURATION.fullmatch(text)
    if found is None or not (seconds := int(float(found[1]) * UNITS[found[2]])):
        raise ValueError(f"expected a time such as 30m, 2h or 1d, got {text!r}")
    return seconds


@dataclass(frozen=True)
class Hardware:
    """A machine of Jobs: its name, what it is, and its price in dollars an hour."""

    name: str
    about: str
    hourly: float

    @classmethod
    def chosen(cls, flavor: str, offered: Sequence[JobHardwareInfo]) -> "Hardware":
        """The one with this name, of those that are offered."""
        by_name = {one.name: one for one in offered}
        if flavor not in by_name:
            raise unknown("flavor", flavor, by_name)
        found = by_name[flavor]
        if found.unit_label not in PERIODS:
            raise ValueError(
                f"The price of {flavor} is said for a {found.unit_label!r}, which this version cannot read."
            )
        gpu = found.accelerator
        about = f"{found.cpu}, {found.ram}"
        if gpu is not None:
            about += f", {gpu.quantity} x {gpu.manufacturer} {gpu.model} {gpu.vram}"
        return cls(flavor, about, found.unit_cost_micro_usd * 3600 / PERIODS[found.unit_label] / 1e6)


def cost_in_words(hardware: Hardware, timeout: int, seconds: Sequence[float | None]) -> str:
    """What jobs may cost, in lines: what finished runs say, and what it cannot be more than.

    Args:
        timeout: of a job, in seconds.
        seconds: how long each job may take; None: nobody knows.
    """
    known = [one for one in seconds if one is not None]
    lines = [f"Hardware: {hardware.name} ({hardware.about}), {_dollars(hardware.hourly)} an hour."]
    if known:
        of_them = "" if len(known) == len(seconds) else f" for {len(known)} of {len(seconds)} jobs"
        lines.append(
            f"Estimate{of_them}: {sum(known) / 60:.1f} minutes, {_dollars(sum(known) / 3600 * hardware.hourly)}, if "
            "runs take as long as the finished ones of the same kind here did; to start a job comes on top."
        )
    else:
        lines.append("Estimate: none, no run of the same kind is finished here.")
    n = len(seconds)
    most = n * timeout / 3600 * hardware.hourly
    lines.append(f"At most: {_dollars(most)}, {n} x {in_words(timeout)} (--timeout) of {hardware.name}.")
    long = sum(one > timeout for one in known)
    if long:
        lines.append(f"{long} of the jobs may take longer than their timeout: raise it, or put fewer runs into a job.")
    return "\n".join(lines) + "\n"


def in_words(seconds: int) -> str:
    """A duration in the largest unit that it is a whole number of."""
    unit = next(unit for unit in ("d", "h", "m", "s") if seconds % UNITS[unit] == 0)
    return f"{seconds // UNITS[unit]}{unit}"


def _dollars(amount: float) -> str:
    return f"{amount:.2f} USD"
