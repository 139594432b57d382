import json

import pytest

from hf_fewshot.analyses.charts import BarChart, Histogram, RankChart, RingChart, SimilarityChart
from hf_fewshot.analyses.findings import Findings, Sheet, read_findings

CHARTS = (
    BarChart("F1", "F1 (%)", {"art": {"art-film": 10.0}}),
    RingChart("Entities", {"art": {"art-film": 3}}),
    RankChart("Frequent", "share (%)", {"test": (75.0, 25.0)}),
    Histogram("Overlap", "overlap", (0.0, 0.5, 1.0), {"hits": (40.0, 60.0)}),
    SimilarityChart("Alike", "dot product", {"art": ("art-film", "art-music")}, ((1.0, 0.5), (0.5, 1.0))),
)
SHEET = Sheet.of("Sizes", ["split", "rows", "share"], [["test", 3, 0.5], ["train", 4, None]], "A note.")
FINDINGS = Findings("few_nerd", "few_nerd/inter", (SHEET,), CHARTS)


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "findings.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def test_findings_are_read_as_they_were_written(write):
    (found,) = read_findings(write(FINDINGS.to_json()))
    assert json.dumps(found.to_json()) == json.dumps(FINDINGS.to_json())
    assert found.sheets == FINDINGS.sheets
    assert len(read_findings(write([FINDINGS.to_json()] * 2))) == 2


def test_columns_are_found_and_left_out_by_their_heads():
    assert SHEET.column("rows") == [3, 4]
    assert SHEET.without("rows").rows == (("test", 0.5), ("train", None))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "expected an object of format 'hf_fewshot/findings', version 1"),
        ({"charts": None}, "charts must be a list"),
        ({"charts": [{"kind": "pie"}]}, "Unknown kind of chart 'pie'"),
        ({"charts": [{"kind": "rings", "title": "t", "counts": {"a": {"b": -1}}}]}, "expected counts"),
        ({"charts": [{"kind": "rings", "title": "t", "counts": {"a": {"b": "x"}}}]}, "counts="),
        ({"charts": [{"kind": "ranks", "title": "t", "measure": "m", "series": {"a": [1, 2]}}]}, "descending"),
        ({"charts": [{"kind": "bars", "title": "t", "measure": "m", "sections": {"a": {}}}]}, "without bars"),
        ({"sheets": [{"title": "t", "heads": ["a"], "rows": [[1, 2]]}]}, "expected 1 cells in each row"),
        ({"sheets": [{"title": "t", "heads": ["a"], "rows": [[{}]]}]}, "rows="),
        ({"benchmark": 3}, "benchmark=3"),
        ({"more": 3}, "unknown 'more'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(write, change, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_findings(write({**FINDINGS.to_json(), **change}))
    assert str(caught.value).endswith("by hf-fewshot stats, analyse or similarity with --json.")


def test_a_file_that_is_no_json_is_refused(write):
    with pytest.raises(ValueError, match=r"findings\.json has no findings"):
        read_findings(write("{"))


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        (Histogram, ("t", "m", (0.0, 1.0), {"a": (1.0, 2.0)}), "expected 1 shares between 2 edges"),
        (SimilarityChart, ("t", "m", {"a": ("x",)}, ((1.0, 2.0),)), "expected 1 rows of 1 values"),
        (RankChart, ("t", "m", {"a": (1.0, 0.0)}), "shares above 0"),
    ],
)
def test_charts_that_cannot_be_drawn_are_refused(kind, arguments, message):
    with pytest.raises(ValueError, match=message):
        kind(*arguments)
