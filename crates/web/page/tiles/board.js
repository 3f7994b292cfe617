// A board of sliding tiles: its moves and how it looks.

import { fill, h } from "../lib/dom.js";

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
 * @param {((cell: number) => void)|null} onclick
 */
export function tileBoard(label, onclick) {
  const element = h("div", { class: `tile-board${onclick ? "" : " small"}`, role: "group", "aria-label": label });
  /** @param {number[]} tiles @param {number[]} goal */
  const show = (tiles, goal) => {
    const side = sideOf(tiles.length);
    element.style.gridTemplateColumns = `repeat(${side}, 1fr)`;
    element.style.gridTemplateRows = `repeat(${side}, 1fr)`;
    const focused = [...element.children].indexOf(/** @type {Element} */ (document.activeElement));
    fill(
      element,
      tiles.map((tile, cell) => {
        const home = tile !== 0 && goal[cell] === tile;
        const name = `tile${tile === 0 ? " blank" : ""}${home ? " home" : ""}`;
        if (!onclick) return h("div", { class: name }, tile === 0 ? "" : tile);
        return h(
          "button",
          {
            type: "button",
            class: name,
            "aria-label": tile === 0 ? "blank" : `${tile}${home ? ", in its place" : ""}`,
            onclick: () => onclick(cell),
          },
          tile === 0 ? "" : tile,
        );
      }),
    );
    if (!onclick) element.setAttribute("aria-label", `${label}: ${tiles.join(" ")}`);
    else if (focused >= 0) /** @type {HTMLElement} */ (element.children[focused])?.focus();
  };
  if (!onclick) element.setAttribute("role", "img");
  return { element, show };
}
