"""What is tried: an encoder, a trained model of a run, or a saved learner; and the tasks that it can do."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from hf_fewshot.demo.model_title import model_title
from hf_fewshot.demo.remembered import RememberedEncoder
from hf_fewshot.demo.shape import shape_of
from hf_fewshot.embedded import CAUSAL_LMS, ENCODERS, model_place
from hf_fewshot.files.model_files import model_json
from hf_fewshot.learning.fitted import Fitted
from hf_fewshot.learning.learner import FewShotLearner, usual_layers
from hf_fewshot.learning.options import LOGISTIC, LearnerOptions
from hf_fewshot.learning.saved import LEARNER
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.registry import TASKS
from hf_fewshot.tasks import Task, task_of

# What is read of a repository on the Hub; weights in other formats are many times as much.
FILES = ["*.json", "*.jsonl", "*.txt", "*.model", "*.safetensors", "1_Pooling/*"]
MANY_LAYERS = 1000
OTHER_WEIGHTS = ["onnx/*", "openvino/*", "*.onnx*"]


class DemoModel:
    """A model by its name, and a learner of each task on it.

    Args:
        name: an embedded one, a folder or an id on the Hub.
        title: what the page calls it; None: by its name.
        tasks: that it can do, in the order of the page.
    """

    def __init__(self, name: str, title: str | None = None) -> None:
        self.name = name
        self.title = title or model_title(name)
        self.place = _place(name)
        self.saved: FewShotLearner | None = None
        self._trained: FewShotModel | None = None
        self._encoders: dict[tuple[str, int], RememberedEncoder] = {}
        if model_json(self.place, LEARNER) is not None:
            self.saved = FewShotLearner.from_pretrained(self.place)
            self.tasks: tuple[Task, ...] = (self.saved.task,)
            return
        config = model_json(self.place, "config.json")
        kind = config.get("model_type") if isinstance(config, Mapping) else None
        if kind == FewShotModel.config_class.model_type:
            self._trained = FewShotModel.from_pretrained(self.place)
            representation = self._trained.config.representation
            self.tasks = tuple(task for task in page_tasks() if representation in _read_as(task))
            if not self.tasks:
                raise ValueError(
                    f"The model {name!r} reads {representation!r}, not vectors of single examples, so that it cannot "
                    "be tried here. Take its encoder, or another model."
                )
        elif isinstance(kind, str) and kind.startswith("hf_fewshot"):
            raise ValueError(
                f"{name!r} is a model of type {kind!r}. This page takes encoders, models of type 'hf_fewshot' and "
                "saved learners: name the encoder that it was trained from."
            )
        else:
            self.tasks = page_tasks()
            layers = config.get("num_hidden_layers", config.get("n_layers")) if isinstance(config, Mapping) else None
            # Small encoders have fewer layers than are usually added up.
            self._depth = layers if isinstance(layers, int) and layers > 0 else MANY_LAYERS

    @property
    def what(self) -> str:
        """What it is, in words."""
        if self.saved is not None:
            return "a saved learner"
        return "a trained model" if self._trained is not None else "a pretrained encoder"

    @property
    def fitted(self) -> Fitted | None:
        """What a saved learner has learned."""
        return None if self.saved is None else self.saved.fitted

    def learner(self, task: Task, *, none_of_the_above: bool) -> FewShotLearner:
        """A learner that has learned nothing yet; all of a task share what they have encoded."""
        options = LearnerOptions() if self.saved is None else self.saved.options
        if options.head not in ("prototypes", LOGISTIC):
            options = replace(options, head=LOGISTIC)  # the quick way, on the encoder as it is
        options = replace(options, none_of_the_above=none_of_the_above)
        encode = self._encoder(task)
        found = FewShotLearner(encode.model, encode.tokenizer, task.name, options)
        found.encode = encode
        return found

    def _encoder(self, task: Task) -> RememberedEncoder:
        key = (task.read_as, usual_layers(task))
        if key not in self._encoders:
            self._encoders[key] = RememberedEncoder(*self._read(task))
        return self._encoders[key]

    def _read(self, task: Task) -> tuple[FewShotModel, Any]:
        if self.saved is not None:
            return self.saved.model, self.saved.tokenizer
        if self._trained is not None:
            return self._trained, load_tokenizer(self.place)
        begun = FewShotLearner.from_encoder(
            self.place, task.name, layers=min(usual_layers(task), self._depth), head=LOGISTIC
        )
        return begun.model, begun.tokenizer


def page_tasks() -> tuple[Task, ...]:
    """The tasks whose examples can be written on the page."""
    found = []
    for name in TASKS:
        task = task_of(name)
        try:
            shape_of(task)
        except ValueError:
            continue
        found.append(task)
    # Whole texts first: they are what most people begin with.
    return tuple(sorted(found, key=lambda task: ("tokens" in task.columns, len(task.columns))))


def _read_as(task: Task) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys((task.read_as, *task.representations)) if name != "pair")


def _place(name: str) -> str:
    """A folder or embedded model as it is; of the Hub, the folder in the cache, where it is downloaded first."""
    if name in CAUSAL_LMS:
        raise ValueError(
            f"{name!r} is a language model, which is asked in words. Take an encoder, such as {next(iter(ENCODERS))}."
        )
    if name in ENCODERS or Path(name).is_dir():
        return model_place(name)
    try:
        return snapshot_download(name, allow_patterns=FILES, ignore_patterns=OTHER_WEIGHTS)
    except LocalEntryNotFoundError as error:
        raise ValueError(
            f"The model {name!r} is neither a folder nor in the cache of this machine, and the Hub cannot be reached. "
            "Give the name of an embedded model, a folder, or a model that was downloaded before."
        ) from error
    except HfHubHTTPError as error:
        raise ValueError(
            f"The model {name!r} cannot be had from the Hub: {str(error).strip().splitlines()[0]} Check its name; for "
            "a private one, log in with `hf auth login`."
        ) from error
