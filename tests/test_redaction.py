"""Secrets do not reach what is written or printed."""

import pytest

from hf_fewshot.redaction import holds_secret, redacted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://me:pass@localhost:80/v1", "http://<redacted>@localhost:80/v1"),
        ("at https://token@host/x?a=1, twice", "at https://<redacted>@host/x?a=1, twice"),
        ("https://h/x?api_key=abc&b=2", "https://h/x?api_key=<redacted>&b=2"),
        ("https://h/x?b=2&X-Amz-Signature=ff#end", "https://h/x?b=2&X-Amz-Signature=<redacted>#end"),
        ("Authorization: Bearer abcdefgh1234", "Authorization: Bearer <redacted>"),
        ("key hf_abcdefghijklmnopqrst.", "key <redacted>."),
        ("key sk-proj-abcdefghijklmnop", "key <redacted>"),
        ("the word swordfish", "the word <redacted>"),
    ],
)
def test_secrets_are_replaced(text, expected):
    assert redacted(text, "swordfish", None, "") == expected
    assert holds_secret(text, "swordfish")


@pytest.mark.parametrize(
    "text", ["http://localhost:8000/v1", "me@example.org", "https://h/x?shots=3", "bearer of news", "hf_fewshot"]
)
def test_other_text_stays(text):
    assert redacted(text, None) == text
    assert not holds_secret(text)
