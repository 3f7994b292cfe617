// Hints by degree: where to look, which box, which push, the whole way. A hint stays until a push is made; while the player
// follows the solution the next one is there at once.

import { post, startJob } from "../lib/api.js";
import { showConnection } from "./connection.js";
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
  /** @param {(words: string) => void} tell told what happens, and why it takes a while */
  constructor(tell) {
    this.tell = tell;
    /** @type {HintDegree[]} The hint of this position, by degree. */
    this.degrees = [];
    /** @type {HintDegree|null} The degree that is shown. */
    this.shown = null;
    /** @type {{before: string, solution: string}|null} A solution from a position on. */
    this.known = null;
    /** Whether it is known that there is no solution from here. */
    this.hopeless = false;
    this.asked = 0;
  }

  /** What is drawn of it. @returns {import("./paint.js").Extras} */
  get extras() {
    const { shown } = this;
    if (!shown) return {};
    const [cell] = shown.cells;
    if (shown.degree === "where" || cell === undefined) return { region: shown.cells };
    return { hinted: cell, hint: shown.to === null ? null : { from: cell, to: shown.to } };
  }

  /** Forgets what is shown. */
  clear() {
    this.degrees = [];
    this.shown = null;
    this.hopeless = false;
    this.asked += 1;
  }

  /**
   * Tells a little more about a position. Where the whole way is told, its moves are given.
   * @param {Position} position
   * @returns {Promise<string|null>}
   */
  async more(position) {
    if (!this.shown && !(await this.find(position))) return null;
    const next = this.shown
      ? this.degrees[Math.min(this.degrees.indexOf(this.shown) + 1, this.degrees.length - 1)]
      : this.degrees[0];
    if (!next) return null;
    // A walk since then belongs to the way.
    if (next.degree === "way" && !(await this.find(position))) return null;
    this.shown = next.degree === "way" ? (this.degrees.at(-1) ?? next) : next;
    this.tell(`${this.shown.words} ${MORE[this.shown.degree]}`);
    return this.shown.moves;
  }

  /** Looks for the hint of a position. @param {Position} position */
  async find(position) {
    this.asked += 1;
    const mine = this.asked;
    const board = position.toString();
    const solution = this.follow(position) ?? (await this.search(board, mine));
    if (mine !== this.asked || !solution) return false;
    const { degrees } = await post("/hint", { board, solution });
    if (mine !== this.asked) return false;
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

  /** @param {string} board @param {number} mine @returns {Promise<string|null>} */
  async search(board, mine) {
    this.tell(`Looking for a solution from here, for at most ${SECONDS} seconds …`);
    const following = await startJob(
      { kind: "sokoban", board, request: { time_limit: SECONDS } },
      (job) => {
        if (mine === this.asked && job.status === "waiting") this.tell("The hint waits: other searches run first.");
      },
      showConnection,
    );
    if (mine !== this.asked) {
      following.cancel().catch(() => {});
      return null;
    }
    const { result } = await following.ended;
    if (mine !== this.asked) return null;
    if (result?.solution) return result.solution;
    this.hopeless = result?.outcome === "unsolvable";
    this.tell(
      this.hopeless
        ? "There is no solution from here: take something back."
        : `No hint: no solution was found in ${SECONDS} seconds.`,
    );
    return null;
  }
}
