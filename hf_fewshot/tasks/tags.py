"""Tags of words: types alone (IO), or with `B-` and `I-` (BIO)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from hf_fewshot.tasks.labels import OUTSIDE
from hf_fewshot.text.short_value import short

Span = tuple[int, int, str]  # first word, word after the last, type
PREFIXES = ("B-", "I-")


def is_bio(tags: Iterable[str]) -> bool:
    """Whether every tag other than O begins with `B-` or `I-`; not so where there is none."""
    entity_tags = [tag for tag in tags if tag != OUTSIDE]
    return bool(entity_tags) and all(tag.startswith(PREFIXES) for tag in entity_tags)


def scheme_of(tags: Collection[str]) -> str:
    """How tags are written: "bio", or "io" where not every one has B- or I- ("B-cell" beside "virus" is a type)."""
    return "bio" if is_bio(tags) else "io"


def split_tags(tags: Sequence[str]) -> tuple[list[str], list[bool]]:
    """The type of each distinct tag, and whether the tag opens a new entity whatever stands before it.

    A type both with and without B- or I- is an error: one reading or the other would merge or invent entities.
    """
    if is_bio(tags):
        return [tag if tag == OUTSIDE else tag[2:] for tag in tags], [tag.startswith("B-") for tag in tags]
    known = {*tags}
    for tag in tags:
        others = {tag[2:], f"{'I' if tag[0] == 'B' else 'B'}-{tag[2:]}"} if tag.startswith(PREFIXES) else set()
        if others & known:
            without = next(one for one in tags if one != OUTSIDE and not one.startswith(PREFIXES))
            raise ValueError(
                "Expected tags that all have B- or I- (BIO), or that all are types alone (IO), got "
                f"{short(tag)} and {short(without)}. Write them in one way."
            )
    return list(tags), [False] * len(tags)


def types_of(column: Iterable[Sequence[str]]) -> dict[str, str]:
    """The type of each tag of a column."""
    distinct = sorted({tag for tags in column for tag in tags})
    return dict(zip(distinct, split_tags(distinct)[0], strict=True))


def bare(tags: Sequence[str]) -> list[str]:
    """The types of the tags of one sentence."""
    return split_tags(tags)[0]


def prefixed(tags: Iterable[str]) -> list[str]:
    """Tags as BIO tags; a run of a type alone is one entity."""
    return [tag if tag == OUTSIDE or tag.startswith(PREFIXES) else f"I-{tag}" for tag in tags]


def shown_types(column: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The types of a column, sorted by their tags."""
    return tuple(dict.fromkeys(name for name in types_of(column).values() if name != OUTSIDE))


def by_coarse_type(names: Iterable[str]) -> dict[str, list[str]]:
    """Types by what stands before their first hyphen, such as `art` of `art-film`; sorted.

    Where no name has a hyphen there are no coarse types, and all stand below "".
    """
    ordered = sorted(set(names))
    found: dict[str, list[str]] = {}
    for name in ordered if any("-" in name for name in ordered) else ():
        found.setdefault(name.partition("-")[0], []).append(name)
    return found or ({"": ordered} if ordered else {})


def tag_spans(tags: Sequence[str]) -> list[Span]:
    """The runs of tags that are not O; `B-` opens a new one."""
    spans: list[Span] = []
    for position, (tag, name, opens) in enumerate(zip(tags, *split_tags(tags), strict=True)):
        if tag == OUTSIDE:
            continue
        if spans and spans[-1][1:] == (position, name) and not opens:
            spans[-1] = (spans[-1][0], position + 1, name)
        else:
            spans.append((position, position + 1, name))
    return spans


def wrong_tags(tags: Any, n_words: int, known: Collection[str]) -> str:
    """What is wrong with predicted tags, in words; nothing if it is empty."""
    if not isinstance(tags, list) or len(tags) != n_words:
        got = f"{len(tags)} tags" if isinstance(tags, list) else short(tags)
        return f"expected one tag for each of {n_words} words, got {got}"
    strange = sorted({str(tag) for tag in tags if not isinstance(tag, str) or tag not in {*known, OUTSIDE}})
    return f"tags {', '.join(strange)} are none of the episode's" if strange else ""


def spans_as_texts(tokens: Sequence[str], tags: Sequence[str], known: Collection[str]) -> list[tuple[str, str]]:
    """The text and type of each entity of a known type."""
    space = joiner(tokens)
    return [(space.join(tokens[a:b]), name) for a, b, name in tag_spans(tags) if name in known]


def mark(tokens: Sequence[str], spans: Iterable[Span]) -> str:
    """The sentence with [brackets|label] around spans, which must not overlap."""
    words = list(tokens)
    for start, end, label in spans:
        words[start] = "[" + words[start]
        words[end - 1] += f"|{label}]"
    return joiner(tokens).join(words)


def joiner(tokens: Iterable[str]) -> str:
    """What stands between the tokens of a sentence: nothing in Chinese."""
    return "" if any("\u4e00" <= character <= "\u9fff" for token in tokens for character in token) else " "


Rows = Sequence[dict[str, Any]]


def no_entity(support: Rows, queries: Rows) -> list[list[str]]:
    """O for every word."""
    return [[OUTSIDE] * len(row["tokens"]) for row in queries]


def seen_words(column: str) -> Callable[[Rows, Rows], list[list[str]]]:
    """The tag that a word has most often in the support set; O for all other words."""

    def answer(support: Rows, queries: Rows) -> list[list[str]]:
        counts: dict[str, Counter[str]] = {}
        for row in support:
            for word, tag in zip(row["tokens"], row[column], strict=True):
                counts.setdefault(word.lower(), Counter())[tag] += 1
        best = {word: found.most_common(1)[0][0] for word, found in counts.items()}
        return [[best.get(word.lower(), OUTSIDE) for word in row["tokens"]] for row in queries]

    return answer
