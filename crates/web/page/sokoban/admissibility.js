// What estimates are worth: h against the true distance over all states of a small level.

import { post } from "../lib/api.js";
import { announce, button, fill, h, sentenceOf, svg, toast } from "../lib/dom.js";
import { count, decimal, percent } from "../lib/format.js";
import { pretty } from "./config.js";

/** @typedef {import("../lib/types.js").Measured} Measured */
/** @typedef {import("../lib/types.js").EstimateQuality} EstimateQuality */
/** @typedef {import("../lib/types.js").StateCase} StateCase */

export class Admissibility {
  /** @param {(state: StateCase) => void} onstate shows a state on the board */
  constructor(onstate) {
    this.onstate = onstate;
    this.asked = 0;
    /** @type {Measured|null} */
    this.measured = null;
    this.chosen = "matching";
    this.told = h("p", { class: "status", role: "status" });
    this.table = h("div", { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "Estimates" });
    this.chart = h("div", { class: "scatter" });
    this.words = h("div", { class: "row wrap" });
    this.element = h(
      "section",
      { class: "card live admissibility", hidden: true, "aria-label": "What the heuristics are worth" },
      h("h2", null, "What the heuristics are worth here"),
      this.told,
      this.table,
      this.words,
      this.chart,
    );
  }

  clear() {
    this.asked += 1;
    this.element.hidden = true;
  }

  /** @param {string} board @param {import("../lib/types.js").Config} config */
  async measure(board, config) {
    this.asked += 1;
    const mine = this.asked;
    this.element.hidden = false;
    this.told.textContent = "All states are made and measured …";
    for (const part of [this.table, this.chart, this.words]) fill(part);
    try {
      const { formulation, heuristic, goal } = config;
      const measured = /** @type {Measured} */ (
        await post("/admissibility", { board, request: { goal, formulation, heuristic } })
      );
      if (mine !== this.asked) return;
      this.measured = measured;
      const start =
        measured.start === null
          ? "the start cannot be solved"
          : `the start is ${count(measured.start)} from the nearest goal`;
      this.told.textContent = `${count(measured.states)} states in formulation ${measured.formulation}, ${count(measured.solvable)} of which can be solved; ${start}.`;
      announce(this.told.textContent);
      this.show();
    } catch (error) {
      if (mine !== this.asked) return;
      this.told.textContent = sentenceOf(error);
      toast(sentenceOf(error), "error");
    }
  }

  show() {
    const { measured } = this;
    if (!measured) return;
    const yes = (/** @type {boolean} */ is) => h("span", { class: `tag ${is ? "new" : "cut"}` }, is ? "yes" : "no");
    fill(
      this.table,
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", null, "Heuristic"),
            h("th", null, "Admissible"),
            h("th", null, "Consistent"),
            ["Exact", "Mean error", "Worst error", "Dead states seen"].map((name) =>
              h("th", { class: "number" }, name),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          measured.estimates.map((one) =>
            h(
              "tr",
              { class: one.name === this.chosen ? "chosen" : "" },
              h(
                "td",
                null,
                button(
                  pretty(one.name),
                  () => {
                    this.chosen = one.name;
                    this.show();
                  },
                  { class: "quiet", "aria-pressed": String(one.name === this.chosen) },
                ),
              ),
              h("td", null, yes(one.admissible)),
              h("td", null, yes(one.consistent)),
              h("td", { class: "number" }, percent(one.exact / Math.max(1, measured.solvable))),
              h("td", { class: "number" }, decimal(one.mean_error)),
              h("td", { class: "number" }, one.worst ? count(one.worst.distance - (one.worst.h ?? 0)) : "0"),
              h("td", { class: "number" }, percent(one.dead_found / Math.max(1, measured.states - measured.solvable))),
            ),
          ),
        ),
      ),
    );
    const quality = measured.estimates.find((one) => one.name === this.chosen) ?? measured.estimates[0];
    if (quality) this.showOne(quality, measured);
  }

  /** @param {EstimateQuality} quality @param {Measured} measured */
  showOne(quality, measured) {
    const { worst, above } = quality;
    const unit = measured.formulation === "push" ? "pushes" : "moves";
    fill(
      this.words,
      worst
        ? button("Show the worst state", () =>
            this.show1(
              worst,
              `${pretty(quality.name)} says ${worst.h}, the truth is ${worst.distance} ${unit}: its worst state is on the board.`,
            ),
          )
        : h("span", { class: "muted" }, "Never below the truth."),
      above
        ? button("Show where it is too high", () =>
            this.show1(
              above,
              `${pretty(quality.name)} says ${above.h === null ? "dead" : above.h}, the truth is ${above.distance} ${unit}: not admissible. The state is on the board.`,
            ),
          )
        : h("span", { class: "muted" }, "Never above the truth."),
    );
    fill(this.chart, scatter(quality, unit));
  }

  /** @param {StateCase} state @param {string} words */
  show1(state, words) {
    this.told.textContent = words;
    announce(words);
    this.onstate(state);
    document.querySelector("main .board")?.scrollIntoView({ block: "nearest" });
  }
}

/** Estimate against true distance; the larger a dot, the more states. On the diagonal the estimate is exact. @param {EstimateQuality} quality @param {string} unit */
function scatter(quality, unit) {
  const most = Math.max(1, ...quality.counts.flatMap(([estimate, distance]) => [estimate, distance]));
  const states = Math.max(1, ...quality.counts.map(([, , n]) => n));
  const [side, edge] = [360, 44];
  const at = (/** @type {number} */ value) => (value / most) * side;
  const picture = svg("svg", {
    viewBox: `0 0 ${side + edge + 16} ${side + edge + 16}`,
    class: "scatter-chart",
    role: "img",
    "aria-label": `${pretty(quality.name)}: estimate against true distance in ${unit}`,
  });
  const g = svg("g", { transform: `translate(${edge}, 12)` });
  g.append(
    svg("rect", { x: 0, y: 0, width: side, height: side, class: "fill-sunk" }),
    svg("line", { x1: 0, y1: side, x2: side, y2: 0, class: "diagonal" }),
  );
  for (const [estimate, distance, n] of quality.counts) {
    const r = 2 + 7 * (Math.log(1 + n) / Math.log(1 + states));
    const dot = svg("circle", {
      cx: at(distance),
      cy: side - at(estimate),
      r,
      class: estimate > distance ? "over" : "under",
    });
    dot.append(svg("title", {}, `h ${estimate}, true ${distance}: ${n} states`));
    g.append(dot);
  }
  const marks =
    most <= 10
      ? [...Array(most + 1).keys()]
      : [0, Math.round(most / 4), Math.round(most / 2), Math.round((3 * most) / 4), most];
  for (const value of marks) {
    g.append(
      svg(
        "text",
        { x: at(value), y: side + 16, "font-size": 11, "text-anchor": "middle", class: "fill-muted" },
        String(value),
      ),
    );
    g.append(
      svg(
        "text",
        { x: -6, y: side - at(value) + 4, "font-size": 11, "text-anchor": "end", class: "fill-muted" },
        String(value),
      ),
    );
  }
  g.append(
    svg(
      "text",
      { x: side / 2, y: side + 34, "font-size": 12, "text-anchor": "middle", class: "fill-ink" },
      `true distance in ${unit}`,
    ),
  );
  g.append(
    svg(
      "text",
      { x: -side / 2, y: -30, "font-size": 12, "text-anchor": "middle", transform: "rotate(-90)", class: "fill-ink" },
      "estimate h",
    ),
  );
  picture.append(g);
  return picture;
}
