"""The mistakes that the tutorial shows are those that are found; a console block must end well, so it is no such."""

from hf_fewshot.cli import main
from tests.docs.blocks import PROJECT, blocks


def test_the_mistakes_that_the_tutorial_shows_are_found(clone, capsys):
    found = blocks(PROJECT / "docs" / "tutorial.md")
    (place,) = [number for number, block in enumerate(found) if block.file == "too_much.yaml"]
    recipe, shown = found[place], found[place + 1]
    (clone / recipe.file).write_text(recipe.text, encoding="utf-8")
    command, *lines = shown.text.splitlines()
    assert main(command.split()[2:]) == 2
    assert capsys.readouterr().err.splitlines() == lines
