"""Predicts the queries of an episode set, on one process or many."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from tqdm.auto import tqdm
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.vectors import evaluating, fingerprint
from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.systems.episode_runner import EpisodeRunner
from hf_fewshot.systems.joint_runner import JointRunner
from hf_fewshot.systems.prediction_file import PredictionFile
from hf_fewshot.systems.runner import Runner
from hf_fewshot.systems.support_tuning import SupportTuning, TunedRunner


def predict_episodes(
    model: FewShotModel | JointModel,
    tokenizer: PreTrainedTokenizerBase,
    episodes: EpisodeSet,
    *,
    output_dir: str | Path | None = None,
    cache_dir: str | Path | None = None,
    accelerator: Accelerator | None = None,
    encode_once: bool = True,
    tuning: SupportTuning | None = None,
    progress: bool = True,
) -> list[list[Any]]:
    """The predictions of every episode, in order of its queries.

    A query's prediction is a class name (or "NOTA"), its list of tags, or for joint episodes
    `{"intent": name, "slot_tags": [tags]}`.

    Args:
        output_dir: predictions are written there as they come; the same call after an interruption goes on from them.
            Predictions of other episodes, another method or other weights are an error.
        cache_dir: folder for vectors of examples (see `encode_examples`).
        accelerator: batches of episodes are dealt out to its processes; all get all predictions.
        encode_once: encode every distinct example once before the episodes. Otherwise each episode encodes its own, as
            the original implementations do; methods that encode pairs always do.
        tuning: tune a joint model on the support set of each episode first.
        progress: show a progress bar.
    """
    accelerator = accelerator or Accelerator()
    runner = runner_for(model, tokenizer, episodes, accelerator, progress, tuning)
    run: dict[str, Any] = {}
    done: dict[int, list[Any]] = {}
    if output_dir is not None:
        run = {"episodes": episodes.fingerprint, "n_episodes": len(episodes), "method": model.config.method}
        run |= {"model": fingerprint(model, model, tokenizer), "precision": accelerator.mixed_precision}
        # Options without weights change predictions too.
        run["options"] = {**(model.config.method_options or {})}
        run["options"] |= {name: getattr(model.config, name) for name in model.config.OWN_OPTIONS}
        if tuning is not None:
            run["tuning"] = asdict(tuning)
        for path in sorted(Path(output_dir).glob("predictions-*.jsonl")):
            done |= PredictionFile(path, run).read()
    accelerator.wait_for_everyone()
    todo = [index for index in range(len(episodes)) if index not in done]
    if todo and encode_once and runner.encodes_once:
        # What is kept on disk is the same before and after an interruption: it must be found again.
        kept = cache_dir is not None or accelerator.num_processes > 1
        runner.encode_all(range(len(episodes)) if kept else todo, cache_dir)
    size = runner.episodes_per_batch
    deal = [todo[i : i + size] for i in range(0, len(todo), size)]
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


def runner_for(
    model: FewShotModel | JointModel,
    tokenizer: PreTrainedTokenizerBase,
    episodes: EpisodeSet,
    accelerator: Accelerator,
    progress: bool = False,
    tuning: SupportTuning | None = None,
) -> EpisodeRunner:
    """What predicts the episodes of a set with this kind of model."""
    if not isinstance(model, JointModel):
        if tuning is not None:
            raise ValueError(f"Tuning on support sets needs a JointModel, got a {type(model).__name__}.")
        return Runner(model, tokenizer, episodes, accelerator, progress)
    if tuning is not None:
        return TunedRunner(tuning, model, tokenizer, episodes, accelerator, progress)
    return JointRunner(model, tokenizer, episodes, accelerator, progress)


def _path(folder: str | Path, process: int) -> Path:
    return Path(folder) / f"predictions-{process}.jsonl"
