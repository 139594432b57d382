"""Sample data of our own, which each benchmark's generator writes in the authors' raw format."""

from pathlib import Path

from hf_fewshot.files.whole_folder import written_once
from hf_fewshot.registration import code_hash
from hf_fewshot.registry import BENCHMARKS, resolve


def sample_folder(benchmark: str) -> Path:
    """The folder in the Hugging Face cache with the sample data of a benchmark, written unless it is there."""
    from datasets import config

    root = Path(config.HF_DATASETS_CACHE) / "hf_fewshot_samples"
    target = root / f"{benchmark}-{code_hash(benchmark)[:16]}"
    package = BENCHMARKS[benchmark].partition(":")[0].rpartition(".")[0]
    return written_once(
        target, lambda folder: resolve(f"{package}.sample:write")(folder), f"the sample data of {benchmark}"
    )
