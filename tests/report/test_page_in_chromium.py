"""The report in headless Chromium: sorting, tabs, theme, episodes, printing, and no word to the network."""

import json

import pytest

from hf_fewshot.report.page import write_report

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(make_record, browse_item, write_browse, tmp_path_factory):
    """A report of two benchmarks, in one of them two systems, and three episodes of each to browse."""
    folder = tmp_path_factory.mktemp("report")
    sample = {"n_way": 5, "shots": 1, "sample": True}
    records = [
        make_record("Alpha", 0.3, benchmark="fewjoint", config=None, data={"shots": 1, "sample": True}),
        make_record("Middle", 0.5, data=sample, confusion={"labels": ["x", "y"], "counts": [[3, 1], [0, 4]]}),
        make_record("Best", 0.7, data=sample, scores={"precision": 0.2}),
        make_record("Worst", 0.05, data=sample, scores={"precision": 0.9}),
        make_record("Best", 0.8, data={**sample, "shots": 5}),
    ]
    right = browse_item(list("查北京"), [[1, 3, "城市"]], [[1, 3, "城市"]], joiner="")
    browse = {}
    for record in records[1:3]:
        episodes = [
            {
                "index": index,
                "title": record.run.system,
                "classes": ["城市"],
                "support": [browse_item(list("去上海"), [[1, 3, "城市"]], joiner="")],
                "query": [right, browse_item(["<i>", "word"], [[1, 2, "城市"]], [[0, 1, "城市"]])],
            }
            for index in range(3)
        ]
        browse[record.run.name] = write_browse(folder / f"{record.run.system}.jsonl", *episodes)
    return write_report(records, folder / "report.html", browse).as_uri()


@pytest.fixture
def page(chromium, address):
    """The report, opened anew at the tab with three systems."""
    chromium.get("about:blank")
    chromium.get_log("browser")
    chromium.get_log("performance")
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    chromium.get(f"{address}#panel-1")
    yield chromium
    assert [entry["message"] for entry in chromium.get_log("browser")] == []


def find(page, selector):
    return page.find_elements("css selector", selector)


def shown(page, selector):
    return [element.text for element in find(page, selector) if element.is_displayed()]


def systems(page):
    return shown(page, "#panel-1 .setting:nth-of-type(3) table:first-of-type .system")


def head(page, name):
    (button,) = [one for one in find(page, "#panel-1 .setting:nth-of-type(3) .sort") if one.text == name][:1]
    return button


def order(button):
    return button.find_element("xpath", "..").get_attribute("aria-sort")


def test_a_click_on_a_head_sorts_and_another_one_turns_the_order_round(page):
    assert systems(page) == ["Middle", "Best", "Worst", "most frequent"]
    button = head(page, "F1")
    button.click()
    assert (systems(page), order(button)) == (["Best", "Middle", "most frequent", "Worst"], "descending")
    button.click()
    assert (systems(page), order(button)) == (["Worst", "most frequent", "Middle", "Best"], "ascending")
    head(page, "System").click()
    assert systems(page) == ["Best", "Middle", "most frequent", "Worst"]
    assert order(button) == "none"


def test_the_keyboard_sorts_and_rows_without_a_number_stay_last(page):
    from selenium.webdriver.common.keys import Keys

    button = head(page, "Precision")
    button.send_keys(Keys.ENTER)
    assert systems(page) == ["Worst", "Best", "Middle", "most frequent"]
    button.send_keys(Keys.SPACE)
    assert systems(page) == ["Best", "Worst", "Middle", "most frequent"]


def test_tabs_change_by_click_and_by_arrow_keys(page):
    from selenium.webdriver.common.keys import Keys

    assert shown(page, "h2") == ["few_nerd sample data"]
    first, second = find(page, "[role=tab]")
    second.click()
    assert shown(page, "h2") == ["fewjoint sample data"]
    assert page.current_url.endswith("#panel-2")
    second.send_keys(Keys.ARROW_LEFT)
    assert shown(page, "h2") == ["few_nerd sample data"]
    assert page.switch_to.active_element == first
    first.send_keys(Keys.ARROW_LEFT)
    assert shown(page, "h2") == ["fewjoint sample data"]
    second.send_keys(Keys.HOME)
    assert shown(page, "h2") == ["few_nerd sample data"]


def colours(page):
    script = """
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        return [style("body").backgroundColor, style("svg text").fill, style("body").color];
    """
    return page.execute_script(script)


def test_the_theme_follows_the_system_and_its_button_and_so_do_plots(page):
    button = find(page, "#theme")[0]
    assert colours(page)[0] == "rgb(255, 255, 255)"
    assert button.get_attribute("aria-pressed") == "false"
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    ground, text, ink = colours(page)
    assert ground == "rgb(20, 23, 26)"
    assert text == ink == "rgb(230, 232, 235)"
    button.click()
    assert colours(page)[0] == "rgb(255, 255, 255)"
    button.click()
    assert colours(page)[0] == "rgb(20, 23, 26)"
    assert button.get_attribute("aria-pressed") == "true"


def test_episodes_are_walked_through_and_runs_keep_the_place(page):
    from selenium.webdriver.support.ui import Select

    (previous,), (following,) = find(page, ".previous"), find(page, ".next")
    assert shown(page, ".episode h4") == ["Episode 0: Middle Middle"]
    assert not previous.is_enabled()
    following.click()
    following.click()
    assert (shown(page, ".episode h4"), shown(page, ".position")) == (["Episode 2: Middle Middle"], ["3 of 3"])
    assert not following.is_enabled()
    Select(find(page, ".choose-run")[0]).select_by_index(1)
    assert shown(page, ".episode h4") == ["Episode 2: Best Best"]
    previous.click()
    assert shown(page, ".position") == ["2 of 3"]


def test_gold_and_predicted_spans_are_marked_and_right_queries_can_be_hidden(page):
    assert shown(page, ".episode .item .verdict") == ["✓", "✗"]
    assert shown(page, ".episode .right mark") == ["北京城市"]
    assert [mark.split("✗")[0].strip() for mark in shown(page, ".episode .not-right mark")] == ["word", "<i>"]
    assert shown(page, ".line > .which") == ["gold", "predicted"]
    find(page, ".only-errors")[0].click()
    assert shown(page, ".episode .item .verdict") == ["✗"]


def test_paper_shows_all_tabs_in_light_colours_and_no_buttons(page):
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    assert shown(page, "h2") == ["few_nerd sample data", "fewjoint sample data"]
    assert colours(page)[0] == "rgb(255, 255, 255)"
    assert shown(page, "#theme, [role=tab], .controls") == []
    page.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert find(page, "details:not([open])") == []
    page.execute_script("dispatchEvent(new Event('afterprint'))")
    assert find(page, "main details[open]") == []


def test_a_narrow_window_is_not_scrolled_sideways(page):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    try:
        page.execute_script("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert page.execute_script("return document.documentElement.scrollWidth") <= 400
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_every_control_has_a_name_and_every_table_a_caption(page):
    assert find(page, "table") != []
    assert find(page, "table:not(:has(> caption))") == []
    assert find(page, "th:not([scope])") == []
    assert find(page, ".drawing:not([aria-label]), [role=region]:not([aria-label])") == []
    nameless = "return [...document.querySelectorAll('button')].filter((one) => !one.textContent.trim()).length"
    assert page.execute_script(nameless) == 0
    repeated = """
        const names = [...document.querySelectorAll("[id]")].map((one) => one.id);
        return names.filter((name, place) => names.indexOf(name) !== place);
    """
    assert page.execute_script(repeated) == []


def test_the_page_asks_nothing_but_its_own_file(page, address):
    find(page, ".next")[0].click()
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = [one["params"]["request"]["url"] for one in messages if one["method"] == "Network.requestWillBeSent"]
    assert set(asked) - {"about:blank"} == {address}


def test_words_narrow_the_page_to_the_rows_that_have_them(page):
    (field,) = find(page, "#filter")
    field.send_keys("worst")
    assert systems(page) == ["Worst"]
    assert len([one for one in find(page, "#panel-1 .setting") if one.is_displayed()]) == 1
    field.clear()
    field.send_keys("5-shot")
    assert [one.get_attribute("data-title") for one in find(page, "#panel-1 .setting") if one.is_displayed()] == [
        "few_nerd/inter, 5-way 5-shot, test, sample data"
    ]


def test_two_systems_stand_side_by_side_on_one_episode(page):
    from selenium.webdriver.support.ui import Select

    Select(find(page, ".choose-other")[0]).select_by_visible_text(
        "Best, few_nerd/inter, 5-way 1-shot, test, sample data, seed 0"
    )
    assert shown(page, ".episode h4") == ["Episode 0: Middle Middle", "Episode 0: Best Best"]
    left, right = (one for one in find(page, ".queries > .item:nth-child(2)") if one.is_displayed())
    assert left.rect["y"] == right.rect["y"]
    assert left.rect["x"] < right.rect["x"]
    find(page, ".only-different")[0].click()
    assert shown(page, ".episode .queries .item") == []  # both were given the same answers
