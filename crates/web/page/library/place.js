// Places in the library, as addresses have them: the levels a filter finds, a level, the batch runs, a run, two runs compared.

import { value } from "../lib/core.js";
import { store } from "../store.js";

/** Counts the changes of the library: who reads it hears of them. */
export const library = value(0);

/** The parts of a filter, in the order of addresses. */
const PARTS = /** @type {const} */ (["text", "collection", "state", "boxes", "squares", "grades", "sort", "page"]);

/** @typedef {Partial<Record<typeof PARTS[number], string>>} Filter What is left out finds everything. */

/**
 * @typedef {{kind: "levels", filter: Filter} | {kind: "level", key: string, turn: string|null} | {kind: "runs"}
 *           | {kind: "run", id: string} | {kind: "compare", a: string|null, b: string|null}} Place
 */

/** @param {string} [shelf] @returns {Place} */
export function placeOf(shelf = store.shelf) {
  const [path = "", rest = ""] = shelf.split("?");
  const [, kind, first, second] = path.split("/");
  const parts = new URLSearchParams(rest);
  if (kind === "level" && first) return { kind, key: first, turn: parts.get("turn") };
  if (kind === "run" && first) return { kind, id: first };
  if (kind === "compare") return { kind, a: first ?? null, b: second ?? null };
  if (kind === "runs") return { kind };
  /** @type {Filter} */
  const filter = {};
  for (const name of PARTS) {
    const value = parts.get(name);
    if (value) filter[name] = value;
  }
  return { kind: "levels", filter };
}

/** @param {Filter} filter */
export function shelfOfFilter(filter) {
  const parts = new URLSearchParams();
  for (const name of PARTS) if (filter[name]) parts.set(name, /** @type {string} */ (filter[name]));
  const rest = parts.toString();
  return `/levels${rest ? `?${rest}` : ""}`;
}

/** A filter without its order and page: which levels it finds. @param {Filter} filter */
export function levelsOf({ sort: _order, page: _page, ...filter }) {
  return filter;
}

/** @param {string} key @param {number} [turn] */
export const levelShelf = (key, turn) => `/level/${key}${turn === undefined ? "" : `?turn=${turn}`}`;

/** The address of a place. @param {string} shelf */
export const hrefOf = (shelf) => `#/library${shelf}`;

/** Goes to a place; where it only grows out of the one before, that one is not kept in the history. @param {string} shelf @param {"push"|"replace"} [how] */
export function goTo(shelf, how = "push") {
  if (shelf === store.shelf) return;
  store.shelf = shelf;
  if (how === "push") history.pushState(null, "", hrefOf(shelf));
  else history.replaceState(null, "", hrefOf(shelf));
}
