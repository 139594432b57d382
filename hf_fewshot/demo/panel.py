"""The part of the page for one task: a sentence and its answer, the examples, and where others come from."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from hf_fewshot.demo.episodes import EpisodeSource, Expected, LoadedEpisode, load_episode
from hf_fewshot.demo.pasted import pasted_example, pasted_sheet, uploaded_sheet
from hf_fewshot.demo.ready import words_of
from hf_fewshot.demo.reply import Kept, Reply, refused, rendered, reply, said_or_problem
from hf_fewshot.demo.shape import shape_of
from hf_fewshot.demo.sheet import write_sheet
from hf_fewshot.demo.trial import Trial
from hf_fewshot.tasks import Task

# All events share the one model; those of a burst of typing that are not the last are left out.
EVENT: dict[str, Any] = {"concurrency_id": "model", "concurrency_limit": 1, "api_visibility": "private"}
QUICK: dict[str, Any] = {**EVENT, "trigger_mode": "always_last", "show_progress": "hidden"}
SUFFIXES = [".csv", ".tsv", ".json", ".jsonl", ".parquet", ".conll", ".txt", ".bio", ".iob2"]
SHOTS = ("1", "3", "5", "10")


class Panel:
    """Builds the components of a task, where a page is being built, and answers their events.

    Args:
        trial: answers.
        task: whose panel it is.
        sources: episodes that can be loaded.
        answered: whether its first answer is given now.
    """

    def __init__(self, trial: Trial, task: Task, sources: Sequence[EpisodeSource], *, answered: bool) -> None:
        self.trial = trial
        self.task = task
        self.words = words_of(task)
        self.sources = {source.name: source for source in sources}
        self.ready_name, self.sheet_text, self.sentences = self._begin()
        none = self._saved_none
        first = reply(trial, task, self.sentences[0], self.sheet_text, none) if answered else Reply("", "", None)
        with gr.Row():
            with gr.Column(scale=6, min_width=300):
                self._asking(first)
            with gr.Column(scale=5, min_width=300):
                self._teaching(first)
        self._connect(first)

    def _begin(self) -> tuple[str | None, str, tuple[str, ...]]:
        """The examples and sentences when the page opens, with their name if they are ready-made."""
        first = self.words.sets[0]
        fitted = self.trial.model.fitted
        if fitted is None:
            return first.name, first.examples, first.sentences
        if fitted.support is None:
            return None, "", first.sentences
        own = fitted.support.examples
        return None, write_sheet(own, self.task), first.sentences

    @property
    def _saved_none(self) -> bool:
        """Whether a saved learner answers none of the above."""
        saved = self.trial.model.saved
        return saved is not None and saved.options.none_of_the_above

    def _asking(self, first: Reply) -> None:
        self.sentence = gr.Textbox(
            self.sentences[0],
            label="Your sentence",
            info=_plain(self.words.about),
            lines=2,
            max_lines=6,
            elem_classes="sentence-box",
        )
        self.answer = gr.HTML(first.answer, apply_default_css=False)
        self.suggested = gr.Dataset(
            components=[gr.Textbox(visible=False)],
            samples=[[one] for one in self.sentences],
            label="Or one of these",
            samples_per_page=5,
            type="values",
            elem_classes="suggested",
        )

    def _teaching(self, first: Reply) -> None:
        self.sheet = gr.Textbox(
            self.sheet_text,
            label="Examples",
            info=_plain(self.words.how),
            lines=12,
            max_lines=16,
            elem_classes="sheet-box",
        )
        self.summary = gr.HTML(first.summary, apply_default_css=False)
        self.none = gr.Checkbox(
            self._saved_none,
            label="Say “none of the above” where nothing fits",
            visible=shape_of(self.task).label is not None,
        )
        with gr.Accordion("Other examples", open=False, elem_classes="others"):
            names = [one.name for one in self.words.sets]
            self.ready = gr.Dropdown(names, value=self.ready_name, label="Ready-made", filterable=False)
            self.pasted = gr.Textbox(
                label="Paste CSV, TSV, JSON or CoNLL",
                elem_classes="pasted-box",
                lines=3,
                max_lines=8,
                placeholder=pasted_example(self.task),
            )
            with gr.Row():
                self.use = gr.Button("Use what I pasted", size="sm")
                self.file = gr.UploadButton("A file …", file_types=SUFFIXES, size="sm")
            with gr.Column(visible=bool(self.sources)):
                self.source = gr.Dropdown(
                    list(self.sources), value=next(iter(self.sources), None), label="Episodes", filterable=False
                )
                with gr.Row():
                    self.shots = gr.Dropdown(["as usual", *SHOTS], label="Examples of each class", filterable=False)
                    self.index = gr.Number(1, label="Number", minimum=1, precision=0)
                self.load = gr.Button("Load this episode", size="sm")
            self.status = gr.HTML(apply_default_css=False)

    def _connect(self, first: Reply) -> None:
        kept, expected = gr.State(first.kept), gr.State({})
        asked = [self.sentence, self.sheet, self.none, kept, expected]
        said = [self.answer, self.summary, kept]
        gr.on([self.sentence.input, self.sheet.input, self.none.input], self.on_change, asked, said, **QUICK)
        self.suggested.click(self.on_suggested, [self.suggested, *asked[1:]], [self.sentence, *said], **QUICK)
        everything = [self.sheet, self.sentence, self.suggested, expected, self.status, *said]
        now = [self.sentence, self.sheet, self.none]
        self.ready.input(self.on_ready, [self.ready, *now], everything, **EVENT)
        self.use.click(self.on_pasted, [self.pasted, *now], everything, **EVENT)
        self.file.upload(self.on_file, [self.file, *now], everything, **EVENT)
        self.appears = {"fn": self.on_change, "inputs": asked, "outputs": said, **QUICK}
        self.load.click(self.on_episode, [self.source, self.index, self.shots, *now], everything, **EVENT)

    def on_change(
        self, sentence: str, sheet: str, none: bool, kept: Kept | None, expected: Mapping[str, Expected]
    ) -> tuple[Any, ...]:
        """Something was typed, or the panel has come into sight."""
        return tuple(reply(self.trial, self.task, sentence, sheet, none, kept, expected))

    def on_suggested(self, chosen: Sequence[str], sheet: str, *others: Any) -> tuple[Any, ...]:
        """A sentence was chosen."""
        return chosen[0], *self.on_change(chosen[0], sheet, *others)

    def on_ready(self, name: str, sentence: str, sheet: str, none: bool) -> tuple[Any, ...]:
        """Ready-made examples were chosen."""
        chosen = next(one for one in self.words.sets if one.name == name)
        return self._loaded(chosen.examples, dict.fromkeys(chosen.sentences), none)

    def on_pasted(self, text: str, sentence: str, sheet: str, none: bool) -> tuple[Any, ...]:
        """Labelled rows were pasted."""
        return self._taken(lambda: pasted_sheet(text, self.task), sentence, sheet, none)

    def on_file(self, path: str, sentence: str, sheet: str, none: bool) -> tuple[Any, ...]:
        """A file was given."""
        return self._taken(lambda: uploaded_sheet(Path(path), self.task), sentence, sheet, none)

    def on_episode(
        self, name: str, number: float | None, shots: str, sentence: str, sheet: str, none: bool
    ) -> tuple[Any, ...]:
        """An episode was asked for."""
        size = int(shots) if shots in SHOTS else None
        found, problem = said_or_problem(
            lambda: load_episode(self.sources[name], self.task, int(number or 1) - 1, size)
        )
        return self._refused(problem) if found is None else self._episode(found, none)

    def _episode(self, episode: LoadedEpisode, none: bool) -> tuple[Any, ...]:
        note = f"{episode.left_out} examples are left out, with entities within others." if episode.left_out else ""
        return self._loaded(episode.sheet, episode.queries, none, f"{episode.title}. {note}")

    def _taken(self, read: Callable[[], str], sentence: str, sheet: str, none: bool) -> tuple[Any, ...]:
        written, problem = said_or_problem(read)
        if written is None:
            return self._refused(problem)
        said = reply(self.trial, self.task, sentence, written, none)
        return written, gr.skip(), gr.skip(), {}, self._status("They stand above now."), *said

    def _loaded(
        self, sheet: str, queries: Mapping[str, Expected | None], none: bool, status: str = ""
    ) -> tuple[Any, ...]:
        expected = {sentence: one for sentence, one in queries.items() if one is not None}
        sentence = next(iter(queries), "")
        said = reply(self.trial, self.task, sentence, sheet, none, None, expected)
        suggested = gr.Dataset(samples=[[one] for one in queries])
        return sheet, sentence, suggested, expected, self._status(status), *said

    def _refused(self, problem: str) -> tuple[Any, ...]:
        return (*[gr.skip()] * 4, refused(problem), *[gr.skip()] * 3)

    def _status(self, text: str) -> str:
        return rendered("status.html.jinja", text=text)


def _plain(text: str) -> str:
    """A text of ours in which gradio finds no links: a sign without width stands between the brackets."""
    return text.replace("](", "]\u2060(")
