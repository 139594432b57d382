"""JSON that Python would read and should not."""

import json

import pytest

from hf_fewshot.files.strict_json import strict_json


def test_ordinary_values_are_read():
    value = {"a": [1, 2.5, None, True, "ä \u4e2d 😀"], "b": {"a": {}}}
    assert strict_json(json.dumps(value)) == strict_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "the key 'c' comes twice in one object"),
        ('{"a": NaN}', "NaN is no number that JSON has"),
        ("[-Infinity]", "-Infinity is no number"),
        ('{"a": [1e999]}', "the number 1e999 is too large"),
        ("[-1E+400]", r"the number -1E\+400 is too large"),
        ("1" * 400 + ".5", "the number 1{20} is too large"),
        ("[" * 201 + "]" * 201, "nested more than 200 deep"),
        ("[" * 200_000, "nested more than 200 deep"),
        ('{"a": "\\ud800"}', "is half a character"),
        ('["\\uDBff"]', "is half a character"),
        ('{"\\udc00": 1}', "is half a character"),
        ("[1, 2", "Expecting ',' delimiter"),
        ("9" * 5000, "Exceeds the limit"),
    ],
)
def test_what_would_be_read_silently_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        strict_json(text)


def test_nesting_up_to_the_limit_is_read():
    assert strict_json("[" * 199 + "1" + "]" * 199)


@pytest.mark.parametrize("text", ["7", '"word"', "[]", "{}", "null", '["\\ud83d\\ude00"]', "[1e100, 2.5e-300]"])
def test_plain_values_whole_characters_and_finite_numbers_are_read(text):
    assert strict_json(text) == json.loads(text)


def test_brackets_in_strings_do_not_nest():
    words = ["[" * 300, '\\"[[', '"', "\\", "]]}}", "", '\\\\"{{{']
    assert strict_json(json.dumps({"a": words * 200, '{"': ["["]})) == {"a": words * 200, '{"': ["["]}


def test_depth_is_counted_behind_words_and_in_objects():
    deep = '["a", {"b": ' * 101 + "1" + "}]" * 101
    with pytest.raises(ValueError, match="nested more than 200 deep"):
        strict_json(deep)
