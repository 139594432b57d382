from hf_fewshot.cli import main


def test_a_dry_run_of_an_export_shows_files_and_card_and_keeps_nothing(tmp_path, capsys):
    typed = ["export", "own_texts", "--sample", "--shots", "2", "--output", str(tmp_path / "exported")]
    assert main([*typed, "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"{tmp_path / 'exported'} would hold:\n")
    assert "test-00000-of-00001.parquet\n" in shown
    assert "\nREADME.md:\n\n---\n" in shown
    assert list(tmp_path.iterdir()) == []


def test_a_licence_is_of_a_model(tmp_path, capsys):
    typed = ["push", str(tmp_path), "--repo", "me/x", "--dataset", "--license", "mit", "--dry-run"]
    assert main(typed) == 2
    assert "--license mit is of a model" in capsys.readouterr().err
