import torch

from hf_fewshot.in_context.packing import Pack, packs


def seen(inputs):
    return (inputs["attention_mask"][0, 0] == 0).int().tolist()


def test_sequences_see_the_prefix_and_themselves():
    pack = Pack(2)
    inputs = pack.extend([(0, [10, 11]), (1, [12])], torch.float32, torch.device("cpu"))
    assert inputs["input_ids"].tolist() == [[10, 11, 12]]
    assert inputs["position_ids"].tolist() == [[2, 3, 2]]
    assert seen(inputs) == [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 0, 0, 1]]


def test_sequences_grow_from_where_they_ended():
    pack = Pack(1)
    pack.extend([(0, [10, 11]), (1, [12])], torch.float32, torch.device("cpu"))
    inputs = pack.extend([(1, [13]), (0, [14])], torch.float32, torch.device("cpu"))
    assert inputs["position_ids"].tolist() == [[2, 3]]
    # The cache holds: prefix, 10, 11, 12, then 13 and 14.
    assert seen(inputs) == [[1, 0, 0, 1, 1, 0], [1, 1, 1, 0, 0, 1]]


def test_a_branch_goes_on_from_its_parent():
    pack = Pack(0)
    pack.parents = {1: 0, 2: 0}
    inputs = pack.extend([(0, [10, 11]), (1, [12]), (2, [13, 14])], torch.float32, torch.device("cpu"))
    assert inputs["position_ids"].tolist() == [[0, 1, 2, 2, 3]]
    assert seen(inputs) == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [1, 1, 0, 1, 1]]


def test_packs_hold_up_to_a_number_of_tokens():
    assert list(packs([3, 3, 3, 9, 1, 5], 6)) == [[0, 1], [2], [3], [4, 5]]
    assert list(packs([], 6)) == []
