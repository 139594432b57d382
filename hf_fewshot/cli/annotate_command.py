"""`hf-fewshot annotate`: people answer episodes on a page."""

import argparse
import contextlib
import importlib.util
import ipaddress
import logging
import signal
import sys
from pathlib import Path
from typing import Any

from hf_fewshot.cli.completion import benchmarks, completed
from hf_fewshot.cli.options import add_data, add_module, data_options, import_module, positive, source
from hf_fewshot.cli.own_data import require_benchmark
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
    command.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=8000, help="0 for any free one (default: 8000)")
    add_module(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Serves until a signal ends it."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise ModuleNotFoundError(f"annotate needs {' and '.join(missing)}: pip install 'hf_fewshot[serve]'.")
    if not 0 <= options.port < 2**16:
        raise ValueError(f"Expected a port from 0 to 65535, got {options.port}.")
    import_module(options)
    from hf_fewshot.people.application import SECONDS, application
    from hf_fewshot.people.opening import open_study
    from hf_fewshot.people.study import claimed_study
    from hf_fewshot.web.server import bound_socket, server, url_of

    asked = _asked(options)
    folder = options.study or options.output / asked.folder_name
    with contextlib.closing(bound_socket(options.host, options.port)) as bound, claimed_study(folder):
        study = open_study(folder, asked, _given(options), source(options))
        _log()
        key = None if ipaddress.ip_address(bound.getsockname()[0]).is_loopback else study.private.key
        url = url_of(bound) + ("" if key is None else f"/?key={key}")
        print(f"The study in {visible(str(folder))} is on {url}. Ctrl-C ends it; the same command goes on.")
        for number in range(1, len(study.plan.names) + 1):
            name = study.taken[number].annotator.name
            print(f"  {visible(name)}: {url if key else url + '/'}#annotator={study.token(number)}")
        sys.stdout.flush()
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            server(application(study, key=key), SECONDS).run(sockets=[bound])
        signal.signal(signal.SIGTERM, before)
        study.close()


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
