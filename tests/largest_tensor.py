"""Measures the memory that tensors take, for tests of bounds."""

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class LargestTensor(TorchDispatchMode):
    """Notes the most bytes that any one operation asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0
        self.operation = ""

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, tuple | list) else (result,):
            if isinstance(tensor, torch.Tensor) and tensor.untyped_storage().nbytes() > self.bytes:
                self.bytes, self.operation = tensor.untyped_storage().nbytes(), f"{function} {tuple(tensor.shape)}"
        return result
