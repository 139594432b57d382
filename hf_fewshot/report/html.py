"""How pages are made of templates: whatever records and episodes say is text in them."""

from pathlib import Path
from typing import TYPE_CHECKING

from hf_fewshot.report.provenance import in_words
from hf_fewshot.tables.measures import measure_label, shown
from hf_fewshot.text.look import MARKS, PALETTE
from hf_fewshot.text.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

STYLE = (PALETTE, Path(__file__).with_name("report.css"), MARKS)
SCRIPT = Path(__file__).with_name("report.js")


def html_templates(folder: Path) -> "Environment":
    """The templates in a folder; values are escaped, and control characters in them are shown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        finalize=lambda value: visible(value, keep="\n\t") if type(value) is str else value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "measure": measure_label,
        "number": shown,
        "words": in_words,
        "svg": lambda plot: Markup(plot.svg()),
    }
    return environment


def own_text(*paths: Path) -> "Markup":
    """Files of ours, styles and scripts: the only text besides plots that is not escaped."""
    from markupsafe import Markup

    return Markup("\n".join(path.read_text(encoding="utf-8") for path in paths))
