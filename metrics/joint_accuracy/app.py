"""The Space of the joint accuracy metric."""

from pathlib import Path

import evaluate
from demo import Page, launch

HERE = Path(__file__).resolve().parent


def utterance(line: str) -> dict[str, object]:
    """The intent and the slot tags on a line."""
    intent, *slot_tags = line.split()
    return {"intent": intent, "slot_tags": slot_tags}


PAGE = Page(
    title="Joint accuracy",
    intro="FewJoint: how often the intent is right, and how often the intent and every slot tag are.",
    line_help="One sentence per line: the intent, then the tags, such as book_table O B-city.",
    parse=utterance,
    predictions="book_table O B-city\nplay_music O O",
    references="book_table O B-city\nplay_music O B-song",
    headline=("intent_accuracy", "sentence_accuracy"),
)

if __name__ == "__main__":
    launch(evaluate.load(str(HERE / "joint_accuracy.py")), PAGE, HERE / "README.md")
