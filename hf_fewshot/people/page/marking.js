// Marks that are being made, and the words that are selected: what can be done with them, without a word about how.

import { sorted } from "./form.js";

const WHOLE = { part: 0, start: 0, end: 0, label: null };
const same = (a, b) => a.part === b.part && a.start === b.start && a.end === b.end;
const overlap = (a, b) => a.part === b.part && a.start < b.end && b.start < a.end;

export class Marking {
  /** @param changed is called whenever marks or selection are others. */
  constructor(form, marks, changed) {
    this.form = form;
    this.marks = sorted(marks);
    this.changed = changed;
    // `{part, anchor, head, start, end}`: words, and the characters from the first to the last of them.
    this.selection = null;
  }

  /** The mark that is exactly selected. */
  get current() {
    return this.selection && this.marks.find((mark) => same(mark, this.selection));
  }

  select(part, anchor, head = anchor) {
    const words = this.form.passages[part].words;
    const [start, end] = [words[Math.min(anchor, head)][0], words[Math.max(anchor, head)][1]];
    this.selection = { part, anchor, head, start, end };
    this.changed();
  }

  /** Selects all words of a mark, or the part of a word that it has. */
  choose(mark) {
    const wordAt = this.form.passages[mark.part].wordAt;
    const words = Array.from(wordAt.subarray(mark.start, mark.end)).filter((word) => word >= 0);
    this.selection = { part: mark.part, anchor: words[0] ?? 0, head: words.at(-1) ?? 0, start: mark.start, end: mark.end };
    this.changed();
  }

  unselect() {
    this.selection = null;
    this.changed();
  }

  /** The shortest mark with a word in it. */
  markAt(part, word) {
    const [start, end] = this.form.passages[part].words[word];
    const found = this.marks.filter((mark) => overlap(mark, { part, start, end }));
    return found.sort((a, b) => a.end - a.start - (b.end - b.start))[0] ?? null;
  }

  /** Marks what is selected. Typed marks never overlap: those in the way give place. Says what became of it. */
  mark(label) {
    if (!this.selection) return "Select words first.";
    const { part, start, end } = this.selection;
    const made = { ...WHOLE, part, start, end, label };
    const gone = this.marks.filter((one) => (this.form.plain ? same(one, made) : overlap(one, made)));
    this.marks = sorted([...this.marks.filter((one) => !gone.includes(one)), made]);
    this.changed();
    const replaced = gone.filter((one) => !same(one, made)).map((one) => this.form.nameOf(one));
    return `Marked: ${this.form.nameOf(made)}.${replaced.length ? ` In place of ${replaced.join(" and ")}.` : ""}`;
  }

  remove(mark) {
    this.marks = this.marks.filter((one) => one !== mark);
    this.changed();
    return `Removed: ${this.form.nameOf(mark)}.`;
  }

  /** Removes the mark that is selected, or the one below the cursor. */
  removeHere() {
    const mark = this.current ?? (this.selection && this.markAt(this.selection.part, this.selection.head));
    return mark ? this.remove(mark) : "There is no mark here.";
  }

  /** Moves `start` or `end` of the selection by a character, and the mark on it. */
  refine(side, step) {
    if (!this.selection || this.form.item.marks.aligned) return "";
    const moved = { ...this.selection, [side]: this.selection[side] + step };
    const length = this.form.passages[moved.part].points.length;
    if (moved.start < 0 || moved.end > length || moved.start >= moved.end) return "";
    const old = this.current;
    const inTheWay = (mark) => mark !== old && (this.form.plain ? same(mark, moved) : overlap(mark, moved));
    if (old && this.marks.some(inTheWay)) return "There is a mark beside it.";
    if (old) this.marks = sorted(this.marks.map((mark) => (mark === old ? { ...mark, start: moved.start, end: moved.end } : mark)));
    this.selection = moved;
    this.changed();
    return this.form.textOf(moved);
  }
}
