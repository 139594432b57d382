"""Every system of the registry is fitted and predicts on a device like a GPU, which no tensor of the CPU gets into."""

from dataclasses import replace
from typing import Any

import pytest

from hf_fewshot.registry import BASELINE, SYSTEMS
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.run import Run
from tests.tiny_models import write_llama

SAMPLE: dict[str, Any] = {"sample": True}
RELATIONS = {**SAMPLE, "n_way": 2, "shots": 1, "n_episodes": 2, "nota_rate": 0.5}
ENTITIES = {**SAMPLE, "n_way": 2, "shots": 1, "n_episodes": 2}
UTTERANCES = {**SAMPLE, "shots": 1, "episodes": "sampled", "n_episodes": 2}
FOLD = {**SAMPLE, "shots": 10, "fold": 1}
STEP = {"max_steps": 1, "per_device_train_batch_size": 2}
LEARNED = {**STEP, "data": {"n_episodes": 2}}
VALIDATED = {**LEARNED, "eval_strategy": "steps", "validation": {"n_episodes": 2}}
PROMPTS = {**STEP, "n_draws": 1, "max_length": 128}
CDT = {"transitions": "cdt", "dependency": True, "tapnet": True, "name_weight": 0.5}


def relations(method: str, **rest: Any) -> Run:
    return Run("fewrel", method, None, RELATIONS, "validation", **rest)


def entities(method: str, **rest: Any) -> Run:
    return Run("few_nerd", method, "inter", ENTITIES, **rest)


def utterances(method: str, **rest: Any) -> Run:
    return Run("fewjoint", method, None, UTTERANCES, **rest)


def answers(method: str, config: str = "sst2", **rest: Any) -> Run:
    return Run("clues", method, config, FOLD, **rest)


RUNS = {
    "proto": entities("proto", training=VALIDATED, options={"layers": 2, "dropout": 0.5}),
    "nnshot": relations("nnshot"),
    "logistic": relations("logistic"),
    "structshot": entities("structshot"),
    "texts": Run("own_texts", "proto", None, {**SAMPLE, "shots": 1}),
    "structshot by piece": entities("structshot", options={"compat": "original", "layers": 1}),
    "threshold": relations("threshold", training={**LEARNED, "head_l2": 1e-3}, options={"mlp": True}),
    "nav": relations("nav", training=LEARNED, options={"mean_distance_loss": True}),
    "mnav": relations("mnav"),
    "sentence_pair": relations("sentence_pair", training=LEARNED),
    "joint_proto": utterances("joint_proto", training={**LEARNED, "pretraining": STEP}, options=CDT),
    "joint_proto in pairs": utterances("joint_proto", training=LEARNED, options={"pairwise": True, "max_length": 128}),
    "joint_proto tuned": utterances("joint_proto", options={"tuning": {"steps": 2, "ensemble": True}}),
    "sep_proto": utterances("sep_proto", training=LEARNED),
    "tuned": relations("tuned", options={"layers": 2, "tuning": {"steps": 2}}),
    "tuned on tags": utterances("tuned", options={"layers": 2, "tuning": {"steps": 2}}),
    "tagger": Run("few_nerd", "tagger", "supervised", SAMPLE, training=STEP),
    "span_finetuning": answers("span_finetuning", "conll03", training=STEP, options={"max_length": 100, "stride": 50}),
    "prompt_tuning": answers("prompt_tuning", training=PROMPTS),
    "text_to_text": answers("text_to_text", training={**STEP, "max_target_length": 24, "max_source_length": 64}),
    "in_context": relations("in_context"),
    "in_context written": relations("in_context", options={"labels": "written", "max_new_tokens": 2}),
    "lm_tuning": relations("lm_tuning", options={"tuning": {"epochs": 1}}),
    "lm_tuning on a fold": answers("lm_tuning", training=STEP),
}
MODELS = {"span_finetuning": "span_bert", "prompt_tuning": "masked_bert", "text_to_text": "t5"}


def test_no_system_that_computes_is_left_out():
    computing = {name for name, entry in SYSTEMS.items() if entry.reference != BASELINE}
    assert {run.method for run in RUNS.values()} == computing - {"people"}


@pytest.mark.parametrize("name", RUNS)
def test_it_is_fitted_and_predicts_on_one_device(name, elsewhere, encoder, tmp_path, request):
    run = RUNS[name]
    if run.method in ("in_context", "lm_tuning"):
        model = write_llama(tmp_path / "lm", 2048)
    else:
        model = request.getfixturevalue(MODELS[run.method]) if run.method in MODELS else encoder
    record = execute(replace(run, model=str(model)), tmp_path / "results", progress=False)
    assert 0 <= record.score <= 1
    assert elsewhere.moved > 10
    assert elsewhere.layers_there > 5
    assert elsewhere.layers_here == 0
