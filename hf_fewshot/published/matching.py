"""Which published scores a run can stand beside."""

import dataclasses
from typing import Any

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.published.score import PublishedScore
from hf_fewshot.published.tables import read_published
from hf_fewshot.runs.record import Record
from hf_fewshot.runs.run import Run


def published_scores(run: Run) -> list[PublishedScore]:
    """The published scores in the setting of a run: same benchmark, configuration and split, and the same options.

    An option that the run leaves out has its default. Options that the publication does not name do not count, such as
    the number of episodes. Sample data has no published scores, and scores on other data than the benchmark's stand
    beside no run.
    """
    scores = read_published(run.benchmark)
    config, options = _setting(run)
    if options.get("sample"):
        return []
    return [
        score
        for score in scores
        if score.other_data is None
        and (score.config, score.split) == (config, run.split)
        and all(options.get(name) == value for name, value in score.data.items())
    ]


def published_beside(record: Record) -> list[PublishedScore]:
    """The published scores that a record can stand beside: none if its data are not the benchmark's own."""
    return published_scores(record.run) if record.episodes["official"] else []


def _setting(run: Run) -> tuple[str, dict[str, Any]]:
    """The configuration of a run, and all its options, with those that it leaves to the benchmark."""
    builder = builder_of(run.benchmark)
    config = str(run.config or builder.DEFAULT_CONFIG_NAME)
    defaults = next((one for one in builder.BUILDER_CONFIGS if one.name == config), None)
    options = {} if defaults is None else {f.name: getattr(defaults, f.name) for f in dataclasses.fields(defaults)}
    return config, {**options, **run.data}
