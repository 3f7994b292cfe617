// A level in an address: the board with counts, rows parted by "!", so that a link carries it whole.
// What comes after "#" never leaves the browser.

import { lettersOf } from "./position.js";

/** @type {Record<string, string>} */
const TO = { "#": "w", " ": "-", ".": "g", $: "b", "*": "x", "@": "p", "+": "q" };
const FROM = Object.fromEntries(Object.entries(TO).map(([cell, letter]) => [letter, cell]));

/** @param {string} letters */
const packed = (letters) => letters.replace(/(.)\1+/g, (run, letter) => `${run.length}${letter}`);

/**
 * @param {string} text
 * @param {number} most
 */
function unpacked(text, most) {
  let out = "";
  for (const [, count, letter] of text.matchAll(/(\d*)(\D)/g)) {
    const times = count ? Number(count) : 1;
    if (out.length + times > most) throw new Error("The level in the link is too large.");
    out += /** @type {string} */ (letter).repeat(times);
  }
  return out;
}

/** @param {string} board */
export function encodeBoard(board) {
  const rows = board.replace(/\n+$/, "").split("\n");
  return rows.map((row) => packed([...row].map((cell) => TO[cell] ?? "-").join(""))).join("!");
}

/** @param {string} text */
export function decodeBoard(text) {
  const letters = unpacked(text, 1_000_000);
  if (/[^wgbxpq!-]/.test(letters)) throw new Error("The link does not hold a level.");
  return `${letters.split("!").map((row) => [...row].map((letter) => FROM[letter] ?? " ").join("").trimEnd()).join("\n")}\n`;
}

/**
 * @param {{board: string, title?: string|null, solution?: string|null}} shared
 * @param {string} view
 */
export function shareLink({ board, title, solution }, view = "play") {
  const query = new URLSearchParams();
  query.set("level", encodeBoard(board));
  if (title) query.set("title", title);
  if (solution) query.set("solution", packed(lettersOf(solution)));
  return `${location.origin}${location.pathname}#/${view}?${query.toString()}`;
}

/**
 * @param {URLSearchParams} query
 * @returns {{board: string, title: string|null, solution: string|null}|null}
 */
export function readShared(query) {
  const level = query.get("level");
  if (!level) return null;
  const solution = query.get("solution");
  return { board: decodeBoard(level), title: query.get("title"), solution: solution ? lettersOf(unpacked(solution, 1_000_000)) : null };
}
