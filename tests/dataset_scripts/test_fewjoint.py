import json

import pytest
from datasets import load_dataset

import hf_fewshot
from hf_fewshot.dataset_scripts.fewjoint.smp_items import place_slots, read_items

EPISODE = {
    "support": {
        "seq_ins": [["北", "京", "天", "气"], ["你", "好"]],
        "seq_outs": [["B-city", "I-city", "O", "O"], ["O", "O"]],
        "labels": [["WEATHER"], ["GREET"]],
    },
    "query": {"seq_ins": [["上", "海", "呢"]], "seq_outs": [["B-city", "I-city", "O"]], "labels": [["WEATHER"]]},
}


@pytest.fixture
def folder(tmp_path):
    """Hand-written episode files, one domain each."""
    for split, domain in (("train", "weather"), ("dev", "music"), ("test", "story")):
        (tmp_path / f"{split}.json").write_text(json.dumps({domain: [EPISODE]}), encoding="utf-8")
    return str(tmp_path)


def test_a_row_is_a_whole_readable_episode(folder):
    data = load_dataset("fewjoint", data_dir=folder)
    assert {split: len(rows) for split, rows in data.items()} == {"train": 1, "validation": 1, "test": 1}
    row = data["train"][0]
    assert (row["index"], row["domain"], row["intents"], row["slots"]) == (
        0,
        "weather",
        ["GREET", "WEATHER"],
        ["city"],
    )
    assert row["support"][0]["tokens"] == ["北", "京", "天", "气"]
    assert row["support"][0]["slot_tags"] == ["B-city", "I-city", "O", "O"]
    assert row["query"][0]["intent"] == "WEATHER"
    assert row["query"][0]["id"].startswith("weather-")


def test_streaming_gives_the_same_rows(folder):
    streamed = load_dataset("fewjoint", data_dir=folder, split="test", streaming=True)
    assert list(streamed) == list(load_dataset("fewjoint", data_dir=folder, split="test"))


def test_examples_are_the_distinct_utterances(folder):
    rows = load_dataset("fewjoint", "examples", data_dir=folder, split="train")
    assert rows["intent"][:] == ["WEATHER", "GREET", "WEATHER"]
    assert len(set(rows["id"])) == 3


def test_snips_style_names_are_found_and_a_fold_is_chosen(tmp_path):
    for fold in (1, 2):
        for split in ("train", "valid", "test"):
            document = {f"{split}{fold}": [EPISODE]}
            (tmp_path / f"snips_{split}_{fold}.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match=r"several files for split 'train': snips_train_1.json, snips_train_2.json"):
        load_dataset("fewjoint", data_dir=str(tmp_path))
    data = load_dataset("fewjoint", data_dir=str(tmp_path), fold=2)
    assert [data[split][0]["domain"] for split in data] == ["train2", "valid2", "test2"]


def test_slot_values_are_placed_longest_first_at_a_free_place():
    # 京 is part of 北京: it must find the second one, which stands free.
    tags, unplaced = place_slots("北京到京", [("short", "京"), ("city", "北京"), ("lost", "上海")])
    assert tags == ["B-city", "I-city", "O", "B-short"]
    assert unplaced == [("lost", "上海")]


def test_raw_items_lose_white_space_and_flatten_nested_slots(tmp_path):
    items = [
        {
            "domain": "bus",
            "text": "从 合肥 到上海",
            "intent": "QUERY",
            "slots": {"startLoc": {"city": "合 肥"}, "ends": ["上海"]},
        }
    ]
    (tmp_path / "source.json").write_text(json.dumps(items), encoding="utf-8")
    (row,) = read_items(tmp_path / "source.json")
    assert row["tokens"] == ["从", "合", "肥", "到", "上", "海"]
    assert row["slot_tags"] == ["O", "B-startLoc-city", "I-startLoc-city", "O", "B-ends", "I-ends"]
    assert row["id"] == "bus-source-0"


def test_raw_items_in_their_folders_are_read_and_sampled(tmp_path):
    def write(path, domain, number):
        items = [
            {"id": f"{domain}{i}", "domain": domain, "text": f"问{i}号", "intent": "AB"[i % 2], "slots": {"n": str(i)}}
            for i in range(number)
        ]
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps(items), encoding="utf-8")

    write("train/source.json", "big", 60)
    write("dev/support/a.json", "small", 5)
    write("dev/correct/a.json", "other", 6)
    rows = load_dataset("fewjoint", "examples", data_dir=str(tmp_path), split="validation")
    assert rows.num_rows == 11
    data = load_dataset("fewjoint", data_dir=str(tmp_path), episodes="sampled", shots=2, n_query=5)
    assert {split: len(rows) for split, rows in data.items()} == {"train": 50, "validation": 2}
    first = data["train"][0]
    assert (first["intents"], first["slots"], len(first["query"])) == (["A", "B"], ["n"], 5)
    # A new domain is evaluated whole: support and query together are all of it.
    assert [len(row["support"]) + len(row["query"]) for row in data["validation"]] == [6, 5]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 2}, 'seed=2 has no effect on released episodes; use episodes="sampled"'),
        ({"seed": 7}, "seed=7 has no effect on released episodes"),
        ({"name": "examples", "episodes": "sampled"}, "episodes='sampled' has no effect on examples"),
        ({"data_dir": None, "fold": 2}, "fold=2 has no effect without data_dir"),
        ({"seed": -1, "episodes": "sampled"}, "seed must be a whole number of at least 0, but is -1"),
        ({"data_dir": None, "sample": "yes"}, "sample must be True or False, but is 'yes'"),
    ],
)
def test_options_without_effect_are_refused(options, message, folder):
    with pytest.raises(ValueError, match=message):
        load_dataset("fewjoint", **{"data_dir": folder, **options})


def test_any_number_of_shots_can_be_sampled_from_episode_files(tmp_path):
    part = {
        "seq_ins": [[f"{i}"] for i in range(60)],
        "seq_outs": [["B-n"]] * 60,
        "labels": [["AB"[i % 2]] for i in range(60)],
    }
    path = tmp_path / "data/FewJoint1.1/result/SMP_data_slu_1/smp.spt_s_1.q_s_4.ep_50.cross_id_0/train.json"
    path.parent.mkdir(parents=True)
    empty = {"seq_ins": [], "seq_outs": [], "labels": []}
    path.write_text(json.dumps({"count": [{"support": part, "query": empty}]}), encoding="utf-8")
    options = {"data_dir": str(tmp_path), "episodes": "sampled", "n_episodes": 3, "n_query": 5, "split": "train"}
    for row in load_dataset("fewjoint", shots=2, **options):
        assert [len(row["support"]), len(row["query"])] == [4, 5]


def test_labels_that_are_left_out_are_named(tmp_path, caplog):
    items = [{"id": str(i), "domain": "d", "text": f"问{i}", "intent": "RARE" if i < 2 else "A"} for i in range(60)]
    (tmp_path / "train").mkdir()
    (tmp_path / "train/a.json").write_text(json.dumps(items), encoding="utf-8")
    hf_fewshot.load_episodes("fewjoint", data_dir=str(tmp_path), episodes="sampled", shots=3, split="train")
    assert (
        "'d': fewer than 3 examples hold intent:RARE (2); these labels and 2 of 60 examples are left out"
        in caplog.text
    )


def test_compact_episodes_and_rows_are_the_same(folder):
    episodes = hf_fewshot.load_episodes("fewjoint", split="test", data_dir=folder)
    assert episodes[0].classes == ("intent:GREET", "intent:WEATHER", "slot:city")
    assert list(episodes.rows()) == list(load_dataset("fewjoint", data_dir=folder, split="test"))


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("shots", "validation", "test"),
    [
        (1, (25, 553), (58, 1065)),
        (3, (66, 511), (147, 1061)),
        (5, (108, 470), (236, 964)),
        (10, (190, 388), (475, 726)),
    ],
)
def test_published_support_and_query_counts_of_version_1_1(shared_data, shots, validation, test):
    data = load_dataset("fewjoint", shots=shots, data_dir=str(shared_data / "FewShotJoint"))
    for split, domains, expected in (("validation", 5, validation), ("test", 9, test)):
        assert len(data[split]) == domains
        assert tuple(sum(map(len, data[split][part])) for part in ("support", "query")) == expected
        for row in data[split]:
            for utterance in row["support"] + row["query"]:
                assert len(utterance["tokens"]) == len(utterance["slot_tags"])
                assert all(len(character) >= 1 for character in utterance["tokens"])


@pytest.mark.shared_data
def test_training_has_38_domains_with_50_episodes_each(shared_data):
    train = load_dataset("fewjoint", shots=1, data_dir=str(shared_data / "FewShotJoint"), split="train")
    domains = train["domain"][:]
    assert len(train) == 1900
    assert {domains.count(domain) for domain in domains} == {50}
    assert len(set(domains)) == 38
    assert not set(domains) & {"bus", "lottery", "match", "novel", "radio", "riddle", "clock"}
    assert all(len(query) == 4 for query in train["query"])
