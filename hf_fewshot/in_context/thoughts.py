"""What a reasoning model thought before it answered, told apart from its answer."""

import re
from typing import NamedTuple

# How models open and close their thoughts. Some servers take the opening mark for a part of the prompt.
_TAGS = "think|thinking|thought|reasoning|seed:think"
_OPEN = re.compile(
    rf"<(?P<tag>{_TAGS})>|\[(?P<bracket>THINK)\]|\u25c1(?P<wedge>think)\u25b7"
    r"|<\|(?P<piped>begin_of_thought)\|>|(?:<\|start\|>assistant)?<\|channel\|>(?P<channel>analysis|commentary)<\|message\|>",
    re.IGNORECASE,
)
_CLOSE = {
    "tag": "</{}>",
    "bracket": "[/{}]",
    "wedge": "\u25c1/{}\u25b7",
    "piped": "<|end_of_thought|>",
    "channel": "<|end|>",
}
_LONE_CLOSE = re.compile(rf"</(?:{_TAGS})>|\[/THINK\]|\u25c1/think\u25b7|<\|end_of_thought\|>", re.IGNORECASE)
# Around an answer, of models that mark it as well.
_FINAL = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>|<\|(?:begin|end)_of_solution\|>|<\|(?:return|end)\|>\s*\Z",
    re.IGNORECASE,
)


class Thoughts(NamedTuple):
    """A text in two parts.

    `thought` is None where nothing was thought. `unfinished`: the text ends before the thoughts do, so that there is
    no answer but what stood before them.
    """

    thought: str | None
    answer: str
    unfinished: bool


def split_thoughts(text: str) -> Thoughts:
    """Takes apart what stands between the marks of thoughts and the rest; the marks are in neither."""
    thoughts, answer = [], ""
    lone, opening = _LONE_CLOSE.search(text), _OPEN.search(text)
    if lone is not None and (opening is None or lone.start() < opening.start()):
        thoughts.append(text[: lone.start()])
        text = text[lone.end() :]
        opening = _OPEN.search(text)
    unfinished = False
    while opening is not None:
        answer += text[: opening.start()]
        kind = opening.lastgroup or ""
        close = re.search(re.escape(_CLOSE[kind].format(opening[kind])), text[opening.end() :], re.IGNORECASE)
        if close is None:
            thoughts.append(text[opening.end() :])
            text, unfinished = "", True
            break
        thoughts.append(text[opening.end() : opening.end() + close.start()])
        text = text[opening.end() + close.end() :]
        opening = _OPEN.search(text)
    answer = _FINAL.sub("", answer + text)
    thought = "\n".join(filter(None, (one.strip() for one in thoughts)))
    return Thoughts(thought or None, answer.strip() if thoughts else answer, unfinished)
