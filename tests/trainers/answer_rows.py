"""Rows of question and context: with names as answers, of reviews, and in the few words that the tiny T5 knows."""

from tests.clozes.reviews import review

NAMES = ("anna", "paul", "mia", "tom")
PLACES = ("paris", "rome", "oslo", "bern")
TEXTS = (
    {f"{name} lives in {place}": [name] for name in NAMES for place in PLACES[:2]}
    | {f"{name} works at {other} corp": [name, other] for name, other in zip(NAMES, NAMES[::-1], strict=True)}
    | {f"the bank is in {place}": [] for place in PLACES}
)
NAME_ROWS = [
    {"id": str(number), "question": "list the people", "context": [text], "answers": names}
    for number, (text, names) in enumerate(TEXTS.items())
]
NAME_WORDS = ["list", "people", "good", "bad", "or", "?", *" ".join(row["context"][0] for row in NAME_ROWS).split()]

GOOD, BAD = ("good film", "a fine film", "the good", "fine"), ("bad film", "a dull film", "the bad", "dull")
REVIEW_ROWS = [review(text) for text in GOOD] + [review(text, "negative") for text in BAD]
TEXT_ROWS = [
    {"id": str(number), "question": "who?", "context": [text], "answers": answers}
    for number, (text, answers) in enumerate(
        {
            "anna runs": ["anna"],
            "tom runs": ["tom"],
            "anna and tom sleeps": ["anna", "tom"],
            "mia and anna sleeps": ["mia", "anna"],
            "nobody runs": [],
            "nobody sleeps": [],
        }.items()
    )
]
