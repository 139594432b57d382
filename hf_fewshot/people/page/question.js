// A question as a form: its answer as it stands, and what is missing.

import { Chips } from "./chips.js";
import { element, fromTemplate, say } from "./element.js";
import { Form } from "./form.js";
import { Markable } from "./markable.js";
import { Marking } from "./marking.js";
import { Options } from "./options.js";
import { Parts } from "./parts.js";
import { Picker } from "./picker.js";

export class Question {
  #past = []; // answers before the last changes
  #last; // the answer as it was drawn last
  #texts = [];

  /**
   * @param begun `{answer, nothing}`: what was answered so far.
   * @param on `changed()`: the answer is another; `send()`: it is whole and somebody wants it sent.
   */
  constructor(item, begun, on) {
    this.item = item;
    this.on = on;
    this.form = new Form(item);
    const answer = begun.answer ?? { label: null, marks: [] };
    this.node = fromTemplate("question");
    this.sheet = this.node.querySelector("form");
    this.sheet.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    if (item.marks) {
      this.marking = new Marking(this.form, answer.marks, () => this.#changed());
      this.picker = new Picker(this.marking, () => this.#back());
      this.chips = new Chips(this.marking, begun.nothing, () => this.#changed());
    }
    if (item.label) this.options = new Options(this.form, answer.label, () => this.#changed());
    this.#lay();
    this.#last = this.#snapshot();
  }

  #lay() {
    const parts = new Parts(this.form);
    const text = (part) => {
      if (!this.marking) return parts.read(part, []);
      const markable = new Markable(this.marking, part, parts.named(part), {
        type: (place) => this.picker.type(place),
        enter: () => this.picker.enter(),
        letter: (key) => this.picker.filter.isLong && (this.picker.filter.type(key), true),
        nothing: () => this.chips.toggle(),
        dragged: () => this.form.oneKind && this.picker.enter(),
      });
      this.#texts.push(markable);
      markable.draw();
      return markable.node;
    };
    const texts = element("div", { class: "parts" }, parts.order.map((part) => parts.framed(part, text(part))));
    const tools = this.marking && element("div", { class: "tools" }, this.picker.node, this.chips.node);
    const pieces = [texts, parts.legend(), tools, this.options?.node].filter(Boolean);
    this.node.querySelector(".body").replaceChildren(...pieces);
  }

  get answer() {
    return { label: this.options?.value ?? null, marks: this.marking?.marks ?? [] };
  }

  get nothing() {
    return this.chips?.nothing ?? false;
  }

  #snapshot() {
    return JSON.stringify({ ...this.answer, nothing: this.nothing });
  }

  #changed() {
    this.#draw();
    const now = this.#snapshot();
    if (now === this.#last) return;
    this.#past.push(this.#last);
    this.#last = now;
    this.problem("");
    this.on.changed();
  }

  #draw() {
    this.#texts.forEach((text) => text.draw());
    this.picker?.draw();
    this.chips?.draw();
  }

  /** Takes the last change back; says whether there was one. */
  takeBack() {
    const before = this.#past.pop();
    if (before === undefined) return false;
    const { label, marks, nothing } = JSON.parse(before);
    if (this.options) this.options.value = label;
    if (this.marking) {
      this.marking.marks = marks;
      this.chips.box.checked = nothing;
    }
    this.#last = before;
    this.#draw();
    this.on.changed();
    say("Taken back.");
    return true;
  }

  /** What is still to be done, and where; null if nothing is. */
  #missing() {
    if (this.marking && !this.marking.marks.length && !this.nothing) {
      const words = this.form.plain ? "Mark an answer, or tick that there is none." : "Mark words, or tick that there is nothing to mark.";
      return { words, focus: () => this.chips.box.focus() };
    }
    if (this.options && this.options.value === null) return { words: `Choose one: ${this.item.label.title}.`, focus: () => this.options.focus() };
    return null;
  }

  submit() {
    const missing = this.#missing();
    if (!missing) return this.on.send();
    this.problem(missing.words);
    return missing.focus();
  }

  /** A word of what is wrong, beside the button. */
  problem(words) {
    const state = this.node.querySelector(".state");
    if (!words && !state.classList.contains("problem")) return;
    state.classList.toggle("problem", Boolean(words));
    state.textContent = words;
    if (words) say(words);
  }

  digit(key) {
    return this.options?.digit(key) ?? false;
  }

  /** While an answer is under way it is not changed. */
  set locked(locked) {
    this.sheet.inert = locked;
  }

  #back() {
    const part = this.marking.selection?.part;
    (this.#texts.find((text) => text.part === part) ?? this.#texts[0]).box.focus({ preventScroll: true });
  }

  /** The keyboard begins where something is to be done. */
  focus() {
    if (this.marking) this.#texts[0].box.focus({ preventScroll: true });
    else this.options?.focus();
  }
}
