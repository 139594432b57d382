"""The Space of the S1 metric."""

from pathlib import Path

import evaluate
from demo import Option, Page, launch

HERE = Path(__file__).resolve().parent


def answers(line: str) -> list[str]:
    """The answers on a line; `[]` says that there is none."""
    return [] if line == "[]" else [answer.strip() for answer in line.split("|")]


PAGE = Page(
    title="S1",
    intro="The score of CLUES: the F1 of predicted and true answers as sets, averaged over instances.",
    line_help="One instance per line, answers separated by |. Write [] for no answer.",
    parse=answers,
    predictions="a | b\n[]\nc\nd | e",
    references="b | c | d\n[]\n[]\nf | g",
    headline=("s1", "always_empty_s1"),
    options=(
        Option("normalize", "How answers are compared", {"as they are": "none", "as in SQuAD": "squad"}),
        Option("multi_reference", "Several references are", {"a set": "set", "variants of one answer": "max"}),
    ),
)

if __name__ == "__main__":
    launch(evaluate.load(str(HERE / "s1.py")), PAGE, HERE / "README.md")
