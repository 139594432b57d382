"""Answers the questions of FewRel's hidden test set with a trained model, as a file to be submitted.

    hf-fewshot run recipes/fewrel_2_test.yaml --data-dir FewRel --output results
    python examples/fewrel_submission.py results/fewrel_..._MNAV_seed=0_.../model input-5-1.json pred-5-1.json

The model is a folder that `hf-fewshot run` links from its results, or what `save_pretrained` wrote.
"""

import argparse
from pathlib import Path

import hf_fewshot
from hf_fewshot.dataset_scripts.fewrel.submission import read_test_input, write_submission
from hf_fewshot.models.loading import load_tokenizer


def submit(model: Path, questions: Path, output: Path) -> None:
    """Writes the predictions of a model for a test input file."""
    system = hf_fewshot.EpisodicSystem(hf_fewshot.FewShotModel.from_pretrained(model), load_tokenizer(model))
    episodes = read_test_input(questions)
    write_submission(output, hf_fewshot.predict(system, episodes))
    print(f"{output}: {len(episodes)} answers")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="folder of a trained model")
    parser.add_argument("questions", type=Path, help="the test input file")
    parser.add_argument("output", type=Path, help="the file to submit")
    options = parser.parse_args()
    submit(options.model, options.questions, options.output)


if __name__ == "__main__":
    main()
