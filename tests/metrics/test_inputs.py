"""What users hand in is checked once, with messages that say what to do."""

import numpy as np
import pytest

from hf_fewshot.metrics.slot_f1.inputs import BLOCK_ROWS, encode_labels, encode_tags, names_of, one_of


def test_labels_get_codes_in_order_of_first_appearance():
    encoded = encode_labels(["b", "c"], ["a", "b"])
    assert encoded.labels == ["a", "b", "c"]
    assert encoded.references.tolist() == [0, 1]
    assert encoded.predictions.tolist() == [1, 2]
    assert not encoded.are_ids


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 1], [2]],
        ((0, 1), (2,)),
        [np.array([0, 1]), np.array([2])],
        [[np.int64(0), np.int64(1)], [2]],
    ],
    ids=["lists", "tuples", "arrays", "numpy scalars"],
)
def test_class_ids_are_read_from_every_kind_of_sequence(rows):
    encoded = encode_tags(rows, rows)
    assert encoded.are_ids
    assert encoded.labels == [0, 1, 2]
    assert encoded.lengths.tolist() == [2, 1]


def test_arrays_are_read_as_they_are():
    assert encode_labels(np.array([3, 4]), np.array([4, 4])).labels == [4, 3]
    assert encode_tags(np.array([[1, 2], [2, 1]]), [[1, 2], [2, 2]]).lengths.tolist() == [2, 2]


def test_more_labels_than_a_byte_can_count_are_encoded_too():
    labels = [f"label {index}" for index in range(300)]
    encoded = encode_labels(labels[::-1], labels)
    assert encoded.references.tolist() == list(range(300))
    assert encoded.predictions.tolist() == list(range(299, -1, -1))
    with pytest.raises(TypeError, match="references are nested too deep"):
        encode_labels(labels, [*labels[1:], ["label"]])
    assert encode_labels(labels, ["label 299"] * 300).predictions.tolist() == [*range(1, 300), 0]


def test_sentences_are_encoded_alike_in_every_block():
    rows = [[f"tag {index % 300}"] * (index % 3) for index in range(2 * BLOCK_ROWS + 1)]
    flat = [tag for row in rows for tag in row]
    encoded = encode_tags(rows, rows)
    assert [encoded.labels[code] for code in encoded.references] == flat
    assert encoded.predictions.tolist() == encoded.references.tolist()
    assert encoded.lengths.tolist() == [len(row) for row in rows]


def test_errors_name_the_sentence_in_every_block():
    rows = [["O"]] * BLOCK_ROWS
    with pytest.raises(TypeError, match=rf"predictions\[{BLOCK_ROWS}\] must be a list of tags, got str 'O'"):
        encode_tags([*rows, "O"], [*rows, ["O"]])
    with pytest.raises(ValueError, match=rf"predictions\[{BLOCK_ROWS}\] has 2 tags, references\[{BLOCK_ROWS}\] has 1"):
        encode_tags([*rows, ["O", "O"]], [*rows, ["O"]])


def test_class_ids_take_their_names_from_label_names():
    encoded = encode_labels([1, 0], [0, 1])
    assert names_of(encoded, ["no", "yes"]) == ["no", "yes"]
    assert names_of(encoded, None) == ["0", "1"]


@pytest.mark.parametrize(
    ("predictions", "references", "error", "message"),
    [
        (["a"], ["a", "b"], ValueError, "1 predictions for 2 references. Give exactly one prediction per reference"),
        ([], [], ValueError, "are empty: nothing to score. Give at least one example"),
        (None, ["a"], TypeError, "predictions must be a list with one entry per example, got NoneType None"),
        (["a"], "a", TypeError, "references must be a list with one entry per example, got str 'a'"),
        (["a"], [1], TypeError, "mix strings and class ids, such as 'a' and 1. Give predictions and references both"),
        (["a"], [1.5], TypeError, r"Labels must be strings or class ids \(whole numbers\), got float 1.5"),
        (["a"], [None], TypeError, "Labels must be strings or class ids .* got NoneType None"),
        ([True], [True], TypeError, "Labels must be strings or class ids .* got bool True"),
        ([["a"]], ["a"], TypeError, "predictions are nested too deep: a label must be a string or a class id"),
    ],
)
def test_wrong_labels_are_refused_with_what_to_do(predictions, references, error, message):
    with pytest.raises(error, match=message):
        encode_labels(predictions, references)


@pytest.mark.parametrize(
    ("predictions", "references", "error", "message"),
    [
        (
            [["O"], ["O"]],
            [["O"], ["O", "O"]],
            ValueError,
            r"predictions\[1\] has 1 tags, references\[1\] has 2 \(1 of 2",
        ),
        (
            ["O O"],
            [["O", "O"]],
            TypeError,
            r"predictions\[0\] must be a list of tags, got str 'O O'. Write it as \[...\]",
        ),
        ([[["O"]]], [["O"]], TypeError, "predictions are nested too deep"),
    ],
)
def test_wrong_tag_sequences_are_refused_with_what_to_do(predictions, references, error, message):
    with pytest.raises(error, match=message):
        encode_tags(predictions, references)


def test_a_class_id_without_a_name_is_refused():
    with pytest.raises(
        ValueError, match=r"Class id -100 has no name: label_names has 2 names, for ids 0 to 1.* padding"
    ):
        names_of(encode_labels([0, -100], [0, 1]), ["no", "yes"])


def test_an_unknown_option_value_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"average='macro' is not known. Give one of 'pooled', 'episode'"):
        one_of("average", "macro", ("pooled", "episode"))


def test_long_values_are_shortened_in_messages():
    with pytest.raises(TypeError, match=r"got str 'OO+\.\.\.\. Write") as caught:
        encode_tags(["O" * 500], [["O"]])
    assert len(str(caught.value)) < 150
