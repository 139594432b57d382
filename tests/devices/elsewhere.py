"""A device that is not here: tensors compute on the CPU, but those that went there refuse what a GPU's would.

Which tensors are there is known by their storages, so that views, parameters whose data is replaced and shared weights
are where they would be on a GPU. What computes is looked at from Python: tensors that a call creates inside are where
its arguments are.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import TorchFunctionMode

# As `torch` calls a device of others. It is never computed on.
THERE = torch.device("privateuseone", 0)
HERE = torch.device("cpu")
# What may be said of a tensor here beside one that is there, and the other way round.
ANYWHERE = {"copy_", "expand_as", "view_as", "reshape_as", "broadcast_tensors", "result_type"}
ANYWHERE |= {"_has_compatible_shallow_copy_type"}
# What takes no number from here beside tensors that are there.
STRICT = {"cat", "concat", "concatenate", "stack", "hstack", "vstack"}
LAYERS = {"linear", "embedding", "layer_norm"}
TO_NUMPY = {"numpy", "__array__"}


class MixedDevicesError(RuntimeError):
    """What would fail on a GPU."""


class Elsewhere(TorchFunctionMode):
    """While it is on, `THERE` is a device like a GPU."""

    def __init__(self) -> None:
        super().__init__()
        self._there: dict[int, StorageWeakRef] = {}
        self.moved = 0
        # How often layers of networks computed.
        self.layers_there = 0
        self.layers_here = 0

    def is_there(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor was made or moved there."""
        key = tensor.untyped_storage()._cdata
        found = self._there.get(key)
        return found is not None and not found.expired()

    def _put(self, result: Any) -> Any:
        for tensor in _tensors(result):
            storage = tensor.untyped_storage()
            self._there[storage._cdata] = StorageWeakRef(storage)
        return result

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(function, "__name__", "")
        if name in ("__get__", "__set__"):
            return self._attribute(function, args)
        if name in ("to", "cpu", "cuda", "type_as") and isinstance(args[0], torch.Tensor):
            return self._move(function, name, args, kwargs)
        tensors = list(_tensors((args, kwargs)))
        there = [self.is_there(tensor) for tensor in tensors]
        if name in TO_NUMPY and any(there):
            raise MixedDevicesError(f"{name}() of a tensor on {THERE}: call .cpu() first.")
        given = kwargs.get("device")
        if given is not None:
            result_there = torch.device(given).type == THERE.type
            kwargs["device"] = HERE if result_there else given
        elif name in ("__getitem__", "__setitem__"):
            result_there = self._index(name, args)
        else:
            result_there = any(there)
            self._check(name, tensors, there)
        generator = kwargs.get("generator")
        if generator is not None and result_there and name != "set_":
            raise MixedDevicesError(f"{name} on {THERE} with random numbers of the CPU.")
        if name in LAYERS:
            self.layers_there += result_there
            self.layers_here += not result_there
        result = function(*args, **kwargs)
        return self._put(result) if result_there else result

    def _check(self, name: str, tensors: list[torch.Tensor], there: list[bool]) -> None:
        if not any(there) or all(there) or name in ANYWHERE:
            return
        here = [tensor for tensor, is_there in zip(tensors, there, strict=True) if not is_there]
        if name in STRICT or any(tensor.dim() for tensor in here):
            raise MixedDevicesError(
                f"{name}: tensors of shapes {[tuple(t.shape) for t in here]} are on the CPU, others on {THERE}."
            )

    def _index(self, name: str, args: Any) -> bool:
        """Whether a tensor is there that is indexed, which it may be by tensors from here, but not the other way."""
        whole, index = args[:2]
        is_there = self.is_there(whole)
        indices = [one for one in _tensors(index) if one.dim()]
        if not is_there and any(map(self.is_there, indices)):
            raise MixedDevicesError(f"{name}: a tensor on the CPU is indexed by one on {THERE}.")
        if name == "__setitem__" and isinstance(args[2], torch.Tensor) and indices:
            value = args[2]
            if self.is_there(value) != is_there and (value.dim() or not is_there):
                raise MixedDevicesError(f"{name}: values of shape {tuple(value.shape)} are on another device.")
        return is_there

    def _attribute(self, function: Any, args: Any) -> Any:
        attribute = function.__self__.__name__
        result = function(*args)
        if function.__name__ == "__set__":
            return result
        if attribute == "device":
            return THERE if self.is_there(args[0]) else result
        if attribute in ("grad", "T", "mT", "H", "real", "imag") and result is not None and self.is_there(args[0]):
            # Gradients are computed where their tensor is.
            self._put(result)
        return result

    def _move(self, function: Any, name: str, args: Any, kwargs: dict[str, Any]) -> torch.Tensor:
        tensor, was_there = args[0], self.is_there(args[0])
        target, others = (HERE, []) if name == "cpu" else (THERE, []) if name == "cuda" else (None, [])
        for one in () if name in ("cpu", "cuda") else args[1:]:
            if isinstance(one, torch.Tensor):
                target = THERE if self.is_there(one) else HERE
                others.append(one.dtype)
            elif isinstance(one, torch.device | str):
                target = torch.device(one)
            else:
                others.append(one)
        if kwargs.get("device") is not None:
            target = torch.device(kwargs["device"])
        kwargs.pop("device", None)
        kwargs.pop("non_blocking", None)
        if target is not None and target.type not in (HERE.type, THERE.type):
            return tensor.to(target)
        will_be_there = was_there if target is None else target.type == THERE.type
        others = [one for one in others if not isinstance(one, bool)]
        result = tensor.to(*others, **kwargs) if others or kwargs else tensor
        if will_be_there != was_there:
            self.moved += 1
            result = result.clone() if result is tensor else result
        return self._put(result) if will_be_there else result


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors inside of arguments or results."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _tensors(one)
