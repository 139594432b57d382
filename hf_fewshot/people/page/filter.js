// A field that narrows a long list by letters, and the keys 1 to 9 and 0 for what is left.

import { element } from "./element.js";

const LONG = 10; // lists longer than this get a field

/** The key that chooses from a list by its place. */
export function digitOf(place) {
  return place < 9 ? String(place + 1) : place === 9 ? "0" : null;
}

/** The place in a list that a key means; null for other keys. */
export function placeOf(key) {
  return /^[0-9]$/.test(key) ? (Number(key) + 9) % 10 : null;
}

export class Filter {
  /**
   * @param rows `{name, node, digit}`: `node` is hidden where `name` does not fit, `digit` is an element for the key.
   * @param chosen is called with the row that Enter means.
   */
  constructor(rows, label, chosen) {
    this.rows = rows;
    this.isLong = rows.length > LONG;
    this.none = element("p", { class: "none", hidden: true }, "Nothing fits.");
    this.field = element("input", {
      type: "search",
      class: "filter",
      placeholder: "Find by name",
      "aria-label": label,
      autocomplete: "off",
      spellcheck: "false",
      hidden: !this.isLong,
      oninput: () => this.narrow(),
      onkeydown: (event) => {
        if (event.key === "Escape" && this.field.value) this.clear();
        else if (event.key === "Enter" && this.field.value && this.left.length) chosen(this.left[0]);
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    });
    this.narrow();
  }

  /** The rows that fit: those whose words begin with what was typed before those that only have it. */
  get left() {
    const typed = this.field.value.trim().toLowerCase();
    const fits = this.rows.filter((row) => row.name.toLowerCase().includes(typed));
    const begins = (row) => row.name.toLowerCase().split(/[\s_/-]+/).some((word) => word.startsWith(typed));
    return [...fits.filter(begins), ...fits.filter((row) => !begins(row))];
  }

  narrow() {
    const left = this.left;
    this.rows.forEach((row) => {
      row.node.hidden = !left.includes(row);
      row.node.classList.toggle("first", Boolean(this.field.value) && row === left[0]);
      row.digit.textContent = "";
    });
    // Keys count in the order that is seen.
    const seen = this.seen;
    seen.forEach((row, place) => (row.digit.textContent = digitOf(place) ?? ""));
    this.none.hidden = left.length > 0;
  }

  get seen() {
    return this.rows.filter((row) => !row.node.hidden);
  }

  clear() {
    this.field.value = "";
    this.narrow();
  }

  /** Begins with a letter that was typed elsewhere. */
  type(letter) {
    this.field.focus();
    this.field.value += letter;
    this.narrow();
  }
}
