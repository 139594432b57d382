"""Trains FewJoint's methods and evaluates them on the official test domains, over seeds.

    python examples/fewjoint_methods.py --data-dir FewShotJoint --model <encoder> --output results/fewjoint

SepProto (two networks), JointProto, and JointProto after pre-training on all training utterances, each trained on
1-shot episodes; tested on 1, 3, 5 and 10 shots without transitions, with rules and with collapsed dependency transfer,
and after tuning on the support sets. Every trained model and every score is a file in the output folder: the same
command goes on where it was interrupted, and several can share the work (`--seeds`, `--methods`).
"""

import argparse
import json
import os
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator

import hf_fewshot
from hf_fewshot.evaluation.joint import merge_parts
from hf_fewshot.evaluation.support_tuning import TunedRunner
from hf_fewshot.evaluation.vectors import evaluating
from hf_fewshot.methods.transitions import TRANSITIONS
from hf_fewshot.models.few_shot_model import load_tokenizer
from hf_fewshot.models.joint_model import JointModel, JointModelConfig
from hf_fewshot.trainers.joint_pretrainer import JointPretrainer, JointPretrainingArguments
from hf_fewshot.trainers.joint_trainer import JointTrainer, JointTrainingArguments

MEASURES = ("intent_accuracy", "slot_f1", "sentence_accuracy")
# The networks of each method; those with one part are trained and predict apart.
NETWORKS = {
    "SepProto": ("intent", "slots"),
    "JointProto": ("joint",),
    "Pretrained": ("pretrained",),
    "Pretrained+JointProto": ("pretrained_joint",),
}
TUNED = hf_fewshot.SupportTuning(steps=30)


class EveryDecoder(TunedRunner):
    """Tunes once per episode, and decodes by each of the transitions that tuning does not depend on."""

    def named(self, *found: Any) -> Any:
        """The predictions by the name of the transitions."""
        decoded = {}
        for name in ("none", "rules"):
            self.model.method.transitions = TRANSITIONS[name]()
            decoded[name] = super().named(*found)
        return decoded


class Study:
    """The files of one output folder."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.output = Path(options.output)
        self.common = {"data_dir": options.data_dir}

    def arguments(self, kind: Any, seed: int, **changes: Any) -> Any:
        """Training arguments that leave no files."""
        return kind(tempfile.mkdtemp(), seed=seed, save_strategy="no", report_to="none", logging_steps=100, **changes)

    def train(self, network: str, seed: int) -> Path:
        """The folder of a trained network."""
        folder = self.output / "models" / f"{network}-{seed}"
        if (folder / "config.json").exists():
            return folder
        torch.manual_seed(seed)
        episodes = hf_fewshot.load_episodes("fewjoint", split="train", shots=1, **self.common)
        begins_pretrained = network == "pretrained_joint"
        source = self.train("pretrained", seed) if begins_pretrained else self.options.model
        if begins_pretrained:
            model, tokenizer = JointModel.from_pretrained(source), load_tokenizer(source)
        else:
            part = network if network in ("intent", "slots") else "joint"
            model, tokenizer = JointModel.from_encoder(
                source, "joint_proto", part=part, dependency=network == "joint", dropout=0.1
            )
        if network == "pretrained":
            arguments = self.arguments(
                JointPretrainingArguments, seed, num_train_epochs=self.options.pretraining_epochs, learning_rate=1e-4
            )
            JointPretrainer(model, arguments, processing_class=tokenizer, train_dataset=episodes.examples).train()
        else:
            arguments = self.arguments(
                JointTrainingArguments, seed, max_steps=self.options.steps, learning_rate=self.options.rate
            )
            JointTrainer(model, arguments, processing_class=tokenizer, train_dataset=episodes).train()
        return save(folder, model, tokenizer)

    def learn_transitions(self, network: str, seed: int) -> Path:
        """The folder of a network with collapsed dependency transfer, learned while the encoder stays as it is."""
        folder = self.output / "models" / f"{network}-cdt-{seed}"
        if (folder / "config.json").exists():
            return folder
        source = self.train(network, seed)
        plain = JointModel.from_pretrained(source)
        config = JointModelConfig.from_pretrained(source)
        config.method_options = {**config.method_options, "transitions": "cdt"}
        model = JointModel(config, plain.encoder)
        model.method.load_state_dict(plain.method.state_dict(), strict=False)  # all but the transitions
        tokenizer = load_tokenizer(source)
        episodes = hf_fewshot.load_episodes("fewjoint", split="train", shots=1, **self.common)
        arguments = self.arguments(
            JointTrainingArguments, seed, max_steps=100, head_learning_rate=3e-2, frozen_epochs=1
        )
        JointTrainer(model, arguments, processing_class=tokenizer, train_dataset=episodes).train()
        return save(folder, model, tokenizer)

    def load(self, network: str, seed: int, transitions: str) -> tuple[Any, Any]:
        """A trained network with a decoder."""
        folder = self.learn_transitions(network, seed) if transitions == "cdt" else self.train(network, seed)
        config = JointModelConfig.from_pretrained(folder)
        config.method_options = {**config.method_options, "transitions": transitions}
        return JointModel.from_pretrained(folder, config=config), load_tokenizer(folder)

    def scores(self, method: str, transitions: str, tuned: bool, shots: int, seed: int) -> dict[str, float]:
        """Test scores, from their file if they are there already."""
        name = f"{method}-{transitions}{'-tuned' if tuned else ''}-{self.options.split}-{shots}-{seed}.json"
        path = self.output / "scores" / name
        if path.exists():
            return json.loads(path.read_text())
        episodes = hf_fewshot.load_episodes("fewjoint", split=self.options.split, shots=shots, **self.common)
        parts = []
        for network in NETWORKS[method]:
            # Intents have no transitions: one network of them is enough.
            model, tokenizer = self.load(network, seed, "none" if network == "intent" else transitions)
            predict = tuned_predictions if tuned else predictions
            parts.append(predict(model, tokenizer, episodes, transitions))
        predicted = {name: [part[name] for part in parts] for name in parts[0]}
        for name, found in predicted.items():
            whole = found[0] if len(found) == 1 else merge_parts(*found)
            measured = hf_fewshot.score_episodes(episodes, whole)
            self.write(path.name.replace(f"-{transitions}", f"-{name}", 1), measured)
        return json.loads(path.read_text())

    def write(self, name: str, scores: dict[str, float]) -> None:
        """Keeps scores in percent; the file appears when it is whole."""
        path = self.output / "scores" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps({measure: 100 * scores[measure] for measure in MEASURES}))
        unfinished.rename(path)


def predictions(model: Any, tokenizer: Any, episodes: Any, transitions: str) -> dict[str, Any]:
    """Predictions by the name of the transitions."""
    return {transitions: hf_fewshot.predict_episodes(model, tokenizer, episodes, progress=False)}


def tuned_predictions(model: Any, tokenizer: Any, episodes: Any, transitions: str) -> dict[str, Any]:
    """The same after tuning on each support set; what differs in decoding alone is tuned once."""
    if transitions == "cdt":
        return {"cdt": hf_fewshot.predict_episodes(model, tokenizer, episodes, tuning=TUNED, progress=False)}
    accelerator = Accelerator()
    runner = EveryDecoder(TUNED, model, tokenizer, episodes, accelerator)
    with evaluating(model, accelerator.device), torch.inference_mode():
        found = runner.predict([episodes[number] for number in range(len(episodes))])
    return {name: [episode[name] for episode in found] for name in ("none", "rules")}


def save(folder: Path, model: Any, tokenizer: Any) -> Path:
    """Saves a model; the folder appears when it is complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
    model.save_pretrained(unfinished)
    tokenizer.save_pretrained(unfinished)
    unfinished.rename(folder)
    return folder


def row(cells: list[str], show: Callable[[str], None] = print) -> None:
    show("| " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", required=True, help="folder with FewJoint's files")
    parser.add_argument("--model", required=True, help="a Chinese encoder: Hub id or folder")
    parser.add_argument("--output", required=True, help="folder for models and scores")
    parser.add_argument("--methods", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--transitions", nargs="+", choices=("none", "rules", "cdt"), default=["none", "rules", "cdt"])
    parser.add_argument("--tuned", nargs="+", type=int, choices=(0, 1), default=[0, 1])
    parser.add_argument("--shots", nargs="+", type=int, default=[1, 3, 5, 10])
    parser.add_argument("--split", default="test")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=240, help="episodic training steps of 4 episodes")
    parser.add_argument("--rate", type=float, default=5e-5, help="learning rate of the encoder in episodic training")
    parser.add_argument("--pretraining-epochs", type=float, default=3)
    options = parser.parse_args()
    study = Study(options)
    row(["method", "transitions", "tuned", "shots", *MEASURES])
    row(["---"] * 4 + ["---:"] * len(MEASURES))
    for method in options.methods:
        for tuned in options.tuned:
            for transitions in options.transitions:
                for shots in options.shots:
                    values = defaultdict(list)
                    for seed in options.seeds:
                        for measure, value in study.scores(method, transitions, bool(tuned), shots, seed).items():
                            values[measure].append(value)
                    spread = statistics.stdev if len(options.seeds) > 1 else lambda _: 0.0
                    cells = [f"{statistics.mean(values[m]):.2f} +- {spread(values[m]):.2f}" for m in MEASURES]
                    row([method, transitions, "yes" if tuned else "no", str(shots), *cells])


if __name__ == "__main__":
    main()
