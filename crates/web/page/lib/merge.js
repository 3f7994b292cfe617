// The states of the shares of a race, told as those of one job.

/** @typedef {import("./types.js").Job} Job */
/** @typedef {import("./types.js").JobResult} JobResult */
/** @typedef {import("./types.js").Live} Live */
/** @typedef {import("./types.js").Best} Best */

/** @param {Record<string, number>[]} counts */
function sumByName(counts) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** @template T @param {T[]} all @param {(one: T) => number} number */
const sumOf = (all, number) => all.reduce((sum, one) => sum + number(one), 0);

/** @param {(number|null)[]} all */
const highest = (all) => all.reduce((most, one) => (most === null || (one !== null && one > most) ? one : most), null);

/** The position with most boxes in place, and of those the one with least to go. @param {Live[]} lives */
function bestOf(lives) {
  const all = /** @type {Best[]} */ (lives.map((live) => live.best).filter(Boolean));
  return all.reduce(
    (/** @type {Best|null} */ best, one) =>
      !best || one.in_place > best.in_place || (one.in_place === best.in_place && one.h < best.h) ? one : best,
    null,
  );
}

/**
 * A worker has one thread: between two slices, when it tells its state, every strategy waits. Those that have moved on since
 * it told the last one are at work.
 * @param {Live|undefined} before
 * @param {Live} now
 * @returns {Live}
 */
export function withWorking(before, now) {
  const strategies = now.strategies.map((strategy, index) => {
    const moved = strategy.generated > (before?.strategies[index]?.generated ?? 0);
    return strategy.state === "waiting" && moved ? { ...strategy, state: /** @type {const} */ ("working") } : strategy;
  });
  return { ...now, strategies };
}

/** @param {Live[]} lives @returns {Live} */
export function mergeLive(lives) {
  if (lives.length === 1 && lives[0]) return lives[0];
  const heats = /** @type {number[][]} */ (lives.map((live) => live.heat).filter(Boolean));
  return {
    seconds: Math.max(0, ...lives.map((live) => live.seconds)),
    expanded: sumOf(lives, (live) => live.expanded),
    generated: sumOf(lives, (live) => live.generated),
    frontier: sumOf(lives, (live) => live.frontier),
    bytes: sumOf(lives, (live) => live.bytes),
    lower_bound: highest(lives.map((live) => live.lower_bound)),
    pruned: sumByName(lives.map((live) => live.pruned)),
    best: bestOf(lives),
    heat: heats[0]?.map((_, cell) => Math.max(...heats.map((heat) => heat[cell] ?? 0))) ?? null,
    strategies: lives.flatMap((live) => live.strategies),
  };
}

/** Which end counts where no share has an answer: a limit says more than having nothing left to try. */
const ORDER = ["solved", "unsolvable", "stopped", "failed"];

/**
 * The result of a race whose shares have ended, or of which one has the answer.
 * @param {JobResult[]} results of the shares that have ended
 * @param {Live} live all shares together
 * @param {string[]} notes
 * @returns {JobResult}
 */
export function mergeResults(results, live, notes) {
  const rank = (/** @type {JobResult} */ one) => ORDER.indexOf(one.outcome) - (one.stopped_by ? 0.5 : 0);
  const [first] = [...results].sort((a, b) => rank(a) - rank(b));
  const counts = {
    expanded: live.expanded,
    generated: live.generated,
    pruned: live.pruned,
    seconds: live.seconds,
    peak_bytes: live.bytes,
  };
  if (!first) return { ...ended("failed"), ...counts, notes };
  const all = results.length === 1 ? {} : counts;
  return { ...first, ...all, notes: [...new Set([...first.notes, ...notes])] };
}

/** A result that says no more than how it ended. @param {"cancelled"|"failed"} outcome @returns {JobResult} */
export function ended(outcome) {
  return {
    level: null,
    title: "",
    outcome,
    stopped_by: null,
    proof: "none",
    solution: null,
    moves: null,
    pushes: null,
    lower_bound: null,
    algorithm: "",
    formulation: "",
    heuristic: "",
    deadlocks: [],
    expanded: 0,
    generated: 0,
    duplicates: 0,
    reopened: 0,
    peak_frontier: 0,
    peak_bytes: 0,
    heuristic_bytes: 0,
    pruned: {},
    seconds: 0,
    goal_proof: null,
    then_proof: null,
    notes: [],
    rating: null,
    made: null,
  };
}

/** What a job that was ended in the middle had come to. @param {Live} live @returns {JobResult} */
export function cancelled(live) {
  const { expanded, generated, pruned, seconds, lower_bound, bytes } = live;
  return { ...ended("cancelled"), expanded, generated, pruned, seconds, lower_bound, peak_bytes: bytes };
}
