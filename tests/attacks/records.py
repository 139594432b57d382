"""Records that were changed after they were written."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from markdown_it import MarkdownIt

from tests.attacks.attacker import Attacker
from tests.attacks.mutations import HTML, Mutator
from tests.attacks.verdict import End, Verdict, judge, worst

RECORDS = Path(__file__).resolve().parents[2] / "docs" / "records"
# Told from all true scores by their digits.
LIES = (0.98765, 1.7, 17.0, -0.98765, 0.98764999)
SHOWN_LIE = re.compile(r"98\.76|98\.77|170\.00|1700\.00")
MARKUP, SCRIPT_END = re.compile("<img src=x"), re.compile("</script><b>")
KINDS = ("lie", "lie", "lie of units", "markup", "damage", "damage", "damage", "file")


class Records(Attacker):
    """Puts a doctored record beside a true one: what is false is not shown, what is true still is."""

    name = "records"
    short = 25

    def prepare(self) -> None:
        paths = sorted(RECORDS.rglob("record.json"))
        by_benchmark = {path.parent.name.split("_")[0]: path for path in paths}
        self.originals = list(by_benchmark.values())
        assert self.originals, f"no records in {RECORDS}"

    def attack(self, random: Random, mutator: Mutator) -> Verdict:
        doctored, true = random.sample(self.originals, 2)
        kind = random.choice(KINDS)
        results = self.arena.inputs / "results"
        for path in (doctored, true):
            (results / path.parent.name).mkdir(parents=True)
        content = json.loads(doctored.read_text(encoding="utf-8"))
        (results / doctored.parent.name / "record.json").write_bytes(self._doctored(kind, content, random, mutator))
        (results / true.parent.name / "record.json").write_bytes(true.read_bytes())
        command = self._command(random, results, results / doctored.parent.name)
        call = self.arena.call(*command)
        verdict = judge(call)
        pages = self._pages(call.output if command[0] == "push" else "")
        seen = self._seen(kind, [call.output, *pages], verdict.detail)
        if command[0] == "report" and call.code == 0:
            shown = f"{100 * _score(true):.2f}"
            if not all(shown in page for page in pages[:2]):
                return worst(verdict, seen, Verdict(End.WRONG_NUMBER, f"{shown} is not shown\n{verdict.detail}"))
            if kind.startswith("lie") and doctored.parent.name not in call.errors:
                return worst(
                    verdict, seen, Verdict(End.WRONG_NUMBER, f"{kind}: left out in silence\n{verdict.detail}")
                )
        return worst(verdict, seen)

    def _doctored(self, kind: str, content: dict[str, Any], random: Random, mutator: Mutator) -> bytes:
        if kind == "lie":
            content["scores"][content["measure"]] = random.choice(LIES)
        elif kind == "lie of units":
            name = random.choice(("numerators", "denominators"))
            content[name] = [value * 3 + 1 for value in content[name]]
        elif kind == "markup":
            content = _filled(content, HTML, random)
        elif kind == "damage":
            return mutator.json(content).data
        data = json.dumps(content).encode()
        return mutator.bytes(data).data if kind == "file" else data

    def _command(self, random: Random, results: Path, doctored: Path) -> list[str | Path]:
        way = random.choice(("report", "report", "plots", "push", "plan"))
        if way == "push":
            return ["push", doctored, "--repo", "me/x", "--dry-run"]
        if way == "plan":
            return ["run", "--benchmark", "fewrel", "--method", "one_class", "--sample", "--n-way", "2", "--shots",
                    "1", "--split", "validation", "--dry-run", "--output", results]  # fmt: skip
        plots = ["--plots", "plots"] if way == "plots" and random.random() < 0.2 else []
        return ["report", results, "--output", "page.html", "--markdown", "page.md", *plots]

    def _pages(self, pushed: str) -> list[str]:
        """What was written, and the card that `push` shows, as browsers get them: first HTML, then Markdown."""
        paths = [path for path in sorted(self.arena.outputs.rglob("*")) if path.suffix in (".html", ".md", ".svg")]
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
        texts = [rendered(text) if path.suffix == ".md" else text for path, text in zip(paths, texts, strict=True)]
        _, _, card = pushed.partition("README.md:\n\n---\n")
        front, _, body = card.partition("\n---\n")
        return [*texts, front, rendered(body)]

    def _seen(self, kind: str, pages: list[str], detail: str) -> Verdict:
        """What stands on pages and must not."""
        for page in pages:
            if kind.startswith("lie") and (found := SHOWN_LIE.search(page)):
                return Verdict(End.WRONG_NUMBER, f"{kind}: {found.group()} is shown\n{detail}")
        for page in pages[1:]:
            # Within a script, quotes keep it text.
            outside = re.sub(r"<script[^>]*>.*?</script>", "", page, flags=re.DOTALL)
            found = MARKUP.search(outside) or SCRIPT_END.search(page)
            if found:
                around = found.string[max(0, found.start() - 200) : found.end() + 60]
                return Verdict(End.ESCAPE, f"markup in a page: {around!r}\n{detail}")
        return Verdict(End.FINE)


def rendered(text: str) -> str:
    """Markdown as HTML."""
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)


def _score(path: Path) -> float:
    content = json.loads(path.read_text(encoding="utf-8"))
    return content["scores"][content["measure"]]


def _filled(value: Any, word: str, random: Random) -> Any:
    """A value with some of its strings, and of the keys of its open objects, replaced."""
    if isinstance(value, dict):
        return {name: _filled(one, word, random) for name, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, word, random) for one in value]
    return word if isinstance(value, str) and random.random() < 0.2 else value
