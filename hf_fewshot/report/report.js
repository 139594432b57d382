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
    all(".places").forEach((places) => (places.hidden = places.dataset.panel !== panels[number].id));
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
  // A place within a tab opens that tab.
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const asked = target ? panels.findIndex((panel) => panel.contains(target)) : -1;
    if (asked >= 0 && panels[asked].hidden) {
      select(asked);
      target.scrollIntoView();
    }
  };
  select(0);
  open();
  addEventListener("hashchange", open);
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
  const part = (name) => browser.querySelector(name);
  const [chooser, other, onlyErrors, onlyDifferent] = [".choose-run", ".choose-other", ".only-errors", ".only-different"].map(part);
  const [previous, next] = [part(".previous"), part(".next")];
  const episodes = all(".episode", browser);
  let place = 0;
  const queries = (episode) => (episode ? [...episode.querySelector(".queries").children] : []);
  // What stands beside a run was given the same episodes.
  const offer = () => {
    const { shares } = chooser.selectedOptions[0].dataset;
    const kept = other.value;
    const fitting = [...chooser.options].filter((one) => one.dataset.shares === shares && one.value !== chooser.value);
    other.replaceChildren(new Option("no other", ""), ...fitting.map((one) => new Option(one.text, one.value)));
    other.value = fitting.some((one) => one.value === kept) ? kept : "";
    other.disabled = !fitting.length;
  };
  const show = () => {
    const own = episodes.filter((episode) => episode.dataset.run === chooser.value);
    place = Math.max(0, Math.min(place, own.length - 1));
    const first = own[place];
    const second = episodes.find(
      (one) => other.value && one.dataset.run === other.value && one.dataset.episode === first?.dataset.episode
    );
    episodes.forEach((episode) => (episode.hidden = episode !== first && episode !== second));
    part(".episodes").classList.toggle("beside", Boolean(second));
    if (second) second.before(first);
    onlyDifferent.disabled = !second;
    const [ours, theirs] = [queries(first), queries(second)];
    // Queries stand in rows of their own, level in both columns.
    part(".episodes").style.setProperty("--queries", Math.max(1, ours.length));
    ours.forEach((query, number) => {
      const pair = [query, theirs[number]].filter(Boolean);
      const right = onlyErrors.checked && pair.every((one) => one.matches(".right"));
      const same = onlyDifferent.checked && second && pair.length === 2 && pair[0].textContent === pair[1].textContent;
      pair.forEach((one) => (one.hidden = Boolean(right || same)));
    });
    previous.disabled = place === 0;
    next.disabled = place >= own.length - 1;
    part(".position").textContent = own.length ? `${place + 1} of ${own.length}` : "none";
  };
  const step = (by) => {
    place += by;
    show();
  };
  previous.addEventListener("click", () => step(-1));
  next.addEventListener("click", () => step(1));
  // The same place in another run: its systems were given the same episodes.
  chooser.addEventListener("change", () => {
    offer();
    show();
  });
  [other, onlyErrors, onlyDifferent].forEach((one) => one.addEventListener("change", show));
  offer();
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
