import tomllib

import pytest

from hf_fewshot.in_context.prompt_format import FORMATS, PromptFormat, format_names, load_format

NAMES = ["classification", "clues_conll03", "clues_mnli", "clues_record", "clues_squad", "clues_sst2", "clues_wikiann"]
NAMES += ["joint", "relation", "tagging"]


def test_every_benchmark_has_a_format():
    assert format_names() == NAMES
    tasks = {name: load_format(name).task for name in NAMES}
    assert {name for name, task in tasks.items() if task == "spans"} == {n for n in NAMES if n.startswith("clues_")}
    assert all(tasks[name] == name for name in NAMES if not name.startswith("clues_"))


def test_a_format_of_ones_own_is_read_from_a_file(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text('task: classification\nquery: "{text} =>"\nlabels: {good: "yes"}\nmax_new_tokens: 5\n')
    assert load_format(file) == PromptFormat("classification", "{text} =>", labels={"good": "yes"}, max_new_tokens=5)


def test_a_template_of_ones_own_takes_the_place_of_the_query(tmp_path):
    file = tmp_path / "mine.jinja"
    file.write_text("Review: {{ context }}\nSentiment:\n")
    form = load_format("clues_sst2").with_template(file)
    assert (form.query, form.template) == ("", "Review: {{ context }}\nSentiment:\n")
    assert form.labels == load_format("clues_sst2").labels
    file.write_text("{{ contxt }}")
    with pytest.raises(
        ValueError, match=r"mine.jinja: template has the unknown field 'contxt'. Did you mean 'context'"
    ):
        form.with_template(file)
    with pytest.raises(
        FileNotFoundError, match=r"There is no template at .*none.jinja. Give the path of a Jinja file"
    ):
        form.with_template(tmp_path / "none.jinja")
    file.write_bytes(b"\xff\xfe{")
    with pytest.raises(ValueError, match=r"^[^:]*mine.jinja is no text in UTF-8"):
        form.with_template(file)
    file.write_text("{{ context }}" + " " * 70_000)
    with pytest.raises(ValueError, match="larger than 65,536 bytes"):
        form.with_template(file)


def test_other_content_has_another_fingerprint():
    formats = [PromptFormat("classification", query) for query in ("{text}:", "{text}:", "{text}=")]
    assert formats[0].fingerprint == formats[1].fingerprint != formats[2].fingerprint


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "task: classification\nquery: '{txt}'",
            r"mine.yaml: query '\{txt\}' has the unknown field \{txt\}. Did you mean",
        ),
        ("task: tagging\nquery: '{text}'", r"unknown field \{text\}. Known: sentence."),
        ("task: relation\nquery: '{head.id}'", r"unknown field \{head.id\}. Did you mean 'head'"),
        ("task: relation\nquery: '{head!r}'", r"unknown field \{head\}"),
        ("task: joint\nquery: '{sentence}'\ninstruction: '{labels}'", r"instruction .* unknown field \{labels\}"),
        ("task: classification\nquery: '{}'", r"unknown field \{\}"),
        ("task: classification\nquery: '{text'", r"is no template: .* Write \{\{ and \}\} for braces"),
        ("task: classification\nquery: 'Text:'", r"shows nothing of the example. Use \{text\}"),
        ("task: classification\nquery: ''", "query is empty"),
        ("task: classification\nquery: |\n  {text}\n", "ends with white space, but answers bring their own"),
        ("task: classification\nquery: 5", "query=5, but this part of it must be text"),
        ("task: clasification\nquery: '{text}'", "Unknown task 'clasification'. Did you mean 'classification'"),
        ("task: classification", "query is empty, and there is no template"),
        ("task: classification\nquery: '{text}'\ntemplate: '{{ text }}'", "query and template both say"),
        ("task: classification\ntemplate: '{{ txt }}'", "template has the unknown field 'txt'. Did you mean 'text'"),
        ("task: classification\ntemplate: 'Text:'", r"template shows nothing of the example. Use \{\{ text \}\}"),
        ("task: classification\ntemplate: '{{ text'", r"template is no Jinja: .* \(line 1\). Correct it"),
        ("task: classification\ntemplate: '{{ text | loud }}'", "template is no Jinja: No filter named 'loud'"),
        ("task: classification\ntemplate: '{{ text }}{% include \"x\" %}'", "template includes another one"),
        ("task: classification\ntemplate: '{{ text }}{{ lipsum() }}'", "template has the unknown field 'lipsum'"),
        ("task: classification\nquery: '{text}'\nsystem: 'You know {types}.'", r"system .* unknown field \{types\}"),
        ("query: '{text}'", "has no 'task'"),
        ("task: classification\nquery: '{text}'\nlabel: {a: b}", "has an unknown 'label'. Did you mean 'labels'"),
        (
            "task: classification\nquery: '{text}'\nlabels: {a: yes}",
            "labels=.* must be a mapping, each value text. YAML reads a bare Yes or No as true or false: put quotes",
        ),
        ("task: classification\nquery: '{text}'\nlabels: {a: X, b: x}", "'x' stands for more than one label"),
        ("task: classification\nquery: '{text}'\nlabels: {a: ' '}", "the word for 'a' must be one line of text"),
        ("task: classification\nquery: '{text}'\nmax_new_tokens: 0", "whole number of at least 1, but is 0"),
        ("- a\n- b", "must have task, got"),
        ("a: [", "is no YAML that can be used"),
    ],
)
def test_bad_formats_say_what_is_wrong(tmp_path, content, message):
    file = tmp_path / "mine.yaml"
    file.write_text(content)
    with pytest.raises(ValueError, match=message):
        load_format(file)


def test_unknown_names_and_missing_files_name_the_known_ones(tmp_path):
    with pytest.raises(ValueError, match=r"Unknown prompt format 'clues_mli'. Did you mean 'clues_mnli'"):
        load_format("clues_mli")
    with pytest.raises(FileNotFoundError, match=r"no prompt format at .*none.yaml. Known names: classification, "):
        load_format(tmp_path / "none.yaml")


def test_formats_are_in_the_wheel(project):
    settings = tomllib.loads((project / "pyproject.toml").read_text())["tool"]["setuptools"]
    found = [file for pattern in settings["package-data"]["*"] for file in FORMATS.parent.glob(pattern)]
    assert {file.stem for file in found} == set(NAMES)
