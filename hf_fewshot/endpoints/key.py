"""The key of a server: known by the name of an environment variable, so that it stands in no file or command."""

import os
import re

from hf_fewshot.text.redaction import holds_secret

_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,99}")


def check_name(token_env: str) -> None:
    """Refuses what is no name of a variable: it may be the key itself, so it is not repeated."""
    if not _NAME.fullmatch(token_env) or holds_secret(token_env):
        raise ValueError(
            "token_env must be the name of an environment variable in capital letters, such as OPENAI_API_KEY, never "
            "the key itself. Run: export OPENAI_API_KEY=... and give token_env=OPENAI_API_KEY."
        )


def key_of(token_env: str) -> str:
    """The key in an environment variable."""
    check_name(token_env)
    key = os.environ.get(token_env, "").strip()
    if not key:
        raise ValueError(
            f"token_env={token_env}, but the environment variable {token_env} is not set. Run: export {token_env}=..."
        )
    return key
