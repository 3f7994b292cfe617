// What all views share: the levels on offer, the collection that is open, the level that is looked at.

import { value } from "./lib/core.js";
import { fileName } from "./lib/save.js";
import { kept, keep } from "./lib/keep.js";
import { Position } from "./sokoban/position.js";

/** @typedef {import("./lib/types.js").Level} Level */
/** @typedef {import("./lib/types.js").About} About */
/** @typedef {import("./lib/shelf.js").Shelved} Shelved */

/**
 * The level that is looked at. `collection` and `number` say where it is from; a level of its own has neither. `from` are
 * moves after which Solve, Inspect and Compare begin.
 * @typedef {{title: string, board: string, author: string|null, notes: string[], number: number|null,
 *            collection: string|null, solution: string|null, from: string|null}} Current
 */

/** @type {Current} */
const NONE = {
  title: "",
  board: "",
  author: null,
  notes: [],
  number: null,
  collection: null,
  solution: null,
  from: null,
};

const current = value(NONE);
const collection = value(/** @type {Shelved} */ ({ id: "", title: "", levels: [] }));
const shelf = value("/levels");
const lesson = value(/** @type {string} */ (kept("lesson") ?? "push"));

export const store = {
  /** @type {About} */
  about: /** @type {any} */ (null),
  /** @type {Shelved} The levels the server offers. */
  offered: { id: "", title: "", levels: [] },
  /** The collection that is open. */
  get collection() {
    return collection.value;
  },
  set collection(next) {
    collection.value = next;
  },
  /** The level that is looked at. */
  get current() {
    return current.value;
  },
  set current(next) {
    current.value = next;
  },
  /** The place in the library: what stands behind `#/library` in the address. */
  get shelf() {
    return shelf.value;
  },
  set shelf(next) {
    shelf.value = next;
  },
  /** The name of the lesson that is open. */
  get lesson() {
    return lesson.value;
  },
  set lesson(next) {
    lesson.value = next;
  },
};

/** @param {string} option */
const optionOf = (option) => store.about.options.find(({ name }) => name === option);

/** What an option of a search can be. @param {string} option @returns {import("./lib/types.js").Choice[]} */
export const choices = (option) => optionOf(option)?.choices ?? [];

/** What may stand behind the `+` of such a choice. @param {string} option @returns {import("./lib/types.js").Choice[]} */
export const parts = (option) => optionOf(option)?.parts ?? [];

/** What a board is called by: the same for all ways to write it. @param {string} board */
export const keyOf = (board) => board.replace(/[ \n]+$/, "");

/** A name for a collection: its title for people, its levels for the rest. @param {string} title @param {Level[]} levels */
export function nameCollection(title, levels) {
  let hash = 0x811c9dc5;
  for (const { board } of levels)
    for (const c of `${keyOf(board)}|`) hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193) >>> 0;
  return `${fileName(title).slice(0, 40)}-${hash.toString(16).padStart(8, "0")}`;
}

/**
 * Looks at another level. `by` says whether a person chose it or the address did, which then need not be written again.
 * @param {Partial<Current> & {board: string}} level
 * @param {"choice"|"address"} [by]
 */
export function setLevel(level, by = "choice") {
  store.current = { ...NONE, ...level };
  document.dispatchEvent(new CustomEvent("levelchange", { detail: { by } }));
}

/** @param {Level} level @returns {Current} */
export function levelOf(level) {
  const solved = level.games.find((game) => game.solves);
  return {
    title: level.title ?? `Level ${level.number}`,
    board: level.board,
    author: level.author,
    notes: level.notes,
    number: level.number,
    collection: store.collection.id,
    solution: solved?.moves ?? null,
    from: null,
  };
}

/** @param {Level} level @param {"choice"|"address"} [by] */
export const chooseLevel = (level, by) => setLevel(levelOf(level), by);

/** The level before or after the current one in its collection. @param {number} by */
export function stepLevel(by) {
  const { levels, id } = store.collection;
  const at = store.current.collection === id ? levels.findIndex((level) => level.number === store.current.number) : -1;
  const next = at < 0 ? undefined : levels[at + by];
  if (next) chooseLevel(next);
  return next !== undefined;
}

/** Where Solve, Inspect and Compare begin: the level, or a position of a game of it. @param {Current} [level] */
export function startBoard(level = store.current) {
  if (!level.from) return level.board;
  const position = Position.parse(level.board);
  for (const letter of level.from)
    position.step(/** @type {import("./sokoban/position.js").Direction} */ (letter.toLowerCase()));
  return position.toString();
}

/** How the position that is searched is called. @param {Current} [level] */
export function startTitle(level = store.current) {
  const name = level.number === null ? level.title || "Your level" : `${level.number}. ${level.title}`;
  return level.from ? `${name}, from here (after ${level.from.length} moves)` : name;
}

/** The title of the collection a level is from; "" for a level of its own. @param {Current} [level] */
export function collectionTitle(level = store.current) {
  if (level.collection === null) return "";
  return level.collection === store.offered.id
    ? store.offered.title
    : level.collection === store.collection.id
      ? store.collection.title
      : "";
}

/** What the page was at when it was left. */
export const lastPlace = () => /** @type {string|null} */ (kept("place"));
/** @param {string} hash */
export const keepPlace = (hash) => keep("place", hash);
