"""How much of everything the page takes."""

# Characters of a sentence, and of all that is written or pasted as examples.
SENTENCE = 2_000
EXAMPLES_TEXT = 200_000
EXAMPLES = 500
CLASSES = 100
# Of a file that is given as examples, as gradio writes sizes.
FILE = "1mb"


def require_length(text: str, limit: int, what: str) -> None:
    """Raises ValueError for a text that is longer than the page takes."""
    if len(text) > limit:
        raise ValueError(f"{what} has {len(text):,} characters, and this page takes {limit:,}. Shorten it.")


def require_few(count: int, limit: int, what: str) -> None:
    """Raises ValueError for more things than the page takes."""
    if count > limit:
        raise ValueError(
            f"These are {count:,} {what}, and this page takes {limit:,}. Leave some out; `hf-fewshot fit` takes all."
        )
