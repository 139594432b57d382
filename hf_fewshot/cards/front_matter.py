"""The metadata of a card, for the Hub to read as data and for nobody to read as markup."""

import re

import yaml
from huggingface_hub import CardData

from hf_fewshot.redaction import redacted_values


class _Quoting(yaml.SafeDumper):
    """Puts text with a `<` into double quotes, within which it can be written as an escape."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if "<" in text else None)


_Quoting.add_representer(str, _text)


def front_matter(data: CardData) -> str:
    """The metadata as YAML without secrets.

    A reader that takes the front matter of a card for Markdown finds no HTML in it: every `<` is an escape of YAML.
    """
    content = redacted_values(data.to_dict())
    text = yaml.dump(content, Dumper=_Quoting, sort_keys=False, allow_unicode=True)
    return re.sub("<", r"\\x3c", text).rstrip("\n")
