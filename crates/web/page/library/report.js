// A report of a run or of two: headings, a chart, tables and boards, as the server wrote them.

import { serverAddress } from "../lib/api.js";
import { curveChart } from "../lib/chart.js";
import { h, scrolled, table } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { thumbnail } from "../sokoban/board.js";
import { hrefOf, levelShelf } from "./place.js";

/** @typedef {import("../lib/types.js").Report} Report */
/** @typedef {import("../lib/types.js").ReportTable} ReportTable */
/** @typedef {import("../lib/types.js").ReportSection} ReportSection */

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {ReportTable} table @param {string} label */
function tableOf({ columns, rows, levels, more }, label) {
  const cell = (/** @type {string} */ text, /** @type {number} */ column, /** @type {string|undefined} */ key) => {
    const linked = key && column === 0 ? h("a", { href: hrefOf(levelShelf(key)) }, text) : text;
    return h("td", { class: columns[column]?.figure ? "number" : "" }, linked);
  };
  const names = columns.map(({ name, figure }) => (figure ? [capital(name)] : capital(name)));
  const cells = rows.map((row, at) => h("tr", [row.map((text, column) => cell(text, column, levels[at]))]));
  return scrolled(label, [
    table("", names, cells),
    more > 0 && h("p.about", `${plural(more, "more row")}: the files below have them all.`),
  ]);
}

/** @param {ReportSection} section */
function sectionOf({ heading, text, chart, table: figures, boards }) {
  const legend =
    chart && chart.lines.length > 1
      ? h("p.curve-legend", [
          chart.lines.map((line, place) =>
            h("span", [h("i", { class: `key key-${place}`, "aria-hidden": "true" }), line.name]),
          ),
        ])
      : null;
  return h("section.card.live.report-section", { "aria-label": heading }, [
    h("h2", heading),
    text ? h("p.muted", text) : null,
    legend,
    chart ? curveChart(chart.lines, chart.levels) : null,
    figures?.rows.length ? tableOf(figures, heading) : null,
    boards.length
      ? h("ul.level-grid.library-grid", [
          boards.map((board) =>
            h("li", [
              h("a.level-card.library-card", { href: hrefOf(levelShelf(board.key)) }, [
                h("span.level-picture", thumbnail(board.board, 96)),
                h("span.level-name", board.label),
                h("span.level-facts", board.remark),
              ]),
            ]),
          ),
        ])
      : null,
  ]);
}

/** The parts of a report but those that the page shows in its own way. @param {Report} report @param {string[]} [without] @returns {HTMLElement[]} */
export const sectionsOf = (report, without = []) =>
  report.sections.filter((section) => !without.includes(section.heading)).map(sectionOf);

/** Links to a report as files. @param {(form: string) => string} address @param {string} name */
export const fileLinks = (address, name) => [
  "Files with every level: ",
  ["html", "csv", "json"].map((form, at) => [
    at ? ", " : "",
    h("a", { href: serverAddress(address(form)), download: `${name}.${form}` }, form.toUpperCase()),
  ]),
];
