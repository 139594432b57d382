from hf_fewshot.cli.plan import print_plan
from hf_fewshot.runs.run import Run


def test_a_plan_shows_control_characters_and_sends_none(tmp_path, capsys):
    run = Run("fewrel", "proto", data={"n_episodes": 3}, system="\x1b[2J", training={"max_steps": "\x1b]0;"})
    print_plan([run, run], tmp_path, ["\x9b.yaml was not looked at"])
    output = capsys.readouterr().out
    assert r"\x1b]0; steps" in output
    assert r"\x9b.yaml" in output
    assert "2 runs, 2 missing: no estimate yet." in output
    assert not {"\x1b", "\x9b"} & set(output)
