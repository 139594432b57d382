"""Trains on newly drawn episodes and writes which a process saw, for tests that need processes of their own.

Arguments: encoder folder, file for the result (the process's number is added).
"""

import json
import sys
from pathlib import Path

import torch

from hf_fewshot import load_episodes
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments


def main() -> None:
    encoder, result = sys.argv[1:]
    torch.manual_seed(0)
    model, tokenizer = FewShotModel.from_encoder(encoder, "threshold", max_length=80)
    train = load_episodes("fewrel", split="train", sample=True, n_way=3, shots=1, n_episodes=4)
    arguments = EpisodicTrainingArguments(
        output_dir="out",
        num_train_epochs=3,
        fresh_episodes=True,
        per_device_train_batch_size=1,
        use_cpu=True,
        report_to="none",
        disable_tqdm=True,
        save_strategy="no",
    )
    trainer = EpisodicTrainer(model, arguments, processing_class=tokenizer, train_dataset=train)
    number = {train.make(n): n for n in range(12)}
    seen, collate = [], trainer.data_collator

    def note(batch):
        seen.extend(number[episode] for episode in batch)
        return collate(batch)

    trainer.data_collator = note
    trainer.train()
    Path(f"{result}-{trainer.accelerator.process_index}.json").write_text(json.dumps(seen))


if __name__ == "__main__":
    main()
