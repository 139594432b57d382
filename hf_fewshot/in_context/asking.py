"""What a language model is asked, and how its answer is chosen."""

from dataclasses import dataclass, fields, replace
from typing import Any

from hf_fewshot.episodes.options import require_seed, require_whole
from hf_fewshot.in_context.calibration import Calibration
from hf_fewshot.in_context.demonstrations import Choice
from hf_fewshot.in_context.prompt_format import PromptFormat, load_format
from hf_fewshot.in_context.sampling import Sampling
from hf_fewshot.registry import unknown

LABELS = ("likelihood", "written")
CHOSEN = ("demonstrations", "n_demonstrations", "encoder")


@dataclass(frozen=True)
class Asking:
    """What decides an answer, wherever the model is.

    Args:
        format: a prompt format by name, or a YAML file of one's own; none: that of the task.
        template: a file with a Jinja template of a query, in place of that of the format.
        system: a system message; none: that of the format.
        labels: "likelihood": the most likely label is the answer; "written": the model writes it; none: by likelihood
            where the model can say it.
        calibration: "none", or "content_free": compare with queries without content (Zhao et al. 2021).
        per_token: compare log-likelihoods per token.
        nota: offer none of the above as a label; none: where the episodes have it.
        demonstrations: "all" of the support set, or some: "random", the same for all queries of an episode; for each
            query the "nearest" by the vectors of an encoder, or "bm25" by shared words, the nearest last. Labels are
            shown equally often, as far as can be.
        n_demonstrations: how many are chosen.
        encoder: of demonstrations="nearest": a Hub id, a folder, or the name of an embedded model.
        shuffle_seed: put the demonstrations of each episode into random order; none: as they are.
        chat: use the chat template of a model of this machine.
        temperature: 0: the most likely answer; above, answers are drawn, by the seed of the run.
        samples: how many answers are drawn to a query; what most of them say counts.
        max_new_tokens: of a written answer; none: as many as the format says.
        structured: ask an endpoint to hold the answer to the JSON schema of the task.
        keep_thoughts: keep what a reasoning model thought in the file of answers.
    """

    format: str | None = None
    template: str | None = None
    system: str | None = None
    labels: str | None = None
    calibration: str = "none"
    per_token: bool = False
    nota: bool | None = None
    demonstrations: str = "all"
    n_demonstrations: int | None = None
    encoder: str | None = None
    shuffle_seed: int | None = None
    chat: bool = False
    temperature: float = 0.0
    samples: int = 1
    max_new_tokens: int | None = None
    structured: bool = False
    keep_thoughts: bool = False

    def __post_init__(self) -> None:
        if self.labels is not None and self.labels not in LABELS:
            raise unknown("way of labels", self.labels, LABELS)
        if self.shuffle_seed is not None:
            require_seed(self.shuffle_seed)
        if self.max_new_tokens is not None:
            require_whole(max_new_tokens=self.max_new_tokens)
        if self.format is not None:
            self.changed(load_format(self.format))
        if self.calibrated != Calibration() and self.labels == "written":
            raise ValueError("Calibration compares the likelihoods of labels, but labels='written'. Leave one out.")
        self.sampling(0)
        if self.temperature > 0 and self.labels == "likelihood":
            raise ValueError(
                f"temperature={self.temperature} draws written answers, but labels='likelihood'. Leave one out."
            )
        self.choice(0)
        if self.demonstrations != "all" and self.shuffle_seed is not None:
            raise ValueError("shuffle_seed orders all demonstrations, but here some are chosen. Leave it out.")

    def choice(self, seed: int) -> Choice:
        """Which demonstrations are shown in a run of this seed."""
        return Choice(self.demonstrations, self.n_demonstrations, self.encoder, seed)

    @property
    def calibrated(self) -> Calibration:
        """How the likelihoods of labels are compared."""
        return Calibration(self.calibration, self.per_token)

    def by_likelihood(self, can_score: bool) -> bool:
        """Whether labels are compared by their likelihood, by a backend that can say it or not."""
        return can_score and self.labels != "written" and self.temperature == 0

    def sampling(self, seed: int) -> Sampling:
        """How answers are drawn in a run of this seed."""
        return Sampling(self.temperature, self.samples, seed)

    @property
    def decisive(self) -> dict[str, Any]:
        """The options that answers depend on, beside format and demonstrations, where they are not as usual."""
        apart = ("format", "template", "system", "nota", "chat", "max_new_tokens", "keep_thoughts", *CHOSEN)
        return {
            one.name: value
            for one in fields(Asking)
            if one.name not in apart and (value := getattr(self, one.name)) != one.default
        }

    def changed(self, form: PromptFormat) -> PromptFormat:
        """A format with what the options change of it."""
        form = form if self.template is None else form.with_template(self.template)
        changes: dict[str, Any] = {"system": self.system, "max_new_tokens": self.max_new_tokens}
        return replace(form, **{name: value for name, value in changes.items() if value is not None})
