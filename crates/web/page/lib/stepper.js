// A recorded search, stepped through: the chosen state, its successors and what became of each, the open list in its order,
// and the tree. It knows no game: who uses it draws the states.

import { announce, button, calm, fill, h, icon, iconButton } from "./dom.js";
import { count, plural } from "./format.js";
import { SearchTree } from "./tree.js";

/** @typedef {import("./types.js").AnySuccessor} AnySuccessor */
/** @typedef {import("./types.js").AnyExpansion & {successors: any[]}} Expanded */
/** @typedef {{expansions: Expanded[], goal: (import("./types.js").AnyGoal & any)|null, end: import("./types.js").EndName}} AnyTrace */
/**
 * What the game knows: how a state is drawn, an action said, a rule explained.
 * @typedef {{draw: (state: any, successors: any[]) => void, after: (state: any, successor: any) => any, words: (successor: any) => string, about: (rule: string) => string}} Game
 */

/** @type {Record<string, string>} */
const FATES = {
  new: "joins the open list",
  cheaper: "known, this way is cheaper",
  known: "known already",
  beyond: "cut: beyond the limit",
  cut: "cut",
  dead: "cut by the estimate",
};
/** @type {Record<string, string>} How a search ends. */
export const ENDS = {
  solved: "found a solution",
  unsolvable: "found that there is no solution",
  exhausted: "ended without a solution, which proves nothing",
  cut: "goes on beyond what is recorded",
  depth: "reached its depth limit everywhere: deeper solutions are not found",
  time: "was stopped by the time limit",
  memory: "was stopped by the memory limit",
  nodes: "was stopped by the node limit",
};
/** How many states of the open list are shown. */
const OPEN = 14;

/** @param {AnySuccessor} successor */
export const isCut = (successor) =>
  successor.fate === "cut" || successor.fate === "dead" || successor.fate === "beyond";

export class Stepper {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** @type {AnyTrace|null} */
    this.trace = null;
    this.index = 0;
    this.timer = 0;
    /** @type {{step: number, number: number}|null} A generated state that is looked at and was never expanded. */
    this.peeked = null;
    /** @type {Map<number, number[]>} The steps at which a state is expanded. */
    this.expandedAt = new Map();
    this.shownIteration = -1;
    this.slider = h("input", {
      type: "range",
      min: "0",
      max: "0",
      value: "0",
      "aria-label": "Step of the search",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.where = h("output", { class: "counter" });
    this.toggle = iconButton("play", "Play the search", () => (this.timer ? this.pause() : this.play()), {
      class: "icon-button primary",
    });
    this.facts = h("dl", { class: "figures" });
    this.told = h("p", { class: "step-words", role: "status" });
    this.table = h("div", { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "Successors" });
    this.open = h("ol", { class: "open-list" });
    this.openTitle = h("h3", null, "The open list");
    this.tree = new SearchTree((index) => this.go(index));
    this.steps = h(
      "div",
      { class: "playback", hidden: true },
      h(
        "div",
        { class: "transport", role: "group", "aria-label": "Steps of the search" },
        iconButton("first", "First step", () => this.go(0)),
        iconButton("back", "One step back", () => this.go(this.index - 1)),
        this.toggle,
        iconButton("next", "One step on", () => this.go(this.index + 1)),
        iconButton("last", "Last step", () => this.go(this.last)),
        button("To its parent", () => {
          const parent = this.state?.parent;
          if (parent !== null && parent !== undefined) this.go(parent);
        }),
        this.where,
      ),
      this.slider,
    );
    this.element = h(
      "div",
      { class: "stepper", hidden: true },
      this.told,
      this.facts,
      this.table,
      this.openTitle,
      this.open,
      h("h3", null, "The tree"),
      this.tree.element,
      h("p", { class: "about" }, "A dot is an expanded state; press one to go there. Those still to come are pale."),
    );
  }

  /** The last step: where a goal was found it is one of its own. */
  get last() {
    return this.trace ? this.trace.expansions.length - (this.trace.goal ? 0 : 1) : 0;
  }

  /** The state of the step. @returns {any} */
  get state() {
    return (
      this.trace?.expansions[this.index] ??
      (this.trace && this.index === this.trace.expansions.length ? this.trace.goal : null)
    );
  }

  /** @param {AnyTrace} trace */
  load(trace) {
    this.pause();
    this.trace = trace;
    this.shownIteration = -1;
    this.expandedAt = new Map();
    trace.expansions.forEach((one, index) =>
      this.expandedAt.set(one.node, [...(this.expandedAt.get(one.node) ?? []), index]),
    );
    if (trace.goal?.node != null)
      this.expandedAt.set(trace.goal.node, [...(this.expandedAt.get(trace.goal.node) ?? []), trace.expansions.length]);
    const none = this.last < 0;
    this.steps.hidden = none;
    this.element.hidden = none;
    this.slider.max = String(Math.max(0, this.last));
    this.go(0);
  }

  clear() {
    this.pause();
    this.trace = null;
    this.steps.hidden = true;
    this.element.hidden = true;
  }

  play() {
    if (this.index >= this.last) this.go(0);
    fill(this.toggle, icon("pause"));
    this.toggle.setAttribute("aria-label", "Pause");
    this.timer = window.setInterval(
      () => {
        if (this.index >= this.last) this.pause();
        else this.step(this.index + 1);
      },
      calm() ? 1000 : 600,
    );
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    fill(this.toggle, icon("play"));
    this.toggle.setAttribute("aria-label", "Play the search");
  }

  /** Goes to a step; who goes by hand ends the playing. @param {number} to */
  go(to) {
    this.pause();
    this.step(to);
  }

  /** @param {number} to */
  step(to) {
    if (!this.trace || this.last < 0) return;
    this.index = Math.max(0, Math.min(this.last, to));
    this.peeked = null;
    this.show();
  }

  /** Goes to a state: where it is expanded, or to a look at it where it never is. @param {number} step @param {number} number of the successor */
  jump(step, number) {
    const successor = this.trace?.expansions[step]?.successors[number];
    if (!successor) return;
    const steps = successor.node === null ? [] : (this.expandedAt.get(successor.node) ?? []);
    const to = steps.find((index) => index > step) ?? steps.at(-1);
    if (to !== undefined) {
      this.go(to);
      return;
    }
    this.pause();
    this.index = step;
    this.peeked = { step, number };
    this.show();
  }

  show() {
    const { trace, state } = this;
    if (!trace || !state) return;
    this.slider.value = String(this.index);
    this.where.textContent = `${this.index + 1} / ${this.last + 1}`;
    const peeked = this.peeked && trace.expansions[this.peeked.step]?.successors[this.peeked.number];
    if (peeked) this.showPeeked(state, peeked);
    else if (this.index === trace.expansions.length) this.showGoal(state);
    else this.showExpansion(state);
    this.showOpen();
    this.showTree();
    announce(this.told.textContent ?? "");
  }

  /** @param {string[][]} figures */
  figures(figures) {
    fill(
      this.facts,
      figures.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
    );
  }

  /** @param {any} state @param {any} successor */
  showPeeked(state, successor) {
    this.game.draw(this.game.after(state, successor), []);
    this.told.textContent = `A state that step ${this.index + 1} generated${isCut(successor) ? " and that is cut" : ""}; the record does not expand it.`;
    this.figures([
      ["State", successor.node === null ? "not stored" : `#${successor.node}`],
      ["g, cost so far", count(successor.g)],
      ["h, estimate", successor.h === null ? "none" : count(successor.h)],
    ]);
    fill(
      this.table,
      button("Back to the step", () => this.go(this.index)),
    );
  }

  /** @param {any} goal */
  showGoal(goal) {
    this.game.draw(goal, []);
    this.told.textContent = `The search is over: this is a goal, reached at cost ${count(goal.g)}.`;
    this.figures([
      ["Goal", goal.node === null ? "" : `#${goal.node}`],
      ["g, cost of the solution", count(goal.g)],
      ["Reached from step", goal.parent === null ? "start" : count(goal.parent + 1)],
    ]);
    fill(this.table);
  }

  /** @param {Expanded & any} expansion */
  showExpansion(expansion) {
    const over =
      this.index === this.last && this.trace ? ` It is the last one: the search ${ENDS[this.trace.end]}.` : "";
    const { limit, iteration } = expansion;
    this.told.textContent =
      limit === null
        ? `Step ${this.index + 1} expands state #${expansion.node}.${over}`
        : `Iteration ${iteration}, limit ${limit}: step ${this.index + 1} expands state #${expansion.node}.${over}`;
    this.game.draw(expansion, expansion.successors);
    this.figures([
      ["State", `#${expansion.node}`],
      ["g, cost so far", count(expansion.g)],
      ["h, estimate", count(expansion.h)],
      ["f = g + h", count(expansion.g + expansion.h)],
      ...(limit === null ? [] : [["Limit of iteration", `${count(limit)} (${iteration})`]]),
      ["Waiting besides", count(expansion.waiting)],
      ["Reached from step", expansion.parent === null ? "start" : count(expansion.parent + 1)],
    ]);
    const step = this.index;
    fill(
      this.table,
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", null, "Action (row,column)"),
            h("th", null, "What became of it"),
            ["g", "h", "f", "State"].map((name) => h("th", { class: "number" }, name)),
          ),
        ),
        h(
          "tbody",
          null,
          expansion.successors.map((/** @type {AnySuccessor} */ successor, /** @type {number} */ number) =>
            this.row(expansion, successor, step, number),
          ),
        ),
      ),
    );
  }

  /** @param {any} expansion @param {AnySuccessor} successor @param {number} step @param {number} number */
  row(expansion, successor, step, number) {
    const { fate, rule, goal, g } = successor;
    const cut = isCut(successor);
    const h0 = successor.h;
    const point = (/** @type {any[]} */ some) => () => this.game.draw(expansion, some);
    const told = rule ? `${FATES[fate]}: ${rule}` : FATES[fate];
    const valued = !cut || fate === "beyond";
    return h(
      "tr",
      { onpointerenter: point([successor]), onpointerleave: point(expansion.successors) },
      h("td", null, this.game.words(successor)),
      h(
        "td",
        null,
        h("span", { class: `tag ${cut ? "cut" : fate === "known" ? "known" : "new"}` }, told),
        goal ? h("span", { class: "tag goal" }, "a goal") : null,
        rule ? h("span", { class: "about" }, ` ${this.game.about(rule)}`) : null,
      ),
      h("td", { class: "number" }, valued ? count(g) : ""),
      h("td", { class: "number" }, h0 === null ? "" : count(h0)),
      h("td", { class: "number" }, valued ? count(g + (h0 ?? 0)) : ""),
      h(
        "td",
        { class: "number" },
        fate === "cut"
          ? ""
          : button(successor.node === null ? "look" : `#${successor.node}`, () => this.jump(step, number), {
              class: "quiet small",
            }),
      ),
    );
  }

  /** The states that wait after this step, in the order in which the search takes them. */
  waiting() {
    const { trace } = this;
    if (!trace) return [];
    const until = Math.min(this.index, trace.expansions.length - 1);
    const iteration = trace.expansions[until]?.iteration;
    /** @type {Map<number, {node: number, g: number, h: number|null, goal: boolean, step: number, number: number}>} */
    const open = new Map();
    for (let step = 0; step <= until; step += 1) {
      const one = trace.expansions[step];
      if (!one || one.iteration !== iteration) continue;
      open.delete(one.node);
      one.successors.forEach((/** @type {AnySuccessor} */ next, number) => {
        if (next.node !== null && (next.fate === "new" || next.fate === "cheaper"))
          open.set(next.node, { node: next.node, g: next.g, h: next.h, goal: next.goal, step, number });
      });
    }
    if (this.index === trace.expansions.length && trace.goal?.node != null) open.delete(trace.goal.node);
    // What the record expands later is in true order; the rest by f, as far as that says.
    const turn = (/** @type {number} */ node) =>
      this.expandedAt
        .get(node)
        ?.find((step) => step > this.index && (trace.expansions[step]?.iteration ?? iteration) === iteration) ??
      Infinity;
    return [...open.values()]
      .map((one) => ({ ...one, turn: turn(one.node) }))
      .sort((a, b) => (a.turn === b.turn ? a.g + (a.h ?? 0) - b.g - (b.h ?? 0) || b.node - a.node : a.turn - b.turn));
  }

  showOpen() {
    const open = this.waiting();
    this.openTitle.textContent = `The open list: ${plural(open.length, "state")}, the next one first`;
    fill(
      this.open,
      open.slice(0, OPEN).map((one) =>
        h(
          "li",
          null,
          button(`#${one.node}${one.goal ? " goal" : ""}`, () => this.jump(one.step, one.number), {
            class: "quiet small",
          }),
          h("span", { class: "muted" }, one.h === null ? ` g ${one.g}` : ` g ${one.g}, h ${one.h}, f ${one.g + one.h}`),
        ),
      ),
      open.length > OPEN ? h("li", { class: "muted" }, `… and ${count(open.length - OPEN)} more`) : null,
    );
  }

  /** A tree belongs to an iteration. */
  showTree() {
    const { trace } = this;
    if (!trace) return;
    const iteration = trace.expansions[Math.min(this.index, trace.expansions.length - 1)]?.iteration ?? 0;
    if (iteration !== this.shownIteration) {
      this.shownIteration = iteration;
      const dots = trace.expansions.flatMap((one, index) =>
        one.iteration === iteration ? [{ index, parent: one.parent, node: one.node, label: String(one.node) }] : [],
      );
      if (trace.goal && trace.expansions.at(-1)?.iteration === iteration)
        dots.push({ index: trace.expansions.length, parent: trace.goal.parent, node: trace.goal.node, label: "goal" });
      this.tree.load(dots);
    }
    this.tree.show(this.index);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.trace || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "ArrowRight") this.go(this.index + 1);
    else if (event.key === "ArrowLeft") this.go(this.index - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.last);
    else if (event.key === " ") this.toggle.click();
    else return false;
    return true;
  }
}
