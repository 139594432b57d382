"""Labelled data that is pasted or uploaded becomes examples as one writes them, or an error without a path."""

import pytest

from hf_fewshot.demo.pasted import pasted_example, pasted_sheet, suffix_of, uploaded_sheet
from hf_fewshot.tasks import task_of

TEXTS, WORDS, PAIRS, UTTERANCES = (task_of(name) for name in ("classification", "tagging", "relation", "joint"))
BEHIND = ' "head": {"start": 0, "end": 3}, "tail": {"start": 13, "end": 17}}'


@pytest.mark.parametrize(
    ("task", "text", "sheet"),
    [
        (TEXTS, 'text,label\n"a, b",x\nc,y\n', "# x\na, b\n\n# y\nc\n"),
        (TEXTS, "text;label\na;x\n", "# x\na\n"),
        (TEXTS, "label\ttext\nx\ta, b\n", "# x\na, b\n"),
        (TEXTS, '{"text": "a", "label": "x"}\n', "# x\na\n"),
        (TEXTS, '[{"text": "a", "label": "x"}]', "# x\na\n"),
        (WORDS, "Anna B-person\nleft O\nRome B-city\n\nBye O\n", "[Anna](person) left [Rome](city)\nBye\n"),
        (WORDS, "-DOCSTART- O\n\nU.N.\tNNP\tS-org\nsays\tVB\tO\n", "[U.N.](org) says\n"),
        (WORDS, '{"tokens": ["a", "b"], "tags": ["x", "x"]}', "[a b](x)\n"),
        (WORDS, "tokens,tags\n我 去 上海,O O B-city\n", "我去[上海](city)\n"),
        (
            PAIRS,
            '{"text": "Mia works at Acme", "relation": "job",' + BEHIND,
            "# job\n[Mia](head) works at [Acme](tail)\n",
        ),
        (UTTERANCES, "tokens,intent,slot_tags\nplay jazz,play,O B-genre\n", "# play\nplay [jazz](genre)\n"),
    ],
)
def test_what_is_pasted_is_recognized_and_rewritten(task, text, sheet):
    assert pasted_sheet(text, task) == sheet


def test_the_kind_of_a_text_is_seen_by_its_beginning():
    assert [suffix_of(text, TEXTS) for text in ("\n{", "[", "a,b", "a\tb", "a\tb,c")] == [
        ".jsonl",
        ".json",
        ".csv",
        ".tsv",
        ".csv",
    ]
    assert [suffix_of(text, WORDS) for text in ("a O", "a, O", '"text",entities', "tokens\ttags")] == [
        ".conll",
        ".conll",
        ".csv",
        ".tsv",
    ]


@pytest.mark.parametrize(
    ("task", "text", "message"),
    [
        (TEXTS, " \n", r"^Paste labelled examples first, such as:\ntext,label\nWhere is my parcel\?,delivery"),
        (
            TEXTS,
            "sentence,intent\na,b\n",
            r"^The pasted text: expected the columns text and label, got the columns sentence, intent\. Write their "
            r"names in the first line, such as text,label$",
        ),
        (TEXTS, "text,label\na,b,c\n", r"^The pasted text, line 2: expected 2 cells as in the header \(text, label\)"),
        (TEXTS, "text,label\na,\n", r"^The pasted text, line 2: expected a label in 'label'"),
        (TEXTS, '{"text": "a",', r"^The pasted text, line 1: expected a JSON object"),
        (WORDS, "Anna B-person\nleft\n", r"^The pasted text, line 2: expected 2 columns as in the lines before"),
        (
            PAIRS,
            "text,relation\na,b\n",
            r"^The pasted text: expected the columns tokens and relation and head and tail",
        ),
        (TEXTS, "text,label\n" + "a,b\n" * 501, r"^These are 501 examples, and this page takes 500"),
        (TEXTS, "text,label\n" + "a" * 200_000, r"^The pasted text has 200,011 characters"),
    ],
)
def test_what_cannot_be_read_is_said_without_the_place_it_lay_in(task, text, message):
    with pytest.raises(ValueError, match=message):
        pasted_sheet(text, task)


def test_a_file_is_read_by_its_name(tmp_path):
    path = tmp_path / "mine.bio"
    path.write_text("Rome B-city\n")
    assert uploaded_sheet(path, WORDS) == "[Rome](city)\n"
    with pytest.raises(ValueError, match=r"^mine\.bio: expected a file with the columns of task 'classification'"):
        uploaded_sheet(path, TEXTS)


@pytest.mark.parametrize("task", [TEXTS, WORDS], ids=lambda task: task.name)
def test_what_is_given_as_an_example_can_be_pasted(task):
    assert pasted_sheet(pasted_example(task), task)
