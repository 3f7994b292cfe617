// What all views share: the levels on offer, the one that is looked at, and what was solved before.

/** @typedef {import("./lib/types.js").Level} Level */
/** @typedef {import("./lib/types.js").About} About */

/** @typedef {{title: string, board: string, author: string|null, notes: string[], number: number|null, solution: string|null}} Current */

export const store = {
  /** @type {About} */
  about: /** @type {any} */ (null),
  /** @type {{title: string, levels: Level[]}} */
  collection: { title: "", levels: [] },
  /** @type {{title: string, levels: Level[]}} The levels the server offers. */
  offered: { title: "", levels: [] },
  /** @type {Current} */
  current: { title: "", board: "", author: null, notes: [], number: null, solution: null },
};

/** @param {Partial<Current> & {board: string}} level */
export function setLevel(level) {
  store.current = { title: "", author: null, notes: [], number: null, solution: null, ...level };
  document.dispatchEvent(new CustomEvent("levelchange"));
}

/** @param {Level} level */
export function chooseLevel(level) {
  const solved = level.games.find((game) => game.solves);
  setLevel({ title: level.title ?? `Level ${level.number}`, board: level.board, author: level.author, notes: level.notes, number: level.number, solution: solved?.moves ?? null });
}

/** The level before or after the current one in its collection. @param {number} by */
export function stepLevel(by) {
  const { levels } = store.collection;
  const at = levels.findIndex((level) => level.number === store.current.number);
  const next = levels[at + by];
  if (next) chooseLevel(next);
  return next !== undefined;
}

const KEY = "lurd.best.v1";

/** @typedef {{title: string, board: string, byMoves: string|null, byPushes: string|null}} Kept */

/** @returns {Record<string, Kept>} */
export function keptSolutions() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} lurd */
export const figures = (lurd) => ({ moves: lurd.length, pushes: lurd.replace(/[a-z]/g, "").length });

/** @param {string} board */
const keyOf = (board) => board.replace(/[ \n]+$/, "");

/** @param {string} board @returns {Kept|null} */
export const keptFor = (board) => keptSolutions()[keyOf(board)] ?? null;

/**
 * Keeps a solution if it is better than what is kept, in moves or in pushes.
 * @param {string} board
 * @param {string} title
 * @param {string} lurd
 */
export function keepSolution(board, title, lurd) {
  const all = keptSolutions();
  const kept = all[keyOf(board)] ?? { title, board, byMoves: null, byPushes: null };
  const now = figures(lurd);
  const better = (/** @type {string|null} */ old, /** @type {"moves"|"pushes"} */ first, /** @type {"moves"|"pushes"} */ then) => {
    if (!old) return true;
    const before = figures(old);
    return now[first] < before[first] || (now[first] === before[first] && now[then] < before[then]);
  };
  const [moves, pushes] = [better(kept.byMoves, "moves", "pushes"), better(kept.byPushes, "pushes", "moves")];
  if (moves) kept.byMoves = lurd;
  if (pushes) kept.byPushes = lurd;
  if (moves || pushes) {
    all[keyOf(board)] = kept;
    try {
      localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }
  return moves || pushes;
}
