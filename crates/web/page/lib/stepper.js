// A recorded search, stepped through: the chosen state, its successors and what became of each, the open list in its order,
// and the tree. It knows no game: who uses it draws the states.

import { derived, effect, untold, value } from "./core.js";
import { announce, button, calm, figures, h, scrolled, table } from "./dom.js";
import { count, plural } from "./format.js";
import { Transport } from "./transport.js";
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
    this.trace = value(/** @type {AnyTrace|null} */ (null));
    /** A generated state that is looked at and was never expanded. */
    this.peeked = value(/** @type {{step: number, number: number}|null} */ (null));
    /** @type {Map<number, number[]>} The steps at which a state is expanded. */
    this.expandedAt = new Map();
    const hidden = () => this.last < 0;
    this.transport = new Transport({
      last: () => this.last,
      pace: () => (calm() ? 1000 : 600),
      moved: () => (this.peeked.value = null),
      names: {
        all: "Steps of the search",
        play: "Play the search",
        first: "First step",
        back: "One step back",
        next: "One step on",
        last: "Last step",
        slider: "Step of the search",
      },
      counter: (index) => `${index + 1} / ${this.last + 1}`,
      before: button("To its parent", () => {
        const parent = this.state?.parent;
        if (parent !== null && parent !== undefined) this.go(parent);
      }),
      hidden,
    });
    this.steps = this.transport.element;
    const open = derived(() => this.waiting());
    const openWords = () => `The open list: ${plural(open.value.length, "state")}, the next one first`;
    const tree = new SearchTree((index) => this.go(index));
    /** What the step shows. */
    const shown = derived(() => {
      const [trace, state] = [this.trace.value, this.state];
      if (!trace || !state) return null;
      const { step, number } = this.peeked.value ?? { step: -1, number: -1 };
      const peeked = trace.expansions[step]?.successors[number];
      if (peeked) return this.peekedParts(state, peeked);
      return this.index === trace.expansions.length ? this.goalParts(state) : this.expansionParts(state);
    });
    this.element = h("div.stepper", { hidden }, [
      h("p.step-words", { role: "status" }, () => shown.value?.words),
      h("dl.figures", () => figures(shown.value?.facts ?? [])),
      scrolled("Successors", () => shown.value?.table),
      h("h3", openWords),
      h("ol.open-list", () => this.openParts(open.value)),
      h("h3", "The tree"),
      tree.element,
      h("p.about", "A dot is an expanded state; press one to go there. Those still to come are pale."),
    ]);
    effect(() => {
      if (!shown.value) return;
      const { state, successors, words } = shown.value;
      untold(() => this.game.draw(state, successors));
      announce(words);
    });
    /** The dots of an iteration: a tree belongs to one. */
    const iteration = derived(() => this.iteration);
    effect(() => tree.load(this.dots(iteration.value)));
    effect(() => {
      iteration.value;
      if (this.trace.value) tree.show(this.index);
    });
  }

  get index() {
    return this.transport.index.value;
  }

  /** The last step: where a goal was found it is one of its own. */
  get last() {
    const trace = this.trace.value;
    return trace ? trace.expansions.length - (trace.goal ? 0 : 1) : -1;
  }

  /** The state of the step. @returns {any} */
  get state() {
    const trace = this.trace.value;
    return trace?.expansions[this.index] ?? (trace && this.index === trace.expansions.length ? trace.goal : null);
  }

  get iteration() {
    const expansions = this.trace.value?.expansions ?? [];
    return expansions[Math.min(this.index, expansions.length - 1)]?.iteration ?? 0;
  }

  /** @param {AnyTrace} trace */
  load(trace) {
    this.expandedAt = new Map();
    const states = [...trace.expansions, ...(trace.goal?.node != null ? [trace.goal] : [])];
    states.forEach(({ node }, index) => this.expandedAt.set(node, [...(this.expandedAt.get(node) ?? []), index]));
    this.trace.value = trace;
    this.go(0);
  }

  clear() {
    this.pause();
    this.trace.value = null;
  }

  pause() {
    this.transport.pause();
  }

  /** Goes to a step; who goes by hand ends the playing. @param {number} to */
  go(to) {
    this.pause();
    this.transport.step(to);
  }

  /** Goes to a state: where it is expanded, or to a look at it where it never is. @param {number} step @param {number} number of the successor */
  jump(step, number) {
    const successor = this.trace.now?.expansions[step]?.successors[number];
    if (!successor) return;
    const steps = successor.node === null ? [] : (this.expandedAt.get(successor.node) ?? []);
    const to = steps.find((index) => index > step) ?? steps.at(-1);
    this.go(to ?? step);
    if (to === undefined) this.peeked.value = { step, number };
  }

  /** @param {any} state @param {any} successor */
  peekedParts(state, successor) {
    const cut = isCut(successor) ? " and that is cut" : "";
    return {
      state: this.game.after(state, successor),
      successors: [],
      words: `A state that step ${this.index + 1} generated${cut}; the record does not expand it.`,
      facts: [
        ["State", successor.node === null ? "not stored" : `#${successor.node}`],
        ["g, cost so far", count(successor.g)],
        ["h, estimate", successor.h === null ? "none" : count(successor.h)],
      ],
      table: button("Back to the step", () => this.go(this.index)),
    };
  }

  /** @param {any} goal */
  goalParts(goal) {
    return {
      state: goal,
      successors: [],
      words: `The search is over: this is a goal, reached at cost ${count(goal.g)}.`,
      facts: [
        ["Goal", goal.node === null ? "" : `#${goal.node}`],
        ["g, cost of the solution", count(goal.g)],
        ["Reached from step", goal.parent === null ? "start" : count(goal.parent + 1)],
      ],
      table: null,
    };
  }

  /** @param {Expanded & any} expansion */
  expansionParts(expansion) {
    const { limit, iteration, node, g, h: estimate, waiting, parent, successors } = expansion;
    const [step, end] = [this.index, this.trace.value?.end];
    const over = step === this.last && end ? ` It is the last one: the search ${ENDS[end]}.` : "";
    const limited = limit === null ? "Step" : `Iteration ${iteration}, limit ${limit}: step`;
    const rows = successors.map((/** @type {AnySuccessor} */ one, /** @type {number} */ number) =>
      this.row(expansion, one, step, number),
    );
    return {
      state: expansion,
      successors,
      words: `${limited} ${step + 1} expands state #${node}.${over}`,
      facts: [
        ["State", `#${node}`],
        ["g, cost so far", count(g)],
        ["h, estimate", count(estimate)],
        ["f = g + h", count(g + estimate)],
        ...(limit === null ? [] : [["Limit of iteration", `${count(limit)} (${iteration})`]]),
        ["Waiting besides", count(waiting)],
        ["Reached from step", parent === null ? "start" : count(parent + 1)],
      ],
      table: table("", ["Action (row,column)", "What became of it", ["g"], ["h"], ["f"], ["State"]], rows),
    };
  }

  /** @param {any} expansion @param {AnySuccessor} successor @param {number} step @param {number} number */
  row(expansion, successor, step, number) {
    const { fate, rule, goal, g } = successor;
    const cut = isCut(successor);
    const h0 = successor.h;
    const point = (/** @type {any[]} */ some) => () => this.game.draw(expansion, some);
    const told = rule ? `${FATES[fate]}: ${rule}` : FATES[fate];
    const valued = !cut || fate === "beyond";
    return h("tr", { onpointerenter: point([successor]), onpointerleave: point(expansion.successors) }, [
      h("td", this.game.words(successor)),
      h("td", [
        h("span", { class: `tag ${cut ? "cut" : fate === "known" ? "known" : "new"}` }, told),
        goal ? h("span.tag.goal", "a goal") : null,
        rule ? h("span.about", ` ${this.game.about(rule)}`) : null,
      ]),
      h("td.number", valued ? count(g) : ""),
      h("td.number", h0 === null ? "" : count(h0)),
      h("td.number", valued ? count(g + (h0 ?? 0)) : ""),
      h("td.number", [
        fate === "cut"
          ? ""
          : button(successor.node === null ? "look" : `#${successor.node}`, () => this.jump(step, number), {
              class: "quiet small",
            }),
      ]),
    ]);
  }

  /** The states that wait after this step, in the order in which the search takes them. */
  waiting() {
    const trace = this.trace.value;
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

  /** @param {ReturnType<Stepper["waiting"]>} open */
  openParts(open) {
    const item = (/** @type {typeof open[0]} */ { node, goal, g, h: estimate, step, number }) =>
      h("li", [
        button(`#${node}${goal ? " goal" : ""}`, () => this.jump(step, number), { class: "quiet small" }),
        h("span.muted", estimate === null ? ` g ${g}` : ` g ${g}, h ${estimate}, f ${g + estimate}`),
      ]);
    const more = open.length - OPEN;
    return [open.slice(0, OPEN).map(item), more > 0 && h("li.muted", `… and ${count(more)} more`)];
  }

  /** @param {number} iteration */
  dots(iteration) {
    const trace = this.trace.value;
    if (!trace) return [];
    const dots = trace.expansions.flatMap(({ iteration: own, parent, node }, index) =>
      own === iteration ? [{ index, parent, node, label: String(node) }] : [],
    );
    const { goal, expansions } = trace;
    if (goal && expansions.at(-1)?.iteration === iteration)
      dots.push({ index: expansions.length, parent: goal.parent, node: goal.node, label: "goal" });
    return dots;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.trace.now) return false;
    const took = this.transport.key(event);
    if (took && event.key !== " ") this.pause();
    return took;
  }
}
