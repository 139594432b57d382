"""The Space of the slot F1 metric."""

from pathlib import Path

import evaluate
from demo import Option, Page, launch

HERE = Path(__file__).resolve().parent

PAGE = Page(
    title="Slot F1",
    intro="conlleval: precision, recall and F1 over slots that are right in span and type.",
    line_help="One sentence per line, tags separated by spaces, such as O B-city I-city.",
    parse=str.split,
    predictions="O O B-city I-city\nB-date O",
    references="O O B-city I-city\nB-date I-date",
    headline=("f1", "precision", "recall", "accuracy"),
    options=(
        Option("average", "The score is", {"pooled over all sentences": "pooled", "the mean over groups": "episode"}),
    ),
)

if __name__ == "__main__":
    launch(evaluate.load(str(HERE / "slot_f1.py")), PAGE, HERE / "README.md")
