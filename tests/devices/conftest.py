"""The whole of a test on a device that is not here."""

import pytest
from accelerate.state import AcceleratorState

from tests.devices.elsewhere import THERE, Elsewhere


@pytest.fixture
def elsewhere(monkeypatch):
    """Accelerate takes the device that is not here for its own."""
    monkeypatch.setenv("ACCELERATE_TORCH_DEVICE", str(THERE))
    AcceleratorState._reset_state(reset_partial_state=True)
    with Elsewhere() as mode:
        yield mode
    AcceleratorState._reset_state(reset_partial_state=True)
