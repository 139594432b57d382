"""Settings of the papers' tables, written down from the papers and not from the recipes.

A `Row` is a line of a table in some of its columns: which runs it is, and what must hold of them. Where a paper is
silent the authors' code counts; where both speak, the paper. Names of settings are those of `probes.py`.
"""

from dataclasses import dataclass
from typing import Any

ALL_FOLDS = {1, 2, 3, 4, 5}
FIVE = 5


@dataclass(frozen=True)
class Row:
    """A line of a table.

    Args:
        table: the paper and the table, for messages.
        runs: what tells its runs from others.
        each: what every such run of any recipe must have.
        whole: what such runs of at least one recipe must have together.
        source: what the `source` of recipes that count must say, as a pattern; None: anything.
    """

    table: str
    runs: dict[str, Any]
    each: dict[str, Any]
    whole: dict[str, Any]
    source: str | None = None

    def __str__(self) -> str:
        return f"{self.table}: {', '.join(f'{name}={value}' for name, value in self.runs.items())}"


def few_nerd() -> list[Row]:
    """Ding et al. 2021: Tables 5 and 6, Table 7, Table 4; Appendix B."""
    batches = {(5, 1): 16, (5, 5): 4, (10, 1): 8, (10, 5): 1}
    tau = {1: 0.320, 5: 0.434}
    common = {
        "model": "bert-base-uncased",
        "optimizer": "adamw",
        "learning_rate": 1e-4,
        "max_steps": 12_000,
        "layers": 4,
        "dropout": 0.5,
        "chosen_on_dev": True,
        "dev_episodes": 500,
        "test_episodes": 5_000,
    }
    rows = []
    for config, table in (("intra", "Table 5"), ("inter", "Table 6")):
        for (n_way, shots), batch in batches.items():
            for method in ("proto", "nnshot", "structshot"):
                runs = {"benchmark": "few_nerd", "config": config, "n_way": n_way, "shots": shots, "method": method}
                each = {**common, "batch": batch}
                if method == "structshot":
                    each["tau"] = tau[shots]
                rows.append(Row(f"Few-NERD, {table}", runs, each, {"n_seeds": FIVE}))
    for method in ("proto", "nnshot", "structshot"):
        runs = {"benchmark": "few_nerd", "config": "inter", "n_way": 5, "shots": 5, "method": method}
        rows.append(Row("Few-NERD, Table 7", runs, {"batch": 4}, {"n_seeds": FIVE}, r"Tables? .*\b7\b"))
    tagger = {
        "model": "bert-base-uncased",
        "optimizer": "adamw",
        "learning_rate": 1e-4,
        "batch": 8,
        "max_steps": 70_000,
        "chosen_on_dev": True,
    }
    rows.append(Row("Few-NERD, Table 4", {"benchmark": "few_nerd", "method": "tagger"}, tagger, {}))
    return rows


def fewjoint() -> list[Row]:
    """Hou et al. 2020, Table 4; Section 5 and the authors' code. The encoder is that of the code's README: Chinese."""
    each = {
        "model": "bert-base-chinese",
        "batch": 4,
        "learning_rate": 1e-5,
        "head_learning_rate": 1e-3,
        "weight_decay": 0.0,
        "num_train_epochs": 4,
        "warmup_steps": 0.1,
        "max_grad_value": 5.0,
        "unfreezes_gradually": True,
    }
    systems = {
        "SepProto": ({"method": "sep_proto", "tuned": False}, {"pairwise": True}),
        "JointProto": ({"method": "joint_proto", "tuned": False}, {"pairwise": True, "dependency": True}),
        "JointProto + Finetune": ({"method": "joint_proto", "tuned": True}, {"dependency": True}),
    }
    of_table = {"benchmark": "fewjoint", "data_version": "1.0", "shots": 3}
    return [
        Row("FewJoint, Table 4", {**of_table, **runs}, {**each, **own}, {"n_seeds": FIVE})
        for runs, own in systems.values()
    ]


def clues() -> list[Row]:
    """Mukherjee et al. 2021: Tables 5 and 6; settings of the authors' code."""
    fine_tuned = {"learning_rate": 5e-5, "num_train_epochs": 3, "batch": 16}
    spans = {**fine_tuned, "head": "single", "max_length": 384, "stride": 180, "max_answer_tokens": 20}
    prompts = {"learning_rate": 1e-5, "num_train_epochs": 20, "batch": 8, "max_length": 512}
    encoders = ("bert-base-uncased", "bert-large-uncased", "roberta-large", "deberta-large")
    rows = []
    tables = {"sst2": "Table 5", "mnli": "Table 5", "conll03": "Table 6", "wikiann": "Table 6"}
    for task, table in {**tables, "squad": "Table 6", "record": "Table 6"}.items():
        lines = [({"method": "span_finetuning", "model": name, "head": "single"}, spans) for name in encoders]
        lines.append(({"method": "text_to_text", "model": "t5-large"}, {**fine_tuned, "adamax": True}))
        if table == "Table 5":
            draws = {"sst2": 16, "mnli": 4}[task]
            for name in encoders:
                which = {"method": "prompt_tuning", "model": name}
                lines.append(({**which, "demonstrations": True}, {**prompts, "n_draws": draws}))
                lines.append(({**which, "demonstrations": False}, prompts))
            lines.append(({"method": "in_context"}, {"calibration": "none"}))
        for shots in (10, 20, 30):
            of_table = {"benchmark": "clues", "config": task, "shots": shots, "all_rows": False}
            rows += [
                Row(f"CLUES, {table}", {**of_table, **runs}, each, {"folds": ALL_FOLDS}, r"Mukherjee")
                for runs, each in lines
            ]
        everything = {"benchmark": "clues", "config": task, "all_rows": True}
        rows += [
            Row(f"CLUES, {table}, All", {**everything, **runs}, each, {})
            for runs, each in lines
            if runs["method"] != "in_context"
        ]
    return rows


# Sabo et al. 2021: one support set with three queries is a step; cased BERT as in their code.
SABO = {
    "model": "bert-base-cased",
    "learning_rate": 1e-5,
    "weight_decay": 0.0,
    "max_grad_norm": 0.0,
    "batch": 1,
    "train_queries": 3,
    "epochs_of_new_episodes": True,
    "chosen_on_dev": True,
    "metric_for_best_model": "f1",
    "stops_early": True,
}
ONE_HEAD = {"mlp": True, "head_l2": 1e-3}
SABO_METHODS = {
    "sentence_pair": {**SABO, "head": "next_sentence"},
    "threshold": {**SABO, **ONE_HEAD},
    "nav": {**SABO, **ONE_HEAD, "mean_distance_loss": False},
    "mnav": {**SABO, **ONE_HEAD, "n_vectors": 20},
}
FEWREL = {"benchmark": "fewrel", "split": "validation", "domain": "wiki", "n_way": 5}
TACRED = {"benchmark": "fs_tacred", "n_way": 5}
PUBLISHED_TEST_SETS = {160290, 160291, 160292, 160293, 160294}


def relations() -> list[Row]:
    """Sabo et al. 2021: Tables 2, 3 and 4."""
    rows = []
    for shots in (1, 5):
        for method, own in SABO_METHODS.items():
            which = {"shots": shots, "method": method, "is_plain": True}
            rows.append(
                Row(
                    "FewRel 2.0, Sabo et al., Table 3",
                    {**FEWREL, **which, "nota_rate": 0.5},
                    {**own, "epoch_episodes": 6_000, "train_nota_rate": 0.5},
                    {"n_seeds": FIVE, "n_episode_seeds": FIVE},
                    r"Sabo",
                )
            )
            rows.append(
                Row(
                    "Few-Shot TACRED, Sabo et al., Table 4",
                    {**TACRED, **which},
                    {**own, "epoch_episodes": 2_000, "keeps_part_of_no_relation": True},
                    {"n_seeds": FIVE, "test_seeds": PUBLISHED_TEST_SETS},
                    r"Sabo",
                )
            )
        for method in ("sentence_pair", "mnav"):
            rows += [
                Row(
                    "FewRel 2.0, Sabo et al., Table 2",
                    {**FEWREL, "shots": shots, "method": method, "nota_rate": rate},
                    {**SABO_METHODS[method], "epoch_episodes": 6_000, "train_nota_rate": 0.5},
                    {"n_seeds": FIVE},
                    r"Table 2",
                )
                for rate in (0.15, 0.5)
            ]
    return rows


def experiments_on_relations() -> list[Row]:
    """Sabo et al. 2021: Figure 2 and Section 7, all of MNAV."""
    rows = []
    for shots in (1, 5):
        mnav = {"shots": shots, "method": "mnav"}
        rows.append(
            Row(
                "FewRel, Sabo et al., Figure 2",
                {**FEWREL, **mnav},
                {**SABO_METHODS["mnav"], "epoch_episodes": 6_000, "trained_on_rate_of_test": True},
                {"n_seeds": FIVE, "highest_nota_rate": 0.975},
                r"Figure 2",
            )
        )
        rows.append(
            Row(
                "FewRel, Sabo et al., Section 7.1",
                {**FEWREL, **mnav, "train_rows": 8_163},
                {**SABO_METHODS["mnav"], "epoch_episodes": 6_000, "nota_rate": 0.5, "train_nota_rate": 0.5},
                {"n_seeds": FIVE},
            )
        )
        rows += [
            Row(
                "Few-Shot TACRED, Sabo et al., Section 7.1",
                {**TACRED, **mnav, "entities": kind},
                {
                    **SABO_METHODS["mnav"],
                    "epoch_episodes": 2_000,
                    "keeps_part_of_no_relation": True,
                    "train_entities": "all",
                },
                {"n_seeds": FIVE},
            )
            for kind in ("named", "matched")
        ]
    supervised = {**TACRED, "shots": 5, "method": "mnav", "train_relations": "test"}
    rows.append(
        Row(
            "Few-Shot TACRED, Sabo et al., Section 7.2",
            supervised,
            {**SABO_METHODS["mnav"], "epoch_episodes": 2_000},
            {"n_seeds": FIVE, "test_seeds": PUBLISHED_TEST_SETS},
        )
    )
    return rows


ROWS = [*few_nerd(), *fewjoint(), *clues(), *relations(), *experiments_on_relations()]
