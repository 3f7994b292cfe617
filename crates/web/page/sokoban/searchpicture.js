// Pictures of searches for lessons: where boxes stand in the positions that two searches expanded, and how many they expanded at
// each distance from the start; what the methods of the letter game look at.

import { barCharts } from "../lib/chart.js";
import { h, scrolled, svg } from "../lib/dom.js";
import { count, plural } from "../lib/format.js";
import { BoardView } from "./board.js";
import { Position } from "./position.js";

/** @typedef {import("../lib/types.js").SearchPicture} SearchPicture */

/** What is visited by so many powers of ten less than the hottest square is as good as cold. */
const DECADES = 3;

/** @param {SearchPicture} search @param {number} cells @param {number} most visits of the hottest square of all searches */
function heatOf(search, cells, most) {
  const heat = Array(cells).fill(0);
  for (const [cell, visits] of search.visits)
    heat[cell] = Math.round(Math.max(0, 1 + Math.log10(visits / most) / DECADES) * 254) + 1;
  return heat;
}

/** Columns: positions expanded by their pushes from the start. @param {SearchPicture} search @param {number} layers @param {number} most */
function columns(search, layers, most) {
  const [w, t, edge] = [320, 96, 16];
  const step = w / layers;
  const label = `${search.name}: positions expanded by pushes from the start: ${search.layers.map((n, at) => `${at}: ${n}`).join(", ")}`;
  const picture = svg("svg", { viewBox: `0 0 ${w} ${t + edge}`, class: "layers", role: "img", "aria-label": label });
  picture.append(svg("rect", { x: 0, y: 0, width: w, height: t, class: "fill-sunk", rx: 6 }));
  search.layers.forEach((n, at) => {
    if (!n) return;
    const high = Math.max(1.5, (n / most) * (t - 6));
    const column = svg("rect", {
      x: at * step + 0.12 * step,
      y: t - high,
      width: 0.76 * step,
      height: high,
      class: "fill-bar",
    });
    column.append(svg("title", {}, `${plural(n, "position")} after ${plural(at, "push", "pushes")}`));
    picture.append(column);
  });
  const every = Math.ceil(layers / 12);
  for (let at = 0; at < layers; at += every)
    picture.append(
      svg(
        "text",
        { x: (at + 0.5) * step, y: t + 12, "font-size": 10, "text-anchor": "middle", class: "fill-muted" },
        String(at),
      ),
    );
  return picture;
}

/** What two searches expanded, side by side on the same scales. @param {string} board @param {SearchPicture[]} searches */
export function searchPictures(board, searches) {
  const position = Position.parse(board);
  const most = Math.max(1, ...searches.flatMap((one) => one.visits.map(([, visits]) => visits)));
  const layers = Math.max(1, ...searches.map((one) => one.layers.length));
  const highest = Math.max(1, ...searches.flatMap((one) => one.layers));
  return [
    h("div.search-pictures", [
      searches.map((search) => {
        const view = new BoardView({
          label: `Squares with boxes in the positions that ${search.name} expanded`,
          largest: 40,
          tallest: 0.34,
        });
        view.show(position, { heat: heatOf(search, position.cells.length, most) });
        return h("figure", [
          h("figcaption", [
            h("strong", `${search.name.charAt(0).toUpperCase()}${search.name.slice(1)}`),
            h(
              "span",
              `${plural(search.expanded, "position")} expanded for a solution of ${plural(search.pushes, "push", "pushes")}`,
            ),
          ]),
          view.element,
          columns(search, layers, highest),
        ]);
      }),
    ]),
    h(
      "p.about",
      "The redder a square, the more of the expanded positions have a box on it; each shade is the same number on both boards. Columns: how many positions were expanded at so many pushes from the start.",
    ),
  ];
}

/** What each method of the letter game looks at. @param {import("../lib/types.js").MethodCost[]} methods */
export function methodPicture(methods) {
  const bars = methods.map(({ method, nodes }) => ({ label: method, value: nodes, text: count(nodes) }));
  return [
    scrolled(
      "Positions each method looks at",
      barCharts([{ title: "Positions looked at", bars }], { logarithmic: true }).picture,
    ),
    h(
      "p.about",
      "From the first move of the letter game. The scale is logarithmic: each step to the right is a multiple.",
    ),
  ];
}
