// The time that somebody looks at a question: it stands still while the page is hidden.

const LONGEST = 86_400; // what the server takes: a page may be left open for days

export class Stopwatch {
  #kept;
  #since = null;
  #turn = () => (document.hidden ? this.stop() : this.#start());

  constructor(seconds = 0) {
    this.#kept = seconds;
    document.addEventListener("visibilitychange", this.#turn);
    this.#turn();
  }

  get seconds() {
    const running = this.#since === null ? 0 : (performance.now() - this.#since) / 1000;
    return Math.min(LONGEST, Math.round((this.#kept + running) * 10) / 10);
  }

  #start() {
    this.#since ??= performance.now();
  }

  stop() {
    this.#kept += this.#since === null ? 0 : (performance.now() - this.#since) / 1000;
    this.#since = null;
  }

  /** Stops for good. */
  end() {
    this.stop();
    document.removeEventListener("visibilitychange", this.#turn);
  }
}
