// Play by hand: keys, mouse and touch; what kills the level is told at once.

import { post, startJob } from "../lib/api.js";
import { announce, button, calm, fill, h, iconButton, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { copy, fileName, saveText } from "../lib/save.js";
import { BoardView } from "../sokoban/board.js";
import { levelBar } from "../sokoban/levelbar.js";
import { Overlays } from "../sokoban/overlays.js";
import { BOX, DIRECTIONS, Game, WALL } from "../sokoban/position.js";
import { shareLink } from "../sokoban/share.js";
import { figures, keepSolution, keptFor, keptSolutions, setLevel, stepLevel, store } from "../store.js";
import { showConnection } from "./solve.js";

/** @typedef {import("../sokoban/position.js").Direction} Direction */

/** @type {Record<string, Direction>} */
const KEYS = { ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d", a: "l", d: "r", w: "u", s: "d", h: "l", l: "r", k: "u", j: "d" };

export function playView() {
  const view = new BoardView({ label: "Sokoban board. Arrow keys move, U takes back", interactive: true });
  let game = new Game(store.current.board || "#####\n#@$.#\n#####");
  /** @type {number|null} */
  let selected = null;
  /** @type {{from: number, to: number}|null} */
  let hint = null;
  let busy = 0;
  const overlays = new Overlays((lookAgain) => (lookAgain ? changed() : draw()));

  const counter = h("p", { class: "counter-line", role: "status" });
  const banner = h("div", { class: "banner", role: "alert", hidden: true });
  const kept = h("p", { class: "muted" });

  const draw = () => {
    const seen = overlays.seen;
    const targets = selected === null ? [] : reachable(selected);
    view.show(game.position, { ...overlays.extras, blamed: seen?.deadlock?.boxes ?? [], selected, targets, hint });
    counter.textContent = `${plural(game.moves.length, "move")} · ${plural(game.pushes, "push", "pushes")}`;
    undo.disabled = game.moves.length === 0;
    redo.disabled = game.undone.length === 0;
  };

  /** Cells a box can be pushed to, the others staying. @param {number} box */
  function reachable(box) {
    if (game.position.cells.length > 900) return [];
    return [...game.position.cells.keys()].filter((cell) => cell !== box && game.position.inside[cell] && !game.position.has(cell, WALL | BOX) && game.position.pushTo(box, cell) !== null);
  }

  const changed = async () => {
    hint = null;
    overlays.forget();
    banner.hidden = true;
    draw();
    if (game.position.solved) {
      solved();
      return;
    }
    const seen = await overlays.look(game.position);
    if (!seen) return;
    if (seen.deadlock) {
      const boxes = seen.deadlock.boxes.length;
      banner.hidden = false;
      banner.className = "banner bad";
      fill(banner,
        h("strong", null, "The level is lost. "),
        `${seen.deadlock.about.charAt(0).toUpperCase()}${seen.deadlock.about.slice(1)} (rule: ${seen.deadlock.rule}). `,
        boxes === 1 ? "The box at fault is marked. " : `The ${boxes} boxes at fault are marked. `,
        button("Take the push back", () => undoPush()),
      );
    }
    draw();
  };

  function solved() {
    const better = keepSolution(game.board, store.current.title, game.lurd);
    banner.hidden = false;
    banner.className = "banner good";
    fill(banner,
      h("strong", null, "Solved! "),
      `${plural(game.moves.length, "move")}, ${plural(game.pushes, "push", "pushes")}. ${better ? "Kept as your best. " : ""}`,
      button("Next level", () => stepLevel(1)),
    );
    announce("Solved.");
    showKept();
  }

  function showKept() {
    const best = keptFor(game.board);
    const words = (/** @type {string|null} */ lurd) => (lurd ? `${figures(lurd).pushes} pushes, ${figures(lurd).moves} moves` : "");
    if (!best) kept.textContent = "Not solved yet in this browser.";
    else if (best.byMoves === best.byPushes) kept.textContent = `Best: ${words(best.byMoves)}.`;
    else kept.textContent = `Best by pushes: ${words(best.byPushes)}. Best by moves: ${words(best.byMoves)}.`;
  }

  const step = (/** @type {Direction} */ direction) => {
    busy += 1;
    selected = null;
    if (game.step(direction)) changed();
    else draw();
  };

  /** Plays letters one after another, fast, unless something else is done meanwhile. @param {string} letters */
  async function perform(letters) {
    busy += 1;
    const mine = busy;
    const pause = calm() ? 0 : Math.max(8, Math.min(45, 900 / letters.length));
    for (const letter of letters) {
      if (mine !== busy || !game.step(/** @type {Direction} */ (letter.toLowerCase()))) return;
      draw();
      if (pause) await new Promise((done) => setTimeout(done, pause));
    }
    if (mine === busy) changed();
  }

  const undoOne = () => {
    busy += 1;
    selected = null;
    if (game.undo()) changed();
  };
  const redoOne = () => {
    busy += 1;
    if (game.redo()) changed();
  };
  const undoPush = () => {
    busy += 1;
    let letter = "a";
    do {
      letter = game.moves.at(-1) ?? "";
      if (!game.undo()) break;
    } while (letter >= "a");
    changed();
    view.element.focus();
  };
  const restart = () => {
    busy += 1;
    game = new Game(store.current.board);
    selected = null;
    overlays.setGoals(game.position);
    showKept();
    changed();
  };

  const undo = iconButton("undo", "Take back (U)", undoOne);
  const redo = iconButton("redo", "Do again (Y)", redoOne);

  /** A solution from here, as letters. @param {number} seconds */
  async function solution(seconds) {
    const following = await startJob({ kind: "sokoban", board: game.position.toString(), config: { goal: "any" }, limits: { seconds } }, () => {}, showConnection);
    return (await following.ended).result;
  }

  async function giveHint() {
    const before = game.position.toString();
    hintButton.disabled = true;
    try {
      const result = await solution(10);
      if (before !== game.position.toString()) return;
      if (result?.outcome === "unsolvable") toast("There is no solution from here: take something back.", "error");
      else if (!result?.solution) toast("No hint was found in ten seconds.", "error");
      else {
        const probe = game.position.clone();
        for (const letter of result.solution) {
          const from = probe.beside(probe.player, /** @type {Direction} */ (letter.toLowerCase()));
          probe.step(/** @type {Direction} */ (letter.toLowerCase()));
          if (letter < "a") {
            hint = { from, to: probe.beside(from, /** @type {Direction} */ (letter.toLowerCase())) };
            break;
          }
        }
        announce("The arrow shows the next push of a solution.");
        draw();
      }
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), "error");
    } finally {
      hintButton.disabled = false;
    }
  }
  const hintButton = button("Hint", giveHint);

  async function exportBest() {
    const levels = Object.values(keptSolutions()).map((entry) => ({
      board: entry.board,
      title: entry.title || undefined,
      solutions: [...new Set([entry.byPushes, entry.byMoves])].filter((lurd) => lurd !== null),
    }));
    if (!levels.length) {
      toast("There is nothing to export yet: solve a level first.");
      return;
    }
    try {
      const { text } = await post("/levels/write", { format: "sok", levels });
      saveText("lurd-best.sok", text);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), "error");
    }
  }

  // Click to walk or to choose a box; drag a box, or click its target, to push it there.
  /** @type {{cell: number, moved: boolean}|null} */
  let drag = null;
  view.element.addEventListener("pointerdown", (event) => {
    const cell = view.cellAt(event);
    if (cell < 0) return;
    drag = { cell, moved: false };
    view.element.setPointerCapture(event.pointerId);
    if (game.position.has(cell, BOX) && selected === null) {
      selected = cell;
      draw();
    }
  });
  view.element.addEventListener("pointermove", (event) => {
    if (drag && view.cellAt(event) !== drag.cell) drag.moved = true;
  });
  view.element.addEventListener("pointerup", (event) => {
    const start = drag;
    drag = null;
    const cell = view.cellAt(event);
    if (!start || cell < 0) return;
    const { position } = game;
    if (start.moved && position.has(start.cell, BOX)) {
      pushTo(start.cell, cell);
    } else if (selected !== null && cell !== selected) {
      if (position.has(cell, BOX)) {
        selected = cell;
        draw();
      } else pushTo(selected, cell);
    } else if (selected !== null && cell === selected && start.cell === cell) {
      // A second click on the box lets go of it.
      if (chosenBefore === cell) selected = null;
      draw();
    } else if (!position.has(cell, BOX)) {
      const near = DIRECTIONS.find((direction) => position.beside(position.player, direction) === cell);
      const walk = near ?? position.walk(cell);
      if (walk === null) toast("There is no way there without a push.");
      else perform(walk);
    }
    chosenBefore = selected;
  });
  view.element.addEventListener("pointercancel", () => (drag = null));
  /** @type {number|null} */
  let chosenBefore = null;

  /** @param {number} box @param {number} cell */
  function pushTo(box, cell) {
    selected = null;
    const way = game.position.pushTo(box, cell);
    if (way === null) {
      toast("The box cannot be pushed there, the others staying where they are.");
      draw();
    } else perform(way);
  }

  document.addEventListener("levelchange", restart);

  const pad = h("div", { class: "pad", role: "group", "aria-label": "Move" },
    iconButton("up", "Up", () => step("u"), { class: "icon-button pad-u" }),
    iconButton("left", "Left", () => step("l"), { class: "icon-button pad-l" }),
    iconButton("right", "Right", () => step("r"), { class: "icon-button pad-r" }),
    iconButton("down", "Down", () => step("d"), { class: "icon-button pad-d" }),
  );
  const element = h("div", { class: "view two" },
    h("h1", { class: "hidden-text" }, "Play"),
    h("div", { class: "stage" },
      levelBar(),
      banner,
      h("div", { class: "board-card card" }, view.element,
        h("div", { class: "toolbar" }, undo, redo, button("Restart", restart), hintButton, counter),
        pad,
      ),
    ),
    h("aside", { class: "side card", "aria-label": "Help and overlays" },
      h("h2", null, "Play"),
      h("p", null, "Push every box onto a goal. Move with the arrow keys, WASD or HJKL; click a square to walk there; drag a box, or click it and then its target, to push it."),
      kept,
      h("div", { class: "row wrap" },
        button("Solve from here", () => {
          setLevel({ board: game.position.toString(), title: `${store.current.title}, from here` });
          location.hash = "#/solve";
        }),
        button("Copy moves", async () => toast((await copy(game.lurd)) ? "The moves are in the clipboard." : "The browser does not let the page copy.")),
        button("Copy link", async () => toast((await copy(shareLink({ board: store.current.board, title: store.current.title }))) ? "The link carries the level." : "The browser does not let the page copy.")),
        button("Export best solutions", exportBest),
        button("Save the level", async () => saveText(`${fileName(store.current.title)}.xsb`, store.current.board)),
      ),
      overlays.element,
      h("p", { class: "muted keys" }, "Keys: U or Ctrl+Z take back, Y do again, R restart, ? hint, N and P next and previous level."),
    ),
  );
  restart();

  return {
    element,
    shown: () => {
      if (game.board !== store.current.board) restart();
      else draw();
    },
    key: (/** @type {KeyboardEvent} */ event) => {
      const direction = KEYS[event.key];
      if ((event.ctrlKey || event.metaKey) && event.key === "z") undoOne();
      else if (event.ctrlKey || event.metaKey || event.altKey) return false;
      else if (direction) step(direction);
      else if (event.key === "u" || event.key === "z" || event.key === "Backspace") undoOne();
      else if (event.key === "y") redoOne();
      else if (event.key === "r") restart();
      else if (event.key === "?") giveHint();
      else if (event.key === "n") stepLevel(1);
      else if (event.key === "p") stepLevel(-1);
      else if (event.key === "Escape" && selected !== null) {
        selected = null;
        draw();
      } else return false;
      return true;
    },
  };
}
