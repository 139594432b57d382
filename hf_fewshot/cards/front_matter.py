"""Cards whose metadata the Hub reads as data and nobody can read as markup."""

import yaml
from huggingface_hub import DatasetCard, ModelCard, RepoCard
from huggingface_hub.repocard_data import CardData

from hf_fewshot.text.redaction import redacted_values
from hf_fewshot.text.visible import visible


class _Quoting(yaml.SafeDumper):
    """Puts text that must be written with escapes into double quotes, where YAML has them."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if "<" in text or visible(text) != text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Quoting.add_representer(str, _text)


def front_matter(data: CardData) -> str:
    """The metadata as YAML without secrets.

    A reader that takes the front matter of a card for Markdown finds no HTML in it: every `<` is an escape, and so are
    characters that act on a terminal.
    """
    content = redacted_values(data.to_dict())
    text = yaml.dump(content, Dumper=_Quoting, sort_keys=False, allow_unicode=True)
    return visible(text).replace("<", r"\x3c").rstrip("\n")


class _Safe(RepoCard):
    def __str__(self) -> str:
        return f"---\n{front_matter(self.data)}\n---\n{self.text}"


class SafeModelCard(_Safe, ModelCard):
    """A model card with such a front matter."""


class SafeDatasetCard(_Safe, DatasetCard):
    """A dataset card with such a front matter."""
