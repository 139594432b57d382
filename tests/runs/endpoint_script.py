"""A run of 60 queries that an endpoint answers, four at a time. Argument: its URL. Writes what became of them."""

import json
import sys
from pathlib import Path

from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run

DATA = {"n_way": 3, "shots": 1, "n_query": 1, "n_episodes": 20, "sample": True}


def main() -> None:
    options = {"endpoint": sys.argv[1], "concurrency": 4, "nota": True}
    run = Run("fewrel", "in_context", None, DATA, "validation", model="m", options=options)
    Path("answers.json").write_text(json.dumps(execute(run, "results", progress=False).answers))


if __name__ == "__main__":
    main()
