"""Does what a page says, in order, in the environment that runs this file; nothing but Python is needed.

`python page.py STEPS.json` reads a list of [kind, file, text], prints what comes of each, and writes beside it
DONE.json, a list of [output, whether the step ended well]. It stops at the first step that does not.
"""

import contextlib
import io
import json
import subprocess
import sys
import time
import traceback
from pathlib import Path


def do(kind: str, file: str, text: str, namespace: dict) -> tuple[str, bool]:
    """The output of a step, and whether it ended well."""
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(text, encoding="utf-8")
        return "", True
    if kind == "python":
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                exec(compile(text, "<block>", "exec"), namespace)
        except Exception:  # noqa: BLE001 - whatever a page's code raises is shown
            return said.getvalue() + traceback.format_exc(), False
        return said.getvalue(), True
    done = subprocess.run(["bash", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout, done.returncode == 0


def main(steps: Path) -> None:
    done, namespace = [], {"__name__": "__main__"}
    for kind, file, text in json.loads(steps.read_text("utf-8")):
        began = time.monotonic()
        output, well = do(kind, file, text, namespace)
        seconds = time.monotonic() - began
        print(
            f"\n$ {(file or text).rstrip()}\n{output.rstrip()}\n[{seconds:.1f} s{'' if well else ', FAILED'}]",
            flush=True,
        )
        done.append((output, well))
        if not well:
            break
    steps.with_name("DONE.json").write_text(json.dumps(done), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
