"""The page on a port of this machine."""

import secrets
from typing import NamedTuple

import gradio as gr

from hf_fewshot.demo.limits import FILE
from hf_fewshot.demo.page import look

LOCAL = ("127.0.0.1", "localhost", "::1")
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
    word = None if host in LOCAL else secrets.token_urlsafe(9)
    _, url, _ = page.launch(
        server_name=host,
        server_port=port,
        auth=None if word is None else (USER, word),
        auth_message=f"Log in as {USER} with the word that the page was started with.",
        share=False,
        prevent_thread_lock=True,
        quiet=True,
        footer_links=[],
        max_file_size=FILE,
        ssr_mode=False,
        pwa=False,
        mcp_server=False,
        enable_monitoring=False,
        **look(),
    )
    return Served(url, word)
