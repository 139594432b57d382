"""Each Space in a browser: start app.py as it stands, type in values, read the score."""

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.error import URLError

import pytest

from tests.processes import free_port

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMEDRIVER = shutil.which("chromedriver")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,1400",
]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="chromium and chromedriver are not installed"),
]

# Typed predictions and references, and the first score they give; then predictions that are refused, and why.
TYPED = {
    "entity_f1": ("art-film O\nO O", "art-film O\nO art-film", "f1\n0.6667", "art-film", "1 predictions for 2"),
    "joint_accuracy": ("a O\na O", "a O\nb O", "intent_accuracy\n0.5000", "a O O\na O", "has 2 tags"),
    "nota_f1": ("x\nNOTA\ny", "x\nx\nNOTA", "f1\n0.5000", "x\nNOTA", "2 predictions for 3"),
    "s1": ("a | b\n[]", "b | c | d\n[]", "s1\n0.7000", "a", "1 predictions for 2"),
    "slot_f1": ("B-x I-x O\nB-y", "B-x I-x O\nB-x", "f1\n0.5000", "B-x I-x O\nart-film", "has the prefix 'art'"),
}


def wait_for(url, process, seconds=150):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert process.poll() is None, f"an app ended with {process.returncode}"
        try:
            with urllib.request.urlopen(url, timeout=5) as page:
                return page.status
        except URLError:
            time.sleep(0.3)
    raise TimeoutError(f"no answer from {url} in {seconds} s")


@pytest.fixture(scope="module")
def apps(project, tmp_path_factory):
    """The addresses of all Spaces, each started from a copy of its folder, with nothing of ours beside it."""
    root = tmp_path_factory.mktemp("spaces")
    environment = {
        **os.environ,
        "GRADIO_ANALYTICS_ENABLED": "False",
        "GRADIO_SERVER_NAME": "127.0.0.1",
        "HF_HOME": str(root / "cache"),
        "HF_HUB_OFFLINE": "1",
    }
    command, addresses = [sys.executable, str(Path(__file__).with_name("serve_spaces.py"))], {}
    for name in TYPED:
        folder = root / f"space-{name}"
        shutil.copytree(project / "metrics" / name, folder, ignore=shutil.ignore_patterns("__pycache__"))
        port = free_port()
        command += [str(folder), str(port)]
        addresses[name] = f"http://127.0.0.1:{port}/"
    with (root / "log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        for address in addresses.values():
            wait_for(address, process)
        yield addresses
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"]:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(CHROMEDRIVER))
    yield driver
    driver.quit()


def type_into(browser, element, text):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    area = browser.find_element(By.CSS_SELECTOR, f"#{element} textarea")
    area.send_keys(Keys.CONTROL, "a")
    area.send_keys(Keys.DELETE)
    area.send_keys(text)


def summary_after_click(browser, expected):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    browser.find_element(By.ID, "score").click()
    WebDriverWait(browser, 30).until(lambda driver: expected in driver.find_element(By.ID, "summary").text)
    return browser.find_element(By.ID, "summary").text


def test_typed_values_are_scored_and_wrong_ones_explained(apps, browser, metric_name, tmp_path):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    predictions, references, score, wrong, message = TYPED[metric_name]
    browser.get(apps[metric_name])
    WebDriverWait(browser, 60).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#references textarea"))
    type_into(browser, "predictions", predictions)
    type_into(browser, "references", references)
    assert summary_after_click(browser, score).startswith(score)
    WebDriverWait(browser, 10).until(lambda driver: score.split("\n")[1] in driver.find_element(By.ID, "table").text)
    browser.save_screenshot(str(tmp_path / f"{metric_name}.png"))
    type_into(browser, "predictions", wrong)
    assert "Not scored." in summary_after_click(browser, message)
    browser.save_screenshot(str(tmp_path / f"{metric_name}_refused.png"))
