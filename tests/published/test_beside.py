from hf_fewshot.dataset_scripts.few_nerd.few_nerd import FewNerd
from hf_fewshot.dataset_scripts.fewrel.fewrel import FewRel
from hf_fewshot.published import published_beside
from hf_fewshot.results.run import Run
from tests.results.conftest import make_record

__all__ = ["make_record"]


def test_other_data_in_the_same_format_stands_beside_nothing(make_record):
    record = make_record(run=Run("few_nerd", "proto", "inter", {"n_way": 5, "shots": 1}))
    assert "ProtoBERT" in {score.system for score in published_beside(record)}
    other = make_record(run=record.run, episodes={**record.episodes, "official": False})
    assert published_beside(other) == []


def test_few_nerd_knows_its_types():
    assert FewNerd.recognises(["art-film", "person-actor"])
    assert not FewNerd.recognises(["art-film", "NLP-term"])


def test_fewrel_knows_how_many_relations_it_has():
    names = [f"P{number}" for number in range(16)]
    assert FewRel.recognises(names)
    assert not FewRel.recognises(names[:7])
