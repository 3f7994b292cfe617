// The sliding puzzle: shuffle, type a board, play it, race two algorithms on it, and step through a search node by node.

import { post } from "../lib/api.js";
import { announce, button, field, h, select, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { ENDS, Stepper } from "../lib/stepper.js";
import { pretty } from "../sokoban/config.js";
import { STEPS, moved, sideOf, tileBoard } from "../tiles/board.js";
import { Racer } from "../tiles/racer.js";

/** @typedef {import("../lib/types.js").TileTrace} TileTrace */
/** @typedef {import("../lib/types.js").TileSuccessor} TileSuccessor */

export function tilesView() {
  /** What is played: the start, where it is now, where it is to go. */
  const puzzle = {
    start: [1, 2, 3, 4, 5, 6, 0, 7, 8],
    tiles: [1, 2, 3, 4, 5, 6, 0, 7, 8],
    goal: [1, 2, 3, 4, 5, 6, 7, 8, 0],
    moves: "classic",
    made: 0,
  };
  const left = kept("tiles");
  if (Array.isArray(left?.puzzle?.tiles) && Array.isArray(left.puzzle.goal) && Array.isArray(left.puzzle.start))
    Object.assign(puzzle, left.puzzle);

  const board = tileBoard("Sliding tiles. Arrow keys move the blank", (cell) => clicked(cell));
  const status = h("p", { class: "status", role: "status" });
  const text = h("input", { type: "text", id: "tiles-text", spellcheck: false, class: "mono" });
  const goalText = h("input", { type: "text", id: "tiles-goal", spellcheck: false, class: "mono" });
  const side = select(
    [
      ["2", "2 × 2"],
      ["3", "3 × 3"],
      ["4", "4 × 4"],
      ["5", "5 × 5"],
    ],
    String(sideOf(puzzle.goal.length)),
    () => newGoal(),
  );
  const moves = select(
    [
      ["classic", "Classic: up, down, left, right"],
      ["diagonal", "Diagonal moves too"],
    ],
    puzzle.moves,
    (value) => {
      puzzle.moves = value;
      for (const racer of racers) racer.tell();
      check();
    },
  );
  const hardness = select(
    [
      ["8", "Easy: 8 random moves"],
      ["20", "Medium: 20 random moves"],
      ["", "Any board that can be solved"],
    ],
    left?.hardness ?? "20",
    () => keepAll(),
  );

  function keepAll() {
    keep("tiles", {
      puzzle,
      hardness: hardness.value,
      racers: racers.map((racer) => [racer.algorithm.value, racer.heuristic.value]),
    });
  }

  function show() {
    board.show(puzzle.tiles, puzzle.goal);
    const home = puzzle.tiles.every((tile, cell) => tile === puzzle.goal[cell]);
    status.textContent = home
      ? `In order after ${plural(puzzle.made, "move")}.`
      : `${plural(puzzle.made, "move")} made.`;
    if (home && puzzle.made > 0) announce("In order!");
    keepAll();
  }

  function newGoal() {
    const n = Number(side.value);
    puzzle.goal = [...Array(n * n - 1).keys()].map((tile) => tile + 1).concat(0);
    goalText.value = puzzle.goal.join(" ");
    setBoard(puzzle.goal.slice());
    shuffle();
  }

  /** @param {number[]} tiles */
  function setBoard(tiles) {
    puzzle.tiles = tiles;
    puzzle.start = tiles.slice();
    puzzle.made = 0;
    text.value = tiles.join(" ");
    for (const racer of racers) racer.reset();
    stepper.clear();
    told.textContent = "";
    show();
  }

  /** The board that has been asked for last: what is done with the board waits until it is here. */
  let asked = Promise.resolve(true);
  /** @param {() => Promise<() => void>} find finds a board, and gives what puts it there */
  function ask(find) {
    /** @type {Promise<boolean>} */
    const mine = find().then(
      (put) => {
        // A later wish has overtaken this one: it is the board to wait for.
        if (mine !== asked) return asked;
        put();
        return true;
      },
      (error) => {
        if (mine !== asked) return asked;
        status.textContent = sentenceOf(error);
        toast(status.textContent, "error");
        return false;
      },
    );
    asked = mine;
    return mine;
  }
  const shuffle = () => ask(shuffled);
  const check = () => ask(taken);
  /** Whether there is a board to work on. What was typed and not yet taken is taken first. */
  async function settled() {
    await asked;
    const typed = text.value.trim() !== puzzle.start.join(" ") || goalText.value.trim() !== puzzle.goal.join(" ");
    return !typed || check();
  }

  async function shuffled() {
    const seed = Math.floor(Math.random() * 2 ** 40);
    const wish = {
      side: sideOf(puzzle.goal.length),
      goal: puzzle.goal.join(" "),
      moves: puzzle.moves,
      seed,
      steps: hardness.value ? Number(hardness.value) : undefined,
    };
    const { board } = await post("/tiles/shuffle", wish);
    return () => setBoard(board);
  }

  /** Takes what was typed, if it is a board. */
  async function taken() {
    const checked = await post("/tiles/check", { start: text.value, goal: goalText.value, moves: puzzle.moves });
    return () => {
      puzzle.goal = checked.goal;
      side.value = String(checked.side);
      setBoard(checked.start);
      if (!checked.solvable) {
        status.textContent = checked.reason;
        toast(checked.reason, "error");
      }
    };
  }

  /** @param {number} cell */
  function clicked(cell) {
    const direction = Object.keys(STEPS).find((name) => {
      const next = (puzzle.moves === "diagonal" || !name.includes("-")) && moved(puzzle.tiles, name);
      return next && next[cell] === 0;
    });
    if (direction) move(direction);
  }

  /** @param {string} direction */
  function move(direction) {
    const next = moved(puzzle.tiles, direction);
    if (!next) return;
    puzzle.tiles = next;
    puzzle.made += 1;
    show();
  }

  // A search, node by node, by the second lane's choices or others.
  const stepBoard = tileBoard("The chosen board", null);
  const told = h("p", { class: "status", role: "status" });
  const stepper = new Stepper({
    draw: (state, successors) => {
      stepBoard.show(state.board, puzzle.goal);
      stepBoard.element.dataset.pointed = successors.length === 1 ? successors[0].direction : "";
    },
    after: (_, successor) => ({ board: successor.board }),
    words: (/** @type {TileSuccessor} */ one) => `blank ${one.direction}`,
    about: () => "",
  });
  let steps = 0;
  async function step() {
    steps += 1;
    const mine = steps;
    if (!(await settled()) || mine !== steps) return;
    const racer = /** @type {Racer} */ (racers[Number(lane.value)]);
    const start = puzzle.tiles.slice();
    try {
      const trace = /** @type {TileTrace} */ (
        await post("/tiles/inspect", {
          start: start.join(" "),
          goal: puzzle.goal.join(" "),
          moves: puzzle.moves,
          algorithm: racer.algorithm.value,
          heuristic: racer.heuristic.value || undefined,
          nodes: 500,
        })
      );
      if (mine !== steps || start.join() !== puzzle.tiles.join()) return;
      told.textContent = `${pretty(trace.algorithm)}${trace.heuristic ? ` with ${trace.heuristic}` : ""} from ${start.join(" ")}: ${plural(trace.expansions.length, "expansion")} recorded; the search ${ENDS[trace.end]}.`;
      stepBoard.element.hidden = false;
      stepper.load(trace);
    } catch (error) {
      if (mine !== steps) return;
      stepper.clear();
      told.textContent = sentenceOf(error);
      toast(sentenceOf(error), "error");
    }
  }
  const lane = select(
    [
      ["0", "The first lane’s choices"],
      ["1", "The second lane’s choices"],
    ],
    "1",
    () => {},
  );
  lane.setAttribute("aria-label", "Whose choices to step through");

  const racers = ["uniform-cost", "a-star"].map((algorithm, index) => {
    const racer = new Racer(index ? "Second" : "First", algorithm, puzzle, () => {
      compareBars();
      keepAll();
    });
    const [wanted, heuristic] = left?.racers?.[index] ?? [];
    if (wanted) racer.algorithm.value = wanted;
    if (heuristic) racer.heuristic.value = heuristic;
    racer.tell();
    return racer;
  });

  function compareBars() {
    const nodes = racers.map((racer) => racer.job?.result?.expanded ?? racer.job?.live.expanded ?? 0);
    const most = Math.max(1, ...nodes);
    racers.forEach((racer, index) => (racer.bar.style.width = `${((nodes[index] ?? 0) / most) * 100}%`));
  }

  const race = async () => {
    go.disabled = true;
    stop.hidden = false;
    cancelled = false;
    if (await settled()) {
      puzzle.start = puzzle.tiles.slice();
      text.value = puzzle.tiles.join(" ");
      announce("The race has started.");
      const runs = racers.map((racer) => racer.run());
      if (cancelled) cancel();
      await Promise.all(runs);
      announce("The race has ended.");
    }
    go.disabled = false;
    stop.hidden = true;
  };
  let cancelled = false;
  const cancel = () => {
    cancelled = true;
    for (const racer of racers) racer.cancel();
  };
  const go = button("Race", race, { class: "primary large" });
  const stop = button("Cancel", cancel, { class: "danger large", hidden: true });

  goalText.value = puzzle.goal.join(" ");
  text.value = puzzle.start.join(" ");
  for (const racer of racers) racer.reset();
  stepBoard.element.hidden = true;
  show();

  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "Sliding tiles"),
    h(
      "div",
      { class: "stage" },
      h("div", { class: "card board-card" }, board.element, status),
      h("h2", null, "A race of two algorithms"),
      h(
        "p",
        { class: "muted" },
        "Both solve the board above at the same time. The bars show how many boards each has expanded: the shorter, the cleverer.",
      ),
      h(
        "div",
        { class: "race" },
        racers.map((racer) => racer.element),
      ),
      h(
        "section",
        { class: "card live", "aria-label": "Node by node" },
        h("h2", null, "A search, node by node"),
        h("div", { class: "row wrap" }, button("Step through it", step), lane),
        told,
        stepBoard.element,
        stepper.steps,
        stepper.element,
      ),
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "The board" },
      h("h2", null, "The board"),
      h("div", { class: "row" }, go, stop),
      field("Size", side),
      field("Moves", moves, "Every move costs 1, diagonal ones too."),
      field("Shuffle", hardness),
      h(
        "div",
        { class: "row wrap" },
        button("Shuffle", shuffle),
        button("Back to the start", () => setBoard(puzzle.start.slice())),
      ),
      field("Type a board", text, "Numbers row by row, 0 for the blank; then press Enter."),
      field("Goal", goalText, "Any arrangement; boards that cannot reach it are told so at once."),
      h("div", { class: "row" }, button("Take what is typed", check)),
      h("p", { class: "muted keys" }, "Keys: arrows move the blank; or click a tile beside it."),
    ),
  );
  for (const input of [text, goalText])
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") check();
    });
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      const keys = /** @type {Record<string, string>} */ ({
        ArrowUp: "up",
        ArrowDown: "down",
        ArrowLeft: "left",
        ArrowRight: "right",
      });
      const direction = keys[event.key];
      if (!direction || event.ctrlKey || event.metaKey || event.altKey) return false;
      move(direction);
      return true;
    },
    left: () => {
      racers.forEach((racer) => clearInterval(racer.timer));
      stepper.pause();
    },
  };
}
