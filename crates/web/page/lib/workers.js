// Workers instead of a server: one for questions, others for jobs. A race is divided: each worker runs a share of the
// strategies, and the first answer counts. What the workers say is told in the JSON of the server.

import { CAN_TELL, Mailbox } from "./finds.js";
import { Hand } from "./hand.js";
import { cancelled, mergeLive, mergeResults, withWorking } from "./merge.js";
import { History } from "./history.js";
import { ApiError } from "./refusal.js";

/** @typedef {import("./types.js").Job} Job */
/** @typedef {import("./types.js").JobResult} JobResult */
/** @typedef {import("./types.js").Transport} Transport */

const CORES = navigator.hardwareConcurrency || 2;
/** Workers of one race. More than four share too little memory each. */
const SHARES = Math.max(1, Math.min(CORES, 4));
/** Ended jobs whose answers are kept. */
const KEPT = 64;
/** A worker that holds more when its job has ended is not used again: an instance never gives memory back. */
const REUSED_BYTES = 128 << 20;
/** How often abandoned jobs are looked for, in milliseconds. */
const ROUND = 1000;

/** A browser tells its memory in GiB, at most 8, or not at all. */
const { deviceMemory = 4 } = /** @type {any} */ (navigator);
/** What this page is willing to do. */
const HOST = {
  running: Math.max(2, CORES),
  waiting: 64,
  seconds: 3600,
  mebibytes: Math.min(2048, (deviceMemory * 1024) / 4),
  grace_seconds: 30,
};

/** @param {number} status @param {any} body */
function unpack(status, body) {
  if (status >= 400) throw new ApiError(status, body.error);
  return body;
}

/** The worker that answers questions. */
class Questions {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.asked = new Map();
    this.numbered = 0;
    this.hand = this.hire();
  }

  hire() {
    const hand = new Hand(this.module);
    hand.onsaid = (said) => {
      if (typeof said === "string" || said.answered === undefined) return;
      const waiting = this.asked.get(said.number ?? 0);
      this.asked.delete(said.number ?? 0);
      waiting?.resolve(JSON.parse(said.answered));
    };
    hand.ondead = (sentence) => {
      const all = [...this.asked.values()];
      this.asked.clear();
      this.hand = this.hire();
      for (const { reject } of all) reject(new ApiError(500, `This question was not answered: ${sentence}.`));
    };
    return hand;
  }

  /**
   * @param {string} method
   * @param {string} address
   * @param {BodyInit|null} [body]
   */
  async ask(method, address, body) {
    const bytes = new Uint8Array(await new Response(body ?? null).arrayBuffer());
    const [path, query = ""] = address.split("?");
    this.numbered += 1;
    const number = this.numbered;
    const answer = new Promise((resolve, reject) => this.asked.set(number, { resolve, reject }));
    this.hand.say({ number, host: JSON.stringify(HOST), method, path, query, body: bytes });
    const { status, body: told } = /** @type {any} */ (await answer);
    return unpack(status, told);
  }
}

/** A job and the workers that run it. */
class Running {
  /**
   * @param {Job} job as it waits
   * @param {any} body what was asked
   * @param {number} most shares
   */
  constructor(job, body, most) {
    // Only the first state that a follower gets tells the history.
    /** @type {Job} */
    this.job = { ...job, history: null };
    this.body = body;
    // The first share of a proof is the proof, and another seeks solutions for it: that pays if they can be told.
    this.isProof = most > 1 && ["pushes", "moves"].includes(body.request?.goal);
    // Under a limit of nodes a run is the same everywhere: that is asked of one search, not of shares.
    this.shares = body.request?.node_limit || (this.isProof && !CAN_TELL) ? 1 : Math.min(most, SHARES);
    this.boxes = CAN_TELL && this.shares > 1 ? Array.from({ length: this.shares }, () => new Mailbox()) : [];
    /** @type {Set<(job: Job) => void>} */
    this.followers = new Set();
    this.asked = performance.now();
    this.history = new History();
    /** @type {(Hand|null)[]} The worker of each share; null where it has ended. */
    this.hands = [];
    /** @type {Job[]} The last state of each share. */
    this.states = [];
    /** @type {JobResult[]} */
    this.results = [];
    /** @type {string[]} What happened to workers. */
    this.notes = [];
  }

  /** The question of one share: memory is divided, and a proof needs most of it. @param {number} index */
  share(index) {
    if (this.shares === 1) return this.body;
    const request = this.body.request ?? {};
    const part = this.isProof ? ([3 / 4, 1 / 4][index] ?? 0) : 1 / this.shares;
    return {
      ...this.body,
      request: {
        ...request,
        memory_limit: Math.max(1 << 20, Math.floor((request.memory_limit ?? HOST.mebibytes * 2 ** 20) * part)),
      },
    };
  }

  get view() {
    return { ...this.job, history: [...this.history.points] };
  }

  tell() {
    for (const follower of this.followers) follower(this.job);
  }
}

/** All jobs of the page. */
class Jobs {
  /** @param {WebAssembly.Module} module @param {Questions} questions */
  constructor(module, questions) {
    this.module = module;
    this.questions = questions;
    /** @type {Map<string, Running>} */
    this.known = new Map();
    /** @type {Hand[]} Workers that are ready. */
    this.spare = [];
    this.run = Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
    this.numbered = 0;
    this.prepare();
    setInterval(() => this.keepHouse(), ROUND);
  }

  /** Has a worker ready for every share of the next race. */
  prepare() {
    while (this.spare.length < SHARES) {
      const hand = new Hand(this.module);
      hand.ondead = () => (this.spare = this.spare.filter((other) => other !== hand));
      this.spare.push(hand);
    }
  }

  /** @param {string} status */
  count(status) {
    return [...this.known.values()].filter(({ job }) => job.status === status).length;
  }

  /** @param {BodyInit|null} [body] @returns {Promise<Job>} */
  async submit(body) {
    const { job, most_shares: most } = await this.questions.ask("POST", "/jobs", body);
    const waiting = this.count("waiting");
    if (waiting >= HOST.waiting)
      throw new ApiError(429, `${waiting} searches wait already; cancel one or try again when one has ended`);
    this.numbered += 1;
    job.id = `${this.run}-${this.numbered}`;
    const running = new Running(job, await new Response(body ?? null).json(), most);
    this.known.set(job.id, running);
    const waits = running.view;
    this.startNext();
    return waits;
  }

  startNext() {
    while (this.count("running") < HOST.running) {
      const next = [...this.known.values()].find(({ job }) => job.status === "waiting");
      if (!next) return;
      this.start(next);
    }
  }

  /** @param {Running} running */
  start(running) {
    running.job = { ...running.job, status: "running" };
    for (let index = 0; index < running.shares; index += 1) {
      const hand = this.spare.pop() ?? new Hand(this.module);
      running.hands[index] = hand;
      hand.onsaid = (said) => {
        if (typeof said === "string") this.take(running, index, said);
        else if (said.idle !== undefined) this.idle(running, index, said.idle);
      };
      hand.ondead = (sentence) => this.lose(running, index, sentence);
      const body = new TextEncoder().encode(JSON.stringify(running.share(index)));
      hand.say({
        run: running.job.id,
        host: JSON.stringify(HOST),
        body,
        index,
        shares: running.shares,
        finds: running.boxes[index]?.buffer,
      });
    }
    running.tell();
  }

  /** A share tells its state. @param {Running} running @param {number} index @param {string} said */
  take(running, index, said) {
    const { status, body } = JSON.parse(said);
    if (running.job.status === "done") return;
    if (status >= 400) {
      this.lose(running, index, body.error);
      return;
    }
    if (body.find) {
      running.boxes.forEach((box, other) => other !== index && box.put(body.find));
      return;
    }
    running.states[index] = { ...body, live: withWorking(running.states[index]?.live, body.live) };
    const live = mergeLive(running.states.filter(Boolean).map((state) => state.live));
    const phase = running.states.find((state) => state?.phase)?.phase ?? null;
    running.job = { ...running.job, phase, live };
    running.history.add(live);
    const result = /** @type {JobResult|null} */ (body.result);
    if (result) running.results.push(result);
    // The proof decides, and not a solution that was found for it.
    const answers = running.isProof ? ["unsolvable"] : ["solved", "unsolvable"];
    const decides = result && (answers.includes(result.outcome) || (running.isProof && index === 0));
    if (decides) this.finish(running, mergeResults([result], live, running.notes));
    else if (running.results.length === this.alive(running))
      this.finish(running, mergeResults(running.results, live, running.notes));
    else running.tell();
  }

  /** How many shares run or have ended with a result. @param {Running} running */
  alive(running) {
    return running.shares - running.notes.length;
  }

  /** A share has ended and its worker has nothing to do. @param {Running} running @param {number} index @param {number} bytes */
  idle(running, index, bytes) {
    const hand = running.hands[index];
    running.hands[index] = null;
    if (!hand || bytes > REUSED_BYTES || this.spare.length >= SHARES) {
      hand?.end();
      return;
    }
    hand.onsaid = () => {};
    hand.ondead = () => (this.spare = this.spare.filter((other) => other !== hand));
    this.spare.push(hand);
  }

  /** The worker of a share is dead: the others go on. @param {Running} running @param {number} index @param {string} sentence */
  lose(running, index, sentence) {
    running.hands[index] = null;
    if (running.job.status === "done") return;
    const missing = running.isProof
      ? index === 0
        ? "the proof is missing"
        : "nobody seeks short solutions for the proof"
      : "its share of the strategies is missing";
    running.notes.push(running.shares > 1 ? `${sentence}: ${missing}` : sentence);
    if (running.results.length === this.alive(running))
      this.finish(running, mergeResults(running.results, running.job.live, running.notes));
  }

  /** @param {Running} running @param {JobResult} result @param {string|null} [because] */
  finish(running, result, because = null) {
    running.job = { ...running.job, status: "done", phase: null, result, cancelled_because: because };
    // A worker that has told its result is about to be idle; the others are in the middle of something.
    running.hands.forEach((hand, index) => {
      if (running.states[index]?.status === "done") return;
      hand?.end();
      running.hands[index] = null;
    });
    running.tell();
    this.prepare();
    this.startNext();
  }

  /** @param {Running} running @param {string} because */
  cancel(running, because) {
    if (running.job.status === "done") return;
    this.finish(running, cancelled(running.job.live), because);
  }

  /** @param {string} id */
  find(id) {
    const running = this.known.get(id);
    if (!running) throw new ApiError(404, "there is no such job; it may have been forgotten since");
    running.asked = performance.now();
    return running;
  }

  /** Ends jobs that nobody watches and forgets old ones. */
  keepHouse() {
    const now = performance.now();
    for (const running of this.known.values()) {
      if (running.followers.size === 0 && now - running.asked > HOST.grace_seconds * 1000)
        this.cancel(running, "nobody watched it any more");
    }
    const over = [...this.known.values()].filter(({ job, followers }) => job.status === "done" && followers.size === 0);
    for (const { job } of over.slice(0, Math.max(0, over.length - KEPT))) this.known.delete(job.id);
  }

  list() {
    return [...this.known.values()].map(({ job, followers }) => ({
      id: job.id,
      kind: job.kind,
      status: job.status,
      outcome: job.result?.outcome ?? null,
      watchers: followers.size,
    }));
  }
}

/** The program of the workers. */
async function load() {
  const gone = () => new ApiError(0, "The server does not answer. Is `lurd serve` still running?");
  const url = new URL("../wasm/lurd_bg.wasm", import.meta.url);
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw gone();
  try {
    // Not every file server knows what .wasm is.
    if (response.headers.get("content-type") === "application/wasm")
      return await WebAssembly.compileStreaming(response);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    throw new ApiError(
      0,
      `This browser cannot run the program of the page: ${error instanceof Error ? error.message : error}. A browser of this year can.`,
    );
  }
}

/** Keeps the page for times without a network, where the browser can. */
function keepOffline() {
  // Without it the page works while there is a network.
  navigator.serviceWorker?.register("sw.js").catch(() => {});
}

/** @returns {Promise<Transport>} */
export async function startWorkers() {
  const module = await load();
  keepOffline();
  const questions = new Questions(module);
  const jobs = new Jobs(module, questions);
  return {
    async ask(method, path, body) {
      const [, id] = /^\/jobs\/([^/]+)$/.exec(path) ?? [];
      if (id) {
        const running = jobs.find(id);
        if (method === "DELETE") jobs.cancel(running, "you cancelled it");
        return running.view;
      }
      if (path === "/jobs") return method === "POST" ? jobs.submit(body) : jobs.list();
      return questions.ask(method, path, body);
    },

    follow(id, onstate) {
      const running = jobs.find(id);
      // As a stream does: the state now, with its history, then every change.
      const follower = (/** @type {Job} */ job) =>
        queueMicrotask(() => running.followers.has(follower) && onstate(job));
      running.followers.add(follower);
      follower(running.view);
      return () => {
        running.followers.delete(follower);
        running.asked = performance.now();
      };
    },
  };
}
