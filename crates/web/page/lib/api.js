// Questions, and jobs that are followed until they end. A server answers where there is one, workers in this page
// otherwise; nobody but this file knows which.

import { readJob } from "../sokoban/contract.js";
import { showConnection } from "./connection.js";
import { ApiError } from "./refusal.js";
import { events, findServer, server, serverAddress } from "./server.js";

// The library belongs to a server: whether there is one is said by `/about`.
export { ApiError, events as serverEvents, serverAddress };

/** @typedef {import("./types.js").Job} Job */
/** @typedef {import("./types.js").Transport} Transport */

/** @returns {Promise<Transport>} */
async function choose() {
  if (await findServer()) return server;
  const { startWorkers } = await import("./workers.js");
  return startWorkers();
}

/** @type {Promise<Transport>} */
const chosen = choose();
chosen.catch(() => {});

/**
 * @param {string} method
 * @param {string} path
 * @param {BodyInit|null} [body]
 * @param {string} [type]
 */
const ask = async (method, path, body, type) => (await chosen).ask(method, path, body, type);

/** @param {string} path */
export const get = (path) => ask("GET", path);

/**
 * @param {string} path
 * @param {unknown} body
 */
export const post = (path, body) => ask("POST", path, JSON.stringify(body), "application/json");

/** The largest file of levels that is read, in MiB. */
const FILE = 8;

/** Told before it is sent: a server that refuses a body breaks the connection. @param {Blob|string} bytes */
function fits(bytes) {
  const size = typeof bytes === "string" ? bytes.length : bytes.size;
  if (size > FILE << 20)
    throw new ApiError(
      413,
      `That is too much at once: a file of levels may have ${FILE} MiB, and this one has ${Math.ceil(size / (1 << 20))}. Split it.`,
    );
}

/**
 * A file of levels in any format.
 * @param {Blob|string} bytes
 * @returns {Promise<import("./types.js").Collection>}
 */
export async function readLevels(bytes) {
  fits(bytes);
  return ask("POST", "/levels/read", bytes, "application/octet-stream");
}

/**
 * Puts a file of levels into the library.
 * @param {Blob|string} bytes
 * @param {string} name what the collection is to be called
 * @param {string} source where it comes from
 * @returns {Promise<import("./types.js").Added>}
 */
export async function addToLibrary(bytes, name, source) {
  fits(bytes);
  return ask(
    "POST",
    `/library/collections?${new URLSearchParams({ name, source })}`,
    bytes,
    "application/octet-stream",
  );
}

/**
 * Replays moves by the referee.
 * @param {string} board
 * @param {string[]} solutions
 * @returns {Promise<import("./types.js").Judged[]>}
 */
export const checkSolutions = async (board, solutions) =>
  (await post("/solutions/check", { board, solutions })).solutions;

/**
 * Whether a board can be played, and what is wrong if not.
 * @param {string} board
 * @returns {Promise<import("./types.js").Checked>}
 */
export const checkLevel = (board) => post("/levels/check", { board });

/** @param {string} id */
export const cancel = (id) => ask("DELETE", `/jobs/${id}`);

/**
 * A job that is followed. `ended` settles with the job's last state, whatever happens to the
 * connection meanwhile; it fails only if the job is no longer known.
 */
export class Following {
  /**
   * @param {Transport} transport
   * @param {string} id
   * @param {(job: Job) => void} onstate
   */
  constructor(transport, id, onstate) {
    this.transport = transport;
    this.id = id;
    this.onstate = onstate;
    this.stopped = false;
    /** @type {() => void} */
    this.close = () => {};
    /** @type {Promise<Job>} */
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.ended.catch(() => {});
    this.open();
  }

  open() {
    this.close = this.transport.follow(
      this.id,
      (job) => this.take(job),
      () => {
        if (!this.stopped) this.recover(500);
      },
    );
  }

  /** @param {unknown} told */
  take(told) {
    const job = readJob(told);
    showConnection(true);
    this.onstate(job);
    if (job.status === "done") this.end(job);
    return job;
  }

  /**
   * The stream broke: ask for the job's true state until there is an answer, then go on.
   * @param {number} wait
   */
  async recover(wait) {
    showConnection(false);
    await new Promise((done) => setTimeout(done, wait));
    if (this.stopped) return;
    try {
      if (this.take(await get(`/jobs/${this.id}`)).status !== "done") this.open();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.stop();
        showConnection(true);
        this.reject?.(error);
      } else {
        this.recover(Math.min(wait * 2, 5000));
      }
    }
  }

  /** @param {Job} job */
  end(job) {
    this.stop();
    this.resolve?.(job);
  }

  /** Watches no longer; the job ends after the grace period unless it is cancelled. */
  stop() {
    this.stopped = true;
    this.close();
  }

  async cancel() {
    if (this.stopped) return;
    const job = await cancel(this.id);
    // It may have ended meanwhile.
    if (!this.stopped) this.take(job);
  }
}

/**
 * Follows a job that was started before, by this page or another.
 * @param {string} id
 * @param {(job: Job) => void} onstate
 */
export const followJob = async (id, onstate) => new Following(await chosen, id, onstate);

/**
 * Starts a job and follows it.
 * @param {Record<string, unknown>} body
 * @param {(job: Job) => void} onstate
 */
export async function startJob(body, onstate) {
  const job = readJob(await post("/jobs", body));
  onstate(job);
  return followJob(job.id, onstate);
}
