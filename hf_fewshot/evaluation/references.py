"""What the predictions of episodes are compared with."""

from collections.abc import Iterator
from typing import Any

from hf_fewshot.episodes.class_index import OUTSIDE, split_tags
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.schemas import LABEL_COLUMN


def references(episodes: EpisodeSet) -> Iterator[list[Any]]:
    """What would be right, in the form of predictions: class names, or tags without B- and I-.

    A query of a class that its episode does not have is "NOTA"; an entity of a type that it does not have is O. So it
    is in training, and in Few-NERD, where types of other splits are O. Joint queries keep their intents and tags;
    questions have their sets of answers.
    """
    if episodes.task == "joint":
        intents, tags = episodes.examples["intent"][:], episodes.examples["slot_tags"][:]
        for episode in episodes:
            yield [{"intent": intents[row], "slot_tags": tags[row]} for row in episode.query]
        return
    if episodes.task == "spans":
        answers = episodes.examples["answers"][:]
        for episode in episodes:
            yield [answers[row] for row in episode.query]
        return
    values = episodes.examples[LABEL_COLUMN[episodes.task]][:]
    if episodes.task == "tagging":
        distinct = sorted({tag for tags in values for tag in tags})
        types = dict(zip(distinct, split_tags(distinct)[0], strict=True))
        for episode in episodes:
            known = {tag: name if name in episode.classes else OUTSIDE for tag, name in types.items()}
            yield [[known[tag] for tag in values[row]] for row in episode.query]
        return
    for episode in episodes:
        yield [values[row] if values[row] in episode.classes else NOTA for row in episode.query]
