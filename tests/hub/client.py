"""Users of the stand-in by their tokens, and what the client of one of them printed."""

import json
import subprocess
from typing import Any

WRITE, READ, OTHER = "hf_writewritewritewritewritewritewrite", "hf_readreadreadreadreadreadreadread", "hf_other"
TOKENS = {WRITE: ("me", "write"), READ: ("me", "read"), OTHER: ("you", "write")}


def last_line(done: subprocess.CompletedProcess[str]) -> Any:
    """What the last line that was printed says, as JSON."""
    return json.loads(done.stdout.splitlines()[-1])
