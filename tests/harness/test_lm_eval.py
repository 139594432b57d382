"""Exported tasks in lm-evaluation-harness itself: the same model on the same rows gives the same predictions."""

import json
from dataclasses import replace

import numpy as np
import pytest
import yaml

from hf_fewshot import predict, score
from hf_fewshot.cli.main import main
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.harness.lm_eval_export import export_lm_eval
from hf_fewshot.harness.lm_eval_task import LmEvalTask, first_line
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.systems.in_context import InContextSystem
from tests.tiny_models import byte_tokenizer, tiny_causal_lm

POSITIONS = 16_384  # one token per byte makes long prompts
SETTINGS = {
    "labels of texts": ("clues", "sst2", {"shots": 10, "fold": 1, "sample": True}, "clues_sst2"),
    "relations": (
        "fewrel",
        None,
        {"n_way": 3, "shots": 1, "n_episodes": 3, "nota_rate": 0.5, "sample": True},
        "relation",
    ),
    "entities": ("few_nerd", "inter", {"n_way": 2, "shots": 1, "n_episodes": 2, "sample": True}, "tagging"),
    "spans": ("clues", "conll03", {"shots": 10, "fold": 1, "sample": True}, "clues_conll03"),
    "utterances": ("fewjoint", None, {"shots": 1, "sample": True}, "joint"),
}
LIMIT = 6


def split_of(benchmark):
    return "validation" if benchmark == "fewrel" else "test"


@pytest.fixture(scope="module", params=SETTINGS.values(), ids=SETTINGS)
def exported(request, tmp_path_factory):
    """An exported task: its folder, its name, the episodes, the name of the format."""
    benchmark, config, options, form = request.param
    folder = tmp_path_factory.mktemp("lm_eval") / "task"
    name = export_lm_eval(benchmark, config, folder, split=split_of(benchmark), **options)
    return folder, name, Data(benchmark, config, options, split=split_of(benchmark)).episodes, form


def documents(folder):
    return [json.loads(line) for line in (folder / "test.jsonl").read_text().splitlines()]


def first(episodes):
    """The episodes with the first queries alone."""
    sizes = np.cumsum([0, *(len(episode.query) for episode in episodes)])
    length = int((sizes[:-1] < LIMIT).sum())
    left = [replace(episodes[n], query=episodes[n].query[: LIMIT - sizes[n]]) for n in range(length)]
    return replace(episodes, make=left.__getitem__, length=length)


class Heard(CausalLM):
    """Remembers what it answered."""

    def answer(self, request):
        found = super().answer(request)
        self.heard = [*getattr(self, "heard", []), *found]
        return found


@pytest.mark.filterwarnings("ignore")  # of the harness and what it imports
def test_the_same_model_gives_the_same_answers_predictions_and_scores_there_and_here(exported):
    from lm_eval import simple_evaluate
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks import TaskManager

    folder, name, episodes, form = exported
    model, tokenizer = tiny_causal_lm("llama", POSITIONS), byte_tokenizer(POSITIONS)
    there = simple_evaluate(
        HFLM(pretrained=model, tokenizer=tokenizer, backend="causal", batch_size=4),
        tasks=[name],
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        limit=LIMIT,
        bootstrap_iters=0,
    )
    samples = sorted(there["samples"][name], key=lambda sample: sample["doc_id"])
    assert 4 <= len(samples) <= LIMIT
    measures = [
        key.partition(",")[0] for key in there["results"][name] if key.endswith(",none") and "stderr" not in key
    ]

    lm = Heard(model, tokenizer)
    found = predict(
        InContextSystem(lm, form, nota="NOTA" in samples[0]["doc"]["labels"]), first(episodes), progress=False
    )
    assert [sample[measures[0]][0] for sample in samples] == [one for own in found for one in own]
    for sample, answer in zip(samples, lm.heard, strict=True):
        if answer.scores is None:
            assert sample["resps"][0][0].startswith(answer.text)
        else:
            likelihoods = np.array([likelihood for ((likelihood, _),) in sample["resps"]], dtype=float)
            assert likelihoods - np.logaddexp.reduce(likelihoods) == pytest.approx(answer.scores, abs=1e-3)
    task = LmEvalTask(folder)
    items = [sample[measures[0]] for sample in samples]
    for measure in measures:
        assert there["results"][name][f"{measure},none"] == pytest.approx(task.measured(measure, items))


def right(document):
    """What the harness would hand over if the model were right."""
    reference = json.loads(document["reference"])
    if document["choices"]:
        label = reference[0] if isinstance(reference, list) else reference
        return [(0.0 if one == label else -1.0, False) for one in document["labels"]]
    example = json.loads(document["example"])
    if "answers" in example:
        return [f"\n {json.dumps(example['answers'])}\n\nSentence: and so on"]
    tags = reference if isinstance(reference, list) else reference["slot_tags"]
    pairs, last = [], "O"
    for word, tag in zip(example["tokens"], tags, strict=True):
        if tag != "O" and (tag == last or tag.startswith("I-")):
            pairs[-1][0] += f" {word}"
        elif tag != "O":
            pairs.append([word, tag.removeprefix("B-")])
        last = tag
    if isinstance(reference, list):
        return [f" {json.dumps(pairs)}\n"]
    glued = [[text.replace(" ", ""), tag] for text, tag in pairs]  # Chinese, of one character each
    return [f" {json.dumps({'intent': reference['intent'], 'slots': glued}, ensure_ascii=False)}\nmore"]


def test_right_answers_are_read_as_such_and_scored_as_here(exported):
    folder, _, episodes, _ = exported
    task, rows = LmEvalTask(folder), documents(folder)
    items = [task.judged(row, right(row))[task.measures[0]] for row in rows]
    assert [item[0] for item in items] == [item[1] for item in items]
    flat = iter([item[0] for item in items])
    expected = score(episodes, [[next(flat) for _ in episode.query] for episode in episodes])
    for measure in task.measures:
        assert task.measured(measure, items) == pytest.approx(expected[measure])
    # Some wrong answers, judged in the same way.
    wrong = [task.judged(row, right(rows[0]))[task.measures[0]] for row in rows]
    flat = iter([item[0] for item in wrong])
    expected = score(episodes, [[next(flat) for _ in episode.query] for episode in episodes])
    assert {measure: task.measured(measure, wrong) for measure in task.measures} == pytest.approx(
        {measure: expected[measure] for measure in task.measures}
    )


def test_a_folder_has_a_task_documents_and_functions_and_no_place_of_this_machine(exported):
    folder, name, episodes, _ = exported
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["task.json", "test.jsonl", "utils.py", f"{name}.yaml"]
    )
    assert not [path for path in folder.iterdir() if str(folder.parent) in path.read_text()]
    rows = documents(folder)
    assert [row["id"] for row in rows] == [episodes.example_ids[n] for episode in episodes for n in episode.query]
    text = (folder / f"{name}.yaml").read_text()
    content = yaml.safe_load(text.replace("!function ", ""))
    assert content["task"] == name
    assert content["output_type"] == ("multiple_choice" if rows[0]["choices"] else "generate_until")


def test_the_command_writes_the_folder_and_says_how_to_run_it(tmp_path, capsys):
    data = ["clues", "--config", "sst2", "--shots", "10", "-o", "fold=1", "--sample"]
    assert main(["export", *data, "--lm-eval", str(tmp_path / "task")]) == 0
    name = "clues-sample-sst2-10-shot-fold-1-test"
    assert f"lm_eval run --include_path {tmp_path / 'task'} --tasks {name}" in capsys.readouterr().out
    assert (tmp_path / "task" / f"{name}.yaml").is_file()
    assert main(["export", *data, "--lm-eval", str(tmp_path / "task")]) == 2
    assert "is there already. Name a new folder" in capsys.readouterr().err
    assert main(["export", *data, "--output", str(tmp_path / "other"), "--format", "clues_sst2"]) == 2
    assert "--format is of --lm-eval FOLDER" in capsys.readouterr().err


def test_a_format_of_another_task_and_licensed_data_are_refused(tmp_path):
    with pytest.raises(ValueError, match="The format is for task 'tagging', but clues is of task 'spans'"):
        export_lm_eval("clues", "sst2", tmp_path / "a", prompt_format="tagging", shots=10, fold=1, sample=True)
    with pytest.raises(ValueError, match="must not be passed on: it is not exported"):
        export_lm_eval("fs_tacred", None, tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (' ["a"]\nmore', '["a"]'),
        ("\n\n[]\n", "[]"),
        ("<think>so\nwhat</think>\n[1]\n[2]", "[1]"),
        ("  \n ", ""),
        ("<think>no end", ""),
    ],
)
def test_an_answer_is_its_first_line(text, line):
    assert first_line(text) == line
