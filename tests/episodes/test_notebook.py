import pytest

from hf_fewshot.episodes.episode import Episode
from hf_fewshot.text.look import MARKS
from tests.small_episodes import episodes_of


def test_spans_are_marked_in_the_colour_of_their_class():
    rows = [
        {"id": "a", "tokens": ["anna", "lives", "in", "new", "york"], "tags": ["person", "O", "O", "place", "place"]},
        {"id": "b", "tokens": ["in", "bern"], "tags": ["O", "place"]},
    ]
    shown = episodes_of("tagging", rows, Episode(("person", "place"), (0,), (1,)))._repr_html_()
    assert (
        '<li><mark class="c1">anna<span class="tag">person</span></mark> lives in '
        '<mark class="c2">new york<span class="tag">place</span></mark></li>'
    ) in shown
    assert '<span class="class c1">person</span> <span class="class c2">place</span>' in shown
    assert MARKS.read_text(encoding="utf-8") in shown  # the look of reports
    assert ":root" not in shown  # and of nothing else on the page


@pytest.mark.parametrize("name", ["relation_episodes", "tagging_episodes", "text_episodes", "joint_episodes"])
def test_episodes_of_every_task_can_be_shown(name, request):
    episodes = request.getfixturevalue(name)
    shown = episodes._repr_html_()
    assert shown.count("<details") == min(3, len(episodes))
    assert shown.count("<li>") == sum(
        min(8, len(part)) for episode in episodes[:3] for part in (episode.support, episode.query)
    )


def test_text_of_strangers_is_text():
    row = {"id": "a", "tokens": ["<script>x</script>", "\x1b[2J"], "tags": ["<b>", "O"]}
    shown = episodes_of("tagging", [row], Episode(("<b>",), (0,), (0,), "<i>"))._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;x&lt;/script&gt;" in shown
    assert '<span class="tag">&lt;b&gt;</span>' in shown
    assert "Episode 0, &lt;i&gt;" in shown
    assert "\\x1b[2J" in shown
    assert "\x1b" not in shown


def test_of_many_the_first_are_shown():
    rows = [{"id": str(number), "text": f"text {number}", "label": "a"} for number in range(12)]
    episode = Episode(("a",), tuple(range(12)), (0,))
    shown = episodes_of("classification", rows, *[episode] * 1200)._repr_html_()
    assert '<li class="note">and 4 more</li>' in shown
    assert '<p class="note">and 1,197 more</p>' in shown
    assert "text 7" in shown
    assert "text 8" not in shown
