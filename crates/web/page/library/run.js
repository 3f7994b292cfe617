// One batch run: watched while it runs, then read as charts and tables; stopped and resumed.

import { ApiError, get, post, serverEvents } from "../lib/api.js";
import { answerOf, derived, effect, ending, untold, value } from "../lib/core.js";
import { announce, button, figures, h, select, sentenceOf, toast } from "../lib/dom.js";
import { count, decimal, plural, time } from "../lib/format.js";
import { showConnection } from "../lib/connection.js";
import { goTo, hrefOf, library } from "./place.js";
import { fileLinks, sectionsOf } from "./report.js";
import { dateWords, goalWords, limitWords, stateWords } from "./words.js";

/** @typedef {import("../lib/types.js").Run} Run */

/** The least time between two readings of the report of a running run, in milliseconds. */
const REPORT_PACE = 4000;
/** How often a run of another program is asked about, in milliseconds. */
const ASK_PACE = 3000;

/** Follows a run until it ends, stops, or nobody wants to know. */
export class RunWatch {
  /** @param {string} id @param {(run: Run) => void} onstate @param {(error: unknown) => void} onlost */
  constructor(id, onstate, onlost) {
    this.id = id;
    this.onstate = onstate;
    this.onlost = onlost;
    this.stopped = false;
    /** @type {() => void} */
    this.close = () => {};
    this.open();
  }

  open() {
    this.close = serverEvents(
      `/library/runs/${this.id}/events`,
      (run) => this.take(run),
      () => this.recover(500),
    );
  }

  /** @param {Run} run */
  take(run) {
    if (this.stopped) return;
    showConnection(true);
    this.onstate(run);
    if (run.state === "running") return;
    this.close();
    if (run.state === "elsewhere") setTimeout(() => this.stopped || this.open(), ASK_PACE);
    else this.stop();
  }

  /** The stream broke: ask until there is an answer, then go on. @param {number} wait */
  async recover(wait) {
    if (this.stopped) return;
    showConnection(false);
    await new Promise((done) => setTimeout(done, wait));
    if (this.stopped) return;
    try {
      await get(`/library/runs/${this.id}`);
      this.open();
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0) {
        showConnection(true);
        this.stop();
        this.onlost(error);
      } else this.recover(Math.min(wait * 2, 5000));
    }
  }

  stop() {
    this.stopped = true;
    this.close();
  }
}

/** The share of each outcome as a bar with words. @param {Run} run */
export function outcomeBar({ solved, unsolvable, open, failed, levels }) {
  const parts = Object.entries({ solved, unsolvable, open, failed }).filter(([, n]) => n);
  const words = parts.map(([name, n]) => `${count(n)} ${name}`).join(", ") || "nothing yet";
  const rest = Math.max(0, levels - solved - unsolvable - open - failed);
  const part = (/** @type {string} */ name, /** @type {number} */ n) =>
    h("span", { class: `outcome-${name}`, style: { flexGrow: String(n / Math.max(1, levels)) } });
  return h("div.outcomes", { role: "img", "aria-label": `${words} of ${plural(levels, "level")}` }, [
    parts.map(([name, n]) => part(name, n)),
    part("rest", rest),
  ]);
}

/** @param {Run} run */
function runFigures(run) {
  const { progress } = run;
  const left = run.levels - run.solved - run.unsolvable - run.open - run.failed;
  const now = progress
    ? [
        ["Waiting", count(progress.waiting)],
        ["Searches a second", decimal(progress.rate)],
        ["Time left, this round", progress.seconds_left === null ? "…" : time(progress.seconds_left)],
        ["Side by side", count(progress.jobs)],
      ]
    : left > 0
      ? [["Not tried", count(left)]]
      : [];
  return figures([
    ["Solved", count(run.solved), "solved"],
    ["No solution", count(run.unsolvable), "unsolvable"],
    ["Open", count(run.open), "open"],
    ["Failed", count(run.failed), "failed"],
    ...now,
  ]);
}

/** @param {Run} run */
function statusWords(run) {
  const done = run.solved + run.unsolvable + run.open + run.failed;
  const { progress } = run;
  const round = progress && run.seconds.length > 1 ? `, round ${progress.round} of ${run.seconds.length}` : "";
  const state = stateWords(run).replace(/^./, (letter) => letter.toUpperCase());
  return `${state}${round}: ${count(done)} of ${plural(run.levels, "level")} tried`;
}

/** @param {Run} run */
function aboutWords(run) {
  const ended = run.ended === null ? "" : `, ended ${dateWords(run.ended)}`;
  return `Wanted: ${goalWords(run)}, ${limitWords(run)} a level. Begun ${dateWords(run.created)} on ${run.machine} by lurd ${run.version}${ended}.`;
}

/** @param {() => string|null} id */
export function runPage(id) {
  const latestRun = value(/** @type {Run|null} */ (null));
  const run = derived(() => (latestRun.value?.id === id() ? latestRun.value : null));
  const report = value(/** @type {{id: string, parts: any}|null} */ (null));
  const busy = value(false);
  const listed = answerOf(() => {
    const wanted = id();
    return wanted === null ? null : Promise.all([get(`/library/runs/${wanted}`), get("/library/runs")]);
  });
  const sections = h("div.stage.report", () => {
    if (listed.value.error) return h("p.card.status", { role: "status" }, sentenceOf(listed.value.error));
    return report.value && report.value.id === id() && report.value.parts;
  });
  let [reported, took, reading] = [0, 0, false];

  /** Reads the report, not too often. @param {string} wanted @param {number} [pace] */
  async function read(wanted, pace = 0) {
    // A report over very many levels takes the server a while: it is asked for all the less often.
    if ((pace && performance.now() - reported < Math.max(pace, took * 20)) || reading) return;
    reading = true;
    const begun = performance.now();
    const state = latestRun.now?.state;
    const parts = await get(`/library/runs/${wanted}/report`).then(
      (answer) => sectionsOf(answer, ["Overview"]),
      (error) => h("p.card.status", sentenceOf(error)),
    );
    // A table that somebody reads by keyboard is not drawn anew under their hands.
    if (report.now?.id !== wanted || !sections.contains(document.activeElement)) report.value = { id: wanted, parts };
    reported = performance.now();
    took = reported - begun;
    reading = false;
    const now = untold(() => run.value);
    // The run ended while its report was read, or another one is looked at.
    if (now && (now.id !== wanted || now.state !== state)) read(now.id);
  }

  effect(() => {
    const { answer, waiting } = listed.value;
    if (!answer || waiting) return;
    latestRun.value = answer[0];
    read(answer[0].id);
  });
  /** What runs is followed as long as somebody looks at it. */
  const followed = derived(() =>
    run.value && ["running", "elsewhere"].includes(run.value.state) ? run.value.id : null,
  );
  effect(() => {
    if (!followed.value) return;
    const watch = new RunWatch(
      followed.value,
      (next) => {
        const was = latestRun.now?.state;
        latestRun.value = next;
        if (next.state !== "running" && was === "running") {
          announce(`The run is ${stateWords(next)}: ${count(next.solved)} of ${plural(next.levels, "level")} solved.`);
          library.touch();
        }
        read(next.id, next.state === "running" ? REPORT_PACE : 0);
      },
      (error) => toast(sentenceOf(error), "error"),
    );
    ending(() => watch.stop());
  });

  /** @param {"stop"|"resume"} what */
  async function ask(what) {
    const asked = untold(() => run.value);
    if (!asked) return;
    busy.value = true;
    try {
      const next = /** @type {Run} */ (await post(`/library/runs/${asked.id}/${what}`, {}));
      if (untold(id) === asked.id) latestRun.value = next;
      if (next.state !== "running") read(next.id);
      announce(`The run is ${stateWords(next)}.`);
    } catch (error) {
      toast(sentenceOf(error), "error");
    } finally {
      busy.value = false;
    }
  }

  const whenThere = (/** @type {(run: Run) => any} */ make) => () => run.value && make(run.value);
  const why = () => {
    if (run.value?.state !== "interrupted") return "";
    return run.value.why_not ?? "Nothing that was found is lost. Resume goes on with the levels that are left.";
  };
  const others = derived(() => (listed.value.answer?.[1] ?? []).filter((/** @type {Run} */ one) => one.id !== id()));
  const choice = select(
    () => others.value.map((/** @type {Run} */ one) => [one.id, one.name]),
    () => others.value[0]?.id ?? "",
    () => {},
    { "aria-label": "Another run" },
  );
  // A link that is made anew under the pointer would miss the click.
  const filesOf = derived(() => run.value?.id);
  return h("section.stage", { "aria-label": "Batch run" }, [
    h("div.row", [h("a", { href: hrefOf("/runs") }, "All batch runs")]),
    h(
      "section.card.live.run-card",
      { "aria-label": "Run", hidden: () => !run.value || listed.value.error !== undefined },
      [
        h("h2.library-title", () => run.value?.name),
        h(
          "div.banner.bad",
          { role: "alert", hidden: () => !run.value?.trouble },
          () => `The run stopped: ${run.value?.trouble}`,
        ),
        h("p.status", { role: "status" }, whenThere(statusWords)),
        h("p.muted", whenThere(aboutWords)),
        h("div", whenThere(outcomeBar)),
        h("dl.figures", whenThere(runFigures)),
        h("p.about", { hidden: () => !why() }, why),
        h("div.row.wrap", [
          button("Stop", () => ask("stop"), {
            class: "danger",
            hidden: () => run.value?.state !== "running",
            disabled: () => busy.value,
          }),
          button("Resume", () => ask("resume"), {
            class: "primary",
            hidden: () => run.value?.state !== "interrupted" || run.value.why_not !== null,
            disabled: () => busy.value,
          }),
          h("div.row.wrap.compare-with", { hidden: () => !others.value.length }, [
            button("Compare with", () => goTo(`/compare/${choice.value}/${untold(id)}`)),
            choice,
          ]),
        ]),
        h("p.files", () => {
          const one = filesOf.value;
          return one && fileLinks((form) => `/library/runs/${one}/report/${form}`, untold(() => run.value?.name) ?? "");
        }),
      ],
    ),
    sections,
  ]);
}
