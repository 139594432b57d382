"""The page in headless Chromium, as a person would use it, with a tiny model."""

import json
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.demo.served import served

pytestmark = pytest.mark.browser

HOSTILE = "<script>window.hit=1</script><img src=x onerror=window.hit=2>${window.hit=3}{{value}}{{#each value}}"
TEXTS = "# home\nanna lives in paris\ntom lives in rome\n# job\nmia works at acme\npaul works at the bank"
WORDS = "[anna](person) lives in [paris](place)\n[tom](person) is in [rome](place)\nmia works"
SPOKEN = "# home\n[anna](person) in [paris](place)\n# job\n[tom](person) at [acme](org)"
PAIRS = "# job\n[mia](head) works at [acme](tail)\n# home\n[tom](head) lives in [rome](tail)"


@pytest.fixture(scope="module")
def address(bert, project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    with served(bert, project, folder) as (url, _):
        yield url
    log = (folder / "log").read_text()
    assert "Traceback" not in log, log


class Visitor:
    """One who looks at the page, types and clicks."""

    def __init__(self, driver):
        self.driver = driver

    def all(self, selector):
        """The elements that are in sight."""
        return [one for one in self.driver.find_elements("css selector", selector) if one.is_displayed()]

    def text(self, selector):
        """The text in sight; nothing while it is being exchanged."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].filter((one) => one.offsetParent)"
            ".map((one) => one.innerText).join('\\n')",
            selector,
        )

    def until(self, condition, seconds=30):
        return WebDriverWait(self.driver, seconds).until(lambda _: condition())

    def sees(self, words, selector=".answer"):
        """Waits for words."""
        self.until(lambda: words in self.text(selector))

    def open(self, tab):
        (button,) = [one for one in self.all("[role=tab]") if one.text == tab]
        button.click()
        self.until(lambda: self.text(".answer"))

    def write(self, selector, text):
        """Replaces what stands in a field, as a paste does; the last key is a real one."""
        (area,) = self.all(f"{selector} textarea")
        area.send_keys(Keys.CONTROL, "a")
        if text.count("\n"):
            self.driver.execute_script("arguments[0].value = arguments[1]", area, text[:-1])
            area.send_keys(Keys.CONTROL, Keys.END)
        else:
            area.send_keys(Keys.DELETE, text[:-1])
        area.send_keys(text[-1])

    def value(self, selector):
        (area,) = self.all(f"{selector} textarea")
        return area.get_attribute("value")

    def button(self, words):
        (found,) = [one for one in self.all("button") if one.text.partition("\n")[0] == words]
        return found

    def others(self):
        """Opens where other examples come from."""
        self.button("Other examples").click()
        self.until(lambda: self.all(".pasted-box textarea"))


@pytest.fixture
def page(chromium, address):
    """The page when it has just been opened; at the end, nobody but it was asked and nothing went wrong."""
    chromium.get("about:blank")
    chromium.get_log("browser")
    chromium.get_log("performance")
    chromium.get(address)
    visitor = Visitor(chromium)
    visitor.until(lambda: visitor.text(".answer"), 60)
    yield visitor
    asked = [json.loads(entry["message"])["message"] for entry in chromium.get_log("performance")]
    urls = [one["params"]["request"]["url"] for one in asked if one["method"] == "Network.requestWillBeSent"]
    hosts = {urlsplit(url).hostname for url in urls if urlsplit(url).scheme not in ("data", "about", "blob")}
    assert hosts == {"127.0.0.1"}
    assert [entry["message"] for entry in chromium.get_log("browser")] == []


def test_an_answer_with_its_reasons_is_there_when_the_page_opens(page):
    assert page.value(".sentence-box") == "Somebody took my card on the bus"
    assert len(page.all(".answer .bars li")) == 3
    assert len(page.all(".answer .nearest li")) == 3
    assert "9 examples:" in page.text(".summary")
    assert [one.text for one in page.all("[role=tab]")] == ["Texts", "Entities", "Intents", "Relations"]


def test_a_click_on_a_sentence_asks_it(page):
    page.button("Has the letter with my card been sent?").click()
    page.until(lambda: page.value(".sentence-box") == "Has the letter with my card been sent?")


@pytest.mark.parametrize(
    ("tab", "sheet", "sentence", "said"),
    [
        ("Texts", TEXTS, "tom lives in rome", "home"),
        ("Entities", WORDS, "anna lives in paris", "annaperson lives in parisplace"),
        ("Intents", SPOKEN, "tom at acme", "tomperson at acmeorg job"),
        ("Relations", PAIRS, "[tom](head) lives in [rome](tail)", "tomhead lives in rometail home"),
    ],
)
def test_own_examples_and_a_sentence_give_an_answer_in_every_task(page, tab, sheet, sentence, said):
    page.open(tab)
    page.write(".sheet-box", sheet)
    page.write(".sentence-box", sentence)
    page.until(lambda: said in " ".join(page.text(".answer").split()))
    assert page.all(".answer .nearest li")


def test_changed_examples_change_the_answer_and_it_says_what_it_was(page):
    page.write(".sheet-box", TEXTS)
    page.write(".sentence-box", "tom lives in rome")
    page.until(lambda: page.text(".answer .said").startswith("home"))
    page.write(".sheet-box", TEXTS.replace("# home", "# other").replace("# job", "# home").replace("# other", "# job"))
    page.until(lambda: page.text(".answer .said").startswith("job"))
    assert "Before you changed the examples: home." in page.text(".answer")
    assert any(one.text.startswith("+") for one in page.all(".answer .change"))


def test_examples_that_are_wrong_are_a_sentence_with_the_line_and_the_answer_stays(page):
    page.open("Entities")
    page.write(".sheet-box", WORDS)
    page.write(".sentence-box", "anna lives in paris")
    page.sees("parisplace")
    page.write(".sheet-box", WORDS + "\n[berlin")
    page.sees("Line 4: expected words and their name as in [Paris](city), got [berlin.", ".summary .refused")
    assert "parisplace" in page.text(".answer")


def test_nothing_fits_where_that_is_allowed(page):
    page.write(".sheet-box", TEXTS)
    page.write(".sentence-box", "the the the")
    page.until(lambda: "4 examples:" in page.text(".summary") and page.text(".answer .said"))
    (box,) = page.all("input[type=checkbox]")
    box.click()
    page.sees("none of the above", ".answer .said")


def test_csv_is_pasted_and_a_mistake_in_it_is_said(page):
    page.others()
    page.write(".pasted-box", "text,label\nmia works at acme,job\ntom lives in rome,home,")
    page.button("Use what I pasted").click()
    page.sees("The pasted text, line 3: expected 2 cells as in the header (text, label), got 3", ".refused")
    page.write(".pasted-box", "text,label\nmia works at acme,job\ntom lives in rome,home")
    page.button("Use what I pasted").click()
    page.until(lambda: page.value(".sheet-box") == "# job\nmia works at acme\n\n# home\ntom lives in rome\n")
    page.write(".sentence-box", "tom lives in rome")
    page.until(lambda: page.text(".answer .said").startswith("home"))


def test_conll_is_pasted(page):
    page.open("Entities")
    page.others()
    page.write(".pasted-box", "anna B-person\nlives O\nin O\nparis B-place\n\nmia B-person\nworks O")
    page.button("Use what I pasted").click()
    page.until(lambda: page.value(".sheet-box") == "[anna](person) lives in [paris](place)\n[mia](person) works\n")
    page.write(".sentence-box", "anna lives in paris")
    page.sees("parisplace")


def test_a_file_is_given(page, tmp_path):
    (tmp_path / "mine.csv").write_text("text,label\nmia works at acme,job\ntom lives in rome,home\n")
    page.others()
    (field,) = [
        one
        for one in page.driver.find_elements("css selector", ".others input[type=file]")
        if one.find_element("xpath", "ancestor::*[contains(@class, 'tabitem')]").is_displayed()
    ]
    field.send_keys(str(tmp_path / "mine.csv"))
    page.until(lambda: page.value(".sheet-box") == "# job\nmia works at acme\n\n# home\ntom lives in rome\n")


def test_an_episode_is_loaded_and_its_queries_say_whether_the_answer_is_right(page):
    page.open("Relations")
    page.others()
    page.button("Load this episode").click()
    page.sees("fewrel, sample data, episode 1 of 20.", ".status")
    page.until(lambda: "the episode says" in page.text(".answer .expected"), 60)
    assert "5 examples:" in page.text(".summary")
    (number,) = page.all("input[type=number]")
    number.send_keys(Keys.CONTROL, "a")
    number.send_keys("21")
    page.button("Load this episode").click()
    page.sees("There is no episode 21: fewrel, sample data has 20.", ".refused")


def test_all_is_reached_by_the_keyboard_alone(page):
    def press(*keys):
        page.driver.switch_to.active_element.send_keys(*keys)

    def reach(found, limit=40):
        for _ in range(limit):
            if found(page.driver.switch_to.active_element):
                return
            press(Keys.TAB)
        raise AssertionError("the key never came there")

    reach(lambda one: one.get_attribute("role") == "tab" and one.text == "Entities")
    press(Keys.ENTER)
    page.sees("Why these words")
    reach(
        lambda one: one.tag_name == "textarea" and one.get_attribute("value") == "In June Peter Novak flew to London"
    )
    press(Keys.CONTROL, "a")
    press("anna")
    page.sees("anna")
    reach(lambda one: one.tag_name == "button" and one.text == "Has Julia ever been to Vienna?")
    press(Keys.ENTER)
    page.until(lambda: page.value(".sentence-box") == "Has Julia ever been to Vienna?")
    reach(lambda one: one.tag_name == "textarea" and "](person)" in one.get_attribute("value"))
    press(Keys.CONTROL, Keys.END)
    press("\n[paris](place)")
    page.sees("place", ".summary")
    reach(lambda one: one.tag_name == "button" and one.text.startswith("Other examples"))
    press(Keys.ENTER)
    page.until(lambda: page.all(".pasted-box textarea"))
    reach(lambda one: one.tag_name == "button" and one.text == "Load this episode")


@pytest.mark.parametrize("tab", ["Texts", "Entities", "Intents", "Relations"])
def test_a_narrow_window_is_not_scrolled_sideways(page, tab):
    size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page.until(lambda: len(page.all("[role=tab]")) == 4)
        page.open(tab)
        page.others()
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= 400
        (area,) = page.all(".sentence-box textarea")
        (answer,) = page.all(".answer")
        assert (area.rect["width"], answer.rect["width"]) >= (340, 340)
        assert answer.rect["y"] < 700  # in sight without scrolling
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hostile_text_is_text(page):
    page.write(".sheet-box", f"# {HOSTILE}\n{HOSTILE} anna\n# b\nmia works\n\n# b {HOSTILE}\nx")
    page.write(".sentence-box", f"{HOSTILE} anna")
    page.until(lambda: f"{HOSTILE} anna" in page.text(".answer .nearest") and page.text(".answer .said").count("<"))
    assert HOSTILE in page.text(".answer .said")
    assert HOSTILE in page.text(".summary")
    assert page.driver.execute_script("return window.hit") is None
    page.open("Entities")
    page.write(".sheet-box", f"[anna](<img src=x onerror=window.hit=4>) lives\n{HOSTILE.replace('{', 'x')} mia")
    page.write(".sentence-box", "<b>anna</b> lives ${window.hit=5}")
    page.sees("<img src=x onerror=window.hit=4>", ".summary")
    page.sees("${window.hit=5}")
    assert page.driver.execute_script("return window.hit") is None


def test_the_page_follows_the_system_into_the_dark(page):
    ground = "return getComputedStyle(document.querySelector('.answer')).backgroundColor"
    assert page.driver.execute_script(ground) == "rgb(246, 247, 248)"
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        page.driver.refresh()
        page.until(lambda: page.text(".answer"))
        page.until(lambda: page.driver.execute_script(ground) == "rgb(28, 32, 36)")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
