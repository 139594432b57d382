// One's own answer beside the right one, with the differences marked.

import { element, fromTemplate } from "./element.js";
import { Form } from "./form.js";
import { Parts } from "./parts.js";

const LONG = 120; // words of a text that is shown once, with the answers beside each other

export class Comparison {
  constructor(item, answer, right, matches) {
    this.form = new Form(item);
    this.parts = new Parts(this.form);
    this.answer = answer;
    this.right = right;
    this.matches = matches ?? this.#same();
    this.node = fromTemplate("feedback");
    this.node.classList.toggle("matches", this.matches);
    const verdict = this.node.querySelector(".verdict");
    verdict.textContent = this.matches ? "Right." : "Not quite. Look at the difference, then go on.";
    if (this.matches) this.node.querySelector(".mine").remove();
    else this.node.querySelector(".mine").append(...this.#shown(answer, right, "wrong"));
    this.node.querySelector(".right").append(...this.#shown(right, answer, "missed"));
    if (this.#isLong) this.node.querySelector(".beside").after(this.#texts());
  }

  get #isLong() {
    return this.form.passages.reduce((sum, passage) => sum + passage.words.length, 0) > LONG;
  }

  /** What makes two marks the same: their place, of plain answers their text. */
  #key(mark) {
    return JSON.stringify(this.form.plain ? this.form.textOf(mark) : [mark.part, mark.start, mark.end, mark.label]);
  }

  #keys(answer) {
    return new Set(answer.marks.map((mark) => this.#key(mark)));
  }

  #same() {
    const [mine, right] = [this.#keys(this.answer), this.#keys(this.right)];
    return this.answer.label === this.right.label && mine.size === right.size && [...mine].every((key) => right.has(key));
  }

  /** An answer; what the other one lacks is of a kind. */
  #shown(answer, other, kind) {
    const there = this.#keys(other);
    const kinds = new Map(answer.marks.filter((mark) => !this.matches && !there.has(this.#key(mark))).map((mark) => [mark, kind]));
    const pieces = [];
    if (this.form.item.label) pieces.push(this.#label(answer, other, kind));
    if (this.form.item.marks && this.#isLong) pieces.push(this.#list(answer, kinds));
    if (!this.#isLong) pieces.push(element("div", { class: "parts" }, this.parts.order.map((part) => this.parts.framed(part, this.parts.read(part, answer.marks, kinds)))));
    const nowhere = this.form.nowhere(answer);
    if (nowhere) pieces.push(nowhere);
    else if (this.form.item.marks && !answer.marks.length) pieces.push(element("p", { class: "none" }, this.form.plain ? "No answer" : "Nothing marked"));
    if (kinds.size) pieces.push(element("p", { class: "note" }, kind === "wrong" ? "Dashed: not in the right answer." : "Dashed: not in your answer."));
    return pieces;
  }

  #label(answer, other, kind) {
    const differs = !this.matches && answer.label !== other.label;
    const name = element("span", { class: `class ${differs ? kind : ""}` }, this.form.shownOption(answer.label));
    return element("p", { class: "label" }, `${this.form.item.label.title}: `, name);
  }

  #list(answer, kinds) {
    const chips = answer.marks.map((mark) => {
      const type = mark.label === null ? null : element("span", { class: "tag" }, mark.label);
      return element("li", {}, element("mark", { class: `c${this.form.colourOf(mark.label)} ${kinds.get(mark) ?? ""}` }, this.form.textOf(mark), type));
    });
    return element("ul", { class: "answers" }, chips);
  }

  /** Long texts, once, with the right marks. */
  #texts() {
    return element("div", { class: "parts" }, this.parts.order.map((part) => this.parts.framed(part, this.parts.read(part, this.right.marks))));
  }
}
