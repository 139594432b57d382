"""In-context learning as a system: a language model of this machine or behind an endpoint."""

from typing import Any

from hf_fewshot.episodes.references import references
from hf_fewshot.in_context.backend import Backend
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.in_context.endpoint import Endpoint
from hf_fewshot.in_context.engine import predict_in_context
from hf_fewshot.systems.work import Work
from hf_fewshot.tasks.labels import NOTA

# Options that say how the model is reached; all others go to `predict_in_context`.
OF_ENDPOINT = ("concurrency", "timeout", "max_retries", "max_failures", "prices")


def predict(work: Work) -> list[list[Any]]:
    """Answers after the support set as demonstrations; of CLUES, after the training rows of the fold."""
    options = dict(work.run.options)
    backend = _backend(work, options)
    # Read first, for every task: answers to other queries are not gone on with.
    episodes = work.data.episodes
    kept = work.folder / f"answered-{work.read_so_far}"
    form = options.pop("format", f"{work.run.benchmark}_{work.run.config}" if work.data.has_folds else work.data.task)

    def answers(episodes: Any) -> list[list[Any]]:
        with work.timed("predict"):
            found = predict_in_context(
                backend,
                episodes,
                form,
                output_dir=kept,
                accelerator=work.accelerator,
                progress=work.progress,
                **options,
            )
        work.answers.update(found.report.counts)
        return found.predictions

    if not work.data.has_folds:
        if "nota" not in options:
            options["nota"] = any(NOTA in gold for gold in references(episodes))
        return answers(episodes)

    work.data.train_rows()
    return answers(work.data.unanswered)


def _backend(work: Work, options: dict[str, Any]) -> Backend:
    chat = options.pop("chat", False)
    url = options.pop("endpoint", None)
    if url is not None:
        own = {name: options.pop(name) for name in OF_ENDPOINT if name in options}
        return Endpoint(url, work.run.model, **own)
    return CausalLM.from_pretrained(work.model, chat=chat)
