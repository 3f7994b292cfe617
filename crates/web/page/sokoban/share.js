// Addresses: which view, and which level. A level of a collection is named by the collection and its number, one of its own
// is carried whole: its rows with counts, parted by "!". What comes after "#" never leaves the browser.

import { lettersOf } from "./position.js";

/** @typedef {import("../store.js").Current} Current */
/**
 * What an address says.
 * @typedef {{view: string, collection: string|null, number: number|null,
 *            level: {board: string, title: string|null, author: string|null, solution: string|null}|null, from: string|null}} Address
 */

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
  if (/[^wgbxpq!-]/.test(letters))
    throw new Error("The link does not hold a level: it is cut short or was changed on its way.");
  return `${letters
    .split("!")
    .map((row) =>
      [...row]
        .map((letter) => FROM[letter] ?? " ")
        .join("")
        .trimEnd(),
    )
    .join("\n")}\n`;
}

/** @param {{board: string, title?: string|null, author?: string|null, solution?: string|null}} shared */
function query({ board, title, author, solution }) {
  const parts = new URLSearchParams();
  parts.set("level", encodeBoard(board));
  if (title) parts.set("title", title);
  if (author) parts.set("author", author);
  if (solution) parts.set("solution", packed(lettersOf(solution)));
  return parts;
}

/**
 * A link that carries a level, for other people and other browsers.
 * @param {{board: string, title?: string|null, author?: string|null, solution?: string|null}} shared
 * @param {string} view
 */
export const shareLink = (shared, view = "play") => `${location.origin}${location.pathname}#/${view}?${query(shared)}`;

/** The address of a view with a level. @param {string} view @param {Current} level */
export function addressOf(view, level) {
  const parts = level.number === null || level.collection === null ? query(level) : new URLSearchParams();
  if (level.from) parts.set("from", packed(level.from));
  const path = level.number === null || level.collection === null ? "" : `/${level.collection}/${level.number}`;
  const rest = parts.toString();
  return `#/${view}${path}${rest ? `?${rest}` : ""}`;
}

/** The lesson an address names; null where it names none. @param {string} hash */
export const lessonOf = (hash) => /^#\/?learn\/([a-z-]+)$/.exec(hash)?.[1] ?? null;

/** The place in the library an address names; null where it names none. @param {string} hash */
export const shelfOf = (hash) =>
  /^#\/?library(\/(?:levels|runs|(?:level|run)\/[0-9a-f]+|compare(?:\/[0-9a-f]+\/[0-9a-f]+)?)(?:\?.*)?)$/.exec(
    hash,
  )?.[1] ?? null;

/**
 * Reads an address. Throws a sentence where it carries something that is no level.
 * @param {string} hash
 * @returns {Address}
 */
export function readAddress(hash) {
  const [path = "", rest = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", collection, number] = path.split("/");
  const parts = new URLSearchParams(rest);
  const [board, solution, from] = [parts.get("level"), parts.get("solution"), parts.get("from")];
  const level =
    board === null
      ? null
      : {
          board: decodeBoard(board),
          title: parts.get("title"),
          author: parts.get("author"),
          solution: solution ? lettersOf(unpacked(solution, 1_000_000)) : null,
        };
  return {
    view,
    collection: collection && /^\d+$/.test(number ?? "") ? collection : null,
    number: collection && /^\d+$/.test(number ?? "") ? Number(number) : null,
    level,
    from: from ? lettersOf(unpacked(from, 1_000_000)) : null,
  };
}
