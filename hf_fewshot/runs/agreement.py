"""Whether records of several owners can be true together: the same data has the same episodes, and these units."""

import json
from collections.abc import Hashable

from hf_fewshot.runs.record import Record


class Agreement:
    """What the records so far say of data and of episodes; who was asked first is believed.

    A record cannot prove its fingerprint, but episodes are a function of data and options: whoever names other
    episodes for the same data, or other queries for the same episodes, has other data, another version, or lies.
    Records of this machine are never doubted here.
    """

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}
        self._fingerprints: dict[Hashable, set[str]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._units: dict[Hashable, list[str]] = {}

    def contradiction(self, record: Record, name: str) -> str | None:
        """Why a record cannot be believed beside those before it; None, and it is one of them, if it can.

        Args:
            name: of the record, for messages.
        """
        fingerprint = record.episodes["fingerprint"]
        data, units = _data(record), (fingerprint, record.task, record.unit)
        size = record.episodes["n_episodes"], record.episodes["n_queries"]
        if record.origin:
            known = self._fingerprints.get(data, {fingerprint})
            if fingerprint not in known:
                return (
                    f"{name} is left out: it names the episodes {fingerprint[:16]} for data whose episodes are "
                    f"{', '.join(sorted(one[:16] for one in known))} in {self._names[data]}."
                )
            if self._sizes.get(fingerprint, size) != size:
                episodes, queries = self._sizes[fingerprint]
                return (
                    f"{name} is left out: it says {size[0]:,} episodes and {size[1]:,} queries of episodes that are "
                    f"{episodes:,} with {queries:,} queries in {self._names[fingerprint]}."
                )
            if self._units.get(units, record.units) != record.units:
                return f"{name} is left out: the {record.unit}s of its episodes are others in {self._names[units]}."
        self._fingerprints.setdefault(data, set()).add(fingerprint)
        self._sizes.setdefault(fingerprint, size)
        self._units.setdefault(units, record.units)
        for key in (data, fingerprint, units):
            self._names.setdefault(key, name)
        return None


def _data(record: Record) -> Hashable:
    """What decides the episodes; other data than a benchmark's own or our sample is the same as no other's."""
    run = record.run
    known = record.episodes["official"] or run.data.get("sample")
    options = json.dumps(run.data, sort_keys=True, ensure_ascii=False)
    return run.benchmark, run.config, run.split, options, "" if known else record.owner
