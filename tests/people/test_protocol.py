"""What the server says to the page, step by step."""

import json

import httpx
import pytest

from hf_fewshot.people.plan import Plan
from tests.running_study import running_study
from tests.small_study import label_of


def chosen(state):
    return {"label": label_of(state["item"]["parts"][0]["text"]), "marks": []}


def post(running, path, body, token="", **headers):
    return httpx.post(running.url + path, json=body, headers={"X-Annotator": token, **headers})


def test_the_study_says_what_it_is_before_anybody_joins(served):
    with served(title="Cards", annotators=1) as running:
        about = httpx.get(f"{running.url}/api/study").json()
        study = about.pop("study")
        assert about == {
            "title": "Cards",
            "task": "classification",
            "description": "Read each text and choose the label that fits it.",
            "shots": 2,
            "queries": 6,
            "episodes": 1,
            "may_join": True,
        }
        with running.annotator("anna"):
            again = httpx.get(f"{running.url}/api/study").json()
        assert (again["study"], again["may_join"]) == (study, False)


def test_an_annotator_learns_then_is_asked(served):
    with served() as running, running.annotator("anna") as anna:
        state = anna.state()
        assert (state["name"], state["number"], state["step"], state["next"]) == ("anna", 1, "start", "training")
        assert (state["item"], state["examples"], state["can_undo"]) == (None, [], False)
        assert state["progress"] == {
            **{"step_done": 0, "step_total": 2, "episode": 1, "episodes": 1, "done": 0, "total": 6}
        }
        state = anna.begin()
        assert (state["step"], state["next"]) == ("training", None)
        assert state["item"]["label"]["title"] == "Label"
        assert sorted(one["value"] for one in state["item"]["label"]["options"]) == ["late", "lost"]
        assert state["item"]["marks"] is None
        assert state["item"]["parts"][0]["words"][0][0] == 0
        right = chosen(state)
        wrong = {"label": {"lost": "late", "late": "lost"}[right["label"]], "marks": []}
        reply = anna.answer(state["item"]["id"], wrong)
        assert (reply["right"], reply["matches"]) == ({**right, "nowhere": []}, False)
        state = reply["state"]
        assert state["progress"]["step_done"] == 1
        assert [one["answer"] for one in state["examples"]] == [{**right, "nowhere": []}]
        reply = anna.answer(state["item"]["id"], chosen(state))
        assert reply["matches"] is True
        state = reply["state"]
        assert (state["step"], state["next"], len(state["examples"])) == ("start", "annotation", 2)
        state = anna.begin()
        reply = anna.answer(state["item"]["id"], chosen(state))
        assert (reply["right"], reply["matches"]) == (None, None)
        assert reply["state"]["progress"]["done"] == 1


def test_answers_to_queries_can_be_taken_back_and_those_of_the_training_cannot(served):
    with served() as running, running.annotator("anna") as anna:
        token = anna.client.headers["X-Annotator"]
        state = anna.begin()
        state = anna.answer(state["item"]["id"], chosen(state))["state"]
        assert state["can_undo"] is False
        refused = post(running, "/api/undo", {}, token)
        assert (refused.status_code, refused.json()["state"]) == (409, state)
        anna.answer(state["item"]["id"], chosen(state))
        first = anna.begin()
        assert first["can_undo"] is False
        state = anna.answer(first["item"]["id"], chosen(first), seconds=2.0)["state"]
        assert state["can_undo"] is True
        back = anna.undo()
        assert (back["item"], back["answer"], back["can_undo"]) == (first["item"], chosen(first), False)
        other = {"label": "late" if chosen(first)["label"] == "lost" else "lost", "marks": []}
        assert anna.answer(first["item"]["id"], other, seconds=3.0)["state"]["progress"]["done"] == 1
        (given,) = running.study.taken[1].annotator.of_step("annotation").values()
        assert (given.answer.label, given.seconds) == (other["label"], 5.0)


def test_the_last_answer_can_be_taken_back_when_all_is_done_and_the_record_goes_with_it(served, tmp_path):
    with served() as running, running.annotator("anna") as anna:
        folder = tmp_path / "study" / running.study.plan.run(1).name
        predictions = [[label_of(row["text"]) for row in queries(running)]]
        anna.answer_all(predictions)
        state = anna.state()
        assert (state["step"], state["can_undo"]) == ("done", True)
        state = anna.undo()
        assert (state["step"], state["progress"]["done"]) == ("annotation", 5)
    assert not folder.exists()
    with served() as running:
        taken = running.study.taken[1]
        taken.answer(taken.annotator.question, next(iter(taken.annotator.given.values())).answer, 1.0)
        assert taken.annotator.is_done


def queries(running):
    (episode,) = running.study.questions.episodes
    return [running.study.questions.episodes.plain_examples[row] for row in episode.query]


def test_the_same_answer_again_gets_the_same_reply_and_another_one_does_not_count(served):
    with served() as running, running.annotator("anna") as anna:
        token = anna.client.headers["X-Annotator"]
        first = anna.begin()
        reply = anna.answer(first["item"]["id"], chosen(first))
        assert anna.answer(first["item"]["id"], chosen(first)) == reply
        other = {"label": "late" if chosen(first)["label"] == "lost" else "lost", "marks": []}
        body = {"item": first["item"]["id"], "answer": other, "seconds": 1}
        refused = post(running, "/api/answers", body, token)
        assert refused.status_code == 409
        assert refused.json()["error"]["expected"] == "an answer to what is asked"
        assert refused.json()["state"] == reply["state"]
        (given,) = running.study.taken[1].annotator.given.values()
        assert (given.answer.label, given.seconds) == (chosen(first)["label"], 1.0)


def test_a_step_is_begun_once(served):
    with served() as running, running.annotator("anna") as anna:
        state = anna.begin()
        refused = post(running, "/api/begin", {}, anna.client.headers["X-Annotator"])
        assert (refused.status_code, refused.json()["state"]) == (409, state)


def test_with_the_description_alone_no_example_is_shown(served):
    with served(zero_shots=True) as running, running.annotator("anna") as anna:
        assert httpx.get(f"{running.url}/api/study").json()["shots"] == 0
        assert anna.state()["next"] == "annotation"
        state = anna.begin()
        assert (state["step"], state["examples"]) == ("annotation", [])


@pytest.mark.parametrize(
    ("body", "status", "expected", "got"),
    [
        ({"answer": {"label": "lost"}, "seconds": 1}, 422, "item: Field required", "nothing"),
        ({"item": "?", "answer": {"label": "lost"}, "seconds": -1}, 422, "seconds: Input should be greater", "-1"),
        ({"item": "?", "answer": {"label": "lost"}, "seconds": "1"}, 422, "seconds: Input should be a valid", "'1'"),
        ({"item": "?", "answer": {"label": "lost", "x": 1}, "seconds": 1}, 422, "answer.x: Extra inputs", "1"),
        (
            {"item": "?", "answer": {"label": "lost"}, "seconds": 1},
            409,
            "an answer to what is asked",
            "one to another",
        ),
        (
            {"item": None, "answer": {"label": "gone"}, "seconds": 1},
            422,
            "an answer that fits",
            "the label 'gone'",
        ),
        ({"item": None, "answer": {"label": None}, "seconds": 1}, 422, "an answer that fits", "the label None"),
        ({"item": "?" * 300_000, "answer": {}, "seconds": 1}, 413, "at most 262,144 bytes", "300,"),
    ],
)
def test_what_is_no_answer_is_refused_and_changes_nothing(served, body, status, expected, got):
    with served() as running, running.annotator("anna") as anna:
        state = anna.begin()
        if "item" in body and body["item"] is None:
            body = {**body, "item": state["item"]["id"]}
        refused = post(running, "/api/answers", body, anna.client.headers["X-Annotator"])
        error = refused.json()["error"]
        assert refused.status_code == status
        assert error["expected"].startswith(expected)
        assert error["got"].startswith(got)
        assert error["remedy"]
        assert anna.state() == state


@pytest.mark.parametrize("name", ["", "  ", "a" * 41, "a\u202eb", "a\nb\x00", "\ud83d"])
def test_what_is_no_name_is_refused(served, name):
    with served() as running:
        body = b'{"name": "\\ud83d"}' if name == "\ud83d" else None
        kind = {"Content-Type": "application/json"}
        if body:
            refused = httpx.post(f"{running.url}/api/annotators", content=body, headers=kind)
        else:
            refused = post(running, "/api/annotators", {"name": name})
        assert refused.status_code == 422
        assert running.study.taken == {}


def test_a_name_is_taken_once_in_whatever_case_and_places_are_counted(served):
    with served(annotators=2) as running, running.annotator("Anna"):
        taken = post(running, "/api/annotators", {"name": " anna "})
        assert (taken.status_code, taken.json()["error"]["got"]) == (409, "' anna '")
        with running.annotator("ben 李"):
            full = post(running, "/api/annotators", {"name": "cleo"})
        assert (full.status_code, full.json()["error"]["got"]) == (403, "All 2 places of the study are taken.")


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/state"), ("POST", "/api/begin"), ("POST", "/api/undo")])
def test_who_is_no_annotator_is_refused(served, method, path):
    with served() as running, running.annotator("anna"):
        for headers in ({}, {"X-Annotator": ""}, {"X-Annotator": "1"}):
            body = {"json": {}} if method == "POST" else {}
            refused = httpx.request(method, running.url + path, headers=headers, **body)
            assert (refused.status_code, refused.json()["error"]["expected"][:22]) == (401, "the token of an annota")


def test_names_given_before_have_links_and_nobody_else_joins(served):
    with served(annotators=2, names=("anna", "ben")) as running:
        assert [taken.annotator.name for taken in running.study.taken.values()] == ["anna", "ben"]
        tokens = [running.study.token(number) for number in (1, 2)]
        assert len({*tokens}) == 2
        assert httpx.get(f"{running.url}/api/study").json()["may_join"] is False
        for token, name in zip(tokens, ("anna", "ben"), strict=True):
            state = httpx.get(f"{running.url}/api/state", headers={"X-Annotator": token}).json()
            assert state["name"] == name
    with served(annotators=2, names=("anna", "ben")) as running:
        assert [running.study.token(number) for number in (1, 2)] == tokens


def test_what_hides_or_moves_text_is_seen(served, tmp_path):
    with served(description="Hello\u202e <b>you</b> {labels}") as running:
        about = httpx.get(f"{running.url}/api/study").json()
    assert about["description"] == "Hello\\u202e <b>you</b> {labels}"


def test_what_is_right_but_stands_nowhere_is_said_in_words(tmp_path):
    """Published data has such examples: an apostrophe of the text is lost in the answer."""
    folder = tmp_path / "JSON" / "CLUES-JSON" / "WikiANN_EN"
    folder.mkdir(parents=True)
    row = {"id": "1", "context": "Queen 's Park .", "question": "Which places?", "answer": ["Queen s Park", "Park"]}
    for name in ("train_10_1", "test"):
        (folder / f"wikiann_{name}.jsonl").write_text(json.dumps({**row, "id": name}) + "\n")
    plan = Plan("clues", "wikiann", {"shots": 10}, annotators=1)
    with (
        running_study(tmp_path / "study", plan, source={"data_dir": str(tmp_path)}) as running,
        running.annotator("anna") as anna,
    ):
        item = anna.begin()["item"]["id"]
        mark = {"part": 0, "start": 9, "end": 13, "label": None}
        reply = anna.answer(item, {"label": None, "marks": [mark]})
        assert reply["right"] == {"label": None, "marks": [mark], "nowhere": ["Queen s Park"]}
        assert reply["matches"] is False
        assert anna.begin()["examples"][0]["answer"]["nowhere"] == ["Queen s Park"]
