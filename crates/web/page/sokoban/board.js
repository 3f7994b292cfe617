// The board on the screen: a canvas that keeps sharp at every size, and tells of touches in cells.

import { effect, ending } from "../lib/core.js";
import { h } from "../lib/dom.js";
import { theme } from "../lib/theme.js";
import { canvasPen, paintBoard, paintCoordinates } from "./paint.js";
import { DARK, LIGHT } from "./palette.js";
import { Position } from "./position.js";

/** @typedef {import("./paint.js").Extras} Extras */

/** The colours that fit the page. */
export const colours = () => (theme.value === "dark" ? DARK : LIGHT);

export class BoardView {
  /**
   * @param {{label?: string, largest?: number, interactive?: boolean, tallest?: number, coordinates?: boolean}} [options] `coordinates` are row and column numbers at the edge
   */
  constructor(options = {}) {
    this.largest = options.largest ?? 72;
    this.tallest = options.tallest ?? 0.72;
    /** How wide the edge with the numbers is, in cells. */
    this.edge = options.coordinates ? 0.75 : 0;
    this.canvas = h("canvas.board-canvas");
    this.element = h("div.board", this.canvas);
    if (options.interactive) {
      this.element.tabIndex = 0;
      this.element.setAttribute("role", "application");
    } else {
      this.element.setAttribute("role", "img");
    }
    this.element.setAttribute("aria-label", options.label ?? "Board");
    this.label = options.label ?? "";
    /** @type {Position|null} */
    this.position = null;
    /** @type {Extras} */
    this.extras = {};
    this.size = 0;
    this.drawn = 0;
    const observer = new ResizeObserver(() => this.draw());
    observer.observe(this.element);
    ending(() => observer.disconnect());
    effect(() => {
      theme.value;
      this.draw();
    });
  }

  /** @param {Position} position @param {Extras} [extras] */
  show(position, extras) {
    this.position = position;
    if (extras) this.extras = extras;
    this.element.setAttribute("aria-label", `${this.label ? `${this.label}. ` : ""}${position.describe()}`);
    this.draw();
  }

  /** Draws before the next frame, however often it is asked. */
  draw() {
    if (this.drawn) return;
    this.drawn = requestAnimationFrame(() => {
      this.drawn = 0;
      this.paint();
    });
  }

  paint() {
    const position = this.position;
    if (!position) return;
    const width = this.element.clientWidth;
    if (width === 0) return;
    const tall = Math.max(220, window.innerHeight * this.tallest);
    const ratio = window.devicePixelRatio || 1;
    const fits = Math.min(width / (position.width + this.edge), tall / (position.height + this.edge));
    // Whole device pixels to a cell: no seams, no blur.
    const pixels = Math.max(1, Math.floor(Math.min(fits, this.largest) * ratio));
    this.size = pixels / ratio;
    const edge = Math.round(this.edge * pixels);
    const [w, t] = [pixels * position.width + edge, pixels * position.height + edge];
    if (this.canvas.width !== w || this.canvas.height !== t) {
      this.canvas.width = w;
      this.canvas.height = t;
      this.canvas.style.width = `${w / ratio}px`;
      this.canvas.style.height = `${t / ratio}px`;
    }
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, w, t);
    context.translate(edge, edge);
    paintBoard(canvasPen(context), position, pixels, colours(), this.extras);
    if (edge) paintCoordinates(canvasPen(context), position, pixels, edge, colours());
  }

  /**
   * The cell under a pointer; -1 beside the board.
   * @param {{clientX: number, clientY: number}} event
   */
  cellAt(event) {
    const position = this.position;
    if (!position || !this.size) return -1;
    const place = this.canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - place.left) / this.size - this.edge);
    const y = Math.floor((event.clientY - place.top) / this.size - this.edge);
    return x >= 0 && y >= 0 && x < position.width && y < position.height ? y * position.width + x : -1;
  }
}

/**
 * A small picture of a level.
 * @param {string} board
 * @param {number} side
 */
export function thumbnail(board, side) {
  const position = Position.parse(board);
  const canvas = h("canvas.thumbnail", { "aria-hidden": "true" });
  const ratio = window.devicePixelRatio || 1;
  const s = Math.max(1, Math.floor((side * ratio) / Math.max(position.width, position.height)));
  canvas.width = s * position.width;
  canvas.height = s * position.height;
  canvas.style.width = `${canvas.width / ratio}px`;
  canvas.style.height = `${canvas.height / ratio}px`;
  const context = canvas.getContext("2d");
  if (context) paintBoard(canvasPen(context), position, s, colours());
  return canvas;
}

/** A small picture of one square, in the colours of the page. @param {Position} position @param {number} side @param {Extras} [extras] */
export function sample(position, side, extras) {
  const canvas = h("canvas.sample", { width: side, height: side, "aria-hidden": "true" });
  effect(() => {
    const context = canvas.getContext("2d");
    context?.clearRect(0, 0, side, side);
    if (context) paintBoard(canvasPen(context), position, side, colours(), { outside: true, ...extras });
  });
  return canvas;
}
