// One batch run: watched while it runs, then read as charts and tables; stopped and resumed.

import { ApiError, get, post, serverAddress, serverEvents } from "../lib/api.js";
import { announce, button, fill, h, select, sentenceOf, toast } from "../lib/dom.js";
import { count, decimal, plural, time } from "../lib/format.js";
import { showConnection } from "../sokoban/connection.js";
import { goTo, hrefOf } from "./place.js";
import { sectionsOf } from "./report.js";
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
export function outcomeBar(run) {
  const all = Math.max(1, run.levels);
  const parts = /** @type {[string, number][]} */ ([
    ["solved", run.solved],
    ["unsolvable", run.unsolvable],
    ["open", run.open],
    ["failed", run.failed],
  ]);
  const bar = h("div", {
    class: "outcomes",
    role: "img",
    "aria-label": `${
      parts
        .filter(([, n]) => n)
        .map(([name, n]) => `${count(n)} ${name}`)
        .join(", ") || "nothing yet"
    } of ${plural(run.levels, "level")}`,
  });
  for (const [name, n] of parts) {
    if (!n) continue;
    const part = h("span", { class: `outcome-${name}` });
    part.style.flexGrow = String(n / all);
    bar.append(part);
  }
  const rest = h("span", { class: "outcome-rest" });
  rest.style.flexGrow = String(Math.max(0, all - run.solved - run.unsolvable - run.open - run.failed) / all);
  bar.append(rest);
  return bar;
}

export class RunPage {
  constructor() {
    /** @type {RunWatch|null} */
    this.watch = null;
    this.asked = 0;
    this.reported = 0;
    this.took = 0;
    this.reading = false;
    /** @type {Run|null} */
    this.run = null;
    this.heading = h("h2", { class: "library-title" });
    this.status = h("p", { class: "status", role: "status" });
    this.about = h("p", { class: "muted" });
    this.trouble = h("div", { class: "banner bad", role: "alert", hidden: true });
    this.bar = h("div");
    this.figures = h("dl", { class: "figures" });
    this.stop = button("Stop", () => this.ask("stop"), { class: "danger" });
    this.resume = button("Resume", () => this.ask("resume"), { class: "primary" });
    this.why = h("p", { class: "about" });
    this.files = h("p", { class: "files" });
    this.compare = h("div", { class: "row wrap compare-with", hidden: true });
    this.sections = h("div", { class: "stage report" });
    this.card = h(
      "section",
      { class: "card live run-card", "aria-label": "Run" },
      this.heading,
      this.trouble,
      this.status,
      this.about,
      this.bar,
      this.figures,
      this.why,
      h("div", { class: "row wrap" }, this.stop, this.resume, this.compare),
      this.files,
    );
    this.element = h(
      "section",
      { class: "stage", "aria-label": "Batch run" },
      h("div", { class: "row" }, h("a", { href: hrefOf("/runs") }, "All batch runs")),
      this.card,
      this.sections,
    );
  }

  /** @param {string} id */
  async show(id) {
    this.leave();
    this.asked += 1;
    const mine = this.asked;
    if (this.run?.id !== id) {
      this.run = null;
      this.card.hidden = true;
      fill(this.sections);
    }
    try {
      const [run, runs] = /** @type {[Run, Run[]]} */ (
        await Promise.all([get(`/library/runs/${id}`), get("/library/runs")])
      );
      if (mine !== this.asked) return;
      this.card.hidden = false;
      this.draw(run);
      this.drawCompare(run, runs);
      this.read(id);
      if (run.state === "running" || run.state === "elsewhere") this.follow(id);
    } catch (error) {
      if (mine !== this.asked) return;
      this.card.hidden = true;
      fill(this.sections, h("p", { class: "card status", role: "status" }, sentenceOf(error)));
    }
  }

  /** @param {string} id */
  follow(id) {
    this.watch?.stop();
    this.watch = new RunWatch(
      id,
      (run) => {
        const was = this.run?.state;
        this.draw(run);
        if (run.state !== "running" && was === "running") {
          announce(`The run is ${stateWords(run)}: ${count(run.solved)} of ${plural(run.levels, "level")} solved.`);
          document.dispatchEvent(new CustomEvent("librarychange"));
        }
        this.read(id, run.state === "running" ? REPORT_PACE : 0);
      },
      (error) => toast(sentenceOf(error), "error"),
    );
  }

  leave() {
    this.watch?.stop();
    this.watch = null;
  }

  /** @param {"stop"|"resume"} what */
  async ask(what) {
    const { run } = this;
    if (!run) return;
    this.stop.disabled = this.resume.disabled = true;
    try {
      const next = /** @type {Run} */ (await post(`/library/runs/${run.id}/${what}`, {}));
      if (this.run?.id !== run.id) return;
      this.draw(next);
      if (next.state === "running") this.follow(run.id);
      else this.read(run.id);
      announce(`The run is ${stateWords(next)}.`);
    } catch (error) {
      toast(sentenceOf(error), "error");
    } finally {
      this.stop.disabled = this.resume.disabled = false;
    }
  }

  /** @param {Run} run */
  draw(run) {
    this.run = run;
    const running = run.state === "running";
    const done = run.solved + run.unsolvable + run.open + run.failed;
    const { progress } = run;
    this.heading.textContent = run.name;
    const round = progress && run.seconds.length > 1 ? `, round ${progress.round} of ${run.seconds.length}` : "";
    this.status.textContent = `${stateWords(run).replace(/^./, (letter) => letter.toUpperCase())}${round}: ${count(done)} of ${plural(run.levels, "level")} tried`;
    this.about.textContent = `Wanted: ${goalWords(run)}, ${limitWords(run)} a level. Begun ${dateWords(run.created)} on ${run.machine} by lurd ${run.version}${run.ended === null ? "" : `, ended ${dateWords(run.ended)}`}.`;
    this.trouble.hidden = run.trouble === null;
    this.trouble.textContent = run.trouble === null ? "" : `The run stopped: ${run.trouble}`;
    fill(this.bar, outcomeBar(run));
    const figures = [
      ["Solved", count(run.solved), "solved"],
      ["No solution", count(run.unsolvable), "unsolvable"],
      ["Open", count(run.open), "open"],
      ["Failed", count(run.failed), "failed"],
    ];
    if (progress)
      figures.push(
        ["Waiting", count(progress.waiting)],
        ["Searches a second", decimal(progress.rate)],
        ["Time left, this round", progress.seconds_left === null ? "…" : time(progress.seconds_left)],
        ["Side by side", count(progress.jobs)],
      );
    else if (done < run.levels) figures.push(["Not tried", count(run.levels - done)]);
    fill(
      this.figures,
      figures.map(([name, value, mark]) =>
        h("div", { class: mark ? `mark mark-${mark}` : null }, h("dt", null, name), h("dd", null, value)),
      ),
    );
    this.stop.hidden = !running;
    this.resume.hidden = run.state !== "interrupted" || run.why_not !== null;
    this.why.textContent =
      run.state === "interrupted"
        ? (run.why_not ?? "Nothing that was found is lost. Resume goes on with the levels that are left.")
        : "";
    this.why.hidden = !this.why.textContent;
    // Drawn once for a run: a link drawn anew under the pointer would miss the click.
    if (this.files.dataset.run !== run.id)
      fill(
        this.files,
        "Files with every level: ",
        /** @type {[string, string][]} */ ([
          ["html", "HTML"],
          ["csv", "CSV"],
          ["json", "JSON"],
        ]).flatMap(([form, name], at) => [
          at ? ", " : "",
          h(
            "a",
            { href: serverAddress(`/library/runs/${run.id}/report/${form}`), download: `${run.name}.${form}` },
            name,
          ),
        ]),
      );
    this.files.dataset.run = run.id;
  }

  /** @param {Run} run @param {Run[]} runs */
  drawCompare(run, runs) {
    const others = runs.filter((one) => one.id !== run.id);
    if (others.length === 0) {
      this.compare.hidden = true;
      return;
    }
    this.compare.hidden = false;
    const choice = select(
      others.map((one) => [one.id, one.name]),
      others[0]?.id ?? "",
      () => {},
    );
    choice.setAttribute("aria-label", "Another run");
    fill(
      this.compare,
      button("Compare with", () => goTo(`/compare/${choice.value}/${run.id}`)),
      choice,
    );
  }

  /** Reads the report, not too often. @param {string} id @param {number} [pace] */
  async read(id, pace = 0) {
    // A report over very many levels takes the server a while: it is asked for all the less often.
    if ((pace && performance.now() - this.reported < Math.max(pace, this.took * 20)) || this.reading) return;
    this.reading = true;
    const begun = performance.now();
    const state = this.run?.state;
    try {
      const report = await get(`/library/runs/${id}/report`);
      if (this.run?.id === id) {
        // A table that somebody reads by keyboard is not drawn anew under their hands.
        if (!this.sections.contains(document.activeElement)) fill(this.sections, sectionsOf(report, ["Overview"]));
      }
    } catch (error) {
      if (this.run?.id === id) fill(this.sections, h("p", { class: "card status" }, sentenceOf(error)));
    } finally {
      this.reported = performance.now();
      this.took = this.reported - begun;
      this.reading = false;
    }
    // The run ended while its report was read.
    if (this.run?.id === id && this.run.state !== state) this.read(id);
  }
}
