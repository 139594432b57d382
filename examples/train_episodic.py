"""Trains few-shot methods on episodes and reports mean and standard deviation over seeds.

    python examples/train_episodic.py entities --data-dir Few_TK --model <encoder> --method proto
    python examples/train_episodic.py relations --data-dir FewRel --model <encoder> --method mnav threshold

`entities` trains on sampled 5-way 1-shot episodes of the train split of few_nerd/inter and compares the validation F1
with that of the frozen encoder. `relations` splits the 16 relations of FewRel's val_wiki into 9 for training and 7 for
test, half of the queries have none of the relations; always answering "none" is the trivial baseline.
"""

import argparse
import statistics
import tempfile
from typing import Any

import numpy as np

import hf_fewshot
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments

N_TRAIN_RELATIONS = 9


def train(
    model: Any, tokenizer: Any, episodes: Any, steps: int, batch: int, rate: float, head_rate: float | None, seed: int
) -> None:
    """Trains in place for a number of steps."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = EpisodicTrainingArguments(
            folder,
            max_steps=steps,
            per_device_train_batch_size=batch,
            learning_rate=rate,
            head_learning_rate=head_rate,
            seed=seed,
            save_strategy="no",
            logging_steps=max(steps // 5, 1),
            report_to="none",
            disable_tqdm=True,
        )
        EpisodicTrainer(model, arguments, processing_class=tokenizer, train_dataset=episodes).train()


def scores(model: Any, tokenizer: Any, episodes: Any) -> dict[str, float]:
    """The task's scores, in percent."""
    predictions = hf_fewshot.predict_episodes(model, tokenizer, episodes, progress=False)
    found = hf_fewshot.score_episodes(episodes, predictions)
    return {name: 100 * found[name] for name in ("f1", "accuracy", "precision", "recall")}


def entities(options: argparse.Namespace, method: str, seed: int) -> dict[str, dict[str, float]]:
    """Validation scores of the frozen and of the trained encoder on the same episodes."""
    common = {"n_way": 5, "shots": 1, "data_dir": options.data_dir, "episodes": "sampled"}
    training = hf_fewshot.load_episodes(
        "few_nerd", "inter", split="train", n_episodes=options.steps * options.batch, seed=seed, **common
    )
    validation = hf_fewshot.load_episodes("few_nerd", "inter", split="validation", n_episodes=500, seed=1234, **common)
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(
        options.model,
        method,
        layers=options.layers,
        max_length=128,
        dropout=options.dropout,
        temperature=options.temperature,
    )
    frozen = scores(model, tokenizer, validation)
    train(model, tokenizer, training, options.steps, options.batch, options.rate, options.head_rate, seed)
    return {"frozen": frozen, "trained": scores(model, tokenizer, validation)}


def relations(options: argparse.Namespace, method: str, seed: int) -> dict[str, dict[str, float]]:
    """Test scores after training, half of the queries none-of-the-above."""
    table = hf_fewshot.load_dataset("fewrel", data_dir=options.data_dir, split="validation")
    names = np.random.default_rng(0).permutation(sorted(set(table["relation"]))).tolist()
    of_training = set(names[:N_TRAIN_RELATIONS])
    in_training = [name in of_training for name in table["relation"]]
    parts = {
        part: table.select([i for i, inside in enumerate(in_training) if inside == part]) for part in (True, False)
    }
    spec = hf_fewshot.NWayKShot(5, 1, 1, nota_rate=0.5)
    length = options.steps * options.batch
    training = hf_fewshot.make_episodes(parts[True], spec, task="relation", length=length, seed=seed)
    test = hf_fewshot.make_episodes(parts[False], spec, task="relation", length=2000, seed=1234)
    model, tokenizer = hf_fewshot.FewShotModel.from_encoder(options.model, method, max_length=128)
    train(model, tokenizer, training, options.steps, options.batch, options.rate, options.head_rate, seed)
    none = hf_fewshot.score_episodes(test, [["NOTA"] * len(episode.query) for episode in test])
    return {
        "always none": {"f1": 100 * none["f1"], "accuracy": 100 * none["accuracy"]},
        method: scores(model, tokenizer, test),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("entities", "relations"))
    parser.add_argument("--data-dir", required=True, help="folder with the authors' files")
    parser.add_argument("--model", required=True, help="an encoder: Hub id or folder")
    parser.add_argument("--method", nargs="+", default=["proto"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=2, help="episodes per step")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--head-rate", type=float, help="learning rate of the method's own parameters")
    parser.add_argument("--layers", type=int, default=4, help="last layers added up (entities)")
    parser.add_argument("--temperature", type=float, default=1.0, help="what scores are divided by (entities)")
    parser.add_argument("--dropout", type=float, default=0.1)
    options = parser.parse_args()
    run = entities if options.task == "entities" else relations
    for method in options.method:
        results: dict[str, dict[str, list[float]]] = {}
        for seed in options.seeds:
            for name, found in run(options, method, seed).items():
                for measure, value in found.items():
                    results.setdefault(name, {}).setdefault(measure, []).append(value)
            print(
                method,
                "seed",
                seed,
                {n: {m: round(v[-1], 2) for m, v in r.items()} for n, r in results.items()},
                flush=True,
            )
        for name, measures in results.items():
            for measure, values in measures.items():
                spread = statistics.stdev(values) if len(values) > 1 else 0.0
                print(f"{method} / {name}: {measure} {statistics.mean(values):.2f} +- {spread:.2f}")


if __name__ == "__main__":
    main()
