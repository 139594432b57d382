"""The leaderboard in headless Chromium: the best at a glance, settings, filters, sorting, pages, no network."""

import json
from dataclasses import replace

import pytest
from selenium.webdriver.support.select import Select

from hf_fewshot.leaderboard import write_site
from tests.tables.records import make_record

pytestmark = pytest.mark.browser

FIVE = {"n_way": 5, "shots": 5}


def with_parameters(record, number):
    return replace(record, environment={**record.environment, "parameters": number})


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Two benchmarks; on the second, three systems at one shot and one of them at five, one of somebody else."""
    found = [
        make_record("Word", 0.4, benchmark="fewjoint", config=None, data={"shots": 1}),
        make_record("Alpha", 0.3),
        with_parameters(make_record("Beta", 0.6, training={}), 110_000_000),
        make_record("Beta", 0.7, training={}, data=FIVE),
        replace(make_record("Gamma", 0.62, method="in_context", model="some-lm"), origin="someone/gamma@1a2b3c4"),
    ]
    return (write_site(found, tmp_path_factory.mktemp("board") / "site") / "index.html").as_uri()


@pytest.fixture
def page(chromium, address):
    """The second benchmark."""
    chromium.get("about:blank")
    chromium.get_log("browser")
    chromium.get_log("performance")
    chromium.get(f"{address}#panel-1")
    chromium.find_element("id", "tab-1").click()
    yield chromium
    assert [entry["message"] for entry in chromium.get_log("browser")] == []


def shown(page, selector):
    return [element.text for element in page.find_elements("css selector", selector) if element.is_displayed()]


def systems(page):
    return shown(page, "[role=tabpanel]:not([hidden]) .board tbody th a")


def test_the_best_system_of_a_setting_and_its_certainty_are_seen_at_once(page):
    assert shown(page, ".columns [aria-pressed=true]") == ["5-way 1-shot"]
    assert systems(page) == ["Gamma [someone]", "Beta", "Alpha"]
    # Differences of units are 1.9 and 2.1 points, five each: the deviation of their mean is 0.1 / sqrt(10).
    assert shown(page, ".lead") == [
        "Gamma [someone] has the highest score, 62.00. Beta (60.00) is 2.00 points behind, and that is significant "
        "(interval of the difference 1.94 to 2.06, paired on the same episodes)."
    ]
    assert [place for place in shown(page, "td.place") if place] == ["1", "2", "3"]


def test_another_setting_shows_its_own_board(page):
    page.find_element("xpath", "//button[text()='5-way 5-shot']").click()
    assert systems(page) == ["Beta"]
    assert shown(page, ".columns [aria-pressed=true]") == ["5-way 5-shot"]


def test_filters_say_how_a_system_learned_and_whose_it_is(page):
    way = Select(page.find_element("name", "learns"))
    assert [option.text for option in way.options] == ["in any way", "frozen", "trained", "in context"]
    way.select_by_visible_text("trained")
    assert systems(page) == ["Beta"]
    way.select_by_visible_text("in any way")
    page.find_element("name", "text").send_keys("someone")
    assert systems(page) == ["Gamma [someone]"]
    page.find_element("name", "text").send_keys(" nobody")
    assert systems(page) == []
    assert shown(page, ".none") == ["Nothing fits these filters."]


def test_filters_by_shots_leave_the_settings_that_have_them(page):
    shots = Select(page.find_element("name", "shots"))
    assert [option.text for option in shots.options] == ["any", "1", "5"]
    shots.select_by_visible_text("5")
    assert systems(page) == ["Beta"]
    assert shown(page, ".board h4") == ["5-way 5-shot"]
    assert shown(page, ".columns button") == []
    page.find_element("id", "tab-2").click()
    assert shown(page, ".group h3") == []
    assert shown(page, ".none") == ["No setting of this benchmark fits these filters."]
    shots.select_by_visible_text("any")
    assert shown(page, ".group h3") == ["fewjoint, test"]


def test_filters_by_encoder_and_parameters_leave_the_systems_that_have_them(page):
    encoder, parameters = (Select(page.find_element("name", name)) for name in ("encoder", "parameters"))
    encoder.select_by_visible_text("some-lm")
    assert systems(page) == ["Gamma [someone]"]
    encoder.select_by_visible_text("any")
    parameters.select_by_visible_text("up to 150M")
    assert systems(page) == ["Beta"]
    parameters.select_by_visible_text("up to 30M")
    assert systems(page) == []


def test_a_head_sorts_and_a_link_leads_to_the_page_of_a_system_and_back(page):
    page.find_element("xpath", "//*[@role='tabpanel'][not(@hidden)]//button[@class='sort'][text()='System']").click()
    assert systems(page) == ["Alpha", "Beta", "Gamma [someone]"]
    page.find_element("link text", "Gamma [someone]").click()
    assert page.find_element("tag name", "h1").text == "Gamma [someone]"
    assert "someone/gamma" in page.find_element("tag name", "table").text
    page.find_element("link text", "Few-shot leaderboard").click()
    assert page.find_element("tag name", "h1").text == "Few-shot leaderboard"


def test_scores_with_and_without_a_deviation_stand_below_each_other(chromium, tmp_path):
    found = [make_record("Alpha", 0.3), make_record("Alpha", 0.32, seed=1), make_record("Beta", 0.6)]
    chromium.get((write_site(found, tmp_path / "site") / "index.html").as_uri())
    cells = [one for one in chromium.find_elements("css selector", "tr.ours td.main") if one.is_displayed()]
    assert [one.text for one in cells] == ["60.00", "31.00 ± 1.41"]
    script = (
        "const range = new Range(); range.selectNode(arguments[0].firstChild); return range.getBoundingClientRect().x"
    )
    first, second = (chromium.execute_script(script, one) for one in cells)
    assert first == pytest.approx(second, abs=1)


@pytest.mark.parametrize("width", [400, 800, 1200])
def test_no_width_makes_the_page_scroll_sideways(page, width):
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_nothing_is_asked_of_the_network(page):
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    assert asked
    assert all(url.startswith(("file:", "about:", "data:")) for url in asked)
