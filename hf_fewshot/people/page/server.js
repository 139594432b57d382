// The server, as it is asked.

const PATIENCE = 15_000; // milliseconds until a request counts as lost
const PAUSES = [1, 2, 4, 8, 15]; // seconds before a request is tried again; the last one again and again

/** The server understood and said no. */
export class Refusal extends Error {
  constructor(status, body) {
    const { expected, got, remedy } = body?.error ?? {};
    super(expected ? `Expected ${expected}, got ${got}. ${remedy}` : `The server refused (${status}).`);
    this.status = status;
    this.state = body?.state ?? null;
  }
}

/** The server did not answer, or could not. */
export class Away extends Error {}

export class Server {
  /** @param identity who asks; @param waiting is told why and how long is waited, and gets a function that ends the wait; null when it is over. */
  constructor(identity, waiting) {
    this.identity = identity;
    this.waiting = waiting;
  }

  /** A reply; with a body the request is a POST. */
  async ask(path, body) {
    const headers = { ...this.identity.headers, ...(body !== undefined && { "Content-Type": "application/json" }) };
    const request = { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
    if (body !== undefined) Object.assign(request, { method: "POST", body: JSON.stringify(body) });
    let response, value;
    try {
      response = await fetch(path, request);
      value = await response.json();
    } catch {
      throw new Away(response && !response.ok ? `The server answers ${response.status}` : "The server cannot be reached");
    }
    if (response.status >= 500 || response.status === 429) throw new Away(`The server answers ${response.status}: ${value?.error?.got ?? "no reason"}`);
    if (!response.ok) throw new Refusal(response.status, value);
    return value;
  }

  /** A reply, however long it takes. Only for what may be asked twice. */
  async insist(path, body) {
    for (let tries = 0; ; tries += 1) {
      try {
        const reply = await this.ask(path, body);
        if (tries) this.waiting(null);
        return reply;
      } catch (error) {
        if (!(error instanceof Away)) {
          this.waiting(null);
          throw error;
        }
        await this.#pause(error.message, PAUSES[Math.min(tries, PAUSES.length - 1)]);
      }
    }
  }

  /** Waits some seconds, or until somebody presses "Try now" or the network is back. */
  #pause(reason, seconds) {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        window.removeEventListener("online", end);
        resolve();
      };
      const timer = setTimeout(end, seconds * 1000);
      window.addEventListener("online", end);
      this.waiting(reason, seconds, end);
    });
  }
}
