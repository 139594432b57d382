"""The page: a tab for each task that the model can do, in the colours of the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from hf_fewshot.demo.episodes import EpisodeSource
from hf_fewshot.demo.panel import Panel
from hf_fewshot.demo.reply import rendered
from hf_fewshot.demo.theme import theme
from hf_fewshot.demo.trial import Trial
from hf_fewshot.text.look import MARKS, PALETTE

STYLES = (PALETTE, MARKS, Path(__file__).with_name("demo.css"))


def build(trial: Trial, sources: Mapping[str, Sequence[EpisodeSource]]) -> gr.Blocks:
    """The page as a gradio app.

    Args:
        sources: episodes that can be loaded, by the name of their task.
    """
    with gr.Blocks(title=f"Try {trial.model.title}", analytics_enabled=False) as page:
        gr.HTML(rendered("head.html.jinja", model=trial.model), apply_default_css=False)
        with gr.Tabs():
            for number, task in enumerate(trial.model.tasks):
                with gr.Tab() as tab:
                    # The first answer is there when the page opens; others are asked when their tab is.
                    panel = Panel(trial, task, sources.get(task.name, ()), answered=number == 0)
                tab.label = panel.words.title
                tab.select(**panel.appears)
    return page


def look() -> dict[str, Any]:
    """What `launch` takes to give the page the colours of the report."""
    style = "\n".join(path.read_text(encoding="utf-8") for path in STYLES)
    return {"theme": theme(), "head": f"<style>{style}</style>"}
