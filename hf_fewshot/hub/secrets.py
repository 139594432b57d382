"""Keeps tokens out of what is uploaded."""

import re
from collections.abc import Mapping

from huggingface_hub import get_token

from hf_fewshot.hub.manifest import Content

# Numbers, which are large and hold no text that somebody wrote.
NUMBERS = (".safetensors", ".parquet", ".arrow")
TOKEN = re.compile(rb"\bhf_[A-Za-z0-9]{30,}\b")


def refuse_secrets(files: Mapping[str, Content], token: str | None) -> None:
    """Raises ValueError with the names of all files in which a token stands, such as a recorded command line."""
    known = [one.encode() for one in {token, get_token()} if one]
    found = []
    for path, content in files.items():
        if path.endswith(NUMBERS):
            continue
        text = content if isinstance(content, bytes) else content.read_bytes()
        if TOKEN.search(text) or any(one in text for one in known):
            found.append(path)
    if found:
        raise ValueError(
            f"An access token stands in {', '.join(found)}: nothing is uploaded. Take it out of these files, and make "
            "a new token at https://huggingface.co/settings/tokens if others may have seen them."
        )
