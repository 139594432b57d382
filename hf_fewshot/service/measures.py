"""What a service counts, as text that Prometheus reads."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TEXTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Histogram:
    """How many values are at most each bound."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        """Counts a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def samples(self) -> Iterator[tuple[str, float]]:
        """What stands behind its name, and the values."""
        total = 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), self.counts, strict=True):
            total += count
            yield f'_bucket{{le="{bound}"}}', total
        yield "_sum", self.sum
        yield "_count", total


class Measures:
    """Counts of one service. Each is written by one thread: requests by the server's, the rest by the worker's."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds = Histogram(SECONDS)
        self.batches = Histogram(TEXTS)
        self.examples = 0
        self.model_seconds = 0.0

    def add_request(self, path: str, status: int, seconds: float) -> None:
        """Counts a request when it is answered; the time only of predictions, which clients wait for."""
        self.requests[path, status] += 1
        if path == "/predict" and status == 200:
            self.seconds.add(seconds)

    def text(self, waiting_requests: int, waiting_texts: int) -> str:
        """All of them."""
        requests = [(f'{{path="{path}",status="{status}"}}', n) for (path, status), n in sorted(self.requests.items())]
        parts = (
            _described("requests_total", "counter", "Requests that were answered, by path and status.", requests),
            _described("texts_total", "counter", "Queries that were answered.", [("", int(self.batches.sum))]),
            _described("examples_total", "counter", "Examples that were added.", [("", self.examples)]),
            _described("model_seconds_total", "counter", "Time inside of the model.", [("", self.model_seconds)]),
            _described("queue_requests", "gauge", "Requests that wait.", [("", waiting_requests)]),
            _described("queue_texts", "gauge", "Queries and examples that wait.", [("", waiting_texts)]),
            _described("batch_texts", "histogram", "Queries that were answered at once.", self.batches.samples()),
            _described("request_seconds", "histogram", "Time until queries were answered.", self.seconds.samples()),
        )
        return "".join(f"{line}\n" for part in parts for line in part)


def _described(name: str, kind: str, words: str, samples: Iterable[tuple[str, float]]) -> Iterator[str]:
    name = f"hf_fewshot_{name}"
    yield f"# HELP {name} {words}"
    yield f"# TYPE {name} {kind}"
    for suffix, value in samples:
        yield f"{name}{suffix} {value:.12g}"
