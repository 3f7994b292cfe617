// A game: a start and the moves made.

import { Position } from "./position.js";

/** @typedef {import("./position.js").Direction} Direction */

/** How many games before a restart are remembered. */
const EARLIER = 20;

/**
 * A game: a start and the moves made, with undo and redo. What stood on the board before a restart can be had back: it is
 * undone like a move.
 */
export class Game {
  /** @param {string} board */
  constructor(board) {
    this.board = board;
    this.position = Position.parse(board);
    /** @type {string[]} */
    this.moves = [];
    /** @type {string[]} The moves taken back, the next one to do again last. */
    this.undone = [];
    /** @type {{moves: string, undone: string}[]} Games before restarts. */
    this.earlier = [];
  }

  get lurd() {
    return this.moves.join("");
  }

  get pushes() {
    return this.moves.filter((letter) => letter < "a").length;
  }

  get canUndo() {
    return this.moves.length > 0 || this.earlier.length > 0;
  }

  /**
   * @param {Direction} direction
   * @returns {string} the letter, "" if the step is not possible
   */
  step(direction) {
    const letter = this.position.step(direction);
    if (letter) {
      this.moves.push(letter);
      // A step that is the one taken back does it again: the rest stays to be done again.
      if (this.undone.at(-1)?.toLowerCase() === direction) this.undone.pop();
      else this.undone = [];
    }
    return letter;
  }

  undo() {
    const letter = this.moves.pop();
    if (letter === undefined) return this.undoRestart();
    this.position.unstep(letter);
    this.undone.push(letter);
    return true;
  }

  /** Takes back everything up to and with the last push. */
  undoPush() {
    let letter = this.moves.at(-1);
    if (letter === undefined) return this.undoRestart();
    for (; letter !== undefined; letter = this.moves.at(-1)) {
      this.undo();
      if (letter < "a") break;
    }
    return true;
  }

  redo() {
    const letter = this.undone.at(-1);
    return letter !== undefined && this.step(/** @type {Direction} */ (letter.toLowerCase())) !== "";
  }

  /** Does again everything up to and with the next push. */
  redoPush() {
    let done = false;
    for (let letter = this.undone.at(-1); letter !== undefined; letter = this.undone.at(-1)) {
      done = this.redo() || done;
      if (!done || letter < "a") break;
    }
    return done;
  }

  /** Begins anew; `undo` brings back what there was. */
  restart() {
    if (!this.moves.length && !this.undone.length) return false;
    this.earlier.push({ moves: this.lurd, undone: this.undone.join("") });
    if (this.earlier.length > EARLIER) this.earlier.shift();
    this.set("", "");
    return true;
  }

  undoRestart() {
    const before = this.earlier.pop();
    if (!before) return false;
    this.set(before.moves, before.undone);
    return true;
  }

  /**
   * Puts moves on the board and others behind them, to be done one by one. What was played is not lost: undo at the start
   * brings it back.
   * @param {string} moves
   * @param {string} next
   */
  takeOver(moves, next) {
    if (this.lurd !== moves) {
      this.restart();
      this.set(moves, "");
    }
    this.undone = [...next].reverse();
  }

  /** @param {string} moves @param {string} undone */
  set(moves, undone) {
    this.position = Position.parse(this.board);
    this.moves = [];
    this.undone = [];
    // Moves that do not fit the board are left out: what was kept may be of another time.
    for (const letter of moves) if (!this.step(/** @type {Direction} */ (letter.toLowerCase()))) break;
    this.undone = this.lurd.length === moves.length ? [...undone] : [];
  }
}
