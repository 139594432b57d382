"""`hf-fewshot demo`: a page on which one tries a model."""

import argparse
import contextlib
import importlib.util
import os
import signal
import sys
from pathlib import Path
from typing import Any

from hf_fewshot.cli.completion import benchmarks, completed, configs, models
from hf_fewshot.cli.options import add_module, add_pairs
from hf_fewshot.text.visible import visible

EPILOG = """\
examples:
  hf-fewshot demo all-MiniLM-L6-v2
  hf-fewshot demo my-intents
  hf-fewshot demo results/few_nerd*nnshot* --benchmark few_nerd --config inter --data-dir data/few-nerd

As a Space: hf-fewshot push my-intents --demo --repo me/my-intents-demo"""


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "demo",
        help="a page to try a model on a few examples of your own",
        description="Serves a page on this machine: write classes with a few examples, type a sentence, and see what "
        "the model says and which examples are the reason. It asks nobody else for anything.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    of_model = command.add_argument(
        "model",
        type=model_or_run,
        help="an encoder (embedded, folder, Hub id), a saved learner, or a run with a trained model",
    )
    completed(of_model, models)
    command.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    command.add_argument("--port", type=int, help="its port (default: the first that is free from 7860 on)")
    data = command.add_argument_group("episodes that can be loaded there, beside sample data")
    completed(data.add_argument("--benchmark", metavar="NAME", help="such as few_nerd"), benchmarks)
    completed(data.add_argument("--config", help="configuration, such as inter"), configs)
    data.add_argument("--data-dir", help="folder with the authors' files; else they are downloaded")
    add_pairs(command, "-o", "--option", help="any option of its data, such as n_way=5 or domain=pubmed")
    add_module(command)
    command.set_defaults(run=run)


def model_or_run(text: str) -> str:
    """A model, or the folder of a run: then it is the model in it."""
    inner = Path(text) / "model"
    is_run = not (Path(text) / "config.json").is_file() and (inner / "config.json").is_file()
    return str(inner) if is_run else text


def run(options: argparse.Namespace) -> None:
    """Serves the page until a signal ends it."""
    if importlib.util.find_spec("gradio") is None:
        raise ModuleNotFoundError("demo needs gradio: pip install 'hf_fewshot[spaces]'.")
    if options.port is not None and not 0 < options.port < 2**16:
        raise ValueError(f"Expected a port from 1 to 65535, got {options.port}.")
    from hf_fewshot.model_names import require_model

    require_model(options.model)
    # Small batches: threads of torch that wait for one another by spinning slow each other down.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from hf_fewshot.demo.episodes import sample_sources
    from hf_fewshot.demo.model import DemoModel
    from hf_fewshot.demo.page import build
    from hf_fewshot.demo.server import USER, serve
    from hf_fewshot.demo.trial import Trial
    from hf_fewshot.web.server import bound_socket

    if options.port is not None:
        bound_socket(options.host, options.port).close()  # a port that is taken shows before a model is loaded
    trial = Trial(DemoModel(options.model))
    sources = {task.name: sample_sources(task) for task in trial.model.tasks}
    for task, source in _own_sources(options):
        if task not in sources:
            able = ", ".join(sources)
            raise ValueError(
                f"{options.benchmark} is of task {task!r}, which cannot be tried here with this model: it does {able}."
            )
        sources[task].insert(0, source)
    page = build(trial, sources)
    served = serve(page, options.host, options.port)
    print(f"Trying {visible(trial.model.title)} on {served.url} until Ctrl-C.")
    if served.word is not None:
        print(f"Whoever reaches this machine logs in as {USER} with the word {served.word}")
    sys.stdout.flush()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        signal.pause()
    signal.signal(signal.SIGTERM, before)
    print("Ended.")


def _own_sources(options: argparse.Namespace) -> list[tuple[str, Any]]:
    """The episodes that the command line names, by their task."""
    if options.benchmark is None:
        given = {"--config": options.config, "--data-dir": options.data_dir, "--option": options.option}
        for name, value in given.items():
            if value:
                raise ValueError(f"{name} is of the data of a benchmark. Name it with --benchmark, or leave it out.")
        return []
    from hf_fewshot.cli.options import once
    from hf_fewshot.data.benchmark import builder_of
    from hf_fewshot.data.benchmark_options import check_benchmark_options
    from hf_fewshot.demo.episodes import EpisodeSource

    builder = builder_of(options.benchmark)
    shown = dict(builder.SHOWN)
    usual = shown.pop("config", None)
    config = options.config or usual
    chosen = {**(shown if config == usual else {}), **once(options.option)}
    check_benchmark_options(options.benchmark, config, chosen, data_dir=options.data_dir)
    place = {} if options.data_dir is None else {"data_dir": options.data_dir}
    return [(builder.TASK, EpisodeSource(options.benchmark, config, {**chosen, **place}))]
