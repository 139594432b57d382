"""YAML of strangers holds plain values, and cannot fill the memory."""

import pytest

from hf_fewshot.strict_yaml import read_yaml, strict_yaml


def test_plain_values_and_aliases_are_read():
    text = "a: &shared {x: 1, y: [2.5, true, null, text]}\nb: *shared\nc: {<<: *shared, x: 9}\n"
    shared = {"x": 1, "y": [2.5, True, None, "text"]}
    assert strict_yaml(text) == {"a": shared, "b": shared, "c": {**shared, "x": 9}}
    assert strict_yaml("") is None


def laughs(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (laughs(12), "it stands for more than 100,000 values"),
        ("a: &a [*a]", "a part of"),
        ("systems:\n  Proto: {method: proto}\n  Proto: {method: nnshot}\n", "the key 'Proto' comes twice"),
        ("a: 2026-01-01", "'a' holds datetime.date"),
        ("a: !!set {b, c}", "'a' holds"),
        ("a: !!binary aGk=", "'a' holds b'hi'"),
        ("1: x", "it has the key 1, which is no text"),
        ("yes: x", "it has the key True"),
        ("? [a, b]\n: x", "a key is no text in one mapping"),
        ("a: !!python/object/apply:os.system [ls]", "could not determine a constructor"),
        ("a: b: c", "mapping values are not allowed"),
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
    path.write_bytes(b"#" * (1 << 20) + b"\n")
    with pytest.raises(ValueError, match="larger than 1,048,576 bytes"):
        read_yaml(path)
