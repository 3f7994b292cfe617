// Going through something step by step: buttons, a slider, keys, and playing by itself.

import { value } from "./core.js";
import { h, iconButton } from "./dom.js";

/**
 * `last` is the last step, `pace` the time of one in milliseconds, `moved` what is done after each step, `ended` when playing
 * came to its end; `names` are those of the controls, `said` the step in words; where it is bare there is no slider.
 * @typedef {{last: () => number, pace: () => number, moved?: (index: number) => void, ended?: () => void,
 *            names: {all: string, play: string, first: string, back: string, next: string, last: string, slider: string},
 *            bare?: boolean, said?: (index: number) => string, counter: (index: number) => string, before?: import("./dom.js").Child, hidden?: () => boolean}} Steps
 */

export class Transport {
  /** @param {Steps} steps */
  constructor(steps) {
    this.steps = steps;
    const { names } = steps;
    this.index = value(0);
    this.timer = value(0);
    const name = () => (this.timer.value ? "Pause" : names.play);
    const slider = h("input.scrub", {
      type: "range",
      min: "0",
      max: () => String(Math.max(0, steps.last())),
      "aria-label": names.slider,
      "aria-valuetext": () => steps.said?.(this.index.value),
      // Where there is more of it, its end moves first.
      value: () => (steps.last(), String(this.index.value)),
      oninput: () => this.go(Number(slider.value)),
    });
    this.element = h("div.playback", { role: "group", "aria-label": names.all, hidden: steps.hidden }, [
      h("div.transport", [
        iconButton("first", names.first, () => this.go(0)),
        iconButton("back", names.back, () => this.go(this.index.now - 1)),
        iconButton(
          () => (this.timer.value ? "pause" : "play"),
          name,
          () => this.toggle(),
          { class: "primary" },
        ),
        iconButton("next", names.next, () => this.go(this.index.now + 1)),
        iconButton("last", names.last, () => this.go(Infinity)),
        steps.before,
        h("output.counter", () => steps.counter(this.index.value)),
      ]),
      steps.bare ? null : slider,
    ]);
  }

  /** @param {number} to */
  step(to) {
    this.index.value = Math.max(0, Math.min(this.steps.last(), to));
    this.steps.moved?.(this.index.now);
  }

  /** Goes to a step by hand. @param {number} to */
  go(to) {
    this.step(to);
  }

  toggle() {
    if (this.timer.now) this.pause();
    else this.play();
  }

  play() {
    clearInterval(this.timer.now);
    if (this.index.now >= this.steps.last()) this.step(0);
    this.timer.value = window.setInterval(() => {
      if (this.index.now < this.steps.last()) return this.step(this.index.now + 1);
      this.pause();
      this.steps.ended?.();
    }, this.steps.pace());
  }

  pause() {
    clearInterval(this.timer.now);
    this.timer.value = 0;
  }

  /** Keys; says whether it took the key. @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === " ") this.toggle();
    else if (event.key === "ArrowRight") this.go(this.index.now + 1);
    else if (event.key === "ArrowLeft") this.go(this.index.now - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(Infinity);
    else return false;
    return true;
  }
}
