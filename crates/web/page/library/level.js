// All that the library knows of a level: its board, solutions and what is proved about them, where it stands, what runs made of it.

import { get } from "../lib/api.js";
import { button, fill, h, sentenceOf } from "../lib/dom.js";
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

export class LevelPage {
  /** @param {() => void} back */
  constructor(back) {
    this.asked = 0;
    this.board = new BoardView({ label: "Level", largest: 44, tallest: 0.5 });
    this.body = h("div", { class: "stage" });
    this.status = h("p", { class: "status", role: "status" });
    this.back = button("Back to the levels", back, { class: "quiet" });
    this.element = h(
      "section",
      { class: "stage", "aria-label": "Level" },
      h("div", { class: "row" }, this.back),
      this.status,
      this.body,
    );
  }

  /** @param {string} key @param {string|null} turn */
  async show(key, turn) {
    this.asked += 1;
    const mine = this.asked;
    fill(this.body);
    this.status.hidden = false;
    this.status.textContent = "Looking it up …";
    try {
      const level = /** @type {LibraryLevel} */ (
        await get(`/library/levels/${key}${turn === null ? "" : `?turn=${encodeURIComponent(turn)}`}`)
      );
      if (mine === this.asked) this.fill(level);
    } catch (error) {
      if (mine === this.asked) this.status.textContent = sentenceOf(error);
    }
  }

  /** @param {LibraryLevel} level */
  fill(level) {
    this.status.hidden = true;
    // The place that draws it as it is shown speaks for it.
    const entry = level.entries.find((one) => one.turn === level.turn) ?? level.entries[0];
    const title = entry?.title ?? (entry ? `${entry.collection} ${entry.number}` : "A level of the library");
    const board = entry?.turn === level.turn ? entry.board : level.board;
    const open = (/** @type {string} */ view, /** @type {string|null} */ solution) => {
      setLevel({ board, title, author: entry?.author ?? null, notes: entry?.notes ?? [], solution });
      location.hash = `#/${view}`;
    };
    const best = level.solutions[level.pushes.solution ?? -1];
    const shortest = level.solutions[level.moves.solution ?? -1];
    this.board.show(Position.parse(board), {});
    fill(
      this.body,
      h(
        "div",
        { class: "view two" },
        h(
          "div",
          { class: "card board-card" },
          h("h2", { class: "library-title" }, title),
          this.board.element,
          h(
            "div",
            { class: "toolbar" },
            button("Play", () => open("play", null), { class: "primary" }),
            button("Solve", () => open("solve", null)),
            best ? button("Watch the fewest pushes", () => open("solve", best.lurd)) : null,
            shortest && shortest !== best ? button("Watch the fewest moves", () => open("solve", shortest.lurd)) : null,
          ),
        ),
        h("div", { class: "side" }, this.facts(level, entry), this.known(level), this.places(level), this.runs(level)),
      ),
    );
  }

  /** @param {LibraryLevel} level @param {Entry|undefined} entry */
  facts(level, entry) {
    const rows = [
      ["Boxes", count(level.boxes)],
      ["Squares", count(level.squares)],
      ["Author", entry?.author ?? ""],
      ["Grade", entry?.grade ? `${entry.grade} of 10` : ""],
    ];
    return h(
      "section",
      { class: "card", "aria-label": "Figures" },
      h(
        "dl",
        { class: "figures" },
        rows
          .filter(([, value]) => value)
          .map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
      ),
    );
  }

  /** @param {LibraryLevel} level */
  known(level) {
    const one = (/** @type {"pushes"|"moves"} */ metric) => {
      const { solution, proof, lower_bound: bound } = level[metric];
      const best = level.solutions[solution ?? -1];
      const [unit, units] = metric === "pushes" ? ["push", "pushes"] : ["move", "moves"];
      if (!best)
        return bound
          ? h("p", null, `Any solution has at least ${plural(bound.value, unit, units)} (${originWords(bound)}).`)
          : null;
      const proved = proof.startsWith("optimal");
      return h(
        "div",
        { class: "best-known" },
        h("h3", null, `Best by ${units}: ${plural(best.pushes, "push", "pushes")}, ${plural(best.moves, "move")}`),
        h(
          "p",
          null,
          h("span", { class: `promise ${proofKind(proof)}` }, proved ? `Fewest ${units}, proved` : proofWords(proof)),
        ),
        bound && !proved
          ? h(
              "p",
              { class: "about" },
              `Any solution has at least ${plural(bound.value, unit, units)} (${originWords(bound)}).`,
            )
          : null,
        bound && proved ? h("p", { class: "about" }, `Proved by ${originWords(bound)}.`) : null,
        h("p", { class: "about" }, `Found by ${originWords(best)}.`),
      );
    };
    const nothing = level.solutions.length === 0 && !level.unsolvable;
    return h(
      "section",
      { class: "card known", "aria-label": "What is known" },
      h("h2", null, "What is known"),
      level.unsolvable
        ? h(
            "p",
            null,
            h("span", { class: "promise bad" }, "No solution"),
            ` Proved by ${originWords(level.unsolvable)}.`,
          )
        : null,
      nothing
        ? h("p", null, "Nobody has solved it here yet. Solve looks for a solution, and what it finds is kept.")
        : null,
      one("pushes"),
      one("moves"),
      level.solutions.length > 2
        ? h(
            "p",
            { class: "about" },
            `${plural(level.solutions.length, "solution")} are kept: none is as good as another in both pushes and moves.`,
          )
        : null,
    );
  }

  /** @param {LibraryLevel} level */
  places(level) {
    const rows = level.entries.map((entry) =>
      h(
        "li",
        null,
        h("a", { href: hrefOf(shelfOfFilter({ collection: entry.collection })) }, entry.collection),
        ` ${entry.number}${entry.title ? `, ${entry.title}` : ""} `,
        entry.turn === level.turn
          ? null
          : h("a", { href: hrefOf(levelShelf(level.key, entry.turn)) }, "as drawn there"),
      ),
    );
    return h(
      "section",
      { class: "card", "aria-label": "Collections" },
      h("h2", null, "Where it stands"),
      rows.length
        ? h("ul", { class: "places" }, rows)
        : h("p", null, "In no collection: a search of the page brought it here."),
    );
  }

  /** @param {LibraryLevel} level */
  runs(level) {
    if (level.runs.length === 0) return null;
    const rows = level.runs.map((one) =>
      h(
        "tr",
        null,
        h("td", null, h("a", { href: hrefOf(`/run/${one.run}`) }, one.name)),
        h(
          "td",
          null,
          outcomeNames[one.outcome] ?? one.outcome,
          one.reason ? h("span", { class: "about" }, ` ${one.reason}`) : null,
        ),
        h("td", { class: "number" }, time(one.seconds)),
        h("td", { class: "number" }, one.pushes === null ? "" : count(one.pushes)),
      ),
    );
    return h(
      "section",
      { class: "card", "aria-label": "Batch runs" },
      h("h2", null, "In batch runs"),
      h(
        "div",
        { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "Results of batch runs" },
        h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("th", null, "Run"),
              h("th", null, "Result"),
              h("th", { class: "number" }, "Time"),
              h("th", { class: "number" }, "Pushes"),
            ),
          ),
          h("tbody", null, rows),
        ),
      ),
    );
  }
}
