// Draw a level: seven squares, pen, rectangle and fill, undo, resize, turn and mirror; checked as it is drawn; shared and
// exported.

import { checkLevel, post } from "../lib/api.js";
import { effect, ending, latest, settle, value } from "../lib/core.js";
import { announce, button, field, h, iconButton, sentenceOf, toast } from "../lib/dom.js";
import { Errand } from "../lib/errand.js";
import { count, percent, plural } from "../lib/format.js";
import { copy, fileName, saveBlob, saveText } from "../lib/save.js";
import { BoardView, colours, sample } from "../sokoban/board.js";
import { searchRequest } from "../sokoban/contract.js";
import { MOST, drawing } from "../sokoban/drawing.js";
import { LONGEST_GIF, gifOf, pngOf } from "../sokoban/exports.js";
import { levelBar } from "../sokoban/levelbar.js";
import { boardSvg } from "../sokoban/paint.js";
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
const TOOLS = [
  ["pen", "Pen"],
  ["rectangle", "Rectangle"],
  ["fill", "Fill"],
];

/** Columns and rows more, and where what is drawn goes. @type {[string, number, number, number, number][]} */
const SIZES = [
  ["+ column", 1, 0, 0, 0],
  ["− column", -1, 0, 0, 0],
  ["+ row", 0, 1, 0, 0],
  ["− row", 0, -1, 0, 0],
  ["+ left", 1, 0, 1, 0],
  ["− left", -1, 0, -1, 0],
  ["+ top", 0, 1, 0, 1],
  ["− top", 0, -1, 0, -1],
];

/** @type {Record<string, Direction>} */
const ARROWS = { ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d" };

export function drawView() {
  const view = new BoardView({
    label: "Drawing. Arrow keys move the cursor, 1 to 7 put squares",
    interactive: true,
    largest: 52,
    tallest: 0.6,
  });
  const brush = value(WALL);
  const tool = value("pen");
  const cursor = value(0);
  const hasFocus = value(false);
  const visible = value(false);
  /** Where the drawing is no level, and what is said of it. */
  const flaw = value(/** @type {number|null} */ (null));
  const verdict = value({ good: false, words: "" });
  const solvable = value("");
  /** What the quick search found. */
  const found = value(/** @type {string|null} */ (null));
  const link = value(/** @type {string|null} */ (null));
  /** A stroke or rectangle under way. */
  const stroke = value(/** @type {{from: number, at: number, what: number}|null} */ (null));
  const errand = new Errand();
  const begin = latest();

  /** The solution of the drawing, if one is known. */
  const solution = () => found.now ?? (drawing.own ? null : (bestOf(store.current.board) ?? store.current.solution));

  effect(() => {
    const position = drawing.now;
    const at = Math.min(cursor.value, position.cells.length - 1);
    const under = stroke.value;
    const targets = under && tool.value === "rectangle" ? drawing.rectangle(under.from, under.at) : [];
    view.show(position, { outside: true, cursor: hasFocus.value ? at : null, flaw: flaw.value, targets });
  });
  effect(() => {
    const level = store.current;
    if (keyOf(drawing.position.toString()) !== keyOf(level.board)) drawing.follow(level);
  });
  // A drawing is checked soon, not at every square of a stroke; one nobody looks at when it is looked at again.
  effect(() => {
    const position = drawing.now;
    solvable.value = "";
    found.value = link.value = flaw.value = null;
    begin();
    if (!visible.value) return;
    const timer = setTimeout(() => check(position), 120);
    ending(() => {
      clearTimeout(timer);
      errand.end();
    });
  });

  /** @param {Position} position */
  async function check(position) {
    const wait = begin();
    const board = position.toString();
    try {
      const checked = await wait(checkLevel(board));
      const { playable, boxes, goals, squares, row, column } = checked;
      const level = `A level: ${plural(boxes, "box", "boxes")}, ${plural(goals, "goal")}, ${plural(squares, "square")}`;
      verdict.value = { good: playable, words: playable ? level : `Not yet: ${checked.flaw}` };
      flaw.value = playable || !(row || column) ? null : (row ?? 0) * position.width + (column ?? 0);
      if (!playable) return;
      solvable.value = "Looking for a solution …";
      await wait(quickSolve(board).catch(() => (solvable.value = "")));
    } catch (error) {
      verdict.value = { good: false, words: sentenceOf(error) };
    }
  }

  /** @param {string} board */
  async function quickSolve(board) {
    const most = Math.min(256, store.about.limits.mebibytes) * 2 ** 20;
    const { result } = await errand.run(searchRequest(board, {}, { time_limit: 5, memory_limit: most }));
    if (result?.outcome === "solved") {
      found.value = result.solution;
      solvable.value = `It can be solved: ${plural(result.pushes ?? 0, "push", "pushes")} found by a quick search.`;
    } else if (result?.outcome === "unsolvable")
      solvable.value = `It has no solution: that is proved.${result.notes[0] ? ` ${result.notes[0]}.` : ""}`;
    else if (result) solvable.value = "A quick search of five seconds found no solution; that proves nothing.";
  }

  /** @param {number} w @param {number} t @param {(x: number, y: number) => [number, number]} from */
  function reshape(w, t, from) {
    if (drawing.reshape(w, t, from)) return;
    toast(`Between 1 and ${MOST} squares a side.`, "error");
    drawing.tell();
  }

  view.element.addEventListener("pointerdown", (event) => {
    const cell = view.cellAt(event);
    if (cell < 0) return;
    view.element.setPointerCapture(event.pointerId);
    cursor.value = cell;
    const what = event.button === 2 ? 0 : brush.now;
    drawing.remember();
    if (tool.now === "fill") {
      drawing.put(drawing.area(cell), what);
      return;
    }
    stroke.value = { from: cell, at: cell, what };
    if (tool.now === "pen") drawing.put([cell], what);
  });
  view.element.addEventListener("pointermove", (event) => {
    for (const part of event.getCoalescedEvents?.() ?? [event]) {
      const cell = view.cellAt(part);
      if (!stroke.now || cell < 0 || cell === stroke.now.at) continue;
      if (tool.now === "pen") drawing.put(drawing.stroke(stroke.now.at, cell), stroke.now.what);
      stroke.value = { ...stroke.now, at: cell };
    }
  });
  const endStroke = (/** @type {boolean} */ done) => {
    const ended = stroke.now;
    stroke.value = null;
    if (ended && done && tool.now === "rectangle") drawing.put(drawing.rectangle(ended.from, ended.at), ended.what);
  };
  view.element.addEventListener("pointerup", () => endStroke(true));
  view.element.addEventListener("pointercancel", () => endStroke(false));
  view.element.addEventListener("contextmenu", (event) => event.preventDefault());
  for (const kind of ["focus", "blur"])
    view.element.addEventListener(kind, () => (hasFocus.value = view.element.matches(":focus-visible")));

  const square = (/** @type {typeof SQUARES[0]} */ { name, key, cell }) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": () => String(brush.value === cell),
        title: `Key ${key}`,
        onclick: () => (brush.value = cell),
      },
      [sample(new Position(1, 1, new Uint8Array([cell])), 52), name],
    );
  const toolButton = (/** @type {string[]} */ [name = "", label]) =>
    button(label, () => (tool.value = name), { "aria-pressed": () => String(tool.value === name) });

  const named = (/** @type {"title"|"author"} */ what) =>
    h("input", {
      type: "text",
      id: `draw-${what}`,
      maxLength: 120,
      // Not under the hands of who types.
      value: (/** @type {HTMLInputElement} */ input) => {
        drawing.now;
        return document.activeElement === input ? input.value : drawing[what];
      },
      oninput: (/** @type {Event} */ event) => {
        drawing[what] = /** @type {HTMLInputElement} */ (event.target).value;
        drawing.own = true;
        drawing.keep();
        link.value = null;
      },
    });
  const side = (/** @type {"width"|"height"} */ what) =>
    h("input", {
      type: "number",
      id: `draw-${what}`,
      min: "1",
      max: String(MOST),
      step: "1",
      value: () => String(drawing.now[what]),
      onchange: () => reshape(Number(width.value), Number(height.value), (x, y) => [x, y]),
    });
  const [width, height] = [side("width"), side("height")];

  const name = () => fileName(drawing.title);
  /** The drawing as a level. */
  const level = () => ({
    board: drawing.position.toString(),
    title: drawing.title || null,
    author: drawing.author || null,
  });
  /** @param {string} format */
  const exportAs = async (format) => {
    const { board, title, author } = level();
    try {
      const levels = [{ board, title: title ?? undefined, author: author ?? undefined }];
      const { text, extension } = await post("/levels/write", { format, levels });
      saveText(`${name()}.${extension}`, text);
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  };

  /** How much of an animation is made; null where none is. */
  const made = value(/** @type {number|null} */ (null));
  async function exportGif() {
    const whole = solution();
    if (!whole) {
      toast(
        "There is no solution to animate yet: draw a level that the quick search solves, or solve it first.",
        "error",
      );
      return;
    }
    const letters = whole.slice(0, LONGEST_GIF);
    if (letters.length < whole.length)
      toast(`The animation shows the first ${count(letters.length)} of ${count(whole.length)} moves.`);
    made.value = 0;
    try {
      const blob = await gifOf(drawing.position, letters, (part) => (made.value = part));
      if (blob) saveBlob(`${name()}.gif`, blob);
      announce("The animation is saved.");
    } finally {
      made.value = null;
    }
  }

  const linkField = h("input.mono", {
    type: "text",
    readOnly: true,
    "aria-label": "Link that carries the level",
    hidden: () => link.value === null,
    value: () => link.value ?? "",
  });
  async function share() {
    const address = shareLink({ ...level(), solution: solution() });
    link.value = address;
    settle();
    linkField.select();
    const refused = "Copy the link below: it carries the whole level.";
    toast((await copy(address)) ? "The link is in the clipboard. It carries the whole level." : refused);
  }

  const use = (/** @type {string} */ where) => async () => {
    const { board, title, author } = level();
    try {
      const checked = await checkLevel(board);
      if (!checked.playable) {
        toast(`Not yet a level: ${checked.flaw}.`, "error");
        return;
      }
      setLevel({ board, title: title ?? "My level", author });
      location.hash = `#/${where}`;
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  };

  /** @param {string} label @param {(w: number, t: number) => [number, number, (x: number, y: number) => [number, number]]} how */
  const reshaping = (label, how) =>
    button(label, () => reshape(...how(drawing.position.width, drawing.position.height)));
  const none = (/** @type {"past"|"future"} */ what) => ({ disabled: () => (drawing.now, !drawing[what].length) });
  const element = h("div.view.two", [
    h("h1.hidden-text", "Draw a level"),
    h("div.stage", [
      levelBar(),
      h("div.board-card.card", [
        h("div.palette", { role: "group", "aria-label": "Squares" }, [SQUARES.map(square)]),
        h("div.toolbar", [
          h("div.segments", { role: "group", "aria-label": "Tools" }, [TOOLS.map(toolButton)]),
          iconButton("undo", "Undo", () => drawing.undo(), none("past")),
          iconButton("redo", "Redo", () => drawing.redo(), none("future")),
          reshaping("Mirror", (w, t) => [w, t, (x, y) => [w - 1 - x, y]]),
          reshaping("Flip", (w, t) => [w, t, (x, y) => [x, t - 1 - y]]),
          reshaping("Turn", (w, t) => [t, w, (x, y) => [y, t - 1 - x]]),
        ]),
        view.element,
        h(
          "p.status",
          { role: "status", class: () => verdict.value.words && `promise ${verdict.value.good ? "good" : "bad"}` },
          () => verdict.value.words,
        ),
        h("p.muted", { role: "status" }, () => solvable.value),
      ]),
    ]),
    h("aside.side.card", { "aria-label": "The drawing" }, [
      h("h2", "Draw"),
      h("p", [
        "Choose a square and draw with the mouse, a finger or the keys. The right button puts floor. The level is checked and solved as you draw, and kept in this browser.",
      ]),
      field("Title", named("title")),
      field("Author", named("author")),
      h("div.row.wrap", [
        button("Empty board", () => drawing.empty()),
        button("Take the chosen level", () => drawing.load(store.current)),
      ]),
      h("h3", "Size"),
      h("div.row", [field("Columns", width), field("Rows", height)]),
      h("div.row.wrap", { role: "group", "aria-label": "Size" }, [
        SIZES.map(([label, wide, tall, right, down]) =>
          reshaping(label, (w, t) => [w + wide, t + tall, (x, y) => [x - right, y - down]]),
        ),
      ]),
      h("h3", "Use it"),
      h("div.row.wrap", [
        button("Play it", use("play"), { class: "primary" }),
        button("Solve it", use("solve")),
        button("Share", share),
      ]),
      linkField,
      h("h3", "Export"),
      h("div.row.wrap", [
        ["xsb", "rle", "slc"].map((format) => button(format.toUpperCase(), () => exportAs(format))),
        button("SVG", () => saveText(`${name()}.svg`, boardSvg(drawing.position, colours()), "image/svg+xml")),
        button("PNG", async () => {
          const blob = await pngOf(drawing.position);
          if (blob) saveBlob(`${name()}.png`, blob);
        }),
        button(() => (made.value === null ? "GIF of a solution" : `GIF ${percent(made.value)}`), exportGif, {
          disabled: () => made.value !== null,
        }),
      ]),
      h("p.muted.keys", [
        "Keys on the board: arrows move the cursor, 1 to 7 put a square, space puts the chosen one, Ctrl+Z and Ctrl+Shift+Z.",
      ]),
    ]),
  ]);

  /** A key on the board. @param {string} key */
  function boardKey(key) {
    const { position } = drawing;
    const direction = ARROWS[key];
    if (!direction && key !== " ") return false;
    hasFocus.value = true;
    const at = Math.min(cursor.now, position.cells.length - 1);
    if (direction) {
      const next = position.beside(at, direction);
      if (next >= 0) cursor.value = next;
      const [row, column] = [Math.floor(cursor.now / position.width) + 1, (cursor.now % position.width) + 1];
      const under = SQUARES.find((one) => one.cell === position.cells[cursor.now])?.name ?? "";
      announce(`Row ${row}, column ${column}: ${under}`);
    } else {
      drawing.remember();
      drawing.put([at], brush.now);
    }
    return true;
  }

  return {
    element,
    shown: () => (visible.value = true),
    left: () => (visible.value = false),
    key: (/** @type {KeyboardEvent} */ event) => {
      const mod = event.ctrlKey || event.metaKey;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const onBoard = document.activeElement === view.element;
      const chosen = SQUARES.find((one) => one.key === key);
      if (mod && key === "z" && !event.shiftKey) drawing.undo();
      else if (mod && (key === "y" || key === "z")) drawing.redo();
      else if (mod || event.altKey) return false;
      else if (chosen) {
        brush.value = chosen.cell;
        if (onBoard) boardKey(" ");
      } else return onBoard && boardKey(key);
      return true;
    },
  };
}
