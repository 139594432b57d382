"""Cards of models: what they say, and that the code they show works."""

import re
from dataclasses import replace

import pytest
from huggingface_hub import ModelCard
from markdown_it import MarkdownIt

from hf_fewshot.cards.benchmark import benchmark_facts
from hf_fewshot.cards.benchmark_repository import benchmark_repository
from hf_fewshot.cards.model_card import ModelFacts, model_card
from hf_fewshot.cards.model_index import eval_entries, eval_results, protocol
from hf_fewshot.cards.own_code import OwnMethod
from hf_fewshot.cards.usage import usage
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.models.span_model import SpanModel
from hf_fewshot.registry import BENCHMARKS
from tests.cards.records import record

OURS = {"model_type": "hf_fewshot", "architectures": ["FewShotModel"]}


def card_of(*records, **facts):
    """The card as the Hub would read it."""
    return ModelCard(str(model_card(records, ModelFacts("me/model", **{"config": OURS, **facts}))))


def test_the_metadata_come_from_the_records():
    data = card_of(record(), license="mit").data.to_dict()
    (index,) = data.pop("model-index")
    assert data == {
        "base_model": "bert-base-uncased",
        "datasets": [benchmark_repository("few_nerd", False)],
        "language": ["en"],
        "library_name": "hf_fewshot",
        "license": "mit",
        "pipeline_tag": "token-classification",
        "tags": ["hf_fewshot", "few-shot", "proto"],
    }
    assert index["name"] == "model"
    (result,) = index["results"]
    assert result["dataset"] == {
        "name": "Few-NERD: 5-way 1-shot, test",
        "type": benchmark_repository("few_nerd", False),
        "config": "inter-5-way-1-shot-n_episodes-10",
        "split": "test",
        "args": {
            "config": "inter",
            "n_episodes": 10,
            "n_way": 5,
            "shots": 1,
            "run_seeds": [0],
            "n_queries": 50,
            "episode_fingerprints": ["ab" * 32],
        },
    }
    assert [(metric["type"], metric["value"]) for metric in result["metrics"]] == [
        ("f1", 60.0),
        ("precision", 60.0),
        ("recall", 60.0),
    ]
    # That of the record, which a bootstrap over episodes has given.
    assert result["metrics"][0]["args"]["confidence_interval"] == [50.0, 70.0]


def test_the_text_has_results_baselines_published_numbers_and_protocol():
    text = card_of(record(correct=30), record(correct=20, seed=1)).text
    assert "| ProtoBERT | bert-base-uncased | 50.00 ± 14.14 |" in text
    assert re.search(r"\| no entity \|.*\| 0\.00 \|.*trivial baseline", text)
    assert re.search(r"\| DecomposedMetaNER \|.*\| 64\.75 ± 0\.35 \|.*published, not run here", text)
    assert "| ProtoBERT | 2 | 0, 1 | 10 | 50 | `abababababababab` |" in text
    assert "| Versions | hf_fewshot 0.1, torch 2.13 |" in text
    assert "| First and last start | 2026-01-02T03:04:05+00:00 |" in text
    assert "| Seconds in all | 6 |" in text
    assert "No licence is stated for the model" in text
    assert "The data of Few-NERD: cc-by-sa-4.0." in text


def test_settings_of_one_benchmark_keep_their_own_protocol():
    index = card_of(record(), record(data={"shots": 5})).data.to_dict()["model-index"][0]["results"]
    assert [one["dataset"]["args"]["shots"] for one in index] == [1, 5]


def test_sample_data_is_never_taken_for_the_benchmark():
    sample = record(data={"sample": True})
    card = card_of(sample)
    assert "datasets" not in card.data.to_dict()
    assert card.data.eval_results[0].dataset_type == benchmark_repository("few_nerd", True)
    assert "They say nothing about the benchmark of that name" in card.text
    assert "published, not run here" not in card.text
    assert "The data of Few-NERD" not in card.text
    (entry,) = eval_entries([sample], "me/model", {"few_nerd": "org/few_nerd"})["few_nerd-sample"]
    assert entry.dataset_id == "hf-fewshot/few_nerd-sample"


def test_other_data_in_the_format_of_a_benchmark_are_not_taken_for_it():
    other = replace(record(), episodes={**record().episodes, "official": False})
    card = card_of(other)
    assert "datasets" not in card.data.to_dict()
    assert card.data.eval_results[0].dataset_type == "few_nerd-other"
    assert "published, not run here" not in card.text
    assert "Some results are on other data in the format of a benchmark" in card.text
    assert eval_entries([other], "me/model") == {}


def test_results_belong_to_the_leaderboard_that_is_named():
    (entry,) = eval_entries([record()], "me/model", {"few_nerd": "org/few-nerd"})["few_nerd"]
    assert (entry.dataset_id, entry.value, entry.date) == ("org/few-nerd", 60.0, "2026-01-02")
    assert entry.notes == "ProtoBERT; F1 in percent; one run; 95 % interval 50.00 to 70.00"
    assert entry.source_url.endswith("/me/model/tree/main/records")


def test_every_measure_of_a_single_run_has_its_interval():
    own = replace(record(), intervals={"f1": (0.5, 0.7), "recall": (0.4, 0.8)})
    arguments = {one.metric_type: one.metric_args for one in eval_results([own])}
    assert arguments["recall"]["confidence_interval"] == [40.0, 80.0]
    assert "confidence_interval" not in arguments["precision"]


def test_every_system_of_a_setting_has_its_own_result():
    results = eval_results([record(), record("StructShot", 40, method="structshot")])
    assert [(one.metric_name, one.metric_value) for one in results if one.metric_type == "f1"] == [
        ("F1 of ProtoBERT", 60.0),
        ("F1 of StructShot", 80.0),
    ]


def test_the_place_of_a_model_on_this_machine_is_not_told(tmp_path):
    card = card_of(record(model=str(tmp_path / "my-encoder")))
    assert str(tmp_path) not in str(card)
    assert "made from `my-encoder`" in card.text
    assert "base_model" not in card.data.to_dict()


def test_an_embedded_model_is_named_as_the_hub_knows_it():
    card = card_of(record(model="m3e-small"))
    assert card.data.base_model == "moka-ai/m3e-small"
    assert "made from `m3e-small`" in card.text


def test_names_cannot_break_the_tables():
    text = card_of(record(system="a|b <script>")).text
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert "| a\\|b" in text


def hostile(word):
    """A record with a word wherever the record of a stranger can have one."""
    made = record(word, method=word, model=word, split=word, options={word: word}, training={word: word})
    return replace(
        made,
        episodes={**made.episodes, "fingerprint": word},
        environment={"versions": {word: word}, "device": word, "commit": word},
        baselines={word: 0.5},
        command=word,
    )


@pytest.mark.parametrize(
    "word",
    ["<img src=x onerror=alert(7)>", "</script><b>x</b>", "`<b>x</b>`", "a\n\n<b>x</b>\n---\n", "x|<b>|```\n<b>"],
)
def test_names_of_strangers_are_text_in_all_of_a_card(word):
    facts = {"license": word, "tags": [word], "language": [word], "weights_of": word}
    text = str(model_card([hostile(word)], ModelFacts("me/model", OURS, **facts)))
    card = ModelCard(text)
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(card.text)
    assert not re.search("<(img|b|script)", html)
    assert "<" not in text.partition("\n---\n")[0]
    assert card.data.tags[2] == word  # as data it stays what it is
    assert card.data.eval_results[0].metric_name == f"F1 of {' '.join(word.split())}"


def test_control_characters_are_shown_in_a_card():
    text = str(model_card([hostile("\x1b[2Ja\u202e")], ModelFacts("me/model", tags=["\x1b\u202e\ue000"])))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ue000]", text)
    assert "| \\\\x1b\\[2Ja\\\\u202e |" in text
    assert ModelCard(text).data.tags[2] == "\x1b\u202e\ue000"


def test_passwords_of_old_records_do_not_stand_in_a_card():
    address = "http://me:swordfish@localhost"
    old = replace(hostile("x"), command=f"run {address}")
    old = replace(old, run=replace(old.run, model=address, options={"endpoint": address}, training={"at": address}))
    other = replace(old, run=replace(old.run, options={"endpoint": address + "/v1"}))
    assert "swordfish" not in str(card_of(old, other))


def test_an_interval_that_says_nothing_is_said_in_words():
    alike = replace(record(correct=0), intervals={"f1": (0.0, 0.0), "recall": (0.0, 0.0)})
    card = card_of(alike)
    assert "| none: all 10 episodes alike |" in card.text
    for result in card.data.eval_results[:1] + card.data.eval_results[2:]:
        assert result.metric_args["no_interval"] == "all 10 episodes alike"
        assert "confidence_interval" not in result.metric_args
    (entry,) = eval_entries([alike], "me/model")["few_nerd"]
    assert entry.notes == "ProtoBERT; F1 in percent; one run; 95 % interval none: all 10 episodes alike"


def test_other_data_of_a_setting_does_not_reach_its_leaderboard():
    own = record()
    other = replace(record(correct=50, seed=1), episodes={**own.episodes, "official": False, "fingerprint": "cd" * 32})
    results = [one for one in eval_results([other, own]) if one.metric_type == "f1"]
    assert [(one.dataset_type, one.dataset_name, one.metric_value) for one in results] == [
        (benchmark_repository("few_nerd", False), "Few-NERD: 5-way 1-shot, test", 60.0),
        ("few_nerd-other", "Few-NERD: 5-way 1-shot, test, other data", 100.0),
    ]
    (entry,) = eval_entries([other, own], "me/model")["few_nerd"]
    assert entry.value == 60.0


@pytest.mark.parametrize("named", [None, "x", [], [3], ["a b"], ["```"]])
def test_a_class_that_a_configuration_does_not_name_is_not_written_into_code(named):
    code = usage('me/"x', {"model_type": "bert", "architectures": named}, "tagging")
    assert 'model = AutoModel.from_pretrained("me/\\"x")' in code


def test_parts_of_a_model_are_variables_whatever_they_are_called():
    code = usage("me/m", OURS, "joint", ["2 slots"])
    assert code.endswith('_2_slots = FewShotModel.from_pretrained("me/m", subfolder="2 slots")')


def test_the_training_of_the_runs_is_shown():
    assert "| learning_rate | 0.001 |" in card_of(record(training={"learning_rate": 0.001})).text
    assert "## Training" not in card_of(record(training=None)).text


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_every_benchmark_has_facts(name):
    facts = benchmark_facts(name)
    # Nobody knows the language of data that somebody brings.
    assert facts.language in ([[]] if name.startswith("own_") else [["en"], ["zh"]])
    assert facts.task_categories
    assert facts.may_be_published == (name != "fs_tacred")


def saved(folder, model, tokenizer):
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return {"model_type": model.config.model_type, "architectures": [type(model).__name__]}


def answer_of(code):
    """What the code would print."""
    found = {}
    exec(code.replace("print(", "answer = ("), found)
    return found["answer"]


@pytest.mark.parametrize(
    ("task", "kind", "method", "allowed"),
    [
        ("tagging", FewShotModel, "proto", {"person", "place"}),
        ("classification", FewShotModel, "proto", {"refund", "delivery"}),
        ("relation", FewShotModel, "mnav", {"lives in", "works at", "NOTA"}),
        ("joint", JointModel, "joint_proto", {"weather", "music"}),
    ],
)
def test_the_code_in_a_card_works_and_is_short(task, kind, method, allowed, bert, tmp_path):
    options = {"representation": "mean"} if task == "classification" else {}
    options |= {"representation": "markers"} if task == "relation" else {}
    config = saved(tmp_path, *kind.from_encoder(bert, method, **options))
    code = usage(str(tmp_path), config, task)
    (answer,) = answer_of(code)
    found = {"tagging": lambda: {one["type"] for one in answer}, "joint": lambda: {answer["intent"]}}
    assert found.get(task, lambda: {answer})() <= allowed
    assert len(re.findall(r"^\w", code, re.MULTILINE)) <= 5


def test_the_code_in_the_card_of_a_span_model_works(bert, tmp_path):
    config = saved(tmp_path, *SpanModel.from_encoder(bert, max_length=64, stride=16))
    (answers,) = answer_of(usage(str(tmp_path), config, "spans"))
    assert all(answer in "Who lives in Paris? Anna lives in Paris, Tom in Rome." for answer in answers)


def test_a_model_of_transformers_is_loaded_with_its_own_class():
    code = usage("me/t", {"model_type": "bert", "architectures": ["BertForTokenClassification"]}, "tagging")
    assert code == (
        "from transformers import BertForTokenClassification\n"
        "from transformers import AutoTokenizer\n\n"
        'model = BertForTokenClassification.from_pretrained("me/t")\n'
        'tokenizer = AutoTokenizer.from_pretrained("me/t")'
    )


def test_what_is_no_model_has_no_pipeline_and_a_language_model_writes():
    assert card_of(record(), config=None).data.pipeline_tag is None
    causal = {"model_type": "llama", "architectures": ["LlamaForCausalLM"]}
    assert card_of(record(), config=causal).data.pipeline_tag == "text-generation"
    adapter = {"peft_type": "LORA", "task_type": "CAUSAL_LM"}
    assert card_of(record(), config=adapter).data.pipeline_tag == "text-generation"


def test_queries_that_are_asked_again_count_once():
    seeds = [record(seed=seed) for seed in range(3)]
    assert protocol(seeds)["n_queries"] == 50
    another = replace(seeds[0], episodes=seeds[0].episodes | {"fingerprint": "cd" * 32})
    assert protocol([*seeds, another])["n_queries"] == 100
    questions = [replace(one, unit="question", units=[f"{one.run.seed}", "shared"]) for one in seeds]
    assert protocol(questions)["n_queries"] == 4


def test_a_card_with_code_of_its_author_says_what_running_it_means():
    method = OwnMethod("cosine", "own_cosine:CosinePrototypes", ("tagging",), is_system=False)
    text = card_of(record(), own_code=[method]).text
    assert "Running it can do whatever a program can do: read it first" in text
    assert "register_method('cosine', 'own_cosine:CosinePrototypes', tasks=['tagging'])" in text
    assert "folder `code`" not in card_of(record()).text
