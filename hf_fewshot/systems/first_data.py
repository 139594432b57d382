"""What a method that is not trained begins with."""

from typing import Any

from transformers import PreTrainedTokenizerBase

from hf_fewshot.episodes.episode import EpisodeSet
from hf_fewshot.files.sources import RawFilesNotFoundError
from hf_fewshot.methods.training_data import TrainingData
from hf_fewshot.systems.work import Work


def first_data(work: Work, model: Any, tokenizer: PreTrainedTokenizerBase) -> TrainingData:
    """The released training episodes where those that are predicted are released too, else the train split."""
    given = _released(work)
    rows = work.data.rows("train") if given is None else given.examples
    return TrainingData(rows, model, tokenizer, work.seed, work.accelerator, given, nota_class=work.data.nota_class)


def _released(work: Work) -> EpisodeSet | None:
    if not work.data.trains_on_released:
        return None
    try:
        return work.data.training_episodes()
    except RawFilesNotFoundError as error:
        raise RawFilesNotFoundError(
            f"Method {work.name!r} begins with the released training episodes. {error} To begin with the sentences of "
            'the train split, sample the episodes from them: episodes="sampled".'
        ) from error
