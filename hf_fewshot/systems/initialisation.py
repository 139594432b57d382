"""Starting values that come from training data."""

import numpy as np
import torch
from accelerate import Accelerator
from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from hf_fewshot.encoding.vectors import encode_examples
from hf_fewshot.methods.nearest_neighbour import StructShot
from hf_fewshot.methods.none_of_the_above import Mnav
from hf_fewshot.models.episode_batch import plain_examples
from hf_fewshot.models.few_shot_model import FewShotModel

# Methods that begin with something from training examples.
BEGIN_WITH_DATA = ("structshot", "nav", "mnav")
# Enough to average ten examples of every relation that is drawn.
MAX_EXAMPLES = 2000


def initialise_from_data(
    model: FewShotModel,
    tokenizer: PreTrainedTokenizerBase,
    examples: Dataset,
    seed: int,
    accelerator: Accelerator | None = None,
) -> None:
    """Sets what a method takes from training examples: NAV and MNAV vectors, StructShot's transitions."""
    if isinstance(model.method, StructShot):
        model.method.set_transitions(examples["tags"])
    if not isinstance(model.method, Mnav):
        return
    chosen = sorted(np.random.default_rng([seed, 2]).permutation(len(examples))[:MAX_EXAMPLES].tolist())
    vectors = encode_examples(
        model, tokenizer, plain_examples(examples, chosen), accelerator=accelerator, progress=False
    )
    classes = examples.select(chosen)["relation"][:]
    rows = vectors.take(np.arange(len(chosen))).to(model.device)
    model.method.initialise(rows, classes, torch.Generator().manual_seed(seed))
