// One worker as the page sees it: what it says, and that it is dead.

/** @typedef {{idle?: number, answered?: string, number?: number}} Said */

/** How long a worker may take to start, in seconds. Before it has started nothing else tells that it is dead. */
const START = 30;

let numbered = 0;

export class Hand {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.dead = false;
    /** @type {(said: string|Said) => void} A text is a state of the job that runs. */
    this.onsaid = () => {};
    /** @type {(sentence: string) => void} */
    this.ondead = () => {};
    numbered += 1;
    const lock = `lurd worker ${numbered} ${Math.random()}`;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: `lurd ${numbered}` });
    this.worker.addEventListener("message", ({ data }) => this.#take(data, lock));
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#die(`a worker of this page could not start${event.message ? `: ${event.message}` : ""}`);
    });
    this.worker.postMessage({ module, lock });
    // Seconds are counted one by one: while a page sleeps, neither it nor its workers get on.
    let left = START;
    this.watchdog = setInterval(() => {
      left -= 1;
      if (left === 0) this.#die(`a worker of this page did not start within ${START} seconds`);
    }, 1000);
  }

  /** @param {any} data @param {string} lock */
  #take(data, lock) {
    if (this.dead) return;
    clearInterval(this.watchdog);
    if (data.broken) this.#die(data.broken);
    else if (data.locked)
      navigator.locks.request(lock, () => this.#die("a worker of this page was ended by the browser"));
    else if (data.locked === undefined) this.onsaid(data);
  }

  /** @param {string} sentence */
  #die(sentence) {
    if (this.dead) return;
    this.end();
    this.ondead(sentence);
  }

  /** @param {Record<string, unknown>} message */
  say(message) {
    this.worker.postMessage(message);
  }

  /** Ends it at once. */
  end() {
    this.dead = true;
    clearInterval(this.watchdog);
    this.worker.terminate();
  }
}
