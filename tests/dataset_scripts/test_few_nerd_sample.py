"""Sample data of Few-NERD: the three settings, and enough sentences of each type for 5-way 5-shot episodes."""

from collections import Counter
from itertools import groupby, pairwise

import pytest

from hf_fewshot.dataset_scripts.few_nerd.sample import write

SPLITS = ("train", "dev", "test")
SETTINGS = ("supervised", "inter", "intra")


@pytest.fixture(scope="module")
def sentences(tmp_path_factory):
    """Lists of (token, label) pairs by setting and split."""
    folder = tmp_path_factory.mktemp("few_nerd")
    write(folder)
    result = {}
    for setting in SETTINGS:
        for split in SPLITS:
            text = (folder / "data" / setting / f"{split}.txt").read_text(encoding="utf-8")
            assert text.endswith("\n\n")
            blocks = text.removesuffix("\n\n").split("\n\n")
            result[setting, split] = [[tuple(line.split("\t")) for line in block.split("\n")] for block in blocks]
    return result


def entities(sentence):
    """Types of the runs of equal labels."""
    return [label for label, _ in groupby(label for _, label in sentence) if label != "O"]


def words(sentence):
    return " ".join(token for token, _ in sentence)


def test_supervised_sizes(sentences):
    assert [len(sentences["supervised", split]) for split in SPLITS] == [1600, 300, 500]


def test_every_line_is_a_token_and_a_label(sentences):
    for rows in sentences.values():
        for sentence in rows:
            assert all(len(pair) == 2 and pair[0] and not any(map(str.isspace, pair[0])) for pair in sentence)


def test_there_are_eight_coarse_types_with_five_fine_types_each(sentences):
    for split in SPLITS:
        types = {label for sentence in sentences["supervised", split] for label in entities(sentence)}
        coarse = Counter(label.partition("-")[0] for label in types)
        assert coarse == dict.fromkeys(
            ["person", "location", "organization", "building", "art", "product", "event", "other"], 5
        )
    assert {"building-other", "event-other", "product-other"} <= types


def test_inter_splits_each_coarse_type_three_to_one_to_one(sentences):
    types = {split: {label for row in sentences["inter", split] for label in entities(row)} for split in SPLITS}
    for split, share in zip(SPLITS, (3, 1, 1), strict=True):
        assert set(Counter(label.partition("-")[0] for label in types[split]).values()) == {share}
    assert len(types["train"] | types["dev"] | types["test"]) == 40


def test_intra_splits_by_coarse_type(sentences):
    coarse = {
        split: {label.partition("-")[0] for row in sentences["intra", split] for label in entities(row)}
        for split in SPLITS
    }
    assert coarse == {
        "train": {"person", "other", "art", "product"},
        "dev": {"event", "building"},
        "test": {"organization", "location"},
    }


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_sentence_occurs_twice_in_a_setting(setting, sentences):
    texts = [words(row) for split in SPLITS for row in sentences[setting, split]]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("setting", ["inter", "intra"])
def test_hidden_labels_are_those_of_other_splits(setting, sentences):
    full = {words(row): row for split in SPLITS for row in sentences["supervised", split]}
    for split in SPLITS:
        visible = {label for row in sentences[setting, split] for label in entities(row)}
        for row in sentences[setting, split]:
            assert row == [(token, label if label in visible else "O") for token, label in full[words(row)]]
    with_entity = sum(bool(entities(row)) for row in full.values())
    assert sum(len(sentences[setting, split]) for split in SPLITS) == with_entity


@pytest.mark.parametrize("setting", ["inter", "intra"])
@pytest.mark.parametrize("split", SPLITS)
def test_each_type_has_sentences_of_its_own_for_five_shot_support_and_query(setting, split, sentences):
    found = [entities(row) for row in sentences[setting, split]]
    assert all(found)
    any_other = Counter(label for labels in found for label in set(labels))
    # Ten sentences with one or two entities of a type are five to ten in the support set and as many in the query set.
    alone = Counter(labels[0] for labels in found if len(set(labels)) == 1 and len(labels) <= 2)
    assert min(any_other.values()) >= 40
    assert all(alone[label] >= 18 for label in any_other)


def test_sentences_have_up_to_four_entities_some_of_many_tokens_and_some_side_by_side(sentences):
    rows = [row for split in SPLITS for row in sentences["supervised", split]]
    counts = Counter(len(entities(row)) for row in rows)
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert min(counts.values()) > 50
    several_types = sum(len(set(entities(row))) > 1 for row in rows)
    assert several_types > len(rows) / 3
    lengths = [len(row) for row in rows]
    assert 15 <= sum(lengths) / len(lengths) <= 25
    runs = [[(label, len(list(run))) for label, run in groupby(label for _, label in row)] for row in rows]
    assert max(size for row in runs for label, size in row if label != "O") >= 4
    side_by_side = [row for row in runs if any(a != "O" and b != "O" for (a, _), (b, _) in pairwise(row))]
    assert len(side_by_side) >= 20


def test_sentences_begin_with_a_capital_and_end_with_a_full_stop(sentences):
    for split in SPLITS:
        for row in sentences["supervised", split]:
            assert row[0][0] == row[0][0].capitalize() or row[0][0][0].isupper()
            assert row[-1] == (".", "O")
