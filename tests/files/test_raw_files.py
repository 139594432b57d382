import codecs
import pickle
import re
from pathlib import Path

import pytest
from datasets import List, Value

from hf_fewshot.files.raw_files import (
    RawFileError,
    read_json,
    read_json_lines,
    read_text,
    require_keys,
    require_name,
    require_types,
    require_unique,
    require_words,
    shown,
)

PATH = Path("raw.json")


@pytest.fixture
def write(tmp_path):
    """Writes bytes to raw.json and gives its path."""

    def written(data):
        path = tmp_path / "raw.json"
        path.write_bytes(data)
        return path

    return written


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_text_is_utf_8_with_or_without_a_byte_order_mark(encoding, write):
    assert read_text(write("查天气\n".encode(encoding))) == "查天气\n"


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        ("first\nsecond\ncafé\n".encode("latin-1"), 3, r"b'\xe9\n'"),
        ("查\n天气".encode("gb18030"), 1, r"b'\xb2\xe9\n\xcc'"),
        ("cut off 查".encode()[:-1], 1, r"b'\xe6\x9f'"),
    ],
)
def test_another_encoding_is_an_error_with_line_and_bytes(mark, data, line, found, write):
    message = f"raw.json, line {line}: expected UTF-8 text, got the bytes {found}."
    with pytest.raises(RawFileError, match=re.escape(message)):
        read_text(write(mark + data))


def test_utf_16_is_an_error(write):
    with pytest.raises(RawFileError, match=r"raw\.json, line 1: expected UTF-8 text, got the bytes b'\\xff\\xfe"):
        read_text(write("text".encode("utf-16")))


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n", codecs.BOM_UTF8])
@pytest.mark.parametrize(
    "read", [read_text, lambda path: read_json(path, dict), lambda path: next(read_json_lines(path))]
)
def test_an_empty_file_is_an_error(data, read, write):
    with pytest.raises(RawFileError, match=r"raw\.json: expected rows of data, got an empty file\."):
        read(write(data))


def test_json_may_have_a_byte_order_mark_and_windows_line_ends(write):
    assert read_json(write(codecs.BOM_UTF8 + b'{\r\n"a": [1]\r\n}\r\n'), dict) == {"a": [1]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": 1,\n"b": ', r"raw\.json, line 2: expected JSON, got Expecting value at column 6"),
        (b'{"a": 1,\n"b": "cut', r"raw\.json, line 2: expected JSON, got Unterminated string starting at column 6"),
        (b'{"a": 1}\n{"b": 2}', r"raw\.json, line 2: expected JSON, got Extra data at column 1"),
        (b'[{"a": 1}]', r"raw\.json, line 1: expected a JSON object with entries, got \[\{\"a\": 1\}\]"),
        (b"{}", r"raw\.json, line 1: expected a JSON object with entries, got \{\}"),
        (b"null", r"raw\.json, line 1: expected a JSON object with entries, got null"),
        (
            b'{"P1": [1], "P2": [2], "P1": [3]}',
            r"raw\.json: expected JSON, got what cannot be read in one way only: the key 'P1' comes twice",
        ),
    ],
)
def test_json_that_is_cut_or_of_another_kind_is_an_error_with_its_line(data, message, write):
    with pytest.raises(RawFileError, match=message):
        read_json(write(data), dict)


def test_a_list_is_asked_for_by_its_name(write):
    with pytest.raises(RawFileError, match=r"line 1: expected a JSON list with entries, got \{\"a\": 1\}"):
        read_json(write(b'{"a": 1}'), list)


def test_lines_of_json_are_numbered_and_blank_ones_left_out(write):
    path = write(codecs.BOM_UTF8 + '{"a": "é\u2028"}\r\n\r\n{"a": 2}'.encode())
    assert list(read_json_lines(path)) == [(1, {"a": "é\u2028"}), (3, {"a": 2})]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": 1}\n\n{"a": ', r"raw\.json, line 3: expected a JSON object, got Expecting value at column 7"),
        (b'{"a": 1}\n[1]\n', r"raw\.json, line 2: expected a JSON object, got \[1\]"),
        (
            b'{"a": 1}\n{"a": 1, "a": 2}\n',
            r"raw\.json, line 2: expected a JSON object, got .* key 'a' comes twice",
        ),
        (b'{"a": 1}\n{"a": NaN}\n', r"raw\.json, line 2: expected a JSON object, got .*: NaN is no number"),
        (b'{"a": "\\ud800"}\n', r"raw\.json, line 1: expected a JSON object, got .* is half a character"),
        (b'{"a": ' + b"[" * 100_000 + b"\n", r"raw\.json, line 1: .*: it is nested more than 200 deep"),
    ],
)
def test_a_bad_line_of_json_is_an_error_with_its_number(data, message, write):
    with pytest.raises(RawFileError, match=message):
        list(read_json_lines(write(data)))


def test_missing_keys_are_named():
    require_keys(PATH, 3, {"a": 1, "b": 2, "c": 3}, "a", "b")
    with pytest.raises(RawFileError, match=r"raw\.json, line 3: .* the keys a, b, got one without b"):
        require_keys(PATH, 3, {"a": 1}, "a", "b")
    with pytest.raises(RawFileError, match=r"raw\.json, item 2: expected an object with the keys a, got \"text\""):
        require_keys(PATH, "item 2", "text", "a")


def test_an_id_that_occurs_twice_is_named_with_its_place():
    require_unique(PATH, ["a", "b"])
    with pytest.raises(RawFileError, match=r"raw\.json, entry 3: expected ids that occur once, got 'a' again"):
        require_unique(PATH, ["a", "b", "a"])
    with pytest.raises(RawFileError, match=r"raw\.json, line 7: expected ids that occur once, got 'a' again"):
        require_unique(PATH, ["a", "b", "a"], [1, 4, 7])


COLUMNS = {
    "name": Value("string"),
    "words": List(Value("string")),
    "spans": List({"start": Value("int32")}),
    "known": Value("bool"),
}
GOOD = {"name": "a", "words": ["b"], "spans": [{"start": 1}], "known": True}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 1}, "name as text, got 1"),
        ({"name": None}, "name as text, got null"),
        ({"words": "b"}, 'words as a list, each text, got "b"'),
        ({"words": ["b", 2]}, r'words as a list, each text, got \["b", 2\]'),
        ({"words": ["b", None]}, r'words as a list, each text, got \["b", null\]'),
        ({"spans": [{"start": 1.5}]}, "spans as a list, each an object with the keys start, got"),
        ({"spans": [{"start": True}]}, "spans as a list, each an object with the keys start, got"),
        ({"spans": [{"end": 1}]}, "spans as a list, each an object with the keys start, got"),
        ({"spans": [1]}, r"spans as a list, each an object with the keys start, got \[1\]"),
        ({"spans": [{"start": 2**31}]}, "spans as a list, each an object with the keys start, got"),
        ({"known": 1}, "known as true or false, got 1"),
    ],
)
def test_a_value_of_another_type_is_named_with_its_column(change, message):
    require_types(PATH, 2, GOOD, COLUMNS)
    with pytest.raises(RawFileError, match=rf"raw\.json, line 2: expected {message}"):
        require_types(PATH, 2, {**GOOD, **change}, COLUMNS)


def test_numbers_stay_within_their_column():
    columns = {"start": Value("int32"), "index": Value("int64")}
    require_types(PATH, 2, {"start": 2**31 - 1, "index": -(2**63)}, columns)
    with pytest.raises(RawFileError, match="expected start as a whole number, got 2147483648"):
        require_types(PATH, 2, {"start": 2**31, "index": 0}, columns)


def test_words_are_not_empty():
    require_words(PATH, 2, ["a", " "])
    for words in ([], ["a", ""]):
        with pytest.raises(RawFileError, match="line 2: expected words, at least one and none of them empty, got"):
            require_words(PATH, 2, words)


def test_a_class_has_a_name():
    require_name(PATH, 2, "relation", "P1")
    with pytest.raises(RawFileError, match="line 2: expected a name as relation, got ' '"):
        require_name(PATH, 2, "relation", " ")


def test_what_would_act_on_a_terminal_is_shown():
    assert shown(["\x9b2J\u202e"]) == '["\\x9b2J\\u202e"]'


def test_long_values_are_cut_to_a_readable_length():
    assert shown(["查" * 100]) == '["' + "查" * 55 + "..."


def test_the_error_survives_the_way_from_another_process():
    error = RawFileError(PATH, 3, "one", "two")
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, RawFileError)
    assert str(copy) == "raw.json, line 3: expected one, got two. Fetch the file again or correct it."
