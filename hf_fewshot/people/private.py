"""What of a study is nobody else's business: tokens, the access key, the secret of ids, where the data is."""

import hashlib
import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_file import whole_file
from hf_fewshot.people.plan import StudyError

FILE_NAME = "private.json"


@dataclass
class Private:
    """Kept in a file that its owner alone may read; answers and records have nothing of it.

    Args:
        secret: of the ids of items.
        key: that a server asks for which other machines can reach.
        tokens: of the annotators, by their numbers.
        source: where the raw files are.
    """

    secret: str = field(default_factory=lambda: secrets.token_hex(16))
    key: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    tokens: dict[str, str] = field(default_factory=dict)
    source: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        bytes.fromhex(self.secret)
        if not all(number.isdecimal() for number in self.tokens):
            raise ValueError(f"tokens are of numbers, not of {', '.join(self.tokens)}.")

    def write(self, folder: Path) -> None:
        """Writes the file; it appears when it is whole."""
        with whole_file(folder / FILE_NAME) as unfinished:
            os.chmod(unfinished, 0o600)
            unfinished.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "Private":
        """What is kept in the folder of a study."""
        path = folder / FILE_NAME
        try:
            return from_mapping(cls, strict_json(path.read_text(encoding="utf-8")), str(path))
        except ValueError as error:
            raise StudyError(
                f"{path} is damaged: {error} Restore it, or remove it: answers stay, and everybody gets a new link."
            ) from error

    @property
    def public_id(self) -> str:
        """By which a page tells studies apart."""
        return hashlib.sha256(self.secret.encode()).hexdigest()[:16]

    def new_token(self, number: int) -> str:
        """A token for an annotator; the file is not written yet."""
        token = self.tokens[str(number)] = secrets.token_urlsafe(16)
        return token
