// A search while it runs: its figures over time, who races, how near it came, what was cut.

import { lineChart } from "../lib/chart.js";
import { derived, effect, value } from "../lib/core.js";
import { button, each, figures, h } from "../lib/dom.js";
import { bytes, count, plural, short, time } from "../lib/format.js";
import { BoardView } from "./board.js";
import { outcomeWords } from "./outcome.js";
import { Position } from "./position.js";
import { bestPosition, raceTable } from "./race.js";

/** @typedef {import("./searches.js").Search} Search */
/** @typedef {import("../lib/types.js").Job} Job */

/** @param {Search} search */
function statusWords({ job, result, error, because }) {
  if (error) return error;
  if (result) return `${outcomeWords(result, because)} after ${time(result.seconds)}.`;
  if (!job) return "Asking after the search …";
  if (job.status === "waiting") return "Waiting for its turn …";
  return job.phase ?? `Searching, ${time(job.live.seconds)} …`;
}

/** @param {Job} job @param {boolean} racing */
function figuresOf({ live: now }, racing) {
  const bound = now.lower_bound === null ? "unknown" : count(now.lower_bound);
  return figures([
    ["Expanded", count(now.expanded)],
    ["Generated", count(now.generated)],
    ["Nodes per second", short(now.seconds > 0 ? now.expanded / now.seconds : 0)],
    // Searches that race have no common frontier and bound nothing.
    ...(racing
      ? []
      : [
          ["Frontier", count(now.frontier)],
          ["No solution below", bound],
        ]),
    ["Memory", bytes(now.bytes)],
  ]);
}

/** @param {import("../lib/types.js").Point[]} history @param {boolean} racing */
function chartsOf(history, racing) {
  if (history.length < 2) return null;
  const chart = (
    /** @type {string} */ label,
    /** @type {1|2|3|4|5} */ index,
    /** @type {(n: number) => string} */ words,
  ) => {
    const points = history.map((point) => /** @type {[number, number]} */ ([point[0], point[index] ?? 0]));
    const caption = [h("span", label), h("strong", words(points.at(-1)?.[1] ?? 0))];
    return h("figure", [h("figcaption", caption), lineChart(label, points, words)]);
  };
  return [
    chart("Nodes generated", 2, short),
    racing ? chart("Nodes expanded", 1, short) : chart("Frontier", 3, short),
    chart("Memory", 4, bytes),
    racing ? null : chart("Lower bound", 5, short),
  ];
}

/** @param {Record<string, number>} cuts @param {boolean} racing */
function cutsOf(cuts, racing) {
  const named = Object.entries(cuts).sort((a, b) => b[1] - a[1]);
  if (!named.length) return null;
  const most = Math.max(1, ...named.map(([, number]) => number));
  return [
    h("h3", racing ? "Positions cut, by rule" : "Pushes cut, by reason"),
    named.map(([name, number]) =>
      h("div.cut", [
        h("span.cut-name", name),
        h("span.cut-track", [h("span.cut-bar", { style: { width: `${(number / most) * 100}%` } })]),
        h("span.cut-count", short(number)),
      ]),
    ),
  ];
}

/**
 * @param {() => Search|null} search
 * @param {() => string|null} said what is said before anything is counted
 * @param {() => void} oncancel
 */
export function liveSearch(search, said, oncancel) {
  const job = derived(() => (said() === null ? (search()?.job ?? null) : null));
  const over = () => {
    const one = search();
    return one !== null && (one.result !== null || one.error !== null);
  };
  const strategies = derived(() => job.value?.live.strategies ?? []);
  const racing = () => strategies.value.length > 0;
  const chosen = value(/** @type {number|null} */ (null));
  const id = derived(() => search()?.id);
  effect(() => {
    // Another race begins without a choice.
    id.value;
    chosen.value = null;
  });
  const view = new BoardView({ label: "Best position so far", largest: 28, tallest: 0.3 });
  const best = derived(() => {
    if (!job.value) return null;
    const { live: now, status } = job.value;
    const line = bestPosition(now.strategies, chosen.value);
    const nearest = line?.best ?? (status === "done" ? null : now.best);
    if (!nearest) return null;
    const done = nearest.g === null ? "" : `, ${nearest.g} done`;
    // A blind search estimates nothing.
    const left = nearest.h > 0 ? `, ${racing() ? "at least" : "about"} ${nearest.h} to go` : "";
    const words = `Nearest so far: ${plural(nearest.in_place, "box", "boxes")} on goals${done}${left}`;
    return { words: line?.words ?? words, board: nearest.board };
  });
  effect(() => {
    if (best.value) view.show(Position.parse(best.value.board));
  });
  const countsOnly = () => {
    const now = job.value;
    return now?.status === "running" && !now.live.best && !racing() && now.live.expanded > 0;
  };
  // Of a search that ended before the page was loaded its answer is left.
  const hidden = () => said() === null && (!search() || (!job.value && !search()?.error && over()));
  const whenCounted = (/** @type {(job: Job) => any} */ make) => () => job.value && make(job.value);
  return h("section.card.live", { hidden, "aria-label": "The search" }, [
    h("h2", "The search"),
    h("div.row", [
      h("p.status", { role: "status" }, () => {
        const one = search();
        return said() ?? (one ? statusWords(one) : "");
      }),
      // On a narrow screen the choices, and the button among them, stand far below the search.
      button("Cancel", oncancel, { class: "danger narrow", hidden: () => said() !== null || !search() || over() }),
    ]),
    h(
      "dl.figures",
      whenCounted((now) => figuresOf(now, racing())),
    ),
    raceTable(
      () => strategies.value,
      () => job.value?.status === "done",
      chosen,
    ),
    h(
      "div.charts",
      whenCounted(() => chartsOf(search()?.history.points ?? [], racing())),
    ),
    h("div.best", [
      each(
        () => (best.value ? [1] : []),
        () => 1,
        () => [h("h3", () => best.value?.words), view.element],
      ),
      () =>
        countsOnly() &&
        h("p.about", [
          "A proof is at work, which shows counts only. Choose an algorithm to see where on the board a search looks, how near it comes, and what cuts it.",
        ]),
    ]),
    h(
      "div.cuts",
      whenCounted((now) => cutsOf(now.live.pruned, racing())),
    ),
  ]);
}
