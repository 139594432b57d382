"""The stand-in for a GPU finds what a GPU would refuse, and lets through what it would not."""

import numpy as np
import pytest
import torch
from torch import nn

from tests.devices.elsewhere import HERE, THERE, Elsewhere, MixedDevicesError


@pytest.fixture(autouse=True)
def elsewhere():
    with Elsewhere() as mode:
        yield mode


def here():
    return torch.tensor([[1.0, 2.0], [3.0, 4.0]])


def there():
    return here().to(THERE)


REFUSED = {
    "a sum": lambda: here() + there(),
    "a sum in place": lambda: there().add_(here()),
    "a sum of gathered weights": lambda: there() + torch.zeros(2),
    "a product with numbers of numpy": lambda: there() @ torch.from_numpy(np.ones((2, 2), dtype=np.float32)),
    "a vector with a number from there": lambda: here() * there().sum(),
    "concatenation": lambda: torch.cat([here(), there()]),
    "stacked numbers": lambda: torch.stack([torch.tensor(1.0), there().sum()]),
    "a mask": lambda: there().masked_fill(torch.eye(2).bool(), 0.0),
    "gather": lambda: there().gather(1, torch.zeros(2, 1).long()),
    "index_add": lambda: there().index_add(0, torch.tensor([0, 1]), there()),
    "where": lambda: torch.where(there() > 1, here(), 0.0),
    "an index from there": lambda: here()[torch.tensor([0, 1], device=THERE)],
    "values from here": lambda: there().__setitem__(torch.tensor([0]), torch.ones(1, 2)),
    "numpy": lambda: there().numpy(),
    "numpy of a view": lambda: there().T[0].detach().numpy(),
    "an array": lambda: np.asarray(there()),
    "a layer that was not moved": lambda: nn.Linear(2, 2)(there()),
    "an input that was not moved": lambda: nn.Linear(2, 2).to(THERE)(here()),
    "an embedding": lambda: nn.Embedding(3, 2).to(THERE)(torch.tensor([1])),
    "a loss": lambda: nn.functional.cross_entropy(there(), torch.tensor([0, 1])),
    "random numbers of the CPU": lambda: torch.randn(2, generator=torch.Generator(), device=THERE),
    "a new tensor beside": lambda: there() + there().new_zeros(2, device=HERE),
}
ALLOWED = {
    "a number from here": lambda: there() * torch.tensor(2.0),
    "where with a number": lambda: torch.where(there() > 1, torch.tensor(0.0), there()),
    "an index from here": lambda: there()[torch.tensor([1, 0])],
    "a mask from here as index": lambda: there()[torch.tensor([True, False])],
    "a value from here at a place": lambda: there().__setitem__(0, torch.ones(2)),
    "a number as value": lambda: there().__setitem__(torch.tensor([0]), torch.tensor(1.0)),
    "a copy": lambda: here().copy_(there()),
    "item": lambda: there().sum().item(),
    "tolist": lambda: there().tolist(),
    "the way back": lambda: there().cpu().numpy(),
    "a tensor like one that is there": lambda: torch.zeros_like(there()) + there().new_ones(2),
    "a range on its device": lambda: torch.arange(2, device=there().device) + there(),
    "the device of another": lambda: here().to(there()) + there(),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_gpu_refuses_is_refused(what):
    with pytest.raises(MixedDevicesError, match=r"privateuseone|another device"):
        REFUSED[what]()


@pytest.mark.parametrize("what", ALLOWED)
def test_what_a_gpu_does_is_done(what):
    ALLOWED[what]()


def test_devices_are_told():
    assert there().device == THERE
    assert here().device == there().cpu().device == HERE
    assert (there()[0] * 2).sum().device == THERE
    assert there().double().dtype == torch.float64
    assert there().double().device == THERE
    moved = there()
    assert moved.to(THERE) is moved
    assert moved.to(torch.float32) is moved


def test_a_network_learns_there(elsewhere):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3), nn.Linear(3, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    model.to(THERE)
    losses = []
    for _ in range(5):
        loss = nn.functional.cross_entropy(model(there()), torch.tensor([0, 1], device=THERE))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert all(weight.device == THERE == weight.grad.device for weight in model.parameters())
    assert elsewhere.moved > 6
    assert model.to(HERE)(here()).device == HERE


def test_tied_weights_stay_tied():
    model = nn.ModuleDict({"read": nn.Embedding(3, 2), "write": nn.Linear(2, 3, bias=False)})
    model["write"].weight = model["read"].weight
    model.to(THERE)
    assert model["write"].weight is model["read"].weight
    assert model["write"].weight.device == THERE
