"""Trains a little and evaluates, for tests that need processes of their own.

Arguments: encoder folder, method, steps, batch size per process, file for the result (the process's number is added).
"""

import json
import sys
from pathlib import Path

import torch

from hf_fewshot import load_episodes
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments
from tests.small_episodes import first


def main() -> None:
    encoder, method, steps, batch_size, result = sys.argv[1:]
    torch.manual_seed(0)
    model, tokenizer = FewShotModel.from_encoder(encoder, method, max_length=80)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    model.config.encoder.attention_probs_dropout_prob = 0.0
    options = {"sample": True, "n_way": 3, "shots": 1, "n_query": 2}
    train = first(load_episodes("fewrel", split="train", **options), 40)
    dev = first(load_episodes("fewrel", split="validation", nota_rate=0.3, **options), 40)
    arguments = EpisodicTrainingArguments(
        output_dir="out",
        max_steps=int(steps),
        learning_rate=0.05,
        warmup_steps=0,
        optim="sgd",
        max_grad_norm=0.0,
        per_device_train_batch_size=int(batch_size),
        use_cpu=True,
        report_to="none",
        disable_tqdm=True,
        save_strategy="no",
        logging_steps=1,
    )
    trainer = EpisodicTrainer(model, arguments, processing_class=tokenizer, train_dataset=train, eval_dataset=dev)
    before = trainer.evaluate()
    trainer.train()
    after = trainer.evaluate()
    losses = [row["loss"] for row in trainer.state.log_history if "loss" in row]
    summary = {
        "num_processes": trainer.accelerator.num_processes,
        "before": before,
        "after": {name: value for name, value in after.items() if name != "epoch"},
        "losses": losses,
        "sum": float(sum(value.double().abs().sum() for value in model.state_dict().values())),
    }
    Path(f"{result}-{trainer.accelerator.process_index}.json").write_text(json.dumps(summary))


if __name__ == "__main__":
    main()
