"""A folder as a clone of the project, with tiny models under the names that pages have for large ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, RobertaConfig, RobertaForMaskedLM

from hf_fewshot import registry
from hf_fewshot.models.loading import load_tokenizer
from tests.clozes.conftest import CLOZE_WORDS
from tests.docs.blocks import PROJECT
from tests.in_context.conftest import LLAMA_SIZES, byte_tokenizer, chat_server
from tests.models.conftest import SIZES, write_roberta
from tests.trainers.test_text_to_text_trainer import t5

__all__ = ["chat_server", "t5"]

POSITIONS = 16_384  # one token per byte makes long prompts


@pytest.fixture(scope="session")
def models(t5, tmp_path_factory) -> dict[str, Path]:
    """Folders of tiny models by the Hub ids they stand in for."""
    folder = tmp_path_factory.mktemp("models")
    roberta = write_roberta(folder / "roberta", [*CLOZE_WORDS, "Yes", "Maybe", "No"])
    torch.manual_seed(0)
    sizes = {**SIZES, "max_position_embeddings": 514, "pad_token_id": 1}
    RobertaForMaskedLM(RobertaConfig(vocab_size=len(load_tokenizer(roberta)), **sizes)).save_pretrained(roberta)
    llama = folder / "llama"
    LlamaForCausalLM(LlamaConfig(**{**LLAMA_SIZES, "max_position_embeddings": POSITIONS})).save_pretrained(llama)
    tokenizer = byte_tokenizer()
    tokenizer.model_max_length = POSITIONS
    tokenizer.save_pretrained(llama)
    return {"roberta-large": roberta, "t5-large": t5, "HuggingFaceTB/SmolLM2-1.7B-Instruct": llama}


@pytest.fixture
def clone(models, tmp_path, monkeypatch) -> Iterator[Path]:
    """An empty folder that has what commands of the pages name, as the current folder."""
    places = {name: PROJECT / name for name in ("recipes", "examples")} | models
    for name, place in places.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(place, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")  # tables as wide as they like
    tables = (registry.METHODS, registry.SYSTEMS, registry.BENCHMARKS, registry.TASKS)
    before = [dict(table) for table in tables]
    yield tmp_path
    for table, content in zip(tables, before, strict=True):  # what a page has registered
        table.clear()
        table.update(content)
