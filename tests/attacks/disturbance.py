"""What happens to a command when it touches a file for the n-th time: nothing, an error, or its death.

Python tells audit hooks before a file is opened, moved, made or removed, and an error of a hook is the error of that
operation. So a disturbance strikes the same operation each time.
"""

import errno
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OPERATIONS = (
    "open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod",
)  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
KILL, MEMORY = "SIGKILL", "no memory"


@dataclass
class Disturbance:
    """Strikes at the `at`-th operation below a folder, counted from 0, or never if that is None.

    Args:
        what: the name of an error number, MEMORY or KILL.
        lasts: all later operations that write meet the same error.
    """

    folder: Path
    at: int | None = None
    what: str = KILL
    lasts: bool = False
    count: int = 0

    def begin(self) -> None:
        """From now on, in this process, for ever: hooks cannot be taken away."""
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in OPERATIONS or not self._is_below(arguments[0]):
            return
        number = self.count
        self.count += 1
        writes = event != "open" or int(arguments[2] or 0) & WRITING
        if self.at is not None and (number == self.at or (number > self.at and self.lasts and writes)):
            self._strike(os.fsdecode(arguments[0]))

    def _is_below(self, path: Any) -> bool:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return False
        name = os.fsdecode(path)
        # A relative name may stand for a file within a folder that is being removed.
        return not os.path.isabs(name) or Path(name).is_relative_to(self.folder)

    def _strike(self, path: str) -> None:
        if self.what == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.what == MEMORY:
            raise MemoryError
        number = getattr(errno, self.what)
        raise OSError(number, os.strerror(number), path)
