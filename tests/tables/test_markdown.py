from dataclasses import replace

from hf_fewshot.tables.markdown import markdown_page, markdown_tables
from hf_fewshot.tables.pairs import LEGEND


def test_settings_are_columns_beside_baselines_and_details_have_intervals(make_record):
    records = [
        make_record("MNAV", 0.5, data={"shots": 1, "sample": True}, scores={"accuracy": 0.6}),
        make_record("MNAV", 0.7, data={"shots": 5, "sample": True}, scores={"accuracy": 0.8}),
        make_record("a|b <c>_*", 0.25, data={"shots": 5, "sample": True}, model=None),
    ]
    assert markdown_tables(records).strip().split("\n\n") == [
        "## few_nerd",
        "### few_nerd/inter, test, sample data",
        "| F1 | Encoder | 1-shot | 5-shot | Notes |\n"
        "| --- | --- | ---: | ---: | --- |\n"
        "| MNAV | bert-base-uncased | 50.00 | **70.00** |  |\n"
        "| a\\|b \\<c\\>\\_\\* |  |  | 25.00 |  |\n"
        "| most frequent |  | 10.00 | 10.00 | trivial baseline |",
        "| Setting | System | Encoder | 95 % interval | Runs | Accuracy |\n"
        "| --- | --- | --- | ---: | ---: | ---: |\n"
        "| 1-shot | MNAV | bert-base-uncased | 48.00 to 52.00 (episodes) | 1 | 60.00 |\n"
        "| 5-shot | MNAV | bert-base-uncased | 68.00 to 72.00 (episodes) | 1 | 80.00 |\n"
        "| 5-shot | a\\|b \\<c\\>\\_\\* |  | 23.00 to 27.00 (episodes) | 1 |  |",
        LEGEND,
    ]


def test_what_differs_in_other_options_or_in_the_split_is_no_column(make_record):
    texts = markdown_tables(
        [
            make_record("A", data={"shots": 1, "sample": True}),
            make_record("A", data={"shots": 1, "sample": True}, split="validation"),
            make_record("A", data={"shots": 1, "sample": True, "n_episodes": 7}),
        ]
    )
    assert [line for line in texts.splitlines() if line.startswith("###")] == [
        "### few_nerd/inter, test, n_episodes=7, sample data",
        "### few_nerd/inter, test, sample data",
        "### few_nerd/inter, validation, sample data",
    ]


def test_commands_are_counted(make_record):
    data = {"sample": True}
    parts = ("", " --task-index 1", " --only x_a=1_seed=0_12 x_a=1_seed=1_34", " --only x_a=1")
    own = [make_record("A", data=data, seed=seed) for seed in range(4)]
    made = [
        replace(record, command=f"hf-fewshot run x.yaml{part} --output x", environment={"commit": "0" * 40})
        for record, part in zip(own, parts, strict=True)
    ]
    made.append(replace(make_record("B", data=data), command="", environment={}))
    assert "hf-fewshot run" not in markdown_tables(
        made
    )  # cards have them: a command may say more than is meant for all
    assert markdown_page(made).endswith(
        "### Commands\n\n"
        "    hf-fewshot run x.yaml --output x  # 4 runs, commit 0000000000\n"
        "    (not by a command)  # 1 run\n"
    )


def test_published_rows_refer_to_numbered_notes(make_record):
    lines = markdown_tables([make_record("A", config="intra")]).splitlines()
    rows = [line for line in lines if line.startswith("| ProtoBERT")]
    assert "| 20.76 ± 0.84 |" in rows[0]
    assert "published, not run here: 1" in rows[0]
    assert any("| 20.71 ± 1.16 |" in row for row in rows[1:])  # the same system on another version of the data
    assert any(line.startswith("1. Ding et al. (2021)") for line in lines)


def test_an_interval_that_says_nothing_is_said_in_words(make_record):
    units = {"0": (0.0, 5.0), "1": (0.0, 5.0)}
    text = markdown_tables([replace(make_record("A", 0.0, data={"sample": True}, units=units), intervals={})])
    assert "|  | A | bert-base-uncased | none: all 2 episodes alike | 1 |" in text


def test_errors_have_a_table_of_their_own(make_record):
    text = markdown_tables([make_record("A", data={"sample": True}, scores={"fp_error": 0.0625, "fn_error": 0.5})])
    assert "| Setting | Errors | False positive tokens | False negative tokens | Notes |" in text
    assert "|  | A | 6.25 | 50.00 |  |" in text


def test_no_records_are_no_text():
    assert markdown_tables([]) == ""
