"""Studies of the five tasks on a port of this machine: rows written by hand, and what is right of each text."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from hf_fewshot.people.application import SECONDS, application
from hf_fewshot.people.opening import open_study
from hf_fewshot.people.plan import Plan
from hf_fewshot.people.study import claimed_study
from hf_fewshot.web.server import bound_socket, server, url_of

NONE = "nothing of it"  # the relation that means none
# An answer by what is seen: the label's words, and the marked texts with their types.
Right = tuple[str | None, list[tuple[str, str | None]]]


@dataclass(frozen=True)
class Asked:
    """What a study asks.

    Args:
        plan: of the study.
        source: where its files are.
        right: by text (of CLUES by question), what is right.
    """

    plan: Plan
    source: dict[str, str]
    right: dict[str, Right] = field(default_factory=dict)


class Running:
    """A study that is served."""

    def __init__(self, url: str, folder: Path, right: dict[str, Right]) -> None:
        self.url = url
        self.folder = folder
        self.right = right

    def answers(self, number: int = 1, step: str = "annotation") -> list[dict[str, Any]]:
        """The answers of an annotator in a step, as they are on disk."""
        lines = (self.folder / "annotators" / f"{number:04}.jsonl").read_text(encoding="utf-8").splitlines()
        return [one for one in map(json.loads, lines) if one["event"] == "answer" and one["step"] == step]


@contextmanager
def served(asked: Asked, folder: Path) -> Iterator[Running]:
    """Serves a study until the block ends."""
    with bound_socket("127.0.0.1", 0) as bound, claimed_study(folder):
        study = open_study(folder, asked.plan, {}, asked.source)
        uvicorn = server(application(study, lambda: None), SECONDS)
        thread = threading.Thread(target=uvicorn.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            transport = httpx.HTTPTransport(retries=5)  # it may begin to listen later
            with httpx.Client(transport=transport) as client:
                client.get(url_of(bound) + "/api/study").raise_for_status()
            yield Running(url_of(bound), folder, asked.right)
        finally:
            uvicorn.should_exit = True
            thread.join(30)
            study.close()


def classification(folder: Path, labels: int = 3) -> Asked:
    """Texts of three labels, or of more."""
    texts = {
        "I lost my card": "lost card",
        "my card is gone": "lost card",
        "when will it arrive?": "delivery",
        "where is my parcel?": "delivery",
        "I want my money back": "refund",
        "please return what I paid": "refund",
    }
    more = [f"class {number:02}" for number in range(labels - 3)]
    rows = [{"text": text, "label": label} for text, label in texts.items()]
    rows += [{"text": f"{which} of {name}", "label": name} for name in more for which in ("one", "two")]
    return _own("own_texts", folder, rows, {row["text"]: (row["label"], []) for row in rows})


def hostile(folder: Path) -> Asked:
    """Texts and labels that would be markup."""
    script, image = "<script>document.title='hacked'</script>", '"><img src=x onerror="document.title=\'hacked\'">'
    rows = [
        {"text": f"{image} one", "label": script},
        {"text": f"{script} two", "label": script},
        {"text": "&lt;b&gt; three", "label": image},
        {"text": "${1+1} four", "label": image},
    ]
    return _own("own_texts", folder, rows, {row["text"]: (row["label"], []) for row in rows})


def tagging(folder: Path) -> Asked:
    """Sentences with cities and people. An emoji is one character, which JavaScript counts as two."""
    marked = {
        "😀 Anna lives in New York": [("Anna", "person"), ("New York", "city")],
        "Tom likes Rome": [("Tom", "person"), ("Rome", "city")],
        "😀 😀 Mia flies to Paris today": [("Mia", "person"), ("Paris", "city")],
        "nobody is at home": [],
    }
    rows = [{"text": text, "entities": _placed(text, found)} for text, found in marked.items()]
    return _own("own_entities", folder, rows, {text: (None, found) for text, found in marked.items()})


def joint(folder: Path) -> Asked:
    """Chinese utterances with intents and slots."""
    found: dict[str, Right] = {
        "播放周杰伦的歌": ("play", [("周杰伦", "singer")]),
        "我想听王菲的歌": ("play", [("王菲", "singer")]),
        "明天北京天气怎么样": ("weather", [("明天", "date"), ("北京", "city")]),
        "上海今天天气": ("weather", [("上海", "city"), ("今天", "date")]),
        "天气好吗": ("weather", []),
    }
    rows = [{"text": text, "intent": intent, "slots": _placed(text, slots)} for text, (intent, slots) in found.items()]
    return _own("own_utterances", folder, rows, found)


def relation(folder: Path) -> Asked:
    """Sentences with two entities, some of none of the relations."""
    found = {
        ("Anna lives in Paris", "Anna", "Paris"): "lives in",
        ("Mia lives in Rome", "Mia", "Rome"): "lives in",
        ("Tom works at Acme", "Tom", "Acme"): "works at",
        ("Eve works at Initech", "Eve", "Initech"): "works at",
        ("Bob likes Oslo", "Bob", "Oslo"): NONE,
        ("Joe likes Bonn", "Joe", "Bonn"): NONE,
    }
    rows = []
    for (text, head, tail), name in found.items():
        ends = {side: _placed(text, [(one, "")])[0] for side, one in (("head", head), ("tail", tail))}
        places = {side: {"start": span["start"], "end": span["end"]} for side, span in ends.items()}
        rows.append({"text": text, **places, "relation": name})
    right: dict[str, Right] = {
        text: (name.replace(NONE, "none of the above"), []) for (text, *_), name in found.items()
    }
    return _own("own_relations", folder, rows, right, other=NONE)


def spans(folder: Path) -> Asked:
    """Questions about a text of four hundred words, one without an answer."""
    story = " ".join(f"In year {year} the harbour of Oberau had {year * 3} ships and a lamp." for year in range(25))
    answers: dict[str, list[str]] = {
        "How many ships were there in year 20?": ["60"],
        "Who lit the lamp?": [],
        "What had the harbour beside ships?": ["a lamp"],
        "In which year were there 72 ships?": ["24"],
        "Was the lamp red?": [],
    }
    questions = list(answers)
    where = folder / "data" / "JSON" / "CLUES-JSON" / "SQuAD-v2"
    where.mkdir(parents=True)
    for name, asked in (("train_10_1", questions[:3]), ("test", questions[3:])):
        rows = [
            {
                "id": f"{name}-{number}",
                "context": story,
                "question": question,
                "answer": [{"text": text, "answer_start": story.index(text)} for text in answers[question]],
                "is_impossible": not answers[question],
            }
            for number, question in enumerate(asked)
        ]
        _write(where / f"squad-v2_{name}.jsonl", rows)
    right: dict[str, Right] = {question: (None, [(one, None) for one in found]) for question, found in answers.items()}
    return Asked(Plan("clues", "squad", title="Harbours"), {"data_dir": str(folder)}, right)


def _placed(text: str, found: list[tuple[str, str]]) -> list[dict[str, Any]]:
    starts = [(text.index(one), one, kind) for one, kind in found]
    return [{"start": start, "end": start + len(one), "type": kind} for start, one, kind in starts]


def _own(benchmark: str, folder: Path, rows: list[dict[str, Any]], right: dict[str, Right], **options: str) -> Asked:
    """A study of rows of one's own: one example of each class to learn from, the others are asked."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "rows.jsonl"
    _write(path, rows)
    plan = Plan(benchmark, data={"shots": 1, "dataset": "rows", **options}, annotators=20)
    return Asked(plan, {"data_dir": str(path)}, right)


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
