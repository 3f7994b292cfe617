// How a search ended, in words.

import { plural } from "../lib/format.js";

/**
 * @param {import("../lib/types.js").JobResult} result
 * @param {string|null} because
 */
export function outcomeWords(result, because) {
  switch (result.outcome) {
    case "solved":
      return result.pushes === null
        ? `Solved in ${plural(result.moves ?? 0, "move")}`
        : `Solved: ${plural(result.pushes, "push", "pushes")}, ${plural(result.moves ?? 0, "move")}`;
    case "unsolvable":
      return "Proved: this level has no solution";
    case "stopped":
      if (result.stopped_by === null) return "Nothing found, and nothing proved";
      return `Stopped by the ${result.stopped_by === "nodes" ? "node" : result.stopped_by} limit`;
    case "cancelled":
      return `Cancelled${because ? `: ${because}` : ""}`;
    default:
      return "The search failed";
  }
}
