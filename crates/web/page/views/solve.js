// Solve and watch: choose how, see the search live, then the answer and its playback.

import { startJob } from "../lib/api.js";
import { lineChart } from "../lib/chart.js";
import { announce, button, fill, h, toast } from "../lib/dom.js";
import { bytes, count, plural, proofKind, proofWords, short, time } from "../lib/format.js";
import { copy } from "../lib/save.js";
import { BoardView } from "../sokoban/board.js";
import { ConfigForm } from "../sokoban/config.js";
import { levelBar } from "../sokoban/levelbar.js";
import { Playback } from "../sokoban/playback.js";
import { Position } from "../sokoban/position.js";
import { RaceTable } from "../sokoban/race.js";
import { shareLink } from "../sokoban/share.js";
import { keepSolution, store } from "../store.js";

/** @typedef {import("../lib/types.js").Job} Job */
/** @typedef {import("../lib/types.js").Point} Point */
/** @typedef {import("../lib/api.js").Following} Following */

/** Shows or hides the sign that the server cannot be reached. @param {boolean} connected */
export function showConnection(connected) {
  const sign = document.getElementById("connection");
  if (sign) sign.hidden = connected;
}

/**
 * How a search ended, in words.
 * @param {import("../lib/types.js").JobResult} result
 * @param {string|null} because
 */
export function outcomeWords(result, because) {
  switch (result.outcome) {
    case "solved":
      return result.pushes === null ? `Solved in ${plural(result.moves ?? 0, "move")}` : `Solved: ${plural(result.pushes, "push", "pushes")}, ${plural(result.moves ?? 0, "move")}`;
    case "unsolvable":
      return "Proved: this level has no solution";
    case "exhausted":
      return "Nothing found, and nothing proved";
    case "stopped":
      return `Stopped by the ${result.stopped_by === "nodes" ? "node" : result.stopped_by} limit`;
    case "cancelled":
      return `Cancelled${because ? `: ${because}` : ""}`;
    default:
      return "The search failed";
  }
}

/** How much of the screen's height the board may take, and how much while a long search is watched: then there is more to see. */
const [TALL, LOW] = [0.52, 0.36];

export function solveView() {
  const view = new BoardView({ label: "Level", tallest: TALL });
  const playback = new Playback(view);
  playback.element.hidden = true;
  const form = new ConfigForm();
  /** @type {Following|null} */
  let following = null;
  /** @type {Point[]} */
  let history = [];
  let heat = true;
  /** @type {Job|null} */
  let last = null;

  const start = button("Solve", () => run(), { class: "primary large" });
  const stop = button("Cancel", () => following?.cancel().catch((error) => toast(error.message, "error")), { class: "danger large", hidden: true });
  // On a narrow screen the choices, and the button among them, stand far below the search.
  const stopHere = button("Cancel", () => stop.click(), { class: "danger narrow", hidden: true });
  const status = h("p", { class: "status", role: "status" });
  const tiles = h("dl", { class: "figures" });
  const charts = h("div", { class: "charts" });
  const cuts = h("div", { class: "cuts" });
  const best = h("div", { class: "best" });
  const bestView = new BoardView({ label: "Best position so far", largest: 28, tallest: 0.3 });
  const heatBox = h("input", { type: "checkbox", checked: true, onchange: () => {
    heat = heatBox.checked;
    drawBoard();
  } });
  const heatWords = h("span");
  const heatLabel = h("label", { class: "check inline heat", hidden: true }, heatBox, heatWords);
  const race = new RaceTable(() => last && show(last));
  const live = h("section", { class: "card live", hidden: true, "aria-label": "The search" }, h("h2", null, "The search"), h("div", { class: "row" }, status, stopHere), tiles, race.element, charts, best, cuts);
  const answer = h("section", { class: "card answer", hidden: true, "aria-label": "The answer" });

  const drawBoard = () => {
    const extras = { heat: heat ? last?.live.heat ?? null : null };
    view.show(playback.element.hidden ? Position.parse(store.current.board) : playback.position, extras);
  };

  const reset = () => {
    following?.cancel().catch(() => {});
    following = null;
    last = null;
    history = [];
    race.clear();
    playback.pause();
    playback.element.hidden = true;
    live.hidden = true;
    answer.hidden = true;
    heatLabel.hidden = true;
    running(false);
    drawBoard();
    if (store.current.solution) showSolution(store.current.solution, "This level came with a solution", null);
  };

  const running = (/** @type {boolean} */ yes) => {
    stop.hidden = !yes;
    stopHere.hidden = !yes;
    view.tallest = TALL;
    start.hidden = yes;
  };

  async function run() {
    reset();
    answer.hidden = true;
    playback.element.hidden = true;
    heatBox.checked = true;
    heat = true;
    drawBoard();
    try {
      running(true);
      live.hidden = false;
      status.textContent = "Starting …";
      announce("The search has started.");
      following = await startJob({ kind: "sokoban", board: store.current.board, config: form.config, limits: form.limits }, (job) => show(job), showConnection);
      const mine = following;
      const job = await mine.ended;
      if (following === mine) ended(job);
    } catch (error) {
      running(false);
      status.textContent = error instanceof Error ? error.message : String(error);
      toast(status.textContent, "error");
    }
  }

  /** @param {Job} job */
  function show(job) {
    if (following && job.id !== following.id) return;
    last = job;
    const now = job.live;
    if (job.history) history = job.history;
    else if (now.seconds > (history.at(-1)?.[0] ?? -1)) history.push([now.seconds, now.expanded, now.generated, now.frontier, now.bytes, now.lower_bound]);
    if (job.status === "waiting") status.textContent = "Waiting for its turn …";
    else if (job.status === "running") status.textContent = job.phase ?? `Searching, ${time(now.seconds)} …`;
    if (job.status === "running" && now.seconds > 0.7 && matchMedia("(min-width: 62rem)").matches) view.tallest = LOW;
    const rate = now.seconds > 0 ? now.expanded / now.seconds : 0;
    // Searches that race have no common frontier and bound nothing.
    const racing = now.strategies.length > 0;
    const figures = [
      ["Expanded", count(now.expanded)],
      ["Generated", count(now.generated)],
      ["Nodes per second", short(rate)],
      ...(racing ? [] : [["Frontier", count(now.frontier)], ["No solution below", now.lower_bound === null ? "unknown" : count(now.lower_bound)]]),
      ["Memory", bytes(now.bytes)],
    ];
    race.show(now.strategies, job.status === "done");
    fill(tiles, figures.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
    const series = (/** @type {1|2|3|4|5} */ index) => history.map((point) => /** @type {[number, number]} */ ([point[0], point[index] ?? 0]));
    if (history.length > 1) {
      fill(charts,
        chart("Nodes generated", series(2), short),
        racing ? chart("Nodes expanded", series(1), short) : chart("Frontier", series(3), short),
        chart("Memory", series(4), bytes),
        racing ? null : chart("Lower bound", series(5), short),
      );
    } else fill(charts);
    const named = Object.entries(now.cuts).sort((a, b) => b[1] - a[1]);
    const most = Math.max(1, ...named.map(([, number]) => number));
    fill(cuts, named.length ? h("h3", null, racing ? "Positions cut, by rule" : "Pushes cut, by reason") : null, named.map(([name, number]) => {
      const bar = h("span", { class: "cut-bar" });
      bar.style.width = `${(number / most) * 100}%`;
      return h("div", { class: "cut" }, h("span", { class: "cut-name" }, name), h("span", { class: "cut-track" }, bar), h("span", { class: "cut-count" }, short(number)));
    }));
    const chosen = race.position;
    const nearest = chosen?.best ?? (job.status === "done" ? null : now.best);
    if (nearest) {
      const done = nearest.g === null ? "" : `, ${nearest.g} done`;
      // A blind search estimates nothing.
      const left = nearest.h > 0 ? `, ${racing ? "at least" : "about"} ${nearest.h} to go` : "";
      const words = `Nearest so far: ${plural(nearest.in_place, "box", "boxes")} on goals${done}${left}`;
      fill(best, h("h3", null, chosen?.words ?? words), bestView.element);
      bestView.show(Position.parse(nearest.board));
    } else if (!now.best && !racing && job.status === "running" && now.expanded > 0) {
      fill(best, h("p", { class: "about" }, "A proof is at work, which shows counts only. Choose an algorithm to see where on the board a search looks, how near it comes, and what cuts it."));
    } else fill(best);
    heatLabel.hidden = !now.heat;
    heatWords.textContent = `Heat map: ${racing ? "where the searches moved boxes to" : "how often the search had a box on a square"} (the stronger the colour, the more often)`;
    drawBoard();
  }

  const chart = (/** @type {string} */ label, /** @type {[number, number][]} */ points, /** @type {(n: number) => string} */ words) =>
    h("figure", null, h("figcaption", null, h("span", null, label), h("strong", null, words(points.at(-1)?.[1] ?? 0))), lineChart(label, points, words));

  /** @param {Job} job */
  function ended(job) {
    running(false);
    const result = job.result;
    if (!result) return;
    const words = outcomeWords(result, job.cancelled_because);
    status.textContent = `${words} after ${time(result.seconds)}.`;
    announce(words);
    drawBoard();
    if (result.solution) {
      keepSolution(store.current.board, store.current.title, result.solution);
      showSolution(result.solution, words, result);
      playback.autoplay();
    } else {
      answer.hidden = false;
      fill(answer, h("h2", null, words), verdict(result), notes(result.notes));
    }
  }

  /** @param {import("../lib/types.js").JobResult} result */
  function verdict(result) {
    if (result.outcome === "unsolvable") return h("p", { class: "promise good" }, "Proof: everything was searched, by rules that lose no solution");
    if (result.lower_bound !== null) return h("p", null, `What is proved so far: no solution is below ${count(result.lower_bound)}.`);
    return null;
  }

  const notes = (/** @type {string[]} */ list) => (list.length ? h("ul", { class: "notes" }, list.map((note) => h("li", null, note))) : null);

  /** @param {string} lurd @param {string} words @param {import("../lib/types.js").JobResult|null} result */
  function showSolution(lurd, words, result) {
    answer.hidden = false;
    const text = h("textarea", { class: "mono lurd", readOnly: true, rows: Math.min(6, Math.ceil(lurd.length / 48)), "aria-label": "Solution in LURD notation" }, lurd);
    text.value = lurd;
    fill(answer,
      h("h2", null, words),
      result ? h("p", { class: `promise ${proofKind(result.proof)}` }, proofWords(result.proof)) : null,
      result?.lower_bound !== null && result ? h("p", { class: "muted" }, `No solution is below ${count(result.lower_bound ?? 0)} ${result.formulation === "push" ? "pushes" : "moves"}.`) : null,
      text,
      h("div", { class: "row wrap" },
        button("Copy LURD", async () => toast((await copy(lurd)) ? "The solution is in the clipboard." : "Select the text and copy it: the browser does not let the page.")),
        button("Copy link", async () => toast((await copy(shareLink({ board: store.current.board, title: store.current.title, solution: lurd }, "solve"))) ? "The link carries the level and the solution." : "The browser does not let the page copy.")),
      ),
      notes(result?.notes ?? []),
      h("p", { class: "muted keys" }, "Keys: space plays, ← → step, Home End, + − speed."),
    );
    playback.element.hidden = false;
    heatBox.checked = false;
    heat = false;
    view.extras = {};
    playback.load(store.current.board, lurd);
  }

  document.addEventListener("levelchange", reset);
  const explained = () => (start.disabled = !form.ok);
  form.plan.addEventListener("explained", explained);
  reset();

  const element = h("div", { class: "view two" },
    h("h1", { class: "hidden-text" }, "Solve and watch"),
    h("div", { class: "stage" }, levelBar(), h("div", { class: "board-card card" }, view.element, heatLabel, playback.element), answer, live),
    h("aside", { class: "side card", "aria-label": "How to solve" }, h("h2", null, "How to solve"), h("div", { class: "row" }, start, stop), form.plan, form.element),
  );
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && following && !stop.hidden) {
        stop.click();
        return true;
      }
      if (event.key === "Enter" && !start.hidden && !start.disabled) {
        start.click();
        return true;
      }
      return !playback.element.hidden && playback.key(event);
    },
    left: () => playback.pause(),
  };
}
