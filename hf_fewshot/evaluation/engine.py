"""Predicts the queries of an episode set, on one process or many."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from tqdm.auto import tqdm
from transformers import PreTrainedTokenizerBase

from hf_fewshot.episodes.class_index import OUTSIDE, split_tags
from hf_fewshot.episodes.episode import Episode, EpisodeSet
from hf_fewshot.episodes.options import NOTA
from hf_fewshot.evaluation.predictions import PredictionFile
from hf_fewshot.evaluation.vectors import Vectors, encode_examples, evaluating, fingerprint
from hf_fewshot.methods.method import Method
from hf_fewshot.models.episode_batch import EpisodeBatcher, plain_examples
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.pairs import pair_inputs
from hf_fewshot.schemas import LABEL_COLUMN

EPISODES_PER_BATCH = 32


def predict_episodes(
    model: FewShotModel,
    tokenizer: PreTrainedTokenizerBase,
    episodes: EpisodeSet,
    *,
    output_dir: str | Path | None = None,
    cache_dir: str | Path | None = None,
    accelerator: Accelerator | None = None,
    encode_once: bool = True,
    progress: bool = True,
) -> list[list[Any]]:
    """The predictions of every episode: for each query a class name (or "NOTA"), or its list of tags.

    Args:
        output_dir: predictions are written there as they come; the same call after an interruption goes on from them.
            Predictions of other episodes, another method or other weights are an error.
        cache_dir: folder for vectors of examples (see `encode_examples`).
        accelerator: batches of episodes are dealt out to its processes; all get all predictions.
        encode_once: encode every distinct example once before the episodes. Otherwise each episode encodes its own, as
            the original implementations do; methods that encode pairs always do.
        progress: show a progress bar.
    """
    accelerator = accelerator or Accelerator()
    runner = Runner(model, tokenizer, episodes, accelerator, progress)
    run: dict[str, Any] = {}
    done: dict[int, list[Any]] = {}
    if output_dir is not None:
        run = {"episodes": episodes.fingerprint, "n_episodes": len(episodes), "method": model.config.method}
        run |= {"model": fingerprint(model, model, tokenizer), "precision": accelerator.mixed_precision}
        for path in sorted(Path(output_dir).glob("predictions-*.jsonl")):
            done |= PredictionFile(path, run).read()
    accelerator.wait_for_everyone()
    todo = [index for index in range(len(episodes)) if index not in done]
    if todo and encode_once and model.config.representation != "pair":
        # What is kept on disk is the same before and after an interruption: it must be found again.
        kept = cache_dir is not None or accelerator.num_processes > 1
        runner.encode_all(range(len(episodes)) if kept else todo, cache_dir)
    deal = [todo[i : i + EPISODES_PER_BATCH] for i in range(0, len(todo), EPISODES_PER_BATCH)]
    mine: dict[int, list[Any]] = {}
    own = deal[accelerator.process_index :: accelerator.num_processes]
    bar = tqdm(total=sum(map(len, own)), unit="episode", desc="predict", disable=not progress)
    with bar, evaluating(model, accelerator.device), torch.inference_mode(), accelerator.autocast():
        for numbers in own:
            predicted = dict(zip(numbers, runner.predict([episodes[number] for number in numbers]), strict=True))
            if output_dir is not None:
                rows = ({"index": n, "ids": runner.query_ids(n), "predictions": p} for n, p in predicted.items())
                PredictionFile(_path(output_dir, accelerator.process_index), run).append(rows)
            mine |= predicted
            bar.update(len(numbers))
    if accelerator.num_processes > 1:
        for index, predicted_there in gather_object(list(mine.items())):
            done[index] = predicted_there
    else:
        done |= mine
    return [done[index] for index in range(len(episodes))]


def _path(folder: str | Path, process: int) -> Path:
    return Path(folder) / f"predictions-{process}.jsonl"


class Runner:
    """Predicts batches of episodes of one set with one model."""

    def __init__(
        self,
        model: FewShotModel,
        tokenizer: PreTrainedTokenizerBase,
        episodes: EpisodeSet,
        accelerator: Accelerator,
        progress: bool = False,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.episodes = episodes
        self.accelerator = accelerator
        self.progress = progress
        self.batcher = EpisodeBatcher(episodes, model.config.representation)
        self.vectors: Vectors | None = None
        self.starts = self.batcher.starts

    def query_ids(self, number: int) -> list[str]:
        """The ids of an episode's queries."""
        return [self.episodes.example_ids[row] for row in self.episodes[number].query]

    def encode_all(self, numbers: Sequence[int], cache_dir: str | Path | None) -> None:
        """Encodes every example of these episodes once."""
        used = sorted({row for n in numbers for row in chain(self.episodes[n].support, self.episodes[n].query)})
        if used:
            self.vectors, self.starts = self._encode(used, cache_dir)

    def _encode(
        self, used: list[int], cache_dir: str | Path | None = None, alone: bool = False
    ) -> tuple[Vectors, np.ndarray]:
        examples = plain_examples(self.episodes.examples, used)
        vectors = encode_examples(
            self.model,
            self.tokenizer,
            examples,
            accelerator=self.accelerator,
            cache_dir=cache_dir,
            progress=self.progress and not alone,
            alone=alone,
        )
        starts = np.zeros(len(self.batcher.lengths), dtype=np.int64)
        starts[used] = vectors.offsets[:-1]
        return vectors, starts

    def predict(self, batch: list[Episode]) -> list[list[Any]]:
        """The predictions of some episodes."""
        if self.model.config.representation == "pair":
            return [self._named(episode, _sound(self._score_pairs(episode))[0]) for episode in batch]
        if self.vectors is None:
            return [self._named(episode, _sound(self._score_alone(episode))[0]) for episode in batch]
        scores = _sound(self._score(self.vectors, self.batcher(batch, self.starts)))
        return [self._named(episode, one) for episode, one in zip(batch, scores, strict=True)]

    def _score(self, vectors: Vectors, tensors: dict[str, Any]) -> torch.Tensor:
        device, method = self.accelerator.device, self.model.method
        # Half precision is for the encoder only (see FewShotModel.score).
        with torch.autocast(device.type, enabled=False):
            support = method.transform(vectors.take(tensors["support_rows"].numpy()).to(device))
            query = method.transform(vectors.take(tensors["query_rows"].numpy()).to(device))
            return method(support, tensors["support_labels"].to(device), query, tensors["n_classes"]).float().cpu()

    def _score_alone(self, episode: Episode) -> torch.Tensor:
        """The plain way: encodes the examples of one episode, then forgets them."""
        used = sorted({*episode.support, *episode.query})
        vectors, starts = self._encode(used, alone=True)
        return self._score(vectors, self.batcher([episode], starts))

    def _score_pairs(self, episode: Episode) -> torch.Tensor:
        inputs = pair_inputs(self.model, self.tokenizer, self.episodes.examples, [episode])
        tensors = self.batcher([episode])
        device = self.accelerator.device
        output = self.model(
            **{name: value.to(device) for name, value in inputs.items()},
            support_rows=tensors["support_rows"],
            support_labels=tensors["support_labels"].to(device),
            n_classes=tensors["n_classes"],
        )
        return output.logits.float().cpu()

    def _named(self, episode: Episode, scores: torch.Tensor) -> list[Any]:
        """Scores (query rows, classes) as class names, or as lists of tags."""
        names = np.array(self.batcher.names(episode, NOTA), dtype=object)
        lengths = self.batcher.lengths[list(episode.query)]
        scores = scores[: int(lengths.sum())]
        # Classes of larger episodes in the batch have no support here, and decoders must not see them.
        n_classes = len(self.batcher.classes(episode)) + self.batcher.by_word
        none = [scores.shape[1] - 1] if self.model.method.nota else []
        scores = scores[:, [*range(n_classes), *none]]
        if not self.batcher.by_word:
            return names[scores.argmax(-1).numpy()].tolist()
        tags = names[self._decode(scores, lengths)]
        return [part.tolist() for part in np.split(tags, np.cumsum(lengths)[:-1])]

    def _decode(self, scores: torch.Tensor, lengths: np.ndarray) -> np.ndarray:
        if type(self.model.method).decode is Method.decode:
            return scores.argmax(-1).numpy()
        sentences = torch.nn.utils.rnn.pad_sequence(list(scores.split(lengths.tolist())), batch_first=True)
        decoded = self.model.method.decode(sentences, torch.from_numpy(lengths))
        return np.concatenate([row[:n].numpy() for row, n in zip(decoded, lengths, strict=True)])


def _sound(scores: torch.Tensor) -> torch.Tensor:
    """Scores that are numbers; -inf stands for a class without support."""
    if scores.isnan().any():
        raise ValueError("The scores are NaN: the weights of the model are damaged. Load them again.")
    return scores


def references(episodes: EpisodeSet) -> Iterator[list[Any]]:
    """What would be right, in the form of predictions: class names, or tags without B- and I-.

    A query of a class that its episode does not have is "NOTA"; an entity of a type that it does not have is O. So it
    is in training, and in Few-NERD, where types of other splits are O.
    """
    if episodes.task not in LABEL_COLUMN:
        raise ValueError(
            f"Episodes of task {episodes.task!r} have no references of one kind. Score their parts apart."
        )
    values = episodes.examples[LABEL_COLUMN[episodes.task]][:]
    if episodes.task == "tagging":
        distinct = sorted({tag for tags in values for tag in tags})
        types = dict(zip(distinct, split_tags(distinct)[0], strict=True))
        for episode in episodes:
            known = {tag: name if name in episode.classes else OUTSIDE for tag, name in types.items()}
            yield [[known[tag] for tag in values[row]] for row in episode.query]
        return
    for episode in episodes:
        yield [values[row] if values[row] in episode.classes else NOTA for row in episode.query]
