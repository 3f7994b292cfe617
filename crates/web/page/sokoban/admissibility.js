// What estimates are worth: h against the true distance over all states of a small level.

import { post } from "../lib/api.js";
import { latest, value } from "../lib/core.js";
import { announce, button, h, scrolled, sentenceOf, svg, table, toast } from "../lib/dom.js";
import { count, decimal, percent } from "../lib/format.js";
import { pretty } from "./config.js";

/** @typedef {import("../lib/types.js").Measured} Measured */
/** @typedef {import("../lib/types.js").EstimateQuality} EstimateQuality */
/** @typedef {import("../lib/types.js").StateCase} StateCase */

export class Admissibility {
  /** @param {(state: StateCase) => void} onstate shows a state on the board @param {string} [first] the estimate that is looked at first */
  constructor(onstate, first = "matching") {
    this.onstate = onstate;
    this.begin = latest();
    this.shown = value(false);
    this.told = value("");
    this.measured = value(/** @type {Measured|null} */ (null));
    this.chosen = value(first);
    const chosen = () => {
      const all = this.measured.value?.estimates;
      return all?.find((one) => one.name === this.chosen.value) ?? all?.[0];
    };
    const whenChosen = (/** @type {(one: EstimateQuality, unit: string) => any} */ make) => () => {
      const one = chosen();
      return one && make(one, this.measured.value?.formulation === "push" ? "pushes" : "moves");
    };
    this.element = h(
      "section.card.live.admissibility",
      { hidden: () => !this.shown.value, "aria-label": "What the heuristics are worth" },
      [
        h("h2", "What the heuristics are worth here"),
        h("p.status", { role: "status" }, () => this.told.value),
        scrolled("Estimates", () => this.measured.value && this.estimates(this.measured.value)),
        h(
          "div.row.wrap",
          whenChosen((one, unit) => this.cases(one, unit)),
        ),
        h("div.scatter", whenChosen(scatter)),
      ],
    );
  }

  clear() {
    this.begin();
    this.shown.value = false;
  }

  /** @param {string} board @param {import("../lib/types.js").Config} config */
  async measure(board, { formulation, heuristic, goal }) {
    const wait = this.begin();
    this.shown.value = true;
    this.told.value = "All states are made and measured …";
    this.measured.value = null;
    try {
      const question = post("/admissibility", { board, request: { goal, formulation, heuristic } });
      const measured = /** @type {Measured} */ (await wait(question));
      const { start } = measured;
      const far = start === null ? "the start cannot be solved" : `the start is ${count(start)} from the nearest goal`;
      this.measured.value = measured;
      this.tell(
        `${count(measured.states)} states in formulation ${measured.formulation}, ${count(measured.solvable)} of which can be solved; ${far}.`,
      );
    } catch (error) {
      this.told.value = sentenceOf(error);
      toast(sentenceOf(error), "error");
    }
  }

  /** @param {string} words */
  tell(words) {
    this.told.value = words;
    announce(words);
  }

  /** @param {Measured} measured */
  estimates({ estimates, solvable, states }) {
    const yes = (/** @type {boolean} */ is) =>
      h("td", [h("span.tag", { class: is ? "new" : "cut" }, is ? "yes" : "no")]);
    const rows = estimates.map(({ name, admissible, consistent, exact, mean_error, worst, dead_found }) => {
      const isChosen = () => name === this.chosen.value;
      const choose = button(pretty(name), () => (this.chosen.value = name), {
        class: "quiet",
        "aria-pressed": () => String(isChosen()),
      });
      return h("tr", { class: () => (isChosen() ? "chosen" : "") }, [
        h("td", choose),
        yes(admissible),
        yes(consistent),
        h("td.number", percent(exact / Math.max(1, solvable))),
        h("td.number", decimal(mean_error)),
        h("td.number", worst ? count(worst.distance - (worst.h ?? 0)) : "0"),
        h("td.number", percent(dead_found / Math.max(1, states - solvable))),
      ]);
    });
    const columns = ["Exact", "Mean error", "Worst error", "Dead states seen"].map((name) => [name]);
    return table("", ["Heuristic", "Admissible", "Consistent", ...columns], rows);
  }

  /** @param {EstimateQuality} quality @param {string} unit */
  cases({ name, worst, above }, unit) {
    const show = (/** @type {StateCase} */ state, /** @type {string} */ words) => () => {
      this.tell(words);
      this.onstate(state);
      document.querySelector("main .board")?.scrollIntoView({ block: "nearest" });
    };
    const says = (/** @type {StateCase} */ one) =>
      `${pretty(name)} says ${one.h ?? "dead"}, the truth is ${one.distance} ${unit}`;
    return [
      worst
        ? button("Show the worst state", show(worst, `${says(worst)}: its worst state is on the board.`))
        : h("span.muted", "Never below the truth."),
      above
        ? button("Show where it is too high", show(above, `${says(above)}: not admissible. The state is on the board.`))
        : h("span.muted", "Never above the truth."),
    ];
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
  const text = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ words,
    /** @type {Record<string, any>} */ more,
  ) => g.append(svg("text", { x, y, "font-size": 11, "text-anchor": "middle", class: "fill-muted", ...more }, words));
  for (const mark of marks) {
    text(at(mark), side + 16, String(mark), {});
    text(-6, side - at(mark) + 4, String(mark), { "text-anchor": "end" });
  }
  const title = { "font-size": 12, class: "fill-ink" };
  text(side / 2, side + 34, `true distance in ${unit}`, title);
  text(-side / 2, -30, "estimate h", { ...title, transform: "rotate(-90)" });
  picture.append(g);
  return picture;
}
