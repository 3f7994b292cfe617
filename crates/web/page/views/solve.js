// Solve and watch: choose how, see the search live, then the answer and its playback. What is shown belongs to the position
// above it: other searches go on meanwhile.

import { announce, button, fill, h, sentenceOf, toast } from "../lib/dom.js";
import { count, plural, proofKind, proofWords } from "../lib/format.js";
import { copy } from "../lib/save.js";
import { BoardView } from "../sokoban/board.js";
import { ConfigForm, configWords } from "../sokoban/config.js";
import { takeOver } from "../sokoban/games.js";
import { levelBar } from "../sokoban/levelbar.js";
import { LiveSearch } from "../sokoban/live.js";
import { outcomeWords } from "../sokoban/outcome.js";
import { Playback } from "../sokoban/playback.js";
import { Position } from "../sokoban/position.js";
import { cancelSearch, foundBy, isRunning, runningSearches, searchOf, startSearch } from "../sokoban/searches.js";
import { shareLink } from "../sokoban/share.js";
import { keyOf, setLevel, startBoard, startTitle, store } from "../store.js";

/** @typedef {import("../lib/types.js").JobResult} JobResult */
/** @typedef {import("../sokoban/searches.js").Search} Search */

/** How much of the screen's height the board may take, and how much while a long search is watched: then there is more to see. */
const [TALL, LOW] = [0.52, 0.36];

export function solveView() {
  const view = new BoardView({ label: "Level", tallest: TALL });
  const playback = new Playback(view);
  playback.element.hidden = true;
  const form = new ConfigForm({ name: "solve" });
  let heat = true;
  /** @type {Search|null} The search of the position that is shown. */
  let search = null;
  /** Which answer is shown, so that it is not begun anew. */
  let answered = "";

  const start = button("Solve", () => run(), { class: "primary large" });
  const cancel = () => search && cancelSearch(search).catch((error) => toast(sentenceOf(error), "error"));
  const stop = button("Cancel", cancel, { class: "danger large", hidden: true });
  const live = new LiveSearch(cancel);
  const heatBox = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => {
      heat = heatBox.checked;
      drawBoard();
    },
  });
  const heatWords = h("span");
  const heatLabel = h("label", { class: "check inline heat", hidden: true }, heatBox, heatWords);
  const answer = h("section", { class: "card answer", hidden: true, "aria-label": "The answer" });
  const others = h("div", { class: "others" });

  const drawBoard = () => {
    const extras = { heat: heat ? (search?.job?.live.heat ?? null) : null };
    view.show(playback.element.hidden ? Position.parse(startBoard()) : playback.position, extras);
  };

  /** Shows what there is for the position: a search that runs, an answer, or a solution the level came with. */
  function load() {
    search = searchOf(startBoard());
    playback.pause();
    playback.element.hidden = true;
    heatBox.checked = heat = true;
    answered = "";
    answer.hidden = true;
    heatLabel.hidden = true;
    live.clear();
    const { solution, from } = store.current;
    if (search) show(false);
    else if (solution && !from) showSolution(solution, "This level came with a solution", null);
    buttons();
    drawBoard();
    showOthers();
  }

  function buttons() {
    const yes = search !== null && isRunning(search);
    stop.hidden = !yes;
    start.hidden = yes;
  }

  async function run() {
    const [level, board, title] = [store.current, startBoard(), startTitle()];
    playback.pause();
    playback.element.hidden = true;
    answer.hidden = true;
    answered = "";
    heatBox.checked = heat = true;
    live.clear();
    live.say("Starting …");
    start.hidden = true;
    announce("The search has started.");
    try {
      await startSearch(level, board, title, form.config, {
        kind: "sokoban",
        request: { ...form.config, ...form.limits },
      });
    } catch (error) {
      if (keyOf(board) === keyOf(startBoard())) live.say(sentenceOf(error));
      toast(sentenceOf(error), "error");
    }
    buttons();
  }

  /** @param {boolean} fresh whether the person waited for it */
  function show(fresh) {
    if (!search) return;
    const { job, result } = search;
    live.show(search);
    buttons();
    const long = job?.status === "running" && job.live.seconds > 0.7 && matchMedia("(min-width: 62rem)").matches;
    view.tallest = long ? LOW : TALL;
    heatLabel.hidden = !job?.live.heat;
    heatWords.textContent = `Heat map: ${job?.live.strategies.length ? "where the searches moved boxes to" : "how often the search had a box on a square"} (the stronger the colour, the more often)`;
    if (result && answered !== search.id) {
      answered = search.id;
      const words = outcomeWords(result, search.because);
      if (fresh) announce(words);
      if (result.solution) {
        showSolution(result.solution, words, search);
        if (fresh && element.isConnected) playback.autoplay();
      } else {
        answer.hidden = false;
        fill(answer, h("h2", null, words), howWords(search), verdict(result), notes(result.notes));
      }
    }
    drawBoard();
  }

  document.addEventListener("searchchange", (event) => {
    const changed = /** @type {CustomEvent<Search>} */ (event).detail;
    showOthers();
    if (keyOf(changed.board) !== keyOf(startBoard())) {
      if (changed.result?.solution) toast(`${changed.title}: ${outcomeWords(changed.result, null)}.`);
      return;
    }
    search = searchOf(startBoard());
    show(true);
  });

  /** Searches that run for other positions, each with a way to it. */
  function showOthers() {
    const running = runningSearches().filter((one) => keyOf(one.board) !== keyOf(startBoard()));
    // Made anew only when it changes: a button must not go away under the finger.
    const now = running.map((one) => one.id).join();
    if (now === others.dataset.shown) return;
    others.dataset.shown = now;
    fill(
      others,
      running.map((one) =>
        h(
          "p",
          { class: "banner fair" },
          h("span", null, `${one.title}: a search goes on (${configWords(one.config)}).`),
          button("Show", () => setLevel(one.level)),
          button("Cancel it", () => cancelSearch(one).catch((error) => toast(sentenceOf(error), "error"))),
        ),
      ),
    );
  }

  /** @param {JobResult} result */
  function verdict(result) {
    if (result.outcome === "unsolvable")
      return h("p", { class: "promise good" }, "Proof: everything was searched, by rules that lose no solution");
    if (result.lower_bound !== null)
      return h("p", null, `What is proved so far: no solution is below ${count(result.lower_bound)}.`);
    return null;
  }

  const notes = (/** @type {string[]} */ list) =>
    list.length
      ? h(
          "ul",
          { class: "notes" },
          list.map((note) => h("li", null, note)),
        )
      : null;
  const howWords = (/** @type {Search} */ one) => h("p", { class: "muted found-by" }, `${one.title}. ${foundBy(one)}`);

  /** @param {string} lurd @param {string} words @param {Search|null} by */
  function showSolution(lurd, words, by) {
    const result = by?.result ?? null;
    const level = by?.level ?? store.current;
    answer.hidden = false;
    const text = h(
      "textarea",
      {
        class: "mono lurd",
        readOnly: true,
        rows: Math.min(6, Math.ceil(lurd.length / 48)),
        "aria-label": "Solution in LURD notation",
      },
      lurd,
    );
    text.value = lurd;
    const whole = `${level.from ?? ""}${lurd}`;
    fill(
      answer,
      h("h2", null, words),
      result ? h("p", { class: `promise ${proofKind(result.proof)}` }, proofWords(result.proof)) : null,
      by ? howWords(by) : null,
      result && result.lower_bound !== null
        ? h(
            "p",
            { class: "muted" },
            `No solution is below ${count(result.lower_bound)} ${result.formulation === "push" ? "pushes" : "moves"}.`,
          )
        : null,
      text,
      h(
        "div",
        { class: "row wrap" },
        button("Take over in Play", () => {
          takeOver(level.board, level.from ?? "", lurd);
          location.hash = "#/play";
          toast(`${plural(lurd.length, "move")} wait in Play: Y or “Do again” plays them one by one.`);
        }),
        button("Copy LURD", async () =>
          toast(
            (await copy(lurd))
              ? "The solution is in the clipboard."
              : "Select the text and copy it: the browser does not let the page.",
          ),
        ),
        button("Copy link", async () =>
          toast(
            (await copy(
              shareLink({ board: level.board, title: level.title, author: level.author, solution: whole }, "solve"),
            ))
              ? "The link carries the level and the solution."
              : "The browser does not let the page copy.",
          ),
        ),
        result?.proof === "optimal-pushes" ? null : button("Fewer pushes", () => improve(level, lurd, "pushes")),
        result?.proof === "optimal-moves" ? null : button("Fewer moves", () => improve(level, lurd, "moves")),
      ),
      h(
        "p",
        { class: "about" },
        "“Fewer pushes” and “Fewer moves” look for a shorter solution around this one, for at most ten seconds.",
      ),
      notes(result?.notes ?? []),
      h("p", { class: "muted keys" }, "Keys: space plays, ← → step, Home End, + − speed."),
    );
    playback.element.hidden = false;
    heatBox.checked = heat = false;
    view.extras = {};
    playback.load(startBoard(level), lurd);
  }

  /** Makes a solution shorter. @param {import("../store.js").Current} level @param {string} solution @param {"pushes"|"moves"} metric */
  async function improve(level, solution, metric) {
    live.clear();
    live.say("Starting …");
    try {
      await startSearch(
        level,
        startBoard(level),
        startTitle(level),
        { goal: metric },
        {
          kind: "improve",
          solution,
          request: { goal: metric, ...form.limits, time_limit: Math.min(form.limits.time_limit ?? 10, 10) },
        },
      );
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  }

  document.addEventListener("levelchange", load);
  const explained = () => (start.disabled = !form.ok);
  form.plan.addEventListener("explained", explained);
  load();

  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "Solve and watch"),
    h(
      "div",
      { class: "stage" },
      levelBar({ searched: true }),
      h("div", { class: "board-card card" }, view.element, heatLabel, playback.element),
      answer,
      live.element,
      others,
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "How to solve" },
      h("h2", null, "How to solve"),
      h("div", { class: "row" }, start, stop),
      form.plan,
      form.element,
    ),
  );
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && !stop.hidden) {
        stop.click();
        return true;
      }
      if (event.key === "Enter" && !start.hidden && !start.disabled) {
        start.click();
        return true;
      }
      return !playback.element.hidden && playback.key(event);
    },
    left: () => playback.pause(),
  };
}
