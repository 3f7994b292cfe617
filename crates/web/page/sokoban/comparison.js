// A comparison: configurations run on one level, with all that names them. What was run stays what it was, whatever is
// chosen meanwhile.

import { followJob, startJob } from "../lib/api.js";
import { barCharts } from "../lib/chart.js";
import { sentenceOf } from "../lib/dom.js";
import { bytes, count, short, time } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { fileName } from "../lib/save.js";
import { collectionTitle, startBoard, startTitle, store } from "../store.js";
import { configWords } from "./config.js";
import { searchRequest } from "./contract.js";

/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../lib/types.js").Job} Job */
/** @typedef {import("../lib/types.js").JobResult} JobResult */
/** @typedef {{config: Config, id: string|null, result: JobResult|null, because: string|null, error: string|null, job: Job|null, following: import("../lib/api.js").Following|null}} Entry */

/** Columns of a file that name a row, and those that a result fills. */
const NAMES = ["level", "collection", "comparison", "configuration"];
/** @type {[string, (result: JobResult) => unknown][]} */
const FIGURES = [
  ["detectors", (result) => result.deadlocks.join(" ")],
  ["outcome", (result) => result.outcome],
  ["proof", (result) => result.proof],
  ["pushes", (result) => result.pushes],
  ["moves", (result) => result.moves],
  ["expanded", (result) => result.expanded],
  ["generated", (result) => result.generated],
  ["duplicates", (result) => result.duplicates],
  ["cut", (result) => cutsOf(result.pruned)],
  ["peak_frontier", (result) => result.peak_frontier],
  ["peak_bytes", (result) => result.peak_bytes],
  ["heuristic_bytes", (result) => result.heuristic_bytes],
  ["seconds", (result) => result.seconds],
];

/** Streams that are open at once: a browser opens six connections to a server, and questions need some of them. */
const STREAMS = 3;

/** @param {string} text */
const csvCell = (text) => {
  // As the command line writes it: no cell is a formula for a program that calculates.
  const safe = text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "?").replace(/^[=+@-]/, "'$&");
  return /[",]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
};

/** @param {Record<string, number>} reasons */
export const cutsOf = (reasons) => Object.values(reasons).reduce((sum, number) => sum + number, 0);

export class Comparison {
  /**
   * @param {{title: string, collection: string, board: string, preset: string, words: string, together: boolean, limits: import("../lib/types.js").JobLimits}} about
   * @param {Config[]} configs
   * @param {() => void} onchange
   */
  constructor(about, configs, onchange) {
    this.about = about;
    /** @type {Entry[]} */
    this.entries = configs.map((config) => ({
      config,
      id: null,
      result: null,
      because: null,
      error: null,
      job: null,
      following: null,
    }));
    this.onchange = onchange;
    this.running = false;
  }

  /**
   * A comparison of the level that is looked at.
   * @param {{preset: string, words: string, together: boolean, limits: import("../lib/types.js").JobLimits}} how
   * @param {Config[]} configs
   * @param {() => void} onchange
   */
  static here(how, configs, onchange) {
    return new Comparison(
      { title: startTitle(), collection: collectionTitle(), board: startBoard(), ...how },
      configs,
      onchange,
    );
  }

  /** The last comparison of this browser; null where there is none. @param {() => void} onchange */
  static restored(onchange) {
    const left = kept("compare");
    if (!left?.about || !Array.isArray(left.entries)) return null;
    // Results in the words of an older page are left out.
    if (left.entries.some((/** @type {Entry} */ { result }) => result && !result.deadlocks)) return null;
    const comparison = new Comparison(left.about, [], onchange);
    comparison.entries = left.entries.map((/** @type {Entry} */ entry) => ({ ...entry, job: null, following: null }));
    return comparison;
  }

  keep() {
    keep("compare", {
      about: this.about,
      entries: this.entries.map(({ config, id, result, because, error }) => ({ config, id, result, because, error })),
    });
  }

  /** Whether something is left to be run. */
  get isOpen() {
    return this.entries.some((entry) => !entry.result && !entry.error);
  }

  /** Runs what is left, a few at a time. */
  async run() {
    this.running = true;
    this.keep();
    this.onchange();
    const waiting = this.entries.filter((entry) => !entry.result && !entry.error);
    const line = async () => {
      for (let entry = waiting.shift(); entry && this.running; entry = waiting.shift()) await this.one(entry);
    };
    const lines = this.about.together ? Math.min(STREAMS, store.about.limits.running) : 1;
    await Promise.all([...Array(lines)].map(line));
    if (!this.running)
      for (const entry of this.entries) if (!entry.result) entry.error ??= "Cancelled before its turn.";
    this.running = false;
    this.keep();
    this.onchange();
  }

  /** @param {Entry} entry */
  async one(entry) {
    const take = (/** @type {Job} */ job) => {
      entry.job = job;
      entry.id = job.id;
      this.onchange();
    };
    try {
      const { board, limits } = this.about;
      entry.following = await (entry.id
        ? followJob(entry.id, take)
        : startJob(searchRequest(board, entry.config, limits), take));
      if (!this.running) entry.following.cancel().catch(() => {});
      this.keep();
      entry.job = await entry.following.ended;
      entry.result = entry.job.result;
      entry.because = entry.job.cancelled_because;
    } catch (error) {
      entry.error = sentenceOf(error);
    }
    this.keep();
    this.onchange();
  }

  cancel() {
    this.running = false;
    for (const entry of this.entries) if (!entry.result) entry.following?.cancel().catch(() => {});
  }

  /** What all figures belong to. */
  get title() {
    const { title, collection, preset } = this.about;
    return `${title}${collection ? ` (${collection})` : ""} · ${preset}`;
  }

  get fileName() {
    return `${fileName(this.about.title.replace(/^\d+\. /, ""))}-comparison`;
  }

  /** Detectors that one configuration has and others have not. @param {Entry} entry */
  missing(entry) {
    const used = entry.result?.deadlocks;
    if (!used || entry.config.deadlocks) return [];
    const union = new Set(
      this.entries.flatMap((other) => (other.config.deadlocks ? [] : (other.result?.deadlocks ?? []))),
    );
    return [...union].filter((name) => !used.includes(name));
  }

  /** What a configuration is called beside the others: detectors that all share are said once, above. @param {Entry} entry */
  label(entry) {
    const [first] = this.entries;
    const shared =
      this.about.words !== "" &&
      this.entries.every((other) => JSON.stringify(other.config.deadlocks) === JSON.stringify(first?.config.deadlocks));
    return configWords(shared ? { ...entry.config, deadlocks: undefined } : entry.config);
  }

  /** @param {(entry: Entry) => string} label */
  groups(label) {
    const bars = (/** @type {(entry: Entry) => number|null} */ value, /** @type {(n: number) => string} */ words) =>
      this.entries.map((entry) => {
        const n = value(entry);
        return {
          label: label(entry),
          value: n,
          text: n === null ? "none" : `${words(n)}${entry.result && !entry.result.solution ? " (not solved)" : ""}`,
        };
      });
    return [
      {
        title: "Nodes generated",
        bars: bars((entry) => entry.result?.generated ?? entry.job?.live.generated ?? null, short),
      },
      { title: "Time", bars: bars((entry) => entry.result?.seconds ?? entry.job?.live.seconds ?? null, time) },
      { title: "Memory", bars: bars((entry) => entry.result?.peak_bytes ?? entry.job?.live.bytes ?? null, bytes) },
      { title: "Length in pushes", bars: bars((entry) => entry.result?.pushes ?? null, count) },
      { title: "Length in moves", bars: bars((entry) => entry.result?.moves ?? null, count) },
    ];
  }

  /** @param {boolean} logarithmic */
  svg(logarithmic) {
    const { picture, width, height } = barCharts(
      this.groups((entry) => configWords(entry.config)),
      { logarithmic, heading: this.title },
    );
    picture.removeAttribute("class");
    return { text: new XMLSerializer().serializeToString(picture), width, height };
  }

  csv() {
    const { title, collection, preset } = this.about;
    const rows = this.entries.map(({ config, result, error }) => {
      const cells = FIGURES.map(([name, figure]) => (result ? figure(result) : name === "outcome" ? error : ""));
      return [title, collection, preset, configWords(config), ...cells];
    });
    const all = [[...NAMES, ...FIGURES.map(([name]) => name)], ...rows];
    return all.map((row) => `${row.map((cell) => csvCell(String(cell ?? ""))).join(",")}\n`).join("");
  }
}
