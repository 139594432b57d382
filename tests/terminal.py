"""A terminal that keeps what it was shown."""

import io


class Terminal(io.StringIO):
    """A file that says it is one."""

    def isatty(self) -> bool:
        return True
