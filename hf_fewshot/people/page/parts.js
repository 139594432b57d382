// The parts of an item as they stand on the page: framed, named where there are several, with what is given in them.

import { element } from "./element.js";

const LONG = 60; // words of a text that is set closer, and opens on demand where many texts stand together

export class Parts {
  constructor(form) {
    this.form = form;
    this.several = form.item.parts.length > 1;
  }

  named(part) {
    return this.form.item.parts[part].name;
  }

  /** A part with its text, which stays in sight if it is a question. */
  framed(part, text) {
    const isQuestion = this.several && this.named(part) === "question";
    const name = this.several ? element("h2", {}, this.named(part)) : null;
    const isLong = this.form.passages[part].words.length > LONG;
    return element("section", { class: `part${isQuestion ? " stays" : ""}${isLong ? " long" : ""}` }, name, text);
  }

  /** Questions first: they stay above the contexts that are read for them. */
  get order() {
    const parts = this.form.item.parts.map((_, part) => part);
    const last = (part) => this.named(part) !== "question";
    return parts.sort((a, b) => last(a) - last(b) || a - b);
  }

  /** What is given, by colour. */
  legend() {
    if (!this.form.givenLabels.length) return null;
    const entries = this.form.givenLabels.map((label) => {
      const texts = this.form.item.given.filter((span) => span.label === label).map((span) => this.form.textOf(span));
      return element("span", { class: "entry" }, element("span", { class: `class c${this.form.colourOfGiven(label)}` }, label), ` ${texts.join(", ")}`);
    });
    return element("p", { class: "legend" }, entries);
  }

  /** A part to be read, with marks; `kinds` are classes of marks. */
  read(part, marks, kinds) {
    const passage = this.form.passages[part];
    return element("div", { class: "text", lang: passage.lang }, passage.drawn(this.form.spansOf(part, marks, kinds)));
  }

  /** All parts to be read; long ones open on demand. */
  folded(marks) {
    return this.order.map((part) => {
      const { words } = this.form.passages[part];
      const text = this.read(part, marks);
      if (words.length <= LONG) return this.framed(part, text);
      return element("details", {}, element("summary", {}, `${this.named(part)} (${words.length} words)`), text);
    });
  }
}
