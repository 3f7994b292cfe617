// The tree of a search that is stepped through: a dot for each expanded state, under the one it was reached from.

import { svg } from "./dom.js";

/** @typedef {{index: number, parent: number|null, node: number|null, label: string}} Dot */

const [WIDE, HIGH, EDGE] = [30, 38, 18];

/**
 * Places dots: each row is a depth, leaves stand side by side and parents over the middle of their children.
 * @param {Dot[]} dots parents before children
 */
function placed(dots) {
  /** @type {Map<number, Dot[]>} */
  const below = new Map();
  /** @type {Dot[]} */
  const roots = [];
  const known = new Set(dots.map((dot) => dot.index));
  for (const dot of dots) {
    if (dot.parent === null || !known.has(dot.parent)) roots.push(dot);
    else below.set(dot.parent, [...(below.get(dot.parent) ?? []), dot]);
  }
  /** @type {Map<number, {x: number, y: number}>} */
  const places = new Map();
  let next = 0;
  let deepest = 0;
  // A search may be thousands of states deep: no recursion.
  /** @type {{dot: Dot, depth: number, done: boolean}[]} */
  const stack = [...roots].reverse().map((dot) => ({ dot, depth: 0, done: false }));
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { dot, depth } = top;
    const children = below.get(dot.index) ?? [];
    deepest = Math.max(deepest, depth);
    if (!top.done && children.length) {
      stack.push({ dot, depth, done: true });
      for (const child of [...children].reverse()) stack.push({ dot: child, depth: depth + 1, done: false });
      continue;
    }
    const own = children.map((child) => places.get(child.index)?.x ?? 0);
    const x = own.length ? (Math.min(...own) + Math.max(...own)) / 2 : next * WIDE + EDGE;
    if (!own.length) next += 1;
    places.set(dot.index, { x, y: depth * HIGH + EDGE });
  }
  return { places, width: Math.max(1, next) * WIDE + EDGE, height: deepest * HIGH + 2 * EDGE };
}

export class SearchTree {
  /** @param {(index: number) => void} onchosen */
  constructor(onchosen) {
    this.onchosen = onchosen;
    /** @type {Map<number, SVGElement>} */
    this.dots = new Map();
    /** @type {Map<number, SVGElement>} From each dot to the one above it. */
    this.lines = new Map();
    /** @type {Map<number, {x: number, y: number}>} */
    this.places = new Map();
    this.element = document.createElement("div");
    this.element.className = "search-tree";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", "The search tree");
  }

  /** @param {Dot[]} dots */
  load(dots) {
    const { places, width, height } = placed(dots);
    this.places = places;
    this.dots = new Map();
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    // Lines lie under all dots.
    const lines = svg("g", {});
    this.lines = new Map();
    picture.append(lines);
    for (const dot of dots) {
      const at = places.get(dot.index);
      const above = dot.parent === null ? undefined : places.get(dot.parent);
      if (!at) continue;
      const group = svg("g", { class: "dot", "data-index": dot.index });
      if (above) {
        const line = svg("line", { x1: above.x, y1: above.y, x2: at.x, y2: at.y });
        this.lines.set(dot.index, line);
        lines.append(line);
      }
      group.append(
        svg("circle", { cx: at.x, cy: at.y, r: 11 }),
        svg("text", { x: at.x, y: at.y + 3.5, "text-anchor": "middle", "font-size": 9 }, dot.label),
      );
      group.addEventListener("click", () => this.onchosen(dot.index));
      this.dots.set(dot.index, group);
      picture.append(group);
    }
    this.element.replaceChildren(picture);
  }

  /** Shows the tree as it was at a step. @param {number} index */
  show(index) {
    for (const [one, dot] of this.dots)
      dot.setAttribute("class", `dot${one > index ? " later" : one === index ? " now" : ""}`);
    for (const [one, line] of this.lines) line.setAttribute("class", one > index ? "later" : "");
    const at = this.places.get(index);
    if (!at) return;
    const { clientWidth, clientHeight } = this.element;
    this.element.scrollLeft = at.x - clientWidth / 2;
    this.element.scrollTop = at.y - clientHeight / 2;
  }
}
