// Overlays: what can be seen in a position, each with its sign in the legend.

import { post } from "../lib/api.js";
import { answerOf, derived, value } from "../lib/core.js";
import { explained, h, select, tick } from "../lib/dom.js";
import { sample } from "./board.js";
import { GOAL, Position } from "./position.js";
import { store } from "../store.js";

/** @typedef {import("../lib/types.js").Seen} Seen */
/** @typedef {import("./paint.js").Extras} Extras */

/** @type {{name: string, label: string, about: string}[]} */
const KINDS = [
  { name: "dead", label: "Dead squares", about: "a box here can never reach a goal" },
  { name: "zone", label: "Player’s zone", about: "where the player can walk now" },
  { name: "distances", label: "Push distances", about: "fewest pushes of a lone box to the goal" },
  { name: "tunnels", label: "Tunnels", about: "one square wide: a box can only go on" },
  { name: "rooms", label: "Rooms", about: "what the tunnels part" },
  { name: "corrals", label: "Corrals", about: "floor the player cannot reach now" },
  { name: "frozen", label: "Frozen boxes", about: "they can never be moved again" },
];

/** @type {Record<string, Extras>} What stands for an overlay in the legend. */
const SIGNS = {
  dead: { dead: [0] },
  zone: { zone: [0] },
  distances: { distances: [[0, 3]] },
  tunnels: { tunnels: [0] },
  rooms: { rooms: [[0]] },
  corrals: { corrals: [[0]] },
  frozen: { frozen: [0] },
};

/** @param {string} name */
const sign = (name) =>
  sample(Position.parse(name === "frozen" ? "$" : " "), Math.round(26 * (window.devicePixelRatio || 1)), SIGNS[name]);

/** A cell in words. @param {Position} position @param {number} cell */
const placeWords = ({ width }, cell) => `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;

export class Overlays {
  /** @param {() => string|null} board the position that is looked at; null for none */
  constructor(board) {
    this.on = value(/** @type {string[]} */ ([]));
    /** The goal that distances are to. */
    this.goal = value(/** @type {number|null} */ (null));
    /** What there is to be seen. */
    const looked = answerOf(
      () => {
        const wanted = board();
        const goal = this.goal.value ?? undefined;
        return wanted === null ? null : /** @type {Promise<Seen>} */ (post("/look", { board: wanted, goal }));
      },
      { fresh: true },
    );
    this.seen = derived(() => looked.value.answer ?? null);
    const mark = (/** @type {string} */ name, /** @type {boolean} */ on) =>
      (this.on.value = [...this.on.now.filter((one) => one !== name), ...(on ? [name] : [])]);
    const goals = derived(() => {
      const position = Position.parse(store.current.board);
      const cells = [...position.cells.keys()].filter((cell) => position.has(cell, GOAL)).slice(0, 200);
      const options = cells.map((cell) => [String(cell), `to the goal in ${placeWords(position, cell)}`]);
      return [["", "Distances to the nearest goal"], ...options];
    });
    this.element = h("fieldset.overlays", [
      h("legend", "Overlays"),
      KINDS.map(({ name, label, about }) =>
        tick(
          explained(label, about),
          () => this.on.value.includes(name),
          (on) => mark(name, on),
          { class: "legend", picture: sign(name) },
        ),
      ),
      h("div.field", [
        select(
          () => goals.value,
          () => String(this.goal.value ?? ""),
          (goal) => (this.goal.value = goal === "" ? null : Number(goal)),
          { "aria-label": "Push distances to" },
        ),
      ]),
    ]);
  }

  /** @returns {Extras} */
  get extras() {
    const seen = this.seen.value;
    if (!seen) return {};
    const all = { ...seen, corrals: seen.corrals.map((corral) => corral.cells) };
    return Object.fromEntries(
      this.on.value.map((name) => [name, all[/** @type {keyof Extras & keyof Seen} */ (name)]]),
    );
  }
}
