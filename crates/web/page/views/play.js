// Play by hand: keys, mouse and touch; what kills the level is told at once, hints come by degree. The game is kept as it is
// played.

import { announce, button, fill, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { whenKeptElsewhere } from "../lib/keep.js";
import { copy, fileName, saveText } from "../lib/save.js";
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

export function playView() {
  const overlays = new Overlays((lookAgain) => (lookAgain ? changed() : desk.draw()));
  const counter = h("p", { class: "counter-line", role: "status" });
  const banner = h("div", { class: "banner", role: "alert", hidden: true });
  const hintWords = h("p", { class: "muted hint-words", role: "status" });
  const bests = h("div", { class: "muted bests" });
  const hint = new Hint((words) => {
    hintWords.textContent = words;
    announce(words);
  });
  const why = new Why(() => desk.draw());

  const desk = new Desk("Sokoban board. Arrow keys move, U takes back, Shift and arrows read the squares", {
    changed: () => changed(),
    interrupted: () => {
      hint.clear();
      why.clear();
      hintWords.textContent = "";
      explainButton.hidden = true;
    },
    extras: () => ({
      ...overlays.extras,
      ...hint.extras,
      blamed: why.boxes.length ? why.boxes : (overlays.seen?.deadlock?.boxes ?? []),
    }),
    drawn: () => {
      const lost = overlays.seen?.deadlock;
      counter.textContent = `${plural(desk.game.moves.length, "move")} · ${plural(desk.game.pushes, "push", "pushes")}${lost ? " · lost" : ""}`;
      counter.classList.toggle("lost", Boolean(lost));
    },
  });
  const newLevels = new NewLevels(() => (desk.game.position.solved ? "solved" : "unsolved"));

  const changed = async () => {
    keepGame(desk.game);
    overlays.forget();
    banner.hidden = true;
    desk.draw();
    newLevels.update();
    if (desk.game.position.solved) {
      solved();
      return;
    }
    const seen = await overlays.look(desk.game.position);
    if (!seen) return;
    if (seen.deadlock) {
      const boxes = seen.deadlock.boxes.length;
      banner.hidden = false;
      banner.className = "banner bad";
      fill(
        banner,
        h("strong", null, "The level is lost. "),
        `${seen.deadlock.about.charAt(0).toUpperCase()}${seen.deadlock.about.slice(1)} (rule: ${seen.deadlock.rule}). `,
        boxes === 1 ? "The box at fault is marked. " : `The ${boxes} boxes at fault are marked. `,
        button("Take the push back", () => desk.takeBackPush()),
        button("Why?", explain, { title: "Why it is lost (E)" }),
      );
    }
    desk.draw();
  };

  function solved() {
    hintWords.textContent = "";
    const { game } = desk;
    const better = keepSolution({ board: game.board, title: store.current.title }, game.lurd, "you");
    banner.hidden = false;
    banner.className = "banner good";
    fill(
      banner,
      h("strong", null, "Solved! "),
      `${plural(game.moves.length, "move")}, ${plural(game.pushes, "push", "pushes")}. ${better ? "Kept as your best. " : ""}${optimumWords()} `,
      button("Next level", nextLevel),
    );
    announce("Solved.");
    showBests();
  }

  /** The next level of the series or of the collection. */
  function nextLevel() {
    if (newLevels.inSeries) newLevels.nextOfSeries();
    else stepLevel(1);
  }

  function showBests() {
    const entry = solutionsOf(desk.game.board);
    const words = (/** @type {string} */ lurd) =>
      `${plural(figures(lurd).pushes, "push", "pushes")}, ${plural(figures(lurd).moves, "move")}`;
    const lines = FINDERS.flatMap((finder) => {
      const best = entry?.[finder];
      if (!best) return [];
      const same = best.byMoves === best.byPushes;
      return [
        `${FINDER_WORDS[finder]}. ${same ? `Best: ${words(best.byPushes)}.` : `Best by pushes: ${words(best.byPushes)}. Best by moves: ${words(best.byMoves)}.`}`,
      ];
    });
    fill(
      bests,
      (lines.length ? lines : ["Not solved yet in this browser."]).map((line) => h("p", null, line)),
    );
  }

  async function giveHint() {
    if (desk.game.position.solved) return;
    hintButton.disabled = true;
    newLevels.helped();
    try {
      const moves = await hint.more(desk.game.position);
      // The whole way lies behind the game, to be done move by move.
      if (moves) {
        desk.game.takeOver(desk.game.lurd, moves);
        keepGame(desk.game);
      }
      explainButton.hidden = !hint.hopeless;
      desk.draw();
    } catch (error) {
      hintWords.textContent = sentenceOf(error);
      toast(sentenceOf(error), "error");
    } finally {
      hintButton.disabled = false;
    }
  }
  const hintButton = button("Hint", giveHint, { title: "A little more each time (?)" });

  function explain() {
    if (!desk.game.position.solved) why.explain(desk.game.position);
  }
  const explainButton = button("Why is it lost?", explain, { title: "Why it is lost (E)", hidden: true });

  /** Shows the game of the current level, as it was left. */
  const load = () => {
    const game = gameOf(store.current.board);
    overlays.setGoals(game.position);
    desk.load(game);
    showBests();
  };
  document.addEventListener("levelchange", () => {
    if (keyOf(desk.game.board) !== keyOf(store.current.board)) load();
  });
  document.addEventListener("solutionchange", showBests);
  document.addEventListener("gamechange", () => {
    newLevels.helped();
    load();
  });
  whenKeptElsewhere("game/", (name) => {
    if (isGameOf(name, desk.game.board)) load();
  });
  whenKeptElsewhere("solutions", showBests);

  async function importBest() {
    const input = h("input", {
      type: "file",
      onchange: async () => {
        const file = input.files?.[0];
        if (!file) return;
        try {
          toast(await importSolutions(file));
        } catch (error) {
          toast(sentenceOf(error), "error");
        }
      },
    });
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

  const copied = (/** @type {string} */ words) => async (/** @type {string} */ text) =>
    toast((await copy(text)) ? words : "The browser does not let the page copy.");
  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "Play"),
    h(
      "div",
      { class: "stage" },
      levelBar(),
      h(
        "div",
        { class: "board-card card" },
        desk.view.element,
        h("div", { class: "toolbar" }, desk.undo, desk.undoPush, desk.redo, desk.restartButton, hintButton, counter),
        desk.pad,
        banner,
        hintWords,
        explainButton,
        why.element,
        desk.reading.element,
      ),
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "Help and overlays" },
      h("h2", null, "Play"),
      h(
        "p",
        null,
        "Push every box onto a goal. Move with the arrow keys, WASD or HJKL, or swipe; click a square to walk there; drag a box, or click it and then its target, to push it. ",
        h("a", { href: "#/learn" }, "Lessons"),
        " begin at the beginning.",
      ),
      bests,
      newLevels.element,
      h(
        "div",
        { class: "row wrap" },
        button("Solve from here", () => {
          setLevel({ ...store.current, from: desk.game.lurd || null, solution: null });
          location.hash = "#/solve";
        }),
        button("Copy moves", () => copied("The moves are in the clipboard.")(desk.game.lurd)),
        button("Copy link", () =>
          copied("The link carries the level.")(
            shareLink({ board: store.current.board, title: store.current.title, author: store.current.author }),
          ),
        ),
        button("Export best solutions", exportBest),
        button("Import solutions …", importBest),
        button("Save the level", () => saveText(`${fileName(store.current.title)}.xsb`, store.current.board)),
      ),
      overlays.element,
      h(
        "p",
        { class: "muted keys" },
        "Keys: U or Ctrl+Z take back, Shift+U a whole push, Y or Ctrl+Shift+Z do again, R restart, ? hint and more of it, E why it is lost, N and P next and previous level, Shift and arrows read the squares.",
      ),
    ),
  );
  load();

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
