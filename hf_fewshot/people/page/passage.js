// A text with its words, counted in code points as the server counts, and how it is drawn with spans in it.

import { element } from "./element.js";

export class Passage {
  constructor(part) {
    this.points = Array.from(part.text);
    this.words = part.words;
    this.lang = part.lang ?? ""; // "" is a language nobody knows
    // Which word each character belongs to; -1 between words.
    this.wordAt = new Int32Array(this.points.length).fill(-1);
    part.words.forEach(([start, end], word) => this.wordAt.fill(word, start, end));
  }

  slice(start, end) {
    return this.points.slice(start, end).join("");
  }

  /**
   * The text with spans as marks in it.
   *
   * @param spans `{start, end, colour, tag, kind}`; they may overlap.
   * @param run draws what lies within the same marks; plain text unless given.
   */
  drawn(spans, run = (start, end) => [this.slice(start, end)]) {
    return within(0, this.points.length, inOrder(spans), run);
  }
}

/** Spans by their beginning, the longer ones first. */
function inOrder(spans) {
  return [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
}

function within(start, end, spans, run) {
  if (!spans.length) return start < end ? run(start, end) : [];
  const [span, ...others] = spans;
  const inside = [];
  const behind = [];
  for (const other of others) {
    if (other.start < span.end) inside.push({ ...other, end: Math.min(other.end, span.end), goesOn: other.end > span.end });
    if (other.end > span.end) behind.push({ ...other, start: Math.max(other.start, span.end) });
  }
  const mark = element(
    "mark",
    { class: `c${span.colour} ${span.kind ?? ""}` },
    within(span.start, span.end, inside, run),
    span.tag && !span.goesOn ? element("span", { class: "tag" }, span.tag) : null,
  );
  const before = start < span.start ? run(start, span.start) : [];
  return [...before, mark, ...within(span.end, end, inOrder(behind), run)];
}
