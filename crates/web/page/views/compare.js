// Compare configurations on one level: side by side while they run, then a table and charts. What is shown belongs to the
// level it was run on; the list beside it is what runs next.

import { barCharts } from "../lib/chart.js";
import { announce, button, fill, h, iconButton, select, sentenceOf, toast } from "../lib/dom.js";
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
  /** @type {{preset: string, own: boolean, configs: Config[], words: string, together: boolean, logarithmic: boolean}} What runs next. */
  const next = {
    preset: "informed",
    own: false,
    configs: [],
    words: "",
    together: true,
    logarithmic: false,
    ...kept("compare-next"),
  };
  /** @type {Promise<void>} The ready-made comparison that was chosen last, while its configurations are on their way. */
  let preparing = Promise.resolve();
  let drawn = 0;
  const show = () => {
    drawn ||= requestAnimationFrame(() => {
      drawn = 0;
      draw();
    });
  };
  /** @type {Comparison|null} What was run. */
  let last = Comparison.restored(show);

  const heading = h("h2", { class: "compare-title" });
  const told = h("p", { class: "muted compare-note" });
  const table = h("div", { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "Results" });
  const charts = h("div", { class: "compare-charts" });
  const planned = h("ul", { class: "planned" });
  const logarithmic = h("input", {
    type: "checkbox",
    checked: next.logarithmic,
    onchange: () => {
      next.logarithmic = logarithmic.checked;
      keepNext();
      show();
    },
  });
  const exports = h(
    "div",
    { class: "row wrap", hidden: true },
    button("Save CSV", () => last && saveText(`${last.fileName}.csv`, last.csv(), "text/csv")),
    button(
      "Save SVG",
      () => last && saveText(`${last.fileName}.svg`, last.svg(next.logarithmic).text, "image/svg+xml"),
    ),
    button("Save PNG", async () => {
      if (!last) return;
      const { text, width, height } = last.svg(next.logarithmic);
      saveBlob(`${last.fileName}.png`, await pngOfSvg(text, width, height));
    }),
    h("label", { class: "check inline" }, logarithmic, h("span", null, "Logarithmic charts")),
  );
  const presetAbout = h("p", { class: "about", id: "preset-about" });
  const preset = select(
    list.map((one) => [one.name, one.label]),
    next.preset,
    () => usePreset(),
  );
  preset.id = "preset";
  preset.setAttribute("aria-describedby", "preset-about");
  const mode = select(
    [
      ["together", "Side by side"],
      ["alone", "One after another"],
    ],
    next.together ? "together" : "alone",
    (value) => {
      next.together = value === "together";
      keepNext();
    },
  );
  mode.id = "compare-mode";

  const start = button("Run", () => run(), { class: "primary large" });
  const stop = button("Cancel", () => last?.cancel(), { class: "danger large", hidden: true });

  const keepNext = () => keep("compare-next", next);

  function usePreset() {
    const chosen = list.find((one) => one.name === preset.value);
    if (!chosen) return;
    presetAbout.textContent = chosen.about;
    planned.setAttribute("aria-busy", "true");
    const mine = prepared(chosen).then(
      ({ configs, words }) => {
        // What was chosen or put together since is not undone by an answer that comes late.
        if (mine !== preparing) return;
        planned.removeAttribute("aria-busy");
        Object.assign(next, { preset: chosen.name, own: false, configs, words });
        keepNext();
        show();
      },
      (error) => {
        if (mine === preparing) planned.removeAttribute("aria-busy");
        toast(sentenceOf(error), "error");
      },
    );
    preparing = mine;
  }

  /** @param {Config[]} configs */
  function useOwn(configs) {
    preparing = Promise.resolve();
    planned.removeAttribute("aria-busy");
    Object.assign(next, { own: true, configs });
    keepNext();
    show();
  }

  async function run() {
    start.disabled = true;
    await preparing;
    start.disabled = false;
    if (next.configs.length === 0) {
      toast("Add a configuration or choose a comparison first.");
      return;
    }
    const label = next.own
      ? "Own configurations"
      : (list.find((one) => one.name === next.preset)?.label ?? next.preset);
    last = Comparison.here(
      { preset: label, words: next.own ? "" : next.words, together: next.together, limits: form.limits },
      next.configs,
      show,
    );
    announce("The comparison has started.");
    await last.run();
    announce("The comparison has ended.");
  }

  function draw() {
    const configs = next.configs;
    fill(
      planned,
      configs.map((config, index) =>
        h(
          "li",
          null,
          h("span", null, configWords(config)),
          iconButton(
            "close",
            `Remove ${configWords(config)}`,
            () => useOwn(configs.filter((_, other) => other !== index)),
            { class: "icon-button small" },
          ),
        ),
      ),
    );
    const running = last?.running === true;
    start.hidden = running;
    stop.hidden = !running;
    exports.hidden = !last?.entries.some((entry) => entry.result);
    if (!last) {
      heading.textContent = "Comparison";
      told.textContent = "Press Run: a table and charts of nodes, time, memory and length appear here.";
      fill(table);
      fill(charts);
      return;
    }
    heading.textContent = last.title;
    const elsewhere = keyOf(last.about.board) !== keyOf(startBoard());
    told.textContent =
      `${last.about.words}${elsewhere ? " The level above is another one: Run compares on it." : ""}`.trim();
    fill(table, resultTable(last));
    const run = last;
    fill(
      charts,
      run
        .groups((entry) => run.label(entry))
        .map((group) => h("div", null, barCharts([group], { logarithmic: next.logarithmic }).picture)),
    );
  }

  document.addEventListener("levelchange", () => {
    view.show(Position.parse(startBoard()), {});
    show();
  });
  view.show(Position.parse(startBoard()), {});
  if (next.configs.length && next.own)
    presetAbout.textContent = list.find((one) => one.name === next.preset)?.about ?? "";
  else usePreset();
  if (last?.isOpen) last.run();
  draw();

  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "Compare"),
    h(
      "div",
      { class: "stage" },
      levelBar({ searched: true }),
      h("div", { class: "card board-card" }, view.element),
      h(
        "section",
        { class: "card live comparison", "aria-label": "Comparison" },
        heading,
        told,
        table,
        exports,
        charts,
      ),
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "What to compare" },
      h("h2", null, "What to compare"),
      h("div", { class: "row" }, start, stop),
      h("div", { class: "field" }, h("label", { htmlFor: "preset" }, "Ready-made comparison"), preset, presetAbout),
      h(
        "div",
        { class: "field" },
        h("label", { htmlFor: "compare-mode" }, "Run"),
        mode,
        h(
          "p",
          { class: "about" },
          "Side by side they share the machine; one after another their times compare fairly.",
        ),
      ),
      h("h3", null, "The next run"),
      planned,
      h("h3", null, "Or put together your own"),
      h(
        "div",
        { class: "row" },
        button("Add this configuration", () => useOwn([...next.configs, form.config])),
        button("Clear", () => useOwn([])),
      ),
      form.plan,
      form.element,
    ),
  );
  return { element, shown: show };
}

/** The figures of a comparison, a row for each configuration. @param {Comparison} comparison */
function resultTable(comparison) {
  const number = (/** @type {string} */ text) => h("td", { class: "number" }, text);
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
    return h(
      "tr",
      null,
      h(
        "td",
        null,
        comparison.label(entry),
        missing.length
          ? h(
              "span",
              { class: "about" },
              ` without ${missing.join(", ")}, which ${missing.length === 1 ? "does" : "do"} not go with it`,
            )
          : null,
      ),
      h(
        "td",
        { class: "outcome" },
        outcome,
        result?.solution ? h("span", { class: "about" }, ` ${proofWords(result.proof)}`) : null,
      ),
      number(live || result ? count(result?.expanded ?? live?.expanded ?? 0) : ""),
      number(live || result ? count(result?.generated ?? live?.generated ?? 0) : ""),
      number(live || result ? count(cutsOf(result?.pruned ?? live?.pruned ?? {})) : ""),
      number(live || result ? time(result?.seconds ?? live?.seconds ?? 0) : ""),
      number(live || result ? bytes(result?.peak_bytes ?? live?.bytes ?? 0) : ""),
      number(!result || result.pushes === null ? "" : count(result.pushes)),
      number(!result || result.moves === null ? "" : count(result.moves)),
    );
  });
  return h(
    "table",
    { class: "results" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        ["Configuration", "Outcome"].map((name) => h("th", null, name)),
        ["Expanded", "Generated", "Cut", "Time", "Memory", "Pushes", "Moves"].map((name) =>
          h("th", { class: "number" }, name),
        ),
      ),
    ),
    h("tbody", null, rows),
  );
}
