"""A benchmark as a folder with a task of lm-evaluation-harness."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hf_fewshot.cards.setting_name import dataset_name, setting_name
from hf_fewshot.data.benchmark_data import Data
from hf_fewshot.data.splits import TEST
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.references import has_none_of_the_above, references
from hf_fewshot.episodes.scoring import score, unit_of
from hf_fewshot.files.whole_folder import whole_folder
from hf_fewshot.harness.lm_eval_task import DOCUMENTS, TASK
from hf_fewshot.hub.export import require_publishable
from hf_fewshot.in_context.prompt_format import PromptFormat, load_format
from hf_fewshot.in_context.tasks import TaskPrompts
from hf_fewshot.systems.in_context import usual_format
from hf_fewshot.tables.measures import MEASURES

UTILS = '''"""Documents and metrics of {name}, written by hf_fewshot, which must be installed."""

from pathlib import Path

from hf_fewshot.harness.lm_eval_task import LmEvalTask

TASK = LmEvalTask(Path(__file__).parent)
dataset = TASK.dataset
judged = TASK.judged
'''
MEASURE = """

def {measure}(items):
    return TASK.measured("{measure}", items)
"""
YAML = """\
# Written by hf_fewshot. Run it with: lm_eval run --include_path <this folder> --tasks {name} ...
task: {name}
custom_dataset: !function utils.dataset
test_split: test
num_fewshot: 0
doc_to_text: prompt
doc_to_target: reference
target_delimiter: " "
{asked}
process_results: !function utils.judged
metric_list:
{metrics}
metadata:
  version: 1.0
"""
CHOSEN = """\
output_type: multiple_choice
doc_to_choice: choices"""
# Nothing but the length ends an answer: line breaks may stand before it, which no stop sequence can tell.
WRITTEN = """\
output_type: generate_until
generation_kwargs:
  until: []
  do_sample: false
  max_gen_toks: {max_new_tokens}"""
METRIC = """\
  - metric: {measure}
    aggregation: !function utils.{measure}
    higher_is_better: true"""


def export_lm_eval(
    benchmark: str,
    config: str | None,
    output: str | Path,
    *,
    split: str = TEST,
    prompt_format: str | None = None,
    source: dict[str, Any] | None = None,
    **options: Any,
) -> str:
    """Writes what a language model would be asked in context into a new folder, and gives the name of the task.

    Args:
        split: whose queries are asked.
        prompt_format: by name, or a YAML file of one's own; None: that of the benchmark.
        source: where raw files are, such as `{"data_dir": folder}`.
        options: of `load_dataset`.
    """
    require_publishable(benchmark, options)
    output = Path(output)
    if os.path.lexists(output):
        raise ValueError(f"{output} is there already. Name a new folder, or delete it first.")
    data = Data(benchmark, config, options, split=split, source=source or {})
    form = load_format(prompt_format or usual_format(data.task, benchmark, data.config_name))
    if form.task != data.task:
        raise ValueError(f"The format is for task {form.task!r}, but {benchmark} is of task {data.task!r}.")
    episodes = data.episodes
    documents = list(_documents(episodes, form))
    setting = setting_name(benchmark, config, options, without=())
    name = f"{dataset_name(benchmark, bool(options.get('sample')))}-{setting}-{split}"
    with whole_folder(output) as folder:
        measures = _measures(episodes)
        _write(folder, name, documents, measures, form)
        scored_by = episodes.kind.scored_by(episodes.examples)
        content = {"format": asdict(form), "measures": measures, "scored_by": scored_by}
        (folder / TASK).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return name


def _write(
    folder: Path, name: str, documents: Sequence[dict[str, Any]], measures: Sequence[str], form: PromptFormat
) -> None:
    lines = [json.dumps(document, ensure_ascii=False) + "\n" for document in documents]
    (folder / DOCUMENTS).write_text("".join(lines), encoding="utf-8")
    functions = "".join(MEASURE.format(measure=measure) for measure in measures)
    (folder / "utils.py").write_text(UTILS.format(name=name) + functions, encoding="utf-8")
    asked = CHOSEN if documents[0]["choices"] else WRITTEN.format(max_new_tokens=form.max_new_tokens)
    metrics = "\n".join(METRIC.format(measure=measure) for measure in measures)
    (folder / f"{name}.yaml").write_text(YAML.format(name=name, asked=asked, metrics=metrics), encoding="utf-8")


def _documents(episodes: EpisodeSet, form: PromptFormat) -> Iterator[dict[str, Any]]:
    """Each query with its whole prompt, and all that its answer is read and judged by."""
    examples, nota = episodes.plain_examples, has_none_of_the_above(episodes)
    by_question, position = unit_of(episodes) == "question", 0
    for number, (episode, gold) in enumerate(zip(episodes, references(episodes), strict=True)):
        task = TaskPrompts(form, episode, [examples[row] for row in episode.support], nota)
        prefix = task.prompts.prefix(range(len(task.prompts.demonstrations)))
        for row, reference in zip(episode.query, gold, strict=True):
            example = examples[row]
            yield {
                "id": example["id"],
                "prompt": prefix + task.query(example),
                "choices": list((task.words or {}).values()),
                "labels": list(task.words or {}),
                "classes": list(episode.classes),
                "domain": episode.group,
                "example": json.dumps(example, ensure_ascii=False),
                "reference": json.dumps(reference, ensure_ascii=False),
                "group": position if by_question else number,
            }
            position += 1


def _measures(episodes: EpisodeSet) -> list[str]:
    """The scores that tables show, by their names."""
    found = score(episodes, list(references(episodes)))
    return [name for name in MEASURES if name in found]
