"""Learners in folders: an encoder with its tokenizer, `learner.json`, `heads.safetensors`, `examples.jsonl`."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from huggingface_hub import snapshot_download
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from transformers import PreTrainedTokenizerBase

from hf_fewshot.files.from_mapping import from_mapping
from hf_fewshot.files.strict_json import strict_json
from hf_fewshot.files.whole_folder import whole_folder
from hf_fewshot.learning.features import Features
from hf_fewshot.learning.fitted import Fitted, NoneRule, Support
from hf_fewshot.learning.options import LearnerOptions, Tuning
from hf_fewshot.learning.parts import Part
from hf_fewshot.methods.logistic import LinearHead
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.tasks import task_of

LEARNER, HEADS, EXAMPLES = "learner.json", "heads.safetensors", "examples.jsonl"
FORMAT = 1


class SavedLearner(NamedTuple):
    """What a folder holds."""

    model: FewShotModel
    tokenizer: PreTrainedTokenizerBase
    task: str
    options: LearnerOptions
    fitted: Fitted


def write_learner(
    folder: Path,
    model: FewShotModel,
    tokenizer: PreTrainedTokenizerBase,
    task: str,
    options: LearnerOptions,
    fitted: Fitted,
) -> None:
    """Writes a folder, which appears when it is whole; one that holds something already is an error."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is there already. Give a new folder, or remove it first.")
    content = {
        "format": FORMAT,
        "task": task,
        "options": asdict(options),
        "classes": {part.column.name: list(part.classes) for part in fitted.parts},
        "thresholds": {
            part.column.name: rule.threshold for part, rule in zip(fitted.parts, fitted.none, strict=True) if rule
        },
    }
    with whole_folder(folder, "the learner") as unfinished:
        model.save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)
        save_file(_tensors(fitted), unfinished / HEADS)
        (unfinished / LEARNER).write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        if fitted.support is not None:
            lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in fitted.support.examples]
            (unfinished / EXAMPLES).write_text("".join(lines), encoding="utf-8")


def _tensors(fitted: Fitted) -> dict[str, torch.Tensor]:
    found: dict[str, torch.Tensor] = {}
    for part, head, rule in zip(fitted.parts, fitted.heads, fitted.none, strict=True):
        found |= {f"{part.column.name}.weight": head.weight, f"{part.column.name}.bias": head.bias}
        if rule is not None:
            found[f"{part.column.name}.means"] = rule.means
    if fitted.support is not None:
        found["support.rows"] = fitted.support.features.rows
        found["support.offsets"] = torch.from_numpy(fitted.support.features.offsets)
    return {name: tensor.detach().cpu().clone().contiguous() for name, tensor in found.items()}


def read_learner(name_or_path: str | Path) -> SavedLearner:
    """A learner from a folder or from the Hub; whatever is damaged is an error in words."""
    folder = Path(name_or_path)
    if not folder.is_dir():
        folder = Path(snapshot_download(str(name_or_path), ignore_patterns=["*.bin", "*.pt", "*.py"]))
    if not (folder / LEARNER).is_file():
        raise ValueError(f"{name_or_path} holds no {LEARNER}: it is no saved learner. Fit one and save it.")
    try:
        content = strict_json((folder / LEARNER).read_bytes())
        if content.get("format") != FORMAT:
            raise ValueError(f"expected format {FORMAT}, got {content.get('format')!r}")
        tensors = load_file(folder / HEADS)
        fitted = _fitted(content, tensors, _examples(folder / EXAMPLES))
        options = _options(content["options"])
    except (AttributeError, KeyError, OSError, SafetensorError, TypeError, ValueError) as error:
        raise ValueError(
            f"The learner in {name_or_path} cannot be loaded: {error}. Its files are damaged or of another version; "
            "save it again."
        ) from error
    model = FewShotModel.from_pretrained(folder)
    if fitted.heads[0].weight.shape[1] != model.method.dim:
        raise ValueError(
            f"The heads in {name_or_path} are of {fitted.heads[0].weight.shape[1]} numbers, but the encoder has "
            f"{model.method.dim}: the files are of two learners."
        )
    return SavedLearner(model, load_tokenizer(folder), content["task"], options, fitted)


def _options(content: Mapping[str, Any]) -> LearnerOptions:
    given = content["tuning"]
    tuning = None if given is None else from_mapping(Tuning, given, "The tuning of the learner")
    return LearnerOptions(**{**content, "tuning": tuning})


def _examples(file: Path) -> list[dict[str, Any]] | None:
    if not file.is_file():
        return None
    return [strict_json(line) for line in file.read_bytes().splitlines() if line.strip()]


def _fitted(
    content: Mapping[str, Any], tensors: Mapping[str, torch.Tensor], examples: list[dict[str, Any]] | None
) -> Fitted:
    parts, heads, rules = [], [], []
    for column in task_of(content["task"]).class_columns:
        name = column.name
        part = Part(column, tuple(content["classes"][name]))
        head = LinearHead(tensors[f"{name}.weight"], tensors[f"{name}.bias"])
        if len(part.classes) != len(head.weight) or len(head.weight) != len(head.bias):
            raise ValueError(f"{len(part.classes)} classes of {name}, but a head of {len(head.weight)}")
        threshold = content["thresholds"].get(name)
        rules.append(None if threshold is None else NoneRule(tensors[f"{name}.means"], float(threshold)))
        parts.append(part)
        heads.append(head)
    support = None
    if examples is not None:
        features = Features(tensors["support.rows"], tensors["support.offsets"].numpy().astype(np.int64))
        if len(features.offsets) != len(examples) + 1 or features.offsets[-1] != len(features.rows):
            raise ValueError(f"{len(examples)} examples, but vectors of {len(features.offsets) - 1}")
        support = Support(examples, features)
    return Fitted(tuple(parts), heads, rules, support)
