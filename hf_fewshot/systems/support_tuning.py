"""JointProto + Finetune: a trained model is tuned on the support set of each episode before it predicts.

Every episode begins with the same weights. They are kept in memory, so nothing is read or written between episodes; a
step takes the whole support set as one batch.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import torch
from torch import nn

from hf_fewshot.encoding.encoder_inputs import EncoderInputs
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.methods.blocks import in_parts
from hf_fewshot.methods.joint_method import JointScores
from hf_fewshot.methods.joint_prototypes import JointPrototypes, mean_losses
from hf_fewshot.methods.sentences import Sentences, SupportSums
from hf_fewshot.models.joint_batch import JointBatch
from hf_fewshot.models.joint_model import JointModel, read_episodes
from hf_fewshot.systems.joint_runner import JointRunner

OBJECTIVES = ("heads", "prototypes")


@dataclass(frozen=True)
class SupportTuning:
    """How a model is tuned on a support set.

    Args:
        steps: of AdamW, each over the whole support set.
        learning_rate: of the encoder (word embeddings stay as they are), falling linearly to zero.
        head_learning_rate: of all else.
        objective: "heads": a linear classifier per part, which begins as the plain prototypes (without names, TapNet
            and dependency) and is tuned with the encoder;
            "prototypes": the support sentences are scored by the prototypes that they make up.
        ensemble: add the scores of the tuned encoder's prototypes to those of the heads.
        dropout: on the vectors, in addition to the encoder's own.
        seed: of the dropout, the same for each episode.
    """

    steps: int = 50
    learning_rate: float = 5e-5
    head_learning_rate: float = 1e-3
    objective: str = "heads"
    ensemble: bool = False
    dropout: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise ValueError(f"objective must be one of {', '.join(OBJECTIVES)}, but is {self.objective!r}.")
        if self.steps < 1:
            raise ValueError(
                f"steps must be at least 1, but is {self.steps}. Leave out the tuning to predict without."
            )
        if self.learning_rate < 0 or self.head_learning_rate < 0 or not 0 <= self.dropout < 1:
            raise ValueError(
                f"learning_rate={self.learning_rate}, head_learning_rate={self.head_learning_rate}, dropout="
                f"{self.dropout}: rates must not be negative, and dropout must be from 0 to below 1."
            )
        if self.ensemble and self.objective != "heads":
            raise ValueError('ensemble=True needs objective="heads": there is nothing to add to the prototypes.')


class Heads(nn.Module):
    """Linear classifiers of sentences and words that begin with the scores of an episode's prototypes."""

    def __init__(self, method: JointPrototypes, support: SupportSums) -> None:
        super().__init__()
        temperature = method.log_temperature.detach().exp()
        self.linear = nn.ModuleDict()
        for part, sums, scale in (
            ("intent", support.intents, temperature[0]),
            ("slots", support.tags, temperature[1]),
        ):
            if sums is None:
                continue
            means, present = sums.prototypes
            n_classes = means.shape[1]
            # The squared distance to a prototype, less what all classes share.
            factor = 2 if method.similarity == "l2" else 1
            linear = nn.Linear(means.shape[-1], n_classes)
            linear.weight.data = factor * means[0] / scale
            linear.bias.data = (1 - factor) * means[0].square().sum(-1) / scale
            self.linear[part] = linear
            self.register_buffer(f"{part}_absent", ~present[0])

    def forward(self, query: Sentences) -> JointScores:
        """Scores of the sentences of one episode."""
        vectors = {"intent": query.means, "slots": query.words}
        scores = {
            part: linear(vectors[part]).masked_fill(getattr(self, f"{part}_absent"), -torch.inf)
            for part, linear in self.linear.items()
        }
        return JointScores(scores.get("intent"), scores.get("slots"))


class Read(NamedTuple):
    """What the encoder reads of an episode, and the parts of its support set and of its queries."""

    inputs: EncoderInputs
    supports: list[JointBatch]
    queries: list[JointBatch]


class TunedRunner(JointRunner):
    """Predicts each episode with a model tuned on its support set."""

    episodes_per_batch = 1
    encodes_once = False

    def __init__(self, tuning: SupportTuning, model: JointModel, *args: Any) -> None:
        if model.config.pairwise:
            raise ValueError("Tuning on support sets needs pairwise=False: a support sentence has no pair there.")
        super().__init__(model, *args)
        self.tuning = tuning

    def predict(self, batch: list[Episode]) -> list[list[Any]]:
        predictions = []
        for episode in batch:
            with self._from_the_start(), torch.random.fork_rng(devices=[]):
                torch.manual_seed(self.tuning.seed)
                predictions.append(self._predict_tuned(episode))
        return predictions

    @contextmanager
    def _from_the_start(self) -> Iterator[None]:
        """Weights may change inside, and are as before afterwards."""
        before = {name: weight.detach().clone() for name, weight in self._tuned_weights().items()}
        # Word embeddings would gather gradients that nobody uses, and keep them.
        fixed = self.model.encoder.get_input_embeddings().weight
        trainable = bool(fixed.requires_grad)
        try:
            with torch.inference_mode(False), torch.enable_grad():
                fixed.requires_grad_(False)
                yield
        finally:
            with torch.inference_mode(False), torch.no_grad():
                for name, weight in self._tuned_weights().items():
                    weight.copy_(before[name])
                    weight.grad = None
                fixed.requires_grad_(trainable)

    def _tuned_weights(self) -> dict[str, nn.Parameter]:
        fixed = self.model.encoder.get_input_embeddings().weight
        return {name: weight for name, weight in self.model.named_parameters() if weight is not fixed}

    def _predict_tuned(self, episode: Episode) -> list[dict[str, Any]]:
        heads = self._tune(self._read(replace(episode, query=episode.support)))
        self.model.eval()
        predictions: list[dict[str, Any]] = []
        with torch.no_grad():
            read = self._read(episode)
            rows = self.model.encode(read.inputs)
            support = self._sums(rows, read)
            for part, described in zip(self.parts_of(episode, "query"), read.queries, strict=True):
                scores, query = self.model.score_query(support, rows, described)
                if heads is not None:
                    scores = _added(heads(query), scores) if self.tuning.ensemble else heads(query)
                predictions += self.named(part, 0, scores, query)
        return predictions

    def _read(self, episode: Episode) -> Read:
        inputs, starts = self.collate.sentences([episode])
        device = self.accelerator.device
        sides = (
            [self.batcher([part], starts).to(device) for part in self.parts_of(episode, side)]
            for side in ("support", "query")
        )
        return Read(inputs.to(device), *sides)

    def _sums(self, rows: torch.Tensor, read: Read) -> SupportSums:
        return reduce(add, in_parts(self.model.read_support, [(rows, part) for part in read.supports]))

    def _loss_totals(
        self, heads: Any, support: SupportSums | None, rows: torch.Tensor, part: JointBatch
    ) -> torch.Tensor:
        """The losses (see `JointPrototypes.loss_totals`) of some sentences."""
        if support is not None:
            return self.model.method.loss_totals(*self.model.score_query(support, rows, part))
        _, query, _ = read_episodes(rows.float(), part)
        return self.model.method.loss_totals(heads(query), query)

    def _tune(self, read: Read) -> Heads | None:
        tuning, model = self.tuning, self.model
        dropout = nn.Dropout(tuning.dropout)
        heads = None
        if tuning.objective == "heads":
            model.eval()
            with torch.no_grad():
                rows = model.encode(read.inputs)
                heads = Heads(model.method, self._sums(rows, read)).to(rows.device)
        upper = [*model.method.parameters(), *(heads.parameters() if heads else [])]
        ids = {id(weight) for weight in model.method.parameters()}
        encoder = [weight for weight in self._tuned_weights().values() if id(weight) not in ids]
        optimizer = torch.optim.AdamW(
            [
                {"params": encoder, "lr": tuning.learning_rate},
                {"params": upper, "lr": tuning.head_learning_rate},
            ],
            weight_decay=0.01,
            fused=True,
        )
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, tuning.steps)
        model.train()
        for step in range(1, tuning.steps + 1):
            rows = dropout(model.encode(read.inputs))
            support = self._sums(rows, read) if heads is None else None
            parts = [(heads, support, rows, part) for part in read.queries]
            loss = mean_losses(torch.stack(in_parts(self._loss_totals, parts)).sum(0)).sum()
            if not loss.isfinite():
                raise ValueError(
                    f"Tuning on the support set came to nothing: the loss is {loss.item()} at step {step}. Lower "
                    f"its learning_rate={tuning.learning_rate} or head_learning_rate={tuning.head_learning_rate}."
                )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        return heads


def _added(one: JointScores, other: JointScores) -> JointScores:
    """The sums of the log probabilities."""
    sums = [
        None if a is None or b is None else a.log_softmax(-1) + b.log_softmax(-1)
        for a, b in ((one.intents, other.intents), (one.tags, other.tags))
    ]
    return JointScores(*sums)
