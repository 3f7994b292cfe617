// A game under somebody's hands: the board with keys, mouse and touch, taking back and doing again. What a change means is
// the business of the view it stands in.

import { effect, latest, value } from "../lib/core.js";
import { announce, button, calm, h, iconButton } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { BoardView } from "./board.js";
import { Game } from "./game.js";
import { Gestures } from "./gestures.js";
import { Reading, stepWords } from "./reading.js";

/** @typedef {import("./position.js").Direction} Direction */
/** @typedef {import("./paint.js").Extras} Extras */

/** @type {Record<string, Direction>} */
const KEYS = {
  ArrowLeft: "l",
  ArrowRight: "r",
  ArrowUp: "u",
  ArrowDown: "d",
  a: "l",
  d: "r",
  w: "u",
  s: "d",
  h: "l",
  l: "r",
  k: "u",
  j: "d",
};

/**
 * What the view does: `changed` after every change of the game, `interrupted` when a push was made or something was taken
 * back, `extras` what is drawn besides the game.
 * @typedef {{changed: () => void, interrupted: () => void, extras: () => Extras}} Owner
 */

export class Desk {
  /** @param {string} label @param {Owner} owner */
  constructor(label, owner) {
    this.owner = owner;
    /** The game; it changes in place. */
    this.playing = value(new Game("#####\n#@$.#\n#####"));
    this.performing = latest();
    this.view = new BoardView({ label, interactive: true, tallest: 0.62 });
    this.reading = new Reading(() => this.playing.value.position);
    this.gestures = new Gestures(this.view, {
      position: () => this.game.position,
      perform: (letters) => this.perform(letters),
      step: (direction) => this.step(direction),
      draw: () => this.draw(),
    });
    const no = (/** @type {(game: Game) => boolean} */ is) => ({ disabled: () => !is(this.playing.value) });
    const canUndo = no((game) => game.canUndo);
    this.tools = [
      iconButton("undo", "Take back (U)", () => this.takeBack(), canUndo),
      iconButton("undoPush", "Take back a push (Shift+U)", () => this.takeBackPush(), canUndo),
      iconButton(
        "redo",
        "Do again (Y)",
        () => this.doAgain(),
        no((game) => game.undone.length > 0),
      ),
      button("Restart", () => this.restart(), {
        title: "Take back brings the game back",
        ...no((game) => game.moves.length + game.undone.length > 0),
      }),
    ];
    effect(() => {
      const { position } = this.playing.value;
      const { selected, targets } = this.gestures;
      this.view.show(position, { ...owner.extras(), selected, targets, cursor: this.reading.cursor });
    });
    this.pad = h("div.pad", { role: "group", "aria-label": "Move" }, [
      iconButton("up", "Up", () => this.step("u"), { class: "pad-u" }),
      iconButton("left", "Left", () => this.step("l"), { class: "pad-l" }),
      iconButton("right", "Right", () => this.step("r"), { class: "pad-r" }),
      iconButton("down", "Down", () => this.step("d"), { class: "pad-d" }),
    ]);
  }

  get game() {
    return this.playing.now;
  }

  /** How far the game is. */
  get counter() {
    const { moves, pushes } = this.playing.value;
    return `${plural(moves.length, "move")} · ${plural(pushes, "push", "pushes")}`;
  }

  /** Puts a game on the board. @param {Game} game */
  load(game) {
    this.playing.value = game;
    this.settle();
    this.owner.interrupted();
    this.owner.changed();
  }

  /** Something changed of what is seen. */
  draw() {
    this.playing.touch();
  }

  /** Ends what goes on by itself, and what was chosen. */
  settle() {
    this.performing();
    this.gestures.selected = null;
    this.reading.back();
  }

  /** A step, and whether it was made. @param {Direction} direction */
  stepOnce(direction) {
    const pushes = this.game.pushes;
    const letter = this.game.step(direction);
    if (this.game.pushes !== pushes) this.owner.interrupted();
    return letter;
  }

  /** @param {Direction} direction */
  step(direction) {
    this.settle();
    const letter = this.stepOnce(direction);
    announce(stepWords(this.game.position, letter, direction));
    if (letter) this.owner.changed();
    else this.draw();
  }

  /** Plays letters one after another, fast, unless something else is done meanwhile. @param {string} letters */
  async perform(letters) {
    const wait = this.performing();
    const pause = calm() ? 0 : Math.max(8, Math.min(45, 900 / letters.length));
    for (const letter of letters) {
      if (!this.stepOnce(/** @type {Direction} */ (letter.toLowerCase()))) break;
      this.draw();
      if (pause) await wait(new Promise((done) => setTimeout(done, pause)));
    }
    const last = letters.at(-1);
    if (last)
      announce(
        stepWords(this.game.position, this.game.moves.at(-1) ?? "", /** @type {Direction} */ (last.toLowerCase())),
      );
    this.owner.changed();
  }

  /** Something other than a step. @param {() => boolean} act @param {string} words */
  alter(act, words) {
    this.settle();
    this.owner.interrupted();
    if (!act()) return;
    announce(`${words} ${this.game.position.describe()}`);
    this.owner.changed();
  }

  takeBack() {
    this.alter(() => this.game.undo(), "Taken back.");
  }

  doAgain() {
    this.alter(() => this.game.redo(), "Done again.");
  }

  takeBackPush() {
    this.alter(() => this.game.undoPush(), "The push is taken back.");
    this.view.element.focus({ preventScroll: true });
  }

  restart() {
    this.alter(() => this.game.restart(), "Begun anew; taking back brings the game back.");
  }

  /** Keys of a game; says whether it took the key. @param {KeyboardEvent} event */
  key(event) {
    // Caps Lock must not turn letters into other keys.
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const direction = KEYS[name];
    const mod = event.ctrlKey || event.metaKey;
    if (mod && name === "z" && event.shiftKey) this.doAgain();
    else if (mod && name === "z") this.takeBack();
    else if (mod && name === "y") this.doAgain();
    else if (mod || event.altKey) return false;
    else if (direction && event.shiftKey && name.startsWith("Arrow")) {
      this.reading.look(direction);
      this.draw();
    } else if (direction) this.step(direction);
    else if (name === "u" && event.shiftKey) this.takeBackPush();
    else if (name === "u" || name === "z" || name === "Backspace") this.takeBack();
    else if (name === "y") this.doAgain();
    else if (name === "r") this.restart();
    else if (name === "Escape" && this.gestures.selected !== null) {
      this.gestures.selected = null;
      this.draw();
    } else return false;
    return true;
  }
}
