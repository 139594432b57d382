"""The notebook runs from top to bottom in an empty folder, in one namespace, as Jupyter would."""

import json

import pytest

from hf_fewshot.runs.folder import read_records


@pytest.fixture(scope="module")
def notebook(project):
    return json.loads((project / "examples" / "quickstart.ipynb").read_text("utf-8"))


def test_the_notebook_leads_from_data_to_a_report(notebook, encoder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    smaller = {'"n_episodes": 20': '"n_episodes": 3', '"all-MiniLM-L6-v2"': repr(str(encoder))}
    for old, new in smaller.items():
        assert sum(old in cell for cell in cells) == 1
        cells = [cell.replace(old, new) for cell in cells]
    for number, cell in enumerate(cells):
        exec(compile(cell, f"cell {number}", "exec"), namespace)
    output = capsys.readouterr().out
    assert output.startswith("3 episodes, columns: index, classes, support, query\n")
    assert "StructShot - NNShot: " in output
    records = read_records(tmp_path / "results")
    assert {record.run.system for record in records} == {"ProtoBERT", "NNShot", "StructShot"}
    page = (tmp_path / "report.html").read_text("utf-8")
    assert all(name in page for name in ("ProtoBERT", "NNShot", "StructShot"))


def test_what_the_notebook_shows_is_text_of_all_its_cells(notebook):
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} == {"stream"}
    assert len(outputs) == len(cells)
    assert len(json.dumps(outputs)) < 10_000


def test_links_of_the_notebook_lead_somewhere(notebook, project):
    text = "".join(line for cell in notebook["cells"] if cell["cell_type"] == "markdown" for line in cell["source"])
    targets = [part.partition(")")[0] for part in text.split("](../")[1:]]
    assert len(targets) >= 4
    assert [target for target in targets if not (project / target).is_file()] == []
