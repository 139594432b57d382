"""Systems that need other models than an encoder."""

import json
from dataclasses import replace

import pytest
from transformers import AutoModel, AutoTokenizer

from hf_fewshot import load_dataset
from hf_fewshot.cli import main
from hf_fewshot.clozes.cloze import load_cloze
from hf_fewshot.clozes.masked_lm import load_masked_lm
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.runs.execution import ChangedError, execute
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.clozes import ClozeSystem
from tests.tiny_models import write_llama

SST2 = {"sample": True, "shots": 10, "fold": 1}
ANSWER = CausalLM.answer
FEWREL = {"sample": True, "n_way": 2, "shots": 1, "n_episodes": 2, "nota_rate": 0.5}


@pytest.fixture
def causal_lm(tmp_path):
    """The folder of a tiny causal language model."""
    return str(write_llama(tmp_path / "lm"))


def test_in_context_answers_are_kept_and_scored(causal_lm, tmp_path):
    run = Run("fewrel", "in_context", None, FEWREL, "validation", model=causal_lm)
    record = execute(run, tmp_path / "results", progress=False)
    # None of the above is among the labels: half of the queries have it.
    assert record.scores["nota_rate"] > 0
    assert list((tmp_path / "results" / run.name).glob("answered-*/predictions-0.jsonl"))
    assert record.scores["n"] == record.episodes["n_queries"]


def test_an_edited_prompt_format_stops_a_finished_run_and_does_not_go_on_with_its_answers(causal_lm, tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text('task: relation\nquery: "{sentence}\\nRelation:"\nnota: none of the above\n')
    run = Run("fewrel", "in_context", None, FEWREL, "validation", model=causal_lm, options={"format": str(path)})
    first = execute(run, tmp_path / "results", progress=False)
    path.write_text(path.read_text().replace("Relation:", "Which one?"))
    with pytest.raises(ChangedError, match=r": file of option format \(was [0-9a-f]{12}, is"):
        execute(run, tmp_path / "results", progress=False)
    command = ["run", "--benchmark", "fewrel", "--split", "validation", "--method", "in_context", "--model", causal_lm]
    command += [f"-o{name}={str(value).lower()}" for name, value in FEWREL.items() if name != "sample"]
    command += ["--sample", "--method-option", f"format={path}", "--output", str(tmp_path / "results")]
    assert main(command) == 2
    assert "file of option format (was" in capsys.readouterr().err
    (tmp_path / "results" / run.name / "record.json").unlink()
    second = execute(run, tmp_path / "results", progress=False)
    assert second.depends_on["files"] != first.depends_on["files"]
    assert len(list((tmp_path / "results" / run.name).glob("answered-*"))) == 2


def test_in_context_answers_to_a_fold(causal_lm, tmp_path):
    run = Run("clues", "in_context", "sst2", SST2, model=causal_lm, options={"calibration": "content_free"})
    record = execute(run, tmp_path / "results", progress=False)
    assert set(record.confusion["labels"]) == {"negative", "positive"}


def test_an_endpoint_answers_too(chat_server, tmp_path):
    server = chat_server(lambda messages: "positive")
    run = Run("clues", "in_context", "sst2", SST2, model="m", options={"endpoint": server.url, "concurrency": 2})
    record = execute(run, tmp_path, progress=False)
    assert record.score == pytest.approx(0.5)


def test_prompt_tuning(masked_bert, tmp_path):
    training = {"max_steps": 1, "n_draws": 1, "max_length": 128}
    run = Run("clues", "prompt_tuning", "sst2", SST2, model=str(masked_bert), training=training)
    record = execute(run, tmp_path, progress=False)
    assert set(record.confusion["labels"]) <= {"negative", "positive"}


def test_without_examples_a_language_model_has_the_description_alone(causal_lm, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(CausalLM, "answer", lambda self, request: asked.append(request) or ANSWER(self, request))
    run = Run("clues", "in_context", "sst2", {"sample": True, "shots": 0}, model=causal_lm)
    record = execute(run, tmp_path / "results", progress=False)
    prompts = {request.prompts.prefix(range(len(request.prompts.demonstrations))) for request in asked}
    assert prompts == {"Decide whether each film review is positive or negative.\n\n"}
    assert record.episodes["n_queries"] == 60
    assert record.baselines == {"always_empty": 0.0, "most_frequent": 0.0, "every_label": 0.0}
    assert [one["part"] for one in record.depends_on["data"]] == ["episodes"]


@pytest.mark.parametrize(("template", "chosen"), [(None, "sst2_described"), ("sst2", "sst2")])
def test_without_examples_a_masked_language_model_has_the_description(template, chosen, masked_bert, tmp_path):
    options = {} if template is None else {"template": template}
    zero = {"sample": True, "shots": 0}
    run = Run("clues", "prompt_tuning", "sst2", zero, model=str(masked_bert), options=options)
    execute(run, tmp_path, progress=False)
    rows = load_dataset("clues", "sst2", **zero)["test"]
    model, tokenizer = load_masked_lm(masked_bert)
    cloze = load_cloze(chosen)
    expected = ClozeSystem(model, tokenizer, cloze, max_length=128).answers(rows)
    _, line = (tmp_path / run.name / "predictions.jsonl").read_text().splitlines()
    assert json.loads(line)["predictions"] == expected
    with pytest.raises(ValueError, match="new_head=True, but there are no examples to train it on"):
        execute(replace(run, options={"new_head": True}), tmp_path, progress=False)


def test_prompt_tuning_needs_a_head_that_has_learned_something(masked_bert, tmp_path):
    headless = str(tmp_path / "encoder")
    AutoModel.from_pretrained(masked_bert).save_pretrained(headless)
    AutoTokenizer.from_pretrained(masked_bert).save_pretrained(headless)
    training = {"max_steps": 1, "n_draws": 1, "max_length": 128}
    run = Run("clues", "prompt_tuning", "sst2", SST2, model=headless, training=training)
    with pytest.raises(ValueError, match="has no masked-language-model head"):
        execute(run, tmp_path, progress=False)
    execute(replace(run, options={"new_head": True}), tmp_path, progress=False)


def test_text_to_text(t5, tmp_path):
    training = {"max_steps": 1, "max_target_length": 24, "max_source_length": 64}
    run = Run("clues", "text_to_text", "conll03", SST2, model=str(t5), training=training)
    record = execute(run, tmp_path, progress=False)
    assert 0 <= record.score <= 1
    assert (tmp_path / run.name / "model" / "config.json").exists()


def test_the_supervised_tagger(encoder, tmp_path):
    run = Run("few_nerd", "tagger", "supervised", {"sample": True}, model=str(encoder), training={"max_steps": 1})
    record = execute(run, tmp_path, progress=False)
    assert record.unit == "question"
    assert record.scores["n_sentences"] == 500


def test_structshot_takes_transitions_from_training_data(encoder, tmp_path):
    data = {"sample": True, "n_way": 3, "shots": 1, "n_episodes": 3}
    record = execute(Run("few_nerd", "structshot", "inter", data, model=str(encoder)), tmp_path, progress=False)
    assert record.episodes["n_episodes"] == 3


def test_epochs_of_new_episodes_end_by_the_validation_score(relation_run, tmp_path):
    training = {"num_train_epochs": 2, "fresh_episodes": True, "eval_strategy": "epoch", "early_stopping_patience": 1}
    training |= {
        "data": {"n_episodes": 3},
        "validation": {"n_episodes": 2, "seed": 9},
        "per_device_train_batch_size": 2,
    }
    run = relation_run("threshold", training=training)
    record = execute(run, tmp_path, progress=False)
    # What was trained on: episodes of its own for training and for choosing, and that they were drawn anew.
    assert record.run.written["training"] == training
    parts = {one["part"]: one["options"] for one in record.depends_on["data"]}
    assert parts["training episodes"] == {"n_episodes": 3}
    assert parts["validation episodes"] == {"n_episodes": 2, "seed": 9}
    assert execute(run, tmp_path, progress=False) == record
    plain = execute(relation_run("threshold", training=training | {"fresh_episodes": False}), tmp_path, progress=False)
    assert plain.run.digest != record.run.digest
    assert len(list((tmp_path / "models").glob("fewrel_threshold*"))) == 2
