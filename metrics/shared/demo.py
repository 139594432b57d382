"""The page of a metric's Space: type in predictions and references, read the scores."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr

# System fonts: the page needs nothing from other servers.
FONT = ["system-ui", "sans-serif"]
MONO = ["ui-monospace", "Consolas", "monospace"]
CSS = """
.gradio-container {width: 100% !important; max-width: 1080px !important; margin: 0 auto !important}
.typed textarea {font-family: ui-monospace, Consolas, monospace}
.scores {display: flex; flex-wrap: wrap; gap: 12px}
.scores div {flex: 1 1 120px; padding: 12px 16px; border-radius: 12px; background: var(--background-fill-secondary);
  border: 1px solid var(--border-color-primary)}
.scores b {display: block; font-size: 1.7rem; line-height: 1.3; font-variant-numeric: tabular-nums}
.scores span {color: var(--body-text-color-subdued)}
.refused {padding: 12px 16px; border-radius: 12px; border: 1px solid var(--error-border-color);
  background: var(--error-background-fill); color: var(--error-text-color)}
"""


@dataclass(frozen=True)
class Option:
    """A choice the page offers: what it shows, and the value behind it. The first is the default."""

    name: str
    label: str
    choices: Mapping[str, str | None]


@dataclass(frozen=True)
class Page:
    """What a metric's page says, and how it reads a line of input."""

    title: str
    intro: str
    line_help: str
    parse: Callable[[str], Any]
    predictions: str
    references: str
    headline: Sequence[str]
    options: Sequence[Option] = ()


def lines_of(text: str) -> list[str]:
    """The lines with something on them."""
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def results_html(results: dict[str, Any], headline: Sequence[str]) -> str:
    """The main scores, large."""
    boxes = (f"<div><span>{html.escape(name)}</span><b>{results[name]:.4f}</b></div>" for name in headline)
    return f'<div class="scores">{"".join(boxes)}</div>'


def score_page(metric: Any, page: Page) -> Callable[..., tuple[str, list[list[Any]]]]:
    """The function behind the button: typed text in, scores or a message out."""

    def score(predictions: str, references: str, groups: str, *chosen: str) -> tuple[str, list[list[Any]]]:
        options = {option.name: option.choices[shown] for option, shown in zip(page.options, chosen, strict=True)}
        try:
            results = metric.compute(
                predictions=[page.parse(line) for line in lines_of(predictions)],
                references=[page.parse(line) for line in lines_of(references)],
                groups=lines_of(groups) or None,
                **options,
            )
        except (TypeError, ValueError) as error:
            return f'<div class="refused"><b>Not scored.</b> {html.escape(str(error))}</div>', []
        rows = [[name, f"{value:.4f}" if isinstance(value, float) else str(value)] for name, value in results.items()]
        return results_html(results, page.headline), rows

    return score


def build(metric: Any, page: Page, card: Path) -> gr.Blocks:
    """The page as a gradio app."""
    score = score_page(metric, page)
    with gr.Blocks(title=page.title) as blocks:
        gr.Markdown(f"# {page.title}\n{page.intro}")
        with gr.Row():
            predictions, references = (
                gr.Textbox(typed, label=name.title(), info=page.line_help, lines=6, elem_id=name, elem_classes="typed")
                for name, typed in (("predictions", page.predictions), ("references", page.references))
            )
        with gr.Row(visible=bool(page.options)):
            chosen = [
                gr.Radio(list(option.choices), value=next(iter(option.choices)), label=option.name, info=option.label)
                for option in page.options
            ]
        with gr.Accordion("Groups (episodes, domains)", open=False):
            groups = gr.Textbox(label="groups", info="One id per line, for each example; or nothing.", lines=3)
        button = gr.Button("Score", variant="primary", elem_id="score")
        summary = gr.HTML(elem_id="summary")
        table = gr.Dataframe(headers=["score", "value"], visible=False, interactive=False, elem_id="table")
        with gr.Accordion("About this metric", open=False):
            gr.Markdown(re.sub(r"\A---\n.*?\n---\n", "", card.read_text(encoding="utf-8"), flags=re.DOTALL))

        def show(*typed: str) -> tuple[str, gr.Dataframe]:
            text, rows = score(*typed)
            return text, gr.Dataframe(rows, visible=bool(rows))

        button.click(show, [predictions, references, groups, *chosen], [summary, table])
    return blocks


def launch(metric: Any, page: Page, card: Path) -> None:
    """Builds the page and serves it."""
    build(metric, page, card).launch(theme=gr.themes.Soft(font=FONT, font_mono=MONO), css=CSS)
