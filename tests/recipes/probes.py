"""What a run of a recipe has, said or left to a default, by the names of paper_settings.py."""

import json
import re
from dataclasses import MISSING, asdict, fields
from functools import cache
from pathlib import Path

from hf_fewshot.data.benchmark import builder_of
from hf_fewshot.registry import resolve
from hf_fewshot.runs.recipe import load_recipe
from hf_fewshot.systems.options import read_options, system_class

PROJECT = Path(__file__).resolve().parents[2]
# Options of relations that the rows of tables have.
PLAIN = (
    "domain",
    "episodes",
    "n_episodes",
    "n_query",
    "n_way",
    "nota_rate",
    "seed",
    "shots",
    "test_seed",
    "total_query",
)
# However the option is called by which training keeps a published selection of no_relation's rows.
KEPT = re.compile("no_relation|kept|keep")


@cache
def recipes():
    """By path, the source and the runs of the recipes of papers' tables."""
    found = {path: load_recipe(path) for path in sorted((PROJECT / "recipes").glob("*.yaml"))}
    return {path.name: (recipe.source, [Probed(run) for run in recipe.runs()]) for path, recipe in found.items()}


class Probed:
    """A run with all it has."""

    def __init__(self, run):
        self.run = run
        plan = run.training
        self.arguments = {} if plan is None else plan.arguments
        self.training_data = {} if plan is None else plan.data
        self.validation = None if plan is None else plan.validation
        self.data = {**_defaults_of_data(run.benchmark, run.config), **run.data}
        self.options = _options(run.method, json.dumps(run.options))
        by = system_class(run.method).trained_by(run.method)
        self.trainer = {} if by is None or plan is None else {**_defaults(resolve(by.arguments)), **self.arguments}

    def __getitem__(self, name):
        """A setting by its name; None where there is none of that name."""
        own = getattr(self, f"_{name}", None)
        if own is not None:
            return own()
        if name in ("benchmark", "config", "method", "split"):
            return getattr(self.run, name)
        # Of one name in several places, that of the options is the system's.
        for place in (self.options, self.trainer, self.data):
            if name in place:
                return place[name]
        return None

    def _model(self):
        # Hub ids have an owner or none.
        return None if self.run.model is None else self.run.model.rsplit("/", 1)[-1]

    def _batch(self):
        return self.trainer["per_device_train_batch_size"] * self.trainer["gradient_accumulation_steps"]

    def _optimizer(self):
        return str(getattr(self.trainer["optim"], "value", self.trainer["optim"])).split("_")[0]

    def _all_rows(self):
        return bool(self.data.get("all_rows"))

    def _tuned(self):
        return self.options.get("tuning") is not None

    def _dev_episodes(self):
        """How many episodes choose the model, wherever that is said."""
        said = {name: value for name, value in (self.validation or {}).items() if "episodes" in name}
        said |= {n: v for n, v in self.arguments.items() if "episodes" in n and re.search("eval|valid|dev", n)}
        numbers = {value for value in said.values() if isinstance(value, int)}
        return numbers.pop() if len(numbers) == 1 else sorted(numbers)

    def _test_episodes(self):
        module = __import__(builder_of(self.run.benchmark).__module__, fromlist=["N_EPISODES"])
        return self.data.get("n_episodes") or module.N_EPISODES[self.run.split]

    def _chosen_on_dev(self):
        evaluates = str(getattr(self.trainer.get("eval_strategy"), "value", self.trainer.get("eval_strategy"))) != "no"
        return self.validation is not None or bool(evaluates and self.trainer.get("load_best_model_at_end"))

    def _unfreezes_gradually(self):
        return bool(self.trainer.get("unfreezing_groups"))

    def _epochs_of_new_episodes(self):
        return bool(self.trainer.get("fresh_episodes"))

    def _epoch_episodes(self):
        return self.training_data.get("n_episodes")

    def _stops_early(self):
        return self.trainer.get("early_stopping_patience") is not None

    def _train_nota_rate(self):
        return {**self.data, **self.training_data}.get("nota_rate")

    def _trained_on_rate_of_test(self):
        return self._train_nota_rate() == self.data["nota_rate"] == {**self.data, **self.validation}["nota_rate"]

    def _train_rows(self):
        return self.training_data.get("train_rows")

    def _train_relations(self):
        return self.training_data.get("train_relations")

    def _train_entities(self):
        return {**self.data, **self.training_data}.get("entities")

    def _train_queries(self):
        """Of a support set; FewRel's n_query is that of each relation."""
        return self.training_data.get("total_query") or {**self.data, **self.training_data}["n_query"]

    def _is_plain(self):
        """Whether it is the row of the table itself, and no experiment with other training or test data."""
        given = {**self.run.data, **self.training_data}
        return not [name for name, value in given.items() if value and name not in PLAIN and not KEPT.search(name)]

    def _keeps_part_of_no_relation(self):
        """Whether training has the authors' selection of rows, however the option is called."""
        options = {**self.data, **self.training_data}
        return any(value for name, value in options.items() if KEPT.search(name))


def together(runs, name):
    """What runs have as a whole."""
    if name == "n_seeds":
        return len({one.run.seed for one in runs})
    if name == "highest_nota_rate":
        return max(one.data["nota_rate"] for one in runs)
    option = {"folds": "fold", "test_seeds": "test_seed", "n_episode_seeds": "seed"}[name]
    values = {one.data.get(option) for one in runs}
    return len(values) if name.startswith("n_") else values


@cache
def _options(method, given):
    """All options of a system; trying out a method takes a while."""
    return asdict(read_options(method, json.loads(given)))


def _defaults(kind):
    return {one.name: None if one.default is MISSING else one.default for one in fields(kind)}


def _defaults_of_data(benchmark, config):
    builder = builder_of(benchmark)
    return {
        one.name: getattr(builder.builder_configs[builder.config_name(config)], one.name)
        for one in fields(builder.BUILDER_CONFIG_CLASS)
    }
