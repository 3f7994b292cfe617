// Mouse and touch on the board of a game: click to walk or to choose a box; drag a box, or click its target, to push it
// there; swipe to step.

import { toast } from "../lib/dom.js";
import { BOX, DIRECTIONS, WALL } from "./position.js";

/** @typedef {import("./position.js").Direction} Direction */
/** @typedef {import("./position.js").Position} Position */

/** A finger that goes so far, in pixels and milliseconds, swipes. */
const [FAR, SOON] = [24, 600];

export class Gestures {
  /**
   * @param {import("./board.js").BoardView} view
   * @param {{position: () => Position, perform: (letters: string) => void, step: (direction: Direction) => void, draw: () => void}} game
   */
  constructor(view, game) {
    this.view = view;
    this.game = game;
    /** @type {number|null} The box that is chosen. */
    this.selected = null;
    /** @type {number|null} The box that was chosen when the pointer came down. */
    this.before = null;
    /** @type {{cell: number, moved: boolean, x: number, y: number, at: number}|null} */
    this.drag = null;
    view.element.addEventListener("pointerdown", (event) => this.down(event));
    view.element.addEventListener("pointermove", (event) => {
      if (this.drag && view.cellAt(event) !== this.drag.cell) this.drag.moved = true;
    });
    view.element.addEventListener("pointerup", (event) => this.up(event));
    view.element.addEventListener("pointercancel", () => (this.drag = null));
  }

  /** Cells the chosen box can be pushed to, the others staying. */
  get targets() {
    const position = this.game.position();
    const box = this.selected;
    if (box === null || position.cells.length > 900) return [];
    return [...position.cells.keys()].filter(
      (cell) =>
        cell !== box && position.inside[cell] && !position.has(cell, WALL | BOX) && position.pushTo(box, cell) !== null,
    );
  }

  /** @param {PointerEvent} event */
  down(event) {
    const cell = this.view.cellAt(event);
    if (cell < 0) return;
    this.drag = { cell, moved: false, x: event.clientX, y: event.clientY, at: event.timeStamp };
    this.view.element.setPointerCapture(event.pointerId);
    this.before = this.selected;
    if (this.game.position().has(cell, BOX) && this.selected === null) {
      this.selected = cell;
      this.game.draw();
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    const start = this.drag;
    this.drag = null;
    if (!start) return;
    const position = this.game.position();
    const cell = this.view.cellAt(event);
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    const swiped =
      event.pointerType === "touch" &&
      this.before === null &&
      !position.has(start.cell, BOX) &&
      Math.hypot(dx, dy) > FAR &&
      event.timeStamp - start.at < SOON;
    if (swiped) {
      this.game.step(Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? "l" : "r") : dy < 0 ? "u" : "d");
    } else if (cell < 0) {
      return;
    } else if (start.moved && position.has(start.cell, BOX)) {
      this.pushTo(start.cell, cell);
    } else if (this.selected !== null && cell !== this.selected) {
      if (position.has(cell, BOX)) {
        this.selected = cell;
        this.game.draw();
      } else this.pushTo(this.selected, cell);
    } else if (this.selected !== null) {
      // A second click on the box unchooses it.
      if (this.before === cell) this.selected = null;
      this.game.draw();
    } else if (!position.has(cell, BOX)) {
      const near = DIRECTIONS.find((direction) => position.beside(position.player, direction) === cell);
      const walk = near ?? position.walk(cell);
      if (walk === null) toast("There is no way there without a push.");
      else this.game.perform(walk);
    }
  }

  /** @param {number} box @param {number} cell */
  pushTo(box, cell) {
    this.selected = null;
    const way = this.game.position().pushTo(box, cell);
    if (way === null) {
      toast("The box cannot be pushed there, the others staying where they are.");
      this.game.draw();
    } else this.game.perform(way);
  }
}
