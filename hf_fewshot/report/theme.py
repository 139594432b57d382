"""How plots look: colours, markers and fonts, and a figure as SVG of the page or as a file."""

import hashlib
import io
import logging
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

logger = logging.getLogger(__name__)

MARKERS = "osD^vPX*"
LINES = ("-", "--", ":", "-.")
# Fonts with Chinese characters; those that are installed follow the usual one.
_CJK_FONTS = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Microsoft YaHei",
    "SimHei",
)


@dataclass(frozen=True)
class Colours:
    """Of text and axes, grid lines, the ground, and of series: told apart also by those who see fewer colours."""

    ink: str
    rule: str
    ground: str
    series: tuple[str, ...]


FILE_COLOURS = Colours(
    "#1f2328",
    "#d8dce1",
    "#ffffff",
    ("#0072b2", "#d55e00", "#00805d", "#b0508a", "#8a6d00", "#3d8fc4", "#6f4bb0", "#5b6470"),
)
# Colours that stand for those of the page, which change with its theme.
PAGE_COLOURS = Colours("#010101", "#020202", "#030303", tuple(f"#0404{number:02x}" for number in range(1, 9)))
_IN_PAGE = {PAGE_COLOURS.ink: "currentColor", PAGE_COLOURS.rule: "var(--rule)", PAGE_COLOURS.ground: "var(--ground)"}
_IN_PAGE |= {colour: f"var(--series-{number})" for number, colour in enumerate(PAGE_COLOURS.series, start=1)}


@dataclass(frozen=True)
class Plot:
    """A plot that can be drawn on the page and in files.

    Args:
        name: of its file.
        title: what it shows, and of which setting.
        caption: what it shows, for a place where the setting is named already.
        description: the same numbers in words, for those who do not see it.
        size: width and height in inches.
        paint: draws into an empty figure.
        is_placed: whether it places all its parts itself; else they are measured first, as dear as drawing them.
    """

    name: str
    title: str
    caption: str
    description: str
    size: tuple[float, float]
    paint: Callable[["Figure", Colours], None]
    is_placed: bool = False

    def svg(self) -> str:
        """An `<svg>` element in the colours of the page, with identifiers of its own."""
        svg = self._render(PAGE_COLOURS, "svg", transparent=True).decode()
        svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
        prefix = "plot-" + hashlib.sha256(self.name.encode()).hexdigest()[:10]
        svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", svg)
        # Only of styles: a label that looks like a colour stays as it is.
        return re.sub(r'style="[^"]*"', lambda style: _themed(style[0]), svg)

    def save(self, path: Path) -> None:
        """Writes a file; its ending says the format."""
        path.write_bytes(self._render(FILE_COLOURS, path.suffix[1:]))

    def _render(self, colours: Colours, kind: str, **options: Any) -> bytes:
        try:
            from matplotlib.figure import Figure
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError("Plots need matplotlib: pip install 'hf_fewshot[report]'.") from error
        buffer = io.BytesIO()
        with _style(colours, self.name), _missing_glyphs(kind, self.name):
            figure = Figure(figsize=self.size, layout=None if self.is_placed else "constrained")
            self.paint(figure, colours)
            metadata = {"Date": None} if kind == "svg" else None
            figure.savefig(buffer, format=kind, dpi=200, metadata=metadata, **options)
        return buffer.getvalue()


def series_style(number: int, colours: Colours) -> dict[str, Any]:
    """Colour, marker and line of a series: no two of the first 32 have the same colour and line."""
    rounds, place = divmod(number, len(colours.series))
    marker = MARKERS[(place + rounds) % len(MARKERS)]
    return {"color": colours.series[place], "marker": marker, "linestyle": LINES[rounds % len(LINES)]}


def text_width(text: str) -> float:
    """About how wide a text is, in letters' heights: Chinese characters are as wide as they are high."""
    return sum(1.0 if east_asian_width(character) in "WF" else 0.62 for character in text)


def _themed(style: str) -> str:
    return re.sub(r"#[0-9a-f]{6}", lambda colour: _IN_PAGE.get(colour[0], colour[0]), style)


@contextmanager
def _style(colours: Colours, salt: str) -> Iterator[None]:
    import matplotlib
    from matplotlib.font_manager import get_font_names

    installed = set(get_font_names())
    settings: dict[Any, Any] = {
        "axes.axisbelow": True,
        "axes.edgecolor": colours.ink,
        "axes.facecolor": "none",
        "axes.grid": True,
        "axes.labelcolor": colours.ink,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "errorbar.capsize": 3,
        "figure.facecolor": colours.ground,
        "font.family": ["DejaVu Sans", *(name for name in _CJK_FONTS if name in installed)],
        "font.size": 10,
        "grid.color": colours.rule,
        "legend.frameon": False,
        "lines.markersize": 6,
        "svg.fonttype": "none",
        "svg.hashsalt": salt,
        "text.color": colours.ink,
        # Names of systems and labels are text, even with dollar signs.
        "text.parse_math": False,
        "text.usetex": False,
        "xtick.color": colours.ink,
        "ytick.color": colours.ink,
    }
    with matplotlib.rc_context(settings):
        yield


@contextmanager
def _missing_glyphs(kind: str, name: str) -> Iterator[None]:
    """In SVG text stays text and the reader's fonts count; elsewhere a missing character is an empty box."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    missing = [one for one in caught if "missing from font" in str(one.message)]
    for one in caught:
        if one not in missing:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if missing and kind != "svg":
        logger.warning("No installed font has some characters of %s.%s; install Noto Sans CJK.", name, kind)
