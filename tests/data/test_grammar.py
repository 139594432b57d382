"""The grammar engine, and that all sample data made with it is the same everywhere."""

import hashlib
import importlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hf_fewshot.data.grammar import Draw, Grammar, Span, distinct, lines

# A new value here means that the sample data has changed: deliberate changes only.
SAMPLE_HASHES = {
    "clues": "71e833dcc1113d7d08c5932c03e50af3b3119daeb7e2b2a2c10356f60b55723b",
    "few_nerd": "22853549f194326f3c2351f69608260534998bb030c4756aa42c88a75ddc77d1",
    "fewjoint": "2d03cbb0a7425413f3441368f4180b67d7efa1077efa2c066c5cd0aa84f561c5",
    "fewrel": "1267bb8d157a5f5d808e35b092a3a570b5590ab9ad657a328526a1b950cfc979",
    "fs_tacred": "82f77330052cf48b2167d7c4cbcfc662f1ab3650d462fc5ef83eaa6c182c3caf",
}


def tree_hash(folder: Path) -> str:
    """SHA-256 over the paths and contents of all files."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@pytest.mark.parametrize("benchmark", SAMPLE_HASHES)
def test_sample_data_is_the_pinned_data(benchmark, tmp_path):
    importlib.import_module(f"hf_fewshot.dataset_scripts.{benchmark}.sample").write(tmp_path)
    assert tree_hash(tmp_path) == SAMPLE_HASHES[benchmark]


@pytest.mark.parametrize("hash_seed", ["1", "4321"])
def test_sample_data_is_the_same_under_any_hash_seed(hash_seed, tmp_path):
    code = (
        "import importlib, sys; from pathlib import Path\n"
        "for name in sys.argv[2:]:\n"
        "    importlib.import_module(f'hf_fewshot.dataset_scripts.{name}.sample').write(Path(sys.argv[1]) / name)"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), *SAMPLE_HASHES],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
    )
    assert {name: tree_hash(tmp_path / name) for name in SAMPLE_HASHES} == SAMPLE_HASHES


def test_draw_gives_the_stream_that_python_guarantees():
    # random.Random("pinned").random() begins 0.362..., 0.902..., 0.592..., 0.699...
    draw = Draw("pinned")
    assert [draw.below(10) for _ in range(4)] == [3, 9, 5, 6]
    # Swaps of the places 5 and 2, 4 and 4, 3 and 2, 2 and 2, ...
    assert Draw("pinned").shuffled("abcdef") == ["a", "b", "d", "f", "e", "c"]
    assert Draw("pinned").chance(0.37)
    assert not Draw("pinned").chance(0.36)


def test_shuffled_keeps_the_items_and_leaves_the_original_alone():
    items = list(range(20))
    shuffled = Draw("any").shuffled(items)
    assert sorted(shuffled) == items == list(range(20))
    assert shuffled != items


def test_every_order_of_a_shuffle_is_about_equally_frequent():
    draw = Draw("orders")
    counts = Counter("".join(draw.shuffled("abc")) for _ in range(6000))
    assert len(counts) == 6
    assert all(900 < count < 1100 for count in counts.values())


def test_cycle_takes_every_item_once_a_round():
    items = Draw("any").cycle("abcd")
    for _ in range(3):
        assert sorted(next(items) for _ in range(4)) == ["a", "b", "c", "d"]


def test_labelled_holes_become_spans_in_characters_and_tokens():
    grammar = Grammar({"person": "Ada Byron", "city": "Ely", "verb": "left for"})
    expansion = grammar.expand("{person} <verb> {goal=city} .", Draw("any"))
    assert expansion.text == "Ada Byron left for Ely ."
    assert expansion.spans == [Span("person", 0, 9), Span("goal", 19, 22)]
    assert expansion.tokens == ["Ada", "Byron", "left", "for", "Ely", "."]
    assert expansion.token_spans == [Span("person", 0, 2), Span("goal", 4, 5)]
    assert expansion.labels == ["person", "goal"]


def test_a_labelled_piece_is_a_token_of_its_own_without_spaces_around_it():
    expansion = Grammar({"day": "明天"}).expand("提醒我{day}开会", Draw("any"))
    assert expansion.text == "提醒我明天开会"
    assert expansion.spans == [Span("day", 3, 5)]
    assert expansion.token_spans == [Span("day", 1, 2)]


def test_phrases_may_hold_holes_and_take_the_outer_label():
    grammar = Grammar({"name": "{first} <last>", "first": "Jo", "last": "Hill"})
    expansion = grammar.expand("with {name}", Draw("any"))
    assert expansion.pieces == (("with ", None), ("Jo Hill", "name"))


def test_one_expansion_takes_no_phrase_twice_while_others_are_left():
    grammar = Grammar({"city": "Ely | Bath | York"})
    draw = Draw("any")
    for _ in range(20):
        assert len(set(grammar.expand("<city> <city> <city>", draw).tokens)) == 3
    assert len(grammar.expand("<city> <city> <city> <city>", draw).tokens) == 4


def test_bound_holes_have_the_given_text_each_time():
    grammar = Grammar({"city": "Ely | Bath"})
    expansion = grammar.expand("{head} near {head}, not {city}", Draw("any"), {"head": "York", "city": "Rome"})
    assert expansion.text == "York near York, not Rome"
    assert expansion.labels == ["head", "head", "city"]


def test_alternatives_may_be_empty_nested_and_hold_holes():
    grammar = Grammar({"city": "Ely"})
    draw = Draw("any")
    texts = {grammar.expand("go[ to {city}| [home|on]|]", draw).text for _ in range(60)}
    assert texts == {"go", "go to Ely", "go home", "go on"}
    assert grammar.labels("go[ to {city}| home {when=day}|] {city}") == ["city", "when"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a apple and a pear", "an apple and a pear"),
        ("A old house", "An old house"),
        ("a hour in a university", "an hour in a university"),
        ("hepatitis A in a unique case", "hepatitis A in a unique case"),
        ("vitamin is a unimportant word", "vitamin is an unimportant word"),
        ("He left. A awful day", "He left. An awful day"),
    ],
)
def test_articles_agree_with_the_next_word(text, expected):
    assert Grammar({}).expand(text, Draw("any")).text == expected


def test_articles_agree_across_pieces_and_shift_the_spans():
    expansion = Grammar({"title": "editor"}).expand("a {title}", Draw("any"))
    assert expansion.pieces == (("an ", None), ("editor", "title"))
    assert expansion.spans == [Span("title", 3, 9)]


def test_an_unknown_word_list_is_named_with_the_nearest_one():
    with pytest.raises(ValueError, match=r"'in \{citty\}' names the word list 'citty', .* mean 'city'\?"):
        Grammar({"city": "Ely"}).expand("in {citty}", Draw("any"))


@pytest.mark.parametrize("template", ["go [to", "go to]", "go {to", "to> go", "one|other", "<>"])
def test_a_bracket_without_its_counterpart_is_an_error(template):
    with pytest.raises(ValueError, match="without its counterpart"):
        Grammar({"to": "to"}).expand(template, Draw("any"))


def test_distinct_skips_what_was_seen_and_stops_when_nothing_is_new():
    letters = Draw("any").cycle("ab")
    seen = {"a"}
    assert distinct(lambda: next(letters), str, seen) == "b"
    with pytest.raises(ValueError, match=r"differs from the 2 before, got none in 500 attempts"):
        distinct(lambda: next(letters), str, seen)


def test_lines_leave_out_empty_ones():
    assert lines("one\n\n  two \n") == ["one", "two"]
