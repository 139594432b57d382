"use strict";

// Words narrow a page to the parts whose titles have all of them, and to the rows that have the rest.
function startFilter() {
  const field = document.getElementById("filter");
  const found = document.querySelector(".found");
  const rowsOf = (part) => all("tbody tr, .row", part);
  const textOf = (row) => all("h4, th, td:not(.number)", row).map((cell) => cell.textContent).join(" ").toLowerCase();
  const apply = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (content) => words.every((word) => content.includes(word));
    const parts = all(".part");
    parts.forEach((part) => {
      const title = part.dataset.title.toLowerCase();
      const whole = has(title);
      const rows = rowsOf(part);
      rows.forEach((row) => (row.hidden = !whole && !has(`${title} ${textOf(row)}`)));
      part.hidden = !whole && rows.every((row) => row.hidden);
    });
    all("section:not(.part) > .plots > .plot").forEach((plot) => (plot.hidden = !has(plot.dataset.title.toLowerCase())));
    all(".places a").forEach((link) => {
      const target = document.getElementById(link.hash.slice(1));
      link.parentElement.hidden = words.length > 0 && (target.hidden || !target.matches(".part"));
    });
    all(".places .group").forEach((group) => (group.hidden = all("li", group).every((one) => one.hidden)));
    const settings = parts.filter((part) => part.matches(".setting"));
    const n = settings.filter((part) => !part.hidden).length;
    found.textContent = words.length ? `${n} of ${settings.length} setting${settings.length === 1 ? "" : "s"}, in all tabs` : "";
  };
  field.addEventListener("input", apply);
  addEventListener("keydown", (event) => {
    const writing = event.target.closest?.("input, select, textarea");
    if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "Escape" && event.target === field && field.value) {
      field.value = "";
      apply();
    }
  });
}

function startContents() {
  const list = document.querySelector(".contents details");
  const wide = matchMedia("(min-width: 70rem)");
  const fold = () => (list.open = wide.matches);
  wide.addEventListener("change", fold);
  fold();
  // On a narrow window the list lies over the page: whoever has chosen wants to read.
  list.addEventListener("click", (event) => {
    if (event.target.closest("a") && !wide.matches) list.open = false;
  });
  const links = new Map(all(".places a").map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    entries.forEach(({ target, isIntersecting }) => (isIntersecting ? seen.add(target) : seen.delete(target)));
    const first = [...links.keys()].find((id) => seen.has(document.getElementById(id)));
    links.forEach((link, id) => (id === first ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  }, { rootMargin: "-10% 0px -60% 0px" });
  links.forEach((_, id) => watcher.observe(document.getElementById(id)));
}

async function copy(button) {
  const text = button.parentElement.querySelector(`template.${button.dataset.kind}`).content.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Where a page may not, a selection still can.
    const field = document.createElement("textarea");
    field.value = text;
    button.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const label = button.textContent;
  button.textContent = "Copied";
  button.disabled = true;
  setTimeout(() => {
    button.textContent = label;
    button.disabled = false;
  }, 1200);
}

startFilter();
startContents();
all(".copy").forEach((button) => button.addEventListener("click", () => copy(button)));
