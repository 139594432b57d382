"""Secrets do not reach what is written or printed."""

import pytest

from hf_fewshot.text.redaction import holds_secret, holds_token, redacted, redacted_values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://me:pass@localhost:80/v1", "http://<redacted>@localhost:80/v1"),
        ("at https://token@host/x?a=1, twice", "at https://<redacted>@host/x?a=1, twice"),
        ("http://me:p@ss@host/", "http://<redacted>@host/"),
        ("https://h/x?api_key=abc&b=2", "https://h/x?api_key=<redacted>&b=2"),
        ("https://h/x?b=2&X-Amz-Signature=ff#end", "https://h/x?b=2&X-Amz-Signature=<redacted>#end"),
        ("Authorization: Bearer abcdefgh1234", "Authorization: Bearer <redacted>"),
        ('{"Authorization": "Basic bWU6cGFzcw=="}', '{"Authorization": "Basic <redacted>"}'),
        ("it says bearer abc123def4", "it says bearer <redacted>"),
        ("key hf_abcdefghijklmnopqrst.", "key <redacted>."),
        ("key sk-proj-abcdefghijklmnop", "key <redacted>"),
        ("the word swordfish", "the word <redacted>"),
    ],
)
def test_secrets_are_replaced(text, expected):
    assert redacted(text, "swordfish", None, "") == expected
    assert holds_secret(text, "swordfish")


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost:8000/v1",
        "me@example.org",
        "https://h/x?shots=3",
        "bearer of news",
        "Basic principles and bearer certificates",
        "git+ssh://git@example.org/x.git",
        "http://@host/",
        "what is the key=value?",
        "hf_fewshot",
        "hf_fewshot_joint",
        "sk-learn-pipelines-and-classifiers",
        "risk-abcdefghijklmnopqrstuvwxyz",
    ],
)
def test_other_text_stays(text):
    assert redacted(text, None) == text
    assert not holds_secret(text)


def test_values_are_redacted_at_any_depth_and_keep_their_shape():
    value = {"endpoint": "http://me:pass@h/v1", "steps": [3, None, {"swordfish": ("a swordfish", 0.5, True)}]}
    assert redacted_values(value, "swordfish") == {
        "endpoint": "http://<redacted>@h/v1",
        "steps": [3, None, {"<redacted>": ["a <redacted>", 0.5, True]}],
    }


def test_what_is_redacted_holds_no_secret():
    text = redacted(
        "http://me:pass@h/x?key=abc Authorization: Bearer abc sk-proj-abcdefghijklmnop swordfish", "swordfish"
    )
    assert not holds_secret(text, "swordfish")


@pytest.mark.parametrize("text", ["hf_" + "x" * 34, "(sk-proj-A1b2_" + "x" * 30, "the word swordfish"])
def test_tokens_are_found_in_any_text(text):
    assert holds_token(text, "swordfish", None)


@pytest.mark.parametrize(
    "text",
    [
        "see http://a@b/ for more",
        "http://me:pass@host",
        "x?key=abc",
        "sk-abcdefghijklmnopqrstuvwxyz",
        "hf_" + "x" * 20,
    ],
)
def test_an_odd_sentence_is_no_token(text):
    assert not holds_token(text, "swordfish")


@pytest.mark.parametrize(
    "part", ["a.", "sk-", "a://", "?", "&token", "Bearer ", "hf_a", "x@", "Authorization: Basic "]
)
def test_long_text_takes_no_time_to_speak_of(part):
    # Quadratic time would be minutes.
    assert len(redacted(part * 100_000)) > 100
