// The searches that race on a level: a line each. A line can be chosen to see the best position of its search.

import { button, each, h, scrolled, table } from "../lib/dom.js";
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

/**
 * @param {() => Strategy[]} strategies
 * @param {() => boolean} over
 * @param {{value: number|null}} chosen the line whose position is to be shown
 */
export function raceTable(strategies, over, chosen) {
  const lines = each(
    strategies,
    (_, index) => index,
    (strategy, index) => {
      const cell = (/** @type {string} */ kind, /** @type {() => string} */ words) => h("td", { class: kind }, words);
      const isChosen = () => chosen.value === index;
      const choose = () => (chosen.value = isChosen() ? null : index);
      return h("tr", { class: () => `${strategy.value.state}${over() ? " over" : ""}${isChosen() ? " chosen" : ""}` }, [
        h("td", [
          button(() => nameOf(strategies(), index), choose, {
            class: "quiet",
            disabled: () => !strategy.value.best,
            "aria-pressed": () => String(isChosen()),
          }),
        ]),
        cell("", () => stateOf(strategy.value, over())),
        cell("number", () => short(strategy.value.expanded)),
        cell("number", () => short(strategy.value.generated)),
        cell("", () => bestOf(strategy.value)),
      ]);
    },
  );
  const columns = ["Strategy", "State", ["Expanded"], ["Generated"], "Its best position"];
  return h("div.racing", { hidden: () => !strategies().length }, [
    h("h3", "The searches that race"),
    scrolled("The searches that race", table("race-table", columns, lines)),
    h("p.about", [
      "They take turns. One that is spent has nothing left to try; one that is dropped held more memory than there is. Press a name to see the best position of that search.",
    ]),
  ]);
}

/** The position of a line and what it is; null where it has none. @param {Strategy[]} strategies @param {number|null} index @returns {{words: string, best: Best}|null} */
export function bestPosition(strategies, index) {
  const strategy = index === null ? undefined : strategies[index];
  if (!strategy?.best || index === null) return null;
  const name = nameOf(strategies, index);
  const { best, backwards } = strategy;
  const words = backwards
    ? `${name}: pulled back from the solved board, at least ${plural(best.h, "pull")} from the start`
    : `${name}: ${plural(best.in_place, "box", "boxes")} on goals, at least ${plural(best.h, "push", "pushes")} to go`;
  return { words, best };
}
