"""Which dataset repository a benchmark's leaderboard is: the same for everyone, so that boards have all results."""

import os
import re

from hf_fewshot.cards.setting_name import dataset_name

VARIABLE = "HF_FEWSHOT_ORG"
ORGANISATION = "hf-fewshot"


def benchmark_repository(benchmark: str, is_sample: bool) -> str:
    """The repository of a benchmark, of one organisation; the environment variable HF_FEWSHOT_ORG names another."""
    owner = os.environ.get(VARIABLE) or ORGANISATION
    if not re.fullmatch(r"[\w.-]{1,96}", owner, re.ASCII):
        raise ValueError(f"{VARIABLE}={owner!r} is no name of a user or an organisation. Expected one such as 'me'.")
    return f"{owner}/{dataset_name(benchmark, is_sample)}"
