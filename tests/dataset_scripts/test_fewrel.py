import json

import pytest
from datasets import load_dataset

import hf_fewshot


def instance(number):
    return {
        "tokens": ["Ada", "Lovelace", "was", "born", "in", "London", "."],
        "h": ["ada lovelace", f"Q{number}", [[0, 1]]],
        "t": ["london", "Q84", [[5], [6]]],
    }


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    for name, relations in (("train_wiki", "PQRSTU"), ("val_wiki", "VWXYZ"), ("val_pubmed", "abc")):
        document = {relation: [instance(number) for number in range(12)] for relation in relations}
        (tmp_path / "data" / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    return str(tmp_path)


def test_instances_keep_all_mentions_as_half_open_ranges(folder):
    rows = load_dataset("fewrel", data_dir=folder, split="train")
    assert rows.num_rows == 72
    assert rows[0]["head"] == {"text": "ada lovelace", "id": "Q0", "type": "", "mentions": [{"start": 0, "end": 2}]}
    assert rows[0]["tail"]["mentions"] == [{"start": 5, "end": 6}, {"start": 6, "end": 7}]
    assert (rows[0]["id"], rows[0]["relation"]) == ("train_wiki-P-0", "P")


def test_identifiers_have_their_names_beside(folder, tmp_path):
    assert load_dataset("fewrel", data_dir=folder, split="train")[0]["relation_name"] == "P"
    (tmp_path / "data/pid2name.json").write_text(json.dumps({"P": ["place of birth", "where"]}), encoding="utf-8")
    assert load_dataset("fewrel", data_dir=folder, split="train")[0]["relation_name"] == "place of birth"
    options = {"data_dir": folder, "n_way": 6, "shots": 1, "n_episodes": 1}
    episode = hf_fewshot.load_episodes("fewrel", split="train", **options).row(0)
    assert {m["relation"]: m["relation_name"] for m in episode["query"]}["P"] == "place of birth"


def test_the_domain_chooses_the_validation_relations(folder):
    rows = load_dataset("fewrel", data_dir=folder, domain="pubmed", split="validation")
    assert sorted(set(rows["relation"])) == ["a", "b", "c"]


def test_targets_number_the_classes_and_none_of_the_above_is_the_last(folder):
    options = {"n_way": 3, "shots": 2, "na_rate": 2, "n_episodes": 10, "data_dir": folder}
    for row in load_dataset("fewrel", split="validation", **options):
        assert [member["target"] for member in row["support"]] == [0, 0, 1, 1, 2, 2]
        assert [row["classes"][member["target"]] for member in row["support"]] == [
            m["relation"] for m in row["support"]
        ]
        assert [member["target"] for member in row["query"]] == [0, 1, 2, 3, 3]


def test_rows_are_the_compact_episodes_of_the_same_sampler(folder):
    options = {"n_way": 4, "shots": 1, "nota_rate": 0.5, "n_episodes": 6, "seed": 5, "data_dir": folder}
    rows = load_dataset("fewrel", split="validation", **options)
    assert list(hf_fewshot.load_episodes("fewrel", split="validation", **options).rows()) == list(rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"domain": "news"}, "domain='news', but it must be one of 'wiki', 'nyt', 'pubmed', 'semeval'"),
        ({"nota_rate": 0.5}, "nota_rate=0.5 has no effect on instances: give n_way and shots"),
        ({"n_way": 5, "shots": 1, "nota_rate": "0.5"}, "nota_rate must be a number, but is '0.5'"),
        ({"n_way": 5, "shots": 1, "nota_rate": 0.5, "na_rate": 5}, "exclude each other"),
        ({"n_way": 9, "shots": 1}, "fewrel/default, split 'train': n_way=9, but there are only 6 classes"),
    ],
)
def test_contradictory_or_impossible_options_are_refused(options, message, folder):
    with pytest.raises(ValueError, match=message):
        load_dataset("fewrel", data_dir=folder, **options)


@pytest.mark.shared_data
@pytest.mark.parametrize(("domain", "relations", "each"), [("wiki", 16, 700), ("nyt", 25, 100)])
def test_published_counts(domain, relations, each, shared_data):
    rows = load_dataset("fewrel", domain=domain, data_dir=str(shared_data / "FewRel"), split="validation")
    names = rows["relation"][:]
    assert len(set(names)) == relations
    assert {names.count(name) for name in set(names)} == {each}
    for row in rows.select(range(0, len(rows), 50)):
        for entity in (row["head"], row["tail"]):
            span = row["tokens"][entity["mentions"][0]["start"] : entity["mentions"][0]["end"]]
            assert " ".join(span).lower().replace(" ", "") == entity["text"].lower().replace(" ", "")


def test_the_paper_draws_three_queries_in_all(folder):
    options = {"n_way": 4, "shots": 1, "nota_rate": 0.5, "n_episodes": 400, "data_dir": folder, "split": "train"}
    drawn = hf_fewshot.load_episodes("fewrel", total_query=3, **options)
    assert {len(episode.query) for episode in drawn} == {3}
    relations = drawn.examples["relation"][:]
    none = [relations[row] not in episode.classes for episode in drawn for row in episode.query]
    assert sum(none) / len(none) == pytest.approx(0.5, abs=0.05)
    assert drawn.spec["total_query"] == 3
    plain = hf_fewshot.load_episodes("fewrel", **options)
    assert {len(episode.query) for episode in plain} == {4}
    assert "total_query" not in plain.spec
    with pytest.raises(ValueError, match="total_query=3 needs nota_rate, by which all queries are drawn"):
        hf_fewshot.load_episodes("fewrel", total_query=3, **{**options, "nota_rate": None})


def test_training_can_be_cut_to_a_number_of_instances(folder):
    options = {"n_way": 2, "shots": 1, "n_episodes": 60, "data_dir": folder}
    load = hf_fewshot.load_episodes
    cut, same, other = (load("fewrel", split="train", train_rows=40, seed=s, **options) for s in (3, 3, 4))
    assert len(cut.examples) == 40
    assert cut.example_ids == same.example_ids
    assert sorted(cut.example_ids) != sorted(other.example_ids)
    whole = load("fewrel", split="train", **options)
    # In their order, and the episodes have no others.
    assert [name for name in whole.example_ids if name in set(cut.example_ids)] == cut.example_ids
    assert all(0 <= row < 40 for episode in cut for row in (*episode.support, *episode.query))
    assert len(load("fewrel", split="train", train_rows=500, **options).examples) == 72
    validation = [load("fewrel", split="validation", **o, **options) for o in ({}, {"train_rows": 40})]
    assert validation[0].fingerprint == validation[1].fingerprint
    with pytest.raises(ValueError, match="train_rows must be a whole number"):
        load("fewrel", split="train", train_rows=0, **options)
