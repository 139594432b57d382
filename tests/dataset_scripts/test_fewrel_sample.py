"""Sample data of FewRel: five files of instances whose mentions are where they say."""

import json
from collections import Counter

import pytest

from hf_fewshot.dataset_scripts.fewrel.sample import write

# Relations and instances of each.
SIZES = {
    "train_wiki": (24, 50),
    "val_wiki": (10, 50),
    "val_nyt": (8, 30),
    "val_pubmed": (10, 30),
    "val_semeval": (9, 30),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fewrel")
    write(folder)
    found = sorted(path.stem for path in (folder / "data").iterdir())
    assert found == sorted([*SIZES, "pid2name"])
    return {stem: json.loads((folder / "data" / f"{stem}.json").read_text(encoding="utf-8")) for stem in found}


def instances(file):
    return [instance for relation in file.values() for instance in relation]


@pytest.mark.parametrize(("stem", "size"), SIZES.items())
def test_sizes(stem, size, data):
    assert Counter(map(len, data[stem].values())) == {size[1]: size[0]}


@pytest.mark.parametrize("stem", SIZES)
def test_mentions_are_the_named_tokens(stem, data):
    for instance in instances(data[stem]):
        assert list(instance) == ["tokens", "h", "t"]
        for name, identifier, mentions in (instance["h"], instance["t"]):
            assert isinstance(identifier, str)
            assert mentions
            for mention in mentions:
                assert mention == list(range(mention[0], mention[-1] + 1))
                text = " ".join(instance["tokens"][position] for position in mention)
                # The first word of a sentence is written with a capital also where the name is not.
                assert text.lower() == name.lower()
                assert stem == "val_nyt" or name == name.lower()


@pytest.mark.parametrize("stem", SIZES)
def test_head_and_tail_are_apart(stem, data):
    for instance in instances(data[stem]):
        head, tail = ({position for mention in instance[key][2] for position in mention} for key in "ht")
        assert not head & tail
        assert instance["h"][0] != instance["t"][0]


def test_no_sentence_occurs_twice(data):
    texts = [" ".join(instance["tokens"]).lower() for stem in SIZES for instance in instances(data[stem])]
    assert len(texts) == len(set(texts)) == 2510


def test_validation_relations_are_not_trained_on(data):
    for stem in SIZES:
        assert stem == "train_wiki" or not data[stem].keys() & data["train_wiki"].keys()


def test_wiki_and_news_relations_are_named_and_others_are_their_own_names(data):
    for stem in ("train_wiki", "val_wiki", "val_nyt"):
        assert data[stem].keys() <= data["pid2name"].keys()
    assert all(len(entry) == 2 and all(entry) for entry in data["pid2name"].values())
    assert "drug_treats_condition" in data["val_pubmed"]
    assert "Tool-Task(e1,e2)" in data["val_semeval"]


def test_ids_follow_the_habits_of_each_file(data):
    for stem, prefix in {"train_wiki": "Q9", "val_wiki": "Q9", "val_nyt": "Q9", "val_pubmed": "C9"}.items():
        assert all(instance[key][1].startswith(prefix) for instance in instances(data[stem]) for key in "ht")
    assert all(instance[key][1] == instance[key][0] for instance in instances(data["val_semeval"]) for key in "ht")


def test_an_entity_has_one_id(data):
    ids = {}
    for stem in ("train_wiki", "val_wiki", "val_nyt"):
        for instance in instances(data[stem]):
            for name, identifier, _ in (instance["h"], instance["t"]):
                assert ids.setdefault(name.lower(), identifier) == identifier
    assert len(set(ids.values())) == len(ids)


def test_some_entities_are_mentioned_twice(data):
    twice = Counter(max(len(instance["h"][2]), len(instance["t"][2])) for instance in instances(data["train_wiki"]))
    assert set(twice) == {1, 2}
    assert 0.02 < twice[2] / twice.total() < 0.08


def test_domains_write_in_their_own_case(data):
    for stem in ("val_pubmed", "val_semeval"):
        assert all(token == token.lower() for instance in instances(data[stem]) for token in instance["tokens"])
    for stem in ("train_wiki", "val_wiki"):
        assert all(
            instance["tokens"][0][0].isupper() or instance["tokens"][0] == '"' for instance in instances(data[stem])
        )
