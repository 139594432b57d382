"""Serves Spaces: each app.py runs as it stands, in a fork of this process, which has imported the libraries for all.

Arguments: for each Space its folder and its port.
"""

import os
import runpy
import sys

import evaluate  # noqa: F401
import gradio.http_server
import gradio.node_server


def serve(folder: str, port: int) -> None:
    """Runs the app of a folder as `python app.py` would there, with GRADIO_SERVER_PORT set."""
    os.chdir(folder)
    sys.path[0] = folder
    sys.argv = ["app.py"]
    # The variable was read when gradio was imported.
    gradio.http_server.INITIAL_PORT_VALUE = gradio.node_server.INITIAL_PORT_VALUE = port
    runpy.run_path("app.py", run_name="__main__")


def main() -> None:
    words = sys.argv[1:]
    for folder, port in zip(words[::2], words[1::2], strict=True):
        if os.fork() == 0:
            serve(folder, int(port))
            return
    _, status = os.wait()  # the first that ends: none should
    sys.exit(os.waitstatus_to_exitcode(status) or 1)


if __name__ == "__main__":
    main()
