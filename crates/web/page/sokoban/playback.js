// Playing a solution: play, pause, step, step back, scrub, speed, keys.

import { value } from "../lib/core.js";
import { announce, calm, select } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { Transport } from "../lib/transport.js";
import { Position } from "./position.js";

/** @typedef {import("./position.js").Direction} Direction */

/** Moves a second, and what they are called. */
const SPEEDS = [
  ["2", "½×"],
  ["5", "1×"],
  ["12", "2×"],
  ["30", "6×"],
  ["120", "24×"],
];

export class Playback extends Transport {
  /** @param {import("./board.js").BoardView} view */
  constructor(view) {
    const letters = value("");
    const speed = value("5");
    super({
      last: () => letters.value.length,
      pace: () => 1000 / Number(speed.now),
      moved: (index) => this.walk(index),
      ended: () => announce("The solution has been played to its end."),
      names: {
        all: "Playback",
        play: "Play",
        first: "To the start",
        back: "One move back",
        next: "One move on",
        last: "To the end",
        slider: "Move of the solution",
      },
      said: (index) => {
        const pushes = letters.value.slice(0, index).replace(/[a-z]/g, "").length;
        return `${plural(index, "move")}, ${plural(pushes, "push", "pushes")}`;
      },
      counter: (index) => `${index} / ${letters.value.length}`,
      before: select(
        SPEEDS,
        () => speed.value,
        (chosen) => this.setSpeed(chosen),
        { class: "speed", "aria-label": "Speed of playback" },
      ),
    });
    this.view = view;
    this.letters = letters;
    this.speed = speed;
    this.at = 0;
    this.position = Position.parse("#");
  }

  /** @param {string} board @param {string} letters */
  load(board, letters) {
    this.pause();
    this.letters.value = letters;
    this.position = Position.parse(board);
    this.at = 0;
    this.step(0);
  }

  /** @param {string} speed */
  setSpeed(speed) {
    this.speed.value = speed;
    if (this.timer.now) this.play();
  }

  /** Moves are made one by one, so that every board on the way is a board of the solution. @param {number} to */
  walk(to) {
    const letters = this.letters.now;
    for (; this.at < to; this.at += 1)
      this.position.step(/** @type {Direction} */ (letters.charAt(this.at).toLowerCase()));
    for (; this.at > to; this.at -= 1) this.position.unstep(letters.charAt(this.at - 1));
    this.view.show(this.position);
  }

  /** Keys of playback; says whether it took the key. @param {KeyboardEvent} event */
  key(event) {
    if (!this.letters.now) return false;
    if (super.key(event)) return true;
    const by = event.ctrlKey || event.metaKey || event.altKey ? 0 : event.key === "+" ? 1 : event.key === "-" ? -1 : 0;
    const [next] = SPEEDS[SPEEDS.findIndex(([speed]) => speed === this.speed.now) + by] ?? [];
    if (by && next) this.setSpeed(next);
    return by !== 0;
  }

  /** Starts by itself unless the person asked for less motion. */
  autoplay() {
    if (!calm()) this.play();
  }
}
