// Solve and watch: choose how, see the search live, then the answer and its playback. What is shown belongs to the position
// above it: other searches go on meanwhile.

import { derived, effect, settle, untold, value } from "../lib/core.js";
import { announce, button, each, h, sentenceOf, tick, toast } from "../lib/dom.js";
import { count, plural, proofKind, proofWords } from "../lib/format.js";
import { copied, copy } from "../lib/save.js";
import { BoardView } from "../sokoban/board.js";
import { ConfigForm, configWords } from "../sokoban/config.js";
import { searchRequest } from "../sokoban/contract.js";
import { takeOver } from "../sokoban/games.js";
import { levelBar } from "../sokoban/levelbar.js";
import { liveSearch } from "../sokoban/live.js";
import { outcomeWords } from "../sokoban/outcome.js";
import { Playback } from "../sokoban/playback.js";
import { Position } from "../sokoban/position.js";
import {
  cancelSearch,
  foundBy,
  isRunning,
  runningSearches,
  searchOf,
  solvedSearchOf,
  startSearch,
} from "../sokoban/searches.js";
import { shareLink } from "../sokoban/share.js";
import { keyOf, setLevel, startBoard, startTitle, store } from "../store.js";

/** @typedef {import("../lib/types.js").JobResult} JobResult */
/** @typedef {import("../sokoban/searches.js").Search} Search */
/** @typedef {import("../store.js").Current} Current */

/** How much of the screen's height the board may take, and how much while a long search is watched: then there is more to see. */
const [TALL, LOW] = [0.52, 0.36];

/** @param {Search} search */
const cancelIt = (search) => cancelSearch(search).catch((error) => toast(sentenceOf(error), "error"));

/** @param {string[]} list */
const notes = (list) => list.length > 0 && h("ul.notes", [list.map((note) => h("li", note))]);

/** @param {JobResult} result */
function verdict(result) {
  if (result.outcome === "unsolvable")
    return h("p.promise.good", "Proof: everything was searched, by rules that lose no solution");
  const bound = result.lower_bound;
  return bound !== null && h("p", `What is proved so far: no solution is below ${count(bound)}.`);
}

/** @param {JobResult} result */
function boundWords({ lower_bound: bound, formulation }) {
  return bound !== null && `No solution is below ${count(bound)} ${formulation === "push" ? "pushes" : "moves"}.`;
}

export function solveView() {
  const view = new BoardView({ label: "Level", tallest: TALL });
  const playback = new Playback(view);
  const form = new ConfigForm({ name: "solve" });
  const heat = value(true);
  const here = derived(() => keyOf(startBoard()));
  /** The search of the position that is shown. */
  const search = derived(() => searchOf(startBoard()));
  /** What is said while a search is on its way to the server, or why it did not get there; and where it begins. */
  const said = value(/** @type {{board: string, words: string, waits: boolean, keeps: boolean}|null} */ (null));
  const saidHere = () => (said.value?.board === here.value ? said.value : null);
  const running = () => saidHere()?.waits !== true && search.value !== null && isRunning(search.value);
  /** The answer: what a search came to, or a solution the level came with; it stays while it is made shorter. */
  const answer = derived(() => {
    const { solution, from } = store.current;
    const [one, words] = [search.value, saidHere()];
    if (words && !words.keeps) return null;
    if (one && (!isRunning(one) || one.kind !== "improve")) return one.result;
    return solvedSearchOf(startBoard())?.result ?? (from ? null : solution);
  });
  const lurd = derived(() => (typeof answer.value === "string" ? answer.value : (answer.value?.solution ?? null)));

  effect(() => {
    // What kept a search from its start is said as long as the level stays.
    here.value;
    if (said.now?.waits === false) said.value = null;
  });
  effect(() => {
    // Another level, or another answer: the board begins anew.
    const [board, letters] = [startBoard(), lurd.value];
    playback.pause();
    heat.value = letters === null;
    if (letters) untold(() => playback.load(board, letters));
  });
  effect(() => {
    const live = search.value?.job?.live;
    const long = running() && (live?.seconds ?? 0) > 0.7 && matchMedia("(min-width: 62rem)").matches;
    view.tallest = long ? LOW : TALL;
    const position = lurd.value ? playback.position : Position.parse(startBoard());
    view.show(position, { heat: heat.value ? (live?.heat ?? null) : null });
  });

  /** @param {Current} level @param {string} board @param {import("../lib/types.js").Config} config @param {Record<string, unknown>} body */
  async function begin(level, board, config, body) {
    const mine = { board: keyOf(board), words: "Starting …", waits: true, keeps: body.kind === "improve" };
    said.value = mine;
    try {
      await startSearch(level, board, startTitle(level), config, body);
      if (said.now === mine) said.value = null;
    } catch (error) {
      if (said.now === mine) said.value = { ...mine, words: sentenceOf(error), waits: false };
      toast(sentenceOf(error), "error");
    }
  }

  function run() {
    const board = startBoard();
    heat.value = true;
    announce("The search has started.");
    begin(store.current, board, form.config, searchRequest(board, form.config, form.limits));
  }

  /** Makes a solution shorter. @param {Current} level @param {string} solution @param {"pushes"|"moves"} metric */
  function improve(level, solution, metric) {
    const request = { goal: metric, ...form.limits, time_limit: Math.min(form.limits.time_limit ?? 10, 10) };
    begin(level, startBoard(level), { goal: metric }, { kind: "improve", solution, request });
  }

  document.addEventListener("searchend", (event) => {
    const ended = /** @type {CustomEvent<Search>} */ (event).detail;
    if (!ended.result) return;
    const words = outcomeWords(ended.result, ended.because);
    if (keyOf(ended.board) === here.value) {
      announce(words);
      said.value = null;
      settle();
      if (ended.result.solution && element.isConnected) playback.autoplay();
    } else if (ended.result.solution) toast(`${ended.title}: ${words}.`);
  });

  /** @param {JobResult|string} shown */
  function answerParts(shown) {
    const by = untold(() => [search.value, solvedSearchOf(startBoard())].find((one) => one?.result === shown)) ?? null;
    const result = typeof shown === "string" ? null : shown;
    const letters = typeof shown === "string" ? shown : shown.solution;
    const how = by && h("p.muted.found-by", `${by.title}. ${foundBy(by)}`);
    const words = result ? outcomeWords(result, by?.because ?? null) : "This level came with a solution";
    if (!letters) return result && [h("h2", words), how, verdict(result), notes(result.notes)];
    const level = by?.level ?? untold(() => store.current);
    const { board, title, author } = level;
    const link = () => shareLink({ board, title, author, solution: `${level.from ?? ""}${letters}` }, "solve");
    const bound = result && boundWords(result);
    return [
      h("h2", words),
      result && h("p.promise", { class: proofKind(result.proof) }, proofWords(result.proof)),
      how,
      bound && h("p.muted", bound),
      h("textarea.mono.lurd", {
        readOnly: true,
        rows: Math.min(6, Math.ceil(letters.length / 48)),
        "aria-label": "Solution in LURD notation",
        value: letters,
      }),
      h("div.row.wrap", [
        button("Take over in Play", () => {
          takeOver(board, level.from ?? "", letters);
          location.hash = "#/play";
          toast(`${plural(letters.length, "move")} wait in Play: Y or “Do again” plays them one by one.`);
        }),
        button("Copy LURD", async () => {
          const refused = "Select the text and copy it: the browser does not let the page.";
          toast((await copy(letters)) ? "The solution is in the clipboard." : refused);
        }),
        button("Copy link", () => copied(link(), "The link carries the level and the solution.")),
        result?.proof !== "optimal-pushes" && button("Fewer pushes", () => improve(level, letters, "pushes")),
        result?.proof !== "optimal-moves" && button("Fewer moves", () => improve(level, letters, "moves")),
      ]),
      h("p.about", [
        "“Fewer pushes” and “Fewer moves” look for a shorter solution around this one, for at most ten seconds.",
      ]),
      notes(result?.notes ?? []),
      h("p.muted.keys", "Keys: space plays, ← → step, Home End, + − speed."),
    ];
  }

  const stopHere = () => search.value && cancelIt(search.value);
  const start = button("Solve", run, {
    class: "primary large",
    hidden: () => running() || saidHere()?.waits === true,
    disabled: () => !form.ok.value,
  });
  const stop = button("Cancel", stopHere, { class: "danger large", hidden: () => !running() });
  /** Searches that run for other positions, each with a way to it. */
  const others = each(
    () => runningSearches().filter((one) => keyOf(one.board) !== here.value),
    (one) => one.id,
    (one) =>
      h("p.banner.fair", [
        h("span", `${one.value.title}: a search goes on (${configWords(one.value.config)}).`),
        button("Show", () => setLevel(one.value.level)),
        button("Cancel it", () => cancelIt(one.value)),
      ]),
  );
  const heatWords = () =>
    `Heat map: ${search.value?.job?.live.strategies.length ? "where the searches moved boxes to" : "how often the search had a box on a square"} (the stronger the colour, the more often)`;
  const heatHidden = () => saidHere() !== null || !search.value?.job?.live.heat;

  const element = h("div.view.two", [
    h("h1.hidden-text", "Solve and watch"),
    h("div.stage", [
      levelBar({ searched: true }),
      h("div.board-card.card", [
        view.element,
        tick(
          heatWords,
          () => heat.value,
          (on) => (heat.value = on),
          { class: "inline heat", hidden: heatHidden },
        ),
        h("div", { hidden: () => !lurd.value }, [playback.element]),
      ]),
      h(
        "section.card.answer",
        { hidden: () => !answer.value, "aria-label": "The answer" },
        () => answer.value && answerParts(answer.value),
      ),
      liveSearch(
        () => search.value,
        () => saidHere()?.words ?? null,
        stopHere,
      ),
      h("div.others", others),
    ]),
    h("aside.side.card", { "aria-label": "How to solve" }, [
      h("h2", "How to solve"),
      h("div.row", [start, stop]),
      form.plan,
      form.element,
    ]),
  ]);
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && !stop.hidden) stop.click();
      else if (event.key === "Enter" && !start.hidden && !start.disabled) start.click();
      else return lurd.value !== null && playback.key(event);
      return true;
    },
    left: () => playback.pause(),
  };
}
