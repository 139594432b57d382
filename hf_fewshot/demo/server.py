"""The page on a port of this machine, or as a Space."""

import ipaddress
import secrets
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr

from hf_fewshot.demo.episodes import sample_sources
from hf_fewshot.demo.limits import FILE
from hf_fewshot.demo.model import DemoModel
from hf_fewshot.demo.page import build, look
from hf_fewshot.demo.trial import Trial

USER = "demo"


class Served(NamedTuple):
    """Where the page is, and the word that lets people in; None: whoever reaches it is let in."""

    url: str
    word: str | None


def serve(page: gr.Blocks, host: str = "127.0.0.1", port: int | None = None) -> Served:
    """Serves the page until the process ends; beyond this machine, to those who know a word.

    Args:
        port: None: the first that is free from 7860 on.
    """
    word = None if is_local(host) else secrets.token_urlsafe(9)
    url = _launch(
        page,
        server_name=host,
        server_port=port,
        auth=None if word is None else (USER, word),
        auth_message=f"Log in as {USER} with the word that was printed when this page was started.",
        prevent_thread_lock=True,
    )
    return Served(url, word)


def serve_space(model: str | Path, title: str) -> None:
    """Serves the page of a model as a Space does: where its machine says, to everybody who may see it."""
    trial = Trial(DemoModel(str(model), title))
    _launch(build(trial, {task.name: sample_sources(task) for task in trial.model.tasks}))


def is_local(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _launch(page: gr.Blocks, **options: Any) -> str:
    """Starts gradio's server without any of what reaches beyond it."""
    _, url, _ = page.launch(
        share=False,
        quiet=True,
        footer_links=[],
        max_file_size=FILE,
        ssr_mode=False,
        pwa=False,
        mcp_server=False,
        enable_monitoring=False,
        **look(),
        **options,
    )
    return url
