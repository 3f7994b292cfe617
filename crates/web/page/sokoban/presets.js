// Ready-made comparisons, one for each question the classic projects asked.

import { store } from "../store.js";

/** @typedef {import("../lib/types.js").Config} Config */

const BLIND = ["breadth-first", "uniform-cost", "depth-first", "depth-limited", "iterative-deepening"];

/** @returns {{name: string, label: string, about: string, configs: Config[]}[]} */
export function presets() {
  const { solver } = store.about;
  const names = (/** @type {{name: string}[]} */ choices) => choices.map((choice) => choice.name);
  const estimate = (/** @type {string} */ algorithm) => (BLIND.includes(algorithm) ? undefined : "matching");
  return [
    { name: "blind", label: "Blind searches", about: "Breadth-first, depth-first and uniform cost: what the first lecture compares.", configs: ["breadth-first", "depth-first", "uniform-cost", "iterative-deepening"].map((algorithm) => ({ algorithm, formulation: "push" })) },
    { name: "informed", label: "Uniform cost against A*", about: "What an estimate saves, and what greed costs.", configs: ["uniform-cost", "a-star", "greedy", "weighted-a-star"].map((algorithm) => ({ algorithm, formulation: "push", estimate: estimate(algorithm) })) },
    { name: "portfolio", label: "The portfolio against A* and greedy search", about: "Several searches that race and prove nothing about the length, one that proves it, and one that only hurries.", configs: [{}, { algorithm: "a-star", formulation: "push", estimate: "matching" }, { algorithm: "greedy", formulation: "push", estimate: "matching" }] },
    { name: "algorithms", label: "Every algorithm", about: "All of them, counting pushes.", configs: names(solver.algorithms).map((algorithm) => ({ algorithm, formulation: "push", estimate: estimate(algorithm) })) },
    { name: "heuristics", label: "Every heuristic under A*", about: "Each estimate for the boxes, counting pushes.", configs: names(solver.estimates).map((name) => ({ algorithm: "a-star", formulation: "push", estimate: name })) },
    { name: "detectors", label: "Detectors: none, each alone, all", about: "Uniform cost, so that no estimate does the detectors’ work.", configs: [[], ...names(solver.detectors).map((name) => [name]), undefined].map((detectors) => ({ algorithm: "uniform-cost", formulation: "push", detectors })) },
    { name: "player", label: "Player’s share: deepening against breadth-first", about: "The same value computed two ways, counting moves.", configs: ["player-ids", "player-bfs"].map((term) => ({ algorithm: "a-star", formulation: "move", estimate: "nearest-manhattan", player_term: term })) },
    { name: "formulations", label: "Moves: steps against walks", about: "The same optimum over far fewer states.", configs: ["move", "walk"].map((formulation) => ({ goal: "moves", algorithm: "a-star", formulation, estimate: "matching" })) },
    { name: "directions", label: "Forwards, backwards, both", about: "Pushing, pulling, and meeting in the middle.", configs: [{ algorithm: "a-star", formulation: "push" }, { algorithm: "a-star", formulation: "push", reverse: true }, { algorithm: "bidirectional", formulation: "push" }] },
  ];
}
