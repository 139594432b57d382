"""Which demonstrations a query is shown."""

import pytest
import torch
from accelerate import Accelerator
from transformers import AutoModel, AutoTokenizer

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.in_context.demonstrations import Choice, Demonstrations, balanced
from hf_fewshot.in_context.prompt_format import load_format
from hf_fewshot.in_context.tasks import TaskPrompts
from tests.small_episodes import TAGGED, episodes_of

TEXTS = [
    ("anna lives in paris", "home"),
    ("paul lives in rome", "home"),
    ("tom works", "job"),
    ("mia works at acme corp", "job"),
    ("anna was born in rome", "birth"),
    ("mia was born", "birth"),
    ("mia works at acme corp", "job"),
]
ROWS = [{"id": str(number), "text": text, "label": label} for number, (text, label) in enumerate(TEXTS)]
SUPPORT = (0, 1, 2, 3, 4, 5)
LABELS = [row["label"] for row in ROWS[:6]]
EPISODES = episodes_of("classification", ROWS, *[Episode(("home", "job", "birth"), SUPPORT, (6,))] * 3)


def chosen(*choice, rows=ROWS, episodes=EPISODES, support=SUPPORT, labels=LABELS, query=6, episode=0, **options):
    demonstrations = Demonstrations(Choice(*choice, **options), episodes, rows)
    demonstrations.prepare(Accelerator())
    return demonstrations.chosen(episode, support, labels, query)


def test_all_are_shown_as_they_stand():
    assert chosen() == [0, 1, 2, 3, 4, 5]
    assert Choice().is_shared


def test_random_ones_are_drawn_once_for_an_episode_and_stand_as_they_were():
    draws = [chosen("random", 3, seed=seed, episode=episode) for seed in (0, 1) for episode in (0, 1, 2)]
    assert draws == [chosen("random", 3, seed=seed, episode=episode) for seed in (0, 1) for episode in (0, 1, 2)]
    assert len({tuple(draw) for draw in draws}) > 2
    for draw in draws:
        assert draw == sorted(draw)
        assert {LABELS[place] for place in draw} == {"home", "job", "birth"}
    assert Choice("random", 3).is_shared


def test_those_that_share_rare_words_are_chosen_and_the_nearest_stands_last():
    # "mia works at acme corp": 3 has all of it; 5 and 2 one word each; of the class "home" none has any.
    assert chosen("bm25", 1) == [3]
    assert chosen("bm25", 3) == [0, 5, 3]
    assert chosen("bm25", 4) == [0, 5, 2, 3]
    assert chosen("bm25", 10) == [4, 1, 0, 5, 2, 3]
    # Places, not rows: in another order of the support set they are other places.
    assert chosen("bm25", 3, support=(3, 5, 0), labels=["job", "birth", "home"]) == [2, 1, 0]
    assert not Choice("bm25", 1).is_shared


def test_those_nearest_to_an_encoder_are_chosen(encoder):
    places = chosen("nearest", 3, str(encoder))
    assert places[-1] == 3  # the same text
    assert {LABELS[place] for place in places} == {"home", "job", "birth"}
    # Everything, in the order of cosines of mean vectors by transformers alone.
    model, tokenizer = AutoModel.from_pretrained(encoder).eval(), AutoTokenizer.from_pretrained(encoder)
    with torch.inference_mode():
        means = [model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0) for text, _ in TEXTS]
    cosines = [float(torch.cosine_similarity(mean, means[6], dim=0)) for mean in means[:6]]
    assert chosen("nearest", 6, str(encoder)) == sorted(SUPPORT, key=cosines.__getitem__)
    assert not Choice("nearest", 3, "some-encoder").is_shared


def test_examples_without_labels_are_chosen_by_nearness_alone():
    episodes = episodes_of("tagging", TAGGED, Episode(("person",), (0, 1, 2), (3,)))
    options = {"rows": TAGGED, "episodes": episodes, "support": (0, 1, 2), "labels": ["", "", ""], "query": 3}
    nearest = chosen("bm25", 3, **options)
    assert chosen("bm25", 2, **options) == nearest[1:]


@pytest.mark.parametrize(
    ("n", "places"), [(1, [5]), (2, [5, 2]), (3, [5, 2, 1]), (4, [5, 4, 2, 1]), (5, [5, 4, 2, 1, 0])]
)
def test_labels_take_turns(n, places):
    assert balanced([5, 4, 3, 2, 1, 0], ["a", "a", "b", "c", "c", "c"], n) == places


def test_prompts_show_only_what_was_chosen():
    task = TaskPrompts(load_format("classification"), EPISODES[0], [ROWS[row] for row in SUPPORT])
    shown = task.prompts_with([5, 0])
    assert [one.label for one in shown.demonstrations] == ["birth", "home"]
    # All labels can still be answers.
    assert shown.instruction == "Choose the label of each text from: home, job, birth."


def test_what_a_choice_depends_on(encoder):
    describe = {
        kind: Demonstrations(Choice(*kind), EPISODES, ROWS).describe()
        for kind in [("all",), ("random", 3), ("bm25", 3), ("nearest", 3, str(encoder))]
    }
    assert describe["all",] == {"demonstrations": "all", "n_demonstrations": None}
    assert describe["random", 3] == {"demonstrations": "random", "n_demonstrations": 3, "seed": 0}
    assert describe["bm25", 3] == {"demonstrations": "bm25", "n_demonstrations": 3}
    assert len(describe["nearest", 3, str(encoder)]["encoder"]) == 64


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"demonstrations": "closest"}, "Unknown choice of demonstrations 'closest'"),
        ({"demonstrations": "bm25"}, "demonstrations='bm25', but n_demonstrations=None. Give both or neither"),
        ({"n_demonstrations": 3}, "demonstrations='all', but n_demonstrations=3"),
        (
            {"demonstrations": "random", "n_demonstrations": 0},
            "n_demonstrations must be a whole number of at least 1, but is 0",
        ),
        ({"demonstrations": "nearest", "n_demonstrations": 3}, "needs an encoder. Give one, such as all-MiniLM-L6-v2"),
        (
            {"demonstrations": "bm25", "n_demonstrations": 3, "encoder": "bert"},
            "encoder='bert' is of demonstrations='nearest', but they are 'bm25'",
        ),
        (
            {"demonstrations": "random", "n_demonstrations": 3, "seed": -1},
            "seed must be a whole number of at least 0, but is -1",
        ),
    ],
)
def test_choices_that_make_no_sense_are_errors(options, message):
    with pytest.raises(ValueError, match=message):
        Choice(**options)
