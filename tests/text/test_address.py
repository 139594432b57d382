"""Addresses of servers: what is asked, what is sent along, what is shown."""

import pytest

from hf_fewshot.text.address import Address


@pytest.mark.parametrize(
    ("url", "bare", "authorization"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1", None),
        ("https://anna:pass@host/v1", "https://host/v1", "Basic YW5uYTpwYXNz"),
        ("https://anna:p%40ss@host:81/v1?a=b", "https://host:81/v1?a=b", "Basic YW5uYTpwQHNz"),
        ("https://a@b:pass@host", "https://host", "Basic YUBiOnBhc3M="),
        ("https://key@host", "https://host", "Basic a2V5Og=="),
        ("https://:pass@[::1]:8000", "https://[::1]:8000", "Basic OnBhc3M="),
    ],
)
def test_user_and_password_become_a_header(url, bare, authorization):
    address = Address.of(url)
    assert (address.url, address.authorization) == (bare, authorization)
    assert address.shown == bare


def test_secrets_are_taken_out_of_what_is_said_in_every_spelling():
    address = Address.of('https://anna:p%C3%A4"ss@host/v1')
    said = 'pä"ss p%C3%A4"ss p\\u00e4\\"ss YW5uYTpww6Qic3M= \x1b[2J'
    assert address.safe(said) == "<redacted> <redacted> <redacted> <redacted> \\x1b[2J"
    assert "<redacted>" not in repr(address)
    assert "YW5u" not in repr(address)


def test_a_key_in_the_place_of_the_user_and_a_long_parameter_are_secrets():
    assert Address.of("https://thekey@host").safe("no thekey here") == "no <redacted> here"
    address = Address.of("https://host/v1?version=2&subscription=0123456789&x=7")
    assert address.shown == "https://host/v1?version=2&subscription=<redacted>&x=7"
    assert address.safe("0123456789 of 7") == "<redacted> of 7"


def test_long_messages_are_cut():
    assert Address.of("http://host").safe("a" * 2000) == "a" * 1000 + "..."


def test_a_user_and_a_token_are_too_much():
    with pytest.raises(
        ValueError, match=r"endpoint https://<redacted>@host has a user in its URL and a token besides"
    ):
        Address.of("https://anna:pass@host", "token")


@pytest.mark.parametrize("token", ["line\nbreak", "schlüssel", "\x00"])
def test_a_token_that_no_header_can_hold_is_refused_without_being_shown(token):
    with pytest.raises(ValueError, match=r"token for the endpoint has characters that no request can hold") as caught:
        Address.of("http://host", token)
    assert token not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host",
        "ftp://host",
        "http://",
        "http://host:0",
        "http://host:99999",
        "http://[::1",
        "http://a b",
        "http://\n",
    ],
)
def test_what_is_no_url_is_refused(url):
    with pytest.raises(ValueError, match=r"Expected the URL of the mirror, such as http://localhost:8000/v1, got"):
        Address.of(url, what="mirror")
