"""The only place that writes to the Hub: runs, exported benchmarks and metrics, each in one commit; results back."""

from hf_fewshot.hub.access import HubError
from hf_fewshot.hub.export import export_benchmark
from hf_fewshot.hub.folders import push_folder, push_leaderboard, push_metric
from hf_fewshot.hub.learners import push_learner
from hf_fewshot.hub.proposals import propose_results
from hf_fewshot.hub.pull import Pulled, pull_runs
from hf_fewshot.hub.runs import push_run
from hf_fewshot.hub.settings import export_settings, published_settings, recipe_settings
from hf_fewshot.hub.upload import Push

__all__ = [
    "HubError",
    "Pulled",
    "Push",
    "export_benchmark",
    "export_settings",
    "propose_results",
    "published_settings",
    "pull_runs",
    "push_folder",
    "push_leaderboard",
    "push_learner",
    "push_metric",
    "push_run",
    "recipe_settings",
]
