import pytest

from hf_fewshot.method_names import method_named
from hf_fewshot.registry import BENCHMARKS, CONFIGS, METHODS, SYSTEMS, resolve
from hf_fewshot.runs.recipe import PlannedSystem
from hf_fewshot.runs.run import Run


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("ProtoBERT", "proto"),
        ("protobert", "proto"),
        ("PROTO", "proto"),
        ("NNShot", "nnshot"),
        ("StructShot", "structshot"),
        ("Threshold", "threshold"),
        ("NAV", "nav"),
        ("MNAV", "mnav"),
        ("Sentence-Pair", "sentence_pair"),
        ("BERT-PAIR", "sentence_pair"),
        ("SepProto", "sep_proto"),
        ("JointProto", "joint_proto"),
        ("BERT-Tagger", "tagger"),
        ("LM-BFF", "prompt_tuning"),
        ("text to text", "text_to_text"),
        ("tuned", "tuned"),
        ("no such", "no such"),
        ("", ""),
    ],
)
def test_methods_are_known_as_papers_and_the_readme_write_them(name, method):
    assert method_named(name) == method


def test_names_stand_for_one_method_each():
    assert [method_named(name.upper().replace("_", "-")) for name in SYSTEMS] == list(SYSTEMS)


def test_a_run_is_the_same_by_whichever_name():
    assert Run("few_nerd", "ProtoBERT") == Run("few_nerd", "proto")
    assert PlannedSystem("Sentence-Pair").method == "sentence_pair"


def test_configurations_are_those_of_the_builders():
    several = {name: resolve(reference).builder_configs for name, reference in BENCHMARKS.items()}
    assert {name: sorted(own) for name, own in several.items() if len(own) > 1} == {
        name: sorted(own) for name, own in CONFIGS.items()
    }


def test_a_model_takes_the_names_of_methods_and_encoders(encoder, monkeypatch):
    from hf_fewshot import FewShotModel, SpanModel, embedded

    monkeypatch.setitem(embedded.ENCODERS, "tiny", ("package", "folder", "distribution"))
    monkeypatch.setattr(embedded, "embedded_encoder", lambda name: encoder)
    model, _ = FewShotModel.from_encoder("tiny", "ProtoBERT", representation="words")
    assert model.config.method == "proto"
    assert type(model.method) is resolve(METHODS["proto"].reference)
    assert SpanModel.from_encoder("tiny", max_length=64)[0].config.encoder.model_type == "bert"
