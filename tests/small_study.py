"""A study of eight texts of two classes: one example of each to learn from, six queries."""

from pathlib import Path

from hf_fewshot.people.plan import Plan

TEXTS = {
    "lost": ["my card is gone", "I lost my card", "somebody took my card", "the card fell into the sea"],
    "late": ["when does it come?", "it has not come yet", "where is my card so long?", "I wait for a month"],
}


def text_file(folder: Path) -> Path:
    """The texts as a CSV file."""
    path = folder / "texts.csv"
    rows = [f'"{text}",{label}' for label, texts in TEXTS.items() for text in texts]
    path.write_text("text,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def label_of(text: str) -> str:
    """What is right of a text."""
    return next(label for label, texts in TEXTS.items() if text in texts)


def text_plan(**changes: object) -> Plan:
    """The plan of a study of them."""
    return Plan("own_texts", None, {"shots": 1}, **changes)
