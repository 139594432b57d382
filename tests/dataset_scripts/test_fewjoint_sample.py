"""Sample data of FewJoint: raw items whose slots can be placed, with every label often enough for ten shots."""

import json
from collections import Counter, defaultdict

import pytest

from hf_fewshot import load_episodes, verify
from hf_fewshot.dataset_scripts.fewjoint.sample import write

SPLITS = ("train", "dev", "test")


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fewjoint")
    write(folder)
    return {split: json.loads((folder / "raw" / split / "items.json").read_text(encoding="utf-8")) for split in SPLITS}


@pytest.fixture(scope="module")
def domains(items):
    grouped = {split: defaultdict(list) for split in SPLITS}
    for split in SPLITS:
        for item in items[split]:
            grouped[split][item["domain"]].append(item)
    return grouped


def flat(slots):
    """(label, value) pairs; nested names are joined by a hyphen."""
    for name, value in slots.items():
        if isinstance(value, dict):
            yield from ((f"{name}-{part}", text) for part, text in value.items())
        else:
            yield from ((name, text) for text in (value if isinstance(value, list) else [value]))


def test_splits_have_18_3_and_5_domains_of_their_own(domains):
    assert [len(domains[split]) for split in SPLITS] == [18, 3, 5]
    assert len({name for split in SPLITS for name in domains[split]}) == 26


def test_a_domain_has_55_to_80_different_utterances(items, domains):
    assert all(55 <= len(domain) <= 80 for split in SPLITS for domain in domains[split].values())
    every = [item for split in SPLITS for item in items[split]]
    assert len({item["text"] for item in every}) == len({item["id"] for item in every}) == len(every) == 1738


def test_items_have_the_keys_of_raw_files(items):
    for split in SPLITS:
        assert all(list(item) == ["id", "domain", "text", "intent", "slots"] for item in items[split])


def test_every_label_is_in_14_utterances_of_its_domain(domains):
    for split in SPLITS:
        for domain in domains[split].values():
            intents = Counter(item["intent"] for item in domain)
            slots = Counter(
                label for item in domain for label in dict.fromkeys(name for name, _ in flat(item["slots"]))
            )
            assert 2 <= len(intents) <= 4
            assert 2 <= len(slots) <= 6
            assert min((intents + slots).values()) >= 14


def test_every_slot_value_is_in_the_text_once(items):
    values = [(item["text"], value) for split in SPLITS for item in items[split] for _, value in flat(item["slots"])]
    assert len(values) > 2000
    assert all(text.count(value) == 1 for text, value in values)


def test_texts_are_chinese_without_white_space_and_short(items):
    texts = [item["text"] for split in SPLITS for item in items[split]]
    assert all(4 <= len(text) <= 20 for text in texts)
    assert not any(character.isspace() for text in texts for character in text)
    characters = Counter("一" <= character <= "鿿" for text in texts for character in text)
    assert characters[True] / characters.total() > 0.95


def test_all_forms_of_slots_occur(items):
    kinds = Counter(type(value) for split in SPLITS for item in items[split] for value in item["slots"].values())
    assert min(kinds[str], kinds[list], kinds[dict]) >= 20
    assert sum(not item["slots"] for split in SPLITS for item in items[split]) >= 50


def test_names_of_slots_are_shared_between_domains_and_splits(domains):
    def names(split):
        return {label for domain in domains[split].values() for item in domain for label, _ in flat(item["slots"])}

    assert {"date", "city"} <= names("train") & names("test")


@pytest.mark.parametrize("shots", [1, 3, 5, 10])
def test_episode_files_keep_every_promise(shots):
    for split, length in (("train", 18 * 20), ("validation", 3), ("test", 5)):
        episodes = load_episodes("fewjoint", shots=shots, split=split, sample=True)
        report = verify(episodes)
        assert len(report.checks) == length
        assert not any(report.having(name) for name in ("short", "removable", "unseen", "overlap", "repeated"))
        assert split != "train" or all(len(episode.query) == 4 for episode in episodes)


@pytest.mark.parametrize("options", [{"n_query": 8}, {"n_query": 16}, {"shots": 5, "n_query": 16}])
def test_train_episodes_have_the_numbers_of_queries_that_were_released(options):
    for version in ("1.0", "1.1"):
        episodes = load_episodes("fewjoint", sample=True, split="train", data_version=version, **options)
        assert len(episodes) == 18 * 20
        assert {len(episode.query) for episode in episodes} == {options["n_query"]}
