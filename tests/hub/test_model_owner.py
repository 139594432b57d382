"""Which of several models is uploaded."""

import pytest

from hf_fewshot.hub.runs import model_owner
from tests.tables.records import make_record


@pytest.fixture
def runs(tmp_path):
    """Runs with models, by model and draw, from their scores."""

    def make(scores, benchmark):
        found = {}
        for seed, draws in enumerate(scores):
            for draw, score in enumerate(draws):
                folder = tmp_path / benchmark / f"{seed}-{draw}"
                (folder / "model").mkdir(parents=True)
                (folder / "model" / "config.json").write_text("{}")
                data = {"n_way": 5, "shots": 1, "test_seed": 160290 + draw}
                found[folder] = make_record("A", score, benchmark=benchmark, config=None, seed=seed, data=data)
        return found

    return make


# Means of 0.5, 0.3 and 0.4; of all six scores the lower one of the middle two is 0.35, that of the second model.
SCORES = [[0.1, 0.9], [0.25, 0.35], [0.38, 0.42]]


def test_it_is_the_median_model_of_the_tables_where_papers_report_it(runs):
    assert model_owner(runs(SCORES, "fs_tacred"), None).name == "2-0"


def test_it_is_the_run_with_the_median_score_elsewhere_and_where_models_cannot_be_ranked(runs):
    assert model_owner(runs(SCORES, "my_data"), None).name == "1-1"
    cut = runs(SCORES, "fs_tacred")
    del cut[list(cut)[-1]]
    assert model_owner(cut, None).name == "1-1"
