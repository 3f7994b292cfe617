// Why a position is lost: a smallest set of boxes that can never all get home, and the best that can still be done with them,
// move by move on a board without the others.

import { post } from "../lib/api.js";
import { announce, fill, h, iconButton, sentenceOf } from "../lib/dom.js";
import { BoardView } from "./board.js";
import { Playback } from "./playback.js";
import { Position } from "./position.js";

/** @typedef {import("../lib/types.js").Loss} Loss */

export class Why {
  /** @param {() => void} changed called when other boxes are at fault than before */
  constructor(changed) {
    this.changed = changed;
    this.asked = 0;
    /** @type {number[]} The boxes at fault. */
    this.boxes = [];
    this.words = h("p", { role: "status" });
    this.view = new BoardView({ label: "The boxes at fault, without the others", largest: 40, tallest: 0.3 });
    this.playback = new Playback(this.view);
    this.line = h("div", { class: "why-line" });
    this.element = h(
      "section",
      { class: "why", hidden: true, "aria-label": "Why it is lost" },
      h(
        "header",
        { class: "row" },
        h("h3", null, "Why it is lost"),
        iconButton("close", "Close the explanation", () => {
          this.clear();
          this.changed();
        }),
      ),
      this.words,
      this.line,
    );
  }

  clear() {
    this.asked += 1;
    this.playback.pause();
    this.boxes = [];
    this.element.hidden = true;
  }

  /** @param {string} words */
  tell(words) {
    this.words.textContent = words;
    announce(words);
  }

  /** @param {Position} position */
  async explain(position) {
    this.clear();
    const mine = this.asked;
    const board = position.toString();
    this.element.hidden = false;
    fill(this.line);
    this.tell("Looking for boxes that can never all be home …");
    try {
      const { reason, words } = /** @type {Loss} */ (await post("/lost", { board }));
      if (mine !== this.asked) return;
      if (!reason) {
        this.tell(words);
        return;
      }
      this.boxes = reason.boxes;
      const alone = Position.parse(board).with(reason.boxes, position.player);
      const best =
        reason.boxes.length === 1 ? "" : ` The best they can do: ${reason.home} of ${reason.boxes.length} home.`;
      this.tell(`${words}${best}`);
      this.playback.load(alone.toString(), reason.line);
      fill(this.line, this.view.element, reason.line ? this.playback.element : null);
      this.changed();
    } catch (error) {
      if (mine === this.asked) this.tell(sentenceOf(error));
    }
  }
}
