// Compare configurations on one level: side by side while they run, then a table and charts.

import { startJob } from "../lib/api.js";
import { barCharts } from "../lib/chart.js";
import { announce, button, fill, h, iconButton, select, toast } from "../lib/dom.js";
import { bytes, count, proofWords, short, time } from "../lib/format.js";
import { fileName, pngOfSvg, saveBlob, saveText } from "../lib/save.js";
import { BoardView } from "../sokoban/board.js";
import { ConfigForm, configWords } from "../sokoban/config.js";
import { levelBar } from "../sokoban/levelbar.js";
import { Position } from "../sokoban/position.js";
import { presets } from "../sokoban/presets.js";
import { store } from "../store.js";
import { outcomeWords, showConnection } from "./solve.js";

/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../lib/types.js").Job} Job */
/** @typedef {{config: Config, job: Job|null, error: string|null, following: import("../lib/api.js").Following|null}} Entry */

const COLUMNS = ["configuration", "outcome", "proof", "pushes", "moves", "expanded", "generated", "duplicates", "cut", "peak_frontier", "peak_bytes", "heuristic_bytes", "seconds"];

/** @param {string} text */
const csvCell = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

export function compareView() {
  const view = new BoardView({ label: "Level", largest: 26, tallest: 0.24 });
  /** @type {Entry[]} */
  let entries = [];
  let running = false;
  let together = true;
  const form = new ConfigForm();
  const list = presets();
  const table = h("div", { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "Results" });
  const charts = h("div", { class: "compare-charts" });
  const exports = h("div", { class: "row wrap", hidden: true },
    button("Save CSV", () => saveText(`${fileName(store.current.title)}-comparison.csv`, csv(), "text/csv")),
    button("Save SVG", () => saveText(`${fileName(store.current.title)}-comparison.svg`, svgText().text, "image/svg+xml")),
    button("Save PNG", async () => {
      const { text, width, height } = svgText();
      saveBlob(`${fileName(store.current.title)}-comparison.png`, await pngOfSvg(text, width, height));
    }),
  );
  const presetAbout = h("p", { class: "about", id: "preset-about" });
  const preset = select(list.map((one) => [one.name, one.label]), "informed", () => usePreset());
  preset.id = "preset";
  preset.setAttribute("aria-describedby", "preset-about");
  const mode = select([["together", "Side by side"], ["alone", "One after another"]], "together", (value) => (together = value === "together"));
  mode.id = "compare-mode";

  const start = button("Run", () => run(), { class: "primary large" });
  const stop = button("Cancel", () => {
    running = false;
    for (const entry of entries) if (entry.job?.status !== "done") entry.following?.cancel().catch(() => {});
  }, { class: "danger large", hidden: true });

  function usePreset() {
    const chosen = list.find((one) => one.name === preset.value);
    if (!chosen || running) return;
    presetAbout.textContent = chosen.about;
    entries = chosen.configs.map((config) => ({ config, job: null, error: null, following: null }));
    show();
  }

  async function run() {
    if (entries.length === 0) {
      toast("Add a configuration or choose a comparison first.");
      return;
    }
    running = true;
    start.hidden = true;
    stop.hidden = false;
    const board = store.current.board;
    for (const entry of entries) Object.assign(entry, { job: null, error: null, following: null });
    show();
    announce("The comparison has started.");
    const one = async (/** @type {Entry} */ entry) => {
      if (!running) return;
      try {
        entry.following = await startJob({ kind: "sokoban", board, config: entry.config, limits: form.limits }, (job) => {
          entry.job = job;
          show();
        }, showConnection);
        entry.job = await entry.following.ended;
      } catch (error) {
        entry.error = error instanceof Error ? error.message : String(error);
      }
      show();
    };
    if (together) await Promise.all(entries.map(one));
    else for (const entry of entries) await one(entry);
    running = false;
    start.hidden = false;
    stop.hidden = true;
    show();
    announce("The comparison has ended.");
  }

  const cuts = (/** @type {Record<string, number>} */ reasons) => Object.values(reasons).reduce((sum, number) => sum + number, 0);

  let drawn = 0;
  function show() {
    if (drawn) return;
    drawn = requestAnimationFrame(() => {
      drawn = 0;
      draw();
    });
  }

  function draw() {
    const number = (/** @type {string} */ text) => h("td", { class: "number" }, text);
    const rows = entries.map((entry, index) => {
      const { job, error } = entry;
      const result = job?.result ?? null;
      const live = job?.live ?? null;
      const status = error ?? (result ? outcomeWords(result, job?.cancelled_because ?? null) : job ? (job.status === "waiting" ? "waiting" : job.phase ?? "running …") : "ready");
      return h("tr", null,
        h("td", null, h("strong", null, configWords(entry.config))),
        h("td", { class: "outcome" }, status, result?.solution ? h("div", { class: "about" }, proofWords(result.proof)) : null),
        number(live ? count(result?.expanded ?? live.expanded) : ""),
        number(live ? count(result?.generated ?? live.generated) : ""),
        number(live ? short(cuts(result?.cuts ?? live.cuts)) : ""),
        number(live ? time(result?.seconds ?? live.seconds) : ""),
        number(live ? bytes(result?.peak_bytes ?? live.bytes) : ""),
        number(result?.pushes === null || !result ? "" : count(result.pushes)),
        number(result?.moves === null || !result ? "" : count(result.moves)),
        h("td", null, running ? null : iconButton("close", `Remove ${configWords(entry.config)}`, () => {
          entries.splice(index, 1);
          show();
        })),
      );
    });
    fill(table, h("table", null,
      h("thead", null, h("tr", null, ["Configuration", "Outcome"].map((name) => h("th", null, name)), ["Expanded", "Generated", "Cut", "Time", "Memory", "Pushes", "Moves"].map((name) => h("th", { class: "number" }, name)), h("th", null, h("span", { class: "hidden-text" }, "Remove")))),
      h("tbody", null, rows),
    ));
    const some = entries.some((entry) => entry.job);
    exports.hidden = !entries.some((entry) => entry.job?.result);
    fill(charts, some ? barCharts(groups()).picture : h("p", { class: "muted" }, "Charts of nodes, time, memory and length appear here when the searches run."));
  }

  function groups() {
    const bars = (/** @type {(entry: Entry) => number|null} */ value, /** @type {(n: number) => string} */ words) =>
      entries.map((entry) => {
        const n = value(entry);
        const solved = entry.job?.result?.solution;
        return { label: configWords(entry.config), value: n, text: n === null ? "none" : `${words(n)}${entry.job?.result && !solved ? " (not solved)" : ""}` };
      });
    return [
      { title: "Nodes generated", bars: bars((entry) => entry.job?.result?.generated ?? entry.job?.live.generated ?? null, short) },
      { title: "Time", bars: bars((entry) => entry.job?.result?.seconds ?? entry.job?.live.seconds ?? null, time) },
      { title: "Memory", bars: bars((entry) => entry.job?.result?.peak_bytes ?? entry.job?.live.bytes ?? null, bytes) },
      { title: "Length in pushes", bars: bars((entry) => entry.job?.result?.pushes ?? null, count) },
      { title: "Length in moves", bars: bars((entry) => entry.job?.result?.moves ?? null, count) },
    ];
  }

  function svgText() {
    const { picture, width, height } = barCharts(groups(), true);
    picture.removeAttribute("class");
    return { text: new XMLSerializer().serializeToString(picture), width, height };
  }

  function csv() {
    const rows = entries.map((entry) => {
      const result = entry.job?.result;
      const cells = result
        ? [configWords(entry.config), result.outcome, result.proof, result.pushes ?? "", result.moves ?? "", result.expanded, result.generated, result.duplicates, cuts(result.cuts), result.peak_frontier, result.peak_bytes, result.heuristic_bytes, result.seconds]
        : [configWords(entry.config), entry.error ?? "", ...COLUMNS.slice(2).map(() => "")];
      return cells.map((cell) => csvCell(String(cell))).join(",");
    });
    return `${COLUMNS.join(",")}\n${rows.join("\n")}\n`;
  }

  const levelShown = () => {
    view.show(Position.parse(store.current.board), {});
    if (!running) {
      for (const entry of entries) Object.assign(entry, { job: null, error: null, following: null });
      show();
    }
  };
  document.addEventListener("levelchange", levelShown);
  usePreset();
  levelShown();

  const element = h("div", { class: "view two" },
    h("h1", { class: "hidden-text" }, "Compare"),
    h("div", { class: "stage" },
      levelBar(),
      h("div", { class: "card board-card" }, view.element),
      h("section", { class: "card live", "aria-label": "Comparison" }, h("h2", null, "Comparison"), table, exports, charts),
    ),
    h("aside", { class: "side card", "aria-label": "What to compare" },
      h("h2", null, "What to compare"),
      h("div", { class: "row" }, start, stop),
      h("div", { class: "field" }, h("label", { htmlFor: "preset" }, "Ready-made comparison"), preset, presetAbout),
      h("div", { class: "field" }, h("label", { htmlFor: "compare-mode" }, "Run"), mode, h("p", { class: "about" }, "Side by side they share the machine; one after another their times compare fairly.")),
      h("h3", null, "Or put together your own"),
      h("div", { class: "row" }, button("Add this configuration", () => {
        entries.push({ config: form.config, job: null, error: null, following: null });
        show();
      }), button("Clear", () => {
        if (!running) entries = [];
        show();
      })),
      form.plan,
      form.element,
    ),
  );
  return { element };
}
