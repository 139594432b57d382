"""The error of an endpoint; a module of its own, so that catching it loads no library."""


class EndpointError(RuntimeError):
    """The endpoint cannot be used, or left queries without an answer; answers that came are kept.

    Attributes:
        status: with which it answered, if that is what ended the run.
    """

    status: int | None = None
