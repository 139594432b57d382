import pytest

from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run


@pytest.fixture
def make_record():
    """A record of accuracy over units, given the number right of each, out of ten."""

    def make(right, *, system="A", seed=0, fingerprint="f", unit="episode", units=None, total=10, data=None):
        score = sum(right) / (total * len(right))
        return Record(
            run=Run("few_nerd", "proto", config="inter", data=data or {}, system=system, seed=seed),
            task="tagging",
            measure="accuracy",
            scores={"accuracy": score},
            intervals={},
            confidence_level=0.95,
            unit=unit,
            units=units or [str(number) for number in range(len(right))],
            numerators=[float(one) for one in right],
            denominators=[float(total)] * len(right),
            baselines={},
            confusion=None,
            episodes={
                "fingerprint": fingerprint,
                "n_episodes": len(right),
                "n_queries": total * len(right),
                "official": True,
            },
            environment={},
            started="2025-01-01T00:00:00+00:00",
            seconds={},
            command="",
        )

    return make
