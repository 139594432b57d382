"""Rows of reviews."""


def review(text, label="positive"):
    """A review and its label."""
    return {"id": text, "question": "?", "context": [text], "answers": [label]}
