// The letter game against the computer, with the value of every move and the search tree.

import { post } from "../lib/api.js";
import { derived, effect, latest, untold, value } from "../lib/core.js";
import {
  announce,
  button,
  calm,
  explained,
  field,
  h,
  scrolled,
  select,
  sentenceOf,
  table,
  tick,
  toast,
} from "../lib/dom.js";
import { count, plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { store } from "../store.js";

/** @typedef {import("../lib/types.js").CsePosition} CsePosition */
/** @typedef {import("../lib/types.js").CseMove} CseMove */
/** @typedef {import("../lib/types.js").TreeNode} TreeNode */

/** A value in words; the moves count from the position on the board. @param {number} value @param {number|null} plies */
function worth(value, plies) {
  if (value === 0) return "draw";
  return `${value > 0 ? "MAX" : "MIN"} in ${plies ?? 0}`;
}

/** A value of the tree in words: outside its window it is only a bound, best for MAX above. @param {TreeNode} node */
function told({ value, plies, bound }) {
  if (value === null) return "";
  const words = worth(value, plies);
  if (bound === "at-least") return ` at least ${words}`;
  if (bound === "at-most") return ` at most ${words}`;
  return ` = ${words}`;
}

/** A bound of a window as the values are told. @param {string|null} score such as "+1 in 3" @param {string} open */
function windowWords(score, open) {
  const parts = /^([+-])\d+ in (\d+)$/.exec(score ?? "");
  return score === null ? open : parts ? worth(parts[1] === "+" ? 1 : -1, Number(parts[2])) : "draw";
}

/** A move as it is written. @param {CseMove} move */
const written = ({ letter, row, column }) => `${letter}${row}${column}`;

/** @type {Record<string, string>} What became of a node. */
const FATES = {
  "cut-off": "cut off here",
  remembered: "remembered",
  end: "end of the game",
  "left-out": "never tried",
};

/** @param {TreeNode} one @param {number} level @returns {HTMLElement} */
function node(one, level) {
  const name = one.move ? `${one.move.letter} at ${one.move.row},${one.move.column}` : "this position";
  const window =
    one.move && one.fate !== "left-out" ? ` (${windowWords(one.alpha, "−∞")}, ${windowWords(one.beta, "+∞")})` : "";
  const value = told(one);
  const tag = FATES[one.fate];
  const line = [
    one.fate === "left-out" ? h("s", name) : h("strong", name),
    h("span.muted", window),
    value,
    tag
      ? h("span", { class: `tag ${one.fate === "cut-off" || one.fate === "left-out" ? "cut" : "known"}` }, tag)
      : null,
    one.unrecorded ? h("span.about", ` ${plural(one.unrecorded, "node")} below`) : null,
  ].flatMap((part) => (part === null ? [] : [part, " "]));
  if (!one.children.length) return h("li", [h("div.leaf", line)]);
  const tried = one.children.filter((child) => child.fate !== "left-out");
  const left = one.children.filter((child) => child.fate === "left-out");
  const details = h("details", { open: level === 0 }, [h("summary", line)]);
  // A branch is filled when it is first opened: a whole tree has thousands of lines.
  const open = () => {
    if (details.children.length > 1) return;
    details.append(
      h("ul", [
        tried.map((child) => node(child, level + 1)),
        left.length
          ? h("li", [
              h("div.leaf", [
                h("span.tag.cut", "never tried"),
                ` ${left.map((child) => (child.move ? `${child.move.letter}${child.move.row}${child.move.column}` : "")).join(" ")}`,
              ]),
            ])
          : null,
      ]),
    );
  };
  if (level === 0) open();
  else details.addEventListener("toggle", open);
  return h("li", details);
}

export function cseView() {
  const left = kept("cse");
  const computer = "max";
  /** What is played: where the first S stands, who begins, the moves. */
  const game = value({
    start: left?.start === "right" ? "right" : "left",
    first: left?.first === "max" ? "max" : "min",
    moves: /** @type {CseMove[]} */ (Array.isArray(left?.moves) ? left.moves : []),
  });
  /** The game on the board: before the answer to a move there is one move more. */
  let shown = { ...game.now, moves: /** @type {CseMove[]} */ ([]) };
  const position = value(/** @type {CsePosition|null} */ (null));
  const trouble = value("");
  const values = value(true);
  const strategy = value(store.about.strategies.at(-1) ?? "");
  const depth = value("2");
  const begin = latest();

  const startControl = select(
    [
      ["left", "Left"],
      ["right", "Right"],
      ["random", "By chance"],
    ],
    left?.startChoice ?? "left",
    () => fresh(),
  );
  const firstControl = select(
    [
      ["min", "You"],
      ["max", "The computer"],
    ],
    game.now.first,
    () => fresh(),
  );

  function fresh() {
    const start = startControl.value === "random" ? (Math.random() < 0.5 ? "left" : "right") : startControl.value;
    game.value = { start, first: firstControl.value, moves: [] };
  }

  const choosing = (/** @type {{value: string}} */ what) => (/** @type {string} */ chosen) => {
    trouble.value = "";
    what.value = chosen;
  };

  /** @param {CseMove} move */
  const put = (move) => (game.value = { ...game.now, moves: [...game.now.moves, move] });

  async function update() {
    const wait = begin();
    const now = game.now;
    const question = { ...now, strategy: strategy.now, tree: Number(depth.now) };
    try {
      const answer = /** @type {CsePosition} */ (await wait(post("/cse/position", question)));
      shown = now;
      position.value = answer;
      trouble.value = "";
      keep("cse", { ...now, startChoice: startControl.value });
      if (answer.ending) announce(untold(status));
      if (answer.ending || answer.to_move !== computer || !answer.advice.best) return;
      const { move } = answer.advice.best;
      await wait(new Promise((done) => setTimeout(done, calm() ? 0 : 450)));
      put(move);
      announce(`The computer puts ${move.letter} into row ${move.row}, column ${move.column}.`);
    } catch (error) {
      game.value = shown;
      trouble.value = sentenceOf(error);
      toast(trouble.value, "error");
    }
  }
  effect(() => {
    const now = game.value;
    [strategy.value, depth.value];
    // What could not be asked was taken back: there is nothing to ask anew.
    if (now !== shown || !untold(() => trouble.value)) untold(update);
  });

  function takeBack() {
    const { moves, first } = game.now;
    let kept = moves.length - 1;
    const mover = (/** @type {number} */ number) => (number % 2 === 0 ? first : first === "max" ? "min" : "max");
    while (kept > 0 && mover(kept) === computer) kept -= 1;
    game.value = { ...game.now, moves: moves.slice(0, Math.max(0, kept)) };
  }

  const isYours = () => {
    const now = position.value;
    return now !== null && !now.ending && now.to_move !== computer;
  };

  /** @param {CseMove} move */
  function place(move) {
    if (isYours() && game.now.moves.length === shown.moves.length) put(move);
  }

  /** A cell of the board: its letter, or the three that may come there. @param {number} cell */
  function cellOf(cell) {
    const [row, column] = [Math.floor(cell / 3), cell % 3];
    const letter = derived(() => position.value?.board[row]?.[column] ?? ".");
    const won = () => position.value?.lines.some((line) => line.includes(cell)) === true;
    const at = `ow ${row + 1}, column ${column + 1}`;
    const choice = (/** @type {string} */ one) => {
      const rated = derived(() =>
        position.value?.advice.moves.find(
          ({ move }) => move.row === row + 1 && move.column === column + 1 && move.letter === one,
        ),
      );
      const words = () => (rated.value ? worth(rated.value.value, rated.value.plies) : "");
      const isBest = () => {
        const best = position.value?.advice.best;
        return values.value && best && rated.value?.value === best.value && rated.value.plies === best.plies;
      };
      return h(
        "button",
        {
          type: "button",
          class: () => isBest() && "best",
          disabled: () => !isYours(),
          "aria-label": () => `${one} into r${at}${values.value && words() ? `, ${words()}` : ""}`,
          onclick: () => place({ row: row + 1, column: column + 1, letter: one }),
        },
        [h("strong", one), () => values.value && h("span.value", words())],
      );
    };
    const there = derived(() => position.value !== null);
    return () => {
      if (!there.value) return null;
      if (letter.value === ".") return h("div.cse-cell", [h("div.cse-choices", ["C", "S", "E"].map(choice))]);
      const label = `R${at}: ${letter.value}`;
      return h("div.cse-cell.filled", { class: () => won() && "won", role: "img", "aria-label": label }, letter.value);
    };
  }

  function status() {
    const now = position.value;
    if (trouble.value || !now) return trouble.value;
    if (now.ending === "draw") return "A draw: the board is full.";
    if (now.ending === computer) return "The computer has completed CSE and wins.";
    if (now.ending) return "You have completed CSE and win!";
    const { value: outcome, plies } = now.advice;
    return isYours() ? `Your turn (MIN). With best play: ${worth(outcome, plies)}.` : "The computer thinks …";
  }

  const record = () => {
    if (!position.value) return "";
    const { advice } = position.value;
    const moves = shown.moves.map(written).join(" ");
    const line = advice.principal_variation.map(written).join(" ");
    return `${moves && `Moves: ${moves}. `}${line && `Best line: ${line}. `}${count(advice.nodes)} positions were visited to rate every move.`;
  };

  const treeParts = () => {
    const tree = position.value?.tree;
    if (!tree) return null;
    const { method, nodes, cutoffs, memo_hits: hits } = tree.cost;
    return [
      h("p.about", [
        `${method}: ${count(nodes)} nodes, ${count(cutoffs)} cut-offs, ${count(hits)} answers from memory. Each line: the move, the window (alpha, beta) it was tried with, and its value; “in” counts moves from the position on the board. A value outside the window is only a bound: “at least” is for MAX’s good, “at most” for MIN’s. Moves that were never tried because their parent was cut off are struck through.`,
      ]),
      h("ul.tree", node(tree.root, 0)),
    ];
  };

  /** What every method costs, and the position that the costs belong to. */
  const measured = value(
    /** @type {{at: typeof game.now, letters: number, costs: import("../lib/types.js").MethodCost[]}|null} */ (null),
  );
  const isHere = () => JSON.stringify(measured.value?.at) === JSON.stringify(game.value);
  const measuredWords = () => {
    if (!measured.value) return "";
    const letters = plural(measured.value.letters, "letter");
    const moves = measured.value.at.moves.map(written).join(" ") || "no moves yet";
    return isHere()
      ? `For the position on the board, with ${letters}.`
      : `For another position than the one on the board: the one with ${letters} (${moves}). Run every method again for this one.`;
  };
  async function compareMethods() {
    const at = game.now;
    try {
      const answer = /** @type {CsePosition} */ (await post("/cse/position", { ...at, costs: true }));
      const letters = answer.board.join("").replace(/\./g, "").length;
      measured.value = { at, letters, costs: answer.costs ?? [] };
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }
  const costTable = () => {
    const rows = measured.value?.costs.map((cost) =>
      h("tr", [
        h("td", cost.method),
        [cost.nodes, cost.cutoffs, cost.memo_hits, cost.memo_entries].map((n) => h("td.number", count(n))),
      ]),
    );
    return rows && table("", ["Method", ["Nodes"], ["Cut-offs"], ["From memory"], ["Remembered"]], rows);
  };

  const depths = ["1 move deep", "2 moves deep", "3 moves deep"].map((words) => [words.charAt(0), words]);
  const methods = store.about.strategies.filter((name) => name !== "minimax");
  const element = h("div.view.two", [
    h("h1.hidden-text", "The CSE letter game"),
    h("div.stage", [
      h("div.card.board-card", [
        h("div.cse-board", { role: "group", "aria-label": "CSE board, three by three" }, [
          [...Array(9).keys()].map(cellOf),
        ]),
        h("p.status", { role: "status" }, status),
        h("p.muted", record),
        h("div.toolbar", [button("New game", fresh, { class: "primary" }), button("Take back", takeBack)]),
      ]),
      h("section.card.live", { "aria-label": "The search" }, [
        h("h2", "The search tree"),
        scrolled("Search tree", treeParts),
      ]),
      h("section.card.live", { "aria-label": "Methods" }, [
        h("h2", "What each method costs here"),
        h("div.row", [button("Run every method", compareMethods)]),
        h("p", { role: "status", class: () => (measured.value && !isHere() ? "banner fair" : "muted") }, measuredWords),
        scrolled("What each method costs", costTable),
      ]),
    ]),
    h("aside.side.card", { "aria-label": "The game" }, [
      h("h2", "CSE"),
      h("p", [
        "In turn put C, S or E into an empty cell. Who first completes CSE or ESC in a row, a column or a diagonal wins. The computer is MAX, you are MIN.",
      ]),
      field("First S", startControl, "It stands at an end of the middle row."),
      field("Who begins", firstControl),
      field(
        "The computer’s method",
        select(methods, strategy.now, choosing(strategy)),
        "All find the same values; they differ in how many positions they visit.",
      ),
      field("Tree shown", select(depths, depth.now, choosing(depth))),
      tick(
        explained(
          "Show the value of every move",
          "who wins with best play, and in how many moves; the best are marked",
        ),
        () => values.value,
        (on) => (values.value = on),
      ),
    ]),
  ]);
  return { element };
}
