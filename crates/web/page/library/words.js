// Batch runs in words.

/** @typedef {import("../lib/types.js").Run} Run */

import { time } from "../lib/format.js";
import { pretty } from "../sokoban/config.js";

/** @type {Record<string, string>} */
export const outcomeNames = { solved: "solved", unsolvable: "no solution, proved", open: "open", failed: "failed" };

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @param {number} seconds since 1970 */
export const dateWords = (seconds) => moment.format(new Date(seconds * 1000));

/** @type {Record<string, string>} */
export const goalNames = { any: "any solution", pushes: "fewest pushes", moves: "fewest moves" };

/** @param {Run} run */
export function stateWords(run) {
  const done = run.solved + run.unsolvable + run.open + run.failed;
  if (run.state === "running") return "running";
  if (run.state === "elsewhere") return "running in another program";
  if (run.state === "ended") return "ended";
  return done === 0 ? "not begun" : "interrupted";
}

/** What a run looks for, and how. @param {Run} run */
export function goalWords(run) {
  const { algorithm } = run.request;
  const goal = run.request.goal ?? "any";
  return `${goalNames[goal] ?? goal}${algorithm ? ` by ${pretty(algorithm)}` : ""}`;
}

/** The limits of a run. @param {Run} run */
export function limitWords(run) {
  const limits = run.seconds
    .filter((one) => one !== null)
    .map((one) => time(one))
    .join(", then ");
  const nodes = run.request.node_limit ? `${run.request.node_limit} nodes` : "";
  return [limits, nodes].filter(Boolean).join(" and ") || "no limit";
}
