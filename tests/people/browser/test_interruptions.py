"""What comes between a person and the work: a reload, somebody else, a mistake, markup, a server that dies."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from selenium.webdriver.common.keys import Keys

from hf_fewshot.cli.main import main
from tests.people.browser import studies
from tests.people.browser.person import KeyboardPerson, Person
from tests.processes import free_port

pytestmark = pytest.mark.browser


def started(page, running, name="anna"):
    """Somebody before the first query."""
    person = KeyboardPerson(page, running.url)
    person.join(name)
    person.begin()
    person.work(running.right)
    return person


def test_a_reload_keeps_what_is_marked_and_what_is_learnt(page, serve):
    running = serve(studies.tagging)
    person = Person(page, running.url)
    person.join("anna")
    person.begin()
    asked = person.asked
    person.answer(running.right[asked])
    marked = person.shown(".chip")
    assert len(marked) == 2
    page.refresh()
    person.wait(lambda: person.find("form.question"))
    assert (person.asked, person.shown(".chip")) == (asked, marked)
    person.send()
    assert person.shown(".verdict") == ["Right."]
    page.refresh()
    person.wait(lambda: person.find(".feedback"))
    assert person.shown(".verdict") == ["Right."]
    person.go_on()
    assert person.shown("h1") == ["Now your answers count"]
    assert len(running.answers(step="training")) == 1


def test_an_answer_is_undone_and_given_anew_until_the_next_step(page, serve):
    running = serve(studies.relation)
    person = KeyboardPerson(page, running.url)
    person.join("anna")
    person.begin()
    person.choose("works at")
    person.send()
    person.go_on()
    assert person.shown(".undo") == []  # what was learnt stays
    person.work(running.right)
    person.begin()
    assert person.shown(".undo") == []
    first = person.asked
    wrong = next(one for one in person.shown(".option .name") if one != running.right[first][0])
    person.choose(wrong)
    person.send()
    second = person.asked
    page.switch_to.active_element.send_keys(Keys.CONTROL, "z")
    person.wait(lambda: person.asked == first)
    assert person.page.execute_script(
        "return document.querySelector('input[name=label]:checked').parentNode.innerText"
    )
    person.answer(running.right[first])
    person.send()
    assert person.asked == second
    person.work(running.right)
    given = [one["answer"]["label"] for one in running.answers()]
    assert (len(given), given[0] != given[1]) == (4, True)  # the wrong one stays in the log, and counts no more


def test_two_people_at_one_browser_stay_themselves(page, serve):
    running = serve(studies.classification)
    anna = started(page, running)
    anna.begin()
    first = page.current_window_handle
    page.switch_to.new_window("tab")
    ben = Person(page, running.url)
    page.get(running.url)
    ben.wait(lambda: ben.find("form.question"))  # it knows anna, until she is forgotten
    ben.find("#open-you")[0].click()
    ben.press("Forget me here", "#name")
    ben.join("ben")
    ben.begin()
    ben.work(running.right)
    second = page.current_window_handle
    try:
        page.switch_to.window(first)
        page.refresh()
        anna.wait(lambda: anna.find("form.question"))
        assert anna.shown("#open-you") == ["anna"]
        anna.choose("refund")
        anna.send()
        page.switch_to.window(second)
        ben.begin()
        ben.work(running.right)
        assert ben.shown("h1") == ["Thank you"]
        page.switch_to.window(first)
        anna.work({text: ("refund", []) for text in running.right})
        assert anna.shown("h1") == ["Thank you"]
    finally:
        page.switch_to.window(second)
        page.close()
        page.switch_to.window(first)
    assert [len(running.answers(number, "training")) for number in (1, 2)] == [3, 3]
    assert [one["answer"]["label"] for one in running.answers(1)] == ["refund"] * 3
    assert sorted(one["answer"]["label"] for one in running.answers(2)) == ["delivery", "lost card", "refund"]


def test_text_of_the_data_is_never_markup(page, serve):
    running = serve(studies.hostile)
    person = started(page, running)
    person.begin()
    person.work(running.right)
    assert person.shown("h1") == ["Thank you"]
    assert page.title == "own_texts, 1-shot"
    assert person.find("main img, main script") == []


@pytest.fixture
def command(tmp_path):
    """Starts `hf-fewshot annotate` on a port until it is killed."""
    started, port = [], free_port()

    def start(*words):
        process = subprocess.Popen(
            [sys.executable, "-m", "hf_fewshot.cli", "annotate", *words, "--port", str(port)],
            cwd=tmp_path,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        found = next(one for line in process.stdout if (one := re.match(r"Open (http://[\d.:]+/)", line)))
        return process, found[1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_from_the_first_click_to_the_report_through_a_killed_server(page, command, tmp_path, capsys):
    asked = studies.classification(tmp_path / "data")
    rows = ["--data", asked.source["data_dir"], "--task", "classification", "--shots", "1"]
    process, url = command("results/study", *rows, "--annotators", "1")
    person = KeyboardPerson(page, url)
    person.join("anna")
    person.begin()
    person.work(asked.right)
    person.begin()
    person.answer(asked.right[person.asked])
    process.send_signal(signal.SIGKILL)
    process.wait(20)
    person.press_send()
    person.wait(lambda: person.shown("#notice-words"))
    assert person.shown("#notice-words")[0].startswith("Your last answer is not saved yet. It is kept in this tab.")
    assert person.shown(".state") == ["Saving ..."]
    process, _ = command("results/study")
    (form,) = person.find("form.question")
    person.wait(lambda: person._is_gone(form))
    assert person.shown("#notice") == []
    person.work(asked.right)
    assert person.shown("h1") == ["Thank you"]
    assert {entry["message"].rpartition(" ")[2] for entry in page.get_log("browser")} == {
        "net::ERR_CONNECTION_REFUSED"
    }
    assert any(line == "1 of 1 annotators who joined are done, 1 records.\n" for line in process.stdout)
    log = tmp_path / "results" / "study" / "annotators" / "0001.jsonl"
    places = [
        one["place"] for line in log.read_text().splitlines() if (one := json.loads(line)).get("step") == "annotation"
    ]
    assert sorted(places) == [0, 1, 2]  # each once
    report = tmp_path / "report.html"
    run = ["run", *rows, "--method", "one_class", "--output", str(tmp_path / "results")]
    assert main(run) == 0
    assert main(["report", str(tmp_path / "results"), "--output", str(report)]) == 0
    page.get(report.as_uri())
    lines = [line for line in person.shown("table tr") if line.startswith(("People", "one_class"))]
    assert len(lines) >= 2
    assert "100.00" in next(line for line in lines if line.startswith("People"))
