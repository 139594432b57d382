"""Plans of recipes that name tiny models."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hf_fewshot.cli import main
from tests.tiny_models import write_llama


@pytest.fixture(scope="session")
def models(encoder, masked_bert, t5, tmp_path_factory) -> dict[str, Path]:
    """Folders of tiny models by what stands for them in `sound_recipes`."""
    llama = write_llama(tmp_path_factory.mktemp("models") / "llama", 2048)
    return {"ENCODER": encoder, "MASKED": masked_bert, "T5": t5, "LLAMA": llama}


@pytest.fixture
def planned(models, tmp_path, monkeypatch, capsys) -> Callable[..., tuple[int, str]]:
    """Plans a recipe in an empty folder: the exit code, and all that was printed."""
    monkeypatch.chdir(tmp_path)

    def plan(text: str, *arguments: object) -> tuple[int, str]:
        for name, folder in models.items():
            text = text.replace(name, str(folder))
        (tmp_path / "recipe.yaml").write_text(text, encoding="utf-8")
        code = main(["run", "recipe.yaml", *map(str, arguments), "--dry-run"])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return plan
