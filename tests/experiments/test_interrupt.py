import os
import signal

import pytest
import torch
from transformers import Trainer, TrainingArguments

from hf_fewshot.experiments.interrupt import interruptible


class Model(torch.nn.Module):
    """Two numbers; at a step the interrupt key is pressed, and the interrupt is swallowed as in a destructor."""

    def __init__(self, press_at):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))
        self.press_at = press_at
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        if self.steps == self.press_at:
            try:
                os.kill(os.getpid(), signal.SIGINT)
                signal.pthread_sigmask(signal.SIG_BLOCK, [])  # the handler runs before this call returns
            except KeyboardInterrupt:
                pass
        return {"loss": (self.weight * x).sum()}


@pytest.fixture
def trainer(tmp_path):
    def make(press_at):
        arguments = TrainingArguments(
            str(tmp_path),
            max_steps=10,
            per_device_train_batch_size=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        return Trainer(Model(press_at), arguments, train_dataset=[{"x": torch.ones(2)}] * 20)

    return make


def test_an_interrupt_that_a_library_swallowed_ends_the_training_after_the_step(trainer):
    before = signal.getsignal(signal.SIGINT)
    own = trainer(press_at=3)
    with pytest.raises(KeyboardInterrupt), interruptible(own):
        own.train()
    assert own.model.steps == 3
    assert signal.getsignal(signal.SIGINT) is before


def test_without_an_interrupt_nothing_changes(trainer):
    before = signal.getsignal(signal.SIGINT)
    own = trainer(press_at=None)
    names = [type(one).__name__ for one in own.callback_handler.callbacks]
    with interruptible(own):
        own.train()
    assert own.model.steps == 10
    assert signal.getsignal(signal.SIGINT) is before
    assert [type(one).__name__ for one in own.callback_handler.callbacks] == names
