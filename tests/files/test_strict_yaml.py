"""YAML of strangers holds plain values, and cannot fill the memory."""

import pytest

from hf_fewshot.files.strict_yaml import read_yaml, strict_yaml


def test_plain_values_and_aliases_are_read():
    text = "a: &shared {x: 1, y: [2.5, true, null, text]}\nb: *shared\nc: {<<: *shared, x: 9}\n"
    shared = {"x": 1, "y": [2.5, True, None, "text"]}
    assert strict_yaml(text) == {"a": shared, "b": shared, "c": {**shared, "x": 9}}
    assert strict_yaml("") is None
    assert strict_yaml("[!!str 5, '5', !!int 5]") == ["5", "5", 5]


@pytest.mark.parametrize(
    ("text", "number"),
    [("1e-4", 0.0001), ("1E5", 100000.0), ("-2.5e3", -2500.0), ("+.5e0", 0.5), ("1.e+2", 100.0), ("1.0e-4", 0.0001)],
)
def test_numbers_with_an_exponent_are_numbers(text, number):
    assert strict_yaml(f"learning_rate: {text}") == {"learning_rate": number}


@pytest.mark.parametrize("text", ["1e", "e5", "1e5x", "'1e-4'", "1e-4-b", "."])
def test_what_only_looks_like_one_is_text(text):
    assert strict_yaml(f"name: {text}") == {"name": text.strip("'")}


def test_a_mapping_that_others_are_merged_from_may_replace_what_it_merges():
    text = "a: &a {x: 1}\nc: {b: &b {<<: *a, x: 2}}\nd: {<<: *b, y: 3}\n"
    assert strict_yaml(text) == {"a": {"x": 1}, "c": {"b": {"x": 2}}, "d": {"x": 2, "y": 3}}


def laughs(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (laughs(12), "it stands for more than 100,000 values"),
        ("a: &a [*a]", "a part of"),
        (
            "systems:\n  Proto: {method: proto}\n  Proto: {method: nnshot}\n",
            r"the key 'Proto' comes twice in one mapping \(line 3, column 3\)",
        ),
        ("a: 2026-01-01", "'a' holds datetime.date"),
        ("a: !!set {b, c}", r"the tag !!set is not read: leave it out \(line 1, column 4\)"),
        ("a: !!binary aGk=", "the tag !!binary is not read"),
        ("a: !!timestamp x", "the tag !!timestamp is not read"),
        ("a: !!bool x", "the tag !!bool is not read"),
        ("a: !!omap [b]", "the tag !!omap is not read"),
        ("1: x", "it has the key 1, which is no text"),
        ("yes: x", "it has the key True"),
        ("? [a, b]\n: x", "a key is no text"),
        ("a: !!python/object/apply:os.system [ls]", "the tag !!python/object/apply:os.system is not read"),
        ("a: b: c", r"mapping values are not allowed here \(line 1, column 5\)"),
        ("[" * 60 + "]" * 60, "nested more than 50 deep"),
        ("a: \x1b[2J", "special characters are not allowed"),
        ("---\na: 1\n---\nb: 2\n", "expected a single document"),
        ("a: !!int " + "9" * 5000, "Exceeds the limit"),
    ],
)
def test_what_could_do_harm_is_refused(text, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        strict_yaml(text)
    path = tmp_path / "file.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"file\.yaml is no YAML that can be used"):
        read_yaml(path)


def test_files_that_are_no_text_or_too_large_are_named(tmp_path):
    path = tmp_path / "file.yaml"
    path.write_bytes(b"a: \xff")
    with pytest.raises(ValueError, match=r"file\.yaml is no YAML that can be used: 'utf-8' codec"):
        read_yaml(path)
    path.write_bytes(b"#" * (1 << 18) + b"\n")
    with pytest.raises(ValueError, match="larger than 262,144 bytes"):
        read_yaml(path)


@pytest.mark.parametrize("text", ['a: "\\ud800"', 'a: [x, "b\\udfff"]', '"\\udc00": 1'])
def test_half_characters_are_refused(text):
    with pytest.raises(ValueError, match=r"holds '.*', in which half a character stands: no file can hold it"):
        strict_yaml(text)
