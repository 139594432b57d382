from hf_fewshot.published import published_beside
from hf_fewshot.runs.run import Run
from tests.runs.records import make_record


def test_other_data_in_the_same_format_stands_beside_nothing():
    record = make_record(run=Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1}))
    assert "ProtoBERT" in {score.system for score in published_beside(record)}
    other = make_record(run=record.run, episodes={**record.episodes, "official": False})
    assert published_beside(other) == []
