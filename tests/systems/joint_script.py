"""Predicts joint episodes with tuning, for tests that need processes of their own.

Arguments: encoder folder, output folder or "-", file for the result (the process's number is added), tuning as JSON.
"""

import json
import sys
from pathlib import Path

import torch
from accelerate import Accelerator

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.models.joint_model import JointModel
from hf_fewshot.systems.support_tuning import SupportTuning
from tests.predicted import predict_episodes
from tests.small_episodes import JOINT, episodes_of

INTENTS = ("intent:lives", "intent:works", "intent:born")
SLOTS = ("slot:person", "slot:place", "slot:org")


def many(length: int = 5):
    """Episodes with each of some utterances as a query."""
    supports = [(0, 1), (2, 1), (0, 3, 6), (4, 1), (5, 6)]
    made = []
    for number in range(length):
        support = supports[number % len(supports)]
        intents = {f"intent:{JOINT[i]['intent']}" for i in support}
        slots = {f"slot:{tag[2:]}" for i in support for tag in JOINT[i]["slot_tags"] if tag != "O"}
        classes = [name for name in (*INTENTS, *SLOTS) if name in intents | slots]
        query = tuple(i for i in range(len(JOINT)) if i not in support)
        made.append(Episode(tuple(classes), support, query, f"d{number}"))
    return episodes_of("joint", JOINT, *made)


def build(encoder, **options):
    """A model with weights that are the same in every process."""
    torch.manual_seed(0)
    return JointModel.from_encoder(encoder, "joint_proto", **options)


def without_dropout(model):
    """The model as it is, but for dropout: that of an encoder with random weights is all noise."""
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    model.config.encoder.attention_probs_dropout_prob = 0.0
    return model


def main() -> None:
    encoder, output, result, options = sys.argv[1:]
    model, tokenizer = build(encoder, transitions="cdt")
    accelerator = Accelerator(cpu=True)
    chosen = json.loads(options)
    predictions = predict_episodes(
        model,
        tokenizer,
        many(),
        output_dir=None if output == "-" else output,
        accelerator=accelerator,
        tuning=SupportTuning(**chosen) if chosen else None,
        progress=False,
    )
    found = {"predictions": predictions, "num_processes": accelerator.num_processes}
    Path(f"{result}-{accelerator.process_index}.json").write_text(json.dumps(found))
    accelerator.end_training()


if __name__ == "__main__":
    main()
