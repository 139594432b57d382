"""Tagging, intents and slots, sets of answers, texts: literal predictions and their analyses."""

import pytest

from hf_fewshot.analyses.analysis import analysis
from hf_fewshot.episodes.episode import Episode
from hf_fewshot.episodes.split_episode import split_episode
from tests.small_episodes import episodes_of


def sheets_of(episodes, predictions):
    found = analysis("some", "title", episodes, predictions)
    return {sheet.title: sheet for sheet in found.sheets}, found.charts


def tagged(*tags):
    rows = [{"id": f"s{n}", "tokens": ["w"] * len(one.split()), "tags": one.split()} for n, one in enumerate(tags)]
    classes = tuple(sorted({tag for one in tags for tag in one.split()} - {"O"}))
    return episodes_of("tagging", rows, Episode(classes, (), tuple(range(len(rows)))))


def test_types_have_scores_and_coarse_types_their_mean():
    episodes = tagged("art-film O art-music", "art-film person-actor O", "O O O")
    predicted = [["art-film", "O", "art-film"], ["art-film", "person-actor", "O"], ["O", "O", "art-music"]]
    sheets, (chart,) = sheets_of(episodes, [predicted])
    # art-film: 2 of 3 predicted are right, 2 of 2 found; art-music: none of 1, none of 1; person-actor: all.
    assert sheets["Scores of each type"].rows == (
        ("art-film", pytest.approx(200 / 3), 100.0, pytest.approx(80.0), 3, 2),
        ("art-music", 0.0, 0.0, 0.0, 1, 1),
        ("mean of art", pytest.approx(100 / 3), 50.0, pytest.approx(40.0), None, None),
        ("person-actor", 100.0, 100.0, 100.0, 1, 1),
    )
    assert chart.sections == {
        "art": {"art-film": pytest.approx(80.0), "art-music": 0.0},
        "person": {"person-actor": 100.0},
    }
    assert sheets["Confused pairs"].rows == (("art-music", "art-film", 1, 100.0),)
    assert sheets["Confused pairs"].note == "Without <unparsed>, O."


def test_types_without_coarse_ones_stand_together():
    sheets, (chart,) = sheets_of(tagged("place O", "person place"), [[["place", "O"], ["person", "person"]]])
    assert list(chart.sections) == [""]
    assert sheets["Scores of each type"].column("type") == ["person", "place", "mean of all"]


def test_a_type_with_slashes_and_what_was_not_parsed():
    episodes = tagged("AI/ML-tool O")
    sheets, _ = sheets_of(episodes, [[["AI/ML-tool", "<unparsed>"]]])
    assert sheets["Scores of each type"].column("type") == ["AI/ML-tool"]


def test_entities_of_bio_data_are_its_chunks():
    rows = [{"id": "s", "tokens": ["w"] * 3, "tags": ["B-art-film", "B-art-film", "O"]}]
    episodes = episodes_of("tagging", rows, Episode(("art-film",), (), (0,)))
    # Types alone join what B- parts: one entity is predicted, and neither of two is found.
    for predicted, scores in ((["art-film", "art-film", "O"], (0.0, 1, 2)), (rows[0]["tags"], (100.0, 2, 2))):
        sheets, _ = sheets_of(episodes, [[predicted]])
        assert sheets["Scores of each type"].rows[0][3:] == scores


@pytest.fixture
def joint():
    rows = [
        {"id": f"j{n}", "domain": domain, "tokens": ["a", "b"], "intent": intent, "slot_tags": tags.split()}
        for n, (domain, intent, tags) in enumerate(
            [("x", "play", "B-song I-song"), ("x", "stop", "O O"), ("y", "play", "B-city O")]
        )
    ]
    classes = ("intent:play", "intent:stop", "slot:city", "slot:song")
    return episodes_of("joint", rows, Episode(classes, (), (0, 1), "x"), Episode(classes, (), (2,), "y"))


def test_intents_and_slots_have_scores_by_domain(joint):
    predictions = [
        [{"intent": "play", "slot_tags": ["B-song", "I-song"]}, {"intent": "play", "slot_tags": ["B-city", "O"]}],
        [{"intent": "play", "slot_tags": ["O", "O"]}],
    ]
    sheets, charts = sheets_of(joint, predictions)
    assert sheets["Scores of each intent"].rows == (
        ("x", "play", 50.0, 100.0, pytest.approx(200 / 3), 2, 1),
        ("x", "stop", 0.0, 0.0, 0.0, 0, 1),
        ("y", "play", 100.0, 100.0, 100.0, 1, 1),
    )
    assert sheets["Scores of each slot"].rows == (
        ("x", "city", 0.0, 0.0, 0.0, 1, 0),
        ("x", "song", 100.0, 100.0, 100.0, 1, 1),
        ("y", "city", 0.0, 0.0, 0.0, 0, 1),
    )
    assert sheets["Confused pairs"].rows == (("stop", "play", 1, 100.0),)
    assert [chart.title for chart in charts] == ["F1 of each intent", "F1 of each slot"]


def test_systems_for_slots_alone_have_no_intents(joint):
    predictions = [[{"slot_tags": ["O", "O"]}] * 2, [{"slot_tags": ["O", "O"]}]]
    sheets, _ = sheets_of(joint, predictions)
    assert list(sheets) == ["Scores of each slot"]


def test_s1_by_number_of_right_answers():
    gold = [[], [], ["a"], ["a", "b"], ["a", "b", "c", "d", "e"]]
    rows = [{"id": str(n), "context": ["a b"], "question": "?", "answers": one} for n, one in enumerate(gold)]
    episodes = split_episode("spans", rows[:1], rows)
    predictions = [[], ["a"], ["a"], ["a"], [""]]
    sheets, (chart,) = sheets_of(episodes, [predictions])
    # F1 of sets: 1 and 0 without answers, 1 of one, 2/3 of two, 0 of five, where a blank answer is none.
    assert sheets["S1 by number of right answers"].rows == (
        ("0", 2, 50.0, 50.0, 0.5),
        ("1", 1, 100.0, 0.0, 1.0),
        ("2", 1, pytest.approx(200 / 3), 0.0, 1.0),
        ("4 or more", 1, 0.0, 100.0, 0.0),
    )
    assert list(chart.sections[""]) == ["0 right", "1 right", "2 right", "4 or more right"]


def test_classes_of_texts(text_episodes):
    right = list(text_episodes.kind.references(text_episodes.examples, text_episodes))
    sheets, (chart,) = sheets_of(text_episodes, right)
    assert set(sheets["Scores of each class"].column("F1 (%)")) == {100.0}
    assert chart.measure == "F1 (%)"


@pytest.mark.parametrize(("n_answers", "is_shown"), [(3, True), (26, False)])
def test_answers_are_classes_where_they_are_few(n_answers, is_shown):
    """Of more than 25 there is no table of confusions: they are texts, not labels."""
    rows = [{"id": str(n), "context": ["c"], "question": "?", "answers": [f"a{n}"]} for n in range(n_answers)]
    episodes = split_episode("spans", rows[:1], rows)
    sheets, _ = sheets_of(episodes, [[["a0"]] * n_answers])
    assert ("Confused pairs" in sheets) == is_shown
