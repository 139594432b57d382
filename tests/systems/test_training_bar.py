import re

import torch
from transformers import Trainer, TrainingArguments

from hf_fewshot.systems.training_bar import use_training_bar


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))

    def forward(self, x):
        return {"loss": (self.weight * x).sum()}


def train(folder, disable_tqdm):
    arguments = TrainingArguments(
        str(folder),
        max_steps=4,
        logging_steps=2,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        disable_tqdm=disable_tqdm,
    )
    trainer = Trainer(Model(), arguments, train_dataset=[{"x": torch.ones(2)}] * 20)
    use_training_bar(trainer)
    trainer.train()


def test_a_training_has_one_bar_with_the_loss_and_prints_no_lines(tmp_path, capsys):
    train(tmp_path, disable_tqdm=False)
    output, bar = capsys.readouterr()
    assert output == ""
    assert re.search(r"train: 100%\|.*\| 4/4 \[.*, loss=12", bar)


def test_without_progress_there_is_no_bar(tmp_path, capsys):
    train(tmp_path, disable_tqdm=True)
    assert capsys.readouterr() == ("", "")
