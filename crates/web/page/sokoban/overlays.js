// Overlays: what can be seen in a position, each with its sign in the legend.

import { post } from "../lib/api.js";
import { fill, h } from "../lib/dom.js";
import { colours } from "./board.js";
import { canvasPen, paintBoard } from "./paint.js";
import { GOAL, Position } from "./position.js";

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

/** A small picture of an overlay for the legend. @param {string} name */
function sample(name) {
  const canvas = h("canvas", { class: "sample", "aria-hidden": "true" });
  const draw = () => {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = canvas.height = Math.round(26 * ratio);
    const context = canvas.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    const position = Position.parse(name === "frozen" ? "$" : " ");
    /** @type {Record<string, Extras>} */
    const extras = {
      dead: { dead: [0] },
      zone: { zone: [0] },
      distances: { distances: [[0, 3]] },
      tunnels: { tunnels: [0] },
      rooms: { rooms: [[0]] },
      corrals: { corrals: [[0]] },
      frozen: { frozen: [0] },
    };
    paintBoard(canvasPen(context), position, canvas.width, colours(), { outside: true, ...extras[name] });
  };
  draw();
  document.addEventListener("themechange", draw);
  return canvas;
}

export class Overlays {
  /** @param {(lookAgain?: boolean) => void} onchange */
  constructor(onchange) {
    /** @type {Set<string>} */
    this.on = new Set();
    /** @type {Seen|null} */
    this.seen = null;
    /** @type {number|null} The goal that distances are to. */
    this.goal = null;
    this.asked = 0;
    const box = (/** @type {{name: string, label: string, about: string}} */ kind) => {
      const input = h("input", {
        type: "checkbox",
        onchange: () => {
          if (input.checked) this.on.add(kind.name);
          else this.on.delete(kind.name);
          onchange();
        },
      });
      return h(
        "label",
        { class: "check legend" },
        input,
        sample(kind.name),
        h("span", null, h("strong", null, kind.label), h("span", { class: "about" }, ` ${kind.about}`)),
      );
    };
    this.goalChoice = h("select", {
      "aria-label": "Push distances to",
      onchange: () => {
        this.goal = this.goalChoice.value === "" ? null : Number(this.goalChoice.value);
        onchange(true);
      },
    });
    this.element = h(
      "fieldset",
      { class: "overlays" },
      h("legend", null, "Overlays"),
      KINDS.map(box),
      h("div", { class: "field" }, this.goalChoice),
    );
  }

  /**
   * Looks at a position; null if a later question overtook this one or it cannot be looked at.
   * @param {Position} position
   * @returns {Promise<Seen|null>}
   */
  async look(position) {
    this.asked += 1;
    const asked = this.asked;
    try {
      const seen = /** @type {Seen} */ (
        await post("/look", { board: position.toString(), goal: this.goal ?? undefined })
      );
      if (asked !== this.asked) return null;
      this.seen = seen;
      return seen;
    } catch {
      if (asked === this.asked) this.seen = null;
      return null;
    }
  }

  /** Offers the goals of a level to measure distances to. @param {Position} position */
  setGoals(position) {
    this.goal = null;
    const goals = [...position.cells.keys()].filter((cell) => position.has(cell, GOAL));
    fill(
      this.goalChoice,
      h("option", { value: "" }, "Distances to the nearest goal"),
      goals
        .slice(0, 200)
        .map((cell) =>
          h(
            "option",
            { value: cell },
            `to the goal in row ${Math.floor(cell / position.width) + 1}, column ${(cell % position.width) + 1}`,
          ),
        ),
    );
  }

  /** Forgets what was seen: the position has changed. */
  forget() {
    this.asked += 1;
    this.seen = null;
  }

  /** @returns {Extras} */
  get extras() {
    const seen = this.seen;
    if (!seen) return {};
    /** @type {Extras} */
    const extras = {};
    if (this.on.has("dead")) extras.dead = seen.dead;
    if (this.on.has("zone")) extras.zone = seen.zone;
    if (this.on.has("distances")) extras.distances = seen.distances;
    if (this.on.has("tunnels")) extras.tunnels = seen.tunnels;
    if (this.on.has("rooms")) extras.rooms = seen.rooms;
    if (this.on.has("corrals")) extras.corrals = seen.corrals.map((corral) => corral.cells);
    if (this.on.has("frozen")) extras.frozen = seen.frozen;
    return extras;
  }
}
