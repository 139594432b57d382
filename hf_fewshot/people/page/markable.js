// A part whose words can be selected: drawn, and used by mouse, touch and keyboard.

import { element, say } from "./element.js";

const SLOP = 12; // pixels that a finger may move and still tap

export class Markable {
  #first = null; // the word on which a drag began
  #tapped = null; // where a finger went down
  #awaitsLast = false; // a finger chose the first word
  #units = []; // what was built: `{node, word, start}`
  #ends = new Set(); // of units
  #drawn = null; // the marks that were built

  /** @param actions what keys and clicks cause: `type(index)`, `enter()`, `letter(key)`, `nothing()`, `dragged()`. */
  constructor(marking, part, named, actions) {
    this.marking = marking;
    this.part = part;
    this.passage = marking.form.passages[part];
    this.actions = actions;
    const whole = element("span", { id: `whole-${part}`, hidden: true }, this.passage.points.join(""));
    this.box = element("div", {
      class: "text markable",
      tabindex: "0",
      role: "listbox",
      "aria-multiselectable": "true",
      "aria-label": `${named}: arrow keys go through the words`,
      "aria-describedby": whole.id,
      lang: this.passage.lang,
      onkeydown: (event) => this.#key(event),
      onfocus: () => this.#focused(),
      onpointerdown: (event) => this.#down(event),
      onpointermove: (event) => this.#move(event),
      onpointerup: (event) => this.#up(event),
      onpointercancel: () => this.#leave(),
    });
    this.node = element("div", {}, this.box, whole);
  }

  /** The selection, if it is in this part. */
  get #selection() {
    const { selection } = this.marking;
    return selection?.part === this.part ? selection : null;
  }

  draw() {
    const chosen = this.#selection;
    const marks = JSON.stringify([this.marking.marks, this.marking.current]);
    // Words are cut where marks and selection begin and end; a text that is cut so already only changes its looks.
    const isCut = !chosen || (this.#ends.has(chosen.start) && this.#ends.has(chosen.end));
    if (marks !== this.#drawn || !isCut) this.#build();
    this.#drawn = marks;
    for (const { node, word, start } of this.#units) {
      const isChosen = chosen !== null && chosen.start <= start && start < chosen.end;
      node.classList.toggle("selected", isChosen);
      node.classList.toggle("cursor", chosen !== null && word === chosen.head);
      if (node.id) node.setAttribute("aria-selected", String(isChosen));
    }
    if (chosen) this.box.setAttribute("aria-activedescendant", `word-${this.part}-${chosen.head}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  #build() {
    const { marking, part } = this;
    const { current } = marking;
    this.#units = [];
    this.#ends = new Set([0, this.passage.points.length]);
    const kinds = new Map(current ? [[current, "current"]] : []);
    const runs = (start, end) => this.#run(start, end);
    this.box.replaceChildren(...this.passage.drawn(marking.form.spansOf(part, marking.marks, kinds), runs));
    this.box.querySelectorAll("mark").forEach((mark) => mark.setAttribute("role", "presentation"));
    this.box.querySelectorAll(".tag").forEach((tag) => tag.setAttribute("aria-hidden", "true"));
  }

  /** Words and what is between them, cut where the selection begins and ends. */
  #run(start, end) {
    const { wordAt } = this.passage;
    const chosen = this.#selection;
    const nodes = [];
    for (let from = start; from < end; ) {
      let to = from + 1;
      while (to < end && wordAt[to] === wordAt[from] && to !== chosen?.start && to !== chosen?.end) to += 1;
      const unit = { node: this.#unit(from, to), word: wordAt[from], start: from };
      this.#units.push(unit);
      this.#ends.add(from).add(to);
      nodes.push(unit.node);
      from = to;
    }
    return nodes;
  }

  #unit(start, end) {
    const word = this.passage.wordAt[start];
    const text = this.passage.slice(start, end);
    if (word < 0) return element("span", { role: "presentation" }, text);
    const begins = this.passage.words[word][0] === start;
    const mark = begins && this.marking.markAt(this.part, word);
    return element(
      "span",
      {
        class: "word",
        "data-word": word,
        id: begins ? `word-${this.part}-${word}` : null,
        role: begins ? "option" : "presentation",
        "aria-label": mark ? `${this.passage.slice(...this.passage.words[word])}, marked ${mark.label ?? ""}` : null,
      },
      text,
    );
  }

  #focused() {
    if (!this.#selection && this.passage.words.length && this.box.matches(":focus-visible")) this.marking.select(this.part, 0);
  }

  /** The word nearest to a point of the window. */
  #wordNear(x, y) {
    let nearest = null;
    let least = Infinity;
    for (const unit of this.box.querySelectorAll(".word")) {
      for (const box of unit.getClientRects()) {
        const across = Math.max(box.left - x, 0, x - box.right);
        const down = Math.max(box.top - y, 0, y - box.bottom);
        // A word of the same line is nearer than any of another.
        const far = across + down * 100;
        if (far < least) [least, nearest] = [far, Number(unit.dataset.word)];
      }
    }
    return nearest;
  }

  #down(event) {
    if (!event.isPrimary || event.button !== 0 || !this.passage.words.length) return;
    if (event.pointerType === "touch") {
      this.#tapped = { x: event.clientX, y: event.clientY };
      return;
    }
    const word = this.#wordNear(event.clientX, event.clientY);
    this.#first = event.shiftKey && this.#selection ? this.#selection.anchor : word;
    this.box.setPointerCapture(event.pointerId);
    this.marking.select(this.part, this.#first, word);
  }

  #move(event) {
    if (this.#first === null) return;
    const word = this.#wordNear(event.clientX, event.clientY);
    if (word !== this.#selection?.head) this.marking.select(this.part, this.#first, word);
  }

  #up(event) {
    if (this.#tapped) this.#tap(event);
    else if (this.#first !== null) {
      this.#first = null;
      this.#awaitsLast = false;
      const { anchor, head } = this.#selection;
      const there = anchor === head ? this.marking.markAt(this.part, head) : null;
      if (there) this.marking.choose(there);
      else this.actions.dragged();
    }
  }

  #leave() {
    this.#tapped = null;
    this.#first = null;
  }

  /** The first tap chooses a word, the second one the last word; a tap on a mark chooses it. */
  #tap(event) {
    const { x, y } = this.#tapped;
    this.#tapped = null;
    if (Math.abs(event.clientX - x) > SLOP || Math.abs(event.clientY - y) > SLOP) return;
    const word = this.#wordNear(x, y);
    const chosen = this.#selection;
    const isPending = this.#awaitsLast && chosen && !this.marking.current;
    const there = this.marking.markAt(this.part, word);
    this.#awaitsLast = false;
    if (isPending && chosen.head === word && chosen.anchor === word) this.marking.unselect();
    else if (isPending) this.marking.select(this.part, chosen.anchor, word);
    else if (there) this.marking.choose(there);
    else {
      this.marking.select(this.part, word);
      this.#awaitsLast = true;
    }
  }

  #key(event) {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (side && shiftKey && (altKey || ctrlKey)) say(this.marking.refine(altKey ? "end" : "start", side));
    else if (altKey || ctrlKey || metaKey) return;
    else if (this.#wordAfter(key) !== null) this.#go(this.#wordAfter(key), shiftKey);
    else if (key === "Delete" || key === "Backspace") say(this.marking.removeHere());
    else if (key === "Escape") this.marking.unselect();
    else if (key === "Enter" || key === " ") this.actions.enter();
    else if (key === "0") this.actions.nothing();
    else if (/^[1-9]$/.test(key)) this.actions.type(Number(key) - 1);
    else if (!/^[^\s?]$/u.test(key) || !this.actions.letter(key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #go(word, extends_) {
    this.#awaitsLast = false;
    const chosen = this.#selection;
    this.marking.select(this.part, extends_ && chosen ? chosen.anchor : word, word);
    this.box.querySelector(".cursor")?.scrollIntoView({ block: "nearest" });
  }

  /** Where a key leads from the word of the cursor; null where it leads nowhere. */
  #wordAfter(key) {
    const last = this.passage.words.length - 1;
    if (last < 0) return null;
    const from = this.#selection?.head ?? null;
    const keys = {
      ArrowRight: () => (from === null ? 0 : Math.min(from + 1, last)),
      ArrowLeft: () => (from === null ? 0 : Math.max(from - 1, 0)),
      ArrowDown: () => (from === null ? 0 : this.#lineFrom(from, 1)),
      ArrowUp: () => (from === null ? 0 : this.#lineFrom(from, -1)),
      Home: () => 0,
      End: () => last,
    };
    return keys[key]?.() ?? null;
  }

  /** The word above or below another one. */
  #lineFrom(word, direction) {
    const box = this.box.querySelector(`[data-word="${word}"]`).getClientRects()[0];
    const middle = (box.left + box.right) / 2;
    const rows = [...this.box.querySelectorAll(".word")].map((unit) => ({ word: Number(unit.dataset.word), box: unit.getClientRects()[0] }));
    const beyond = rows.filter((row) => (row.box.top - box.top) * direction > box.height / 2);
    if (!beyond.length) return direction < 0 ? 0 : this.passage.words.length - 1;
    const line = beyond.reduce((a, b) => ((a.box.top - b.box.top) * direction <= 0 ? a : b)).box.top;
    const distance = (row) => Math.abs((row.box.left + row.box.right) / 2 - middle);
    const near = beyond.filter((row) => Math.abs(row.box.top - line) < box.height / 2);
    return near.reduce((a, b) => (distance(a) <= distance(b) ? a : b)).word;
  }
}
