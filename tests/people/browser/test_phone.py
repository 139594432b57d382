"""The page in a window of 400 pixels, by touch; and its colours."""

import pytest

from tests.people.browser import studies
from tests.people.browser.person import Person, TouchPerson

pytestmark = pytest.mark.browser

SIZE = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}


class PhonePerson(TouchPerson):
    """Looks whether all of a page is to be seen without moving it sideways."""

    def look(self):
        assert self.page.execute_script("return document.documentElement.scrollWidth") <= 400
        outside = (
            "return [...document.querySelectorAll('button, input, select, summary')]"
            ".filter(one => one.checkVisibility() && one.getBoundingClientRect().right > 400)"
            ".map(one => one.outerHTML)"
        )
        assert self.page.execute_script(outside) == []

    def begin(self):
        self.look()
        super().begin()

    def press_send(self):
        self.look()
        super().press_send()

    def press_continue(self):
        self.look()
        super().press_continue()


@pytest.fixture
def phone(page):
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield page
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("task", ["joint", "spans"])
def test_a_task_is_worked_through_on_a_phone(phone, serve, task):
    running = serve(getattr(studies, task))
    person = PhonePerson(phone, running.url)
    person.join("anna")
    person.begin()
    person.work(running.right)
    person.begin()
    person.work(running.right)
    assert person.shown("h1") == ["Thank you"]
    person.look()
    assert len(running.answers()) == len(running.right) - len(running.answers(step="training"))


def test_thirty_long_labels_fit_a_phone_and_are_found_by_letters(phone, serve):
    running = serve(studies.classification, labels=30)
    person = PhonePerson(phone, running.url)
    person.join("anna")
    person.begin()
    person.look()
    assert len(person.shown(".option .name")) == 30
    person.find(".filter")[0].send_keys("17")
    assert person.shown(".option .name") == ["class 17"]


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 26)")])
def test_the_page_has_our_colours_light_and_dark(page, serve, scheme, ground):
    running = serve(studies.tagging)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    person = Person(page, running.url)
    person.join("anna")
    person.begin()
    person.answer(running.right[person.asked])

    def colours(selector, name):
        script = "return [...document.querySelectorAll(arguments[0])].map(one => getComputedStyle(one)[arguments[1]])"
        return page.execute_script(script, selector, name)

    assert colours("body", "backgroundColor") == [ground]
    assert len({*colours(".part mark", "borderBottomColor")}) == 2
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
