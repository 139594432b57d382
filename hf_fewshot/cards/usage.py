"""Code that uses a published model, as its card shows it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hf_fewshot.embedded import CAUSAL_LMS
from hf_fewshot.tasks import task_of
from hf_fewshot.text.visible import visible

OURS = ("hf_fewshot", "hf_fewshot_joint")


def usage(
    name: str, model: Mapping[str, Any] | None, task: str | None, parts: Sequence[str] = (), base: str | None = None
) -> str:
    """Python code that loads and uses what is at `name`, a repository or a folder.

    Args:
        model: the content of the model's `config.json`, or `adapter_config.json`; None where there is no model.
        task: of the records or episodes.
        parts: folders of the models, where there are several.
        base: the model that an adapter belongs to.
    """
    if model is None:
        return _records(name)
    if is_adapter(model):
        return _adapter(name, base)
    if parts:
        where = (f"{_text(name)}, subfolder={_text(part)}" for part in parts)
        loaded = "\n".join(
            f"{_variable(part)} = {_class(model)}.from_pretrained({place})"
            for part, place in zip(parts, where, strict=True)
        )
        return f"{_imports(model)}\n\n{loaded}"
    kind = model.get("model_type")
    known = None if task is None else task_of(task)
    if kind in OURS and known is not None and known.pipeline is not None:
        pipeline, (support, queries) = known.pipeline, known.pipeline_example
        return (
            "from hf_fewshot import pipeline\n\n"
            f'model = pipeline("{pipeline}", {_text(name)})\n'
            f"support = {support}\n"
            f"print(model(support, {queries}))"
        )
    tokenizer = f"tokenizer = AutoTokenizer.from_pretrained({_text(name)})"
    imports = f"{_imports(model)}\nfrom transformers import AutoTokenizer"
    loaded = f"{imports}\n\nmodel = {_class(model)}.from_pretrained({_text(name)})"
    if kind == "hf_fewshot_spans":
        return (
            f"from hf_fewshot.systems.spans import SpanSystem\n{loaded}\n{tokenizer}\n"
            'rows = [{"question": "Who lives in Paris?", "context": ["Anna lives in Paris, Tom in Rome."]}]\n'
            "print(SpanSystem(model, tokenizer).answers(rows))"
        )
    return f"{loaded}\n{tokenizer}"


def is_adapter(model: Mapping[str, Any]) -> bool:
    """Whether it is an adapter of `peft`, as its configuration says."""
    return "peft_type" in model


def _adapter(name: str, base: str | None) -> str:
    place = _text(base or "the model that it was trained on")
    embedded = base in CAUSAL_LMS
    found = "from hf_fewshot.embedded import model_place\n" if embedded else ""
    return (
        "from transformers import AutoModelForCausalLM, AutoTokenizer\n\n"
        f"from hf_fewshot.adapters.lora import load_adapter\n{found}\n"
        f"model = AutoModelForCausalLM.from_pretrained({f'model_place({place})' if embedded else place})\n"
        f"model = load_adapter(model, {_text(name)})\n"
        f"tokenizer = AutoTokenizer.from_pretrained({_text(name)})"
    )


def _text(name: str) -> str:
    """A name as it is written in code, whatever it holds."""
    return json.dumps(visible(name), ensure_ascii=False)


def _variable(part: str) -> str:
    return re.sub(r"\W|^(?=\d)", "_", part)


def _class(model: Mapping[str, Any]) -> str:
    """The class of a model, where its `config.json` names one."""
    named = model.get("architectures")
    known = [one for one in named if isinstance(one, str) and one.isidentifier()] if isinstance(named, list) else []
    return known[0] if known else "AutoModel"


def _imports(model: Mapping[str, Any]) -> str:
    library = "hf_fewshot" if str(model.get("model_type")).startswith("hf_fewshot") else "transformers"
    return f"from {library} import {_class(model)}"


def _records(name: str) -> str:
    return (
        "from huggingface_hub import snapshot_download\n\n"
        "from hf_fewshot.runs.folder import read_records\n\n"
        f"for record in read_records(snapshot_download({_text(name)})):\n"
        "    print(record.run.system, record.run.setting, record.measure, record.score)"
    )
