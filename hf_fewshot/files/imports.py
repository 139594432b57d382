"""Which modules a module imports, read from its source: nothing is imported for it."""

import ast
import importlib.util
import re
from pathlib import Path

# To parse whole files takes ten times as long: import statements that begin a line, and signs that others may not.
_STATEMENT = re.compile(rb"^[ \t]*(from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^)]*\)|[^\n(]+)|import[ \t]+[^\n]+)", re.M)
_ELSEWHERE = re.compile(rb"[;:][ \t]*(?:from|import)\b|\\\r?\n")


def imported_modules(name: str, file: Path) -> list[str]:
    """The modules that a file may import, anywhere in it; also names that turn out to be none.

    A file that is no Python imports nothing.
    """
    try:
        tree = _import_statements(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                try:
                    base = importlib.util.resolve_name("." * node.level + base, package)
                except ImportError:
                    continue
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return list(dict.fromkeys(found))


def _import_statements(source: bytes) -> ast.Module:
    """A syntax tree with all import statements of a module."""
    if _ELSEWHERE.search(source) is None:
        try:
            return ast.parse(b"\n".join(_STATEMENT.findall(source)))
        except SyntaxError:
            pass  # a sentence that begins like one
    return ast.parse(source)
