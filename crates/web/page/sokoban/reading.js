// The board for those who hear it: a cursor that reads square by square, the whole board as a table of words, and what
// each move did.

import { announce, fill, h } from "../lib/dom.js";
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
  /** @param {() => Position} position */
  constructor(position) {
    this.position = position;
    /** @type {number|null} Where the reading cursor is; null where the player is. */
    this.cursor = null;
    this.table = h("div", { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "The board in words" });
    this.element = h(
      "details",
      { class: "board-words", ontoggle: () => this.update() },
      h("summary", null, "The board in words"),
      this.table,
    );
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

  /** Writes the table again, if somebody has it open. */
  update() {
    if (!this.element.open) return;
    const position = this.position();
    const rows = [...Array(position.height).keys()];
    fill(
      this.table,
      h(
        "table",
        null,
        h(
          "tbody",
          null,
          rows.map((row) =>
            h("tr", null, h("th", { scope: "row" }, `Row ${row + 1}`), h("td", null, position.nameRow(row))),
          ),
        ),
      ),
    );
  }
}
