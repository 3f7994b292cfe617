// The sliding puzzle: shuffle, type a board, play it, race two algorithms on it, and step through a search node by node.

import { post } from "../lib/api.js";
import { effect, latest, value } from "../lib/core.js";
import { announce, button, field, h, select, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { ENDS, Stepper } from "../lib/stepper.js";
import { pretty } from "../sokoban/config.js";
import { STEPS, moved, sideOf, tileBoard } from "../tiles/board.js";
import { Racer } from "../tiles/racer.js";

/** @typedef {import("../lib/types.js").TileTrace} TileTrace */
/** @typedef {import("../lib/types.js").TileSuccessor} TileSuccessor */

/** The tiles in their usual order. @param {number} side */
const inOrder = (side) => [...Array(side * side - 1).keys()].map((tile) => tile + 1).concat(0);

/** @type {Record<string, string>} */
const KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

export function tilesView() {
  const left = kept("tiles");
  /** What is played: the start, where it is now, where it is to go. */
  const puzzle = value({
    start: [1, 2, 3, 4, 5, 6, 0, 7, 8],
    tiles: [1, 2, 3, 4, 5, 6, 0, 7, 8],
    goal: inOrder(3),
    moves: "classic",
    made: 0,
    ...([left?.puzzle?.tiles, left?.puzzle?.goal, left?.puzzle?.start].every(Array.isArray) ? left.puzzle : {}),
  });
  /** @param {Partial<import("../tiles/racer.js").Puzzle>} changes */
  const change = (changes) => (puzzle.value = { ...puzzle.now, ...changes });
  const hardness = value(/** @type {string} */ (left?.hardness ?? "20"));
  /** What is typed. */
  const text = value(puzzle.now.start.join(" "));
  const goalText = value(puzzle.now.goal.join(" "));
  /** What is wrong with what was typed. */
  const trouble = value("");
  const racers = value(/** @type {Racer[]} */ ([]));
  const most = () => Math.max(1, ...racers.value.map((racer) => racer.expanded));
  racers.value = ["uniform-cost", "a-star"].map((usual, index) => {
    const [algorithm, heuristic] = left?.racers?.[index] ?? [];
    const choice = { algorithm: algorithm || usual, heuristic: heuristic || "" };
    return new Racer(index ? "Second" : "First", choice, puzzle, most);
  });
  effect(() => {
    const choices = racers.value.map(({ choice }) => [choice.value.algorithm, choice.value.heuristic]);
    keep("tiles", { puzzle: puzzle.value, hardness: hardness.value, racers: choices });
  });

  const isHome = () => puzzle.value.tiles.join() === puzzle.value.goal.join();
  const status = () => {
    const made = plural(puzzle.value.made, "move");
    return trouble.value || (isHome() ? `In order after ${made}.` : `${made} made.`);
  };

  /** @param {number} side */
  function newGoal(side) {
    const goal = inOrder(side);
    goalText.value = goal.join(" ");
    setBoard(goal, goal);
    shuffle();
  }

  /** @param {number[]} tiles @param {number[]} [goal] */
  function setBoard(tiles, goal = puzzle.now.goal) {
    change({ tiles, start: tiles, goal, made: 0 });
    text.value = tiles.join(" ");
    trouble.value = told.value = "";
    for (const racer of racers.now) racer.reset();
    stepper.clear();
  }

  const typed = (/** @type {{value: string}} */ what, /** @type {string} */ id) =>
    h("input.mono", {
      type: "text",
      id,
      spellcheck: false,
      value: () => what.value,
      oninput: (/** @type {Event} */ event) => (what.value = /** @type {HTMLInputElement} */ (event.target).value),
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && check(),
    });
  const [startField, goalField] = [typed(text, "tiles-text"), typed(goalText, "tiles-goal")];

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
        trouble.value = sentenceOf(error);
        toast(trouble.value, "error");
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
    const { start, goal } = puzzle.now;
    return (startField.value.trim() === start.join(" ") && goalField.value.trim() === goal.join(" ")) || check();
  }

  async function shuffled() {
    const { goal, moves } = puzzle.now;
    const seed = Math.floor(Math.random() * 2 ** 40);
    const steps = hardness.now ? Number(hardness.now) : undefined;
    const wish = { side: sideOf(goal.length), goal: goal.join(" "), moves, seed, steps };
    const { board } = await post("/tiles/shuffle", wish);
    return () => setBoard(board);
  }

  /** Takes what was typed, if it is a board. */
  async function taken() {
    const typed = { start: startField.value, goal: goalField.value, moves: puzzle.now.moves };
    const checked = await post("/tiles/check", typed);
    return () => {
      setBoard(checked.start, checked.goal);
      goalText.value = typed.goal;
      if (checked.solvable) return;
      trouble.value = checked.reason;
      toast(checked.reason, "error");
    };
  }

  /** @param {number} cell */
  function clicked(cell) {
    const { tiles, moves } = puzzle.now;
    const direction = Object.keys(STEPS).find(
      (name) => (moves === "diagonal" || !name.includes("-")) && moved(tiles, name)?.[cell] === 0,
    );
    if (direction) move(direction);
  }

  /** @param {string} direction */
  function move(direction) {
    const tiles = moved(puzzle.now.tiles, direction);
    if (!tiles) return;
    trouble.value = "";
    change({ tiles, made: puzzle.now.made + 1 });
    if (isHome()) announce("In order!");
  }

  // A search, node by node, by the choices of a lane.
  const told = value("");
  const shown = value({ tiles: puzzle.now.start, pointed: "" });
  const stepper = new Stepper({
    draw: (state, successors) =>
      (shown.value = { tiles: state.board, pointed: successors.length === 1 ? successors[0].direction : "" }),
    after: (_, successor) => ({ board: successor.board }),
    words: (/** @type {TileSuccessor} */ one) => `blank ${one.direction}`,
    about: () => "",
  });
  const stepBoard = tileBoard("The chosen board", () => ({ tiles: shown.value.tiles, goal: puzzle.value.goal }), null, {
    hidden: () => !stepper.trace.value,
    "data-pointed": () => shown.value.pointed,
  });
  const stepping = latest();
  const lane = select(
    [
      ["0", "The first lane’s choices"],
      ["1", "The second lane’s choices"],
    ],
    "1",
    () => {},
    { "aria-label": "Whose choices to step through" },
  );
  async function step() {
    const wait = stepping();
    if (!(await wait(settled()))) return;
    const { algorithm, heuristic } = /** @type {Racer} */ (racers.now[Number(lane.value)]).choice.now;
    const { tiles, goal, moves } = puzzle.now;
    const [start, wanted] = [tiles.join(" "), goal.join(" ")];
    const question = { start, goal: wanted, moves, algorithm, heuristic: heuristic || undefined, nodes: 500 };
    try {
      const trace = /** @type {TileTrace} */ (await wait(post("/tiles/inspect", question)));
      if (tiles.join() !== puzzle.now.tiles.join()) return;
      const by = trace.heuristic ? ` with ${trace.heuristic}` : "";
      told.value = `${pretty(trace.algorithm)}${by} from ${start}: ${plural(trace.expansions.length, "expansion")} recorded; the search ${ENDS[trace.end]}.`;
      stepper.load(trace);
    } catch (error) {
      stepper.clear();
      told.value = sentenceOf(error);
      toast(told.value, "error");
    }
  }

  const racing = value(false);
  let cancelled = false;
  async function race() {
    racing.value = true;
    cancelled = false;
    if (await settled()) {
      change({ start: puzzle.now.tiles });
      text.value = puzzle.now.tiles.join(" ");
      announce("The race has started.");
      await Promise.all(racers.now.map((racer) => racer.run(() => !cancelled)));
      announce("The race has ended.");
    }
    racing.value = false;
  }
  function cancel() {
    cancelled = true;
    for (const racer of racers.now) racer.cancel();
  }

  const sides = ["2", "3", "4", "5"].map((side) => [side, `${side} × ${side}`]);
  const moves = [
    ["classic", "Classic: up, down, left, right"],
    ["diagonal", "Diagonal moves too"],
  ];
  const shuffles = [
    ["8", "Easy: 8 random moves"],
    ["20", "Medium: 20 random moves"],
    ["", "Any board that can be solved"],
  ];
  const chooseMoves = (/** @type {string} */ chosen) => {
    change({ moves: chosen });
    check();
  };
  const element = h("div.view.two", [
    h("h1.hidden-text", "Sliding tiles"),
    h("div.stage", [
      h("div.card.board-card", [
        tileBoard("Sliding tiles. Arrow keys move the blank", () => puzzle.value, clicked),
        h("p.status", { role: "status" }, status),
      ]),
      h("h2", "A race of two algorithms"),
      h("p.muted", [
        "Both solve the board above at the same time. The bars show how many boards each has expanded: the shorter, the cleverer.",
      ]),
      h("div.race", [racers.now.map((racer) => racer.element)]),
      h("section.card.live", { "aria-label": "Node by node" }, [
        h("h2", "A search, node by node"),
        h("div.row.wrap", [button("Step through it", step), lane]),
        h("p.status", { role: "status" }, () => told.value),
        stepBoard,
        stepper.steps,
        stepper.element,
      ]),
    ]),
    h("aside.side.card", { "aria-label": "The board" }, [
      h("h2", "The board"),
      h("div.row", [
        button("Race", race, { class: "primary large", disabled: () => racing.value }),
        button("Cancel", cancel, { class: "danger large", hidden: () => !racing.value }),
      ]),
      field(
        "Size",
        select(
          sides,
          () => String(sideOf(puzzle.value.goal.length)),
          (side) => newGoal(Number(side)),
        ),
      ),
      field("Moves", select(moves, puzzle.now.moves, chooseMoves), "Every move costs 1, diagonal ones too."),
      field(
        "Shuffle",
        select(shuffles, hardness.now, (chosen) => (hardness.value = chosen)),
      ),
      h("div.row.wrap", [button("Shuffle", shuffle), button("Back to the start", () => setBoard(puzzle.now.start))]),
      field("Type a board", startField, "Numbers row by row, 0 for the blank; then press Enter."),
      field("Goal", goalField, "Any arrangement; boards that cannot reach it are told so at once."),
      h("div.row", [button("Take what is typed", check)]),
      h("p.muted.keys", "Keys: arrows move the blank; or click a tile beside it."),
    ]),
  ]);
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      const direction = KEYS[event.key];
      if (!direction || event.ctrlKey || event.metaKey || event.altKey) return false;
      move(direction);
      return true;
    },
    left: () => {
      for (const racer of racers.now) racer.transport.pause();
      stepper.pause();
    },
  };
}
