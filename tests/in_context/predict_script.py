"""Predicts a few episodes in context, in as many processes as it is started in. Argument: output folder."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from accelerate import Accelerator

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.in_context.causal_lm import CausalLM
from tests.predicted import predict_in_context
from tests.small_episodes import RELATIONS, episodes_of
from tests.tiny_models import byte_tokenizer, tiny_causal_lm


def predicted(folder=None):
    """Three episodes of nine queries, four at a time."""
    episodes = episodes_of("relation", RELATIONS, *[Episode(("lives", "works"), (0, 2), tuple(range(3, 12)))] * 3)
    lm = CausalLM(tiny_causal_lm("llama"), byte_tokenizer())
    lm.queries_per_request = 4
    return asdict(predict_in_context(lm, episodes, "relation", nota=True, output_dir=folder, progress=False))


def main() -> None:
    result = predicted(sys.argv[1])
    accelerator = Accelerator()
    Path(sys.argv[1], f"result-{accelerator.process_index}.json").write_text(json.dumps(result))
    accelerator.end_training()


if __name__ == "__main__":
    main()
