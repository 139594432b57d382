"use strict";

// Without this script all tabs and the first episode of each browser are shown.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function startTheme() {
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => {
    button.setAttribute("aria-pressed", String(isDark()));
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Dark theme ${isDark() ? "on" : "off"}`);
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  show();
}

function startTabs() {
  const tabs = all("[role=tab]");
  const panels = all("[role=tabpanel]");
  const select = (number) => {
    tabs.forEach((tab, index) => {
      tab.setAttribute("aria-selected", String(index === number));
      tab.tabIndex = index === number ? 0 : -1;
      panels[index].hidden = index !== number;
    });
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => {
      select(index);
      history.replaceState(null, "", `#${panels[index].id}`);
    });
    tab.addEventListener("keydown", (event) => {
      const last = tabs.length - 1;
      const target = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index || tabs.length, Home: 0, End: last };
      if (!(event.key in target)) return;
      event.preventDefault();
      const next = event.key === "ArrowLeft" ? target.ArrowLeft - 1 : target[event.key];
      tabs[next].click();
      tabs[next].focus();
    });
  });
  const asked = panels.findIndex((panel) => `#${panel.id}` === location.hash);
  select(Math.max(0, asked));
}

function sortBy(table, header) {
  const column = [...header.parentElement.children].indexOf(header);
  const numeric = header.classList.contains("number");
  const now = header.getAttribute("aria-sort");
  // Scores begin with the highest, names with the first.
  const order = now === "none" ? (numeric ? "descending" : "ascending") : now === "ascending" ? "descending" : "ascending";
  const sign = order === "ascending" ? 1 : -1;
  const value = (row) => row.children[column]?.dataset.value;
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    return sign * (numeric ? a - b : a.localeCompare(b));
  });
  body.append(...rows);
  all("th[aria-sort]", table).forEach((one) => one.setAttribute("aria-sort", one === header ? order : "none"));
}

function startBrowser(browser) {
  const chooser = browser.querySelector(".choose-run");
  const [previous, next] = [browser.querySelector(".previous"), browser.querySelector(".next")];
  let place = 0;
  const show = () => {
    const episodes = all(".episode", browser).filter((episode) => episode.dataset.run === chooser.value);
    place = Math.max(0, Math.min(place, episodes.length - 1));
    all(".episode", browser).forEach((episode) => (episode.hidden = episode !== episodes[place]));
    previous.disabled = place === 0;
    next.disabled = place >= episodes.length - 1;
    browser.querySelector(".position").textContent = episodes.length ? `${place + 1} of ${episodes.length}` : "none";
  };
  const step = (by) => {
    place += by;
    show();
  };
  previous.addEventListener("click", () => step(-1));
  next.addEventListener("click", () => step(1));
  // The same place in another run: its systems were given the same episodes.
  chooser.addEventListener("change", () => step(0));
  browser.querySelector(".only-errors").addEventListener("change", (event) => {
    browser.classList.toggle("errors-only", event.target.checked);
  });
  show();
}

startTheme();
startTabs();
all("table.sortable").forEach((table) => {
  all("th[aria-sort]", table).forEach((header) => {
    header.querySelector("button").addEventListener("click", () => sortBy(table, header));
  });
});
all(".browser").forEach(startBrowser);

// Paper has no buttons: what is folded is opened for it, and folded again.
let opened = [];
addEventListener("beforeprint", () => {
  opened = all("details:not([open])");
  opened.forEach((details) => (details.open = true));
});
addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));
