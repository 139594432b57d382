"""The page about benchmarks of one's own is the code that is tested here."""

from pathlib import Path

from tests.docs.blocks import PROJECT, blocks

HERE = Path(__file__).parent


def test_the_page_shows_the_package_word_for_word():
    shown = {block.file: block.text for block in blocks(PROJECT / "docs" / "own_things.md") if block.file}
    files = [path for path in (HERE / "own_things").rglob("*") if path.suffix in (".py", ".md")]
    assert shown == {path.relative_to(HERE).as_posix(): text for path in files if (text := path.read_text("utf-8"))}
