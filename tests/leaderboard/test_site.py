"""The leaderboard as files: what stands on its pages, whose text it is, and what it refuses."""

import re
from dataclasses import replace

import pytest

from hf_fewshot.leaderboard import write_site
from hf_fewshot.leaderboard.entry import Entry, way_of_learning
from hf_fewshot.runs.run import Run


@pytest.fixture
def found(make_record):
    """Two systems at one shot, one of them at five shots too, and one of somebody else."""
    return [
        make_record("Alpha", 0.3),
        make_record("Beta", 0.6, options={"layers": 4}),
        make_record("Beta", 0.7, options={"layers": 4}, data={"n_way": 5, "shots": 5}),
        replace(make_record("Gamma", 0.62, fingerprint="other", training={}), origin="someone/gamma@1a2b3c4"),
    ]


def text(path):
    """What a page says, without its style and script."""
    page = re.sub(r"<(style|script)>.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_a_board_names_the_best_and_says_whether_that_is_certain(found, tmp_path):
    index = text(write_site(found, tmp_path / "site") / "index.html")
    assert (
        "Gamma [someone] has the highest score, 62.00. Beta (60.00) is 2.00 points behind: the two cannot be told"
        in index
    )
    assert "measured on different episodes or repeats" in index
    assert "3 systems, 4 records, 1 repository, the newest of 2026-02-03" in index


def test_a_system_has_a_page_with_its_scores_their_provenance_and_its_card(found, tmp_path):
    site = write_site(found, tmp_path / "site")
    assert len(list((site / "systems").iterdir())) == 3
    (page,) = (site / "systems").glob("few-nerd-beta-bert-base-uncased-*.html")
    said = text(page)
    assert "few_nerd/inter, 5-way 5-shot, test" in said
    assert "1 of 1 F1 70.00" in said
    assert "hf-fewshot run --benchmark few_nerd" in said
    assert "library_name: hf_fewshot" in said


def test_text_of_strangers_is_text(make_record, tmp_path):
    name = "<script>alert(1)</script>\x1b[31m"
    record = replace(make_record(name, model=name), command=name, origin=f"{name}/x@1")
    site = write_site([record], tmp_path / "site", [name])
    pages = [site / "index.html", *(site / "systems").iterdir()]
    assert len(pages) == 2
    for page in pages:
        content = page.read_text(encoding="utf-8")
        assert "<script>alert" not in content
        assert "\x1b" not in content
    assert re.fullmatch(r"[a-z0-9-]+\.html", pages[1].name)


def test_another_folder_is_not_replaced_and_a_leaderboard_is(found, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    with pytest.raises(ValueError, match="is there and is no leaderboard"):
        write_site(found, tmp_path / "mine")
    site = write_site(found, tmp_path / "site")
    write_site(found[:1], site)
    assert len(list((site / "systems").iterdir())) == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine", "site"]


def test_no_records_are_an_error(tmp_path):
    with pytest.raises(ValueError, match="Expected at least one record, got none"):
        write_site([], tmp_path / "site")


def test_a_trivial_answer_that_nobody_beats_is_named(make_record, tmp_path):
    record = make_record("Alpha", 0.3, baselines={"seen_words": 0.4})
    index = text(write_site([record], tmp_path / "site") / "index.html")
    assert "No system is ahead of the trivial answer “seen words”, which has 40.00." in index


@pytest.mark.parametrize(
    ("method", "options", "training", "way"),
    [
        ("proto", {}, None, "frozen"),
        ("proto", {}, {"max_steps": 5}, "trained"),
        ("joint_proto", {"tuning": {"steps": 3}}, {"max_steps": 5}, "tuned"),
        ("tuned", {}, None, "tuned"),
        ("span_finetuning", {}, {"num_train_epochs": 1}, "tuned"),
        ("prompt_tuning", {}, None, "frozen"),
        ("in_context", {}, None, "in context"),
        ("lm_tuning", {}, {"num_train_epochs": 1}, "tuned"),
        ("no_entity", {}, None, "trivial"),
        ("of_a_stranger", {}, {"max_steps": 5}, "trained"),
    ],
)
def test_how_a_system_learns(method, options, training, way):
    assert way_of_learning(Run("few_nerd", method, options=options, training=training)) == way


@pytest.mark.parametrize(
    ("parameters", "size"), [(22_713_216, "22.7M"), (134_515_008, "135M"), (1_500_000_000, "1.5B"), (None, "")]
)
def test_sizes_are_short(parameters, size):
    assert Entry(None, parameters=parameters).size == size


def test_who_is_best_is_said_of_the_scores_that_the_board_shows(make_record, tmp_path):
    # Median models: 0.5 and 0.4; means of all models: 0.4 and 0.5.
    scores = {"Alpha": (0.1, 0.5, 0.6), "Beta": (0.3, 0.4, 0.8)}
    found = [
        make_record(
            system,
            score + draw / (100 if system == "Alpha" else 50),
            benchmark="fs_tacred",
            config=None,
            task="relation",
            seed=seed,
            data={"n_way": 5, "shots": 1, "draw": draw},
            fingerprint=f"draw {draw}",
            training={"data": {}},
        )
        for system, three in scores.items()
        for seed, score in enumerate(three)
        for draw in (0, 1)
    ]
    index = text(write_site(found, tmp_path / "site") / "index.html")
    assert "Alpha, median of 3 models has the highest score, 50.50. Beta, median of 3 models (41.00) is" in index
    assert "paired on the same episodes" in index


def test_the_interval_of_a_stranger_is_made_again_from_the_units(make_record, tmp_path):
    narrow = replace(make_record("Alpha", 0.5), intervals={"f1": (0.499, 0.501)})
    assert "49.90 to 50.10" in text(write_site([narrow], tmp_path / "ours") / "index.html")
    theirs = replace(narrow, origin="someone/alpha@1a2b3c4")
    said = text(write_site([theirs], tmp_path / "theirs") / "index.html")
    assert "49.90 to 50.10" not in said
    assert "48.50 to 51.50" in said


def test_trivial_answers_are_those_of_our_own_records_where_there_are_some(make_record, tmp_path):
    ours = make_record("Alpha", 0.5, baselines={"seen_words": 0.4})
    theirs = replace(make_record("Beta", 0.6, baselines={"seen_words": 0.9}), origin="someone/beta@1a2b3c4")
    index = text(write_site([ours, theirs], tmp_path / "site") / "index.html")
    assert "No system is ahead of the trivial answer" not in index
    assert "seen words trivial 40.00" in index


def test_a_benchmark_that_is_not_known_here_has_a_board_and_no_card(make_record, tmp_path):
    theirs = replace(make_record("Beta", benchmark="of_theirs", config=None), origin="someone/beta@1a2b3c4")
    site = write_site([make_record("Alpha"), theirs], tmp_path / "site")
    assert "Beta [someone] has the highest score, 50.00." in text(site / "index.html")
    (page,) = (site / "systems").glob("of-theirs-*.html")
    assert "No card: the benchmark of_theirs is not known here." in text(page)


@pytest.mark.parametrize("value", [[1, 5], "all", True, None, {"a": 1}])
def test_odd_options_of_strangers_are_no_numbers_to_choose(value, make_record, tmp_path):
    odd = replace(make_record("Beta", data={"all_rows": value}, benchmark="clues"), origin="someone/beta@1a2b3c4")
    index = write_site([make_record("Alpha"), odd], tmp_path / "site") / "index.html"
    assert index.read_text(encoding="utf-8").count('name="shots"') == 1
