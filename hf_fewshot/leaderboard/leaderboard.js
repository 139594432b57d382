"use strict";

// Without this script all boards of a benchmark are shown, one below the other.
function startColumns(group) {
  const buttons = all(".columns button", group);
  const boards = all(".board", group);
  const show = (id) => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.board === id)));
    boards.forEach((board) => (board.hidden = board.id !== id));
  };
  buttons.forEach((button) => button.addEventListener("click", () => show(button.dataset.board)));
  group.querySelector(".columns").hidden = buttons.length < 2;
  show(buttons[0].dataset.board);
}

function startFilters(form) {
  const rows = all(".board tbody tr").map((row) => ({
    row,
    board: row.closest(".board"),
    text: `${row.textContent} ${row.dataset.origin}`.toLowerCase(),
  }));
  const boards = all(".board");
  const apply = () => {
    const words = form.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const way = form.way.value;
    const official = form.official.value;
    const shown = new Set();
    rows.forEach(({ row, board, text }) => {
      const kind = row.dataset.kind;
      const fits =
        words.every((word) => text.includes(word)) &&
        (!way || row.dataset.way === way) &&
        (!official || board.dataset.official === official) &&
        (kind !== "published" || form.published.checked) &&
        (kind !== "baseline" || form.baseline.checked);
      row.hidden = !fits;
      if (fits) shown.add(board);
    });
    boards.forEach((board) => (board.querySelector(".none").hidden = shown.has(board)));
  };
  ["input", "change"].forEach((event) => form.addEventListener(event, apply));
  form.addEventListener("submit", (event) => event.preventDefault());
}

all(".group").forEach(startColumns);
all(".filters").forEach(startFilters);
