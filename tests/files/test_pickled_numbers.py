"""Numbers of pickles, without unpickling."""

import pickle

import pytest

from hf_fewshot.files.pickled_numbers import pickled_numbers
from hf_fewshot.files.raw_files import RawFileError

NUMBERS = [13505, 0, 7, 255, 256, 65536, 59960, 5_000_000_000]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("content", [NUMBERS, {"the_required_numbers": NUMBERS}])
def test_a_pickled_list_is_read_with_every_protocol(tmp_path, protocol, content):
    file = tmp_path / "numbers.pickle"
    file.write_bytes(pickle.dumps(content, protocol=protocol))
    assert pickled_numbers(file) == NUMBERS


def test_long_lists_are_whole(tmp_path):
    file = tmp_path / "numbers.pickle"
    file.write_bytes(pickle.dumps(list(range(5000))))
    assert pickled_numbers(file) == list(range(5000))


class Harmful:
    def __reduce__(self):
        return print, ("never",)


@pytest.mark.parametrize("content", [Harmful(), [1, Harmful()], [1.5], [True], [None], [b"1"], {1, 2}])
def test_anything_else_is_refused_and_not_run(tmp_path, content, capsys):
    file = tmp_path / "numbers.pickle"
    file.write_bytes(pickle.dumps(content))
    with pytest.raises(RawFileError, match="a pickled list of whole numbers, got the instruction"):
        pickled_numbers(file)
    assert "never" not in capsys.readouterr().out


def test_damage_is_an_error_in_words(tmp_path):
    file = tmp_path / "numbers.pickle"
    for content in (b"", b"no pickle", pickle.dumps(NUMBERS)[:-4]):
        file.write_bytes(content)
        with pytest.raises(RawFileError, match="a pickled list of whole numbers"):
            pickled_numbers(file)
