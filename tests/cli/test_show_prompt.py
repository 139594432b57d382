"""`hf-fewshot show --prompt` prints what a query is asked."""

import json
import re

import pytest

from hf_fewshot.cli import main
from tests.tiny_models import write_llama

FEWREL = ["show", "fewrel", "--sample", "--n-way", "2", "--prompt"]
SST2 = ["show", "clues", "--config", "sst2", "--shots", "10", "--sample", "--prompt"]


def printed(capsys, *arguments):
    assert main([*arguments]) == 0, capsys.readouterr().err
    title, *text, known = capsys.readouterr().out.splitlines()
    return title, "\n".join(text), known


def test_plain_text(capsys):
    title, text, known = printed(capsys, *SST2, "--query", "3")
    assert title == "clues/sst2 test: episode 0 of 1, query 3"
    assert text.startswith("Decide whether each film review is positive or negative.\n\nReview: ")
    assert text.endswith("\nSentiment:")
    assert text.count("Sentiment:") == 11
    assert known == "10 demonstrations; the likelihood of each label is compared: positive, negative"


def test_the_same_query_is_asked_of_a_server(capsys, chat_server, tmp_path):
    server = chat_server(lambda messages: "positive")
    endpoint = f"endpoint={server.url}"
    arguments = ["--benchmark", "clues", "--config", "sst2", "--shots", "10", "--sample", "--method", "in_context"]
    options = ["demonstrations=bm25", "n_demonstrations=4", "system=You know {labels}.", "concurrency=1", endpoint]
    chosen = [word for option in options for word in ("--method-option", option)]
    assert main(["run", *arguments, *chosen, "--model", "some", "--output", str(tmp_path)]) == 0
    capsys.readouterr()
    asked = [request["messages"] for request in server.requests]
    for number in (0, 5):
        _, text, known = printed(capsys, *SST2, "--query", str(number), *chosen)
        messages = json.loads(text)
        assert messages == asked[number]
        assert messages[0] == {"role": "system", "content": "You know positive, negative."}
        assert len(messages) == 1 + 2 * 4 + 1
        assert known == "4 demonstrations; the answer is written, at most 64 tokens"


def test_with_a_model_its_template_is_used_and_tokens_are_counted(capsys, tmp_path):
    model = write_llama(tmp_path, 4096)
    _, text, known = printed(capsys, *FEWREL, "--model", str(model), "--chat")
    assert text.startswith("<s><|user|>Which relation holds")
    assert text.endswith("<|assistant|>")
    assert re.match(r"2 demonstrations; \d{3} tokens; the likelihood of each label is compared: ", known)
    small = write_llama(tmp_path / "small", 256)
    _, text, known = printed(capsys, *FEWREL, "--model", str(small))
    assert "dropped, to fit)" in known


def test_a_format_and_a_template_of_ones_own(capsys, tmp_path):
    file = tmp_path / "mine.jinja"
    file.write_text("{{ head | upper }} and {{ tail }} are\n")
    _, text, _ = printed(capsys, *FEWREL, "--method-option", f"template={file}", "--format", "relation")
    assert text.splitlines()[-1].endswith(" are")
    assert "Sentence:" not in text


def test_the_schema_is_shown_where_it_is_sent(capsys):
    endpoint = ["--method-option", "endpoint=http://localhost:1/v1", "--method-option", "structured=true"]
    _, _, known = printed(capsys, *SST2, *endpoint)
    assert known.endswith('held to the schema {"type": "string", "enum": ["positive", "negative"]}')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "--prompt", "--sample"], "Show what? Name one of clues, "),
        ([*SST2, "--query", "9999"], "--query 9999, but episode 0 has "),
        ([*FEWREL, "--index", "20"], "--index 20, but there are 20 episodes, from 0."),
        ([*SST2, "--format", "relation"], "format is for task 'relation', but"),
        ([*SST2, "--method-option", "demonstration=bm25"], "Did you mean 'demonstrations'?"),
        (["show", "fewrel", "--sample", "--chat"], "--chat is of --prompt, which is not given"),
        (["show", "fewrel", "--sample", "--query", "1"], "--query is of --prompt, which is not given"),
    ],
)
def test_a_wrong_request_ends_with_a_message(arguments, message, capsys):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
