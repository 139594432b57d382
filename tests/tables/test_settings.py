from hf_fewshot.report.page import write_report
from hf_fewshot.tables.settings import settings


def test_settings_are_ordered_by_benchmark_configuration_and_size(make_record):
    records = [
        make_record(data={"n_way": 10, "shots": 1}),
        make_record(data={"n_way": 5, "shots": 10}),
        make_record(data={"n_way": 5, "shots": 5}),
        make_record(config="episodes", benchmark="fewjoint", data={"shots": 3, "data_version": "1.1"}),
    ]
    assert [setting.title for setting in settings(records)] == [
        "few_nerd/inter, 5-way 5-shot, test",
        "few_nerd/inter, 5-way 10-shot, test",
        "few_nerd/inter, 10-way 1-shot, test",
        "fewjoint/episodes, 3-shot, test, data_version=1.1",
    ]


def test_seeds_and_folds_are_repeats_of_one_system(make_record):
    records = [
        make_record("A", data={"shots": 10, "fold": fold}, seed=seed, benchmark="clues", config="sst2")
        for fold in (1, 2)
        for seed in (0, 1)
    ]
    (setting,) = settings(records)
    assert setting.data == {"shots": 10}
    assert [(system.label, len(system.records)) for system in setting.systems] == [("A", 4)]


def test_records_of_another_measure_are_a_setting_of_their_own(make_record):
    found = settings([make_record("A"), make_record("B", measure="accuracy"), make_record("C")])
    assert [(one.measure, [system.label for system in one.systems]) for one in found] == [
        ("accuracy", ["B"]),
        ("f1", ["A", "C"]),
    ]


def test_a_system_has_the_same_number_in_all_settings_of_a_benchmark(make_record):
    records = [make_record("A"), make_record("B"), make_record("B", data={"n_way": 5, "shots": 5})]
    assert [[system.number for system in one.systems] for one in settings(records)] == [[0, 1], [1]]


def test_sample_data_is_named(make_record):
    (setting,) = settings([make_record(data={"sample": True, "shots": 1})])
    assert setting.is_sample
    assert setting.title == "few_nerd/inter, 1-shot, test, sample data"


def test_records_of_one_draw_with_other_episodes_are_not_summed_up(make_record, tmp_path):
    prints = ("f00d", "f00d", "beef", "f00d", "beef")
    records = [make_record("A", seed=n, fingerprint=one, training={"max_steps": 1}) for n, one in enumerate(prints)]
    (setting,) = settings(records)
    assert [(system.label, [one.run.seed for one in system.records]) for system in setting.systems] == [
        ("A", [0, 1, 3]),
        ("A (episodes 2)", [2, 4]),
    ]
    assert [system.summary.n for system in setting.systems] == [3, 2]
    page = write_report(records, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Not compared: " in page


def test_records_that_say_the_same_of_themselves_are_not_summed_up(make_record):
    (setting,) = settings([make_record("A", data={"n_episodes": n}) for n in (5, "5")])
    assert [system.label for system in setting.systems] == ["A", "A (episodes 2)"]
