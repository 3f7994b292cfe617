// Hints by degree: where to look, which box, which push, the whole way. A hint stays until a push is made; while the player
// follows the solution the next one is there at once.

import { post } from "../lib/api.js";
import { latest, value } from "../lib/core.js";
import { announce } from "../lib/dom.js";
import { Errand } from "../lib/errand.js";
import { searchRequest } from "./contract.js";
import { Position } from "./position.js";

/** @typedef {import("./position.js").Direction} Direction */
/** @typedef {import("../lib/types.js").HintDegree} HintDegree */

/** How long a hint is looked for. */
const SECONDS = 10;
/** What is said after the words of each degree. */
const MORE = {
  where: "Ask again to see which box.",
  box: "Ask again to see the push.",
  push: "It stays until a push is made. Ask again for the whole way.",
  way: "The moves lie ready: Do again (Y) makes the next one.",
};

export class Hint {
  constructor() {
    this.begin = latest();
    this.errand = new Errand();
    /** What happens, and why it takes a while. */
    this.words = value("");
    this.busy = value(false);
    /** @type {HintDegree[]} The hint of this position, by degree. */
    this.degrees = [];
    /** The degree that is shown. */
    this.shown = value(/** @type {HintDegree|null} */ (null));
    /** @type {{before: string, solution: string}|null} A solution from a position on. */
    this.known = null;
    /** Whether it is known that there is no solution from here. */
    this.hopeless = value(false);
  }

  /** What is drawn of it. @returns {import("./paint.js").Extras} */
  get extras() {
    const shown = this.shown.value;
    if (!shown) return {};
    const [cell] = shown.cells;
    if (shown.degree === "where" || cell === undefined) return { region: shown.cells };
    return { hinted: cell, hint: shown.to === null ? null : { from: cell, to: shown.to } };
  }

  /** Forgets what is shown. */
  clear() {
    this.begin();
    this.errand.end();
    this.degrees = [];
    this.shown.value = null;
    this.hopeless.value = this.busy.value = false;
    this.words.value = "";
  }

  /** @param {string} words */
  tell(words) {
    this.words.value = words;
    announce(words);
  }

  /**
   * Tells a little more about a position; never comes back if it is cleared meanwhile. Where the whole way is told, its moves
   * are given.
   * @param {Position} position
   * @returns {Promise<string|null>}
   */
  async more(position) {
    this.busy.value = true;
    try {
      const shown = this.shown.now;
      if (!shown && !(await this.find(position))) return null;
      const next = shown
        ? this.degrees[Math.min(this.degrees.indexOf(shown) + 1, this.degrees.length - 1)]
        : this.degrees[0];
      if (!next) return null;
      // A walk since then belongs to the way.
      if (next.degree === "way" && !(await this.find(position))) return null;
      const told = next.degree === "way" ? (this.degrees.at(-1) ?? next) : next;
      this.shown.value = told;
      this.tell(`${told.words} ${MORE[told.degree]}`);
      return told.moves;
    } finally {
      this.busy.value = false;
    }
  }

  /** Looks for the hint of a position. @param {Position} position */
  async find(position) {
    const wait = this.begin();
    const board = position.toString();
    const solution = this.follow(position) ?? (await wait(this.search(board)));
    if (!solution) return false;
    const { degrees } = await wait(post("/hint", { board, solution }));
    this.known = { before: board, solution };
    this.degrees = degrees;
    return true;
  }

  /** The rest of the known solution, if the position lies on it. @param {Position} position */
  follow(position) {
    if (!this.known) return null;
    const actor = Position.parse(this.known.before);
    const same = () => actor.boxes.join() === position.boxes.join();
    for (let index = 0; index <= this.known.solution.length; index += 1) {
      // The boxes stand as on the way: a walk to the player's place there leads back onto it.
      if (same() && index < this.known.solution.length) {
        const walk = position.walk(actor.player);
        if (walk !== null) return walk + this.known.solution.slice(index);
      }
      const letter = this.known.solution[index];
      if (letter) actor.step(/** @type {Direction} */ (letter.toLowerCase()));
    }
    return null;
  }

  /** @param {string} board @returns {Promise<string|null>} */
  async search(board) {
    this.tell(`Looking for a solution from here, for at most ${SECONDS} seconds …`);
    const { result } = await this.errand.run(searchRequest(board, {}, { time_limit: SECONDS }), (job) => {
      if (job.status === "waiting") this.tell("The hint waits: other searches run first.");
    });
    if (result?.solution) return result.solution;
    this.hopeless.value = result?.outcome === "unsolvable";
    this.tell(
      this.hopeless.value
        ? "There is no solution from here: take something back."
        : `No hint: no solution was found in ${SECONDS} seconds.`,
    );
    return null;
  }
}
