"""How code of one's own, uploaded beside a model, is put to use elsewhere."""

import json
from collections.abc import Sequence
from typing import NamedTuple

FOLDER = "code"


class OwnMethod(NamedTuple):
    """A method or system that is not ours: by which name, as which "module:Class", for which tasks."""

    name: str
    reference: str
    tasks: tuple[str, ...] | None
    is_system: bool


def own_code_usage(repository: str, methods: Sequence[OwnMethod]) -> str:
    """Python code that downloads the source of methods and registers them; nothing where there are none."""
    if not methods:
        return ""
    used = sorted({_register(one) for one in methods})
    folder = f'snapshot_download({json.dumps(repository)}, allow_patterns="{FOLDER}/*", revision="main")'
    lines = ["import sys", "", "from huggingface_hub import snapshot_download", ""]
    lines += [f"from hf_fewshot.registry import {', '.join(used)}", "", f"folder = {folder}"]
    lines.append(f'sys.path.insert(0, f"{{folder}}/{FOLDER}")')
    for one in methods:
        tasks = "" if one.tasks is None else f", tasks={list(one.tasks)!r}"
        lines.append(f"{_register(one)}({one.name!r}, {one.reference!r}{tasks})")
    return "\n".join(lines)


def _register(one: OwnMethod) -> str:
    return "register_system" if one.is_system else "register_method"
