from dataclasses import replace

from hf_fewshot.runs.run import Run
from hf_fewshot.systems.training_plan import Training

RUN = Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1, "seed": 3}, system="Proto BERT", model="bert", seed=2)


def test_the_name_is_readable_and_ends_with_a_hash():
    assert RUN.name == f"few_nerd_inter_n_way=5_shots=1_Proto-BERT_seed=2_{RUN.digest}"
    assert len(RUN.digest) == 10


def test_every_field_changes_the_hash():
    changes = {
        "benchmark": "fewrel",
        "method": "nnshot",
        "config": "intra",
        "data": {"n_way": 5, "shots": 1, "seed": 4},
        "split": "validation",
        "system": "other",
        "options": {"layers": 4},
        "model": "roberta",
        "training": {},
        "seed": 3,
    }
    assert len({RUN.digest, *(replace(RUN, **{name: value}).digest for name, value in changes.items())}) == 11


def test_the_order_of_options_does_not_matter():
    assert replace(RUN, data={"seed": 3, "shots": 1, "n_way": 5}).digest == RUN.digest


def test_a_method_is_its_own_system_unless_it_has_a_name():
    assert Run("few_nerd", "proto").system == "proto"


def test_draws_and_seeds_share_a_cell_and_settings_do_not():
    assert RUN.setting == ("few_nerd/inter", "test", "n_way=5, shots=1")
    assert replace(RUN, data={**RUN.data, "seed": 9}, seed=7).cell == RUN.cell
    assert replace(RUN, data={**RUN.data, "shots": 5}).cell != RUN.cell
    assert replace(RUN, options={"layers": 4}).cell != RUN.cell


def test_the_parts_of_a_training_are_fields_and_stand_together_where_they_are_written():
    mapping = {"max_steps": 3, "data": {"shots": 1}, "validation": {}}
    run = replace(RUN, training=mapping)
    assert run.training == Training({"max_steps": 3}, data={"shots": 1}, validation={}, pretraining=None)
    assert run.written["training"] == mapping
    assert replace(RUN, training=Training({"max_steps": 3}, {"shots": 1}, {})).digest == run.digest == "ba055eb5dc"
