from hf_fewshot.report.markdown import markdown_tables


def test_one_table_per_setting_with_our_rows_baselines_and_published_ones(make_record):
    data = {"n_way": 5, "shots": 1, "nota_rate": 0.5}
    common = {"benchmark": "fewrel", "config": "2.0", "task": "relation", "split": "validation"}
    records = [
        make_record("MNAV", 0.5, scores={"accuracy": 0.6}, data=data, **common),
        make_record("a|b <c>_*", 0.25, data={"shots": 1, "sample": True}, model=None),
    ]
    text = markdown_tables(records)
    assert text.split("\n\n")[:3] == [
        "## few_nerd",
        "### few_nerd/inter, 1-shot, test, sample data",
        "| System | Encoder | F1 | 95 % interval | Runs | Notes |\n"
        "| --- | --- | ---: | ---: | ---: | --- |\n"
        "| a\\|b \\<c\\>\\_\\* |  | 25.00 | 23.00 to 27.00 (episodes) | 1 |  |\n"
        "| most frequent |  | 10.00 |  | 1 | trivial baseline |",
    ]
    assert "## fewrel\n\n### fewrel/2.0, 5-way 1-shot, validation, nota_rate=0.5\n" in text
    line = "| MNAV | bert-base-uncased | 50.00 | 48.00 to 52.00 (episodes) | 1 | 60.00 |  |"
    assert line in text.splitlines()
    assert text.endswith("\n")


def test_published_rows_refer_to_numbered_notes(make_record):
    lines = markdown_tables([make_record("A", config="intra")]).splitlines()
    row = next(line for line in lines if line.startswith("| ProtoBERT"))
    assert "20.76" in row
    assert "published, not run here: 1" in row
    assert any(line.startswith("1. Ding et al. (2021)") for line in lines)


def test_errors_have_a_table_of_their_own(make_record):
    text = markdown_tables([make_record("A", data={"sample": True}, scores={"fp_error": 0.0625, "fn_error": 0.5})])
    assert "| Errors | False positive tokens | False negative tokens | Notes |" in text
    assert "| A | 6.25 | 50.00 |  |" in text


def test_no_records_are_no_text():
    assert markdown_tables([]) == ""
