// Searches for solutions, one for each position: those that run go on whatever level is looked at, and are found again after
// a reload and in another tab; those that ended keep their answer with what found it.

import { followJob, startJob } from "../lib/api.js";
import { sentenceOf } from "../lib/dom.js";
import { keep, kept, whenKeptElsewhere } from "../lib/keep.js";
import { keyOf } from "../store.js";
import { resultWords } from "./config.js";
import { showConnection } from "./connection.js";
import { keepSolution } from "./solutions.js";

/** @typedef {import("../lib/types.js").Job} Job */
/** @typedef {import("../lib/types.js").JobResult} JobResult */
/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../lib/types.js").Point} Point */
/** @typedef {import("../store.js").Current} Current */
/**
 * A search. `board` is where it begins, `level` what it belongs to, `config` how it was asked to search.
 * @typedef {{id: string, kind: "sokoban"|"improve", board: string, level: Current, title: string, config: Config,
 *            result: JobResult|null, because: string|null, error: string|null}} Kept
 * @typedef {Kept & {job: Job|null, history: Point[], following: import("../lib/api.js").Following|null}} Search
 */

/** How many ended searches keep their answers. */
const ENDED = 40;

/** @type {Search[]} The newest last. */
let searches = [];

/** @param {Search} search */
const changed = (search) => document.dispatchEvent(new CustomEvent("searchchange", { detail: search }));

/** @param {Search} search */
export const isRunning = (search) => search.result === null && search.error === null;

function keepAll() {
  const ended = searches.filter((one) => !isRunning(one)).slice(-ENDED);
  searches = searches.filter((one) => isRunning(one) || ended.includes(one));
  keep(
    "searches",
    searches.map(({ id, kind, board, level, title, config, result, because, error }) => ({
      id,
      kind,
      board,
      level,
      title,
      config,
      result,
      because,
      error,
    })),
  );
}

/** The latest search from a position. @param {string} board */
export const searchOf = (board) => searches.filter((one) => keyOf(one.board) === keyOf(board)).at(-1) ?? null;

/** Those that run. */
export const runningSearches = () => searches.filter(isRunning);

/** @param {Search} search @param {Job} job */
function take(search, job) {
  search.job = job;
  const now = job.live;
  if (job.history) search.history = job.history;
  else if (now.seconds > (search.history.at(-1)?.[0] ?? -1))
    search.history.push([now.seconds, now.expanded, now.generated, now.frontier, now.bytes, now.lower_bound]);
  if (job.status === "done" && !search.result) {
    search.result = job.result;
    search.because = job.cancelled_because;
    if (!search.result) search.error = "The search ended without a word.";
    // A solution from the middle of a game is one of the level with the moves before it.
    if (search.result?.solution)
      keepSolution(search.level, `${search.level.from ?? ""}${search.result.solution}`, "lurd");
    keepAll();
  }
  changed(search);
}

/** @param {Search} search @param {import("../lib/api.js").Following} following */
function follow(search, following) {
  search.following = following;
  following.ended.then(
    (job) => take(search, job),
    (error) => {
      if (!isRunning(search)) return;
      search.error = `The search is gone: ${sentenceOf(error)}`;
      keepAll();
      changed(search);
    },
  );
}

/**
 * Starts a search, or throws why it does not start.
 * @param {Current} level
 * @param {string} board where it begins
 * @param {string} title
 * @param {Config} config
 * @param {Record<string, unknown> & {kind: "sokoban"|"improve"}} body what is asked of the server
 */
export async function startSearch(level, board, title, config, body) {
  /** @type {Search} */
  const search = {
    id: "",
    kind: body.kind,
    board,
    level,
    title,
    config,
    result: null,
    because: null,
    error: null,
    job: null,
    history: [],
    following: null,
  };
  const following = await startJob(
    { ...body, board },
    (job) => {
      search.id = job.id;
      if (!searches.includes(search)) {
        searches.push(search);
        keepAll();
      }
      take(search, job);
    },
    showConnection,
  );
  follow(search, following);
  return search;
}

/** @param {Search} search */
export const cancelSearch = (search) => search.following?.cancel() ?? Promise.resolve();

/** Takes up what was kept: by this page before it was loaded anew, or by another tab. */
export function restoreSearches() {
  const takeUp = () => {
    for (const one of /** @type {Kept[]} */ (kept("searches") ?? [])) {
      const known = searches.find((other) => other.id === one.id);
      // An answer in the words of an older page is left out.
      if (known || (one.result && !one.result.deadlocks)) continue;
      /** @type {Search} */
      const search = { ...one, job: null, history: [], following: null };
      searches.push(search);
      if (isRunning(search))
        followJob(search.id, (job) => take(search, job), showConnection).then((following) => follow(search, following));
      changed(search);
    }
  };
  takeUp();
  whenKeptElsewhere("searches", takeUp);
}

/** What found an answer, in words. @param {Search} search */
export function foundBy({ kind, result, config }) {
  if (!result) return "";
  if (kind === "improve")
    return `Made shorter by a search around the solution before it, ${config.goal === "moves" ? "moves" : "pushes"} first.`;
  return `Found by ${resultWords(result)}.`;
}
