import numpy as np
import pytest

from hf_fewshot import load_dataset
from hf_fewshot.embedded import embedded_encoder
from hf_fewshot.metrics.s1.scoring import score
from hf_fewshot.models.loading import load_tokenizer
from hf_fewshot.spans.inputs import SpanInputBuilder, answer_spans, set_labels, single_labels, window_batch
from tests.spans.rows import NAMES

PAIR = {"id": "p", "question": "entailment or neutral ?", "context": ["Tom works", "tom lives ."]}


@pytest.fixture
def build(span_bert):
    def make(max_length=40, stride=10):
        return SpanInputBuilder(load_tokenizer(span_bert), max_length, stride)

    return make


def tokens(builder, ids):
    return " ".join(builder.tokenizer.convert_ids_to_tokens(ids))


def test_question_and_context_stand_in_one_window(build):
    builder = build()
    (passage,) = builder.passages([PAIR])
    (window,) = builder.windows(passage)
    assert tokens(builder, window.ids) == ("[CLS] entailment or neutral ? [SEP] tom works [SEP] tom lives . [SEP]")
    assert window.places.tolist() == [-1, 0, 1, 2, 3, -1, 4, 5, 6, 7, 8, 9, -1]
    assert passage.segments.tolist() == [0, 0, 0, 0, 1, 1, -1, 2, 2, 2]
    assert window.context_begins == 6
    assert passage.text(4, 5) == "Tom works"
    batch = window_batch([window], [passage.segments], 0)
    assert batch.token_type_ids[0].tolist() == [0] * 6 + [1] * 7
    assert batch.candidates[0].int().tolist() == [0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0]


def test_roberta_has_two_separators_between_question_and_context(span_roberta):
    builder = SpanInputBuilder(load_tokenizer(span_roberta), 40, 10)
    row = {"question": "where ?", "context": ["anna in Paris"], "answers": ["anna in"]}
    (passage,) = builder.passages([row])
    (window,) = builder.windows(passage)
    assert tokens(builder, window.ids).startswith("<s> Ġwhere")
    assert tokens(builder, window.ids).count("</s>") == 3
    expected = builder.tokenizer("where ?", "anna in Paris")["input_ids"]
    assert window.ids.tolist() == expected
    ((first, last),) = answer_spans(row, passage)
    assert passage.text(first, last) == "anna in"


def test_long_contexts_have_windows_that_overlap_and_lose_nothing(build):
    builder = build(max_length=15, stride=4)
    row = {"question": "where ?", "context": ["anna lives in paris . tom works at acme corp . mia was born in oslo"]}
    (passage,) = builder.passages([row])
    windows = list(builder.windows(passage))
    # 2 tokens of the question and 3 special ones leave room for 10 of the 16 tokens of the context.
    assert [window.places[window.places >= 2].tolist() for window in windows] == [
        list(range(2, 12)),
        list(range(6, 16)),
        list(range(10, 18)),
    ]
    assert all(len(window.ids) <= 15 for window in windows)


def test_a_stride_longer_than_the_room_skips_no_token(build):
    builder = build(max_length=9, stride=180)
    (passage,) = builder.passages([NAMES])
    held = np.concatenate([window.places for window in builder.windows(passage)])
    assert set(held.tolist()) - {-1} == set(range(len(passage.ids)))


def test_answers_are_found_at_word_borders_in_question_and_context(build):
    (passage,) = build().passages([{"question": "positive or negative ?", "context": ["us usa (us) anna tom us"]}])
    assert [passage.text(*span) for span in passage.find("us")] == ["us", "us", "us"]
    assert len(passage.find("sa")) == 0
    assert [passage.text(*span) for span in passage.find("(us)")] == ["(us)"]
    assert [passage.text(*span) for span in passage.find(" negative ")] == ["negative"]
    assert passage.find("  ") == []
    assert passage.find("Us") == []


def test_a_row_that_says_where_its_answer_is_has_that_place_only(build):
    row = {"question": "who ?", "context": ["tom or tom or tom"], "answers": ["tom"]}
    (passage,) = build().passages([row])
    assert answer_spans(row, passage) == [(2, 2), (4, 4), (6, 6)]
    row["answer_variants"] = [{"text": "tom", "answer_start": 7}]
    assert answer_spans(row, passage) == [(4, 4)]
    row["answer_variants"] = [{"text": "tom", "answer_start": -1}]
    assert len(answer_spans(row, passage)) == 3


def test_only_spans_that_are_whole_in_a_window_are_labels(build):
    builder = build(max_length=11, stride=5)
    (passage,) = builder.passages([NAMES | {"answers": []}])
    first, second = list(builder.windows(passage))[:2]
    # Tokens 2 to 7 of the passage are in the first window, 7 to 11 in the second.
    labels = set_labels(first, [(5, 7), (7, 8), (2, 2)])
    assert np.argwhere(labels).tolist() == [[4, 0], [4, 1], [7, 0], [9, 1]]
    assert np.argwhere(set_labels(second, [(5, 7), (7, 8)])).tolist() == [[4, 0], [5, 1]]


def test_spans_stand_in_the_order_of_the_answers(build):
    row = {"question": "who ?", "context": ["tom or anna or tom"], "answers": ["anna", "tom"]}
    (passage,) = build().passages([row])
    assert answer_spans(row, passage) == [(4, 4), (2, 2), (6, 6)]
    row["answer_variants"] = [{"text": "anna or tom", "answer_start": 7}, {"text": "anna", "answer_start": 7}]
    assert answer_spans(row, passage) == [(4, 6), (4, 4)]


def test_the_single_head_learns_the_first_answer_that_is_whole_in_a_window_or_cls(build):
    builder = build(max_length=11, stride=5)
    (passage,) = builder.passages([NAMES | {"answers": []}])
    first, second = list(builder.windows(passage))[:2]
    # As above; (5, 8) is whole in neither window.
    assert np.argwhere(single_labels(first, [(5, 8), (5, 7), (2, 2)])).tolist() == [[7, 0], [9, 1]]
    assert np.argwhere(single_labels(second, [(5, 8), (7, 8), (9, 9)])).tolist() == [[4, 0], [5, 1]]
    assert np.argwhere(single_labels(second, [(5, 8)])).tolist() == [[0, 0], [0, 1]]


def test_wrong_options_are_refused(build, span_bert):
    with pytest.raises(ValueError, match="stride must be at least 1, but is 0"):
        build(stride=0)
    builder = build(max_length=6)
    (passage,) = builder.passages([PAIR])
    with pytest.raises(ValueError, match=r"The question has 4 tokens, which leaves no room .* max_length=6"):
        list(builder.windows(passage))
    tokenizer = load_tokenizer(span_bert)
    tokenizer.sep_token = None
    with pytest.raises(ValueError, match=r"BertTokenizer has no \[CLS\] and \[SEP\] tokens"):
        SpanInputBuilder(tokenizer, 40, 10)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("task", "reachable"),
    [("sst2", 100.0), ("mnli", 100.0), ("conll03", 100.0), ("wikiann", 98.5), ("squad", 100.0), ("record", 100.0)],
)
def test_the_published_answers_are_spans(task, reachable, shared_data):
    """What S1 a perfect extractor would have; a few answers of WikiANN are no substring of their context."""
    rows = load_dataset("clues", task, data_dir=str(shared_data / "CLUES"), split="test").to_list()
    builder = SpanInputBuilder(load_tokenizer(embedded_encoder("all-MiniLM-L6-v2")), 384, 180)
    found = [
        [passage.text(*span) for span in answer_spans(row, passage)]
        for row, passage in zip(rows, builder.passages(rows), strict=True)
    ]
    assert round(100 * score(found, [row["answers"] for row in rows])["s1"], 2) == reachable
