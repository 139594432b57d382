from hf_fewshot.runs.run import Run
from hf_fewshot.tables.system_names import system_labels


def labels(*runs):
    return list(system_labels(runs).values())


def run(system, model="bert", shots=1, **options):
    return Run("few_nerd", "proto", "inter", {"shots": shots}, system=system, model=model, options=options)


def test_different_systems_keep_their_names():
    assert labels(run("ProtoBERT"), run("NNShot", "other/model", tau=1)) == ["ProtoBERT", "NNShot"]


def test_the_same_system_with_two_encoders_is_told_apart_by_the_last_part_of_their_names():
    assert labels(run("Proto", "google/bert"), run("Proto", "minilm")) == ["Proto (bert)", "Proto (minilm)"]


def test_an_option_that_tells_systems_apart_is_named_in_all_settings_and_the_model_first():
    found = labels(
        run("Proto", tau=1), run("Proto", tau=2), run("Proto", tau=1, shots=5), run("Proto", "minilm", tau=2)
    )
    assert found == [
        "Proto (bert, tau=1)",
        "Proto (bert, tau=2)",
        "Proto (bert, tau=1)",
        "Proto (minilm, tau=2)",
    ]


def test_an_option_that_changes_with_the_shots_does_not_change_the_name():
    assert labels(run("StructShot", tau=0.32), run("StructShot", tau=0.318, shots=5)) == ["StructShot", "StructShot"]


def test_what_no_short_name_tells_apart_is_numbered():
    assert labels(run("Proto", "one/bert"), run("Proto", "two/bert")) == ["Proto (bert)", "Proto (bert) #2"]


def test_a_trained_system_and_an_untrained_one_are_told_apart():
    trained = Run("few_nerd", "proto", "inter", {"shots": 1}, system="Proto", model="bert", training={"max_steps": 9})
    assert labels(trained, run("Proto")) == ["Proto (trained)", "Proto (not trained)"]


def test_a_run_that_is_validated_on_another_fold_always_says_so():
    validated = Run("clues", "span_finetuning", "sst2", {"fold": 1}, training={"validation": {"fold": 5}}, system="FT")
    assert labels(validated) == ["FT (validated on fold 5)"]
    plain = Run("clues", "span_finetuning", "sst2", {"fold": 1}, training={}, system="FT")
    assert labels(validated, plain) == ["FT (validated on fold 5)", "FT"]
    strange = Run("clues", "span_finetuning", "sst2", {"fold": 1}, training={"validation": [5]}, system="FT")
    assert labels(strange) == ["FT"]
