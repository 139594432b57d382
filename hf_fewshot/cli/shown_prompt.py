"""What `hf-fewshot show --prompt` prints: exactly what a query is asked."""

import argparse
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from hf_fewshot.cli.options import once

if TYPE_CHECKING:
    from hf_fewshot.data.benchmark_data import Data
    from hf_fewshot.episodes.part import Part
    from hf_fewshot.in_context.prompt_view import LocalOnlooker, Onlooker, PromptView

METHOD = "in_context"


def method_options(options: argparse.Namespace) -> dict[str, Any]:
    """The options of the method, of which some have a name of their own on the command line."""
    named = {"format": options.format, "chat": options.chat or None}
    return once([*((name, value) for name, value in named.items() if value is not None), *options.method_option])


def shown_prompt(data: "Data", options: argparse.Namespace) -> tuple[str, str, str]:
    """A title, the prompt of a query, and what is known of it."""
    from accelerate import Accelerator

    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.data.benchmark_options import config_with
    from hf_fewshot.in_context.asking import Asking
    from hf_fewshot.systems.in_context import InContextSystem, usual_format
    from hf_fewshot.systems.options import read_options
    from hf_fewshot.systems.system import Asked, Setup

    chosen = read_options(METHOD, method_options(options))
    config = config_with(data.benchmark, data.config, data.options)
    InContextSystem.check(Asked(METHOD, chosen, builder_of(data.benchmark), config))
    asking = {one.name: getattr(chosen, one.name) for one in fields(Asking)}
    backend = _onlooker(chosen, options.model)
    form = chosen.format or usual_format(data.task, data.benchmark, data.config_name)
    system = InContextSystem(backend, form, **asking)
    episodes = data.unanswered
    part = _part(episodes, options)
    requests = system.worker(episodes, Setup(Accelerator(), progress=False)).requests
    requests.demonstrations.prepare(Accelerator())
    requests.row(part)
    assert backend.view is not None
    where = f"{data.benchmark}/{data.config_name}" if data.config_name != "default" else data.benchmark
    title = f"{where} {data.split}: episode {part.number} of {len(episodes)}, query {options.query}"
    return title, _written(backend.view), _known(backend.view)


def _onlooker(chosen: Any, model: str | None) -> "Onlooker | LocalOnlooker":
    from hf_fewshot.embedded import model_place
    from hf_fewshot.in_context.prompt_view import LocalOnlooker, Onlooker

    if chosen.is_remote:
        scored = chosen.labels == "likelihood"
        return Onlooker(chat=not scored, scores_options=scored)
    if model is None:
        return Onlooker(chat=chosen.chat)
    return LocalOnlooker.from_outline(model_place(model), chat=chosen.chat)


def _part(episodes: Any, options: argparse.Namespace) -> "Part":
    from hf_fewshot.episodes.part import Part

    if not 0 <= options.index < len(episodes):
        raise ValueError(f"--index {options.index}, but there are {len(episodes)} episodes, from 0.")
    queries = episodes[options.index].query
    if not 0 <= options.query < len(queries):
        raise ValueError(f"--query {options.query}, but episode {options.index} has {len(queries)} queries, from 0.")
    return Part(0, options.index, (queries[options.query],))


def _written(view: "PromptView") -> str:
    if view.messages is not None:
        return json.dumps(view.messages, ensure_ascii=False, indent=2)
    return "(The query does not fit the context of the model.)" if view.text is None else view.text


def _known(view: "PromptView") -> str:
    request = view.request
    n_shown = len(request.prompts.demonstrations) - view.dropped
    known = [f"{n_shown} demonstrations" + (f" ({view.dropped} dropped, to fit)" if view.dropped else "")]
    if view.n_tokens is not None:
        known.append(f"{view.n_tokens} tokens")
    if request.options is not None:
        known.append(f"the likelihood of each label is compared: {', '.join(request.options)}")
    else:
        known.append(f"the answer is written, at most {request.max_new_tokens} tokens")
    if request.schema is not None:
        known.append(f"held to the schema {json.dumps(request.schema, ensure_ascii=False)}")
    return "; ".join(known)
