// New levels: the level of the day, an endless series that follows the player's success, variations of a level, levels by a
// wish. The series and the level of the day are kept in the browser; every level that was made has an address of its own.

import { value } from "../lib/core.js";
import { announce, button, h, sentenceOf } from "../lib/dom.js";
import { Errand } from "../lib/errand.js";
import { plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { keyOf, setLevel, store } from "../store.js";
import { notedGrade } from "./grade.js";
import { wishDialog } from "./wishes.js";

/** @typedef {import("../lib/types.js").Level} Level */
/** @typedef {import("../lib/types.js").Made} Made */
/**
 * The series as it is kept: its last level, how many were solved and how many of those one after the other, and whether hints
 * were asked for in this one.
 * @typedef {{series: import("../lib/types.js").Series, level: Level, grade: number|null, solved: number, streak: number, helped: boolean}} Endless
 */

/** The longest somebody waits for a level, in seconds. */
const SECONDS = 60;

/** @returns {Endless|null} */
const endless = () => kept("endless");

/** A seed that nobody had before. */
const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;

/** Today in universal time: the level of the day changes everywhere at once. */
const today = () => new Date().toISOString().slice(0, 10);

/** Shows a level that was made. @param {Level} level */
const open = (level) =>
  setLevel({ board: level.board, title: level.title ?? "New level", author: level.author, notes: level.notes });

export class NewLevels {
  /** @param {() => "solved"|"unsolved"} standing how the game of the current level stands */
  constructor(standing) {
    this.standing = standing;
    this.errand = new Errand();
    this.status = value("");
    /** Whether a level is being made, from the first moment on: the job may not have a number yet. */
    this.isMaking = value(false);
    const here = () => this.inSeries;
    const series = () => {
      const kept = endless();
      if (!kept) return "";
      const grade = kept.grade ? `, grade ${kept.grade}` : "";
      return `Endless: level ${kept.series.number}${grade}; ${plural(kept.solved, "level")} solved, ${kept.streak} in a row without help.`;
    };
    const backWords = () => (endless() && !here() ? "Back to the series" : "Endless");
    this.element = h("section.new-levels", { "aria-label": "New levels" }, [
      h("h3", "New levels"),
      h("div.row.wrap", [
        button("Level of the day", () => this.daily()),
        button(backWords, () => this.playEndless(), { disabled: () => here() && standing() === "unsolved" }),
        button("Another like this", () => this.like(false)),
        button("A little harder", () => this.like(true)),
        button("By a wish …", wishDialog, { "aria-haspopup": "dialog" }),
      ]),
      h("p.muted", { role: "status", hidden: () => !endless() }, series),
      h("div.row.wrap", { hidden: () => !endless() }, [
        button("Skip this one", () => this.nextOfSeries(), { hidden: () => !here() || standing() === "solved" }),
        button("New series", () => this.begin(), { class: "quiet" }),
      ]),
      h("div.row.wrap", { hidden: () => !this.status.value }, [
        h("p.status", { role: "status" }, () => this.status.value),
        button("Cancel", () => this.cancel(), { class: "danger", hidden: () => !this.isMaking.value }),
      ]),
    ]);
  }

  /** Whether the current level is the last of the series. */
  get inSeries() {
    const kept = endless();
    return kept !== null && keyOf(kept.level.board) === keyOf(store.current.board);
  }

  /** Somebody was helped with the current level. */
  helped() {
    const kept = endless();
    if (kept && this.inSeries && !kept.helped) keep("endless", { ...kept, helped: true });
  }

  /**
   * Makes a level; null where there is none.
   * @param {Record<string, unknown>} body
   * @param {string} words
   * @returns {Promise<Made|null>}
   */
  async make(body, words) {
    this.isMaking.value = true;
    this.tell(`Making ${words} …`);
    try {
      const { result } = await this.errand.run({ ...body, request: { time_limit: SECONDS } }, (job) => {
        if (job.status === "waiting") this.status.value = "The level waits: other searches run first.";
        else if (job.status === "running") this.status.value = `Making ${words} …`;
      });
      this.isMaking.value = false;
      if (!result?.made) {
        const late = `No level was ready within ${SECONDS} seconds. Try again: another seed may be quicker.`;
        this.tell(result?.outcome === "stopped" ? late : `No level: ${result?.notes[0] ?? result?.outcome}.`);
        return null;
      }
      const { made, rating, notes } = result;
      // Whoever asks for a harder level is told if it is none; the grades of days and series nobody asked for.
      const missed = body.kind === "like" && notes.length ? ` But ${notes.join("; ")}.` : "";
      const best = plural(result.pushes ?? 0, "push", "pushes");
      this.tell(`${made.level.title}: grade ${rating?.grade.number}, ${best} at best.${missed}`);
      return made;
    } catch (error) {
      this.isMaking.value = false;
      this.tell(`No level: ${sentenceOf(error)}`);
      return null;
    }
  }

  cancel() {
    this.errand.end();
    this.isMaking.value = false;
    this.tell("Cancelled.");
  }

  /** @param {string} words */
  tell(words) {
    this.status.value = words;
    announce(words);
  }

  async daily() {
    const date = today();
    const known = kept("daily");
    if (known?.date === date) {
      open(known.level);
      return;
    }
    const made = await this.make({ kind: "daily", date }, `the level of ${date}`);
    if (!made) return;
    keep("daily", { date, level: made.level });
    open(made.level);
  }

  /** @param {boolean} harder */
  async like(harder) {
    const made = await this.make(
      { kind: "like", board: store.current.board, harder, seed: newSeed() },
      harder ? "a level a little harder" : "another level like this",
    );
    if (made) open(made.level);
  }

  /** Goes to the series: back to its level, on to the next one, or to the first. */
  async playEndless() {
    const kept = endless();
    if (!kept) await this.begin();
    else if (this.inSeries) await this.nextOfSeries();
    else open(kept.level);
  }

  async begin() {
    const made = await this.make({ kind: "endless", series: { seed: newSeed() } }, "the first level of a series");
    if (made) this.take(made, { solved: 0, streak: 0 });
  }

  /** The next level of the series, by what came of this one. */
  async nextOfSeries() {
    const kept = endless();
    if (!kept) return;
    const played = this.standing() === "unsolved" ? "skipped" : kept.helped ? "hints" : "solved";
    const made = await this.make(
      { kind: "endless", series: kept.series, played },
      `level ${(kept.series.number ?? 0) + 1} of the series`,
    );
    if (!made) return;
    const solved = kept.solved + (played === "skipped" ? 0 : 1);
    this.take(made, { solved, streak: played === "solved" ? kept.streak + 1 : 0 });
  }

  /** @param {Made} made @param {{solved: number, streak: number}} counts */
  take({ level, series }, counts) {
    if (!series) return;
    keep("endless", { series, level, grade: notedGrade(level.notes), ...counts, helped: false });
    open(level);
  }
}
