"""The Space of the entity F1 metric."""

from pathlib import Path

import evaluate
from demo import Option, Page, launch

HERE = Path(__file__).resolve().parent

PAGE = Page(
    title="Entity F1",
    intro="Few-NERD: precision, recall and F1 over entities, and where the errors are.",
    line_help="One sentence per line, tags separated by spaces, such as O art-film art-film.",
    parse=str.split,
    predictions="O art-film art-film O\nperson-actor O location-island",
    references="O art-film art-film O\nperson-director O person-actor",
    headline=("f1", "precision", "recall", "within_error", "outer_error"),
    options=(
        Option("scheme", "Tags are", {"bare types (IO)": "io", "with B- and I- (BIO)": "bio"}),
        Option("compat", "Sentences are read", {"one by one": None, "joined, as the authors do": "original"}),
    ),
)

if __name__ == "__main__":
    launch(evaluate.load(str(HERE / "entity_f1.py")), PAGE, HERE / "README.md")
