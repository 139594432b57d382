"""The entity types of Few-NERD and how many of them, and of its sentences, each split has (Ding et al., 2021)."""

from collections import Counter
from collections.abc import Collection

from hf_fewshot.data.splits import TEST, TRAIN, VALIDATION

FINE_TYPES = {
    "art": ("broadcastprogram", "film", "music", "other", "painting", "writtenart"),
    "building": ("airport", "hospital", "hotel", "library", "other", "restaurant", "sportsfacility", "theater"),
    "event": ("attack/battle/war/militaryconflict", "disaster", "election", "other", "protest", "sportsevent"),
    "location": ("GPE", "bodiesofwater", "island", "mountain", "other", "park", "road/railway/highway/transit"),
    "organization": (
        "company",
        "education",
        "government/governmentagency",
        "media/newspaper",
        "other",
        "politicalparty",
        "religion",
        "showorganization",
        "sportsleague",
        "sportsteam",
    ),
    "other": (
        "astronomything",
        "award",
        "biologything",
        "chemicalthing",
        "currency",
        "disease",
        "educationaldegree",
        "god",
        "language",
        "law",
        "livingthing",
        "medical",
    ),
    "person": ("actor", "artist/author", "athlete", "director", "other", "politician", "scholar", "soldier"),
    "product": ("airplane", "car", "food", "game", "other", "ship", "software", "train", "weapon"),
}
TYPES = frozenset(f"{coarse}-{fine}" for coarse, names in FINE_TYPES.items() for fine in names)

INTRA = {
    TRAIN: ("person", "other", "art", "product"),
    VALIDATION: ("event", "building"),
    TEST: ("organization", "location"),
}
# 60, 20 and 20 % of each coarse type's fine types, rounded as the authors' code rounds. Which ones, the paper draws.
INTER = {
    split: dict(zip(FINE_TYPES, counts, strict=True))
    for split, counts in (
        (TRAIN, (3, 4, 3, 4, 6, 7, 4, 5)),
        (VALIDATION, (1, 2, 1, 1, 2, 2, 2, 2)),
        (TEST, (2, 2, 2, 2, 2, 3, 2, 2)),
    )
}
N_SENTENCES = {
    "supervised": {TRAIN: 131_767, VALIDATION: 18_824, TEST: 37_648},
    "intra": {TRAIN: 99_519, VALIDATION: 19_358, TEST: 44_059},
    "inter": {TRAIN: 130_112, VALIDATION: 18_817, TEST: 14_007},
}


def are_all_types(config: str, split: str, types: Collection[str]) -> bool:
    """Whether these are all types of a split of Few-NERD, and no others."""
    if not TYPES.issuperset(types):
        return False
    found = Counter(name.partition("-")[0] for name in set(types))
    if config == "inter":
        return found == INTER[split]
    coarse_types = FINE_TYPES if config == "supervised" else INTRA[split]
    return found == {coarse: len(FINE_TYPES[coarse]) for coarse in coarse_types}
