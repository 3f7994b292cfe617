// How hard a level is: a grade beside its title, and the reasons for it. What was rated once is kept.

import { startJob } from "../lib/api.js";
import { announce, button, fill, h, sentenceOf } from "../lib/dom.js";
import { count, decimal, percent, plural } from "../lib/format.js";
import { keep, kept, whenKeptElsewhere } from "../lib/keep.js";
import { keyOf, store } from "../store.js";
import { showConnection } from "./connection.js";
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
  document.dispatchEvent(new CustomEvent("ratingchange"));
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
  /** @type {[string, string][]} */
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
    ["Breadth-first search opens", costWords(rating.breadth_first)],
    ["A student’s A* opens", costWords(rating.student_a_star)],
  ];
  return [
    h("p", { class: "grade-line" }, h("strong", null, `Grade ${grade.number} of 10`), ` (${decimal(grade.fine)})`),
    h(
      "ul",
      { class: "reasons" },
      grade.reasons.map((reason) => h("li", null, reason)),
    ),
    h("p", { class: "about" }, "Figures of the solution with the fewest pushes that is known:"),
    h(
      "table",
      null,
      h(
        "tbody",
        null,
        rows.map(([name, value]) =>
          h("tr", null, h("th", { scope: "row" }, name), h("td", { class: "number" }, value)),
        ),
      ),
    ),
  ];
}

/** Why the current level has its grade; rates it where nobody has. */
async function explain() {
  const { board, title } = store.current;
  const { element, body } = dialog(`How hard is ${title || "this level"}?`);
  const known = ratingOf(board);
  if (known) fill(body, report(known));
  element.showModal();
  if (known) return;
  const told = h("p", { class: "status", role: "status" }, "The level is rated …");
  /** @type {import("../lib/api.js").Following|null} */
  let following = null;
  let open = true;
  element.addEventListener("close", () => {
    open = false;
    following?.cancel().catch(() => {});
  });
  fill(
    body,
    told,
    h("p", { class: "about" }, `The shortest solutions are proved as far as ${SECONDS} seconds allow, then measured.`),
    h(
      "div",
      { class: "row" },
      button("Cancel", () => element.close()),
    ),
  );
  try {
    following = await startJob(
      { kind: "rate", board, request: { time_limit: SECONDS } },
      (job) => {
        if (job.status === "waiting") told.textContent = "The rating waits: other searches run first.";
        else if (job.status === "running")
          told.textContent = `The level is rated … ${plural(job.live.expanded, "position")} so far.`;
      },
      showConnection,
    );
    if (!open) {
      following.cancel().catch(() => {});
      return;
    }
    const { result } = await following.ended;
    if (result?.rating) {
      keepRating(board, result.rating);
      fill(body, report(result.rating));
      announce(`Grade ${result.rating.grade.number} of 10: ${result.rating.grade.reasons.join("; ")}.`);
    } else {
      const why =
        result?.outcome === "unsolvable"
          ? "It is proved that the level has no solution, so there is nothing to rate."
          : `No solution was found within ${SECONDS} seconds, and the grade is that of a solution.`;
      fill(body, h("p", null, result?.outcome === "failed" ? (result.notes[0] ?? why) : why));
    }
  } catch (error) {
    fill(body, h("p", null, sentenceOf(error)));
  }
}

/** The grade beside a level's title; it keeps itself up to date. */
export function gradeTag() {
  const tag = button("", explain, { class: "grade", "aria-haspopup": "dialog" });
  const update = () => {
    const { board, notes } = store.current;
    const grade = ratingOf(board)?.grade.number ?? notedGrade(notes);
    tag.textContent = grade ? `Grade ${grade}` : "Grade?";
    tag.title = grade ? "How hard it is, and why" : "Rate the level: how hard is it?";
  };
  for (const event of ["levelchange", "ratingchange"]) document.addEventListener(event, update);
  whenKeptElsewhere("ratings", update);
  update();
  return tag;
}
