// A board of sliding tiles: its moves and how it looks.

import { each, h } from "../lib/dom.js";

/** @type {Record<string, [number, number]>} Where the blank goes: rows down, columns right. */
export const STEPS = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
  "up-left": [-1, -1],
  "up-right": [-1, 1],
  "down-left": [1, -1],
  "down-right": [1, 1],
};

/** @param {number} side */
export const sideOf = (side) => Math.round(Math.sqrt(side));

/**
 * The board after the blank moves; null if it cannot.
 * @param {number[]} tiles
 * @param {string} direction
 */
export function moved(tiles, direction) {
  const side = sideOf(tiles.length);
  const blank = tiles.indexOf(0);
  const [down, right] = STEPS[direction] ?? [0, 0];
  const [row, column] = [Math.floor(blank / side) + down, (blank % side) + right];
  if (row < 0 || column < 0 || row >= side || column >= side) return null;
  const next = tiles.slice();
  next[blank] = /** @type {number} */ (tiles[row * side + column]);
  next[row * side + column] = 0;
  return next;
}

/**
 * A board of tiles as buttons, or as a picture of one.
 * @param {string} label
 * @param {() => {tiles: number[], goal: number[]}} board
 * @param {((cell: number) => void)|null} onclick
 * @param {Record<string, any>} [more]
 */
export function tileBoard(label, board, onclick, more) {
  const lines = () => `repeat(${sideOf(board().tiles.length)}, 1fr)`;
  const cells = each(
    () => board().tiles,
    (_, cell) => cell,
    (tile, cell) => {
      const home = () => tile.value !== 0 && board().goal[cell] === tile.value;
      const kind = () => `${tile.value === 0 ? "blank" : ""}${home() ? " home" : ""}`;
      const words = () => tile.value || "";
      if (!onclick) return h("div.tile", { class: kind }, words);
      const said = () => (tile.value === 0 ? "blank" : `${tile.value}${home() ? ", in its place" : ""}`);
      return h("button.tile", { type: "button", class: kind, "aria-label": said, onclick: () => onclick(cell) }, words);
    },
  );
  return h(
    "div.tile-board",
    {
      class: onclick ? "" : "small",
      role: onclick ? "group" : "img",
      "aria-label": () => (onclick ? label : `${label}: ${board().tiles.join(" ")}`),
      style: () => ({ gridTemplateColumns: lines(), gridTemplateRows: lines() }),
      ...more,
    },
    cells,
  );
}
