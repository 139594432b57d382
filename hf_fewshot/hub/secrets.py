"""Keeps tokens, keys and passwords out of what is uploaded."""

from collections.abc import Callable, Iterator, Mapping

from huggingface_hub import get_token

from hf_fewshot.hub.manifest import Content, pieces
from hf_fewshot.text.redaction import holds_secret, holds_token

# Numbers, which are large and hold no text that somebody wrote.
NUMBERS = (".safetensors", ".parquet", ".arrow", ".npy", ".npz")
# Words and sentences of others, in which an odd address is no password of the user's.
WORDS = ("tokenizer.json", "vocab.txt", "vocab.json", "merges.txt", ".jsonl", ".bin", ".model")
# No secret is longer, so that one which stands across two pieces is found in the second.
OVERLAP = 4096


def refuse_secrets(files: Mapping[str, Content], token: str | None) -> None:
    """Raises ValueError with the names of all files in which a secret stands, such as a recorded command line."""
    known = {token, get_token()}
    found = [path for path, content in files.items() if not path.endswith(NUMBERS) and _holds(path, content, known)]
    if found:
        raise ValueError(
            f"A token, key or password stands in {', '.join(found)}: nothing is uploaded. Take it out of these files, "
            "and make a new one if others may have seen them (tokens: https://huggingface.co/settings/tokens)."
        )


def _holds(path: str, content: Content, known: set[str | None]) -> bool:
    holds: Callable[..., bool] = holds_token if path.endswith(WORDS) else holds_secret
    return any(holds(text, *known) for text in _texts(content))


def _texts(content: Content) -> Iterator[str]:
    """A content piece by piece, each with the end of the one before; secrets are ASCII, whatever the encoding."""
    before = ""
    for piece in pieces(content):
        # As our front matters write a `<`: what is redacted already is no secret.
        text = before + piece.decode("latin-1").replace(r"\x3c", "<")
        yield text
        before = text[-OVERLAP:]
