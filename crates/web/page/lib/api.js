// Talking to the server: questions, and jobs that are followed until they end.

/** @typedef {import("./types.js").Job} Job */

/** A refusal in the server's own words. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 where the server did not answer
   * @param {string} sentence
   */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<any>}
 */
async function ask(path, request) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/api/v1${path}`, request);
  } catch {
    throw new ApiError(0, "The server does not answer. Is `lurd serve` still running?");
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, body.error ?? `The server answered ${response.status}.`);
  return body;
}

/** @param {string} path */
export const get = (path) => ask(path);

/**
 * @param {string} path
 * @param {unknown} body
 */
export const post = (path, body) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/**
 * A file of levels in any format.
 * @param {BodyInit} bytes
 * @returns {Promise<import("./types.js").Collection>}
 */
export const readLevels = (bytes) =>
  ask("/levels/read", { method: "POST", headers: { "content-type": "application/octet-stream" }, body: bytes });

/** @param {string} id */
export const cancel = (id) => ask(`/jobs/${id}`, { method: "DELETE" });

/**
 * A job that is followed. `ended` settles with the job's last state, whatever happens to the
 * connection meanwhile; it fails only if the server no longer knows the job.
 */
export class Following {
  /**
   * @param {string} id
   * @param {(job: Job) => void} onstate
   * @param {(connected: boolean) => void} [onconnection]
   */
  constructor(id, onstate, onconnection) {
    this.id = id;
    this.onstate = onstate;
    this.onconnection = onconnection ?? (() => {});
    this.stopped = false;
    /** @type {EventSource|null} */
    this.source = null;
    /** @type {Promise<Job>} */
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.ended.catch(() => {});
    this.open();
  }

  open() {
    const source = new EventSource(`/api/v1/jobs/${this.id}/events`);
    this.source = source;
    /** @param {MessageEvent} event */
    const take = (event) => {
      this.onconnection(true);
      const job = /** @type {Job} */ (JSON.parse(event.data));
      this.onstate(job);
      if (job.status === "done") this.end(job);
    };
    source.addEventListener("state", take);
    source.addEventListener("done", take);
    source.addEventListener("error", () => {
      source.close();
      if (!this.stopped) this.recover(500);
    });
  }

  /**
   * The stream broke: ask for the job's true state until the server answers, then go on.
   * @param {number} wait
   */
  async recover(wait) {
    this.onconnection(false);
    await new Promise((done) => setTimeout(done, wait));
    if (this.stopped) return;
    try {
      const job = await get(`/jobs/${this.id}`);
      this.onconnection(true);
      this.onstate(job);
      if (job.status === "done") this.end(job);
      else this.open();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.stop();
        this.onconnection(true);
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

  /** Closes the stream; the server ends the job after its grace period unless it is cancelled. */
  stop() {
    this.stopped = true;
    this.source?.close();
  }

  async cancel() {
    const job = await cancel(this.id);
    this.onstate(job);
    if (job.status === "done") this.end(job);
  }
}

/**
 * Starts a job and follows it.
 * @param {Record<string, unknown>} body
 * @param {(job: Job) => void} onstate
 * @param {(connected: boolean) => void} [onconnection]
 */
export async function startJob(body, onstate, onconnection) {
  const job = /** @type {Job} */ (await post("/jobs", body));
  onstate(job);
  return new Following(job.id, onstate, onconnection);
}
