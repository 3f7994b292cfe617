// All that the library knows of a level: its board, solutions and what is proved about them, where it stands, what runs made of it.

import { get } from "../lib/api.js";
import { answerOf } from "../lib/core.js";
import { button, figures, h, scrolled, sentenceOf, table } from "../lib/dom.js";
import { count, plural, proofKind, proofWords, time } from "../lib/format.js";
import { BoardView } from "../sokoban/board.js";
import { Position } from "../sokoban/position.js";
import { setLevel } from "../store.js";
import { hrefOf, levelShelf, shelfOfFilter } from "./place.js";
import { dateWords, outcomeNames } from "./words.js";

/** @typedef {import("../lib/types.js").LibraryLevel} LibraryLevel */
/** @typedef {import("../lib/types.js").Entry} Entry */

/** @param {import("../lib/types.js").Origin} origin */
const originWords = ({ finder, method, found }) => `${finder}, ${method}, ${dateWords(found)}`;

/** @param {() => {key: string, turn: string|null}|null} place @param {() => void} back */
export function levelPage(place, back) {
  const view = new BoardView({ label: "Level", largest: 44, tallest: 0.5 });
  const asked = answerOf(
    () => {
      const wanted = place();
      if (!wanted) return null;
      const turn = wanted.turn === null ? "" : `?turn=${encodeURIComponent(wanted.turn)}`;
      return /** @type {Promise<LibraryLevel>} */ (get(`/library/levels/${wanted.key}${turn}`));
    },
    { fresh: true },
  );
  return h("section.stage", { "aria-label": "Level" }, [
    h("div.row", [button("Back to the levels", back, { class: "quiet" })]),
    h("p.status", { role: "status", hidden: () => asked.value.answer !== undefined }, () =>
      asked.value.error ? sentenceOf(asked.value.error) : "Looking it up …",
    ),
    h("div.stage", () => asked.value.answer && levelParts(asked.value.answer, view)),
  ]);
}

/** @param {LibraryLevel} level @param {BoardView} view */
function levelParts(level, view) {
  // The place that draws it as it is shown speaks for it.
  const entry = level.entries.find((one) => one.turn === level.turn) ?? level.entries[0];
  const title = entry?.title ?? (entry ? `${entry.collection} ${entry.number}` : "A level of the library");
  const board = entry?.turn === level.turn ? entry.board : level.board;
  const open = (/** @type {string} */ where, /** @type {string|null} */ solution) => {
    setLevel({ board, title, author: entry?.author ?? null, notes: entry?.notes ?? [], solution });
    location.hash = `#/${where}`;
  };
  const best = level.solutions[level.pushes.solution ?? -1];
  const shortest = level.solutions[level.moves.solution ?? -1];
  view.show(Position.parse(board), {});
  return h("div.view.two", [
    h("div.card.board-card", [
      h("h2.library-title", title),
      view.element,
      h("div.toolbar", [
        button("Play", () => open("play", null), { class: "primary" }),
        button("Solve", () => open("solve", null)),
        best && button("Watch the fewest pushes", () => open("solve", best.lurd)),
        shortest && shortest !== best && button("Watch the fewest moves", () => open("solve", shortest.lurd)),
      ]),
    ]),
    h("div.side", [facts(level, entry), known(level), places(level), runs(level)]),
  ]);
}

/** @param {LibraryLevel} level @param {Entry|undefined} entry */
function facts(level, entry) {
  const rows = [
    ["Boxes", count(level.boxes)],
    ["Squares", count(level.squares)],
    ["Author", entry?.author ?? ""],
    ["Grade", entry?.grade ? `${entry.grade} of 10` : ""],
  ];
  return h("section.card", { "aria-label": "Figures" }, [h("dl.figures", figures(rows.filter(([, value]) => value)))]);
}

/** @param {LibraryLevel} level */
function known(level) {
  const one = (/** @type {"pushes"|"moves"} */ metric) => {
    const { solution, proof, lower_bound: bound } = level[metric];
    const best = level.solutions[solution ?? -1];
    const [unit, units] = metric === "pushes" ? ["push", "pushes"] : ["move", "moves"];
    if (!best)
      return bound
        ? h("p", `Any solution has at least ${plural(bound.value, unit, units)} (${originWords(bound)}).`)
        : null;
    const proved = proof.startsWith("optimal");
    return h("div.best-known", [
      h("h3", `Best by ${units}: ${plural(best.pushes, "push", "pushes")}, ${plural(best.moves, "move")}`),
      h("p", [
        h("span", { class: `promise ${proofKind(proof)}` }, [proved ? `Fewest ${units}, proved` : proofWords(proof)]),
      ]),
      bound && !proved
        ? h("p.about", `Any solution has at least ${plural(bound.value, unit, units)} (${originWords(bound)}).`)
        : null,
      bound && proved ? h("p.about", `Proved by ${originWords(bound)}.`) : null,
      h("p.about", `Found by ${originWords(best)}.`),
    ]);
  };
  const nothing = level.solutions.length === 0 && !level.unsolvable;
  return h("section.card.known", { "aria-label": "What is known" }, [
    h("h2", "What is known"),
    level.unsolvable
      ? h("p", [h("span.promise.bad", "No solution"), ` Proved by ${originWords(level.unsolvable)}.`])
      : null,
    nothing ? h("p", "Nobody has solved it here yet. Solve looks for a solution, and what it finds is kept.") : null,
    one("pushes"),
    one("moves"),
    level.solutions.length > 2
      ? h(
          "p.about",
          `${plural(level.solutions.length, "solution")} are kept: none is as good as another in both pushes and moves.`,
        )
      : null,
  ]);
}

/** @param {LibraryLevel} level */
function places(level) {
  const rows = level.entries.map((entry) =>
    h("li", [
      h("a", { href: hrefOf(shelfOfFilter({ collection: entry.collection })) }, entry.collection),
      ` ${entry.number}${entry.title ? `, ${entry.title}` : ""} `,
      entry.turn === level.turn ? null : h("a", { href: hrefOf(levelShelf(level.key, entry.turn)) }, "as drawn there"),
    ]),
  );
  return h("section.card", { "aria-label": "Collections" }, [
    h("h2", "Where it stands"),
    rows.length ? h("ul.places", rows) : h("p", "In no collection: a search of the page brought it here."),
  ]);
}

/** @param {LibraryLevel} level */
function runs(level) {
  if (level.runs.length === 0) return null;
  const rows = level.runs.map((one) =>
    h("tr", [
      h("td", [h("a", { href: hrefOf(`/run/${one.run}`) }, one.name)]),
      h("td", [outcomeNames[one.outcome] ?? one.outcome, one.reason ? h("span.about", ` ${one.reason}`) : null]),
      h("td.number", time(one.seconds)),
      h("td.number", one.pushes === null ? "" : count(one.pushes)),
    ]),
  );
  return h("section.card", { "aria-label": "Batch runs" }, [
    h("h2", "In batch runs"),
    scrolled("Results of batch runs", table("", ["Run", "Result", ["Time"], ["Pushes"]], rows)),
  ]);
}
