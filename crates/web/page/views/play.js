// Play by hand: keys, mouse and touch; what kills the level is told at once, hints come by degree. The game is kept as it is
// played.

import { derived, effect, untold, value } from "../lib/core.js";
import { announce, button, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { whenKeptElsewhere } from "../lib/keep.js";
import { chooseFile, copied, fileName, saveText } from "../lib/save.js";
import { Desk } from "../sokoban/desk.js";
import { gameOf, isGameOf, keepGame } from "../sokoban/games.js";
import { Hint } from "../sokoban/hint.js";
import { levelBar } from "../sokoban/levelbar.js";
import { NewLevels } from "../sokoban/newlevels.js";
import { Overlays } from "../sokoban/overlays.js";
import { shareLink } from "../sokoban/share.js";
import {
  FINDERS,
  FINDER_WORDS,
  exportSolutions,
  figures,
  importSolutions,
  keepSolution,
  solutionsOf,
} from "../sokoban/solutions.js";
import { Why } from "../sokoban/why.js";
import { keyOf, setLevel, stepLevel, store } from "../store.js";

/** The fewest pushes and moves of a level of lurd's own, which are proved; "" for others. */
function optimumWords() {
  const { notes, collection, author } = store.current;
  if (collection !== store.offered.id || store.offered.title !== "lurd" || author !== "lurd") return "";
  const fewest = (/** @type {string} */ what) =>
    Number(notes.find((note) => note.startsWith(`${what}:`))?.slice(what.length + 1));
  const [pushes, moves] = [fewest("Pushes"), fewest("Moves")];
  return pushes && moves
    ? `The optimum is ${plural(pushes, "push", "pushes")}; counting moves it is ${plural(moves, "move")}.`
    : "";
}

/** The best solutions of a level, a line for each finder. @param {string} board */
function bestLines(board) {
  const entry = solutionsOf(board);
  const words = (/** @type {string} */ lurd) =>
    `${plural(figures(lurd).pushes, "push", "pushes")}, ${plural(figures(lurd).moves, "move")}`;
  const lines = FINDERS.flatMap((finder) => {
    const best = entry?.[finder];
    if (!best) return [];
    const bests =
      best.byMoves === best.byPushes
        ? `Best: ${words(best.byPushes)}.`
        : `Best by pushes: ${words(best.byPushes)}. Best by moves: ${words(best.byMoves)}.`;
    return [`${FINDER_WORDS[finder]}. ${bests}`];
  });
  return lines.length ? lines : ["Not solved yet in this browser."];
}

/** @param {File} file */
const importBest = (file) => importSolutions(file).then(toast, (error) => toast(sentenceOf(error), "error"));

async function exportBest() {
  try {
    const text = await exportSolutions();
    if (text) saveText("lurd-best.sok", text);
    else toast("There is nothing to export yet: solve a level first.");
  } catch (error) {
    toast(sentenceOf(error), "error");
  }
}

export function playView() {
  /** The position as it stands after a change; null where it is solved. */
  const looked = value(/** @type {string|null} */ (null));
  /** Whether the game is solved, and whether better than before. */
  const won = value(/** @type {{better: boolean}|null} */ (null));
  const overlays = new Overlays(() => looked.value);
  const hint = new Hint();
  const why = new Why();
  const lost = () => overlays.seen.value?.deadlock ?? null;
  const blamed = () => (why.boxes.length ? why.boxes : (lost()?.boxes ?? []));

  const desk = new Desk("Sokoban board. Arrow keys move, U takes back, Shift and arrows read the squares", {
    changed: () => changed(),
    interrupted: () => {
      hint.clear();
      why.clear();
    },
    extras: () => ({ ...overlays.extras, ...hint.extras, blamed: blamed() }),
  });
  const newLevels = new NewLevels(() => (desk.playing.value.position.solved ? "solved" : "unsolved"));

  function changed() {
    const { game } = desk;
    keepGame(game);
    desk.draw();
    looked.value = game.position.solved ? null : game.position.toString();
    if (!game.position.solved) {
      won.value = null;
      return;
    }
    hint.words.value = "";
    won.value = { better: keepSolution({ board: game.board, title: store.current.title }, game.lurd, "you") };
    announce("Solved.");
  }

  /** @param {import("../lib/types.js").Deadlock} deadlock */
  const lostParts = ({ boxes, about, rule }) => [
    h("strong", "The level is lost. "),
    `${about.charAt(0).toUpperCase()}${about.slice(1)} (rule: ${rule}). `,
    boxes.length === 1 ? "The box at fault is marked. " : `The ${boxes.length} boxes at fault are marked. `,
    button("Take the push back", () => desk.takeBackPush()),
    button("Why?", explain, { title: "Why it is lost (E)" }),
  ];
  const wonParts = (/** @type {boolean} */ better) => [
    h("strong", "Solved! "),
    `${untold(() => desk.counter).replace(" · ", ", ")}. ${better ? "Kept as your best. " : ""}${optimumWords()} `,
    button("Next level", nextLevel),
  ];
  const banner = () => {
    const deadlock = lost();
    return won.value ? wonParts(won.value.better) : deadlock && lostParts(deadlock);
  };

  /** The next level of the series or of the collection. */
  function nextLevel() {
    if (newLevels.inSeries) newLevels.nextOfSeries();
    else stepLevel(1);
  }

  async function giveHint() {
    if (desk.game.position.solved) return;
    newLevels.helped();
    try {
      const moves = await hint.more(desk.game.position);
      if (!moves) return;
      // The whole way lies behind the game, to be done move by move.
      desk.game.takeOver(desk.game.lurd, moves);
      keepGame(desk.game);
      desk.draw();
    } catch (error) {
      hint.words.value = sentenceOf(error);
      toast(sentenceOf(error), "error");
    }
  }

  function explain() {
    if (!desk.game.position.solved) why.explain(desk.game.position);
  }

  /** Shows the game of the current level, as it was left. */
  const load = () => {
    overlays.goal.value = null;
    desk.load(gameOf(store.current.board));
  };
  const board = derived(() => keyOf(store.current.board));
  effect(() => {
    board.value;
    untold(load);
  });
  document.addEventListener("gamechange", () => {
    newLevels.helped();
    load();
  });
  whenKeptElsewhere("game/", (name) => {
    if (isGameOf(name, desk.game.board)) load();
  });

  const link = () => {
    const { board: level, title, author } = store.current;
    return shareLink({ board: level, title, author });
  };
  const element = h("div.view.two", [
    h("h1.hidden-text", "Play"),
    h("div.stage", [
      levelBar(),
      h("div.board-card.card", [
        desk.view.element,
        h("div.toolbar", [
          desk.tools,
          button("Hint", giveHint, { title: "A little more each time (?)", disabled: () => hint.busy.value }),
          h("p.counter-line", { role: "status", class: () => lost() && "lost" }, () =>
            lost() ? `${desk.counter} · lost` : desk.counter,
          ),
        ]),
        desk.pad,
        h(
          "div.banner",
          { role: "alert", class: () => (won.value ? "good" : "bad"), hidden: () => !won.value && !lost() },
          banner,
        ),
        h("p.muted.hint-words", { role: "status" }, () => hint.words.value),
        button("Why is it lost?", explain, { title: "Why it is lost (E)", hidden: () => !hint.hopeless.value }),
        why.element,
        desk.reading.element,
      ]),
    ]),
    h("aside.side.card", { "aria-label": "Help and overlays" }, [
      h("h2", "Play"),
      h("p", [
        "Push every box onto a goal. Move with the arrow keys, WASD or HJKL, or swipe; click a square to walk there; drag a box, or click it and then its target, to push it. ",
        h("a", { href: "#/learn" }, "Lessons"),
        " begin at the beginning.",
      ]),
      h("div.muted.bests", () => bestLines(store.current.board).map((line) => h("p", line))),
      newLevels.element,
      h("div.row.wrap", [
        button("Solve from here", () => {
          setLevel({ ...store.current, from: desk.game.lurd || null, solution: null });
          location.hash = "#/solve";
        }),
        button("Copy moves", () => copied(desk.game.lurd, "The moves are in the clipboard.")),
        button("Copy link", () => copied(link(), "The link carries the level.")),
        button("Export best solutions", exportBest),
        button("Import solutions …", () => chooseFile(importBest)),
        button("Save the level", () => saveText(`${fileName(store.current.title)}.xsb`, store.current.board)),
      ]),
      overlays.element,
      h("p.muted.keys", [
        "Keys: U or Ctrl+Z take back, Shift+U a whole push, Y or Ctrl+Shift+Z do again, R restart, ? hint and more of it, E why it is lost, N and P next and previous level, Shift and arrows read the squares.",
      ]),
    ]),
  ]);

  return {
    element,
    shown: () => desk.draw(),
    key: (/** @type {KeyboardEvent} */ event) => {
      if (desk.key(event)) return true;
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const name = event.key.toLowerCase();
      if (name === "?") giveHint();
      else if (name === "e") explain();
      else if (name === "n" && newLevels.inSeries && desk.game.position.solved) nextLevel();
      else if (name === "n") stepLevel(1);
      else if (name === "p") stepLevel(-1);
      else return false;
      return true;
    },
  };
}
