"""`hf-fewshot serve`: a fitted model over HTTP."""

import argparse
import contextlib
import importlib.util
import ipaddress
import logging
import os
import signal
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from hf_fewshot.service.limits import Limits
from hf_fewshot.text.visible import visible

PACKAGES = ("fastapi", "uvicorn")
# What can be set of the limits.
LIMITS = {
    "body": "bytes of a request",
    "texts": "queries of a request",
    "characters": "characters of a query",
    "queue": "queries that wait before more are refused with 429",
    "batch": "queries that are answered at once",
    "seconds": "until a request is given up with 504",
}


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "serve",
        help="answer queries over HTTP with a fitted model",
        description="Loads a saved FewShotLearner and answers POST /predict until it is interrupted; then it answers "
        "what waits, and ends. /docs lists all paths. It listens on this machine only, unless --host says otherwise.",
        epilog="example: hf-fewshot serve my-intents --port 8000",
    )
    command.add_argument("model", help="folder that save_pretrained has written, or id on the Hub")
    command.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    command.add_argument("--port", type=int, default=8000, help="0 for any free one (default: 8000)")
    command.add_argument("--token-env", metavar="NAME", help="environment variable with a token clients must send")
    command.add_argument(
        "--allow-examples", action="store_true", help="let clients add examples; they are gone when it ends"
    )
    command.add_argument("--threads", type=int, help="of torch (default: one per core, or OMP_NUM_THREADS)")
    for limit in fields(Limits):
        if limit.name in LIMITS:
            words = f"{LIMITS[limit.name]} (default: {limit.default:g})"
            number: Any = limit.type
            command.add_argument(f"--max-{limit.name}", type=number, default=limit.default, metavar="N", help=words)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Serves until a signal ends it."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise ModuleNotFoundError(f"serve needs {' and '.join(missing)}: pip install 'hf_fewshot[serve]'.")
    from hf_fewshot.service.application import application
    from hf_fewshot.service.service import Service
    from hf_fewshot.web.server import bound_socket, server, url_of

    limits = Limits(**{name: getattr(options, f"max_{name}") for name in LIMITS})
    token = _token(options.token_env)
    if not 0 <= options.port < 2**16:
        raise ValueError(f"Expected a port from 0 to 65535, got {options.port}.")
    if options.threads is not None and options.threads < 1:
        raise ValueError(f"Expected --threads of 1 or more, got {options.threads}.")
    # Threads of torch that spin while they wait for one another take the cores from the thread that talks to clients
    # and from each other (docs/service.md has numbers). Torch reads it when it is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    with contextlib.closing(bound_socket(options.host, options.port)) as bound:
        learner = _learner(options.model, options.threads)
        service = Service(learner, _shown(options.model), limits=limits, allow_examples=options.allow_examples)
        _log()
        if token is None and not _is_local(bound.getsockname()[0]):
            print("hf-fewshot: everybody who reaches this port may ask. See --token-env.", file=sys.stderr)
        print(f"Serving {visible(service.name)} on {url_of(bound)} (see {url_of(bound)}/docs). Ctrl-C ends it.")
        sys.stdout.flush()
        # When all is answered the server raises the signal again: both signals are a regular end here.
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            server(application(service, token=token), limits.seconds).run(sockets=[bound])
        signal.signal(signal.SIGTERM, before)
    print(f"Ended after {sum(service.measures.requests.values())} requests.")


def _token(name: str | None) -> str | None:
    if name is None:
        return None
    token = os.environ.get(name, "")
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        got = "one that no header can hold" if token else "none"
        raise ValueError(f"Expected a token in the environment variable {name}, got {got}. Set it, without spaces.")
    return token


def _learner(model: str, threads: int | None) -> Any:
    import torch

    import hf_fewshot

    if threads is not None:
        torch.set_num_threads(threads)
    return hf_fewshot.FewShotLearner.from_pretrained(model)


def _shown(model: str) -> str:
    """The model's name as clients see it: of a folder, not where it is."""
    path = Path(model)
    return path.resolve().name if path.exists() else model


def _is_local(host: str) -> bool:
    return ipaddress.ip_address(host).is_loopback


def _log() -> None:
    """A line for each request, and errors, on standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger("hf_fewshot.service").setLevel(logging.INFO)
