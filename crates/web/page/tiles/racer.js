// One lane of the race: an algorithm, its search and the playback of its answer.

import { value } from "../lib/core.js";
import { calm, field, h, select, sentenceOf } from "../lib/dom.js";
import { Errand } from "../lib/errand.js";
import { bytes, count, plural, proofKind, proofWords, time } from "../lib/format.js";
import { Transport } from "../lib/transport.js";
import { pretty } from "../sokoban/config.js";
import { outcomeWords } from "../sokoban/outcome.js";
import { store } from "../store.js";
import { moved, tileBoard } from "./board.js";

/** @typedef {import("../lib/types.js").Job} Job */
/** @typedef {{start: number[], tiles: number[], goal: number[], moves: string, made: number}} Puzzle */

/** What a lane is at, in words. @param {Job} job */
function words({ live, phase, result, cancelled_because: because }) {
  if (!result) return phase ?? `${count(live.expanded)} boards expanded · ${time(live.seconds)} …`;
  const heuristic = result.heuristic === "none" ? "" : ` with ${result.heuristic}`;
  return `${pretty(result.algorithm)}${heuristic}: ${outcomeWords(result, because)} · ${plural(result.expanded, "board")} expanded · ${time(result.seconds)} · ${bytes(result.peak_bytes)}`;
}

/** One lane of the race. */
export class Racer {
  /**
   * @param {string} name
   * @param {{algorithm: string, heuristic: string}} choice
   * @param {{readonly value: Puzzle, readonly now: Puzzle}} puzzle
   * @param {() => number} most boards that the lane with most of them has expanded
   */
  constructor(name, choice, puzzle, most) {
    const { algorithms, heuristics } = store.about.tiles;
    this.puzzle = puzzle;
    /** What the next race runs: what stands there is of the last one. */
    this.choice = value(choice);
    this.errand = new Errand();
    this.job = value(/** @type {Job|null} */ (null));
    this.trouble = value("");
    const steps = () => this.job.value?.result?.solution?.split(",").filter(Boolean) ?? [];
    const solved = () => this.job.value?.result?.solution != null;
    this.transport = new Transport({
      last: () => steps().length,
      pace: () => 300,
      names: {
        all: `${name}: playback`,
        play: "Play",
        first: "To the start",
        back: "One move back",
        next: "One move on",
        last: "To the end",
        slider: "",
      },
      bare: true,
      counter: (index) => `${index} / ${steps().length}`,
      hidden: () => !solved(),
    });
    const board = () => {
      const { start, goal } = puzzle.value;
      const done = steps().slice(0, this.transport.index.value);
      return { tiles: done.reduce((now, step) => moved(now, step) ?? now, start), goal };
    };
    const about = () => {
      const chosen = heuristics.find((one) => one.name === this.choice.value.heuristic);
      const diagonal = puzzle.value.moves === "diagonal";
      const sentence = chosen
        ? chosen[diagonal ? "diagonal" : "classic"]
        : "the strongest one with a promise for this board";
      return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
    };
    const choose = (/** @type {Partial<typeof choice>} */ changes) =>
      (this.choice.value = { ...this.choice.now, ...changes });
    const named = heuristics.map((one) => [one.name, pretty(one.name)]);
    const proof = () => this.job.value?.result?.proof ?? "";
    this.element = h("section.card.racer", { "aria-label": name }, [
      h("h3", name),
      field(
        "Algorithm",
        select(
          algorithms.map((one) => [one, pretty(one)]),
          choice.algorithm,
          (algorithm) => choose({ algorithm }),
        ),
      ),
      field(
        "Heuristic",
        select([["", "Recommended"], ...named], choice.heuristic, (heuristic) => choose({ heuristic })),
        about,
      ),
      h("div.track", [h("span", { style: () => ({ width: `${(this.expanded / most()) * 100}%` }) })]),
      h("p", { role: "status" }, () => this.trouble.value || (this.job.value ? words(this.job.value) : "Ready.")),
      h("p.promise", { class: () => proofKind(proof()), hidden: () => !solved() }, () => proofWords(proof())),
      tileBoard(`${name}: board`, board, null),
      this.transport.element,
    ]);
  }

  get expanded() {
    const job = this.job.value;
    return job?.result?.expanded ?? job?.live.expanded ?? 0;
  }

  cancel() {
    this.errand.following?.cancel().catch(() => {});
  }

  reset() {
    this.errand.end();
    this.job.value = null;
    this.trouble.value = "";
    this.transport.pause();
    this.transport.step(0);
  }

  /** @param {() => boolean} isWanted whether nobody has cancelled the race before it began */
  async run(isWanted) {
    this.reset();
    const { start, goal, moves } = this.puzzle.now;
    const { algorithm, heuristic } = this.choice.now;
    const { limits } = store.about;
    const body = {
      kind: "tiles",
      start: start.join(" "),
      goal: goal.join(" "),
      moves,
      algorithm,
      heuristic: heuristic || undefined,
      request: { time_limit: Math.min(120, limits.seconds), memory_limit: Math.min(1024, limits.mebibytes) * 2 ** 20 },
    };
    try {
      this.job.value = await this.errand.run(body, (job) => {
        this.job.value = job;
        if (!isWanted()) this.cancel();
      });
      if (calm()) this.transport.go(Infinity);
      else if (this.job.value.result?.solution) this.transport.play();
    } catch (error) {
      this.trouble.value = sentenceOf(error);
    }
  }
}
