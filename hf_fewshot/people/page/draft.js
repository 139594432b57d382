// What is not yet on the disk of the server: kept for this tab, so that a reload loses nothing.

// An answer that is being made: `item` (its id), `answer`, `nothing`, `seconds`; under way it has `sent`, the whole `item` and its `place`.
const ANSWER = "answer";
// A right answer that is being looked at: `item`, `place`, `answer`, `right`, `matches`.
const FEEDBACK = "feedback";

export class Draft {
  /** @param owner study and annotator: another one in the same tab begins anew. */
  constructor(owner) {
    this.owner = owner;
  }

  get answer() {
    return this.#read(ANSWER);
  }

  set answer(value) {
    this.#write(ANSWER, value);
  }

  get feedback() {
    return this.#read(FEEDBACK);
  }

  set feedback(value) {
    this.#write(FEEDBACK, value);
  }

  #read(name) {
    const kept = JSON.parse(sessionStorage.getItem(name) ?? "null");
    return kept?.owner === this.owner ? kept.value : null;
  }

  #write(name, value) {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify({ owner: this.owner, value }));
  }
}
