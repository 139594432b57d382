"""Repositories with records on the stand-in, as `push` leaves them."""

import json
from typing import Any

from hf_fewshot.runs.record import Record
from tests.hub.stand_in import HubServer


def publish(hub: HubServer, repository: str, *records: Record, private: bool = False, **files: Any) -> str:
    """A repository with records as `push` leaves them, and other files; its newest commit."""
    name = f"models/{repository}"
    if not hub.storage.exists(name):
        hub.storage.create(name, private=private)
    contents = {}
    for one in records:
        content = {key: value for key, value in vars(one).items() if key != "origin"} | {"run": one.run.written}
        contents[f"records/{one.run.name}/record.json"] = json.dumps(content).encode()
    contents |= {path: text.encode() for path, text in files.items()}
    return hub.storage.commit(name, contents, {}, [], "results")
