"""Sample data of our own: written by each benchmark's generator, in the authors' raw format, into the Hugging Face
cache."""

import os
import shutil
from pathlib import Path

from filelock import FileLock

from hf_fewshot.registry import resolve
from hf_fewshot.row_code import code_hash, module_file, sample_module


def sample_folder(benchmark: str) -> Path:
    """The folder with the sample data of a benchmark, generated unless it is there."""
    from datasets import config

    generator = sample_module(benchmark)
    if module_file(generator) is None:
        raise ValueError(
            f"{benchmark} has no sample data: there is no module {generator} with a function write(folder)."
        )
    root = Path(config.HF_DATASETS_CACHE) / "hf_fewshot_samples"
    target = root / f"{benchmark}-{code_hash(benchmark)[:16]}"
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{target}.lock"):
        if not target.is_dir():
            unfinished = root / f".writing-{target.name}"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            try:
                resolve(f"{generator}:write")(unfinished)
                os.replace(unfinished, target)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)
    return target
