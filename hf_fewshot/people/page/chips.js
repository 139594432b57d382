// What is marked, as a list; and the word that nothing is to be marked, which somebody has to say.

import { element, say } from "./element.js";

export class Chips {
  /** @param changed is called when "nothing" is said or taken back. */
  constructor(marking, nothing, changed) {
    this.marking = marking;
    const { title } = marking.form.item.marks;
    this.list = element("ul", { class: "chips", "aria-label": title });
    this.box = element("input", { type: "checkbox", id: "nothing", onchange: changed });
    this.box.checked = nothing;
    const words = marking.form.plain ? "There is no answer" : `Nothing to mark: ${title}`;
    this.choice = element("label", { class: "nothing" }, this.box, element("span", {}, words), element("kbd", { "aria-hidden": "true" }, "0"));
    this.node = element("section", { class: "marked" }, element("h2", {}, title), this.list, this.choice);
    this.draw();
  }

  get nothing() {
    return this.box.checked && !this.marking.marks.length;
  }

  toggle() {
    if (this.marking.marks.length) return say("Something is marked.");
    this.box.click();
    return say(this.box.checked ? "Nothing to mark." : "Taken back.");
  }

  draw() {
    const { marks, form, current } = this.marking;
    if (marks.length) this.box.checked = false;
    this.choice.hidden = marks.length > 0;
    this.list.hidden = !marks.length;
    this.list.replaceChildren(...marks.map((mark) => this.#chip(mark, form, mark === current)));
  }

  #chip(mark, form, isCurrent) {
    const text = element("span", { lang: form.passages[mark.part].lang }, form.textOf(mark));
    const type = mark.label === null ? null : element("span", { class: "tag" }, mark.label);
    return element(
      "li",
      { class: `chip c${form.colourOf(mark.label)}${isCurrent ? " current" : ""}` },
      element("button", { type: "button", class: "choose", onclick: () => this.marking.choose(mark) }, text, type),
      element(
        "button",
        { type: "button", class: "remove", "aria-label": `Remove ${form.nameOf(mark)}`, onclick: () => this.#remove(mark) },
        "×",
      ),
    );
  }

  #remove(mark) {
    say(this.marking.remove(mark));
    (this.list.querySelector("button") ?? this.box).focus();
  }
}
