"""Two methods on the same episodes, scored with confidence intervals, and one of them on sentences of your own.

    python examples/quickstart.py
    python examples/quickstart.py --data-dir Few-NERD --model bert-base-uncased --n-episodes 500

Without options: sample data of this project and an encoder inside a pip package, so nothing is downloaded.
"""

import argparse

import hf_fewshot
from hf_fewshot.embedded import embedded_encoder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", help="folder with Few-NERD; default: sample data")
    parser.add_argument("--model", help="an encoder: Hub id or folder; default: all-MiniLM-L6-v2 of a pip package")
    parser.add_argument("--n-episodes", type=int, default=20)
    options = parser.parse_args()

    source = {"data_dir": options.data_dir} if options.data_dir else {"sample": True}
    episodes = hf_fewshot.load_episodes(
        "few_nerd", "inter", split="test", n_way=5, shots=1, n_episodes=options.n_episodes, **source
    )
    print(f"{len(episodes)} episodes, fingerprint {episodes.fingerprint[:16]}")

    encoder = options.model or embedded_encoder("all-MiniLM-L6-v2")
    for method in ("proto", "nnshot"):
        model, tokenizer = hf_fewshot.FewShotModel.from_encoder(encoder, method)
        predictions = hf_fewshot.predict(hf_fewshot.EpisodicSystem(model, tokenizer), episodes, progress=False)
        scores = hf_fewshot.score(episodes, predictions, confidence_level=0.95)
        f1, low, high = (100 * scores[name] for name in ("f1", "f1_ci_low", "f1_ci_high"))
        print(f"{method}: entity F1 {f1:.1f} (95 %: {low:.1f} to {high:.1f})")

    ner = hf_fewshot.pipeline("few-shot-ner", model, tokenizer)
    support = [{"tokens": ["Paris", "is", "in", "France"], "tags": ["city", "O", "O", "country"]}]
    for entity in ner(support, ["Rome lies in Italy"])[0]:
        print(f"{entity['type']}: {entity['text']}")


if __name__ == "__main__":
    main()
