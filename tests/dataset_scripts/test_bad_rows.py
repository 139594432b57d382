"""Bad rows of a raw file are named with file and place, and no rows of that file are kept."""

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hf_fewshot.dataset_scripts.few_nerd.files import read_parquet
from hf_fewshot.files.raw_files import RawFileError


def lines(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def review(name, **change):
    row = {"id": name, "context": "un film génial", "question": "positive or negative?", "answer": ["positive"]}
    return {**row, **change}


def utterance(tokens=("天", "气"), tags=("B-what", "I-what"), labels=("ASK",)):
    return {"seq_ins": [list(tokens)], "seq_outs": [list(tags)], "labels": [list(labels)]}


def episode(**change):
    return {"support": utterance(), "query": utterance(("你", "好"), ("O", "O"), ("GREET",)), **change}


NOTHING = {"seq_ins": [], "seq_outs": [], "labels": []}


def fact(**change):
    tokens = ["Zoë", "lives", "in", "Rome"]
    return {"tokens": tokens, "h": ["zoë", "Q1", [[0]]], "t": ["rome", "Q2", [[3]]], **change}


def mention(name, relation, **change):
    entity = {"subj_start": 0, "subj_end": 1, "obj_start": 3, "obj_end": 3, "subj_type": "PERSON", "obj_type": "CITY"}
    return {"id": name, "token": ["Zoë", "Lee", "likes", "Rome"], **entity, "relation": relation, **change}


CLUES = [
    (lines(review("1"), review("1")), r", line 2: expected ids that occur once, got '1' again"),
    (lines({"id": "1"}), ", line 1: expected an object with the keys id, context, question, answer, got one without"),
    (lines(review("1"), review("2", context=7)), r", line 2: expected context as a list, each text, got \[7\]"),
    (lines(review("1", question=None)), ", line 1: expected question as text, got null"),
    (lines(review("1", answer="positive")), ', line 1: expected answer as a list, got "positive"'),
    (lines(review("1", answer=[1])), r", line 1: expected answers as texts or objects with a text, got \[1\]"),
    (lines(review(1.5)), ", line 1: expected id as text, got 1.5"),
    ('["a"]\n', r', line 1: expected a JSON object, got \["a"\]'),
    (lines(review(True)), ", line 1: expected id as text, got true"),
    (lines(review("1", context="")), ", line 1: expected words, at least one and none of them empty"),
    (lines(review("1", context=[])), ", line 1: expected words, at least one and none of them empty"),
    (lines(review("1", question="")), ", line 1: expected words, at least one and none of them empty"),
    ('{"id": "1", "id": "2"}\n', ", line 1: expected a JSON object, got .*: the key 'id' comes twice"),
    ('{"id": NaN}\n', ", line 1: expected a JSON object, got .*: NaN is no number that JSON has"),
    ('{"id": 1e999}\n', ", line 1: expected a JSON object, got .*: the number 1e999 is too large"),
    ('{"id": "\\ud800"}\n', ", line 1: expected a JSON object, got .* is half a character"),
    ('{"id": ' + "[" * 5000, ", line 1: expected a JSON object, got .*: it is nested more than 200 deep"),
]
FEW_NERD = [
    ("Rome\tO\n\nParis location-GPE\n", ', line 3: expected token<TAB>label, got "Paris location-GPE"'),
    ("Rome\tO\nParis\t\n", r', line 2: expected token<TAB>label, got "Paris\\t"'),
    ("Rome\tO\nParis\tlocation\tGPE\n", ", line 2: expected token<TAB>label, got"),
    ("Rome\t B-LOC\n", r", line 1: expected a label without B- or I-"),
    ("Rome\tB-LOC\n", r', line 1: expected a label without B- or I- \(O or coarse-fine\); labels .* got "B-LOC"'),
]
FEWJOINT = [
    ({"d": [episode(support=utterance(tags=("O",)))]}, "expected as many tags as tokens, at least one, got"),
    ({"d": [episode(support=utterance((), ()))]}, "expected as many tags as tokens, at least one, got"),
    ({"d": [episode(support=utterance("ab", ["O", "X-what"]))]}, "BIO tags (O, B-name, I-name), got 'X-what'"),
    ({"d": [episode(support=utterance("ab", ["O", "B-"]))]}, "BIO tags (O, B-name, I-name), got 'B-'"),
    ({"d": [episode(support=utterance("ab", ["O", None]))]}, "BIO tags (O, B-name, I-name), got None"),
    ({"d": [episode(support=utterance(labels=("A", "B")))]}, "expected one intent in a list, got"),
    ({"d": [episode(support=utterance((1, 2)))]}, "expected tokens as a list, each text, got [1, 2]"),
    ({"d": [episode(support={**utterance(), "labels": []})]}, "expected as many seq_ins as seq_outs and labels, got"),
    ({"d": [episode(support={**utterance(), "labels": "A"})]}, 'expected labels as a list, got "A"'),
    ({"d": [episode(support=utterance(("天", "")))]}, "expected words, at least one and none of them empty, got"),
    ({"d": [episode(support=utterance(labels=("",)))]}, "expected a name as intent, got ''"),
    ({"d": [episode(support=NOTHING)]}, "expected at least one sentence, got none"),
    ({"d": [episode(support={"seq_ins": []})]}, "an object with the keys seq_ins, seq_outs, labels, got one without"),
]
FEWREL = [
    ({"P1": [fact(), fact(t=["rome", "Q2", [[4]]])]}, "instance 2: expected t within the 4 tokens, got position 4"),
    ({"P1": [fact(h=["zoë", "Q1", [[-1]]])]}, "instance 1: expected h mentions as runs of token positions, got [-1]"),
    ({"P1": [fact(h=["zoë", "Q1", [[0, 2]]])]}, "instance 1: expected h mentions as runs of token positions, got [0"),
    ({"P1": [fact(h=["zoë", "Q1", [0]])]}, "instance 1: expected h mentions as runs of token positions, got 0"),
    ({"P1": [fact(h=["zoë", "Q1", []])]}, "instance 1: expected h as [text, id, mentions], got"),
    ({"P1": [fact(tokens=[])]}, "instance 1: expected tokens as a list of words, got []"),
    ({"P1": [fact(tokens=["a", "b", "c", 4])]}, "instance 1: expected tokens as a list, each text, got"),
    ({"P1": [fact(tokens=["a", "b", "", "d"])]}, "instance 1: expected words, at least one and none of them empty"),
    ({"P1": [fact(h=["zoë", "Q1", [[True]]])]}, "instance 1: expected head as an object with the keys text, id"),
    ({"P1": [fact(h=[7, "Q1", [[0]]])]}, "instance 1: expected head as an object with the keys text, id"),
    ({"P1": ["text"]}, "instance 1: expected an object with the keys tokens, h, t, got"),
    ({"P1": {"0": fact()}}, ": expected a list of instances, got"),
]
FS_TACRED = [
    ([mention("1", "c"), mention("1", "c")], "entry 2: expected ids that occur once, got '1' again"),
    ([mention("1", "c", subj_end=4)], "instance 1: expected subj within the 4 tokens, got 0 to 4"),
    (
        [mention("1", "c"), mention("2", "c", obj_start=-1)],
        "instance 2: expected obj within the 4 tokens, got -1 to 3",
    ),
    ([mention("1", "c", subj_start=1, subj_end=0)], "instance 1: expected subj within the 4 tokens, got 1 to 0"),
    ([mention("1", "c", obj_end="3")], "instance 1: expected obj within the 4 tokens, got 3 to 3"),
    ([mention("1", "c", token=["a", "b", None, "d"])], "instance 1: expected token as a list, each text, got"),
    ([mention("1", "c", token=[])], "instance 1: expected token as a list of words, got []"),
    ([mention("1", ["c"])], 'instance 1: expected relation as text, got ["c"]'),
    ([mention("1", "a")], "none of ['c']"),
    ([mention(True, "c")], "instance 1: expected id as text, got true"),
    (
        [mention("1", "c", token=["a", "b", "", "d"])],
        "instance 1: expected words, at least one and none of them empty",
    ),
    ([mention("1", "")], "instance 1: expected a name as relation, got ''"),
    ([mention("1", "c", subj_start=False)], "instance 1: expected head as an object with the keys text, id"),
    ([mention("1", "c", subj_type=None)], "instance 1: expected head as an object with the keys text, id"),
]


@pytest.mark.parametrize(("content", "message"), CLUES)
def test_bad_rows_of_clues_are_named_with_their_line(content, message, raw, load, cached):
    raw("clues", **{"SST-2/sst_test.jsonl": content})
    with pytest.raises(RawFileError, match=rf"SST-2/sst_test\.jsonl{message}"):
        load("clues")
    assert cached() == []


@pytest.mark.parametrize(("content", "message"), FEW_NERD)
def test_bad_lines_of_few_nerd_are_named_with_their_number(content, message, raw, load, cached):
    raw("few_nerd", **{"inter/test.txt": content})
    with pytest.raises(RawFileError, match=rf"inter/test\.txt{message}"):
        load("few_nerd")
    assert cached() == []


@pytest.mark.parametrize(("document", "message"), FEWJOINT)
def test_bad_episodes_of_fewjoint_are_named_with_their_place(document, message, raw, load, cached):
    raw("fewjoint", **{"test.json": json.dumps(document)})
    with pytest.raises(RawFileError, match=rf"test\.json, domain 'd', episode 1, support.*{re.escape(message)}"):
        load("fewjoint")
    assert cached() == []


@pytest.mark.parametrize(("document", "message"), FEWREL)
def test_bad_instances_of_fewrel_are_named_with_their_place(document, message, raw, load, cached):
    raw("fewrel", **{"val_wiki.json": json.dumps(document)})
    with pytest.raises(RawFileError, match=rf"val_wiki\.json, relation 'P1'.*{re.escape(message)}"):
        load("fewrel")
    assert cached() == []


@pytest.mark.parametrize(("document", "message"), FS_TACRED)
def test_bad_instances_of_tacred_are_named_with_their_place(document, message, raw, load, cached):
    raw("fs_tacred", **{"test.json": json.dumps(document)})
    with pytest.raises(RawFileError, match=rf"raw/test\.json.*{re.escape(message)}"):
        load("fs_tacred")
    assert cached() == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"answer": [{"text": "a"}]},
            "expected answer_variants as a list, each an object with the keys text, answer_s",
        ),
        ({"answer": [{"answer_start": 1}]}, "expected answers as texts or objects with a text, got"),
        (
            {"plausible_answers": ["a"]},
            "expected plausible_answers as a list, each an object with the keys text, answer",
        ),
        ({"is_impossible": "no"}, 'expected is_impossible as true or false, got "no"'),
        ({"is_impossible": 0}, "expected is_impossible as true or false, got 0"),
        ({"plausible_answers": ""}, 'expected plausible_answers as a list, each .*, got ""'),
        ({"answer": [{"text": "film", "answer_start": 4}]}, 'expected "film" at position 4, got "ilm "'),
        ({"answer": [{"text": "film", "answer_start": -2}]}, 'expected "film" at position -2, got "un f"'),
        ({"answer": [{"text": "film", "answer_start": 2**31}]}, "expected answer_variants as a list, each an object"),
        ({"plausible_answers": [{"text": "film", "answer_start": 99}]}, 'expected "film" at position 99, got ""'),
    ],
)
def test_bad_extra_fields_of_squad_are_named_with_their_line(change, message, raw, load):
    raw("clues", **{"SQuAD-v2/squad-v2_test.jsonl": lines(review("1"), review("2", **change))})
    with pytest.raises(RawFileError, match=rf"squad-v2_test\.jsonl, line 2: {message}"):
        load("clues", "squad")


@pytest.mark.parametrize("span", [{"start": -1, "end": 3}, {"start": 3, "end": 2}, {"start": 0, "end": 14}])
def test_entities_of_record_stand_in_the_text(span, raw, load):
    raw("clues", **{"ReCoRD/record_test.jsonl": lines(review("1", entities=[{"start": 0, "end": 13}, span]))})
    with pytest.raises(RawFileError, match=r"record_test\.jsonl, line 1: expected entities within the 14 characters"):
        load("clues", "record")


def test_a_null_in_an_extra_field_of_squad_means_that_it_is_not_there(raw, load):
    raw("clues", **{"SQuAD-v2/squad-v2_test.jsonl": lines(review("1", is_impossible=None, plausible_answers=None))})
    (row,) = load("clues", "squad", split="test")
    assert (row["is_impossible"], row["plausible_answers"]) == (False, [])


TAGS = {"word": [["rome"]], "label": [["location-GPE"]]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"query": {"word": [["a", "b"]], "label": [["O"]]}},
            "as many labels as words in a query sentence, got 1 and 2",
        ),
        (
            {"query": {"word": [[]], "label": [[]]}},
            "expected as many labels as words in a query sentence, got 0 and 0",
        ),
        ({"query": {"word": [["a"]], "label": []}}, "expected as many query words as labels, got 1 and 0"),
        ({"query": {"word": ["a"], "label": [["O"]]}}, "expected word as a list, each a list, each text, got"),
        ({"query": {"word": [["a"]]}}, "expected an object with the keys word, label, got one without label"),
        ({"types": "location-GPE"}, 'expected types as a list, each text, got "location-GPE"'),
        ({"types": []}, "expected types that are names and occur once, got []"),
        ({"types": ["location-GPE"] * 2}, "expected types that are names and occur once, got"),
        ({"types": ["location-GPE", "O"]}, "expected types that are names and occur once, got"),
        ({"types": ["art-film"]}, 'expected support labels among the types of the episode, got ["location-GPE"]'),
        (
            {"query": {"word": [["a"]], "label": [["art-film"]]}},
            'expected query labels among the types of the episode, got ["art-film"]',
        ),
        ({"support": {"word": [], "label": []}}, "expected at least one sentence in the support set, got none"),
        ({"query": {"word": [], "label": []}}, "expected at least one sentence in the query set, got none"),
        (
            {"query": {"word": [["a", ""]], "label": [["O", "O"]]}},
            "expected words, at least one and none of them empty",
        ),
    ],
)
def test_bad_released_episodes_of_few_nerd_are_named_with_their_line(change, message, raw, load, cached):
    good = {"support": TAGS, "query": TAGS, "types": ["location-GPE"]}
    raw("few_nerd", **{"episode-data/inter/test_5_1.jsonl": lines(good, {**good, **change})})
    with pytest.raises(RawFileError, match=rf"inter/test_5_1\.jsonl, line 2: .*{re.escape(message)}"):
        load("few_nerd", n_way=5, shots=1)
    assert cached() == []


def item(**change):
    return {"domain": "bus", "text": "去上海", "intent": "QUERY", "slots": {"end": "上海"}, **change}


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([item(id="1"), item(id="1")], "item 2: expected ids that occur once, got '1' again"),
        ([item(id="other")], "item 1: expected ids that occur once, got 'other' again"),
        ([item(text=" ")], "item 1: expected a text, got an empty one"),
        ([item(text=7)], "item 1: expected text as text, got 7"),
        ([item(intent=None)], "item 1: expected intent as text, got null"),
        ([item(id=None)], "item 1: expected id as text, got null"),
        ([item(id=[1])], r"item 1: expected id as text, got \[1\]"),
        ([item(intent="")], "item 1: expected a name as intent, got ''"),
        ([item(slots={"": "上海"})], "item 1: expected a name as slot, got ''"),
        ([item(slots={"end": None})], "item 1: expected the value of slot 'end' as text, got null"),
        ([item(slots={"end": ["上海", 1.5]})], "item 1: expected the value of slot 'end' as text, got 1.5"),
        ([item(slots="")], 'item 1: expected slots as an object, got ""'),
        ([item(slots=["上海"])], r'item 1: expected slots as an object, got \["上海"\]'),
        ([{"domain": "bus"}], "item 1: expected an object with the keys domain, text, intent, got one without text"),
    ],
)
def test_bad_raw_items_of_fewjoint_are_named_with_their_place(items, message, raw, load, cached):
    files = {"dev/correct/bus.json": [item(id="other")], "dev/support/bus.json": items}
    raw("fewjoint", **{path: json.dumps(content) for path, content in files.items()})
    with pytest.raises(RawFileError, match=rf"dev/support/bus\.json, {message}"):
        load("fewjoint", "examples")
    assert cached() == []


def test_raw_items_without_ids_in_files_of_the_same_name_are_told_apart(raw, load):
    files = {"dev/correct/bus.json": [item()], "dev/support/bus.json": [item()]}
    raw("fewjoint", **{path: json.dumps(content) for path, content in files.items()})
    rows = load("fewjoint", "examples", split="validation")
    assert rows["id"][:] == ["bus-correct-bus-0", "bus-support-bus-0"]


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        (
            {"train": ["a"], "dev": ["b"], "test": ["c", "unheard_of"]},
            r"/test\.json: expected instances of all relations of the test split of .*/categories_split\.json, "
            r"got none of \['unheard_of'\]",
        ),
        (
            {"train": ["a"], "dev": ["a"], "test": ["c"]},
            r'/categories_split\.json: expected relations that occur once, in one split, got \["a"\]',
        ),
        (
            {"train": "a", "dev": ["b"], "test": ["c"]},
            r'/categories_split\.json, the document: expected train as a list, each text, got "a"',
        ),
        ({"train": ["a"], "dev": ["b"]}, r"/categories_split\.json, the document: .* got one without test"),
    ],
)
def test_bad_categories_of_tacred_are_named(categories, message, raw, load, cached):
    raw("fs_tacred", **{"categories_split.json": json.dumps(categories)})
    with pytest.raises(RawFileError, match=message):
        load("fs_tacred")
    assert cached() == []


def test_tacred_without_the_relations_of_the_paper_is_an_error_that_names_some(raw, load):
    raw("fs_tacred", **{"categories_split.json": None})
    with pytest.raises(
        RawFileError, match=r"relations of the train split of the paper, got none of \['org:alternate_na"
    ):
        load("fs_tacred")


@pytest.mark.parametrize(
    ("name", "path", "document"),
    [("fewrel", "val_wiki.json", {"P1": []}), ("fewjoint", "test.json", {"story": []})],
)
def test_a_file_without_a_single_row_is_refused(name, path, document, raw, load, cached):
    raw(name, **{path: json.dumps(document)})
    with pytest.raises(RawFileError, match=rf"{re.escape(path)}: expected rows of data, got none"):
        load(name)
    assert cached() == []


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ('["x"]', r"pid2name\.json, line 1: expected a JSON object with entries"),
        ('{"P1": []}', r"pid2name\.json, relation 'P1': expected \[name, description\], got \[\]"),
        ('{"P1": "mother"}', r"pid2name\.json, relation 'P1': expected \[name, description\], got \"mother\""),
        ('{"P1": [null, ""]}', r"pid2name\.json, relation 'P1': expected \[name, description\], got \[null, \"\"\]"),
    ],
)
def test_bad_names_of_relations_are_named(names, message, raw, load, cached):
    raw("fewrel", **{"pid2name.json": names})
    with pytest.raises(RawFileError, match=message):
        load("fewrel")
    assert cached() == []


def test_a_relation_without_a_name_is_refused(raw, load):
    raw("fewrel", **{"val_wiki.json": json.dumps({"": [fact()]})})
    with pytest.raises(RawFileError, match=r"val_wiki\.json, the document: expected a name as relation, got ''"):
        load("fewrel")


NAMES = ["O", "art-film"]


def parquet(path, tokens, tags, names=NAMES, metadata=None):
    """A Parquet file as the Hub has them."""
    feature = {"feature": {"names": names, "_type": "ClassLabel"}, "_type": "List"}
    if metadata is None:
        metadata = json.dumps({"info": {"features": {"fine_ner_tags": feature}}})
    table = pa.table({"tokens": tokens, "fine_ner_tags": tags}).replace_schema_metadata({"huggingface": metadata})
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([[1, 2]], [[0, 0]]), "expected tokens as lists of words, got list<.*: int64>"),
        (([["a"]], [["O"]]), "expected fine_ner_tags as lists of whole numbers, got list<.*: string>"),
        ((["a"], [[0]]), "expected tokens as lists of words, got string"),
        (([["a"], ["b", None]], [[0], [0, 1]]), "row 2: expected words, and tags from 0 to 1, got"),
        (([["a"], None], [[0], [0]]), "row 2: expected as many tags as tokens, at least one, got"),
        (([["a"], ["b"]], [[0], [None]]), "row 2: expected words, and tags from 0 to 1, got"),
        (([["a"], ["b"]], [[0], [2]]), "row 2: expected words, and tags from 0 to 1, got"),
        (([["a"], ["b", ""]], [[0], [0, 0]]), "row 2: expected words, at least one and none of them empty, got"),
        (([["a"]], [[0]], ["O", "O"]), "expected the names of fine_ner_tags as different texts, got"),
        (([["a"]], [[0]], ["O", None]), "expected the names of fine_ner_tags as different texts, got"),
        (([["a"]], [[0]], 7), "expected the names of fine_ner_tags in the metadata, got none"),
        (([["a"]], [[0]], NAMES, "[]"), "expected the names of fine_ner_tags in the metadata, got none"),
        (([["a"]], [[0]], NAMES, "{"), "expected the names of fine_ner_tags in the metadata, got none"),
        (([["a"]], [[0]], NAMES, "{}"), "expected the names of fine_ner_tags in the metadata, got none"),
    ],
)
def test_bad_parquet_files_of_few_nerd_are_named_with_their_row(columns, message, raw, load, cached, tmp_path):
    raw("few_nerd")
    for split in ("train", "validation", "test"):
        parquet(tmp_path / f"raw/inter/{split}-00000.parquet", [["a"]], [[1]])
    parquet(tmp_path / "raw/inter/test-00000.parquet", *columns)
    with pytest.raises(RawFileError, match=rf"inter/test-00000\.parquet(, |: ){message}"):
        load("few_nerd")
    assert cached() == []


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-9], lambda data: b"PAR1" + bytes(60) + data[64:], lambda _: b"x"]
)
def test_a_damaged_parquet_file_is_named(damage, tmp_path):
    path = tmp_path / "test-0.parquet"
    parquet(path, [["a", "b"]] * 50, [[0, 1]] * 50)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(RawFileError, match=r"test-0\.parquet: expected a Parquet file, got"):
        list(read_parquet(path, "x"))


def test_a_parquet_file_of_few_bytes_and_many_values_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "test-0.parquet"
    parquet(path, [["a"] * 1000] * 1000, [[0] * 1000] * 1000)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr("hf_fewshot.dataset_scripts.few_nerd.files.physical_memory", lambda: 50 << 20)
    with pytest.raises(RawFileError, match="expected a table that fits into memory, got one of 2000000 values"):
        next(read_parquet(path, "x"))
