"""The Space of the NOTA F1 metric."""

from pathlib import Path

import evaluate
from demo import Page, launch

HERE = Path(__file__).resolve().parent

PAGE = Page(
    title="NOTA F1",
    intro="Micro-F1 over target classes, where a query may belong to none of them.",
    line_help="One label per line. Write NOTA for none of the above.",
    parse=str,
    predictions="founded_by\nNOTA\nborn_in\nNOTA",
    references="founded_by\nborn_in\nNOTA\nNOTA",
    headline=("f1", "precision", "recall", "accuracy", "nota_rate"),
)

if __name__ == "__main__":
    launch(evaluate.load(str(HERE / "nota_f1.py")), PAGE, HERE / "README.md")
