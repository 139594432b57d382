"""Sample data: pairs put together from a few words, in the files that the builder reads."""

import json
from itertools import product
from pathlib import Path

PLACES = ("Lima", "Oslo", "Pune", "Kyiv", "Baku")
WEATHER = ("rain", "snow", "fog", "hail", "wind")
SECOND = {
    "train": {"same": "{place} has {weather}.", "opposite": "There is no {weather} in {place}."},
    "test": {
        "cause": "The {weather} closes the airport of {place}.",
        "question": "Is it the {weather} that {place} is known for?",
        "forecast": "Tomorrow {place} will have {weather} again.",
    },
}


def write(folder: Path) -> None:
    """Writes `train.jsonl` and `test.jsonl`."""
    for split, relations in SECOND.items():
        with open(folder / f"{split}.jsonl", "w", encoding="utf-8") as file:
            for (label, text), place, weather in product(relations.items(), PLACES, WEATHER):
                second = text.format(place=place, weather=weather)
                row = {"first": f"There is {weather} in {place}.", "second": second, "label": label}
                file.write(json.dumps(row) + "\n")
