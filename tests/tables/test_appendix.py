from dataclasses import replace

from hf_fewshot.tables.appendix import appendix
from hf_fewshot.tables.settings import settings


def test_an_appendix_says_data_systems_seeds_and_versions(make_record):
    records = [
        *(make_record("A", 0.5, seed=seed, options={"layers": 4}, training={"max_steps": 20}) for seed in (0, 1)),
        replace(make_record("B", 0.4, model=None), environment={"versions": {"torch": "2.14.0"}, "python": "3.11.7"}),
    ]
    assert appendix(settings(records)) == [
        "few_nerd/inter, 5-way 1-shot, test: 10 episodes with 200 queries (fingerprint f00d).",
        "A: method proto, layers 4, model bert-base-uncased, trained with max_steps 20; 2 runs, seeds 0, 1.",
        "B: method proto, not trained; 1 run, seed 0.",
        "Scores are means over runs with the sample standard deviation (over n \N{MINUS SIGN} 1). 95 % confidence "
        "intervals of one run are bootstrap intervals over its units; of several, Student's t with the variances that "
        "seeds, draws and shared units cause.",
        "Software: torch 2.13.0 and 2.14.0, transformers 5.0.0, Python 3.11.7, commit abc1234, on cpu.",
    ]


def test_draws_of_a_setting_are_counted(make_record):
    records = [
        make_record("A", data={"shots": 1, "seed": seed, "sample": True}, fingerprint=f"f00d{seed}") for seed in (0, 1)
    ]
    assert appendix(settings(records))[0].endswith(
        "sample data: 2 draws of 10 episodes with 200 queries (fingerprints f00d0, f00d1)."
    )
