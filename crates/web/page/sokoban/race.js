// The searches that race on a level: a line each. A line can be chosen to see the best position of its search.

import { button, fill, h } from "../lib/dom.js";
import { count, plural, short } from "../lib/format.js";

/** @typedef {import("../lib/types.js").Strategy} Strategy */
/** @typedef {import("../lib/types.js").Best} Best */

/** @type {Record<string, string>} */
const STATES = {
  later: "joins later",
  waiting: "waits",
  working: "working",
  spent: "spent",
  dropped: "dropped",
  answered: "has the answer",
};

/** How a strategy is called; variants of one are numbered. @param {Strategy[]} strategies @param {number} index */
function nameOf(strategies, index) {
  const name = strategies[index]?.name ?? "";
  const before = strategies.slice(0, index).filter((other) => other.name === name).length;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${before ? `, variant ${before + 1}` : ""}`;
}

/** What a strategy is at. @param {Strategy} strategy @param {boolean} over */
function stateOf(strategy, over) {
  if (!over || !["later", "waiting", "working"].includes(strategy.state))
    return STATES[strategy.state] ?? strategy.state;
  return strategy.expanded ? "stopped" : "not needed";
}

/** A best position in a few words. @param {Strategy} strategy */
function bestOf({ best, backwards }) {
  if (!best) return "";
  return backwards ? `≥ ${plural(best.h, "pull")} from the start` : `${count(best.in_place)} on goals`;
}

export class RaceTable {
  /** @param {() => void} onchosen called when another line is chosen */
  constructor(onchosen) {
    /** @type {Strategy[]} */
    this.strategies = [];
    /** @type {number|null} The line whose position is to be shown. */
    this.chosen = null;
    this.onchosen = onchosen;
    /** @type {{row: HTMLTableRowElement, choice: HTMLButtonElement, cells: HTMLTableCellElement[]}[]} */
    this.rows = [];
    this.body = h("tbody");
    this.table = h(
      "div",
      { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "The searches that race" },
      h(
        "table",
        { class: "race-table" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", null, "Strategy"),
            h("th", null, "State"),
            h("th", { class: "number" }, "Expanded"),
            h("th", { class: "number" }, "Generated"),
            h("th", null, "Its best position"),
          ),
        ),
        this.body,
      ),
    );
    this.element = h(
      "div",
      { class: "racing", hidden: true },
      h("h3", null, "The searches that race"),
      this.table,
      h(
        "p",
        { class: "about" },
        "They take turns. One that is spent has nothing left to try; one that is dropped held more memory than there is. Press a name to see the best position of that search.",
      ),
    );
  }

  /** Forgets the last race. */
  clear() {
    this.strategies = [];
    this.rows = [];
    this.chosen = null;
    fill(this.body);
    this.element.hidden = true;
  }

  /**
   * Lines are changed, not made anew: who stands on one with the keyboard stays there.
   * @param {Strategy[]} strategies
   * @param {boolean} over
   */
  show(strategies, over) {
    if (strategies.length !== this.rows.length) this.make(strategies);
    this.strategies = strategies;
    this.element.hidden = strategies.length === 0;
    strategies.forEach((strategy, index) => {
      const line = this.rows[index];
      if (!line) return;
      const words = [stateOf(strategy, over), short(strategy.expanded), short(strategy.generated), bestOf(strategy)];
      words.forEach((text, place) => {
        const cell = line.cells[place];
        if (cell && cell.textContent !== text) cell.textContent = text;
      });
      line.row.className = `${strategy.state}${over ? " over" : ""}${this.chosen === index ? " chosen" : ""}`;
      line.choice.disabled = !strategy.best;
      line.choice.setAttribute("aria-pressed", String(this.chosen === index));
    });
  }

  /** @param {Strategy[]} strategies */
  make(strategies) {
    this.chosen = null;
    this.rows = strategies.map((_, index) => {
      const choice = button(
        nameOf(strategies, index),
        () => {
          this.chosen = this.chosen === index ? null : index;
          this.onchosen();
        },
        { class: "quiet" },
      );
      const cells = ["", "number", "number", ""].map((kind) => h("td", { class: kind }));
      return { row: h("tr", null, h("td", null, choice), cells), choice, cells };
    });
    fill(
      this.body,
      this.rows.map((line) => line.row),
    );
  }

  /** The chosen line's position and what it is; null where none is chosen. @returns {{words: string, best: Best}|null} */
  get position() {
    const strategy = this.chosen === null ? undefined : this.strategies[this.chosen];
    if (!strategy?.best || this.chosen === null) return null;
    const name = nameOf(this.strategies, this.chosen);
    const { best, backwards } = strategy;
    const words = backwards
      ? `${name}: pulled back from the solved board, at least ${plural(best.h, "pull")} from the start`
      : `${name}: ${plural(best.in_place, "box", "boxes")} on goals, at least ${plural(best.h, "push", "pushes")} to go`;
    return { words, best };
  }
}
