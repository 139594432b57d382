import pytest

from hf_fewshot import load_dataset, load_episodes

RELATIONS = {"n_way": 2, "shots": 1, "n_episodes": 8, "sample": True}


@pytest.mark.parametrize(
    ("split", "numbers"),
    [
        ("validation[:3]", [0, 1, 2]),
        ("validation[-2:]", [6, 7]),
        ("validation[25%:50%]", [2, 3]),
        ("validation[2:4]", [2, 3]),
    ],
)
def test_a_part_of_a_split_has_the_same_episodes(split, numbers):
    whole, part = (load_episodes("fewrel", split=one, **RELATIONS) for one in ("validation", split))
    assert list(part) == [whole[number] for number in numbers]
    assert [row["index"] for row in load_dataset("fewrel", split=split, **RELATIONS)] == numbers


@pytest.mark.parametrize(
    ("split", "message"),
    [
        ("validation[:2]+train[:2]", r"split='validation\[:2\]\+train\[:2\]', but episodes are of one split"),
        ("validation[:x]", r"Unrecognized instruction format: validation\[:x\]"),
        ("valdation[:2]", "Unknown split of fewrel/default 'valdation'. Did you mean 'validation'?"),
    ],
)
def test_what_is_no_part_of_a_split_is_refused(split, message):
    with pytest.raises(ValueError, match=message):
        load_episodes("fewrel", split=split, **RELATIONS)


def test_released_episodes_can_be_limited():
    whole = load_episodes("fewjoint", split="test", sample=True)
    some = load_episodes("fewjoint", split="test", n_episodes=2, sample=True)
    assert (len(whole), len(some)) == (5, 2)
    assert [some.row(number) for number in (0, 1)] == [whole.row(number) for number in (0, 1)]
    rows = load_dataset("fewjoint", n_episodes=2, sample=True)
    assert {split: len(part) for split, part in rows.items()} == {"train": 2, "validation": 2, "test": 2}
    assert list(rows["test"]) == list(some.rows())
