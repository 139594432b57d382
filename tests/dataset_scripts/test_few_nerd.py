import json

import pytest
from datasets import load_dataset

import hf_fewshot

TEXT = """Paris\tlocation-GPE
is\tO
in\tO
France\tlocation-GPE

Ravel\tperson-artist/author
wrote\tO
Bolero\tart-music
"""


def write(folder, config="inter", text=TEXT):
    for split in ("train", "dev", "test"):
        path = folder / "data" / config / f"{split}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder)


def test_tagged_text_becomes_sentences(tmp_path):
    rows = load_dataset("few_nerd", "inter", data_dir=write(tmp_path), split="validation")
    assert rows[:] == {
        "id": ["inter-validation-0", "inter-validation-1"],
        "tokens": [["Paris", "is", "in", "France"], ["Ravel", "wrote", "Bolero"]],
        "tags": [["location-GPE", "O", "O", "location-GPE"], ["person-artist/author", "O", "art-music"]],
    }


def test_crlf_and_several_blank_lines_make_no_difference(tmp_path):
    folder = write(tmp_path, text=TEXT.replace("\n\n", "\n\n\n").replace("\n", "\r\n"))
    assert load_dataset("few_nerd", "inter", data_dir=folder, split="test").num_rows == 2


def test_released_episodes_are_preferred_and_sampled_ones_can_be_asked_for(tmp_path):
    folder = write(tmp_path, text="\n".join(f"a{i}\tX\n\nb{i}\tY\n" for i in range(20)))
    part = {"word": [["rome"]], "label": [["X"]]}
    for split in ("train", "dev", "test"):
        path = tmp_path / f"data/episode-data/inter/{split}_2_1.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"support": part, "query": part, "types": ["X", "Y"]}) + "\n", encoding="utf-8")
    released = load_dataset("few_nerd", "inter", n_way=2, shots=1, data_dir=folder, split="test")
    assert released[0]["classes"] == ["X", "Y"]
    assert released[0]["support"][0]["tokens"] == ["rome"]
    sampled = load_dataset(
        "few_nerd", "inter", n_way=2, shots=1, data_dir=folder, split="test", episodes="sampled", n_episodes=3
    )
    assert [len(row["support"]) for row in sampled] == [2, 2, 2]
    # No episodes of this size were released, so they are sampled.
    fallback = load_dataset("few_nerd", "inter", n_way=1, shots=2, data_dir=folder, split="test", n_episodes=4)
    assert fallback[0]["classes"] in (["X"], ["Y"])


def test_rows_are_the_compact_episodes_of_the_same_sampler(tmp_path):
    folder = write(tmp_path, text="\n".join(f"a{i}\tX\n\nb{i}\tY\n\nc{i}\tZ\n" for i in range(9)))
    options = {"n_way": 2, "shots": 2, "data_dir": folder, "n_episodes": 5, "seed": 3}
    rows = load_dataset("few_nerd", "inter", split="train", **options)
    episodes = hf_fewshot.load_episodes("few_nerd", "inter", split="train", **options)
    assert list(episodes.rows()) == list(rows)
    assert episodes.spec == {"sampler": "NWayK2K", "n_way": 2, "n_shot": 2, "n_query": None, "seed": 3}


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ("inter", {"n_way": 5}, "n_way=5 and shots=None: give both for episodes"),
        ("supervised", {"n_way": 5, "shots": 1}, "few_nerd/supervised has no episodes"),
        ("inter", {"episodes": "sampled"}, "episodes='sampled' has no effect on sentences: give n_way and shots"),
        ("supervised", {"n_episodes": 9}, "n_episodes=9 has no effect on sentences"),
        (
            "inter",
            {"n_way": 5, "shots": 1, "episodes": "new"},
            "episodes='new', but it must be one of 'released'",
        ),
        ("inter", {"n_way": 5, "shots": 1, "n_episodes": 2}, r"n_way=5, but there are only 3 types\. Lower n_way"),
    ],
)
def test_contradictory_or_impossible_options_are_refused(config, options, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        load_dataset("few_nerd", config, data_dir=write(tmp_path, config), split="test", **options)


@pytest.mark.shared_data
def test_few_tk_loads_with_its_own_types(shared_data):
    folder = str(shared_data / "Few_TK")
    data = load_dataset("few_nerd", "inter", data_dir=folder)
    assert {split: rows.num_rows for split, rows in data.items()} == {"train": 2507, "validation": 2053, "test": 1121}
    types = {split: {tag for tags in rows["tags"] for tag in tags} - {"O"} for split, rows in data.items()}
    assert {split: len(names) for split, names in types.items()} == {"train": 22, "validation": 8, "test": 8}
    assert "Statistical/Mathematical-metrics" in types["test"]
    released = load_dataset("few_nerd", "inter", n_way=5, shots=1, data_dir=folder)
    assert {split: rows.num_rows for split, rows in released.items()} == {"train": 249, "validation": 132, "test": 87}


@pytest.mark.shared_data
@pytest.mark.parametrize("n_way", [3, 5])
def test_k2k_episodes_of_few_tk_train_come_out_and_keep_every_promise(n_way, shared_data):
    # The original never returns the first of them.
    options = {"data_dir": str(shared_data / "Few_TK"), "episodes": "sampled", "n_episodes": 300}
    episodes = hf_fewshot.load_episodes("few_nerd", "inter", split="train", n_way=n_way, shots=1, **options)
    report = hf_fewshot.verify(episodes)
    assert len(report.checks) == 300
    assert not any(report.having(finding) for finding in ("short", "unseen", "overlap", "repeated"))
    assert {len(episode.classes) for episode in episodes} == {n_way}
