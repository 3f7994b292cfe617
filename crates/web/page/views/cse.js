// The letter game against the computer, with the value of every move and the search tree.

import { post } from "../lib/api.js";
import { announce, button, calm, field, fill, h, select, sentenceOf, toast } from "../lib/dom.js";
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

export function cseView() {
  const left = kept("cse");
  /** @type {CseMove[]} */
  let moves = Array.isArray(left?.moves) ? left.moves : [];
  /** @type {CsePosition|null} */
  let position = null;
  let start = left?.start === "right" ? "right" : "left";
  let first = left?.first === "max" ? "max" : "min";
  const computer = "max";
  let values = true;
  let asked = 0;
  /** The game on the board: before the answer to a move there is one move more. */
  let shown = { start, first, moves: /** @type {CseMove[]} */ ([]) };

  const board = h("div", { class: "cse-board", role: "group", "aria-label": "CSE board, three by three" });
  const status = h("p", { class: "status", role: "status" });
  const record = h("p", { class: "muted" });
  const treeBox = h("div", { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "Search tree" });
  const costsOf = h("p", { class: "muted", role: "status" });
  const costs = h("div", {
    class: "table-scroll",
    tabIndex: 0,
    role: "region",
    "aria-label": "What each method costs",
  });
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
    first,
    () => fresh(),
  );
  const strategy = select(
    store.about.strategies.filter((name) => name !== "minimax"),
    store.about.strategies.at(-1) ?? "",
    () => update(),
  );
  const depth = select(
    [
      ["1", "1 move deep"],
      ["2", "2 moves deep"],
      ["3", "3 moves deep"],
    ],
    "2",
    () => update(),
  );
  const showValues = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => {
      values = showValues.checked;
      show();
    },
  });

  function fresh() {
    start = startControl.value === "random" ? (Math.random() < 0.5 ? "left" : "right") : startControl.value;
    first = firstControl.value;
    moves = [];
    update();
  }

  async function update() {
    asked += 1;
    const mine = asked;
    try {
      const answer = /** @type {CsePosition} */ (
        await post("/cse/position", { start, first, moves, strategy: strategy.value, tree: Number(depth.value) })
      );
      if (mine !== asked) return;
      position = answer;
      shown = { start, first, moves: moves.slice() };
      keep("cse", { moves, start, first, startChoice: startControl.value });
      show();
      if (!answer.ending && answer.to_move === computer && answer.advice.best) {
        const { move } = answer.advice.best;
        await new Promise((done) => setTimeout(done, calm() ? 0 : 450));
        if (mine !== asked) return;
        moves.push(move);
        announce(`The computer puts ${move.letter} into row ${move.row}, column ${move.column}.`);
        await update();
      }
    } catch (error) {
      if (mine !== asked) return;
      ({ start, first } = shown);
      moves = shown.moves.slice();
      status.textContent = sentenceOf(error);
      toast(status.textContent, "error");
    }
  }

  /** @param {CseMove} move */
  function place(move) {
    if (!position || position.ending || position.to_move === computer || moves.length !== shown.moves.length) return;
    moves.push(move);
    update();
  }

  function show() {
    if (!position) return;
    const { advice, ending } = position;
    const won = new Set(position.lines.flat());
    const yours = !ending && position.to_move !== computer;
    const cells = [];
    for (let cell = 0; cell < 9; cell += 1) {
      const [row, column] = [Math.floor(cell / 3), cell % 3];
      const letter = position.board[row]?.[column] ?? ".";
      if (letter !== ".") {
        cells.push(
          h(
            "div",
            {
              class: `cse-cell filled${won.has(cell) ? " won" : ""}`,
              role: "img",
              "aria-label": `Row ${row + 1}, column ${column + 1}: ${letter}`,
            },
            letter,
          ),
        );
        continue;
      }
      const choices = h(
        "div",
        { class: "cse-choices" },
        ["C", "S", "E"].map((one) => {
          const rated = advice.moves.find(
            ({ move }) => move.row === row + 1 && move.column === column + 1 && move.letter === one,
          );
          const best =
            values && advice.best !== null && rated?.value === advice.best.value && rated.plies === advice.best.plies;
          const words = rated ? worth(rated.value, rated.plies) : "";
          return h(
            "button",
            {
              type: "button",
              class: best ? "best" : "",
              disabled: !yours,
              "aria-label": `${one} into row ${row + 1}, column ${column + 1}${values && words ? `, ${words}` : ""}`,
              onclick: () => place({ row: row + 1, column: column + 1, letter: one }),
            },
            h("strong", null, one),
            values ? h("span", { class: "value" }, words) : null,
          );
        }),
      );
      cells.push(h("div", { class: "cse-cell" }, choices));
    }
    const active = document.activeElement?.getAttribute("aria-label");
    fill(board, cells);
    if (active) /** @type {HTMLElement|null} */ (board.querySelector(`[aria-label="${CSS.escape(active)}"]`))?.focus();
    const you = computer === "max" ? "MIN" : "MAX";
    if (ending === "draw") status.textContent = "A draw: the board is full.";
    else if (ending)
      status.textContent =
        ending === computer ? "The computer has completed CSE and wins." : "You have completed CSE and win!";
    else
      status.textContent = yours
        ? `Your turn (${you}). With best play: ${worth(advice.value, advice.plies)}.`
        : "The computer thinks …";
    if (ending) announce(status.textContent);
    record.textContent = `${moves.length ? `Moves: ${moves.map(words).join(" ")}. ` : ""}${advice.principal_variation.length ? `Best line: ${advice.principal_variation.map(words).join(" ")}. ` : ""}${count(advice.nodes)} positions were visited to rate every move.`;
    showTree();
    showCosts();
  }

  function showTree() {
    const tree = position?.tree;
    if (!tree) {
      fill(treeBox);
      return;
    }
    fill(
      treeBox,
      h(
        "p",
        { class: "about" },
        `${tree.cost.method}: ${count(tree.cost.nodes)} nodes, ${count(tree.cost.cutoffs)} cut-offs, ${count(tree.cost.memo_hits)} answers from memory. Each line: the move, the window (alpha, beta) it was tried with, and its value; “in” counts moves from the position on the board. A value outside the window is only a bound: “at least” is for MAX’s good, “at most” for MIN’s. Moves that were never tried because their parent was cut off are struck through.`,
      ),
      h("ul", { class: "tree" }, node(tree.root, 0)),
    );
  }

  /** @param {TreeNode} one @param {number} level @returns {HTMLElement} */
  function node(one, level) {
    const name = one.move ? `${one.move.letter} at ${one.move.row},${one.move.column}` : "this position";
    const window =
      one.move && one.fate !== "left-out" ? ` (${windowWords(one.alpha, "−∞")}, ${windowWords(one.beta, "+∞")})` : "";
    const value = told(one);
    const tags = /** @type {Record<string, string>} */ ({
      "cut-off": "cut off here",
      remembered: "remembered",
      end: "end of the game",
      "left-out": "never tried",
    });
    const tag = tags[one.fate];
    const line = [
      one.fate === "left-out" ? h("s", null, name) : h("strong", null, name),
      h("span", { class: "muted" }, window),
      value,
      tag
        ? h("span", { class: `tag ${one.fate === "cut-off" || one.fate === "left-out" ? "cut" : "known"}` }, tag)
        : null,
      one.unrecorded ? h("span", { class: "about" }, ` ${plural(one.unrecorded, "node")} below`) : null,
    ].flatMap((part) => (part === null ? [] : [part, " "]));
    if (!one.children.length) return h("li", null, h("div", { class: "leaf" }, line));
    const tried = one.children.filter((child) => child.fate !== "left-out");
    const left = one.children.filter((child) => child.fate === "left-out");
    const details = h("details", { open: level === 0 }, h("summary", null, line));
    // A branch is filled when it is first opened: a whole tree has thousands of lines.
    const open = () => {
      if (details.children.length > 1) return;
      details.append(
        h(
          "ul",
          null,
          tried.map((child) => node(child, level + 1)),
          left.length
            ? h(
                "li",
                null,
                h(
                  "div",
                  { class: "leaf" },
                  h("span", { class: "tag cut" }, "never tried"),
                  ` ${left.map((child) => (child.move ? `${child.move.letter}${child.move.row}${child.move.column}` : "")).join(" ")}`,
                ),
              )
            : null,
        ),
      );
    };
    if (level === 0) open();
    else details.addEventListener("toggle", open);
    return h("li", null, details);
  }

  const words = (/** @type {CseMove} */ move) => `${move.letter}${move.row}${move.column}`;
  /** @type {{moves: string, letters: number}|null} The position that the costs belong to. */
  let measured = null;
  const measuredAt = () => `${start} ${first} ${moves.map(words).join(" ")}`;

  /** Costs of another position than the one on the board say so. */
  function showCosts() {
    costsOf.textContent =
      measured === null
        ? ""
        : measured.moves === measuredAt()
          ? `For the position on the board, with ${plural(measured.letters, "letter")}.`
          : `For another position than the one on the board: the one with ${plural(measured.letters, "letter")} (${measured.moves.split(" ").slice(2).join(" ") || "no moves yet"}). Run every method again for this one.`;
    costsOf.className = measured !== null && measured.moves !== measuredAt() ? "banner fair" : "muted";
  }

  async function compareMethods() {
    const at = measuredAt();
    try {
      const answer = /** @type {CsePosition} */ (await post("/cse/position", { start, first, moves, costs: true }));
      const list = answer.costs ?? [];
      measured = { moves: at, letters: answer.board.join("").replace(/\./g, "").length };
      showCosts();
      fill(
        costs,
        h(
          "table",
          null,
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("th", null, "Method"),
              ["Nodes", "Cut-offs", "From memory", "Remembered"].map((name) => h("th", { class: "number" }, name)),
            ),
          ),
          h(
            "tbody",
            null,
            list.map((cost) =>
              h(
                "tr",
                null,
                h("td", null, cost.method),
                [cost.nodes, cost.cutoffs, cost.memo_hits, cost.memo_entries].map((n) =>
                  h("td", { class: "number" }, count(n)),
                ),
              ),
            ),
          ),
        ),
      );
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "The CSE letter game"),
    h(
      "div",
      { class: "stage" },
      h(
        "div",
        { class: "card board-card" },
        board,
        status,
        record,
        h(
          "div",
          { class: "toolbar" },
          button("New game", fresh, { class: "primary" }),
          button("Take back", () => {
            do moves.pop();
            while (moves.length && (moves.length % 2 === 0 ? first : first === "max" ? "min" : "max") === computer);
            update();
          }),
        ),
      ),
      h("section", { class: "card live", "aria-label": "The search" }, h("h2", null, "The search tree"), treeBox),
      h(
        "section",
        { class: "card live", "aria-label": "Methods" },
        h("h2", null, "What each method costs here"),
        h("div", { class: "row" }, button("Run every method", compareMethods)),
        costsOf,
        costs,
      ),
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "The game" },
      h("h2", null, "CSE"),
      h(
        "p",
        null,
        "In turn put C, S or E into an empty cell. Who first completes CSE or ESC in a row, a column or a diagonal wins. The computer is MAX, you are MIN.",
      ),
      field("First S", startControl, "It stands at an end of the middle row."),
      field("Who begins", firstControl),
      field(
        "The computer’s method",
        strategy,
        "All find the same values; they differ in how many positions they visit.",
      ),
      field("Tree shown", depth),
      h(
        "label",
        { class: "check" },
        showValues,
        h(
          "span",
          null,
          h("strong", null, "Show the value of every move"),
          h("span", { class: "about" }, " who wins with best play, and in how many moves; the best are marked"),
        ),
      ),
    ),
  );
  update();
  return { element };
}
