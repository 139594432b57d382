// What an item asks for: its passages, its options, its types with their colours.

import { element } from "./element.js";
import { Passage } from "./passage.js";

const COLOURS = 8; // of the palette; further types use them again, and are told apart by their names

export class Form {
  constructor(item) {
    this.item = item;
    this.passages = item.parts.map((part) => new Passage(part));
    this.options = item.label?.options ?? [];
    // Plain answers are marks of one kind without a name.
    this.types = item.marks ? item.marks.types ?? [null] : [];
    this.plain = Boolean(item.marks) && item.marks.types === null;
    this.oneKind = this.types.length === 1;
    this.givenLabels = [...new Set(item.given.map((span) => span.label))];
  }

  colourOf(type) {
    return (Math.max(0, this.types.indexOf(type)) % COLOURS) + 1;
  }

  colourOfGiven(label) {
    return (this.givenLabels.indexOf(label) % COLOURS) + 1;
  }

  textOf(mark) {
    return this.passages[mark.part].slice(mark.start, mark.end);
  }

  /** What a mark is called: "Rome, city". */
  nameOf(mark) {
    return mark.label === null ? this.textOf(mark) : `${this.textOf(mark)}, ${mark.label}`;
  }

  /** What is right, but stands in no text as it is written, in words; null where there is none. */
  nowhere({ nowhere = [] }) {
    if (!nowhere.length) return null;
    return element("p", { class: "note" }, "Right in the data, though no text has it so: ", nowhere.map((text) => element("q", {}, text)));
  }

  shownOption(value) {
    return this.options.find((option) => option.value === value)?.shown ?? value;
  }

  /** The spans of a part to be drawn: what is given, and marks. `kinds` are classes of marks. */
  spansOf(part, marks, kinds = new Map()) {
    const given = this.item.given.filter((span) => span.part === part);
    const own = marks.filter((mark) => mark.part === part);
    return [
      ...given.map((span) => ({ ...span, colour: this.colourOfGiven(span.label), tag: span.label })),
      ...own.map((mark) => ({ ...mark, colour: this.colourOf(mark.label), tag: mark.label, kind: kinds.get(mark) })),
    ];
  }
}

/** Marks in the order of the text. */
export function sorted(marks) {
  return [...marks].sort((a, b) => a.part - b.part || a.start - b.start || a.end - b.end);
}
