// The drawing: one for the browser, kept with its title, author and all that can be undone.

import { value } from "../lib/core.js";
import { keep, kept, whenKeptElsewhere } from "../lib/keep.js";
import { BOX, GOAL, PLAYER, Position, WALL } from "./position.js";

/** @typedef {{width: number, height: number, cells: string, title: string, author: string}} Sheet one state of the drawing */

/** The longest side, and how many states can be undone. */
export const MOST = 60;
const STATES = 200;

/** @param {Uint8Array} cells */
const lettersOfCells = (cells) => [...cells].map((cell) => String.fromCharCode(65 + cell)).join("");
/** @param {string} letters */
const cellsOfLetters = (letters) =>
  Uint8Array.from(letters, (letter) => (letter.charCodeAt(0) - 65) & (WALL | GOAL | BOX | PLAYER));

/** An empty room. @returns {Sheet} */
function room() {
  const cells = new Uint8Array(80);
  for (let cell = 0; cell < 80; cell += 1)
    if (cell % 10 === 0 || cell % 10 === 9 || cell < 10 || cell >= 70) cells[cell] = WALL;
  return { width: 10, height: 8, cells: lettersOfCells(cells), title: "", author: "" };
}

class Drawing {
  constructor() {
    this.version = value(0);
    this.position = Position.parse("#");
    this.title = "";
    this.author = "";
    /** @type {Sheet[]} */
    this.past = [];
    /** @type {Sheet[]} */
    this.future = [];
    /** Whether somebody drew it; otherwise it is a copy of the level that is looked at. */
    this.own = false;
    this.restore();
    whenKeptElsewhere("drawing", () => {
      this.restore();
      this.tell();
    });
  }

  restore() {
    const left = kept("drawing");
    if (
      !left?.sheet ||
      typeof left.sheet.cells !== "string" ||
      left.sheet.cells.length !== left.sheet.width * left.sheet.height
    ) {
      this.sheet = room();
      return;
    }
    this.sheet = left.sheet;
    this.past = left.past ?? [];
    this.future = left.future ?? [];
    this.own = left.own === true;
  }

  /** @returns {Sheet} */
  get sheet() {
    const { width, height, cells } = this.position;
    return { width, height, cells: lettersOfCells(cells), title: this.title, author: this.author };
  }

  set sheet(sheet) {
    this.position = new Position(sheet.width, sheet.height, cellsOfLetters(sheet.cells));
    this.title = sheet.title ?? "";
    this.author = sheet.author ?? "";
  }

  keep() {
    keep("drawing", {
      sheet: this.sheet,
      past: this.past.slice(-STATES),
      future: this.future.slice(-STATES),
      own: this.own,
    });
  }

  tell() {
    this.version.touch();
  }

  /** The position, told of its changes. */
  get now() {
    this.version.value;
    return this.position;
  }

  /** Something was drawn. */
  changed() {
    this.own = true;
    this.position = new Position(this.position.width, this.position.height, this.position.cells);
    this.keep();
    this.tell();
  }

  /** Remembers the drawing as it is, before it is changed. */
  remember() {
    this.past.push(this.sheet);
    if (this.past.length > STATES) this.past.shift();
    this.future = [];
  }

  undo() {
    let sheet = this.past.pop();
    // A stroke that changed nothing is no step.
    while (sheet && this.past.length && JSON.stringify(sheet) === JSON.stringify(this.sheet)) sheet = this.past.pop();
    if (!sheet) return;
    this.future.push(this.sheet);
    this.sheet = sheet;
    this.changed();
  }

  redo() {
    const sheet = this.future.pop();
    if (!sheet) return;
    this.past.push(this.sheet);
    this.sheet = sheet;
    this.changed();
  }

  /** Begins with an empty room; what was drawn can be had back by undo. */
  empty() {
    this.remember();
    this.sheet = room();
    this.changed();
  }

  /** Takes a level to be changed; what was drawn can be had back by undo. @param {{board: string, title?: string|null, author?: string|null}} level */
  load(level) {
    this.remember();
    this.copy(level);
    this.changed();
  }

  /** Shows a level as long as nothing is drawn. @param {{board: string, title?: string|null, author?: string|null}} level */
  follow(level) {
    if (this.own) return;
    this.past = [];
    this.future = [];
    this.copy(level);
    this.tell();
  }

  /** @param {{board: string, title?: string|null, author?: string|null}} level */
  copy(level) {
    this.position = Position.parse(level.board);
    this.title = level.title ?? "";
    this.author = level.author ?? "";
  }

  /** Puts a square on cells; there is one player. @param {number[]} cells @param {number} what */
  put(cells, what) {
    const { position } = this;
    const other = cells.filter((cell) => cell >= 0 && position.cells[cell] !== what);
    if (!other.length) return;
    if (what & PLAYER) for (let cell = 0; cell < position.cells.length; cell += 1) position.take(cell, PLAYER);
    for (const cell of what & PLAYER ? other.slice(-1) : other) position.cells[cell] = what;
    this.changed();
  }

  /** The cells of a stroke between two cells, without holes. @param {number} from @param {number} to */
  stroke(from, to) {
    const { width } = this.position;
    let [x, y] = [from % width, Math.floor(from / width)];
    const [endX, endY] = [to % width, Math.floor(to / width)];
    const [wide, tall] = [Math.abs(endX - x), Math.abs(endY - y)];
    const cells = [from];
    // One step at a time, never across a corner: a wall must not leak.
    for (let [across, down] = [0, 0]; across < wide || down < tall; cells.push(y * width + x)) {
      if (down === tall || (across < wide && (across + 0.5) * tall < (down + 0.5) * wide)) {
        across += 1;
        x += Math.sign(endX - x);
      } else {
        down += 1;
        y += Math.sign(endY - y);
      }
    }
    return cells;
  }

  /** The cells around a rectangle between two corners. @param {number} from @param {number} to */
  rectangle(from, to) {
    const { width } = this.position;
    const [x0, x1] = [from % width, to % width].sort((a, b) => a - b);
    const [y0, y1] = [Math.floor(from / width), Math.floor(to / width)].sort((a, b) => a - b);
    const cells = [];
    for (let y = y0 ?? 0; y <= (y1 ?? 0); y += 1)
      for (let x = x0 ?? 0; x <= (x1 ?? 0); x += 1)
        if (x === x0 || x === x1 || y === y0 || y === y1) cells.push(y * width + x);
    return cells;
  }

  /** The cells of one kind that hang together with a cell. @param {number} from */
  area(from) {
    const { position } = this;
    const kind = position.cells[from];
    const found = new Set([from]);
    for (const cell of found) {
      for (const direction of /** @type {const} */ (["l", "r", "u", "d"])) {
        const next = position.beside(cell, direction);
        if (next >= 0 && position.cells[next] === kind) found.add(next);
      }
    }
    return [...found];
  }

  /** Makes a new map out of the old. @param {number} width @param {number} height @param {(x: number, y: number) => [number, number]} from @returns {boolean} */
  reshape(width, height, from) {
    if (
      !Number.isInteger(width) ||
      !Number.isInteger(height) ||
      width < 1 ||
      height < 1 ||
      width > MOST ||
      height > MOST
    )
      return false;
    this.remember();
    const { position } = this;
    const cells = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const [ox, oy] = from(x, y);
        if (ox >= 0 && oy >= 0 && ox < position.width && oy < position.height)
          cells[y * width + x] = position.cells[oy * position.width + ox] ?? 0;
      }
    }
    this.position = new Position(width, height, cells);
    this.changed();
    return true;
  }
}

export const drawing = new Drawing();
