"""What a run may choose of in-context learning."""

from dataclasses import dataclass, fields
from typing import Any

from hf_fewshot.endpoints.reach import Reach
from hf_fewshot.endpoints.thinking import Thinking
from hf_fewshot.in_context.asking import Asking
from hf_fewshot.in_context.calibration import Calibration

CANNOT_CALIBRATE = (
    "Calibration needs the likelihood of labels, which an endpoint gives with labels=likelihood only, if it can. Give "
    "that, or leave calibration out."
)


@dataclass(frozen=True)
class InContextOptions(Reach, Thinking, Asking):
    """How a language model is asked, and how it is reached if it is behind an endpoint."""

    def __post_init__(self) -> None:
        Asking.__post_init__(self)
        Thinking.__post_init__(self)
        Reach.__post_init__(self)
        self.refuse_of_endpoint(Thinking)
        if self.is_remote and self.calibrated != Calibration() and self.labels != "likelihood":
            raise ValueError(CANNOT_CALIBRATE)
        if self.is_remote and self.chat:
            raise ValueError("chat=True is for a model of this machine; an endpoint has its own form. Leave it out.")
        if self.structured and not self.is_remote:
            raise ValueError("structured=True is for an endpoint; a model of this machine is not held to a schema.")

    @property
    def asking(self) -> dict[str, Any]:
        """The options of `Asking` alone."""
        return {one.name: getattr(self, one.name) for one in fields(Asking)}
