"""Tunes an encoder on labelled examples, with heads that begin as their prototypes."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
import torch
from torch import nn

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.encoding.inputs import Inputs
from hf_fewshot.learning.example_encoder import ExampleEncoder, some
from hf_fewshot.learning.features import Features
from hf_fewshot.learning.heads import class_means
from hf_fewshot.learning.options import Tuning
from hf_fewshot.learning.parts import Part
from hf_fewshot.models.encoder_layers import encoder_layers
from hf_fewshot.progress import bar


class Target:
    """The classes of a part, and a head that begins as their prototypes."""

    def __init__(self, part: Part, examples: Sequence[Mapping[str, Any]], features: Features) -> None:
        vectors = features.of(part.column)
        self.column = part.column
        self.offsets = features.offsets
        self.labels = torch.from_numpy(part.targets(examples)).to(vectors.device)
        self.head = nn.Parameter(class_means(vectors, self.labels, len(part.classes)))

    def loss(self, features: Features, numbers: np.ndarray, scale: float) -> torch.Tensor:
        """The mean cross-entropy of some examples, or of their words, whose vectors are given."""
        cosines = features.of(self.column) @ nn.functional.normalize(self.head, dim=-1).T
        return nn.functional.cross_entropy(scale * cosines, self.labels[self._places(numbers)])

    def _places(self, numbers: np.ndarray) -> torch.Tensor:
        places = numbers
        if self.column.is_tags:
            places = np.concatenate([np.arange(self.offsets[n], self.offsets[n + 1]) for n in numbers])
        return torch.from_numpy(places).to(self.labels.device)


def tune(
    encode: ExampleEncoder,
    examples: Sequence[dict[str, Any]],
    parts: Sequence[Part],
    tuning: Tuning,
    *,
    n_own: int,
    progress: bool = False,
) -> None:
    """Changes the encoder so that examples are near those of their classes.

    Args:
        n_own: how many of the examples decide the number of steps; the others are names of classes.
    """
    labels = [part for part in parts if not part.column.is_tags]
    n_steps = tuning.n_steps(n_own - sum(len(part.classes) for part in labels if len(parts) == 1))
    if n_steps == 0:
        return
    model, inputs = encode.model, encode.read(examples)
    with torch.no_grad():
        features = encode.features(inputs)
    targets = [Target(part, examples, features) for part in parts]
    optimizer, schedule = _optimizer(_learning(model.encoder, tuning.share), targets, tuning, n_steps)
    model.train()
    try:
        with torch.random.fork_rng(devices=[]), torch.inference_mode(False), torch.enable_grad():
            torch.manual_seed(tuning.seed)
            drawn = batches(_balanced_by(targets, len(examples)), tuning.batch_size, n_steps, tuning.seed)
            for step, numbers in enumerate(bar(drawn, total=n_steps, desc="tune", shown=progress), start=1):
                rows, offsets = _encoded(encode, some(inputs, numbers))
                own = Features(rows, offsets)
                loss = torch.stack([target.loss(own, numbers, tuning.scale) for target in targets]).sum()
                if not loss.isfinite():
                    raise ValueError(
                        f"Tuning came to nothing: the loss is {loss.item()} at step {step}. Lower "
                        f"learning_rate={tuning.learning_rate} or head_learning_rate={tuning.head_learning_rate}."
                    )
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
    finally:
        for weight in model.encoder.parameters():
            weight.requires_grad_(True)
            weight.grad = None
        model.eval()


def _learning(encoder: Any, share: float) -> list[nn.Parameter]:
    """The weights of the last layers; all others are held fast, and cost no backward pass."""
    layers = encoder_layers(encoder, 'It cannot be tuned: take head="logistic", or another encoder.')
    chosen = ceil(share * len(layers))
    found = [weight for layer in layers[len(layers) - chosen :] for weight in layer.parameters()]
    for weight in encoder.parameters():
        weight.requires_grad_(False)
    for weight in found:
        weight.requires_grad_(True)
    return found


def _encoded(encode: ExampleEncoder, inputs: Inputs) -> tuple[torch.Tensor, np.ndarray]:
    read = EncoderInputs.padded(inputs, encode.padding).to(encode.model.device)
    return encode.model.encode(read).float(), inputs.offsets


def _optimizer(
    encoder: list[nn.Parameter], targets: Sequence[Target], tuning: Tuning, n_steps: int
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    groups: list[dict[str, Any]] = [
        {"params": encoder, "lr": tuning.learning_rate},
        {"params": [target.head for target in targets], "lr": tuning.head_learning_rate},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    rise = max(1, n_steps // 10)

    def rate(step: int) -> float:
        return min((step + 1) / rise, (n_steps - step) / max(1, n_steps - rise))

    return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, rate)


def _balanced_by(targets: Sequence[Target], n_examples: int) -> np.ndarray:
    """The classes that each step shows alike: labels where there are any; of tags alone, none."""
    labels = [target.labels.cpu().numpy() for target in targets if not target.column.is_tags]
    return labels[0] if labels else np.zeros(n_examples, dtype=np.int64)


def batches(classes: np.ndarray, size: int, n_steps: int, seed: int) -> Iterator[np.ndarray]:
    """The numbers of the examples of each step: each example as often as the others, classes in turn."""
    rng = np.random.default_rng(seed)
    size = min(size, len(classes))
    waiting: list[int] = []
    for _ in range(n_steps):
        if len(waiting) < size:
            waiting += _in_turn(classes, rng)
        yield np.array(waiting[:size])
        waiting = waiting[size:]


def _in_turn(classes: np.ndarray, rng: np.random.Generator) -> list[int]:
    """All numbers once, in random order, but so that each stretch has all classes as evenly as can be."""
    order = rng.permutation(len(classes))
    turns = np.empty(len(classes))
    for name in np.unique(classes):
        own = order[classes[order] == name]
        turns[own] = (np.arange(len(own)) + rng.random(len(own))) / len(own)
    return np.argsort(turns, kind="stable").tolist()
