"""What commands print of records, names and settings: text, without markup, control characters or passwords."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from hf_fewshot.cli import main
from hf_fewshot.cli.plain_table import plain, plain_table
from hf_fewshot.cli.results_table import results_tables
from hf_fewshot.cli.show_command import coloured
from tests.tables.records import make_record

NAMES = ["Proto [ours]", "[/red]", "[bold]x[/]", ":smile:", "[link=https://example.org]y[/link]"]


def printed(*tables):
    console = Console(file=io.StringIO(), width=200, force_terminal=True, color_system=None)
    for table in tables:
        console.print(table)
    return console.file.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_brackets_in_names_are_text(name):
    text = printed(
        *results_tables([make_record(name, model=name, benchmark=name, measure=name, baselines={name: 0.5})])
    )
    assert text.count(name) == 5
    table = plain_table([name], name)
    table.add_row(plain(name))
    assert printed(table).count(name) == 3


def test_control_characters_of_names_are_shown_in_tables_of_results():
    name = "\x1b[2J\x1b]0;owned\x07\u202e"
    record = make_record(name, model=name, benchmark=name, config=name, split=name, measure=name)
    text = printed(*results_tables([record]))
    assert "\\x1b[2J\\x1b]0;owned\\x07\\u202e" in text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_passwords_of_old_records_are_not_in_tables_of_results():
    text = printed(*results_tables([make_record("A", model="http://me:swordfish@localhost/v1")]))
    assert "http://<redacted>@localhost/v1" in text


def test_an_interval_that_says_nothing_is_said_in_words():
    units = {str(number): (0.0, 5.0) for number in range(3)}
    record = replace(make_record("A", 0.0, units=units), intervals={"f1": (0.0, 0.0)})
    assert "none: all 3 episodes alike" in printed(*results_tables([record]))


def test_rows_of_data_are_text():
    assert coloured("[/red] [a|b\x1b]").plain == "[/red] [a|b\\x1b]"


@pytest.fixture
def address(monkeypatch, tmp_path):
    """An address with a password, for the mirror and the Hub; and a cache that nothing is in."""
    address = "http://me:swordfish@localhost"
    monkeypatch.setenv("HF_FEWSHOT_MIRROR", address)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path))
    return address


@pytest.mark.parametrize("arguments", [["doctor"], ["doctor", "--json"]])
def test_the_doctor_does_not_show_passwords_of_addresses(arguments, address, capsys):
    assert main(arguments) == 0
    output = capsys.readouterr().out
    assert "swordfish" not in output
    assert output.count("http://<redacted>@localhost") == 2


def test_the_doctor_names_extras_in_whole(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["doctor"]) == 0
    assert "pip install 'hf_fewshot[embedded]'" in " ".join(capsys.readouterr().out.split())


def test_the_card_of_a_folder_is_shown_without_control_characters(tmp_path, capsys):
    (tmp_path / "README.md").write_text("# a\x1b[2J\n")
    assert main(["push", str(tmp_path), "--dataset", "--repo", "me/x", "--dry-run"]) == 0
    output = capsys.readouterr().out
    assert output.endswith("README.md:\n\n# a\\x1b[2J\n\n")
    assert "\x1b" not in output


def test_a_report_leaves_out_records_that_lie_and_episodes_that_are_damaged(tmp_path, capsys):
    for seed in (0, 1):
        record = make_record("A", seed=seed, data={"sample": True})
        record = replace(record, episodes={**record.episodes, "official": False})
        folder = record.write(tmp_path / f"run{seed}").parent
        (folder / "browse.jsonl").write_text("{")
    lie = json.loads((tmp_path / "run1/record.json").read_text())
    (tmp_path / "run1/record.json").write_text(json.dumps(lie | {"scores": {"f1": 1.7}}))
    page = tmp_path / "page.html"
    assert main(["report", str(tmp_path), "--output", str(page)]) == 1
    found = capsys.readouterr()
    assert found.out == f"1 records in {page}\n     1 of the folder {tmp_path}\n"
    assert "hf-fewshot: 2 left out:\n" in found.err
    assert "the score 'f1' is 1.7, expected from 0 to 1" in found.err
    assert "run0/browse.jsonl, line 1, is no episode to browse" in found.err
    assert "50.00" in page.read_text(encoding="utf-8")
    assert "170.00" not in page.read_text(encoding="utf-8")
