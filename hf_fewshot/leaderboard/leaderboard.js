"use strict";

// One board of a group is looked at: the chosen one, or the first that fits. Without this script all are shown.
function startGroup(group) {
  const buttons = all(".columns button", group);
  const boards = all(".board", group);
  let chosen = boards[0];
  let fits = () => true;
  const show = () => {
    const fitting = boards.filter(fits);
    const shown = fitting.includes(chosen) ? chosen : fitting[0];
    boards.forEach((board, index) => {
      board.hidden = board !== shown;
      buttons[index].hidden = !fitting.includes(board);
      buttons[index].setAttribute("aria-pressed", String(board === shown));
    });
    group.querySelector(".columns").hidden = fitting.length < 2;
    group.hidden = !fitting.length;
  };
  buttons.forEach((button, index) => {
    button.addEventListener("click", () => {
      chosen = boards[index];
      show();
    });
  });
  show();
  return (those) => {
    fits = those;
    show();
  };
}

function startFilters(form, groups) {
  const rows = all(".board tbody tr").map((row) => ({
    row,
    board: row.closest(".board"),
    text: row.textContent.toLowerCase(),
  }));
  const value = (name) => form.elements[name]?.value ?? "";
  const apply = () => {
    const words = value("text").toLowerCase().split(/\s+/).filter(Boolean);
    const [learns, encoder, parameters] = ["learns", "encoder", "parameters"].map(value);
    const settings = ["ways", "shots", "official"].map((name) => [name, value(name)]).filter(([, asked]) => asked);
    const withRows = new Set();
    rows.forEach(({ row, board, text }) => {
      const { kind, ...own } = row.dataset;
      row.hidden = !(
        words.every((word) => text.includes(word)) &&
        (!learns || own.learns === learns) &&
        (!encoder || own.encoder === encoder) &&
        (!parameters || Number(own.parameters) <= Number(parameters)) &&
        (kind !== "published" || form.published.checked) &&
        (kind !== "baseline" || form.baseline.checked)
      );
      if (!row.hidden) withRows.add(board);
    });
    all(".board").forEach((board) => (board.querySelector(".none").hidden = withRows.has(board)));
    groups.forEach((keep) => keep((board) => settings.every(([name, asked]) => board.dataset[name] === asked)));
    all("[role=tabpanel]").forEach((panel) => {
      panel.querySelector(".none").hidden = all(".group", panel).some((group) => !group.hidden);
    });
  };
  ["input", "change"].forEach((event) => form.addEventListener(event, apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  apply(); // a browser that goes back keeps what was chosen
}

const groups = all(".group").map(startGroup);
all(".filters").forEach((form) => startFilters(form, groups));
