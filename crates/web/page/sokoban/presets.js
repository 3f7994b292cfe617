// Ready-made comparisons, one for each question the classic projects asked. Where algorithms are compared all of them run
// with the same detectors: those that every one of them can use.

import { post } from "../lib/api.js";
import { choices } from "../store.js";

/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {{name: string, label: string, about: string, equal: boolean, configs: Config[]}} Preset */

const BLIND = ["breadth-first", "uniform-cost", "depth-first", "depth-limited", "iterative-deepening"];

/** @returns {Preset[]} */
export function presets() {
  const names = (/** @type {{name: string}[]} */ choices) => choices.map((choice) => choice.name);
  const estimate = (/** @type {string} */ algorithm) => (BLIND.includes(algorithm) ? undefined : "matching");
  const [equal, apart] = [true, false];
  return [
    {
      name: "blind",
      equal,
      label: "Blind searches",
      about: "Breadth-first, depth-first and uniform cost: what the first lecture compares.",
      configs: ["breadth-first", "depth-first", "uniform-cost", "iterative-deepening"].map((algorithm) => ({
        algorithm,
        formulation: "push",
      })),
    },
    {
      name: "informed",
      equal,
      label: "Uniform cost against A*",
      about: "What an estimate saves, and what greed costs.",
      configs: ["uniform-cost", "a-star", "greedy", "weighted-a-star"].map((algorithm) => ({
        algorithm,
        formulation: "push",
        heuristic: estimate(algorithm),
      })),
    },
    {
      name: "portfolio",
      equal: apart,
      label: "The portfolio against A* and greedy search",
      about:
        "Several searches that race and prove nothing about the length, one that proves it, and one that only hurries.",
      configs: [
        {},
        { algorithm: "a-star", formulation: "push", heuristic: "matching" },
        { algorithm: "greedy", formulation: "push", heuristic: "matching" },
      ],
    },
    {
      name: "algorithms",
      equal,
      label: "Every algorithm",
      about: "All of them, counting pushes.",
      configs: names(choices("algorithm")).map((algorithm) => ({
        algorithm,
        formulation: "push",
        heuristic: estimate(algorithm),
      })),
    },
    {
      name: "heuristics",
      equal,
      label: "Every heuristic under A*",
      about: "Each estimate for the boxes, counting pushes.",
      configs: names(choices("heuristic")).map((name) => ({
        algorithm: "a-star",
        formulation: "push",
        heuristic: name,
      })),
    },
    {
      name: "detectors",
      equal: apart,
      label: "Detectors: none, each alone, all",
      about: "Uniform cost, so that no estimate does the detectors’ work.",
      configs: [[], ...names(choices("deadlocks")).map((name) => [name]), undefined].map((deadlocks) => ({
        algorithm: "uniform-cost",
        formulation: "push",
        deadlocks,
      })),
    },
    {
      name: "player",
      equal,
      label: "Player’s share: deepening against breadth-first",
      about: "The same value computed two ways, counting moves.",
      configs: ["player-ids", "player-bfs"].map((term) => ({
        algorithm: "a-star",
        formulation: "move",
        heuristic: `nearest-manhattan+${term}`,
      })),
    },
    {
      name: "formulations",
      equal,
      label: "Moves: steps against walks",
      about: "The same optimum over far fewer states.",
      configs: ["move", "walk"].map((formulation) => ({
        goal: "moves",
        algorithm: "a-star",
        formulation,
        heuristic: "matching",
      })),
    },
    {
      name: "directions",
      equal,
      label: "Forwards, backwards, both",
      about: "Pushing, pulling, and meeting in the middle.",
      configs: [
        { algorithm: "a-star", formulation: "push" },
        { algorithm: "a-star", formulation: "push", reverse: true },
        { algorithm: "bidirectional", formulation: "push" },
      ],
    },
  ];
}

/**
 * The configurations of a comparison with equal detectors, and a sentence about them. The server knows which detectors each
 * can use.
 * @param {Preset} preset
 * @returns {Promise<{configs: Config[], words: string}>}
 */
export async function prepared({ equal, configs }) {
  if (!equal) return { configs, words: "" };
  const plans = /** @type {import("../lib/types.js").Plan[]} */ (
    await Promise.all(configs.map((config) => post("/plan", config)))
  );
  const all = choices("deadlocks").map(({ name }) => name);
  const common = all.filter((name) => plans.every((plan) => plan.deadlocks.includes(name)));
  // Where every one uses all that fit its formulation, nothing need be said.
  if (plans.every((plan) => plan.deadlocks.length === common.length))
    return { configs, words: "All run with the same detectors." };
  const left = all.filter((name) => !common.includes(name) && plans.some((plan) => plan.deadlocks.includes(name)));
  return {
    configs: configs.map((config) => ({ ...config, deadlocks: common })),
    words: `All run with the same detectors: ${left.join(" and ")} ${left.length === 1 ? "is" : "are"} left out, because not every one of them can use ${left.length === 1 ? "it" : "them"}.`,
  };
}
