// One job at a time for one purpose: a later one cancels it, and its answers come no more.

import { startJob } from "./api.js";
import { ending, latest } from "./core.js";

/** @typedef {import("./types.js").Job} Job */

export class Errand {
  constructor() {
    this.begin = latest();
    /** @type {import("./api.js").Following|null} */
    this.following = null;
    ending(() => this.end());
  }

  /** Ends what is under way: whoever waits for it waits no longer. */
  end() {
    this.begin();
    this.following?.cancel().catch(() => {});
    this.following = null;
  }

  /**
   * Runs a job to its end; never comes back if another one was begun meanwhile.
   * @param {Record<string, unknown>} body
   * @param {(job: Job) => void} [onstate]
   */
  async run(body, onstate = () => {}) {
    this.end();
    const wait = this.begin();
    const started = startJob(body, (job) => wait.isLate() || onstate(job));
    started.then(
      (following) => {
        if (wait.isLate()) following.cancel().catch(() => {});
      },
      () => {},
    );
    this.following = await wait(started);
    const job = await wait(this.following.ended);
    this.following = null;
    return job;
  }
}
