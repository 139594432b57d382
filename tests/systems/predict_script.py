"""Predicts sampled episodes with a saved encoder, for tests that need processes of their own.

Arguments: encoder folder; then, for each case: method, output folder or "-", vector folder or "-", options as JSON.
"""

import json
import sys
import time
from pathlib import Path

import torch
from accelerate import Accelerator

from hf_fewshot import make_episodes
from hf_fewshot.episodes.n_way_k2k import NWayK2K
from hf_fewshot.episodes.n_way_k_shot import NWayKShot
from hf_fewshot.episodes.scoring import score
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.systems.runner import Runner
from tests.predicted import predict_episodes
from tests.small_episodes import RELATIONS, TAGGED, episodes_of

EPISODES_PER_BATCH = Runner.episodes_per_batch


def sampled(task: str, length: int):
    """Many episodes over the few examples."""
    table = episodes_of(task, TAGGED if task == "tagging" else RELATIONS).examples
    spec = NWayK2K(2, 1) if task == "tagging" else NWayKShot(2, 1, 1, nota_rate=0.3)
    return make_episodes(table, spec, task=task, length=length, seed=3)


def build(encoder: str, method: str):
    """A model with weights that are the same in every process."""
    torch.manual_seed(0)
    representation = "words" if method in ("proto", "nnshot", "structshot") else None
    model, tokenizer = FewShotModel.from_encoder(encoder, method, representation=representation)
    if method == "structshot":
        model.method.set_transitions([row["tags"] for row in TAGGED])
    return model, tokenizer


def predict_case(accelerator: Accelerator, encoder: str, method: str, output: str, vectors: str, options: str) -> None:
    """Predicts with one method, and writes the result where the options say."""
    chosen = json.loads(options)
    model, tokenizer = build(encoder, method)
    if chosen.get("damaged"):
        model.encoder.embeddings.word_embeddings.weight.data.fill_(torch.nan)
    task = "tagging" if model.config.representation == "words" else "relation"
    episodes = sampled(task, chosen.get("length", 100))
    Runner.episodes_per_batch = chosen.get("batch", EPISODES_PER_BATCH)
    if pause := chosen.get("pause"):
        predict = Runner.predict

        def slowly(self, batch):
            time.sleep(pause)
            return predict(self, batch)

        Runner.predict = slowly
    predictions = predict_episodes(
        model,
        tokenizer,
        episodes,
        output_dir=None if output == "-" else output,
        cache_dir=None if vectors == "-" else vectors,
        accelerator=accelerator,
        encode_once=chosen.get("encode_once", True),
        progress=False,
    )
    result = {"predictions": predictions, "scores": score(episodes, predictions)}
    result["num_processes"] = accelerator.num_processes
    if "result" in chosen:
        name = f"{chosen['result']}-{accelerator.process_index}.json"
        Path(name).write_text(json.dumps(result, sort_keys=True))


def predict_alone(send: object, *case: str) -> None:
    """Predicts with one method in a process that was forked for it."""
    predict_case(Accelerator(cpu=True), *case)


def main() -> None:
    encoder, *cases = sys.argv[1:]
    accelerator = Accelerator(cpu=True)
    for first in range(0, len(cases), 4):
        predict_case(accelerator, encoder, *cases[first : first + 4])
    accelerator.end_training()


if __name__ == "__main__":
    main()
