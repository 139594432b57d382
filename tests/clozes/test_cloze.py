import pytest

from hf_fewshot.clozes.cloze import Cloze, load_cloze, load_clozes

REVIEW = {"id": "1", "question": "positive or negative?", "context": ["a fine film "], "answers": ["positive"]}
PAIR = {"id": "2", "question": "?", "context": ["Tom sleeps .", "Tom runs."], "answers": ["contradiction"]}


def cloze(text="{text} It was {mask}.", fields=("text",), labels=None):
    return Cloze("own", fields, text, labels or {"a": "great", "b": "terrible"})


def test_the_templates_of_the_paper():
    assert load_cloze("sst2").fill(REVIEW, "[MASK]").text == "a fine film It was [MASK]."
    assert load_cloze("mnli").fill(PAIR, "[MASK]").text == "Tom sleeps? [MASK], tom runs."
    assert load_cloze("sst2").labels == {"positive": "great", "negative": "terrible"}
    assert load_cloze("mnli").labels == {"entailment": "Yes", "neutral": "Maybe", "contradiction": "No"}


def test_a_filled_template_knows_its_gap_and_its_fields():
    filled = load_cloze("mnli").fill(PAIR, "<mask>")
    assert filled.text[filled.gap :].startswith("<mask>, tom")
    assert [filled.text[begin:end] for begin, end in filled.fields] == ["Tom sleeps", "tom runs."]
    asked = cloze("{question} {mask}: {text}").fill(REVIEW, "_")
    assert asked.text == "positive or negative? _: a fine film"


def test_a_file_of_the_users_own(tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text("short:\n  fields: [text]\n  text: '{mask} {text}'\n  labels: {positive: good, negative: bad}\n")
    assert load_clozes(file).keys() == {"short"}
    assert load_cloze("short", file).fill(REVIEW, "_").text == "_ a fine film"
    with pytest.raises(ValueError, match=r"Unknown template 'long'. Known: short"):
        load_cloze("long", file)
    with pytest.raises(ValueError, match=r"Unknown template 'sst'. Did you mean 'sst2'\?"):
        load_cloze("sst")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a: [", "is no YAML that can be used"),
        ("- a", "expected templates by name, got list"),
        ("a: {text: x}", "template 'a' has no 'fields'"),
        ("a: 3", "template 'a' must have fields, text and labels, got 3"),
        (
            "a: {fields: x, text: '{mask}', labels: {}}",
            "template 'a': fields='x', but this part of it must be a list of texts",
        ),
        ("a: {fields: [x], text: '{mask}', labels: {p: Yes, n: No}}", "reads a bare Yes or No as true or false"),
        ("a: {fields: [x], text: '{mask', labels: {p: b, n: c}}", "Template 'a': '{mask' cannot be read"),
    ],
)
def test_a_wrong_file_is_named_with_its_fault(content, message, tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(content)
    with pytest.raises(ValueError, match=message):
        load_clozes(file)


def test_unknown_fields_and_forms_are_refused_with_those_known():
    with pytest.raises(ValueError, match=r"Template 'own' uses the field 'premise'. Known: mask, question, text\."):
        cloze("{premise} {mask}")
    with pytest.raises(
        ValueError, match=r"Unknown form of 'text' in template 'own' 'upper'. Known: bare, lower|Did you"
    ):
        cloze("{text:upper} {mask}")
    for text in ("{text} was good", "{mask} or {mask}"):
        with pytest.raises(ValueError, match=r"must have {mask} exactly once"):
            cloze(text)
    with pytest.raises(ValueError, match="needs at least two labels"):
        cloze(labels={"a": "great"})


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"Template 'mnli' takes 2 texts \(premise, hypothesis\), but row '1' has 1"):
        load_cloze("mnli").fill(REVIEW, "_")
    with pytest.raises(ValueError, match=r"Row '2' has the answers \['contradiction'\]; .* one of positive, negative"):
        load_cloze("sst2").label_of(PAIR)
    assert load_cloze("sst2").label_of(REVIEW) == "positive"
