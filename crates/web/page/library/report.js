// A report of a run or of two: headings, a chart, tables and boards, as the server wrote them.

import { curveChart } from "../lib/chart.js";
import { h } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { thumbnail } from "../sokoban/board.js";
import { hrefOf, levelShelf } from "./place.js";

/** @typedef {import("../lib/types.js").Report} Report */
/** @typedef {import("../lib/types.js").ReportTable} ReportTable */
/** @typedef {import("../lib/types.js").ReportSection} ReportSection */

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {ReportTable} table @param {string} label */
function tableOf(table, label) {
  const cell = (/** @type {string} */ text, /** @type {number} */ column, /** @type {string|undefined} */ key) =>
    h(
      "td",
      { class: table.columns[column]?.figure ? "number" : null },
      key && column === 0 ? h("a", { href: hrefOf(levelShelf(key)) }, text) : text,
    );
  return h(
    "div",
    { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": label },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          table.columns.map(({ name, figure }) =>
            h("th", { class: figure ? "number" : null, scope: "col" }, capital(name)),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        table.rows.map((row, at) =>
          h(
            "tr",
            null,
            row.map((text, column) => cell(text, column, table.levels[at])),
          ),
        ),
      ),
    ),
    table.more ? h("p", { class: "about" }, `${plural(table.more, "more row")}: the files below have them all.`) : null,
  );
}

/** @param {ReportSection} section */
function sectionOf({ heading, text, chart, table, boards }) {
  const legend =
    chart && chart.lines.length > 1
      ? h(
          "p",
          { class: "curve-legend" },
          chart.lines.map((line, place) =>
            h("span", null, h("i", { class: `key key-${place}`, "aria-hidden": "true" }), line.name),
          ),
        )
      : null;
  return h(
    "section",
    { class: "card live report-section", "aria-label": heading },
    h("h2", null, heading),
    text ? h("p", { class: "muted" }, text) : null,
    legend,
    chart ? curveChart(chart.lines, chart.levels) : null,
    table?.rows.length ? tableOf(table, heading) : null,
    boards.length
      ? h(
          "ul",
          { class: "level-grid library-grid" },
          boards.map((board) =>
            h(
              "li",
              null,
              h(
                "a",
                { class: "level-card library-card", href: hrefOf(levelShelf(board.key)) },
                h("span", { class: "level-picture" }, thumbnail(board.board, 96)),
                h("span", { class: "level-name" }, board.label),
                h("span", { class: "level-facts" }, board.remark),
              ),
            ),
          ),
        )
      : null,
  );
}

/** The parts of a report but those that the page shows in its own way. @param {Report} report @param {string[]} [without] @returns {HTMLElement[]} */
export const sectionsOf = (report, without = []) =>
  report.sections.filter((section) => !without.includes(section.heading)).map(sectionOf);
