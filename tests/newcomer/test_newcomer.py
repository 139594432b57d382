"""The newcomer does what a page says, and notices what does not come."""

import sys
from pathlib import Path

import pytest

from tests.newcomer.__main__ import play, steps_of

PAGE = """Say it:

```text words.txt
one two
```

```python
words = open("words.txt").read().split()
```

```console
$ echo {said}
{shown}
$ cat words.txt
```

```python
print(len(words))
```
"""
PROGRAMS = Path(sys.executable).parent


def page(tmp_path, said="hello", shown="hello"):
    (tmp_path / "page.md").write_text(PAGE.format(said=said, shown=shown))
    return tmp_path / "page.md"


def test_steps_are_files_code_and_commands_in_the_order_of_the_page(tmp_path):
    steps = steps_of(page(tmp_path))
    assert [(step[0], step[1], shown) for step, shown in steps] == [
        ("text", "words.txt", []),
        ("python", "", []),
        ("console", "", ["hello"]),
        ("console", "", []),
        ("python", "", []),
    ]


def test_cells_of_a_notebook_are_steps(tmp_path):
    cells = '[{"cell_type": "markdown", "source": ["# A"]}, {"cell_type": "code", "source": ["x = 1\\n", "x"]}]'
    (tmp_path / "book.ipynb").write_text(f'{{"cells": {cells}}}')
    assert steps_of(tmp_path / "book.ipynb") == [(("python", "", "x = 1\nx"), [])]


def test_a_page_is_done_in_one_namespace_and_one_folder(tmp_path, capfd):
    assert play(page(tmp_path), tmp_path / "there", PROGRAMS)
    output = capfd.readouterr().out
    assert "$ words.txt" in output
    assert "\nprint(len(words))\n2\n" in output.replace("$ ", "\n")


@pytest.mark.parametrize(
    ("said", "shown", "seen"),
    [("hello", "good day", "line  good day"), ("hello; false", "hello", "FAILED")],
)
def test_what_fails_or_does_not_come_is_said(tmp_path, capfd, said, shown, seen):
    assert not play(page(tmp_path, said, shown), tmp_path / "there", PROGRAMS)
    assert seen in capfd.readouterr().out
