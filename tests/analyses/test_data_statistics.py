import numpy as np
import pytest
from datasets import load_dataset

import hf_fewshot
from hf_fewshot.analyses.beside import beside
from hf_fewshot.analyses.charts import RankChart
from hf_fewshot.analyses.class_counts import lengths, shares
from hf_fewshot.analyses.data_statistics import data_statistics
from hf_fewshot.analyses.episode_counts import episode_counts
from hf_fewshot.analyses.findings import Findings
from hf_fewshot.tasks import task_of
from hf_fewshot.tasks.tags import by_coarse_type, tag_spans

FEWREL = {"n_way": 3, "shots": 2, "n_query": 2, "nota_rate": 0.4, "n_episodes": 30, "sample": True}


def sheet(findings, title):
    (found,) = (one for one in findings.sheets if one.title == title)
    return found


def test_examples_are_counted_as_by_loops():
    found = sheet(data_statistics("few_nerd", "inter", {"sample": True}), "Examples")
    rows = load_dataset("few_nerd", "inter", sample=True)
    expected, together = [], []
    for split, table in rows.items():
        spans = [span for tags in table["tags"] for span in tag_spans(tags)]
        words = sum(len(tokens) for tokens in table["tokens"])
        expected.append((split, len(table), words, words / len(table), len({s[2] for s in spans}), len(spans)))
        together += spans
    assert list(found.rows[:-1]) == expected
    assert found.rows[-1][0] == "all"
    assert found.rows[-1][-2:] == (len({span[2] for span in together}), len(together))
    assert found.heads[-2:] == ("entity types", "entity mentions")


def test_labels_that_are_no_class_do_not_count():
    found = sheet(data_statistics("fs_tacred", None, {"sample": True}), "Examples")
    labels = load_dataset("fs_tacred", sample=True)["test"]["relation"][:]
    (row,) = (row for row in found.rows if row[0] == "test")
    assert row[4:] == (len(set(labels)) - 1, pytest.approx(100 * labels.count("no_relation") / len(labels)))
    assert found.heads[4:] == ("relations", "none of them (%)")


def test_episodes_are_counted_as_by_loops():
    episodes = hf_fewshot.load_episodes("fewrel", split="validation", **FEWREL)
    counts = episode_counts(episodes)
    rows = list(episodes.rows())
    answers = [m["relation"] if m["target"] < 3 else "NOTA" for row in rows for m in row["query"]]
    assert (counts.n_episodes, counts.n_support, counts.n_query) == (30, 180, len(answers))
    assert counts.per_support == {"relation": 2.0}
    assert counts.queries == {name: answers.count(name) for name in set(answers)}
    assert counts.nota_share == pytest.approx(100 * answers.count("NOTA") / len(answers))
    relations = sorted((answers.count(name) for name in set(answers) - {"NOTA"}), reverse=True)
    assert counts.query_shares == pytest.approx([100 * count / len(answers) for count in relations])


def test_classes_of_support_sets_are_counted_as_by_loops():
    episodes = hf_fewshot.load_episodes("fewjoint", split="test", shots=3, sample=True)
    intents, slots = [], []
    for row in episodes.rows():
        names = [utterance["intent"] for utterance in row["support"]]
        spans = [span[2] for utterance in row["support"] for span in tag_spans(utterance["slot_tags"])]
        intents += [names.count(name) for name in set(names)]
        slots += [spans.count(name) for name in set(spans)]
    found = episode_counts(episodes).per_support
    assert found == pytest.approx({"intent": np.mean(intents), "slot": np.mean(slots)})


def test_words_of_questions_are_counted_without_what_stands_between_them():
    rows = load_dataset("clues", "mnli", sample=True)["test"]
    expected = [len(row["question"].split()) + sum(len(one.split()) for one in row["context"]) for row in rows]
    assert lengths(task_of("spans"), rows).tolist() == expected


def test_shares_fall_and_leave_out_what_does_not_occur():
    assert shares({"a": 1, "b": 3, "c": 0}) == (75.0, 25.0)
    assert shares({}) == ()


def test_coarse_types_are_those_before_the_hyphen():
    assert by_coarse_type(["b-x", "a-y", "b-a"]) == {"a": ["a-y"], "b": ["b-a", "b-x"]}
    assert by_coarse_type(["place", "org"]) == {"": ["org", "place"]}
    assert by_coarse_type([]) == {}


def test_all_configurations_are_shown_where_there_is_no_default():
    found = data_statistics("few_nerd", None, {"sample": True})
    assert set(sheet(found, "Examples").column("configuration")) == {"inter", "intra", "supervised"}
    assert found.title == "few_nerd, sample data"


def test_without_any_data_the_error_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="few_nerd"):
        data_statistics("few_nerd", None, {}, data_dir=str(tmp_path))


def ranked(benchmark, title, **series):
    return Findings(benchmark, title, (), (RankChart("How frequent", "share of queries (%)", series),))


def test_frequencies_of_other_data_are_drawn_beside():
    one, other = ranked("a", "a, n_way=5", test=(2.0, 1.0)), ranked("b", "b, n_way=5", dev=(3.0,))
    (chart,) = beside(one, [other]).charts
    assert chart.series == {"a, test": (2.0, 1.0), "b, dev": (3.0,)}
    (chart,) = beside(one, [ranked("a", "a, n_way=10", test=(4.0,))]).charts
    assert list(chart.series) == ["a, n_way=5, test", "a, n_way=10, test"]
    assert beside(one, []) == one


def test_other_data_without_such_frequencies_is_refused():
    with pytest.raises(ValueError, match="b, n_way=5 has no frequencies to draw beside those of a, n_way=5"):
        beside(ranked("a", "a, n_way=5", test=(2.0,)), [Findings("b", "b, n_way=5", (), ())])


@pytest.mark.shared_data
def test_few_tk_has_the_counts_of_its_files(shared_data):
    """Sentences, tokens and entities, counted in the files line by line."""
    found = data_statistics("few_nerd", None, {}, data_dir=str(shared_data / "Few_TK"))
    expected = []
    for split, name in (("train", "train"), ("validation", "dev"), ("test", "test")):
        text = (shared_data / "Few_TK" / "data" / "inter" / f"{name}.txt").read_text(encoding="utf-8")
        sentences = [[line.split("\t")[1] for line in part.split("\n")] for part in text.strip().split("\n\n")]
        runs = [
            t for tags in sentences for t, before in zip(tags, ["O", *tags], strict=False) if t not in ("O", before)
        ]
        expected.append((split, len(sentences), sum(map(len, sentences)), len(set(runs)), len(runs)))
    rows = sheet(found, "Examples").rows
    assert [(*row[:3], *row[4:]) for row in rows[:-1]] == expected
    assert [row[1] for row in expected] == [2507, 2053, 1121]


@pytest.mark.shared_data
def test_fewrel_has_the_published_relations_and_instances(shared_data):
    for domain, n_relations, size in (("wiki", 16, 700), ("nyt", 25, 100)):
        found = data_statistics("fewrel", None, {"domain": domain}, data_dir=str(shared_data / "FewRel"))
        (row,) = sheet(found, "Examples").rows
        assert (row[0], row[1], row[4]) == ("validation", n_relations * size, n_relations)
        # Every relation is as frequent as the others.
        assert found.charts[0].series["validation"] == pytest.approx((100 / n_relations,) * n_relations)
