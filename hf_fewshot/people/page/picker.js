// The types that a selection can be marked as: the legend of colours, and buttons at once.

import { element, say } from "./element.js";
import { Filter } from "./filter.js";

export class Picker {
  #rows;

  /** @param back is called when a type was chosen: the text has the keyboard again. */
  constructor(marking, back) {
    this.marking = marking;
    this.back = back;
    const { form } = marking;
    this.#rows = form.types.map((type) => {
      const digit = element("kbd", { "aria-hidden": "true" });
      const name = form.plain ? "Mark as answer" : type;
      const button = element("button", { type: "button", class: `type c${form.colourOf(type)}`, onclick: () => this.#mark(type) }, digit, name);
      return { type, name, node: button, digit };
    });
    this.filter = new Filter(this.#rows, `Find: ${form.item.marks.title}`, (row) => this.#mark(row.type));
    this.remove = element("button", { type: "button", class: "remove", onclick: () => this.#act(marking.removeHere()) }, "Remove");
    this.selected = element("p", { class: "selected-words", "aria-live": "off" });
    this.refine = element("div", { class: "refine", hidden: true }, this.#steps("start", "Beginning"), this.#steps("end", "End"));
    this.node = element(
      "div",
      { class: `picker${form.plain ? " plain" : ""}`, role: "group", "aria-label": form.item.marks.title },
      element("div", { class: "about" }, this.selected, this.refine, this.remove),
      element("div", { class: "types" }, this.filter.field, this.#rows.map((row) => row.node), this.filter.none),
    );
    this.draw();
  }

  #steps(side, name) {
    const step = (by, sign, words) =>
      element("button", { type: "button", "aria-label": `${name} one character ${words}`, onclick: () => say(this.marking.refine(side, by)) }, sign);
    return element("span", { role: "group", "aria-label": name }, `${name} `, step(-1, "‹", "back"), step(1, "›", "on"));
  }

  #mark(type) {
    this.#act(this.marking.mark(type));
  }

  #act(words) {
    say(words);
    this.filter.clear();
    this.draw(); // the field shows all types again, and not all of them are to be seen
    this.back();
  }

  /** Marks as the type at a place of the list. */
  type(place) {
    const row = this.filter.seen[place];
    if (row) this.#mark(row.type);
  }

  /** Enter: marks where there is one type only, else leads to the types. */
  enter() {
    const { form, current } = this.marking;
    if (form.oneKind) this.#mark(form.types[0]);
    else if (this.filter.isLong) this.filter.field.focus();
    else this.#rows[Math.max(0, form.types.indexOf(current?.label))].node.focus();
  }

  draw() {
    const { selection, current, form } = this.marking;
    this.#rows.forEach(({ node, type }) => {
      node.setAttribute("aria-pressed", String(Boolean(current) && current.label === type));
      node.setAttribute("aria-disabled", String(!selection));
      if (form.plain) node.hidden = Boolean(current);
    });
    this.remove.hidden = !current;
    this.refine.hidden = !selection || form.item.marks.aligned;
    this.selected.replaceChildren(...this.#about(selection, current));
  }

  #about(selection, current) {
    const { form } = this.marking;
    if (!selection) return [form.plain ? "Select each answer in a text." : "Select words, then choose a type."];
    const words = element("q", { lang: form.passages[selection.part].lang }, form.textOf(selection));
    if (!current) return [words];
    return [words, form.plain ? " is marked" : ` is marked: ${current.label}`];
  }
}
