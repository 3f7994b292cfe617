// Compare configurations on one level: side by side while they run, then a table and charts. What is shown belongs to the
// level it was run on; the list beside it is what runs next.

import { barCharts } from "../lib/chart.js";
import { effect, latest, value } from "../lib/core.js";
import {
  announce,
  button,
  field,
  h,
  iconButton,
  scrolled,
  select,
  sentenceOf,
  table,
  tick,
  toast,
} from "../lib/dom.js";
import { bytes, count, proofWords, time } from "../lib/format.js";
import { pngOfSvg, saveBlob, saveText } from "../lib/save.js";
import { keep, kept } from "../lib/keep.js";
import { BoardView } from "../sokoban/board.js";
import { Comparison, cutsOf } from "../sokoban/comparison.js";
import { ConfigForm, configWords } from "../sokoban/config.js";
import { levelBar } from "../sokoban/levelbar.js";
import { outcomeWords } from "../sokoban/outcome.js";
import { Position } from "../sokoban/position.js";
import { prepared, presets } from "../sokoban/presets.js";
import { keyOf, startBoard } from "../store.js";

/** @typedef {import("../lib/types.js").Config} Config */

export function compareView() {
  const view = new BoardView({ label: "Level", largest: 26, tallest: 0.16 });
  const list = presets();
  const form = new ConfigForm({ name: "compare", open: true });
  const usual = { preset: "informed", own: false, words: "", together: true, logarithmic: false };
  /** What runs next. */
  const next = value(
    /** @type {typeof usual & {configs: Config[]}} */ ({ ...usual, configs: [], ...kept("compare-next") }),
  );
  /** @param {Partial<typeof next.now>} changes */
  const change = (changes) => {
    next.value = { ...next.now, ...changes };
    keep("compare-next", next.now);
  };
  /** The ready-made comparison that is chosen; its configurations may be on their way. */
  const chosen = value(/** @type {string} */ (next.now.preset));
  const presetOf = (/** @type {string} */ name) => list.find((one) => one.name === name);
  const begin = latest();
  let preparing = Promise.resolve();
  const isPreparing = value(false);

  /** What was run; it changes in place, and is drawn once for a frame. */
  const last = value(/** @type {Comparison|null} */ (null));
  let drawn = 0;
  const show = () => {
    drawn ||= requestAnimationFrame(() => {
      drawn = 0;
      last.touch();
    });
  };
  last.value = Comparison.restored(show);

  /** @param {string} name */
  function usePreset(name) {
    const wanted = presetOf(name);
    if (!wanted) return;
    chosen.value = name;
    isPreparing.value = true;
    const wait = begin();
    preparing = prepared(wanted).then(
      ({ configs, words }) => {
        // What was chosen or put together since is not undone by an answer that comes late.
        if (wait.isLate()) return;
        isPreparing.value = false;
        change({ preset: name, own: false, configs, words });
      },
      (error) => {
        if (!wait.isLate()) isPreparing.value = false;
        toast(sentenceOf(error), "error");
      },
    );
  }

  /** @param {Config[]} configs */
  function useOwn(configs) {
    begin();
    preparing = Promise.resolve();
    isPreparing.value = false;
    change({ own: true, configs });
  }

  const starting = value(false);
  async function run() {
    starting.value = true;
    // The comparison that was chosen last, whatever was chosen while one was on its way.
    for (let waited; waited !== preparing; await waited) waited = preparing;
    starting.value = false;
    const { own, preset, words, together, configs } = next.now;
    if (!configs.length) {
      toast("Add a configuration or choose a comparison first.");
      return;
    }
    const label = own ? "Own configurations" : (presetOf(preset)?.label ?? preset);
    const how = { preset: label, words: own ? "" : words, together, limits: form.limits };
    const comparison = Comparison.here(how, configs, show);
    last.value = comparison;
    announce("The comparison has started.");
    await comparison.run();
    announce("The comparison has ended.");
  }

  effect(() => view.show(Position.parse(startBoard()), {}));
  if (!next.now.own || !next.now.configs.length) usePreset(next.now.preset);
  if (last.now?.isOpen) last.now.run();

  const running = () => last.value?.running === true;
  const planned = () =>
    next.value.configs.map((config, index, all) => {
      const remove = () => useOwn(all.filter((_, other) => other !== index));
      const words = configWords(config);
      return h("li", [h("span", words), iconButton("close", `Remove ${words}`, remove, { class: "small" })]);
    });
  const told = () => {
    if (!last.value) return "Press Run: a table and charts of nodes, time, memory and length appear here.";
    const { words, board } = last.value.about;
    const elsewhere = keyOf(board) !== keyOf(startBoard());
    return `${words}${elsewhere ? " The level above is another one: Run compares on it." : ""}`.trim();
  };
  const charts = () => {
    const comparison = last.value;
    return comparison
      ?.groups((entry) => comparison.label(entry))
      .map((group) => h("div", [barCharts([group], { logarithmic: next.value.logarithmic }).picture]));
  };
  const saving = (/** @type {string} */ label, /** @type {(comparison: Comparison) => void} */ save) =>
    button(label, () => last.now && save(last.now));
  const pictureOf = (/** @type {Comparison} */ comparison) => comparison.svg(next.now.logarithmic);
  const modes = [
    ["together", "Side by side"],
    ["alone", "One after another"],
  ];
  const element = h("div.view.two", [
    h("h1.hidden-text", "Compare"),
    h("div.stage", [
      levelBar({ searched: true }),
      h("div.card.board-card", [view.element]),
      h("section.card.live.comparison", { "aria-label": "Comparison" }, [
        h("h2.compare-title", () => last.value?.title ?? "Comparison"),
        h("p.muted.compare-note", told),
        scrolled("Results", () => last.value && resultTable(last.value)),
        h("div.row.wrap", { hidden: () => !last.value?.entries.some((entry) => entry.result) }, [
          saving("Save CSV", (one) => saveText(`${one.fileName}.csv`, one.csv(), "text/csv")),
          saving("Save SVG", (one) => saveText(`${one.fileName}.svg`, pictureOf(one).text, "image/svg+xml")),
          saving("Save PNG", async (one) => {
            const { text, width, height } = pictureOf(one);
            saveBlob(`${one.fileName}.png`, await pngOfSvg(text, width, height));
          }),
          tick(
            "Logarithmic charts",
            () => next.value.logarithmic,
            (logarithmic) => change({ logarithmic }),
            { class: "inline" },
          ),
        ]),
        h("div.compare-charts", charts),
      ]),
    ]),
    h("aside.side.card", { "aria-label": "What to compare" }, [
      h("h2", "What to compare"),
      h("div.row", [
        button("Run", run, { class: "primary large", hidden: running, disabled: () => starting.value }),
        button("Cancel", () => last.now?.cancel(), { class: "danger large", hidden: () => !running() }),
      ]),
      field(
        "Ready-made comparison",
        select(
          list.map(({ name, label }) => [name, label]),
          next.now.preset,
          usePreset,
          { id: "preset" },
        ),
        () => presetOf(chosen.value)?.about,
      ),
      field(
        "Run",
        select(modes, next.now.together ? "together" : "alone", (mode) => change({ together: mode === "together" }), {
          id: "compare-mode",
        }),
        "Side by side they share the machine; one after another their times compare fairly.",
      ),
      h("h3", "The next run"),
      h("ul.planned", { "aria-busy": () => isPreparing.value && "true" }, planned),
      h("h3", "Or put together your own"),
      h("div.row", [
        button("Add this configuration", () => useOwn([...next.now.configs, form.config])),
        button("Clear", () => useOwn([])),
      ]),
      form.plan,
      form.element,
    ]),
  ]);
  return { element, shown: show };
}

/** The figures of a comparison, a row for each configuration. @param {Comparison} comparison */
function resultTable(comparison) {
  const number = (/** @type {string} */ text) => h("td.number", text);
  const rows = comparison.entries.map((entry) => {
    const { result, job } = entry;
    const live = job?.live;
    const outcome =
      entry.error ??
      (result
        ? result.solution
          ? "Solved"
          : outcomeWords(result, entry.because)
        : job?.status === "waiting"
          ? "waiting"
          : job
            ? "searching …"
            : "not run yet");
    const missing = comparison.missing(entry);
    return h("tr", [
      h("td", [
        comparison.label(entry),
        missing.length
          ? h(
              "span.about",
              ` without ${missing.join(", ")}, which ${missing.length === 1 ? "does" : "do"} not go with it`,
            )
          : null,
      ]),
      h("td.outcome", [outcome, result?.solution ? h("span.about", ` ${proofWords(result.proof)}`) : null]),
      number(live || result ? count(result?.expanded ?? live?.expanded ?? 0) : ""),
      number(live || result ? count(result?.generated ?? live?.generated ?? 0) : ""),
      number(live || result ? count(cutsOf(result?.pruned ?? live?.pruned ?? {})) : ""),
      number(live || result ? time(result?.seconds ?? live?.seconds ?? 0) : ""),
      number(live || result ? bytes(result?.peak_bytes ?? live?.bytes ?? 0) : ""),
      number(!result || result.pushes === null ? "" : count(result.pushes)),
      number(!result || result.moves === null ? "" : count(result.moves)),
    ]);
  });
  const figures = ["Expanded", "Generated", "Cut", "Time", "Memory", "Pushes", "Moves"];
  const columns = figures.map((name) => [name]);
  return table("results", ["Configuration", "Outcome", ...columns], rows);
}
