"""Sample data of our own, which each benchmark's generator writes in the authors' raw format."""

from pathlib import Path

from hf_fewshot.files.whole_folder import written_once
from hf_fewshot.registry import resolve
from hf_fewshot.row_code import code_hash, module_file, sample_module


def sample_folder(benchmark: str) -> Path:
    """The folder in the Hugging Face cache with the sample data of a benchmark, written unless it is there."""
    from datasets import config

    generator = sample_module(benchmark)
    if module_file(generator) is None:
        raise ValueError(
            f"{benchmark} has no sample data: there is no module {generator} with a function write(folder)."
        )
    root = Path(config.HF_DATASETS_CACHE) / "hf_fewshot_samples"
    target = root / f"{benchmark}-{code_hash(benchmark)[:16]}"
    return written_once(
        target, lambda folder: resolve(f"{generator}:write")(folder), f"the sample data of {benchmark}"
    )
