// A search while it runs: its figures over time, who races, how near it came, what was cut.

import { lineChart } from "../lib/chart.js";
import { button, fill, h } from "../lib/dom.js";
import { bytes, count, plural, short, time } from "../lib/format.js";
import { BoardView } from "./board.js";
import { outcomeWords } from "./outcome.js";
import { Position } from "./position.js";
import { RaceTable } from "./race.js";

/** @typedef {import("./searches.js").Search} Search */

export class LiveSearch {
  /** @param {() => void} oncancel */
  constructor(oncancel) {
    /** @type {Search|null} */
    this.search = null;
    // On a narrow screen the choices, and the button among them, stand far below the search.
    this.stop = button("Cancel", oncancel, { class: "danger narrow", hidden: true });
    this.status = h("p", { class: "status", role: "status" });
    this.figures = h("dl", { class: "figures" });
    this.charts = h("div", { class: "charts" });
    this.cuts = h("div", { class: "cuts" });
    this.best = h("div", { class: "best" });
    this.bestView = new BoardView({ label: "Best position so far", largest: 28, tallest: 0.3 });
    this.race = new RaceTable(() => this.search && this.show(this.search));
    this.element = h(
      "section",
      { class: "card live", hidden: true, "aria-label": "The search" },
      h("h2", null, "The search"),
      h("div", { class: "row" }, this.status, this.stop),
      this.figures,
      this.race.element,
      this.charts,
      this.best,
      this.cuts,
    );
  }

  /** Says something before anything is counted. @param {string} words */
  say(words) {
    this.element.hidden = false;
    this.status.textContent = words;
  }

  clear() {
    this.search = null;
    this.element.hidden = true;
    this.race.clear();
    for (const part of [this.figures, this.charts, this.cuts, this.best]) fill(part);
  }

  /** @param {Search} search */
  show(search) {
    if (this.search?.id !== search.id) this.clear();
    this.search = search;
    const { job, result, error } = search;
    const over = result !== null || error !== null;
    this.stop.hidden = over;
    // Of a search that ended before the page was loaded its answer is left.
    this.element.hidden = !job && !error;
    if (error) this.status.textContent = error;
    else if (result) this.status.textContent = `${outcomeWords(result, search.because)} after ${time(result.seconds)}.`;
    else if (!job) this.say("Asking after the search …");
    else if (job.status === "waiting") this.status.textContent = "Waiting for its turn …";
    else this.status.textContent = job.phase ?? `Searching, ${time(job.live.seconds)} …`;
    if (job) this.showFigures(search, job);
  }

  /** @param {Search} search @param {import("../lib/types.js").Job} job */
  showFigures({ history }, job) {
    const now = job.live;
    const rate = now.seconds > 0 ? now.expanded / now.seconds : 0;
    // Searches that race have no common frontier and bound nothing.
    const racing = now.strategies.length > 0;
    const figures = [
      ["Expanded", count(now.expanded)],
      ["Generated", count(now.generated)],
      ["Nodes per second", short(rate)],
      ...(racing
        ? []
        : [
            ["Frontier", count(now.frontier)],
            ["No solution below", now.lower_bound === null ? "unknown" : count(now.lower_bound)],
          ]),
      ["Memory", bytes(now.bytes)],
    ];
    this.race.show(now.strategies, job.status === "done");
    fill(
      this.figures,
      figures.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
    );
    const series = (/** @type {1|2|3|4|5} */ index) =>
      history.map((point) => /** @type {[number, number]} */ ([point[0], point[index] ?? 0]));
    if (history.length > 1) {
      fill(
        this.charts,
        chart("Nodes generated", series(2), short),
        racing ? chart("Nodes expanded", series(1), short) : chart("Frontier", series(3), short),
        chart("Memory", series(4), bytes),
        racing ? null : chart("Lower bound", series(5), short),
      );
    } else fill(this.charts);
    this.showCuts(now.pruned, racing);
    this.showBest(job, racing);
  }

  /** @param {Record<string, number>} cuts @param {boolean} racing */
  showCuts(cuts, racing) {
    const named = Object.entries(cuts).sort((a, b) => b[1] - a[1]);
    const most = Math.max(1, ...named.map(([, number]) => number));
    fill(
      this.cuts,
      named.length ? h("h3", null, racing ? "Positions cut, by rule" : "Pushes cut, by reason") : null,
      named.map(([name, number]) => {
        const bar = h("span", { class: "cut-bar" });
        bar.style.width = `${(number / most) * 100}%`;
        return h(
          "div",
          { class: "cut" },
          h("span", { class: "cut-name" }, name),
          h("span", { class: "cut-track" }, bar),
          h("span", { class: "cut-count" }, short(number)),
        );
      }),
    );
  }

  /** @param {import("../lib/types.js").Job} job @param {boolean} racing */
  showBest(job, racing) {
    const now = job.live;
    const chosen = this.race.position;
    const nearest = chosen?.best ?? (job.status === "done" ? null : now.best);
    if (nearest) {
      const done = nearest.g === null ? "" : `, ${nearest.g} done`;
      // A blind search estimates nothing.
      const left = nearest.h > 0 ? `, ${racing ? "at least" : "about"} ${nearest.h} to go` : "";
      const words = `Nearest so far: ${plural(nearest.in_place, "box", "boxes")} on goals${done}${left}`;
      fill(this.best, h("h3", null, chosen?.words ?? words), this.bestView.element);
      this.bestView.show(Position.parse(nearest.board));
    } else if (!now.best && !racing && job.status === "running" && now.expanded > 0) {
      fill(
        this.best,
        h(
          "p",
          { class: "about" },
          "A proof is at work, which shows counts only. Choose an algorithm to see where on the board a search looks, how near it comes, and what cuts it.",
        ),
      );
    } else fill(this.best);
  }
}

/** @param {string} label @param {[number, number][]} points @param {(n: number) => string} words */
const chart = (label, points, words) =>
  h(
    "figure",
    null,
    h("figcaption", null, h("span", null, label), h("strong", null, words(points.at(-1)?.[1] ?? 0))),
    lineChart(label, points, words),
  );
