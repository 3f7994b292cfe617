// One lane of the race: an algorithm, its search and the playback of its answer.

import { startJob } from "../lib/api.js";
import { calm, field, h, iconButton, select, sentenceOf } from "../lib/dom.js";
import { bytes, count, plural, proofKind, proofWords, time } from "../lib/format.js";
import { pretty } from "../sokoban/config.js";
import { showConnection } from "../sokoban/connection.js";
import { outcomeWords } from "../sokoban/outcome.js";
import { store } from "../store.js";
import { moved, tileBoard } from "./board.js";

/** @typedef {import("../lib/types.js").Job} Job */
/** @typedef {{start: number[], goal: number[], moves: string}} Puzzle */

/** One lane of the race. */
export class Racer {
  /**
   * @param {string} name
   * @param {string} algorithm
   * @param {Puzzle} puzzle
   * @param {() => void} onchange
   */
  constructor(name, algorithm, puzzle, onchange) {
    const { algorithms, heuristics } = store.about.tiles;
    this.name = name;
    this.puzzle = puzzle;
    this.onchange = onchange;
    this.algorithm = select(
      algorithms.map((one) => [one, pretty(one)]),
      algorithm,
      () => this.chosen(),
    );
    this.heuristic = select(
      [["", "Recommended"], ...heuristics.map((one) => /** @type {[string, string]} */ ([one.name, pretty(one.name)]))],
      "",
      () => this.chosen(),
    );
    this.about = h("p", { class: "about" });
    this.bar = h("span", null);
    this.words = h("p", { role: "status" }, "Ready.");
    this.proof = h("p", { class: "promise plain", hidden: true });
    this.board = tileBoard(`${name}: board`, null);
    this.steps = /** @type {string[]} */ ([]);
    this.index = 0;
    this.timer = 0;
    /** @type {Job|null} */
    this.job = null;
    /** @type {{wanted: boolean, following: import("../lib/api.js").Following|null}|null} The run that the lane shows. */
    this.turn = null;
    this.counter = h("output", { class: "counter" });
    this.controls = h(
      "div",
      { class: "transport", hidden: true, role: "group", "aria-label": `${name}: playback` },
      iconButton("first", "To the start", () => this.seek(0)),
      iconButton("back", "One move back", () => this.seek(this.index - 1)),
      iconButton("play", "Play", () => this.play()),
      iconButton("next", "One move on", () => this.seek(this.index + 1)),
      this.counter,
    );
    this.element = h(
      "section",
      { class: "card racer", "aria-label": name },
      h("h3", null, name),
      field("Algorithm", this.algorithm),
      field("Heuristic", this.heuristic, this.about),
      h("div", { class: "track" }, this.bar),
      this.words,
      this.proof,
      this.board.element,
      this.controls,
    );
    this.tell();
  }

  /** A choice belongs to the next race: what stands there is of the last one. */
  chosen() {
    this.tell();
    this.onchange();
  }

  tell() {
    const chosen = store.about.tiles.heuristics.find((one) => one.name === this.heuristic.value);
    const words = chosen
      ? this.puzzle.moves === "diagonal"
        ? chosen.diagonal
        : chosen.classic
      : "the strongest one with a promise for this board";
    this.about.textContent = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  }

  cancel() {
    if (!this.turn) return;
    this.turn.wanted = false;
    this.turn.following?.cancel().catch(() => {});
  }

  reset() {
    this.cancel();
    this.turn = null;
    this.job = null;
    clearInterval(this.timer);
    this.controls.hidden = true;
    this.proof.hidden = true;
    this.words.textContent = "Ready.";
    this.bar.style.width = "0";
    this.board.show(this.puzzle.start, this.puzzle.goal);
  }

  async run() {
    this.reset();
    /** @type {NonNullable<typeof this.turn>} */
    const turn = { wanted: true, following: null };
    this.turn = turn;
    const body = {
      kind: "tiles",
      start: this.puzzle.start.join(" "),
      goal: this.puzzle.goal.join(" "),
      moves: this.puzzle.moves,
      algorithm: this.algorithm.value,
      heuristic: this.heuristic.value || undefined,
      request: {
        time_limit: Math.min(120, store.about.limits.seconds),
        memory_limit: Math.min(1024, store.about.limits.mebibytes) * 2 ** 20,
      },
    };
    try {
      turn.following = await startJob(
        body,
        (job) => {
          if (turn !== this.turn) return;
          this.job = job;
          this.show();
          this.onchange();
        },
        showConnection,
      );
      if (!turn.wanted) turn.following.cancel().catch(() => {});
      const job = await turn.following.ended;
      if (turn !== this.turn) return;
      this.job = job;
      this.show();
      this.onchange();
      const result = job.result;
      if (result?.solution !== null && result) {
        this.steps = result.solution ? result.solution.split(",") : [];
        this.controls.hidden = false;
        this.proof.hidden = false;
        this.proof.className = `promise ${proofKind(result.proof)}`;
        this.proof.textContent = proofWords(result.proof);
        this.seek(0);
        if (!calm()) this.play();
        else this.seek(this.steps.length);
      }
    } catch (error) {
      if (turn === this.turn) this.words.textContent = sentenceOf(error);
    }
  }

  show() {
    const { job } = this;
    if (!job) return;
    const { live, result } = job;
    if (result)
      this.words.textContent = `${pretty(result.algorithm)}${result.heuristic === "none" ? "" : ` with ${result.heuristic}`}: ${outcomeWords(result, job.cancelled_because)} · ${plural(result.expanded, "board")} expanded · ${time(result.seconds)} · ${bytes(result.peak_bytes)}`;
    else if (job.phase) this.words.textContent = job.phase;
    else this.words.textContent = `${count(live.expanded)} boards expanded · ${time(live.seconds)} …`;
  }

  /** @param {number} to */
  seek(to) {
    this.index = Math.max(0, Math.min(this.steps.length, to));
    /** @type {number[]} */
    let now = this.puzzle.start;
    for (const step of this.steps.slice(0, this.index)) now = moved(now, step) ?? now;
    this.board.show(now, this.puzzle.goal);
    this.counter.textContent = `${this.index} / ${this.steps.length}`;
  }

  play() {
    clearInterval(this.timer);
    if (this.index >= this.steps.length) this.seek(0);
    this.timer = window.setInterval(() => {
      if (this.index >= this.steps.length) clearInterval(this.timer);
      else this.seek(this.index + 1);
    }, 300);
  }
}
