// The best solutions of each level, in the browser: the player's own, the solver's, and those of unknown origin kept
// apart. Every one has been replayed by the referee before it is kept.

import { checkSolutions, post, readLevels } from "../lib/api.js";
import { plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { keyOf } from "../store.js";

/** @typedef {{byMoves: string, byPushes: string}} Pair */
/** @typedef {"you"|"lurd"|"other"} Finder */
/** @typedef {{title: string, board: string} & Partial<Record<Finder, Pair>>} Entry */

/** @type {Finder[]} */
export const FINDERS = ["you", "lurd", "other"];
/** @type {Record<Finder, string>} */
export const FINDER_WORDS = { you: "Solved by you", lurd: "Solved by lurd", other: "From a file or an earlier page" };

/** Where pages before this one kept them, the player's and the solver's alike. */
const EARLIER = "lurd.best.v1";

/** @returns {Record<string, Entry>} */
export function allSolutions() {
  const all = kept("solutions");
  if (all) return all;
  /** @type {Record<string, Entry>} */
  const taken = {};
  try {
    for (const [key, entry] of Object.entries(JSON.parse(localStorage.getItem(EARLIER) ?? "{}"))) {
      const { title, board, byMoves, byPushes } = /** @type {any} */ (entry);
      if (byMoves && byPushes) taken[key] = { title, board, other: { byMoves, byPushes } };
    }
  } catch {
    // Nothing readable was kept.
  }
  return taken;
}

/** @param {string} lurd */
export const figures = (lurd) => ({ moves: lurd.length, pushes: lurd.replace(/[a-z]/g, "").length });

/** @param {string} board @returns {Entry|null} */
export const solutionsOf = (board) => allSolutions()[keyOf(board)] ?? null;

/** The best kept solution by pushes, whoever found it. @param {string} board */
export function bestOf(board) {
  const entry = solutionsOf(board);
  const all = FINDERS.flatMap((finder) => entry?.[finder]?.byPushes ?? []);
  return all.sort((a, b) => figures(a).pushes - figures(b).pushes || a.length - b.length)[0] ?? null;
}

/**
 * Keeps a solution if it is better than what its finder has, in moves or in pushes.
 * @param {{board: string, title: string}} level
 * @param {string} lurd
 * @param {Finder} finder
 */
export function keepSolution({ board, title }, lurd, finder) {
  const all = allSolutions();
  const entry = all[keyOf(board)] ?? { title, board };
  const old = entry[finder];
  const now = figures(lurd);
  const better = (
    /** @type {string|undefined} */ before,
    /** @type {"moves"|"pushes"} */ first,
    /** @type {"moves"|"pushes"} */ then,
  ) => {
    if (!before) return true;
    const was = figures(before);
    return now[first] < was[first] || (now[first] === was[first] && now[then] < was[then]);
  };
  const [moves, pushes] = [better(old?.byMoves, "moves", "pushes"), better(old?.byPushes, "pushes", "moves")];
  if (!moves && !pushes) return false;
  entry[finder] = {
    byMoves: moves ? lurd : /** @type {Pair} */ (old).byMoves,
    byPushes: pushes ? lurd : /** @type {Pair} */ (old).byPushes,
  };
  all[keyOf(board)] = entry;
  keep("solutions", all);
  return true;
}

/** @type {Record<Finder, string>} What the solutions are called in a file, and known by when they come back. */
const TITLES = { you: "Solution by you", lurd: "Solution by lurd", other: "Solution" };

/** All kept solutions as a file; null where there are none. @returns {Promise<string|null>} */
export async function exportSolutions() {
  const levels = Object.values(allSolutions()).map((entry) => ({
    board: entry.board,
    title: entry.title || undefined,
    solutions: FINDERS.flatMap((finder) =>
      [...new Set([entry[finder]?.byPushes, entry[finder]?.byMoves])].flatMap((moves) =>
        moves ? [{ title: TITLES[finder], moves }] : [],
      ),
    ),
  }));
  return levels.length ? (await post("/levels/write", { format: "sok", levels })).text : null;
}

/** Takes the solutions out of a file, those that the referee passes. @param {File} file @returns {Promise<string>} what came of it */
export async function importSolutions(file) {
  const { levels } = await readLevels(file);
  let [taken, known, refused] = [0, 0, 0];
  for (const level of levels) {
    const games = level.games.slice(0, 64);
    if (!games.length) continue;
    const verdicts = await checkSolutions(
      level.board,
      games.map((game) => game.moves),
    );
    games.forEach((game, index) => {
      const verdict = verdicts[index];
      if (!verdict?.solves || !verdict.lurd) {
        refused += 1;
        return;
      }
      const finder = FINDERS.find((one) => game.title.trim().toLowerCase() === TITLES[one].toLowerCase()) ?? "other";
      if (keepSolution({ board: level.board, title: level.title ?? `Level ${level.number}` }, verdict.lurd, finder))
        taken += 1;
      else known += 1;
    });
  }
  const parts = [`${plural(taken, "solution")} taken in`];
  if (known) parts.push(`${plural(known, "one", "ones")} no better than what is kept`);
  if (refused) parts.push(`${plural(refused, "one", "ones")} left out because the moves do not solve the level`);
  return `${parts.join(", ")}.`;
}
