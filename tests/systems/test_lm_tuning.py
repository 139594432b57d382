import json
from dataclasses import replace

import pytest
from accelerate import Accelerator

from hf_fewshot import predict
from hf_fewshot.adapters.lora import Lora, load_adapter, with_adapter
from hf_fewshot.adapters.tuned_lm import TunedLM
from hf_fewshot.adapters.tuning import AdapterTuning, Tuner
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.runs.execution import execute
from hf_fewshot.runs.planning import check_runs
from hf_fewshot.runs.run import Run
from hf_fewshot.systems.in_context import InContextSystem
from hf_fewshot.systems.lm_tuning import LmTuningSystem
from hf_fewshot.systems.system import Setup
from tests.small_episodes import (
    RELATIONS,
    TEXTS,
    episodes_of,
    joint_episodes,
    relation_episodes,
    tagging_episodes,
    text_episodes,
)
from tests.tiny_models import byte_tokenizer, tiny_causal_lm, write_llama

SST2 = {"sample": True, "shots": 10, "fold": 1}
FEWREL = {"sample": True, "n_way": 2, "shots": 1, "n_episodes": 2}
FEW = AdapterTuning(epochs=1, learning_rate=0.01)


@pytest.fixture(scope="module")
def llama_folder(tmp_path_factory):
    """The folder of a tiny language model."""
    return str(write_llama(tmp_path_factory.mktemp("lm")))


@pytest.fixture
def learned(monkeypatch):
    """The support sets that were learned from, as the labels of their examples."""
    found = []
    learn = Tuner.learn

    def counted(self, prompts):
        found.append([prompt.label for prompt in prompts])
        learn(self, prompts)

    monkeypatch.setattr(Tuner, "learn", counted)
    return found


def system(task, tuning=FEW, rank=4, demonstrations=False, **asking):
    """A tiny language model that is tuned on each support set."""
    model = with_adapter(tiny_causal_lm("llama"), Lora(rank=rank), seed=0).get_base_model()
    backend = TunedLM(model, byte_tokenizer(), demonstrations=demonstrations)
    return LmTuningSystem(backend, task, tuner=Tuner(model, backend.tokenizer, tuning, 0), **asking)


def fold_run(folder, **options):
    training = {"num_train_epochs": 1, "learning_rate": 0.01}
    return Run("clues", "lm_tuning", "sst2", SST2, model=folder, training=training, options=options)


def test_each_episode_is_predicted_by_what_its_own_support_set_teaches():
    # The same texts have other labels in the second episode.
    other = [
        {**text, "id": f"o{text['id']}", "label": {"home": "job", "job": "home"}.get(text["label"], "home")}
        for text in TEXTS
    ]
    numbers, n = (0, 1, 2, 3), len(TEXTS)
    moved = tuple(number + n for number in numbers)
    episodes = episodes_of(
        "classification",
        [*TEXTS, *other],
        Episode(("home", "job"), numbers, numbers),
        Episode(("home", "job"), moved, moved),
    )
    tuned = system("classification", AdapterTuning(epochs=60, learning_rate=0.02))
    assert predict(tuned, episodes, progress=False) == [["home", "home", "job", "job"], ["job", "job", "home", "home"]]
    # Nothing of it is left for the next call.
    first = replace(episodes, length=1)
    assert predict(tuned, first, progress=False) == [["home", "home", "job", "job"]]


@pytest.mark.parametrize(
    ("task", "episodes"),
    [
        ("classification", text_episodes()),
        ("relation", relation_episodes()),
        ("tagging", tagging_episodes()),
        ("joint", joint_episodes()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_all_tasks_are_predicted_in_their_form(task, episodes):
    found = predict(system(task), episodes, progress=False)
    assert [len(own) for own in found] == [len(episode.query) for episode in episodes]
    for own, episode in zip(found, episodes, strict=True):
        for prediction, number in zip(own, episode.query, strict=True):
            example = episodes.plain_examples[number]
            if "tags" in example:
                assert len(prediction) == len(example["tags"])
            elif "slot_tags" in example:
                assert len(prediction["slot_tags"]) == len(example["slot_tags"])
            else:
                assert prediction in episode.classes


def test_without_learning_it_answers_as_a_language_model_without_demonstrations_does():
    episodes = text_episodes()
    nothing = AdapterTuning(learning_rate=0.0)
    bare = replace(episodes, make=lambda number: replace(episodes[number], support=()))
    lm = CausalLM(tiny_causal_lm("llama"), byte_tokenizer())
    expected = InContextSystem(lm, "classification")
    tuned = system("classification", nothing)
    assert predict(tuned, episodes, progress=False) == predict(expected, bare, progress=False)
    assert tuned.counts["prompt_tokens"] == expected.counts["prompt_tokens"]
    shown = system("classification", nothing, demonstrations=True)
    with_examples = InContextSystem(lm, "classification")
    assert predict(shown, episodes, progress=False) == predict(with_examples, episodes, progress=False)
    assert shown.counts["prompt_tokens"] == with_examples.counts["prompt_tokens"] > tuned.counts["prompt_tokens"]


def test_none_of_the_above_is_offered_where_episodes_have_it():
    rows = [*RELATIONS[:4], {**RELATIONS[4], "relation": "NOTA"}]
    episodes = episodes_of("relation", rows, Episode(("lives", "works"), (0, 2), (1, 3, 4)))
    tuned = system("relation", nota=None)
    assert tuned.worker(episodes, Setup(Accelerator(), None, progress=False)).requests.nota
    assert set(predict(tuned, episodes, progress=False)[0]) <= {"lives", "works", "NOTA"}


def test_queries_of_an_episode_share_its_tuning_and_what_is_predicted_is_not_tuned_again(tmp_path, learned):
    episodes = text_episodes()
    tuned = system("classification")
    tuned.backend.queries_per_request = 1
    first = predict(tuned, episodes, output_dir=tmp_path, progress=False)
    assert learned == [["home", "job"], ["birth", "job", "home"]]
    (file,) = tmp_path.glob("predictions-*.jsonl")
    lines = file.read_text().splitlines()
    # Interrupted after the first query of the second episode: a head line, three queries, one query.
    file.write_text("\n".join(lines[:5]) + "\n")
    again = system("classification")
    again.backend.queries_per_request = 1
    assert predict(again, episodes, output_dir=tmp_path, progress=False) == first
    assert learned[2:] == [["birth", "job", "home"]]
    with pytest.raises(ValueError, match=r"tuning"):
        predict(system("classification", AdapterTuning(epochs=2)), episodes, output_dir=tmp_path, progress=False)


def test_a_run_on_episodes_says_its_tuning_as_an_option(llama_folder, tmp_path, learned):
    options = {"tuning": {"epochs": 2, "learning_rate": 0.01}, "lora": {"rank": 2}}
    run = Run("fewrel", "lm_tuning", None, FEWREL, "validation", model=llama_folder, options=options)
    record = execute(run, tmp_path, progress=False)
    assert record.answers["n_queries"] == record.episodes["n_queries"]
    assert len(learned) == 2
    assert not list(tmp_path.rglob("adapter_*"))


def test_a_fold_is_trained_on_once_and_its_adapter_is_kept(llama_folder, tmp_path):
    run = fold_run(llama_folder, lora={"rank": 2, "alpha": 4.0})
    record = execute(run, tmp_path, progress=False)
    adapter = tmp_path / run.name / "model"
    kept = json.loads((adapter / "adapter_config.json").read_text())
    assert (kept["r"], kept["lora_alpha"], kept["peft_type"]) == (2, 4.0, "LORA")
    assert not (adapter / "model.safetensors").exists()
    assert str(tmp_path) not in (adapter / "adapter_config.json").read_text()
    assert record.seconds["train"] > 0
    # How it is asked is no part of its training.
    calibrated = replace(run, options={**run.options, "calibration": "content_free"})
    execute(calibrated, tmp_path, progress=False)
    assert (tmp_path / calibrated.name / "model").resolve() == adapter.resolve()
    assert len(list((tmp_path / "models").glob("clues_*"))) == 1


def test_the_kept_adapter_predicts_what_the_run_did(llama_folder, tmp_path):
    run = fold_run(llama_folder)
    execute(run, tmp_path, progress=False)
    base = CausalLM.from_pretrained(llama_folder)
    model = load_adapter(base.model, tmp_path / run.name / "model")
    episodes = Data("clues", "sst2", SST2).unanswered
    expected = predict(LmTuningSystem(TunedLM(model, base.tokenizer), "clues_sst2"), episodes, progress=False)
    lines = (tmp_path / run.name / "predictions.jsonl").read_text().splitlines()[1:]
    assert [json.loads(line)["predictions"] for line in lines] == expected
    untuned = predict(LmTuningSystem(TunedLM(tiny_causal_lm("llama"), base.tokenizer), "clues_sst2"), episodes)
    assert untuned != expected


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (
            Run("clues", "lm_tuning", "sst2", SST2, model="m", options={"tuning": {"epochs": 3}}),
            r"tuning is of support sets, but clues is trained on a fold\. Say it as training",
        ),
        (
            Run("fewrel", "lm_tuning", None, FEWREL, "validation", model="m", training={"num_train_epochs": 3}),
            "is tuned on the support sets of fewrel, but got a training. Say it as an option",
        ),
        (
            Run("few_nerd", "lm_tuning", "supervised", {"sample": True}, model="m"),
            "makes no episodes with these options",
        ),
        (
            Run("fewrel", "lm_tuning", None, FEWREL, "validation", model="m", options={"format": "tagging"}),
            "The format is for task 'tagging', but fewrel is of task 'relation'",
        ),
        (
            Run("fewrel", "lm_tuning", None, FEWREL, "validation", model="m", options={"lora": {"rank": 0}}),
            "rank must be a whole number of at least 1, but is 0",
        ),
        (
            Run("clues", "lm_tuning", "sst2", {"sample": True, "shots": 0}, model="m"),
            "Method 'lm_tuning' learns from examples, but clues has none",
        ),
        (
            Run("clues", "lm_tuning", "sst2", SST2, model="m", options={"calibration": "none of it"}),
            "Unknown calibration 'none of it'",
        ),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_loaded(run, message):
    with pytest.raises(ValueError, match=message):
        check_runs([run])


def test_without_peft_a_run_says_how_to_install_it(llama_folder, tmp_path, monkeypatch):
    monkeypatch.setattr("hf_fewshot.adapters.lora.importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'hf_fewshot\[tuning\]'"):
        execute(fold_run(llama_folder), tmp_path, progress=False)
