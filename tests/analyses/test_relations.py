import numpy as np
import pytest
from scipy import stats

from hf_fewshot.analyses.analysis import analysis
from hf_fewshot.analyses.classes import kinds_of_errors
from hf_fewshot.analyses.query_pairs import Compared
from hf_fewshot.analyses.relations import by_order, by_overlap, by_types
from hf_fewshot.episodes.episode import Episode
from tests.small_episodes import episodes_of

TYPES = ("PERSON", "ORG", "CITY")
WORDS = ["the", "a", "of", "in", "Anna", "Rome", "works", "lives", "born", "Acme", "with", "and"]


def example(number, rng, label, typed=True):
    tokens = [WORDS[i] for i in rng.integers(0, len(WORDS), 8)]
    head, tail = rng.choice(8, 2, replace=False).tolist()
    sides = {
        side: {"text": "", "id": "", "type": TYPES[rng.integers(3)] if typed else "", "mentions": [_mention(start)]}
        for side, start in (("head", head), ("tail", tail))
    }
    return {"id": f"x{number}", "tokens": tokens, **sides, "relation": label, "original_relation": label}


def _mention(start):
    return {"start": start, "end": start + 1}


def predicted_episodes(shots, typed=True, seed=0):
    """Forty episodes of three of five relations, with four queries and random predictions."""
    rng = np.random.default_rng(seed)
    labels = [f"r{number % 5}" for number in range(60)]
    examples = [example(number, rng, label, typed) for number, label in enumerate(labels)]
    made, predictions = [], []
    for _ in range(40):
        classes = tuple(f"r{number}" for number in sorted(rng.choice(5, 3, replace=False)))
        support = []
        for name in classes:
            rows = [row for row, label in enumerate(labels) if label == name]
            support += rng.choice(rows, shots, replace=False).tolist()
        rest = [row for row in range(60) if row not in support]
        made.append(Episode(classes, tuple(support), tuple(rng.choice(rest, 4, replace=False).tolist())))
        predictions.append([(*classes, "NOTA")[i] for i in rng.integers(0, 4, 4)])
    return episodes_of("relation", examples, *made), predictions


def queries(episodes, predictions):
    """Each query with the right answer, the predicted one, and the support rows of a class."""
    rows = episodes.plain_examples
    for episode, predicted in zip(episodes, predictions, strict=True):
        for row, found in zip(episode.query, predicted, strict=True):
            own = rows[row]["relation"]
            right = own if own in episode.classes else "NOTA"
            of = {c: [rows[s] for s in episode.support if rows[s]["relation"] == c] for c in episode.classes}
            yield rows[row], right, found, of


def first(row):
    return row["head"]["mentions"][0]["start"] < row["tail"]["mentions"][0]["start"]


def pair(row):
    return row["head"]["type"], row["tail"]["type"]


@pytest.mark.parametrize("shots", [1, 3])
def test_errors_by_types_are_those_of_loops(shots):
    episodes, predictions = predicted_episodes(shots)
    wrong = [one for one in queries(episodes, predictions) if one[2] not in ("NOTA", one[1])]
    chosen = [np.mean([pair(query) == pair(support) for support in of[found]]) for query, _, found, of in wrong]
    others = [
        np.mean([pair(query) == pair(one) for name in of if name not in (right, found) for one in of[name]])
        for query, right, found, of in wrong
    ]
    sheet = by_types(Compared(episodes, predictions))
    assert sheet.column("class") == ["predicted", "passed over"]
    assert sheet.column("precision errors") == sheet.column("with known types") == [len(wrong), len(wrong)]
    assert sheet.column("same pair of types (%)") == pytest.approx([100 * np.mean(chosen), 100 * np.mean(others)])
    # With each query as its own cluster the difference of two means is the paired t-test.
    assert sheet.column("p, queries") == [pytest.approx(stats.ttest_rel(chosen, others).pvalue), None]
    assert 0 < sheet.column("p, episodes")[0] < 1


@pytest.mark.parametrize("shots", [1, 3])
def test_recall_by_order_is_that_of_loops(shots):
    episodes, predictions = predicted_episodes(shots)
    hits, sizes = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    for query, right, found, of in queries(episodes, predictions):
        for support in of.get(right, ()):
            same = first(query) == first(support)
            sizes[same] += 1 / shots
            hits[same] += (found == right) / shots
    sheet, (chart,) = by_order(Compared(episodes, predictions))
    assert sheet.column("queries") == pytest.approx([sizes[True], sizes[False]])
    recalls = [100 * hits[same] / sizes[same] for same in (True, False)]
    assert sheet.column("recall (%)") == pytest.approx(recalls)
    assert list(chart.sections[""].values()) == pytest.approx(recalls)
    assert sheet.column("p, episodes")[1] is None
    assert 0 < sheet.column("p, episodes")[0] < 1


@pytest.mark.parametrize("shots", [1, 3])
def test_overlap_of_words_is_that_of_loops(shots):
    episodes, predictions = predicted_episodes(shots)
    overlaps = {True: [], False: []}
    for query, right, found, of in queries(episodes, predictions):
        if right != "NOTA":
            words = {word.lower() for word in query["tokens"]}
            others = [{word.lower() for word in support["tokens"]} for support in of[right]]
            overlaps[found == right].append(np.mean([len(words & own) / len(words | own) for own in others]))
    sheet, (chart,) = by_overlap(Compared(episodes, predictions))
    assert sheet.column("queries") == [len(overlaps[True]), len(overlaps[False])]
    assert sheet.column("mean overlap") == pytest.approx([np.mean(overlaps[True]), np.mean(overlaps[False])])
    assert [sum(shares) for shares in chart.series.values()] == pytest.approx([100, 100])


def test_kinds_of_errors_are_those_of_loops():
    episodes, predictions = predicted_episodes(1)
    predictions[0][0] = "<unparsed>"
    answers = [(right, found) for _, right, found, _ in queries(episodes, predictions)]
    none = [found for right, found in answers if right == "NOTA"]
    classes = [(right, found) for right, found in answers if right != "NOTA"]
    counts = (
        sum(found not in ("NOTA", "<unparsed>") for found in none),
        sum(found == "NOTA" for _, found in classes),
        sum(found not in ("NOTA", "<unparsed>", right) for right, found in classes),
    )
    found = kinds_of_errors(episodes, predictions)
    assert found.column("queries") == [*counts, 1]
    assert found.column("of") == [len(none), len(classes), len(classes), len(answers)]
    assert found.column("share (%)")[0] == pytest.approx(100 * counts[0] / len(none))


def test_data_without_types_says_so():
    episodes, predictions = predicted_episodes(1, typed=False)
    sheet = by_types(Compared(episodes, predictions))
    assert [row[2:] for row in sheet.rows] == [(0, None, None, None)] * 2
    assert sheet.note == "The data has no entity types."


def test_predictions_without_errors_have_none_to_look_into(relation_episodes):
    right = [list(gold) for gold in relation_episodes.kind.references(relation_episodes.examples, relation_episodes)]
    found = analysis("fewrel", "all right", relation_episodes, right)
    sheets = {sheet.title: sheet for sheet in found.sheets}
    assert sheets["Precision errors by entity types"].rows == (
        ("predicted", 0, 0, None, None, None),
        ("passed over", 0, 0, None, None, None),
    )
    assert sheets["Confused pairs"].rows == ()
    assert sheets["Overlap of words of query and support"].column("queries")[1] == 0
    assert set(sheets["Scores of each class"].column("F1 (%)")) == {100.0}


def test_queries_without_any_right_class_are_no_error(relation_episodes):
    nothing = [["NOTA"] * len(episode.query) for episode in relation_episodes]
    found = analysis("fewrel", "none", relation_episodes, nothing)
    assert [sheet.title for sheet in found.sheets][:3] == [
        "Precision errors by entity types",
        "Recall by order of head and tail",
        "Overlap of words of query and support",
    ]


def test_predictions_of_other_episodes_are_refused(relation_episodes):
    with pytest.raises(ValueError, match="1 predicted episodes for a set of"):
        analysis("fewrel", "too few", relation_episodes, [[]])
