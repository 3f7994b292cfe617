// The board for those who hear it: a cursor that reads square by square, the whole board as a table of words, and what
// each move did.

import { value } from "../lib/core.js";
import { announce, h, scrolled } from "../lib/dom.js";
import { BOX, GOAL } from "./position.js";

/** @typedef {import("./position.js").Direction} Direction */
/** @typedef {import("./position.js").Position} Position */

/** @type {Record<string, string>} */
const WAYS = { l: "left", r: "right", u: "up", d: "down" };

/** @param {Position} position @param {number} cell */
const place = (position, cell) => `row ${Math.floor(cell / position.width) + 1}, column ${(cell % position.width) + 1}`;

/** What lies around the player. @param {Position} position */
export function around(position) {
  return /** @type {Direction[]} */ (["l", "r", "u", "d"])
    .map((way) => {
      const cell = position.beside(position.player, way);
      return `${WAYS[way]} ${cell < 0 ? "the edge" : position.nameOf(cell)}`;
    })
    .join(", ");
}

/** What a step did, in words. @param {Position} position after it @param {string} letter "" where it was not possible @param {Direction} direction */
export function stepWords(position, letter, direction) {
  const way = WAYS[direction];
  const ahead = position.beside(position.player, direction);
  if (!letter) {
    const beyond = ahead < 0 ? -1 : position.beside(ahead, direction);
    const why =
      ahead >= 0 && position.has(ahead, BOX)
        ? `a box, and behind it ${beyond < 0 ? "the edge" : position.nameOf(beyond)}`
        : ahead < 0
          ? "the edge"
          : position.nameOf(ahead);
    return `No way ${way}: ${why}.`;
  }
  const at = `Player at ${place(position, position.player)}`;
  if (letter >= "a") return `Moved ${way}. ${at}; ${around(position)}.`;
  const boxes = position.boxes;
  const placed = boxes.filter((cell) => position.has(cell, GOAL)).length;
  const home = ahead >= 0 && position.has(ahead, GOAL) ? " onto a goal" : "";
  return `Pushed a box ${way}${home}. ${placed} of ${boxes.length} on goals. ${at}; ${around(position)}.`;
}

export class Reading {
  /** @param {() => Position} position the one on the board, told of its changes */
  constructor(position) {
    this.position = position;
    /** @type {number|null} Where the reading cursor is; null where the player is. */
    this.cursor = null;
    const open = value(false);
    const rows = () => {
      const here = this.position();
      return [...Array(here.height).keys()].map((row) =>
        h("tr", [h("th", { scope: "row" }, `Row ${row + 1}`), h("td", here.nameRow(row))]),
      );
    };
    // Written only for those who have it open.
    const table = () => open.value && h("table", [h("tbody", rows())]);
    this.element = h("details.board-words", { ontoggle: () => (open.value = this.element.open) }, [
      h("summary", "The board in words"),
      scrolled("The board in words", table),
    ]);
  }

  /** Moves the cursor and reads what is there. @param {Direction} direction */
  look(direction) {
    const position = this.position();
    const next = position.beside(this.cursor ?? position.player, direction);
    if (next < 0) {
      announce("The edge of the board.");
      return;
    }
    this.cursor = next;
    announce(`${place(position, next)}: ${position.nameOf(next)}`);
  }

  /** The cursor goes back to the player. */
  back() {
    this.cursor = null;
  }
}
