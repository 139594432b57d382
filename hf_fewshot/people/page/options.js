// The list of labels of which one is chosen.

import { element } from "./element.js";
import { Filter, placeOf } from "./filter.js";

export class Options {
  #inputs;

  /** @param changed is called when another label is chosen. */
  constructor(form, value, changed) {
    const rows = form.options.map((option) => {
      const input = element("input", { type: "radio", name: "label", value: option.value, onchange: changed });
      input.checked = option.value === value;
      const digit = element("kbd", { "aria-hidden": "true" });
      const node = element("label", { class: "option" }, input, element("span", { class: "name" }, option.shown), digit);
      return { name: option.shown, node, digit, input };
    });
    this.changed = changed;
    this.#inputs = rows.map((row) => row.input);
    this.filter = new Filter(rows, `Find: ${form.item.label.title}`, (row) => {
      this.#choose(row.input);
      this.filter.field.select();
    });
    this.node = element(
      "fieldset",
      { class: "options", onkeydown: (event) => this.#key(event) },
      element("legend", {}, form.item.label.title),
      this.filter.field,
      element("div", { class: `list${rows.some((row) => row.name.length > 40) ? " long" : ""}` }, rows.map((row) => row.node)),
      this.filter.none,
    );
  }

  get value() {
    return this.#inputs.find((input) => input.checked)?.value ?? null;
  }

  set value(value) {
    this.#inputs.forEach((input) => (input.checked = input.value === value));
  }

  #choose(input) {
    input.checked = true;
    input.closest("label").scrollIntoView({ block: "nearest" });
    this.changed();
  }

  /** Chooses by a digit; says whether it meant one. */
  digit(key) {
    const row = this.filter.seen[placeOf(key)];
    if (row) this.#choose(row.input);
    return Boolean(row);
  }

  /** Letters find, wherever in the list they are typed. */
  #key(event) {
    if (event.target === this.filter.field || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.filter.isLong || !/^[^\s?0-9]$/u.test(event.key)) return;
    event.preventDefault();
    this.filter.type(event.key);
  }

  focus() {
    // A field would open the keyboard of a phone.
    const isTouched = matchMedia("(pointer: coarse)").matches;
    const target = this.filter.isLong && !isTouched ? this.filter.field : (this.#inputs.find((input) => input.checked) ?? this.#inputs[0]);
    target.focus({ preventScroll: true });
  }
}
