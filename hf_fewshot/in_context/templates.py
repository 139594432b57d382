"""Jinja templates of queries: of others, so they can compute text and nothing else."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

from hf_fewshot.registry import suggestion

MAX_BYTES = 1 << 16
ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
# What Jinja has beside fields and filters, such as `lipsum`: a template has a use for none of it.
ENVIRONMENT.globals.clear()


def check_template(source: str, known: Iterable[str]) -> None:
    """Refuses what is no template, and one that shows other fields than the known ones, or none of them."""
    fields = list(known)
    try:
        tree = ENVIRONMENT.parse(source)
        _compiled(source)
    except TemplateSyntaxError as error:
        raise ValueError(f"template is no Jinja: {error.message} (line {error.lineno}). Correct it.") from None
    if any(meta.find_referenced_templates(tree)):
        raise ValueError("template includes another one, but it must be whole. Write it out.")
    used = meta.find_undeclared_variables(tree)
    for name in sorted(used - {*fields}):
        raise ValueError(f"template has the unknown field {name!r}. {suggestion(name, fields)}")
    if not used:
        raise ValueError(f"template shows nothing of the example. Use {{{{ {' }}, {{ '.join(fields)} }}}}.")


def rendered(source: str, values: Mapping[str, str], name: str) -> str:
    """A query by its template, without white space around it: answers bring their own.

    Args:
        name: of the example, for errors.
    """
    try:
        text = _compiled(source).render(values).strip()
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ValueError(
            f"The template fails for example {name!r}, which has {', '.join(values)}: {error}. Change it."
        ) from None
    if not text:
        raise ValueError(f"The template shows nothing for example {name!r}. Change it.")
    return text


def read_template(path: str | Path) -> str:
    """The text of a template's file."""
    place = Path(path)
    try:
        with place.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no template at {place}. Give the path of a Jinja file.") from None
    if len(data) > MAX_BYTES:
        raise ValueError(f"{place} is larger than {MAX_BYTES:,} bytes, too large for a template. Give another file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{place} is no text in UTF-8. Save it as such.") from None


@lru_cache(maxsize=16)
def _compiled(source: str) -> Template:
    return ENVIRONMENT.from_string(source)
