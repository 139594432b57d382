"""`hf-fewshot fit`: a file of examples to a saved model."""

import pytest

from hf_fewshot import FewShotLearner
from hf_fewshot.cli import main

ROWS = "sentence,intent\nanna lives in paris,home\ntom lives in rome,home\nmia works at acme,job\npaul works,job\n"


@pytest.fixture
def data(tmp_path):
    (tmp_path / "intents.csv").write_text(ROWS)
    return str(tmp_path / "intents.csv")


def test_a_file_becomes_a_model_that_answers(bert, data, tmp_path, capsys):
    columns = ["--text", "sentence", "--label", "intent"]
    learner = ["--head", "logistic", "-o", "strength=1000", "--none", "--without-examples"]
    assert main(["fit", data, *columns, *learner, "--model", str(bert), "--output", str(tmp_path / "mine")]) == 0
    output = capsys.readouterr().out
    assert "home" in output
    assert f"4 examples learnt, saved to {tmp_path / 'mine'}." in output
    loaded = FewShotLearner.from_pretrained(tmp_path / "mine")
    assert loaded.classes == ("home", "job")
    assert loaded.options.none_of_the_above
    assert loaded.options.strength == 1000
    assert loaded.fitted.support is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--label", "intents"], "a column 'intents' for label"),
        (["--task", "taging"], "Unknown task 'taging'. Did you mean 'tagging'?"),
        (["--text", "sentence", "--label", "intent", "-o", "strenght=3"], "Unknown option of the learner 'strenght'"),
        (["--text", "sentence", "--label", "intent", "-o", "strength=-3"], "strength must be positive, but is -3"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(bert, data, tmp_path, capsys, arguments, message):
    assert main(["fit", data, *arguments, "--model", str(bert), "--output", str(tmp_path / "mine")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()


def test_a_folder_that_is_there_is_refused_before_anything_is_read(data, tmp_path, capsys):
    assert main(["fit", data, "--model", "nosuch", "--output", str(tmp_path)]) == 2
    assert "is there already. Give another --output, or remove it first." in capsys.readouterr().err
