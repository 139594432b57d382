"""Functions in processes of their own, which may die: forked from one that has imported everything."""

import multiprocessing
from collections.abc import Callable
from typing import Any, Self

CONTEXT = multiprocessing.get_context("forkserver")
# Children begin within milliseconds, not after the seconds that these imports take.
CONTEXT.set_forkserver_preload(["tests.attacks.imported"])


class Forked:
    """A function at work in another process; its first argument sends anything to this one."""

    def __init__(self, function: Callable[..., None], *arguments: Any) -> None:
        self.connection, sender = CONTEXT.Pipe(duplex=False)
        self._process = CONTEXT.Process(target=_work, args=(function, sender, arguments))
        self._process.start()
        sender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()
        self.connection.close()

    def received(self, seconds: float) -> Any:
        """The next thing that is sent; None if the process ended without, or the time is up."""
        if not self.connection.poll(seconds):
            return None
        try:
            return self.connection.recv()
        except EOFError:
            self._process.join()
            return None

    @property
    def has_news(self) -> bool:
        """Whether something was sent, or the process has ended."""
        return self.connection.poll(0)

    def wait(self, seconds: float) -> None:
        """Waits for its end, for some time at most."""
        self._process.join(seconds)

    def kill(self) -> None:
        """SIGKILL, unless it has ended."""
        self._process.kill()
        self._process.join()

    @property
    def exit_code(self) -> int | None:
        """Of a process that has ended: negative for a signal."""
        return self._process.exitcode


def _work(function: Callable[..., None], sender: Any, arguments: tuple[Any, ...]) -> None:
    function(sender.send, *arguments)
    sender.close()
