"""`hf-fewshot annotate`: people answer episodes on a page."""

import argparse
import contextlib
import importlib.util
import ipaddress
import json
import logging
import shlex
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from hf_fewshot.cli.completion import benchmarks, completed
from hf_fewshot.cli.console import console
from hf_fewshot.cli.options import add_data, add_module, data_options, import_module, positive, source
from hf_fewshot.cli.own_data import require_benchmark
from hf_fewshot.cli.people_table import people_table, study_lines
from hf_fewshot.text.visible import visible

PACKAGES = ("fastapi", "uvicorn")
EPILOG = """\
examples:
  hf-fewshot annotate --benchmark fewrel --n-way 5 --shots 1 --n-episodes 4 --sample
  hf-fewshot annotate --data intents.csv --task classification --shots 3 --annotators anna ben
  hf-fewshot annotate results/my-study                     # goes on, after whatever ended it
  hf-fewshot annotate results/my-study --records --min-training 0.7
  hf-fewshot report results                                # people beside models

docs/people.md says how a study is run, and what it says."""


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "annotate",
        help="have people answer episodes on a page, and stand beside models",
        description="Serves a page on which people answer the episodes of a benchmark or of data of your own: a "
        "description, a training step with the support examples, then the queries. Every answer is on disk before the "
        "page says so. It listens on this machine only, unless --host says otherwise.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("study", nargs="?", type=Path, help="folder of the study (default: one in --output)")
    completed(command.add_argument("--benchmark", help="see hf-fewshot list"), benchmarks)
    add_data(command)
    command.add_argument("--split", default="test", help="whose queries are asked (default: test)")
    command.add_argument(
        "--annotators", nargs="+", metavar="N", help="how many, or their names, each with a link (default: 3)"
    )
    command.add_argument("--share", type=positive, metavar="K", help="each episode is answered by K of them")
    command.add_argument("--seed", type=int, help="of the orders in which they are asked (default: 0)")
    command.add_argument("--zero-shots", action="store_true", help="the description alone: no example is shown")
    command.add_argument("--description", type=Path, metavar="FILE", help="what people are told, in words of your own")
    command.add_argument("--title", help="of the study, as people see it")
    command.add_argument("--output", type=Path, default=Path("results"), help="folder of results (default: results)")
    command.add_argument(
        "--records", action="store_true", help="serve nothing: write the records of who is done, print how it goes"
    )
    command.add_argument(
        "--min-training",
        type=float,
        metavar="X",
        help="with --records: leave out who scored less in training, from now on (0: nobody)",
    )
    command.add_argument("--json", action="store_true", help="with --records: print JSON")
    command.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=8000, help="0 for any free one (default: 8000)")
    add_module(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Writes the records, or serves until a signal ends it."""
    import_module(options)
    asked = _asked(options)
    folder = options.study or options.output / asked.folder_name
    if options.records:
        _print_records(options, folder, asked)
        return
    for name in ("min_training", "json"):
        if getattr(options, name):
            raise ValueError(f"--{name.replace('_', '-')} is for --records. Leave it out, or write the records.")
    _serve(options, folder, asked)


def _print_records(options: argparse.Namespace, folder: Path, asked: Any) -> None:
    """Writes what is done, while a server may go on."""
    from hf_fewshot.people.opening import asked_plan, read_data
    from hf_fewshot.people.plan import Plan
    from hf_fewshot.people.questions import Questions
    from hf_fewshot.people.results import write_study
    from hf_fewshot.people.study import private_of, read_annotators

    if options.min_training is not None and not 0 <= options.min_training <= 1:
        raise ValueError(f"Expected --min-training from 0 to 1, got {options.min_training:g}.")
    Plan.read(folder)  # records are of a study that was begun
    plan = asked_plan(folder, asked, _given(options))
    private = private_of(folder)
    private.source = source(options) or private.source
    data = read_data(folder, plan, private)
    annotators = read_annotators(folder, plan, Questions(data.episodes))
    summary = write_study(folder, plan, data, annotators, min_training=options.min_training, command=_command(folder))
    if options.json:
        print(json.dumps(summary.to_json()))
        return
    console().print(people_table(summary))
    for line in study_lines(summary):
        print(line)
    print(visible(f"Records are in {folder}: hf-fewshot report {folder.parent} shows them beside others."))


def _serve(options: argparse.Namespace, folder: Path, asked: Any) -> None:
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise ModuleNotFoundError(f"annotate needs {' and '.join(missing)}: pip install 'hf_fewshot[serve]'.")
    if not 0 <= options.port < 2**16:
        raise ValueError(f"Expected a port from 0 to 65535, got {options.port}.")
    from hf_fewshot.people.application import SECONDS, application
    from hf_fewshot.people.opening import open_study
    from hf_fewshot.people.scribe import Scribe
    from hf_fewshot.people.study import claimed_study
    from hf_fewshot.web.server import bound_socket, server

    with contextlib.closing(bound_socket(options.host, options.port)) as bound, claimed_study(folder):
        study = open_study(folder, asked, _given(options), source(options))
        _log()
        key = None if ipaddress.ip_address(bound.getsockname()[0]).is_loopback else study.private.key
        bound.listen()  # who opens the link at once waits until the server is there
        _print_links(study, folder, f"{_address(bound)}/" + ("" if key is None else f"?key={key}"))
        # When all is answered the server raises the signal again: both signals are a regular end here.
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        with Scribe(study, _command(folder), _tell) as scribe:
            if study.taken:
                scribe.call()
            with contextlib.suppress(KeyboardInterrupt):
                server(application(study, scribe.call, key=key), SECONDS).run(sockets=[bound])
        signal.signal(signal.SIGTERM, before)
        study.close()
    print(
        visible(f"Ended. hf-fewshot annotate {shlex.quote(str(folder))} goes on; with --records it shows how it is.")
    )


def _command(folder: Path) -> str:
    """What makes the records of a study anew; that which began it may have names in it, and records have none."""
    return shlex.join(["hf-fewshot", "annotate", str(folder), "--records"])


def _address(bound: socket.socket) -> str:
    """Where others find it: an address that stands for all of this machine's is none that they could open."""
    from hf_fewshot.web.server import url_of

    host, port = bound.getsockname()[:2]
    return f"http://{socket.gethostname()}:{port}" if ipaddress.ip_address(host).is_unspecified else url_of(bound)


def _print_links(study: Any, folder: Path, url: str) -> None:
    """Where people are asked, and how much."""
    from hf_fewshot.people.assignment import ANNOTATION, stages_of

    print(visible(f"Study in {folder}: {study.plan.shown_title}"))
    stages = stages_of(study.plan, 1, study.questions.episodes)
    n_queries = sum(len(stage.order) for stage in stages if stage.step == ANNOTATION)
    n_examples = sum(len(stage.order) for stage in stages) - n_queries
    print(
        f"{study.plan.annotators} annotators, each with {n_examples} examples to learn from and {n_queries} queries."
    )
    print(f"Open {url}  (Ctrl-C ends it; the same command goes on)")
    for number, taken in study.taken.items():
        print(f"  {visible(taken.annotator.name, keep='')}: {url}#annotator={study.token(number)}")
    sys.stdout.flush()


def _tell(summary: Any) -> None:
    """A line whenever records were written."""
    done = sum(one.answered == one.queries for one in summary.people)
    print(
        f"{done} of {len(summary.people)} annotators who joined are done, {len(summary.scores)} records.", flush=True
    )


def _asked(options: argparse.Namespace) -> Any:
    """The plan with the data that was named; None where a study is to go on."""
    from hf_fewshot.people.plan import Plan

    if options.study is not None and options.benchmark is None and options.task is None:
        return None
    require_benchmark(options)
    return Plan(options.benchmark, options.config, data_options(options), options.split)


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """What else was said of the plan."""
    from hf_fewshot.people.descriptions import read_description

    given: dict[str, Any] = {"share": options.share, "seed": options.seed, "title": options.title}
    given["zero_shots"] = options.zero_shots or None
    if options.description is not None:
        given["description"] = read_description(options.description)
    if options.annotators is not None:
        words = options.annotators
        one = words[0] if len(words) == 1 else ""
        is_number = one.isascii() and one.isdigit()
        given |= {"annotators": int(one)} if is_number else {"annotators": len(words), "names": tuple(words)}
    return {name: value for name, value in given.items() if value is not None}


def _log() -> None:
    """Errors, on standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.getLogger("hf_fewshot.people").addHandler(handler)
