"""What the options of a device mean to a trainer: one GPU for each process, half precision, a compiled encoder."""

from typing import Any

from accelerate.utils import TorchDynamoPlugin

from hf_fewshot.encoding.compiled import compile_encoder


class DeviceMixin:
    """Makes a trainer use its device as its arguments say, or refuse what the device has not."""

    def __init__(self, *arguments: Any, model: Any, args: Any, **options: Any) -> None:
        # One process has one GPU. Several in one would each get a stretch of every tensor, whatever it is of.
        if args.n_gpu > 1:
            args._n_gpu = 1
        if args.fp16 and args.device.type == "cpu":
            raise ValueError("fp16=true needs a GPU: on a CPU nothing would be in half precision. Use bf16=true.")
        # Encoders have weights that no loss depends on, such as a pooler: processes must not wait for their gradients.
        if args.ddp_find_unused_parameters is None:
            args.ddp_find_unused_parameters = True
        super().__init__(*arguments, model=model, args=args, **options)  # type: ignore[call-arg]
        if args.torch_compile:
            compile_encoder(model, args.torch_compile_backend, args.torch_compile_mode)

    def _build_accelerator_args(self, **options: Any) -> dict[str, Any]:
        # What stands on the encoder looks at numbers of each batch: it would be compiled again and again.
        found = super()._build_accelerator_args(**options)  # type: ignore[misc]
        return found | {"dynamo_plugin": TorchDynamoPlugin(backend="no")}
