"""A server on a port of this machine."""

import math
import socket

import uvicorn
from starlette.types import ASGIApp


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that has the port, and refuses connections until the server listens; port 0 is any free one."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        bound.close()
        raise OSError(error.errno, f"{error.strerror}. Give another --host or --port", f"{host}:{port}") from error
    return bound


def url_of(bound: socket.socket) -> str:
    """Where clients find it."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server(app: ASGIApp, seconds: float) -> uvicorn.Server:
    """A server that has a signal end it when it has answered what it has been asked.

    Args:
        seconds: that it waits at the end for answers: the time limit of a request.
    """
    return uvicorn.Server(
        uvicorn.Config(
            app,
            lifespan="on",
            ws="none",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=math.ceil(seconds) + 1,
        )
    )
