// Figures over time, as many as a chart can show, however long a search takes.

/** @typedef {import("./types.js").Live} Live */
/** @typedef {import("./types.js").Point} Point */

/** Points of a chart; when there are more, every second one is dropped. */
const POINTS = 240;

export class History {
  /** @param {Point[]} [points] what was there before */
  constructor(points = []) {
    this.points = points;
    this.stride = 1;
    this.updates = 0;
  }

  /** @param {Live} live */
  add({ seconds, expanded, generated, frontier, bytes, lower_bound }) {
    if (this.updates % this.stride === 0 && seconds > (this.points.at(-1)?.[0] ?? -1)) {
      this.points.push([seconds, expanded, generated, frontier, bytes, lower_bound]);
      if (this.points.length > POINTS) {
        this.points = this.points.filter((_, index) => index % 2 === 0);
        this.stride *= 2;
      }
    }
    this.updates += 1;
  }
}
