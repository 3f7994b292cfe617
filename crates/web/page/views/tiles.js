// The sliding puzzle: shuffle, type a board, play it, and race two algorithms on it.

import { ApiError, post, startJob } from "../lib/api.js";
import { announce, button, calm, field, fill, h, iconButton, select, toast } from "../lib/dom.js";
import { bytes, count, plural, proofKind, proofWords, time } from "../lib/format.js";
import { pretty } from "../sokoban/config.js";
import { store } from "../store.js";
import { outcomeWords, showConnection } from "./solve.js";

/** @typedef {import("../lib/types.js").Job} Job */

/** @type {Record<string, [number, number]>} Where the blank goes: rows down, columns right. */
const STEPS = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1], "up-left": [-1, -1], "up-right": [-1, 1], "down-left": [1, -1], "down-right": [1, 1] };

/** @param {number} side */
const sideOf = (side) => Math.round(Math.sqrt(side));

/**
 * The board after the blank moves; null if it cannot.
 * @param {number[]} tiles
 * @param {string} direction
 */
export function moved(tiles, direction) {
  const side = sideOf(tiles.length);
  const blank = tiles.indexOf(0);
  const [down, right] = STEPS[direction] ?? [0, 0];
  const [row, column] = [Math.floor(blank / side) + down, (blank % side) + right];
  if (row < 0 || column < 0 || row >= side || column >= side) return null;
  const next = tiles.slice();
  next[blank] = /** @type {number} */ (tiles[row * side + column]);
  next[row * side + column] = 0;
  return next;
}

/**
 * A board of tiles as buttons, or as a picture of one.
 * @param {string} label
 * @param {((cell: number) => void)|null} onclick
 */
function tileBoard(label, onclick) {
  const element = h("div", { class: `tile-board${onclick ? "" : " small"}`, role: "group", "aria-label": label });
  /** @param {number[]} tiles @param {number[]} goal */
  const show = (tiles, goal) => {
    const side = sideOf(tiles.length);
    element.style.gridTemplateColumns = `repeat(${side}, 1fr)`;
    element.style.gridTemplateRows = `repeat(${side}, 1fr)`;
    const focused = [...element.children].indexOf(/** @type {Element} */ (document.activeElement));
    fill(element, tiles.map((tile, cell) => {
      const home = tile !== 0 && goal[cell] === tile;
      const name = `tile${tile === 0 ? " blank" : ""}${home ? " home" : ""}`;
      if (!onclick) return h("div", { class: name }, tile === 0 ? "" : tile);
      return h("button", { type: "button", class: name, "aria-label": tile === 0 ? "blank" : `${tile}${home ? ", in its place" : ""}`, onclick: () => onclick(cell) }, tile === 0 ? "" : tile);
    }));
    if (!onclick) element.setAttribute("aria-label", `${label}: ${tiles.join(" ")}`);
    else if (focused >= 0) /** @type {HTMLElement} */ (element.children[focused])?.focus();
  };
  if (!onclick) element.setAttribute("role", "img");
  return { element, show };
}

export function tilesView() {
  let goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];
  let tiles = [1, 2, 3, 4, 5, 6, 0, 7, 8];
  let start = tiles.slice();
  let diagonal = false;
  let madeMoves = 0;

  const board = tileBoard("Sliding tiles. Arrow keys move the blank", (cell) => clicked(cell));
  const status = h("p", { class: "status", role: "status" });
  const text = h("input", { type: "text", id: "tiles-text", spellcheck: false, class: "mono" });
  const goalText = h("input", { type: "text", id: "tiles-goal", spellcheck: false, class: "mono" });
  const side = select([["2", "2 × 2"], ["3", "3 × 3"], ["4", "4 × 4"], ["5", "5 × 5"]], "3", () => newGoal());
  const moves = select([["classic", "Classic: up, down, left, right"], ["diagonal", "Diagonal moves too"]], "classic", (value) => {
    diagonal = value === "diagonal";
    for (const racer of racers) racer.tell();
    check();
  });
  const hardness = select([["8", "Easy: 8 random moves"], ["20", "Medium: 20 random moves"], ["", "Any board that can be solved"]], "20", () => {});

  function show() {
    board.show(tiles, goal);
    const home = tiles.every((tile, cell) => tile === goal[cell]);
    status.textContent = home ? `In order after ${plural(madeMoves, "move")}.` : `${plural(madeMoves, "move")} made.`;
    if (home && madeMoves > 0) announce("In order!");
  }

  function newGoal() {
    const n = Number(side.value);
    goal = [...Array(n * n - 1).keys()].map((tile) => tile + 1).concat(0);
    goalText.value = goal.join(" ");
    setBoard(goal.slice());
    shuffle();
  }

  /** @param {number[]} board */
  function setBoard(board) {
    tiles = board;
    start = board.slice();
    madeMoves = 0;
    text.value = tiles.join(" ");
    for (const racer of racers) racer.reset();
    show();
  }

  async function shuffle() {
    try {
      const seed = Math.floor(Math.random() * 2 ** 40);
      const asked = { side: sideOf(goal.length), goal: goal.join(" "), moves: moves.value, seed, steps: hardness.value ? Number(hardness.value) : undefined };
      const answer = await post("/tiles/shuffle", asked);
      setBoard(answer.board);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), "error");
    }
  }

  /** Takes what was typed, if it is a board. */
  async function check() {
    try {
      const checked = await post("/tiles/check", { start: text.value, goal: goalText.value, moves: moves.value });
      goal = checked.goal;
      side.value = String(checked.side);
      setBoard(checked.start);
      if (!checked.solvable) {
        status.textContent = checked.reason;
        toast(checked.reason, "error");
      }
      return true;
    } catch (error) {
      const words = error instanceof ApiError ? error.message : String(error);
      status.textContent = words;
      toast(words, "error");
      return false;
    }
  }

  /** @param {number} cell */
  function clicked(cell) {
    const direction = Object.keys(STEPS).find((name) => {
      const next = (diagonal || !name.includes("-")) && moved(tiles, name);
      return next && next[cell] === 0;
    });
    if (direction) move(direction);
  }

  /** @param {string} direction */
  function move(direction) {
    const next = moved(tiles, direction);
    if (!next) return;
    tiles = next;
    madeMoves += 1;
    show();
  }

  /** One lane of the race. */
  class Racer {
    /** @param {string} name @param {string} algorithm @param {string} heuristic */
    constructor(name, algorithm, heuristic) {
      const { algorithms, heuristics } = store.about.tiles;
      this.name = name;
      this.algorithm = select(algorithms.map((one) => [one, pretty(one)]), algorithm, () => this.tell());
      this.heuristic = select([["", "Recommended"], ...heuristics.map((one) => /** @type {[string, string]} */ ([one.name, pretty(one.name)]))], heuristic, () => this.tell());
      this.about = h("p", { class: "about" });
      this.bar = h("span", null);
      this.words = h("p", { role: "status" }, "Ready.");
      this.proof = h("p", { class: "promise plain", hidden: true });
      this.board = tileBoard(`${name}: board`, null);
      this.steps = /** @type {string[]} */ ([]);
      this.index = 0;
      this.timer = 0;
      /** @type {Job|null} */
      this.job = null;
      /** @type {import("../lib/api.js").Following|null} */
      this.following = null;
      this.counter = h("output", { class: "counter" });
      this.controls = h("div", { class: "transport", hidden: true, role: "group", "aria-label": `${name}: playback` },
        iconButton("first", "To the start", () => this.seek(0)),
        iconButton("back", "One move back", () => this.seek(this.index - 1)),
        iconButton("play", "Play", () => this.play()),
        iconButton("next", "One move on", () => this.seek(this.index + 1)),
        this.counter,
      );
      this.element = h("section", { class: "card racer", "aria-label": name }, h("h3", null, name), field("Algorithm", this.algorithm), field("Heuristic", this.heuristic, this.about), h("div", { class: "track" }, this.bar), this.words, this.proof, this.board.element, this.controls);
      this.tell();
    }

    tell() {
      const chosen = store.about.tiles.heuristics.find((one) => one.name === this.heuristic.value);
      const words = chosen ? (diagonal ? chosen.diagonal : chosen.classic) : "the strongest one with a promise for this board";
      this.about.textContent = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
    }

    reset() {
      this.following?.cancel().catch(() => {});
      this.following = null;
      this.job = null;
      clearInterval(this.timer);
      this.controls.hidden = true;
      this.proof.hidden = true;
      this.words.textContent = "Ready.";
      this.bar.style.width = "0";
      this.board.show(start, goal);
    }

    async run() {
      this.reset();
      const body = { kind: "tiles", start: start.join(" "), goal: goal.join(" "), moves: moves.value, algorithm: this.algorithm.value, heuristic: this.heuristic.value || undefined, limits: { seconds: Math.min(120, store.about.limits.seconds), mebibytes: Math.min(1024, store.about.limits.mebibytes) } };
      try {
        this.following = await startJob(body, (job) => {
          this.job = job;
          this.show();
          compareBars();
        }, showConnection);
        const mine = this.following;
        const job = await mine.ended;
        if (this.following !== mine) return;
        this.job = job;
        this.show();
        compareBars();
        const result = job.result;
        if (result?.solution !== null && result) {
          this.steps = result.solution ? result.solution.split(",") : [];
          this.controls.hidden = false;
          this.proof.hidden = false;
          this.proof.className = `promise ${proofKind(result.proof)}`;
          this.proof.textContent = proofWords(result.proof);
          this.seek(0);
          if (!calm()) this.play();
          else this.seek(this.steps.length);
        }
      } catch (error) {
        this.words.textContent = error instanceof Error ? error.message : String(error);
      }
    }

    show() {
      const { job } = this;
      if (!job) return;
      const { live, result } = job;
      if (result) this.words.textContent = `${outcomeWords(result, job.cancelled_because)} · ${plural(result.expanded, "board")} expanded · ${time(result.seconds)} · ${bytes(result.peak_bytes)}`;
      else if (job.phase) this.words.textContent = job.phase;
      else this.words.textContent = `${count(live.expanded)} boards expanded · ${time(live.seconds)} …`;
    }

    /** @param {number} to */
    seek(to) {
      this.index = Math.max(0, Math.min(this.steps.length, to));
      /** @type {number[]} */
      let now = start;
      for (const step of this.steps.slice(0, this.index)) now = moved(now, step) ?? now;
      this.board.show(now, goal);
      this.counter.textContent = `${this.index} / ${this.steps.length}`;
    }

    play() {
      clearInterval(this.timer);
      if (this.index >= this.steps.length) this.seek(0);
      this.timer = window.setInterval(() => {
        if (this.index >= this.steps.length) clearInterval(this.timer);
        else this.seek(this.index + 1);
      }, 300);
    }
  }

  const racers = [new Racer("First", "uniform-cost", ""), new Racer("Second", "a-star", "")];

  function compareBars() {
    const nodes = racers.map((racer) => racer.job?.result?.expanded ?? racer.job?.live.expanded ?? 0);
    const most = Math.max(1, ...nodes);
    racers.forEach((racer, index) => (racer.bar.style.width = `${((nodes[index] ?? 0) / most) * 100}%`));
  }

  const race = async () => {
    start = tiles.slice();
    text.value = tiles.join(" ");
    go.disabled = true;
    stop.hidden = false;
    announce("The race has started.");
    await Promise.all(racers.map((racer) => racer.run()));
    go.disabled = false;
    stop.hidden = true;
    announce("The race has ended.");
  };
  const go = button("Race", race, { class: "primary large" });
  const stop = button("Cancel", () => racers.forEach((racer) => racer.following?.cancel().catch(() => {})), { class: "danger large", hidden: true });

  newGoalText();
  function newGoalText() {
    goalText.value = goal.join(" ");
    text.value = tiles.join(" ");
    for (const racer of racers) racer.reset();
    show();
  }

  const element = h("div", { class: "view two" },
    h("h1", { class: "hidden-text" }, "Sliding tiles"),
    h("div", { class: "stage" },
      h("div", { class: "card board-card" }, board.element, status),
      h("h2", null, "A race of two algorithms"),
      h("p", { class: "muted" }, "Both solve the board above at the same time. The bars show how many boards each has expanded: the shorter, the cleverer."),
      h("div", { class: "race" }, racers.map((racer) => racer.element)),
    ),
    h("aside", { class: "side card", "aria-label": "The board" },
      h("h2", null, "The board"),
      h("div", { class: "row" }, go, stop),
      field("Size", side),
      field("Moves", moves, "Every move costs 1, diagonal ones too."),
      field("Shuffle", hardness),
      h("div", { class: "row wrap" }, button("Shuffle", shuffle), button("Back to the start", () => setBoard(start.slice()))),
      field("Type a board", text, "Numbers row by row, 0 for the blank; then press Enter."),
      field("Goal", goalText, "Any arrangement; boards that cannot reach it are told so at once."),
      h("div", { class: "row" }, button("Take what is typed", check)),
      h("p", { class: "muted keys" }, "Keys: arrows move the blank; or click a tile beside it."),
    ),
  );
  for (const input of [text, goalText]) input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") check();
  });
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      const keys = /** @type {Record<string, string>} */ ({ ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" });
      const direction = keys[event.key];
      if (!direction || event.ctrlKey || event.metaKey || event.altKey) return false;
      move(direction);
      return true;
    },
    left: () => racers.forEach((racer) => clearInterval(racer.timer)),
  };
}
