"""The commands of docs/service.md, with curl and a learner that knows no model."""

import re
import shutil
import subprocess

import pytest

from hf_fewshot.cli.serve_command import LIMITS
from hf_fewshot.service.limits import Limits
from tests.docs.blocks import PROJECT, blocks, commands
from tests.fake_learner import FakeLearner
from tests.running_service import running_service

PAGE = PROJECT / "docs" / "service.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_page_shows_what_the_service_answers():
    learner = FakeLearner("card_arrival", "charged_twice")
    learner.examples = [{"text": "I miss my card", "label": "card_arrival"}]
    asked = [pair for block in blocks(PAGE) for pair in commands(block.text)]
    assert len(asked) == 7
    with running_service(learner, name="my-intents", allow_examples=True) as service:
        for command, (shown,) in asked:
            own = command.replace("localhost:8000", service.url.removeprefix("http://"))
            output = subprocess.run(["bash", "-c", own], capture_output=True, text=True, check=True).stdout.strip()
            expected = re.escape(shown).replace(re.escape("..."), ".+")
            assert re.fullmatch(expected, output), f"{command}\n{output}"


def test_the_page_has_the_limits_and_their_defaults():
    rows = re.findall(r"^\| `--max-(\w+)`.*? \| ([\d,]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert {name: float(value.replace(",", "")) for name, value in rows} == {
        name: getattr(Limits(), name) for name in LIMITS
    }
