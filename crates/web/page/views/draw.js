// Draw a level: seven squares, undo, resize, turn and mirror; checked as it is drawn; shared and exported.

import { post, startJob } from "../lib/api.js";
import { animate } from "../lib/gif.js";
import { announce, button, fill, h, iconButton, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { copy, fileName, pngOfCanvas, saveBlob, saveText } from "../lib/save.js";
import { BoardView, colours } from "../sokoban/board.js";
import { levelBar } from "../sokoban/levelbar.js";
import { boardSvg, canvasPen, paintBoard } from "../sokoban/paint.js";
import { BOX, GOAL, PLAYER, Position, WALL } from "../sokoban/position.js";
import { shareLink } from "../sokoban/share.js";
import { keptFor, setLevel, store } from "../store.js";
import { showConnection } from "./solve.js";

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
const MOST = 60;

export function drawView() {
  const view = new BoardView({ label: "Drawing. Arrow keys move the cursor, 1 to 7 put squares", interactive: true, largest: 52, tallest: 0.66 });
  let position = new Position(10, 8, new Uint8Array(80));
  /** @type {{width: number, height: number, cells: Uint8Array}[]} */
  let past = [];
  /** @type {{width: number, height: number, cells: Uint8Array}[]} */
  let future = [];
  let brush = WALL;
  let cursor = 0;
  let hasFocus = false;
  /** @type {number|null} */
  let flaw = null;
  let asked = 0;
  let own = false;
  let visible = false;
  /** @type {string|null} The solution of the drawing, if one is known. */
  let solution = null;
  /** @type {import("../lib/api.js").Following|null} */
  let quick = null;

  const verdict = h("p", { class: "status", role: "status" });
  const solvable = h("p", { class: "muted", role: "status" });
  const title = h("input", { type: "text", id: "draw-title", maxLength: 120, value: "" });
  const link = h("input", { type: "text", readOnly: true, "aria-label": "Link that carries the level", hidden: true, class: "mono" });
  const size = h("span", { class: "muted" });

  const draw = () => {
    view.show(position, { outside: true, cursor: hasFocus ? cursor : null, flaw });
    size.textContent = `${position.width} × ${position.height}`;
    undo.disabled = past.length === 0;
    redo.disabled = future.length === 0;
  };

  const snapshot = () => ({ width: position.width, height: position.height, cells: position.cells.slice() });
  const remember = () => {
    past.push(snapshot());
    if (past.length > 400) past.shift();
    future = [];
  };
  /** @param {{width: number, height: number, cells: Uint8Array}} state */
  const restore = (state) => {
    position = new Position(state.width, state.height, state.cells);
    cursor = Math.min(cursor, state.cells.length - 1);
  };

  function changed() {
    own = true;
    solution = null;
    solvable.textContent = "";
    link.hidden = true;
    position = new Position(position.width, position.height, position.cells);
    draw();
    check();
  }

  let timer = 0;
  /** Checks the drawing soon: not at every square of a stroke. */
  function check() {
    clearTimeout(timer);
    // A drawing nobody looks at is checked when it is looked at again.
    if (!visible) return;
    timer = window.setTimeout(checkNow, 120);
  }

  async function checkNow() {
    asked += 1;
    const mine = asked;
    quick?.cancel().catch(() => {});
    quick = null;
    const board = position.toString();
    try {
      const checked = await post("/levels/check", { board });
      if (mine !== asked) return;
      flaw = checked.playable || (checked.row === 0 && checked.column === 0) ? null : checked.row * position.width + checked.column;
      verdict.className = `status promise ${checked.playable ? "good" : "bad"}`;
      verdict.textContent = checked.playable ? `A level: ${plural(checked.boxes, "box", "boxes")}, ${plural(checked.goals, "goal")}, ${plural(checked.squares, "square")}` : `Not yet: ${checked.flaw}`;
      draw();
      solvable.textContent = checked.playable ? "Looking for a solution …" : "";
      if (checked.playable) await quickSolve(board, mine);
    } catch (error) {
      if (mine === asked) {
        verdict.className = "status promise bad";
        verdict.textContent = error instanceof Error ? error.message : String(error);
      }
    }
  }

  /** @param {string} board @param {number} mine */
  async function quickSolve(board, mine) {
    try {
      quick = await startJob({ kind: "sokoban", board, config: { goal: "any" }, limits: { seconds: 5, mebibytes: Math.min(256, store.about.limits.mebibytes) } }, () => {}, showConnection);
      const { result } = await quick.ended;
      if (mine !== asked || !result) return;
      if (result.outcome === "solved") {
        solution = result.solution;
        solvable.textContent = `It can be solved: ${plural(result.pushes ?? 0, "push", "pushes")} found by a quick search.`;
      } else if (result.outcome === "unsolvable") solvable.textContent = `It has no solution: that is proved.${result.notes[0] ? ` ${result.notes[0]}.` : ""}`;
      else solvable.textContent = "A quick search of five seconds found no solution; that proves nothing.";
    } catch {
      if (mine === asked) solvable.textContent = "";
    }
  }

  /** Puts a square; there is one player. @param {number} cell @param {number} what */
  function put(cell, what) {
    if (position.cells[cell] === what) return;
    if (what & PLAYER) for (let other = 0; other < position.cells.length; other += 1) position.take(other, PLAYER);
    position.cells[cell] = what;
    changed();
  }

  /** Makes a new map out of the old. @param {number} width @param {number} height @param {(x: number, y: number) => [number, number]} from */
  function reshape(width, height, from) {
    if (width < 1 || height < 1 || width > MOST || height > MOST) {
      toast(`Between 1 and ${MOST} squares a side.`);
      return;
    }
    remember();
    const cells = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const [ox, oy] = from(x, y);
        if (ox >= 0 && oy >= 0 && ox < position.width && oy < position.height) cells[y * width + x] = position.cells[oy * position.width + ox] ?? 0;
      }
    }
    position = new Position(width, height, cells);
    cursor = 0;
    changed();
  }

  let painting = false;
  view.element.addEventListener("pointerdown", (event) => {
    const cell = view.cellAt(event);
    if (cell < 0) return;
    painting = true;
    view.element.setPointerCapture(event.pointerId);
    remember();
    cursor = cell;
    put(cell, event.button === 2 ? 0 : brush);
  });
  view.element.addEventListener("pointermove", (event) => {
    const cell = view.cellAt(event);
    if (painting && cell >= 0) put(cell, event.buttons & 2 ? 0 : brush);
  });
  view.element.addEventListener("pointerup", () => (painting = false));
  view.element.addEventListener("pointercancel", () => (painting = false));
  view.element.addEventListener("contextmenu", (event) => event.preventDefault());
  view.element.addEventListener("focus", () => {
    hasFocus = view.element.matches(":focus-visible");
    draw();
  });
  view.element.addEventListener("blur", () => {
    hasFocus = false;
    draw();
  });

  const palette = h("div", { class: "palette", role: "group", "aria-label": "Squares" });
  const showPalette = () => fill(palette, SQUARES.map((square) => {
    const canvas = h("canvas", { width: 52, height: 52, "aria-hidden": "true" });
    const context = canvas.getContext("2d");
    const sample = new Position(1, 1, new Uint8Array([square.cell]));
    if (context) paintBoard(canvasPen(context), sample, 52, colours(), { outside: true });
    return h("button", { type: "button", "aria-pressed": String(brush === square.cell), title: `Key ${square.key}`, onclick: () => {
      brush = square.cell;
      showPalette();
    } }, canvas, square.name);
  }));
  document.addEventListener("themechange", showPalette);

  const undo = iconButton("undo", "Undo", () => {
    const state = past.pop();
    if (!state) return;
    future.push(snapshot());
    restore(state);
    changed();
  });
  const redo = iconButton("redo", "Redo", () => {
    const state = future.pop();
    if (!state) return;
    past.push(snapshot());
    restore(state);
    changed();
  });

  const empty = () => {
    remember();
    position = new Position(10, 8, new Uint8Array(80));
    for (let cell = 0; cell < 80; cell += 1) {
      const [x, y] = [cell % 10, Math.floor(cell / 10)];
      if (x === 0 || y === 0 || x === 9 || y === 7) position.cells[cell] = WALL;
    }
    title.value = "";
    changed();
  };
  const load = () => {
    remember();
    position = Position.parse(store.current.board);
    title.value = store.current.title;
    cursor = 0;
    changed();
    solution = keptFor(store.current.board)?.byPushes ?? store.current.solution;
    own = false;
  };

  const name = () => fileName(title.value);
  /** @param {string} format */
  const exportAs = async (format) => {
    try {
      const { text, extension } = await post("/levels/write", { format, levels: [{ board: position.toString(), title: title.value || undefined }] });
      saveText(`${name()}.${extension}`, text);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), "error");
    }
  };

  async function exportPng() {
    const canvas = h("canvas", { width: position.width * 64, height: position.height * 64 });
    const context = canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = colours().background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    paintBoard(canvasPen(context), position, 64, colours());
    saveBlob(`${name()}.png`, await pngOfCanvas(canvas));
  }

  async function exportGif() {
    if (!solution) {
      toast("There is no solution to animate yet: draw a level that the quick search solves, or solve it first.", "error");
      return;
    }
    const letters = solution.slice(0, 4000);
    const cell = Math.max(8, Math.min(32, Math.floor(640 / Math.max(position.width, position.height))));
    const canvas = h("canvas", { width: position.width * cell, height: position.height * cell });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) return;
    const actor = position.clone();
    const picture = (/** @type {number} */ index) => {
      if (index > 0) actor.step(/** @type {Direction} */ (/** @type {string} */ (letters[index - 1]).toLowerCase()));
      context.fillStyle = colours().background;
      context.fillRect(0, 0, canvas.width, canvas.height);
      paintBoard(canvasPen(context), actor, cell, colours());
      return context.getImageData(0, 0, canvas.width, canvas.height);
    };
    gif.disabled = true;
    try {
      const blob = await animate(canvas.width, canvas.height, letters.length + 1, picture, (index) => (index === 0 || index === letters.length ? 120 : 14), (done) => (gif.textContent = `GIF ${Math.round((done / letters.length) * 100)} %`));
      saveBlob(`${name()}.gif`, blob);
      announce("The animation is saved.");
    } finally {
      gif.disabled = false;
      gif.textContent = "GIF of a solution";
    }
  }
  const gif = button("GIF of a solution", exportGif);

  async function share() {
    link.value = shareLink({ board: position.toString(), title: title.value || null, solution });
    link.hidden = false;
    link.select();
    toast((await copy(link.value)) ? "The link is in the clipboard. It carries the whole level." : "Copy the link below: it carries the whole level.");
  }

  const use = (/** @type {string} */ where) => {
    setLevel({ board: position.toString(), title: title.value || "My level", solution: null });
    location.hash = `#/${where}`;
  };

  const element = h("div", { class: "view two" },
    h("h1", { class: "hidden-text" }, "Draw a level"),
    h("div", { class: "stage" },
      levelBar(),
      h("div", { class: "board-card card" }, palette, view.element,
        h("div", { class: "toolbar" }, undo, redo, button("Mirror", () => reshape(position.width, position.height, (x, y) => [position.width - 1 - x, y])), button("Flip", () => reshape(position.width, position.height, (x, y) => [x, position.height - 1 - y])), button("Turn", () => reshape(position.height, position.width, (x, y) => [y, position.height - 1 - x]))),
        verdict, solvable,
      ),
    ),
    h("aside", { class: "side card", "aria-label": "The drawing" },
      h("h2", null, "Draw"),
      h("p", null, "Choose a square and draw with the mouse, a finger or the keys. The right button puts floor. The level is checked and solved as you draw."),
      h("div", { class: "field" }, h("label", { htmlFor: "draw-title" }, "Title"), title),
      h("div", { class: "row wrap" }, button("Empty board", empty), button("Take the chosen level", load)),
      h("h3", null, "Size ", size),
      h("div", { class: "row wrap", role: "group", "aria-label": "Size" },
        button("+ column", () => reshape(position.width + 1, position.height, (x, y) => [x, y])),
        button("− column", () => reshape(position.width - 1, position.height, (x, y) => [x, y])),
        button("+ row", () => reshape(position.width, position.height + 1, (x, y) => [x, y])),
        button("− row", () => reshape(position.width, position.height - 1, (x, y) => [x, y])),
        button("+ left", () => reshape(position.width + 1, position.height, (x, y) => [x - 1, y])),
        button("− left", () => reshape(position.width - 1, position.height, (x, y) => [x + 1, y])),
        button("+ top", () => reshape(position.width, position.height + 1, (x, y) => [x, y - 1])),
        button("− top", () => reshape(position.width, position.height - 1, (x, y) => [x, y + 1])),
      ),
      h("h3", null, "Use it"),
      h("div", { class: "row wrap" }, button("Play it", () => use("play"), { class: "primary" }), button("Solve it", () => use("solve")), button("Share", share)),
      link,
      h("h3", null, "Export"),
      h("div", { class: "row wrap" },
        ["xsb", "rle", "slc"].map((format) => button(format.toUpperCase(), () => exportAs(format))),
        button("SVG", () => saveText(`${name()}.svg`, boardSvg(position, colours()), "image/svg+xml")),
        button("PNG", exportPng),
        gif,
      ),
      h("p", { class: "muted keys" }, "Keys on the board: arrows move the cursor, 1 to 7 put a square, space puts the chosen one, Ctrl+Z and Ctrl+Y."),
    ),
  );
  showPalette();
  empty();
  past = [];
  own = false;
  draw();
  load();
  past = [];
  draw();
  document.addEventListener("levelchange", () => {
    if (!own) {
      load();
      past = [];
      draw();
    }
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
      quick?.cancel().catch(() => {});
    },
    key: (/** @type {KeyboardEvent} */ event) => {
      const mod = event.ctrlKey || event.metaKey;
      if (mod && event.key === "z") undo.click();
      else if (mod && event.key === "y") redo.click();
      else if (mod || event.altKey) return false;
      else {
        const square = SQUARES.find((one) => one.key === event.key);
        const moves = /** @type {Record<string, Direction>} */ ({ ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d" });
        const direction = moves[event.key];
        if (document.activeElement !== view.element) {
          if (!square) return false;
          brush = square.cell;
          showPalette();
          return true;
        }
        hasFocus = true;
        if (direction) {
          const next = position.beside(cursor, direction);
          if (next >= 0) cursor = next;
          announce(`Row ${Math.floor(cursor / position.width) + 1}, column ${(cursor % position.width) + 1}: ${SQUARES.find((one) => one.cell === position.cells[cursor])?.name ?? ""}`);
          draw();
        } else if (square || event.key === " ") {
          if (square) {
            brush = square.cell;
            showPalette();
          }
          remember();
          put(cursor, brush);
          draw();
        } else return false;
      }
      return true;
    },
  };
}
