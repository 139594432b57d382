"""Where jobs far away get this package from."""

import importlib.metadata
import json
import tomllib

import pytest

from hf_fewshot.launching.package_source import PackageSource, pins
from hf_fewshot.launching.uv_script import uv_script

COMMIT = "git+https://example.org/us/hf_fewshot@0123abc"


def installed_from(origin, monkeypatch):
    """As if pip had noted this about our package."""

    class Installed:
        version = "1.2"

        def read_text(self, name):
            assert name == "direct_url.json"
            return origin and json.dumps(origin)

    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Installed())


def test_a_version_a_commit_and_a_wheel_are_requirements(tmp_path):
    wheel = tmp_path / "hf_fewshot-1.2-py3-none-any.whl"
    wheel.touch()
    given = ("hf_fewshot==1.2", COMMIT, str(wheel))
    assert [PackageSource.read(one).requirement(["b", "a"], "/there") for one in given] == [
        "hf_fewshot[a,b]==1.2",
        f"hf_fewshot[a,b] @ {COMMIT}",
        "hf_fewshot[a,b] @ file:///there/hf_fewshot-1.2-py3-none-any.whl",
    ]
    assert PackageSource.read(given[0]).requirement([], "/there") == "hf_fewshot==1.2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hf_fewshot", "expected a version .hf_fewshot==0.2.0., a wheel"),
        ("other==1.0", "expected a version"),
        ("git+https://example.org/us/hf_fewshot", "expected a version"),
        ("git+https://me:secret@example.org/us/hf_fewshot@0123abc", "--package holds a password or a key"),
        ("none.whl", "none.whl: there is no such file. `pip wheel --no-deps .` makes a wheel"),
    ],
)
def test_what_is_none_of_these_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        PackageSource.read(text)


def test_by_default_it_comes_from_where_it_was_installed_from(tmp_path, monkeypatch):
    wheel = tmp_path / "hf_fewshot-1.2-py3-none-any.whl"
    wheel.touch()
    commit = {"url": "https://example.org/us/hf_fewshot", "vcs_info": {"vcs": "git", "commit_id": "0123abc"}}
    for origin, place in [
        (None, "hf_fewshot==1.2"),
        (commit, COMMIT),
        ({"url": wheel.as_uri(), "archive_info": {}}, wheel.name),
    ]:
        installed_from(origin, monkeypatch)
        assert PackageSource.read(None).place == place
    installed_from({"url": "file:///home/me/hf_fewshot", "dir_info": {"editable": True}}, monkeypatch)
    with pytest.raises(
        ValueError, match="is installed from file:///home/me/hf_fewshot, which other machines cannot reach"
    ):
        PackageSource.read(None)


def test_all_that_it_stands_on_is_pinned_as_it_is_here():
    found = dict(one.split("==") for one in pins([]))
    assert found["torch"] == importlib.metadata.version("torch").partition("+")[0]
    assert found["tokenizers"] == importlib.metadata.version("tokenizers")  # of transformers
    assert {"pytest", "peft", "gradio"}.isdisjoint(found)
    assert "gguf" in dict(one.split("==") for one in pins(["embedded"]))


def test_a_script_says_what_it_needs_in_its_header():
    text = uv_script("jobs-1", "hf_fewshot==1.2", ["numpy==2.0", "torch==2.13.0"])
    lines = text.split("# ///\n")[0].splitlines()
    assert lines[0] == "# /// script"
    header = tomllib.loads("\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[1:]))
    assert header["dependencies"] == ["hf_fewshot==1.2"]
    assert header["tool"] == {"uv": {"constraint-dependencies": ["numpy==2.0", "torch==2.13.0"]}}
    assert header["requires-python"] in ("==3.11.*", "==3.12.*", "==3.13.*")
    compile(text, "job.py", "exec")
