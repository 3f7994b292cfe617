// Draw a level: seven squares, pen, rectangle and fill, undo, resize, turn and mirror; checked as it is drawn; shared and
// exported.

import { checkLevel, post, startJob } from "../lib/api.js";
import { announce, button, fill, h, iconButton, sentenceOf, toast } from "../lib/dom.js";
import { count, percent, plural } from "../lib/format.js";
import { copy, fileName, saveBlob, saveText } from "../lib/save.js";
import { BoardView, colours } from "../sokoban/board.js";
import { showConnection } from "../sokoban/connection.js";
import { MOST, drawing } from "../sokoban/drawing.js";
import { LONGEST_GIF, gifOf, pngOf } from "../sokoban/exports.js";
import { levelBar } from "../sokoban/levelbar.js";
import { boardSvg, canvasPen, paintBoard } from "../sokoban/paint.js";
import { BOX, GOAL, PLAYER, Position, WALL } from "../sokoban/position.js";
import { shareLink } from "../sokoban/share.js";
import { bestOf } from "../sokoban/solutions.js";
import { keyOf, setLevel, store } from "../store.js";

/** @typedef {import("../sokoban/position.js").Direction} Direction */

/** @type {{name: string, key: string, cell: number}[]} */
const SQUARES = [
  { name: "Wall", key: "1", cell: WALL },
  { name: "Floor", key: "2", cell: 0 },
  { name: "Goal", key: "3", cell: GOAL },
  { name: "Box", key: "4", cell: BOX },
  { name: "Box on goal", key: "5", cell: BOX | GOAL },
  { name: "Player", key: "6", cell: PLAYER },
  { name: "Player on goal", key: "7", cell: PLAYER | GOAL },
];
/** @type {[string, string][]} */
const TOOLS = [
  ["pen", "Pen"],
  ["rectangle", "Rectangle"],
  ["fill", "Fill"],
];

export function drawView() {
  const view = new BoardView({
    label: "Drawing. Arrow keys move the cursor, 1 to 7 put squares",
    interactive: true,
    largest: 52,
    tallest: 0.6,
  });
  let brush = WALL;
  let tool = "pen";
  let cursor = 0;
  let hasFocus = false;
  /** @type {number|null} */
  let flaw = null;
  let asked = 0;
  let visible = false;
  /** @type {string|null} The solution of the drawing, if one is known. */
  let solution = null;
  /** @type {import("../lib/api.js").Following|null} */
  let quick = null;
  /** @type {{from: number, at: number, what: number}|null} A stroke or rectangle under way. */
  let stroke = null;

  const verdict = h("p", { class: "status", role: "status" });
  const solvable = h("p", { class: "muted", role: "status" });
  const named = (/** @type {"title"|"author"} */ what) =>
    h("input", {
      type: "text",
      id: `draw-${what}`,
      maxLength: 120,
      oninput: (/** @type {Event} */ event) => {
        drawing[what] = /** @type {HTMLInputElement} */ (event.target).value;
        drawing.own = true;
        drawing.keep();
        link.hidden = true;
      },
    });
  const [title, author] = [named("title"), named("author")];
  const side = (/** @type {"width"|"height"} */ what) =>
    h("input", {
      type: "number",
      id: `draw-${what}`,
      min: "1",
      max: String(MOST),
      step: "1",
      onchange: () => resize(),
    });
  const [width, height] = [side("width"), side("height")];
  const link = h("input", {
    type: "text",
    readOnly: true,
    "aria-label": "Link that carries the level",
    hidden: true,
    class: "mono",
  });

  const draw = () => {
    const { position } = drawing;
    cursor = Math.min(cursor, position.cells.length - 1);
    const targets = stroke && tool === "rectangle" ? drawing.rectangle(stroke.from, stroke.at) : [];
    view.show(position, { outside: true, cursor: hasFocus ? cursor : null, flaw, targets });
    width.value = String(position.width);
    height.value = String(position.height);
    if (document.activeElement !== title) title.value = drawing.title;
    if (document.activeElement !== author) author.value = drawing.author;
    undo.disabled = drawing.past.length === 0;
    redo.disabled = drawing.future.length === 0;
  };

  document.addEventListener("drawingchange", () => {
    solution = drawing.own ? null : (bestOf(store.current.board) ?? store.current.solution);
    solvable.textContent = "";
    link.hidden = true;
    flaw = null;
    draw();
    check();
  });

  let timer = 0;
  /** Checks the drawing soon: not at every square of a stroke. */
  function check() {
    clearTimeout(timer);
    asked += 1;
    // A drawing nobody looks at is checked when it is looked at again.
    if (visible) timer = window.setTimeout(checkNow, 120);
  }

  async function checkNow() {
    asked += 1;
    const mine = asked;
    quick?.cancel().catch(() => {});
    quick = null;
    const { position } = drawing;
    const board = position.toString();
    try {
      const checked = await checkLevel(board);
      if (mine !== asked) return;
      flaw =
        checked.playable || !(checked.row || checked.column)
          ? null
          : (checked.row ?? 0) * position.width + (checked.column ?? 0);
      verdict.className = `status promise ${checked.playable ? "good" : "bad"}`;
      verdict.textContent = checked.playable
        ? `A level: ${plural(checked.boxes, "box", "boxes")}, ${plural(checked.goals, "goal")}, ${plural(checked.squares, "square")}`
        : `Not yet: ${checked.flaw}`;
      draw();
      solvable.textContent = checked.playable ? "Looking for a solution …" : "";
      if (checked.playable) await quickSolve(board, mine);
    } catch (error) {
      if (mine === asked) {
        verdict.className = "status promise bad";
        verdict.textContent = sentenceOf(error);
      }
    }
  }

  /** @param {string} board @param {number} mine */
  async function quickSolve(board, mine) {
    try {
      const job = await startJob(
        {
          kind: "sokoban",
          board,
          request: { time_limit: 5, memory_limit: Math.min(256, store.about.limits.mebibytes) * 2 ** 20 },
        },
        () => {},
        showConnection,
      );
      if (mine !== asked) {
        job.cancel().catch(() => {});
        return;
      }
      quick = job;
      const { result } = await quick.ended;
      if (mine !== asked || !result) return;
      if (result.outcome === "solved") {
        solution = result.solution;
        solvable.textContent = `It can be solved: ${plural(result.pushes ?? 0, "push", "pushes")} found by a quick search.`;
      } else if (result.outcome === "unsolvable")
        solvable.textContent = `It has no solution: that is proved.${result.notes[0] ? ` ${result.notes[0]}.` : ""}`;
      else solvable.textContent = "A quick search of five seconds found no solution; that proves nothing.";
    } catch {
      if (mine === asked) solvable.textContent = "";
    }
  }

  /** @param {number} w @param {number} t @param {(x: number, y: number) => [number, number]} from */
  function reshape(w, t, from) {
    if (!drawing.reshape(w, t, from)) {
      toast(`Between 1 and ${MOST} squares a side.`, "error");
      draw();
    }
  }
  const resize = () => reshape(Number(width.value), Number(height.value), (x, y) => [x, y]);

  view.element.addEventListener("pointerdown", (event) => {
    const cell = view.cellAt(event);
    if (cell < 0) return;
    view.element.setPointerCapture(event.pointerId);
    cursor = cell;
    const what = event.button === 2 ? 0 : brush;
    drawing.remember();
    if (tool === "fill") {
      drawing.put(drawing.area(cell), what);
      return;
    }
    stroke = { from: cell, at: cell, what };
    if (tool === "pen") drawing.put([cell], what);
    else draw();
  });
  view.element.addEventListener("pointermove", (event) => {
    if (!stroke) return;
    for (const part of event.getCoalescedEvents?.() ?? [event]) {
      const cell = view.cellAt(part);
      if (cell < 0 || cell === stroke.at) continue;
      if (tool === "pen") drawing.put(drawing.stroke(stroke.at, cell), stroke.what);
      stroke.at = cell;
    }
    if (tool === "rectangle") draw();
  });
  const endStroke = (/** @type {boolean} */ done) => {
    const ended = stroke;
    stroke = null;
    if (ended && done && tool === "rectangle") drawing.put(drawing.rectangle(ended.from, ended.at), ended.what);
    draw();
  };
  view.element.addEventListener("pointerup", () => endStroke(true));
  view.element.addEventListener("pointercancel", () => endStroke(false));
  view.element.addEventListener("contextmenu", (event) => event.preventDefault());
  for (const kind of ["focus", "blur"])
    view.element.addEventListener(kind, () => {
      hasFocus = view.element.matches(":focus-visible");
      draw();
    });

  const palette = h("div", { class: "palette", role: "group", "aria-label": "Squares" });
  const showPalette = () =>
    fill(
      palette,
      SQUARES.map((square) => {
        const canvas = h("canvas", { width: 52, height: 52, "aria-hidden": "true" });
        const context = canvas.getContext("2d");
        const sample = new Position(1, 1, new Uint8Array([square.cell]));
        if (context) paintBoard(canvasPen(context), sample, 52, colours(), { outside: true });
        return h(
          "button",
          {
            type: "button",
            "aria-pressed": String(brush === square.cell),
            title: `Key ${square.key}`,
            onclick: () => {
              brush = square.cell;
              showPalette();
            },
          },
          canvas,
          square.name,
        );
      }),
    );
  document.addEventListener("themechange", showPalette);
  const tools = h("div", { class: "segments", role: "group", "aria-label": "Tools" });
  const showTools = () =>
    fill(
      tools,
      TOOLS.map(([name, label]) =>
        button(
          label,
          () => {
            tool = name;
            showTools();
          },
          { "aria-pressed": String(tool === name) },
        ),
      ),
    );

  const undo = iconButton("undo", "Undo", () => drawing.undo());
  const redo = iconButton("redo", "Redo", () => drawing.redo());

  const name = () => fileName(drawing.title);
  /** @param {string} format */
  const exportAs = async (format) => {
    try {
      const { text, extension } = await post("/levels/write", {
        format,
        levels: [
          {
            board: drawing.position.toString(),
            title: drawing.title || undefined,
            author: drawing.author || undefined,
          },
        ],
      });
      saveText(`${name()}.${extension}`, text);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  };

  async function exportGif() {
    if (!solution) {
      toast(
        "There is no solution to animate yet: draw a level that the quick search solves, or solve it first.",
        "error",
      );
      return;
    }
    const letters = solution.slice(0, LONGEST_GIF);
    if (letters.length < solution.length)
      toast(`The animation shows the first ${count(letters.length)} of ${count(solution.length)} moves.`);
    gif.disabled = true;
    try {
      const blob = await gifOf(drawing.position, letters, (part) => (gif.textContent = `GIF ${percent(part)}`));
      if (blob) saveBlob(`${name()}.gif`, blob);
      announce("The animation is saved.");
    } finally {
      gif.disabled = false;
      gif.textContent = "GIF of a solution";
    }
  }
  const gif = button("GIF of a solution", exportGif);

  async function share() {
    link.value = shareLink({
      board: drawing.position.toString(),
      title: drawing.title || null,
      author: drawing.author || null,
      solution,
    });
    link.hidden = false;
    link.select();
    toast(
      (await copy(link.value))
        ? "The link is in the clipboard. It carries the whole level."
        : "Copy the link below: it carries the whole level.",
    );
  }

  const use = (/** @type {string} */ where) => async () => {
    const board = drawing.position.toString();
    try {
      const checked = await checkLevel(board);
      if (!checked.playable) {
        toast(`Not yet a level: ${checked.flaw}.`, "error");
        return;
      }
      setLevel({ board, title: drawing.title || "My level", author: drawing.author || null });
      location.hash = `#/${where}`;
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  };

  const size = () => drawing.position;
  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "Draw a level"),
    h(
      "div",
      { class: "stage" },
      levelBar(),
      h(
        "div",
        { class: "board-card card" },
        palette,
        h(
          "div",
          { class: "toolbar" },
          tools,
          undo,
          redo,
          button("Mirror", () => reshape(size().width, size().height, (x, y) => [size().width - 1 - x, y])),
          button("Flip", () => reshape(size().width, size().height, (x, y) => [x, size().height - 1 - y])),
          button("Turn", () => {
            const { height: tall } = size();
            reshape(tall, size().width, (x, y) => [y, tall - 1 - x]);
          }),
        ),
        view.element,
        verdict,
        solvable,
      ),
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "The drawing" },
      h("h2", null, "Draw"),
      h(
        "p",
        null,
        "Choose a square and draw with the mouse, a finger or the keys. The right button puts floor. The level is checked and solved as you draw, and kept in this browser.",
      ),
      h("div", { class: "field" }, h("label", { htmlFor: "draw-title" }, "Title"), title),
      h("div", { class: "field" }, h("label", { htmlFor: "draw-author" }, "Author"), author),
      h(
        "div",
        { class: "row wrap" },
        button("Empty board", () => drawing.empty()),
        button("Take the chosen level", () => drawing.load(store.current)),
      ),
      h("h3", null, "Size"),
      h(
        "div",
        { class: "row" },
        h("div", { class: "field" }, h("label", { htmlFor: "draw-width" }, "Columns"), width),
        h("div", { class: "field" }, h("label", { htmlFor: "draw-height" }, "Rows"), height),
      ),
      h(
        "div",
        { class: "row wrap", role: "group", "aria-label": "Size" },
        button("+ column", () => reshape(size().width + 1, size().height, (x, y) => [x, y])),
        button("− column", () => reshape(size().width - 1, size().height, (x, y) => [x, y])),
        button("+ row", () => reshape(size().width, size().height + 1, (x, y) => [x, y])),
        button("− row", () => reshape(size().width, size().height - 1, (x, y) => [x, y])),
        button("+ left", () => reshape(size().width + 1, size().height, (x, y) => [x - 1, y])),
        button("− left", () => reshape(size().width - 1, size().height, (x, y) => [x + 1, y])),
        button("+ top", () => reshape(size().width, size().height + 1, (x, y) => [x, y - 1])),
        button("− top", () => reshape(size().width, size().height - 1, (x, y) => [x, y + 1])),
      ),
      h("h3", null, "Use it"),
      h(
        "div",
        { class: "row wrap" },
        button("Play it", use("play"), { class: "primary" }),
        button("Solve it", use("solve")),
        button("Share", share),
      ),
      link,
      h("h3", null, "Export"),
      h(
        "div",
        { class: "row wrap" },
        ["xsb", "rle", "slc"].map((format) => button(format.toUpperCase(), () => exportAs(format))),
        button("SVG", () => saveText(`${name()}.svg`, boardSvg(drawing.position, colours()), "image/svg+xml")),
        button("PNG", async () => {
          const blob = await pngOf(drawing.position);
          if (blob) saveBlob(`${name()}.png`, blob);
        }),
        gif,
      ),
      h(
        "p",
        { class: "muted keys" },
        "Keys on the board: arrows move the cursor, 1 to 7 put a square, space puts the chosen one, Ctrl+Z and Ctrl+Shift+Z.",
      ),
    ),
  );
  showPalette();
  showTools();
  drawing.follow(store.current);
  solution = drawing.own ? null : (bestOf(store.current.board) ?? store.current.solution);
  draw();
  document.addEventListener("levelchange", () => {
    if (keyOf(drawing.position.toString()) !== keyOf(store.current.board)) drawing.follow(store.current);
  });

  return {
    element,
    shown: () => {
      visible = true;
      draw();
      check();
    },
    left: () => {
      visible = false;
      asked += 1;
      quick?.cancel().catch(() => {});
    },
    key: (/** @type {KeyboardEvent} */ event) => {
      const mod = event.ctrlKey || event.metaKey;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (mod && key === "z" && !event.shiftKey) undo.click();
      else if (mod && (key === "y" || key === "z")) redo.click();
      else if (mod || event.altKey) return false;
      else {
        const square = SQUARES.find((one) => one.key === key);
        const moves = /** @type {Record<string, Direction>} */ ({
          ArrowLeft: "l",
          ArrowRight: "r",
          ArrowUp: "u",
          ArrowDown: "d",
        });
        const direction = moves[key];
        if (document.activeElement !== view.element) {
          if (!square) return false;
          brush = square.cell;
          showPalette();
          return true;
        }
        hasFocus = true;
        const { position } = drawing;
        if (direction) {
          const next = position.beside(cursor, direction);
          if (next >= 0) cursor = next;
          announce(
            `Row ${Math.floor(cursor / position.width) + 1}, column ${(cursor % position.width) + 1}: ${SQUARES.find((one) => one.cell === position.cells[cursor])?.name ?? ""}`,
          );
          draw();
        } else if (square || key === " ") {
          if (square) {
            brush = square.cell;
            showPalette();
          }
          drawing.remember();
          drawing.put([cursor], brush);
          draw();
        } else return false;
      }
      return true;
    },
  };
}
