// A level as a file: picture, animation.

import { animate } from "../lib/gif.js";
import { h } from "../lib/dom.js";
import { pngOfCanvas } from "../lib/save.js";
import { colours } from "./board.js";
import { canvasPen, paintBoard } from "./paint.js";

/** @typedef {import("./position.js").Direction} Direction */
/** @typedef {import("./position.js").Position} Position */

/** Moves of the longest animation: more would take minutes, and most viewers would not show it. */
export const LONGEST_GIF = 20_000;

/** @param {Position} position @returns {Promise<Blob|null>} */
export async function pngOf(position) {
  const canvas = h("canvas", { width: position.width * 64, height: position.height * 64 });
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.fillStyle = colours().background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  paintBoard(canvasPen(context), position, 64, colours());
  return pngOfCanvas(canvas);
}

/**
 * An animation of a solution.
 * @param {Position} position
 * @param {string} letters
 * @param {(part: number) => void} progress
 * @returns {Promise<Blob|null>}
 */
export async function gifOf(position, letters, progress) {
  const cell = Math.max(8, Math.min(32, Math.floor(640 / Math.max(position.width, position.height))));
  const canvas = h("canvas", { width: position.width * cell, height: position.height * cell });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  const actor = position.clone();
  const picture = (/** @type {number} */ index) => {
    if (index > 0) actor.step(/** @type {Direction} */ (/** @type {string} */ (letters[index - 1]).toLowerCase()));
    context.fillStyle = colours().background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    paintBoard(canvasPen(context), actor, cell, colours());
    return context.getImageData(0, 0, canvas.width, canvas.height);
  };
  const delay = (/** @type {number} */ index) => (index === 0 || index === letters.length ? 120 : 14);
  return animate(canvas.width, canvas.height, letters.length + 1, picture, delay, (done) =>
    progress(done / letters.length),
  );
}
