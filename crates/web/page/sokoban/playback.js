// Playing a solution: play, pause, step, step back, scrub, speed, keys.

import { announce, calm, fill, h, icon, iconButton, select } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { Position } from "./position.js";

/** @typedef {import("./position.js").Direction} Direction */

const SPEEDS = /** @type {[string, string][]} */ ([
  ["2", "½×"],
  ["5", "1×"],
  ["12", "2×"],
  ["30", "6×"],
  ["120", "24×"],
]);

export class Playback {
  /**
   * @param {import("./board.js").BoardView} view
   * @param {(index: number) => void} [onstep]
   */
  constructor(view, onstep) {
    this.view = view;
    this.onstep = onstep ?? (() => {});
    this.board = "";
    this.letters = "";
    this.index = 0;
    this.timer = 0;
    this.speed = 5;
    this.position = Position.parse("#");
    this.toggle = iconButton("play", "Play", () => this.playOrPause(), { class: "icon-button primary" });
    this.slider = h("input", {
      type: "range",
      min: "0",
      max: "0",
      value: "0",
      class: "scrub",
      "aria-label": "Move of the solution",
      oninput: () => this.seek(Number(this.slider.value)),
    });
    this.counter = h("output", { class: "counter" });
    const speed = select(SPEEDS, "5", (value) => this.setSpeed(Number(value)));
    speed.setAttribute("aria-label", "Speed of playback");
    speed.className = "speed";
    this.speedControl = speed;
    this.element = h(
      "div",
      { class: "playback", role: "group", "aria-label": "Playback" },
      h(
        "div",
        { class: "transport" },
        iconButton("first", "To the start", () => this.seek(0)),
        iconButton("back", "One move back", () => this.stepBy(-1)),
        this.toggle,
        iconButton("next", "One move on", () => this.stepBy(1)),
        iconButton("last", "To the end", () => this.seek(this.letters.length)),
        speed,
        this.counter,
      ),
      this.slider,
    );
  }

  /** @param {string} board @param {string} letters */
  load(board, letters) {
    this.pause();
    this.board = board;
    this.letters = letters;
    this.slider.max = String(letters.length);
    this.index = 0;
    this.position = Position.parse(board);
    this.show();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.speedControl.value = String(speed);
    if (this.timer) {
      this.pause();
      this.play();
    }
  }

  playOrPause() {
    if (this.timer) this.pause();
    else this.play();
  }

  play() {
    if (this.index >= this.letters.length) this.seek(0);
    fill(this.toggle, icon("pause"));
    this.toggle.setAttribute("aria-label", "Pause");
    this.toggle.title = "Pause";
    this.timer = window.setInterval(() => {
      if (this.index >= this.letters.length) {
        this.pause();
        announce("The solution has been played to its end.");
      } else this.stepBy(1);
    }, 1000 / this.speed);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    fill(this.toggle, icon("play"));
    this.toggle.setAttribute("aria-label", "Play");
    this.toggle.title = "Play";
  }

  /** @param {number} by 1 or -1 */
  stepBy(by) {
    const letter = by > 0 ? this.letters[this.index] : this.letters[this.index - 1];
    if (letter === undefined) return;
    if (by > 0) this.position.step(/** @type {Direction} */ (letter.toLowerCase()));
    else this.position.unstep(letter);
    this.index += by;
    this.show();
  }

  /** @param {number} index */
  seek(index) {
    const to = Math.max(0, Math.min(this.letters.length, index));
    // Short ways are walked, so that every board on them is a board of the solution.
    while (this.index < to) {
      this.position.step(/** @type {Direction} */ (/** @type {string} */ (this.letters[this.index]).toLowerCase()));
      this.index += 1;
    }
    while (this.index > to) {
      this.position.unstep(/** @type {string} */ (this.letters[this.index - 1]));
      this.index -= 1;
    }
    this.show();
  }

  show() {
    this.slider.value = String(this.index);
    const done = this.letters.slice(0, this.index);
    const pushes = done.replace(/[a-z]/g, "").length;
    this.counter.textContent = `${this.index} / ${this.letters.length}`;
    this.slider.setAttribute("aria-valuetext", `${plural(this.index, "move")}, ${plural(pushes, "push", "pushes")}`);
    this.view.show(this.position);
    this.onstep(this.index);
  }

  /**
   * Keys of playback; says whether it took the key.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (!this.letters || event.ctrlKey || event.metaKey || event.altKey) return false;
    const at = SPEEDS.findIndex(([speed]) => Number(speed) === this.speed);
    const faster = SPEEDS[Math.min(SPEEDS.length - 1, at + 1)];
    const slower = SPEEDS[Math.max(0, at - 1)];
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.playOrPause(),
      ArrowRight: () => this.stepBy(1),
      ArrowLeft: () => this.stepBy(-1),
      Home: () => this.seek(0),
      End: () => this.seek(this.letters.length),
      "+": () => faster && this.setSpeed(Number(faster[0])),
      "-": () => slower && this.setSpeed(Number(slower[0])),
    };
    const act = keys[event.key];
    if (!act) return false;
    act();
    return true;
  }

  /** Starts by itself unless the person asked for less motion. */
  autoplay() {
    if (!calm()) this.play();
  }
}
