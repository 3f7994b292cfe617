// Hints: the next push of a solution. A hint stays until a push is made; while the player follows the solution the next
// one is there at once.

import { startJob } from "../lib/api.js";
import { showConnection } from "./connection.js";
import { Position } from "./position.js";

/** @typedef {import("./position.js").Direction} Direction */

/** How long a hint is looked for. */
const SECONDS = 10;

export class Hint {
  /** @param {(words: string) => void} tell told what happens, and why it takes a while */
  constructor(tell) {
    this.tell = tell;
    /** @type {{from: number, to: number}|null} The push that is shown. */
    this.push = null;
    /** @type {{before: string, solution: string}|null} A solution from a position on. */
    this.known = null;
    this.asked = 0;
  }

  /** Forgets what is shown. */
  clear() {
    this.push = null;
    this.asked += 1;
  }

  /** Looks for the next push from a position. @param {Position} position */
  async find(position) {
    this.asked += 1;
    const mine = this.asked;
    const board = position.toString();
    const solution = this.follow(position) ?? (await this.search(board, mine));
    if (mine !== this.asked || !solution) return false;
    this.known = { before: board, solution };
    this.push = firstPush(position, solution);
    this.tell("The arrow shows the next push of a solution. It stays until a push is made.");
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
    const following = await startJob({ kind: "sokoban", board, config: { goal: "any" }, limits: { seconds: SECONDS } }, (job) => {
      if (mine === this.asked && job.status === "waiting") this.tell("The hint waits: other searches run first.");
    }, showConnection);
    if (mine !== this.asked) {
      following.cancel().catch(() => {});
      return null;
    }
    const { result } = await following.ended;
    if (mine !== this.asked) return null;
    if (result?.solution) return result.solution;
    this.tell(result?.outcome === "unsolvable" ? "There is no solution from here: take something back." : `No hint: no solution was found in ${SECONDS} seconds.`);
    return null;
  }
}

/** @param {Position} position @param {string} solution */
function firstPush(position, solution) {
  const actor = position.clone();
  for (const letter of solution) {
    const direction = /** @type {Direction} */ (letter.toLowerCase());
    const from = actor.beside(actor.player, direction);
    actor.step(direction);
    if (letter < "a") return { from, to: actor.beside(from, direction) };
  }
  return null;
}
