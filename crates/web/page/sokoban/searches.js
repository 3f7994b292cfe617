// Searches for solutions, one for each position: those that run go on whatever level is looked at, and are found again after
// a reload and in another tab; those that ended keep their answer with what found it.

import { followJob, startJob } from "../lib/api.js";
import { value } from "../lib/core.js";
import { sentenceOf } from "../lib/dom.js";
import { History } from "../lib/history.js";
import { keep, kept, whenKeptElsewhere } from "../lib/keep.js";
import { keyOf } from "../store.js";
import { resultWords } from "./config.js";
import { keepSolution } from "./solutions.js";

/** @typedef {import("../lib/types.js").Job} Job */
/** @typedef {import("../lib/types.js").JobResult} JobResult */
/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../store.js").Current} Current */
/**
 * A search. `board` is where it begins, `level` what it belongs to, `config` how it was asked to search.
 * @typedef {{id: string, kind: "sokoban"|"improve", board: string, level: Current, title: string, config: Config,
 *            result: JobResult|null, because: string|null, error: string|null}} Kept
 * @typedef {Kept & {job: Job|null, history: History, following: import("../lib/api.js").Following|null}} Search
 */

/** How many ended searches keep their answers. */
const ENDED = 40;

/** The newest last; a search that changes is another object of the same id. */
const searches = value(/** @type {Search[]} */ ([]));

/** @param {string} id */
const known = (id) => searches.now.find((one) => one.id === id);

/** @param {Search} search */
export const isRunning = (search) => search.result === null && search.error === null;

/** @param {string} id @param {Partial<Search>} changes */
function change(id, changes) {
  searches.value = searches.now.map((one) => (one.id === id ? { ...one, ...changes } : one));
}

function keepAll() {
  const ended = searches.now.filter((one) => !isRunning(one)).slice(-ENDED);
  searches.value = searches.now.filter((one) => isRunning(one) || ended.includes(one));
  keep(
    "searches",
    searches.now.map(({ job: _job, history: _history, following: _following, ...left }) => left),
  );
}

/** The latest search from a position. @param {string} board */
export const searchOf = (board) => searches.value.filter((one) => keyOf(one.board) === keyOf(board)).at(-1) ?? null;

/** The latest search from a position that found a solution. @param {string} board */
export const solvedSearchOf = (board) =>
  searches.value.filter((one) => one.result?.solution && keyOf(one.board) === keyOf(board)).at(-1) ?? null;

/** Those that run. */
export const runningSearches = () => searches.value.filter(isRunning);

/** @param {string} id @param {Partial<Search>} how */
function end(id, how) {
  const search = known(id);
  if (!search || !isRunning(search)) return;
  change(id, how);
  // A solution from the middle of a game is one of the level with the moves before it.
  const found = how.result?.solution;
  if (found) keepSolution(search.level, `${search.level.from ?? ""}${found}`, "lurd");
  keepAll();
  document.dispatchEvent(new CustomEvent("searchend", { detail: known(id) }));
}

/** @param {string} id @param {Job} job */
function take(id, job) {
  const search = known(id);
  if (!search) return;
  const history = job.history ? new History(job.history) : search.history;
  if (!job.history) history.add(job.live);
  change(id, { job, history });
  if (job.status !== "done") return;
  const error = job.result ? null : "The search ended without a word.";
  end(id, { result: job.result, because: job.cancelled_because, error });
}

/** @param {string} id @param {import("../lib/api.js").Following} following */
function follow(id, following) {
  change(id, { following });
  following.ended.catch((error) => end(id, { error: `The search is gone: ${sentenceOf(error)}` }));
}

/**
 * Starts a search, or throws why it does not start.
 * @param {Current} level
 * @param {string} board where it begins
 * @param {string} title
 * @param {Config} config
 * @param {Record<string, unknown>} body what is asked of the server
 */
export async function startSearch(level, board, title, config, body) {
  const kind = body.kind === "improve" ? "improve" : "sokoban";
  const taken = (/** @type {Job} */ job) => {
    if (!known(job.id)) {
      const open = { result: null, because: null, error: null, job: null, history: new History(), following: null };
      searches.value = [...searches.now, { id: job.id, kind, board, level, title, config, ...open }];
      keepAll();
    }
    take(job.id, job);
  };
  const following = await startJob({ ...body, board }, taken);
  follow(following.id, following);
}

/** @param {Search} search */
export const cancelSearch = (search) => search.following?.cancel() ?? Promise.resolve();

/** Takes up what was kept: by this page before it was loaded anew, or by another tab. */
export function restoreSearches() {
  const takeUp = () => {
    for (const one of /** @type {Kept[]} */ (kept("searches") ?? [])) {
      // An answer in the words of an older page is left out.
      if (known(one.id) || (one.result && !one.result.deadlocks)) continue;
      const search = { ...one, job: null, history: new History(), following: null };
      searches.value = [...searches.now, search];
      if (isRunning(search))
        followJob(one.id, (job) => take(one.id, job)).then((following) => follow(one.id, following));
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
