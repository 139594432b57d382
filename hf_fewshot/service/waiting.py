"""A request that waits for its job: until it is done, the time is over, or its client has gone."""

import asyncio
from typing import Any

from fastapi import Request
from starlette.types import Receive

from hf_fewshot.service.jobs import Job
from hf_fewshot.service.worker import QueueFullError, Worker
from hf_fewshot.web.refusal import Refusal


async def done(worker: Worker, job: Job, request: Request) -> Any:
    """The result of a job, or a Refusal that says why there is none; what has not begun is not done then."""
    try:
        worker.submit(job)
    except QueueFullError as error:
        raise Refusal(
            429,
            f"room for {len(job)} in a queue of {worker.limits.queue:,}",
            f"{error.waiting:,} that wait",
            f"Try again in {error.seconds} seconds.",
            {"Retry-After": str(error.seconds)},
        ) from None
    result: asyncio.Future[Any] = asyncio.wrap_future(job.result)
    gone = asyncio.ensure_future(_gone(request.receive))
    left = request.scope["deadline"] - asyncio.get_running_loop().time()
    try:
        await asyncio.wait({result, gone}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if result.done():
            return result.result()
        if gone.done():
            raise Refusal(499, "a client that waits", "a closed connection", "Wait for the answer.")
        dropped = worker.drop(job)
        state = "waiting for others; it was not begun" if dropped else "at work; it may still be done"
        got = f"{worker.limits.seconds:g} s, in which it was {state}"
        raise Refusal(504, "an answer within the time limit", got, "Send fewer texts at once, or try again later.")
    finally:
        gone.cancel()
        worker.drop(job)
        result.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
