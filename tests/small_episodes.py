"""A few rows of each task, in the words that tests/tiny_models.py know, and episodes over them."""

from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.tasks.schemas import example_features, table_of


def entity(start: int, end: int) -> dict:
    """An entity with one mention."""
    return {"text": "", "id": "", "type": "", "mentions": [{"start": start, "end": end}]}


def relation(number: int, text: str, head: tuple[int, int], tail: tuple[int, int], label: str = "r") -> dict:
    """A relation instance."""
    return {
        "id": f"x{number}",
        "tokens": text.split(),
        "head": entity(*head),
        "tail": entity(*tail),
        "relation": label,
        "original_relation": label,
    }


def episodes_of(task: str, examples: list[dict], *episodes: Episode) -> EpisodeSet:
    """A set of given episodes over a table of given examples."""
    features = example_features(task)
    rows = [{**dict.fromkeys(features, ""), **example} for example in examples]
    return EpisodeSet(task, table_of(rows, features), list(episodes).__getitem__, len(episodes))


RELATIONS = [
    relation(0, "anna lives in paris .", (0, 1), (3, 4), "lives"),
    relation(1, "tom lives in rome", (0, 1), (3, 4), "lives"),
    relation(2, "paul works at acme corp .", (0, 1), (3, 5), "works"),
    relation(3, "the bank is in oslo where mia works", (7, 8), (0, 2), "works"),
    relation(4, "mia was born in bern", (0, 1), (4, 5), "born"),
    relation(5, "in berlin was tom born .", (3, 4), (1, 2), "born"),
    relation(6, "rome is the capital of italy", (0, 1), (5, 6), "capital"),
    relation(7, "paul lives at the bank", (0, 1), (3, 5), "lives"),
    relation(8, "in oslo lives anna", (3, 4), (1, 2), "lives"),
    relation(9, "at acme corp works tom .", (4, 5), (1, 3), "works"),
    relation(10, "anna works in the bank of bern", (0, 1), (3, 7), "works"),
    relation(11, "anna was born in rome", (0, 1), (4, 5), "born"),
    relation(12, "born in paris is paul", (4, 5), (2, 3), "born"),
    relation(13, "paris is the capital", (0, 1), (2, 4), "capital"),
    relation(14, "the capital is bern", (3, 4), (0, 2), "capital"),
    relation(15, "a capital oslo is", (2, 3), (0, 2), "capital"),
]
SENTENCES = [
    ("anna lives in paris .", "person O O place O"),
    ("tom works at acme corp", "person O O org org"),
    ("the bank of rome is in berlin .", "org org org org O O place O"),
    ("mia was born in oslo", "person O O O place"),
    ("paul is at the bank", "person O O org org"),
    ("bern", "place"),
]
TAGGED = [{"id": f"s{i}", "tokens": w.split(), "tags": t.split()} for i, (w, t) in enumerate(SENTENCES)]
TEXTS = [
    {"id": f"t{i}", "text": text, "label": label}
    for i, (text, label) in enumerate(
        [
            ("anna lives in paris", "home"),
            ("tom lives at the bank of rome", "home"),
            ("paul works", "job"),
            ("mia works at acme corp .", "job"),
            ("born in oslo", "birth"),
        ]
    )
]
UTTERANCES = [
    ("lives", "anna lives in paris", "B-person O O B-place"),
    ("works", "tom works at acme corp", "B-person O O B-org I-org"),
    ("lives", "paul lives in the bank of rome", "B-person O O B-place I-place I-place I-place"),
    ("works", "mia works in oslo", "B-person O O B-place"),
    ("born", "is paul born in berlin", "O B-person O O B-place"),
    ("lives", "bern", "B-place"),
    ("works", "acme corp is in the paris bank", "B-org I-org O O O B-place O"),
]
JOINT = [
    {"id": f"j{i}", "domain": "d", "tokens": w.split(), "intent": intent, "slot_tags": t.split()}
    for i, (intent, w, t) in enumerate(UTTERANCES)
]


def relation_episodes() -> EpisodeSet:
    """Episodes of two and three relations, one and two shots; the last query of two of them has no class."""
    return episodes_of(
        "relation",
        RELATIONS,
        Episode(("lives", "works"), (0, 2), (1, 3, 4)),
        Episode(("works", "born", "lives"), (2, 3, 4, 5, 0), (1,)),
        Episode(("born", "lives"), (5, 1), (0, 4, 6)),
    )


def tagging_episodes() -> EpisodeSet:
    """Episodes of one to three types."""
    return episodes_of(
        "tagging",
        TAGGED,
        Episode(("person", "place"), (0,), (3, 5)),
        Episode(("person", "place", "org"), (0, 2, 4), (1, 3)),
        Episode(("org",), (4,), (2,)),
    )


def text_episodes() -> EpisodeSet:
    """Text classification with two and three classes."""
    return episodes_of(
        "classification",
        TEXTS,
        Episode(("home", "job"), (0, 2), (1, 3, 4)),
        Episode(("birth", "job", "home"), (4, 3, 1), (0, 2)),
    )


def joint_episodes() -> EpisodeSet:
    """Episodes of one and two intents and one to three slots; some queries have labels that their episode has not."""
    return episodes_of(
        "joint",
        JOINT,
        Episode(("intent:lives", "intent:works", "slot:person", "slot:place", "slot:org"), (0, 1, 2), (3, 5, 6), "a"),
        Episode(("intent:born", "intent:lives", "slot:place"), (4, 5), (0, 2), "b"),
        Episode(("intent:works", "slot:org", "slot:person"), (1,), (6, 3, 5), "c"),
    )


def first(episodes: EpisodeSet, length: int) -> EpisodeSet:
    """The first episodes of a set."""
    return EpisodeSet(episodes.task, episodes.examples, episodes.make, length, episodes.n_shot, episodes.spec)
