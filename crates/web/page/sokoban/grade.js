// How hard a level is: a grade beside its title, and the reasons for it. What was rated once is kept.

import { value } from "../lib/core.js";
import { announce, button, h, sentenceOf } from "../lib/dom.js";
import { Errand } from "../lib/errand.js";
import { count, decimal, percent, plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { keyOf, store } from "../store.js";
import { dialog } from "../lib/dialog.js";

/** @typedef {import("../lib/types.js").Rating} Rating */
/** @typedef {import("../lib/types.js").Length} Length */

/** How long a rating may take, in seconds. */
const SECONDS = 20;
/** How many ratings are kept. */
const KEPT = 200;

/** What the notes of a level say about its grade. @param {string[]} notes @returns {number|null} */
export function notedGrade(notes) {
  const grade = Number(notes.find((note) => note.startsWith("Grade:"))?.slice(6));
  return grade >= 1 && grade <= 10 ? grade : null;
}

/** @returns {[string, Rating][]} The newest last. */
const ratings = () => kept("ratings") ?? [];

/** @param {string} board @returns {Rating|null} */
const ratingOf = (board) => ratings().find(([key]) => key === keyOf(board))?.[1] ?? null;

/** @param {string} board @param {Rating} rating */
function keepRating(board, rating) {
  const others = ratings().filter(([key]) => key !== keyOf(board));
  keep("ratings", [...others, [keyOf(board), rating]].slice(-KEPT));
}

/** A proved length, or what is known of it. @param {Length} length */
const lengthWords = ({ best, lower }) =>
  best === lower ? `${count(best)} (proved)` : lower ? `${count(lower)} to ${count(best)}` : `at most ${count(best)}`;

/** @param {import("../lib/types.js").SearchCost|null} cost */
const costWords = (cost) =>
  cost ? `${cost.finished ? "" : "more than "}${plural(cost.expanded, "position")}` : "not tried";

/** @param {Rating} rating */
function report(rating) {
  const { grade } = rating;
  const rows = [
    ["Fewest pushes", lengthWords(rating.pushes)],
    ["Fewest moves", lengthWords(rating.moves)],
    ["Box lines (a box pushed straight on)", count(rating.box_lines)],
    ["Box changes", count(rating.box_changes)],
    ["Pushing sessions", count(rating.pushing_sessions)],
    ["Player lines", count(rating.player_lines)],
    ["Pushes away from the goal", count(rating.counterintuitive_pushes)],
    ["Switches between two halves of the boxes", count(rating.switches_between_halves)],
    ["Pushes to choose from, on average", decimal(rating.choice)],
    ["Positions where a push loses the level", count(rating.traps)],
    ["Dead squares", percent(rating.dead_share)],
    ["Breadth-first search expands", costWords(rating.breadth_first)],
    ["A student’s A* expands", costWords(rating.student_a_star)],
  ];
  return [
    h("p.grade-line", [h("strong", `Grade ${grade.number} of 10`), ` (${decimal(grade.fine)})`]),
    h("ul.reasons", [grade.reasons.map((reason) => h("li", reason))]),
    h("p.about", "Figures of the solution with the fewest pushes that is known:"),
    h("table", [
      h("tbody", [rows.map(([name, value]) => h("tr", [h("th", { scope: "row" }, name), h("td.number", value)]))]),
    ]),
  ];
}

/** Why the current level has its grade; rates it where nobody has. */
function explain() {
  const { board, title } = store.current;
  dialog(`How hard is ${title || "this level"}?`, (close) => {
    const rating = value(ratingOf(board));
    const told = value("The level is rated …");
    const over = value("");
    const errand = new Errand();
    if (!rating.value) rate();

    async function rate() {
      try {
        const { result } = await errand.run({ kind: "rate", board, request: { time_limit: SECONDS } }, (job) => {
          if (job.status === "waiting") told.value = "The rating waits: other searches run first.";
          else if (job.status === "running")
            told.value = `The level is rated … ${plural(job.live.expanded, "position")} so far.`;
        });
        if (result?.rating) {
          keepRating(board, result.rating);
          rating.value = result.rating;
          const { number, reasons } = result.rating.grade;
          announce(`Grade ${number} of 10: ${reasons.join("; ")}.`);
          return;
        }
        const why =
          result?.outcome === "unsolvable"
            ? "It is proved that the level has no solution, so there is nothing to rate."
            : `No solution was found within ${SECONDS} seconds, and the grade is that of a solution.`;
        over.value = (result?.outcome === "failed" && result.notes[0]) || why;
      } catch (error) {
        over.value = sentenceOf(error);
      }
    }

    return () => {
      if (rating.value) return report(rating.value);
      if (over.value) return h("p", over.value);
      return [
        h("p.status", { role: "status" }, () => told.value),
        h("p.about", `The shortest solutions are proved as far as ${SECONDS} seconds allow, then measured.`),
        h("div.row", [button("Cancel", close)]),
      ];
    };
  });
}

/** The grade beside a level's title. */
export function gradeTag() {
  const grade = () => ratingOf(store.current.board)?.grade.number ?? notedGrade(store.current.notes);
  return button(() => (grade() ? `Grade ${grade()}` : "Grade?"), explain, {
    class: "grade",
    "aria-haspopup": "dialog",
    title: () => (grade() ? "How hard it is, and why" : "Rate the level: how hard is it?"),
  });
}
