// Play by hand: keys, mouse and touch; what kills the level is told at once. The game is kept as it is played.

import { announce, button, calm, fill, h, iconButton, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { whenKeptElsewhere } from "../lib/keep.js";
import { copy, fileName, saveText } from "../lib/save.js";
import { BoardView } from "../sokoban/board.js";
import { gameOf, isGameOf, keepGame } from "../sokoban/games.js";
import { Gestures } from "../sokoban/gestures.js";
import { Hint } from "../sokoban/hint.js";
import { levelBar } from "../sokoban/levelbar.js";
import { Overlays } from "../sokoban/overlays.js";
import { Reading, stepWords } from "../sokoban/reading.js";
import { shareLink } from "../sokoban/share.js";
import { FINDERS, FINDER_WORDS, exportSolutions, figures, importSolutions, keepSolution, solutionsOf } from "../sokoban/solutions.js";
import { keyOf, setLevel, stepLevel, store } from "../store.js";

/** @typedef {import("../sokoban/position.js").Direction} Direction */

/** @type {Record<string, Direction>} */
const KEYS = { ArrowLeft: "l", ArrowRight: "r", ArrowUp: "u", ArrowDown: "d", a: "l", d: "r", w: "u", s: "d", h: "l", l: "r", k: "u", j: "d" };

/** The fewest pushes and moves of a level of lurd's own, which are proved; "" for others. */
function optimumWords() {
  const { notes, collection, author } = store.current;
  if (collection !== store.offered.id || store.offered.title !== "lurd" || author !== "lurd") return "";
  const fewest = (/** @type {string} */ what) => Number(notes.find((note) => note.startsWith(`${what}:`))?.slice(what.length + 1));
  const [pushes, moves] = [fewest("Pushes"), fewest("Moves")];
  return pushes && moves ? `The optimum is ${plural(pushes, "push", "pushes")}; counting moves it is ${plural(moves, "move")}.` : "";
}

export function playView() {
  const view = new BoardView({ label: "Sokoban board. Arrow keys move, U takes back, Shift and arrows read the squares", interactive: true, tallest: 0.62 });
  let game = gameOf(store.current.board || "#####\n#@$.#\n#####");
  let busy = 0;
  const overlays = new Overlays((lookAgain) => (lookAgain ? changed() : draw()));
  const reading = new Reading(() => game.position);

  const counter = h("p", { class: "counter-line", role: "status" });
  const banner = h("div", { class: "banner", role: "alert", hidden: true });
  const hintWords = h("p", { class: "muted hint-words", role: "status" });
  const bests = h("div", { class: "muted bests" });
  const hint = new Hint((words) => {
    hintWords.textContent = words;
    announce(words);
  });

  const draw = () => {
    const { deadlock } = overlays.seen ?? {};
    view.show(game.position, { ...overlays.extras, blamed: deadlock?.boxes ?? [], selected: gestures.selected, targets: gestures.targets, hint: hint.push, cursor: reading.cursor });
    counter.textContent = `${plural(game.moves.length, "move")} · ${plural(game.pushes, "push", "pushes")}${deadlock ? " · lost" : ""}`;
    counter.classList.toggle("lost", Boolean(deadlock));
    undo.disabled = undoPush.disabled = !game.canUndo;
    redo.disabled = game.undone.length === 0;
    restartButton.disabled = !game.moves.length && !game.undone.length;
    reading.update();
  };

  const changed = async () => {
    keepGame(game);
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
        button("Take the push back", () => takeBackPush()),
      );
    }
    draw();
  };

  function solved() {
    hintWords.textContent = "";
    const better = keepSolution({ board: game.board, title: store.current.title }, game.lurd, "you");
    banner.hidden = false;
    banner.className = "banner good";
    fill(banner,
      h("strong", null, "Solved! "),
      `${plural(game.moves.length, "move")}, ${plural(game.pushes, "push", "pushes")}. ${better ? "Kept as your best. " : ""}${optimumWords()} `,
      button("Next level", () => stepLevel(1)),
    );
    announce("Solved.");
    showBests();
  }

  function showBests() {
    const entry = solutionsOf(game.board);
    const words = (/** @type {string} */ lurd) => `${plural(figures(lurd).pushes, "push", "pushes")}, ${plural(figures(lurd).moves, "move")}`;
    const lines = FINDERS.flatMap((finder) => {
      const best = entry?.[finder];
      if (!best) return [];
      const same = best.byMoves === best.byPushes;
      return [`${FINDER_WORDS[finder]}. ${same ? `Best: ${words(best.byPushes)}.` : `Best by pushes: ${words(best.byPushes)}. Best by moves: ${words(best.byMoves)}.`}`];
    });
    fill(bests, (lines.length ? lines : ["Not solved yet in this browser."]).map((line) => h("p", null, line)));
  }

  /** A step, and whether it was made. @param {Direction} direction */
  function stepOnce(direction) {
    const pushes = game.pushes;
    const letter = game.step(direction);
    if (game.pushes !== pushes) {
      hint.clear();
      hintWords.textContent = "";
    }
    return letter;
  }

  const step = (/** @type {Direction} */ direction) => {
    busy += 1;
    gestures.selected = null;
    reading.back();
    const letter = stepOnce(direction);
    announce(stepWords(game.position, letter, direction));
    if (letter) changed();
    else draw();
  };

  /** Plays letters one after another, fast, unless something else is done meanwhile. @param {string} letters */
  async function perform(letters) {
    busy += 1;
    const mine = busy;
    const pause = calm() ? 0 : Math.max(8, Math.min(45, 900 / letters.length));
    for (const letter of letters) {
      if (mine !== busy || !stepOnce(/** @type {Direction} */ (letter.toLowerCase()))) break;
      draw();
      if (pause) await new Promise((done) => setTimeout(done, pause));
    }
    if (mine !== busy) return;
    const last = letters.at(-1);
    if (last) announce(stepWords(game.position, game.moves.at(-1) ?? "", /** @type {Direction} */ (last.toLowerCase())));
    changed();
  }

  /** Something other than a step. @param {() => boolean} act @param {string} words */
  const alter = (act, words) => {
    busy += 1;
    gestures.selected = null;
    reading.back();
    hint.clear();
    hintWords.textContent = "";
    if (!act()) return;
    announce(`${words} ${game.position.describe()}`);
    changed();
  };
  const takeBack = () => alter(() => game.undo(), "Taken back.");
  const doAgain = () => alter(() => game.redo(), "Done again.");
  const takeBackPush = () => {
    alter(() => game.undoPush(), "The push is taken back.");
    view.element.focus({ preventScroll: true });
  };
  const restart = () => alter(() => game.restart(), "Begun anew; taking back brings the game back.");

  const undo = iconButton("undo", "Take back (U)", takeBack);
  const undoPush = iconButton("undoPush", "Take back a push (Shift+U)", takeBackPush);
  const redo = iconButton("redo", "Do again (Y)", doAgain);
  const restartButton = button("Restart", restart, { title: "Take back brings the game back" });

  async function giveHint() {
    hintButton.disabled = true;
    try {
      await hint.find(game.position);
      draw();
    } catch (error) {
      hintWords.textContent = sentenceOf(error);
      toast(sentenceOf(error), "error");
    } finally {
      hintButton.disabled = false;
    }
  }
  const hintButton = button("Hint", giveHint);

  const gestures = new Gestures(view, { position: () => game.position, perform, step, draw: () => draw() });

  /** Shows the game of the current level, as it was left. */
  const load = () => {
    busy += 1;
    game = gameOf(store.current.board);
    gestures.selected = null;
    reading.back();
    hint.clear();
    hintWords.textContent = "";
    overlays.setGoals(game.position);
    showBests();
    changed();
  };
  document.addEventListener("levelchange", () => {
    if (keyOf(game.board) !== keyOf(store.current.board)) load();
  });
  document.addEventListener("solutionchange", showBests);
  document.addEventListener("gamechange", load);
  whenKeptElsewhere("game/", (name) => {
    if (isGameOf(name, game.board)) load();
  });
  whenKeptElsewhere("solutions", showBests);

  async function importBest() {
    const input = h("input", { type: "file", onchange: async () => {
      const file = input.files?.[0];
      if (!file) return;
      try {
        toast(await importSolutions(file));
      } catch (error) {
        toast(sentenceOf(error), "error");
      }
    } });
    input.click();
  }

  async function exportBest() {
    try {
      const text = await exportSolutions();
      if (text) saveText("lurd-best.sok", text);
      else toast("There is nothing to export yet: solve a level first.");
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  const pad = h("div", { class: "pad", role: "group", "aria-label": "Move" },
    iconButton("up", "Up", () => step("u"), { class: "icon-button pad-u" }),
    iconButton("left", "Left", () => step("l"), { class: "icon-button pad-l" }),
    iconButton("right", "Right", () => step("r"), { class: "icon-button pad-r" }),
    iconButton("down", "Down", () => step("d"), { class: "icon-button pad-d" }),
  );
  const copied = (/** @type {string} */ words) => async (/** @type {string} */ text) => toast((await copy(text)) ? words : "The browser does not let the page copy.");
  const element = h("div", { class: "view two" },
    h("h1", { class: "hidden-text" }, "Play"),
    h("div", { class: "stage" },
      levelBar(),
      h("div", { class: "board-card card" }, view.element,
        h("div", { class: "toolbar" }, undo, undoPush, redo, restartButton, hintButton, counter),
        pad, banner, hintWords, reading.element,
      ),
    ),
    h("aside", { class: "side card", "aria-label": "Help and overlays" },
      h("h2", null, "Play"),
      h("p", null, "Push every box onto a goal. Move with the arrow keys, WASD or HJKL, or swipe; click a square to walk there; drag a box, or click it and then its target, to push it."),
      bests,
      h("div", { class: "row wrap" },
        button("Solve from here", () => {
          setLevel({ ...store.current, from: game.lurd || null, solution: null });
          location.hash = "#/solve";
        }),
        button("Copy moves", () => copied("The moves are in the clipboard.")(game.lurd)),
        button("Copy link", () => copied("The link carries the level.")(shareLink({ board: store.current.board, title: store.current.title, author: store.current.author }))),
        button("Export best solutions", exportBest),
        button("Import solutions …", importBest),
        button("Save the level", () => saveText(`${fileName(store.current.title)}.xsb`, store.current.board)),
      ),
      overlays.element,
      h("p", { class: "muted keys" }, "Keys: U or Ctrl+Z take back, Shift+U a whole push, Y or Ctrl+Shift+Z do again, R restart, ? hint, N and P next and previous level, Shift and arrows read the squares."),
    ),
  );
  load();

  return {
    element,
    shown: () => draw(),
    key: (/** @type {KeyboardEvent} */ event) => {
      // Caps Lock must not turn letters into other keys.
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const direction = KEYS[name];
      const mod = event.ctrlKey || event.metaKey;
      if (mod && name === "z" && event.shiftKey) doAgain();
      else if (mod && name === "z") takeBack();
      else if (mod && name === "y") doAgain();
      else if (mod || event.altKey) return false;
      else if (direction && event.shiftKey && name.startsWith("Arrow")) {
        reading.look(direction);
        draw();
      } else if (direction) step(direction);
      else if (name === "u" && event.shiftKey) takeBackPush();
      else if (name === "u" || name === "z" || name === "Backspace") takeBack();
      else if (name === "y") doAgain();
      else if (name === "r") restart();
      else if (name === "?") giveHint();
      else if (name === "n") stepLevel(1);
      else if (name === "p") stepLevel(-1);
      else if (name === "Escape" && gestures.selected !== null) {
        gestures.selected = null;
        draw();
      } else return false;
      return true;
    },
  };
}
