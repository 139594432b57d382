"""Which options each method takes, with their types; nothing is loaded to know it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hf_fewshot.files.option_types import check_types, option_types
from hf_fewshot.registry import METHODS, SYSTEMS, TRIVIAL, resolve, unknown

# Options of in-context learning that say how an endpoint is asked.
OF_ENDPOINT = ("concurrency", "timeout", "max_retries", "max_failures", "prices")
# Arguments of the constructors and functions below that a run sets itself.
SET_BY_RUN = ("backend", "episodes", "prompt_format", "output_dir", "accelerator", "progress")


def check_options(method: str, options: Mapping[str, Any]) -> None:
    """Refuses options that a method does not know, or of another type than it takes."""
    check_types(known_options(method), options, f"option of method {method!r}")
    if method == "in_context" and options.get("endpoint") is None:
        for name in OF_ENDPOINT:
            if name in options:
                raise ValueError(f"{name}={options[name]!r} is of an endpoint, but there is none. Give endpoint=URL.")


def known_options(method: str) -> dict[str, Any]:
    """The options that a run of a method may have, and their annotations."""
    if method in METHODS:
        return _of_encoder(method)
    if method not in SYSTEMS:
        raise unknown("method", method, SYSTEMS)
    if method == "sep_proto":
        return {name: kind for name, kind in _of_encoder("joint_proto").items() if name != "part"}
    if method == "span_finetuning":
        return _of_spans()
    if method == "prompt_tuning":
        return {"template": str, "file": str | Path, "new_head": bool}
    if method == "in_context":
        return _in_context()
    if method in (*TRIVIAL, "tagger", "text_to_text"):
        return {}
    raise ValueError(f"Method {method!r} does not say which options it takes.")


def _of_encoder(method: str) -> dict[str, Any]:
    """Options of `from_encoder`, and of the class of the method."""
    kind = resolve(METHODS[method])
    model = resolve(kind.model)
    known = option_types(model.from_encoder, leave_out=("name_or_path", "method"))
    known |= {name: option_types(model.config_class)[name] for name in model.config_class.OWN_OPTIONS}
    if issubclass(kind, resolve("hf_fewshot.methods.joint_method:JointMethod")):
        known["tuning"] = resolve("hf_fewshot.systems.support_tuning:SupportTuning") | None
    return known | option_types(kind, leave_out=("dim",))


def _of_spans() -> dict[str, Any]:
    from hf_fewshot.models.encoder_config import EncoderModelConfig
    from hf_fewshot.models.span_model import SpanModelConfig

    return option_types(SpanModelConfig, leave_out=option_types(EncoderModelConfig))


def _in_context() -> dict[str, Any]:
    from hf_fewshot.in_context.endpoint import Endpoint
    from hf_fewshot.in_context.engine import predict_in_context

    of_endpoint = option_types(Endpoint)
    return {
        **option_types(predict_in_context, leave_out=SET_BY_RUN),
        **{name: of_endpoint[name] for name in OF_ENDPOINT},
        "format": str | Path,
        "endpoint": str | None,
        "chat": bool,
    }
