// Why a position is lost: a smallest set of boxes that can never all get home, and the best that can still be done with them,
// move by move on a board without the others.

import { post } from "../lib/api.js";
import { latest, value } from "../lib/core.js";
import { announce, h, iconButton, sentenceOf } from "../lib/dom.js";
import { BoardView } from "./board.js";
import { Playback } from "./playback.js";
import { Position } from "./position.js";

/** @typedef {import("../lib/types.js").Loss} Loss */

export class Why {
  constructor() {
    this.begin = latest();
    /** What is said; null while nobody asks. */
    this.words = value(/** @type {string|null} */ (null));
    this.reason = value(/** @type {Loss["reason"]} */ (null));
    const view = new BoardView({ label: "The boxes at fault, without the others", largest: 40, tallest: 0.3 });
    this.playback = new Playback(view);
    this.element = h("section.why", { hidden: () => this.words.value === null, "aria-label": "Why it is lost" }, [
      h("header.row", [h("h3", "Why it is lost"), iconButton("close", "Close the explanation", () => this.clear())]),
      h("p", { role: "status" }, () => this.words.value),
      h("div.why-line", { hidden: () => !this.reason.value }, [
        view.element,
        h("div", { hidden: () => !this.reason.value?.line }, [this.playback.element]),
      ]),
    ]);
  }

  /** The boxes at fault. */
  get boxes() {
    return this.reason.value?.boxes ?? [];
  }

  clear() {
    this.begin();
    this.playback.pause();
    this.reason.value = null;
    this.words.value = null;
  }

  /** @param {string} words */
  tell(words) {
    this.words.value = words;
    announce(words);
  }

  /** @param {Position} position */
  async explain(position) {
    this.clear();
    const wait = this.begin();
    const board = position.toString();
    this.tell("Looking for boxes that can never all be home …");
    try {
      const { reason, words } = /** @type {Loss} */ (await wait(post("/lost", { board })));
      if (reason) {
        const alone = Position.parse(board).with(reason.boxes, position.player);
        this.playback.load(alone.toString(), reason.line);
      }
      const all = reason?.boxes.length ?? 0;
      this.reason.value = reason;
      this.tell(reason && all > 1 ? `${words} The best they can do: ${reason.home} of ${all} home.` : words);
    } catch (error) {
      this.tell(sentenceOf(error));
    }
  }
}
