"""The analysis of a run, which lies beside its predictions for reports to show."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hf_fewshot.analyses.analysis import analysis
from hf_fewshot.analyses.findings import Findings, read_findings
from hf_fewshot.data.draws import DRAWS
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.runs.run import Run

FILE_NAME = "analysis.json"


def run_analysis(run: Run, episodes: EpisodeSet, predictions: Sequence[Sequence[Any]]) -> Findings:
    """Tables and charts about the predictions of a run."""
    name, split, options = run.setting
    draws = [f"{name}={run.data[name]}" for name in DRAWS if name in run.data]
    title = ", ".join(filter(None, [f"{run.system}: {name}", split, options, *draws, f"seed {run.seed}"]))
    return analysis(run.benchmark, title, episodes, predictions)


def read_analysis(folder: Path, run: Run) -> Findings | None:
    """The analysis in the folder of a run; None where there is none."""
    path = folder / FILE_NAME
    if not path.exists():
        return None
    findings = read_findings(path)
    if len(findings) != 1 or findings[0].benchmark != run.benchmark:
        raise ValueError(f"{path} is not about {run.benchmark}. Make it again: hf-fewshot analyse {folder} --keep.")
    return findings[0]
