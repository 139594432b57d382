"""A person at the page of a study: reads, marks, chooses, sends; by mouse, by keyboard, or by touch."""

from collections.abc import Callable
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.people.browser.studies import Right

PATIENCE = 20  # seconds
# Where a word is now, in the middle of the window.
WORD = """
const word = document.querySelectorAll('.markable')[arguments[0]].querySelector(`[data-word="${arguments[1]}"]`);
word.scrollIntoView({block: 'center'});
const box = word.getClientRects()[0];
return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
"""
# The words of a text as they are seen, each with the text before it.
WORDS = (
    "return [...document.querySelectorAll('.markable')[arguments[0]].querySelectorAll('.word')]"
    ".map(word => word.textContent)"
)


class Person:
    """Works by mouse."""

    def __init__(self, page: Any, url: str) -> None:
        self.page = page
        self.url = url

    def join(self, name: str) -> None:
        """Opens the page and gives a name."""
        self.page.get(self.url)
        self.wait(lambda: self.find("#name"))[0].send_keys(name)
        self.press("Join", ".begin")

    def press(self, words: str, then: str) -> None:
        """Presses a button and waits for what it leads to."""
        self.button(words).click()
        self.wait(lambda: self.find(then))

    def button(self, words: str) -> WebElement:
        """The button with these words."""
        (button,) = [one for one in self.find("button") if one.is_displayed() and one.text.startswith(words)]
        return button

    def find(self, selector: str) -> list[WebElement]:
        """The elements that a selector finds."""
        return self.page.find_elements("css selector", selector)

    def shown(self, selector: str) -> list[str]:
        """The texts of the visible elements that a selector finds."""
        return [one.text for one in self.find(selector) if one.is_displayed()]

    def wait(self, condition: Callable[[], Any]) -> Any:
        """Waits for something; an element that has just gone is not there yet."""
        waiting = WebDriverWait(self.page, PATIENCE, 0.02, ignored_exceptions=[StaleElementReferenceException])
        return waiting.until(lambda _: condition())

    @property
    def asked(self) -> str:
        """The text of the question, or of the only part."""
        parts = self.page.execute_script(
            "return [...document.querySelectorAll('.question .part .text')].map(one => {"
            " const copy = one.cloneNode(true); copy.querySelectorAll('.tag').forEach(tag => tag.remove());"
            " return copy.textContent })"
        )
        return parts[0]

    def place(self, text: str) -> tuple[int, int, int]:
        """The part, the first and the last word of a text."""
        for part in range(len(self.find(".markable"))):
            words = self.page.execute_script(WORDS, part)
            for first in range(len(words)):
                for last in range(first, min(first + 6, len(words))):
                    found = words[first : last + 1]
                    if text in ("".join(found), " ".join(found)):
                        return part, first, last
        raise AssertionError(f"{text} is nowhere")

    def answer(self, right: Right) -> None:
        """Fills the form."""
        label, marks = right
        for text, kind in marks:
            self.mark(*self.place(text), kind)
        if self.find(".tools") and not marks:
            self.find("#nothing")[0].click()
        if label is not None:
            self.choose(label)

    def mark(self, part: int, first: int, last: int, kind: str | None) -> None:
        """Drags from word to word, and presses the type."""
        drag = ActionChains(self.page, duration=0)
        drag.w3c_actions.pointer_action.move_to_location(*self.page.execute_script(WORD, part, first))
        drag.w3c_actions.pointer_action.pointer_down()
        drag.perform()
        drop = ActionChains(self.page, duration=0)
        drop.w3c_actions.pointer_action.move_to_location(*self._seen(part, last))
        drop.w3c_actions.pointer_action.pointer_up()
        drop.perform()
        if kind is not None:
            next(one for one in self.find(".type") if one.text.endswith(kind)).click()

    def _seen(self, part: int, word: int) -> list[int]:
        return self.page.execute_script(WORD.replace("word.scrollIntoView({block: 'center'});", ""), part, word)

    def choose(self, label: str) -> None:
        """Presses an option."""
        next(one for one in self.find(".option") if one.find_element("css selector", ".name").text == label).click()

    def send(self) -> None:
        """Sends the answer, and waits for what comes."""
        (form,) = self.find("form.question")
        self.press_send()
        self.wait(lambda: self._is_gone(form))

    def press_send(self) -> None:
        """Presses the button."""
        self.button("Answer").click()

    def go_on(self) -> None:
        """From the right answer to the next question or page."""
        (shown,) = self.find(".feedback")
        self.press_continue()
        self.wait(lambda: self._is_gone(shown))

    def press_continue(self) -> None:
        """Presses the button."""
        self.button("Continue").click()

    @staticmethod
    def _is_gone(element: WebElement) -> bool:
        try:
            return not element.is_enabled()
        except StaleElementReferenceException:
            return True

    def begin(self) -> None:
        """Begins the step."""
        self.press("Begin", "form.question")

    def work(self, right: dict[str, Right]) -> None:
        """Answers the rest of a step rightly."""
        while self.find("form.question"):
            self.answer(right[self.asked])
            self.send()
            if self.find(".feedback"):
                assert self.shown(".verdict") == ["Right."]
                self.go_on()


class KeyboardPerson(Person):
    """Works by keys alone."""

    def keys(self, *keys: str) -> None:
        """Presses keys, wherever the keyboard is."""
        chain = ActionChains(self.page, duration=0)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def with_shift(self, *keys: str) -> None:
        """Presses keys while Shift is held."""
        ActionChains(self.page, duration=0).key_down(Keys.SHIFT).send_keys(*keys).key_up(Keys.SHIFT).perform()

    def join(self, name: str) -> None:
        self.page.get(self.url)
        self.wait(lambda: self.find("#name"))
        self.keys(name, Keys.ENTER)
        self.wait(lambda: self.find(".begin"))

    def begin(self) -> None:
        self.keys(Keys.ENTER)
        self.wait(lambda: self.find("form.question"))

    def answer(self, right: Right) -> None:
        label, marks = right
        for text, kind in marks:
            self.mark(*self.place(text), kind)
        if self.find(".tools") and not marks:
            self.keys("0")
        if label is not None:
            self.choose(label)

    def mark(self, part: int, first: int, last: int, kind: str | None) -> None:
        while self.page.switch_to.active_element != self.find(".markable")[part]:
            self.keys(Keys.TAB)
        self.keys(Keys.HOME, *[Keys.ARROW_RIGHT] * first)
        self.with_shift(*[Keys.ARROW_RIGHT] * (last - first))
        self.keys(
            Keys.ENTER if kind is None else str(1 + [one.split("\n")[-1] for one in self.shown(".type")].index(kind))
        )

    def choose(self, label: str) -> None:
        # In a text, digits mean types; the list of labels is a few tabs on.
        while self.find(".markable") and self.page.switch_to.active_element.get_attribute("name") != "label":
            self.keys(Keys.TAB)
        self.keys(str(1 + self.shown(".option .name").index(label)))

    def press_send(self) -> None:
        ActionChains(self.page).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()

    def press_continue(self) -> None:
        self.keys(Keys.ENTER)


class TouchPerson(Person):
    """Works with a finger: taps the first word, then the last."""

    def mark(self, part: int, first: int, last: int, kind: str | None) -> None:
        for word in dict.fromkeys((first, last)):
            self.tap(*self.page.execute_script(WORD, part, word))
        next(one for one in self.find(".type") if kind is None or one.text.endswith(kind)).click()

    def tap(self, x: int, y: int) -> None:
        """A finger goes down and up again."""
        points = [{"x": x, "y": y}]
        self.page.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        self.page.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
