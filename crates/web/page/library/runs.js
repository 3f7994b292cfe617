// Batch runs: all of them, and a form that begins one.

import { get, post } from "../lib/api.js";
import { button, field, fill, h, select, sentenceOf, toast } from "../lib/dom.js";
import { count, plural, time } from "../lib/format.js";
import { pretty } from "../sokoban/config.js";
import { store } from "../store.js";
import { addCollection } from "./add.js";
import { goTo, hrefOf, levelsOf } from "./place.js";
import { RunWatch, outcomeBar } from "./run.js";
import { dateWords, goalNames, goalWords, limitWords, stateWords } from "./words.js";

/** @typedef {import("../lib/types.js").Run} Run */
/** @typedef {import("../lib/types.js").CollectionRow} CollectionRow */
/** @typedef {import("./place.js").Filter} Filter */

/** A filter in words. @param {Filter} filter */
function filterWords(filter) {
  const range = (/** @type {string|undefined} */ value, /** @type {string} */ unit) =>
    value ? `${value.replace(/^-/, "up to ").replace(/-$/, " or more")} ${unit}` : "";
  return [
    filter.text ? `“${filter.text}”` : "",
    filter.collection ?? "",
    filter.state ?? "",
    range(filter.boxes, "boxes"),
    range(filter.squares, "squares"),
    filter.grades ? `grade ${filter.grades}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

export class RunsPage {
  /** @param {() => Filter} lastFilter what was last looked for among the levels */
  constructor(lastFilter) {
    this.lastFilter = lastFilter;
    this.asked = 0;
    /** @type {RunWatch|null} */
    this.watch = null;
    /** @type {Run[]} */
    this.runs = [];
    this.status = h("p", { class: "status", role: "status" });
    /** @type {Map<string, HTMLElement>} */
    this.rows = new Map();
    this.body = h("tbody");
    this.table = h(
      "div",
      { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "All batch runs", hidden: true },
      h(
        "table",
        { class: "results runs-table" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", null, "Run"),
            h("th", null, "State"),
            ["Levels", "Solved", "No solution", "Open", "Failed", "A second"].map((name) =>
              h("th", { class: "number" }, name),
            ),
            h("th", null, "Goal and limits"),
          ),
        ),
        this.body,
      ),
    );
    this.compare = h("div", { class: "row wrap" });
    this.what = h("div", { class: "goals", role: "radiogroup", "aria-label": "Which levels" });
    this.collections = h("div", { class: "collection-checks", role: "group", "aria-label": "Collections" });
    this.goal = select(
      store.about.solver.goals.map(({ name }) => [name, goalNames[name] ?? name]),
      "any",
      () => {},
    );
    this.algorithm = select(
      [
        ["", "lurd decides"],
        .../** @type {[string, string][]} */ (store.about.solver.algorithms.map(({ name }) => [name, pretty(name)])),
      ],
      "",
      () => {},
    );
    this.limits = h("input", {
      type: "text",
      value: String(Math.min(10, store.about.limits.seconds)),
      inputMode: "decimal",
      spellcheck: false,
    });
    this.jobs = h("input", {
      type: "number",
      min: "1",
      max: String(store.about.limits.running),
      step: "1",
      value: String(Math.max(1, store.about.limits.running - 1)),
    });
    this.name = h("input", { type: "text", maxLength: 100, placeholder: "the moment it begins" });
    this.start = button("Start the batch", () => this.begin(), { class: "primary large" });
    this.told = h("p", { class: "form-error", role: "alert" });
    this.form = h(
      "aside",
      { class: "side card", "aria-label": "A new batch run", hidden: true },
      h("h2", null, "A new batch run"),
      h(
        "p",
        { class: "about" },
        "Every level is searched for itself, and each result is kept at once: a run can be stopped and resumed at any time.",
      ),
      h("fieldset", null, h("legend", null, "Which levels"), this.what),
      field("Goal", this.goal),
      field(
        "Seconds for one level",
        this.limits,
        "Several, such as 1, 10, 60, are rounds: all levels get the first limit, those that stay open the next.",
      ),
      field("Searches side by side", this.jobs, `This machine runs up to ${store.about.limits.running} at once.`),
      field("Algorithm", this.algorithm),
      field("Name", this.name),
      this.told,
      h("div", { class: "row" }, this.start),
    );
    this.element = h(
      "div",
      { class: "view two" },
      h(
        "section",
        { class: "stage", "aria-label": "Batch runs" },
        h("div", { class: "card live" }, h("h2", null, "Batch runs"), this.status, this.table, this.compare),
      ),
      this.form,
    );
    document.addEventListener("librarychange", () => {
      if (this.element.isConnected) this.show();
    });
    document.addEventListener("levelchange", () => {
      if (this.element.isConnected) this.show();
    });
  }

  async show() {
    this.leave();
    this.asked += 1;
    const mine = this.asked;
    const filter = levelsOf(this.lastFilter());
    const parts = new URLSearchParams({ .../** @type {Record<string, string>} */ (filter), most: "1" });
    try {
      const [runs, collections, found] = await Promise.all([
        get("/library/runs"),
        get("/library/collections"),
        get(`/library/levels?${parts}`).catch(() => ({ total: 0 })),
      ]);
      if (mine !== this.asked) return;
      this.runs = runs;
      this.drawForm(collections, filter, found.total);
      this.draw();
    } catch (error) {
      if (mine !== this.asked) return;
      this.status.textContent = sentenceOf(error);
      this.table.hidden = true;
      fill(this.compare);
      this.form.hidden = true;
      return;
    }
    this.form.hidden = false;
    const running = this.runs.find((run) => run.state === "running" || run.state === "elsewhere");
    if (running) {
      this.watch = new RunWatch(
        running.id,
        (run) => {
          this.runs = this.runs.map((one) => (one.id === run.id ? run : one));
          this.draw();
        },
        () => this.show(),
      );
    }
  }

  leave() {
    this.watch?.stop();
    this.watch = null;
  }

  /**
   * The row of a run, which stays: a link drawn anew under the pointer would miss the click.
   * @param {Run} run
   */
  rowOf(run) {
    const row =
      this.rows.get(run.id) ??
      h(
        "tr",
        null,
        h(
          "td",
          null,
          h("a", { href: hrefOf(`/run/${run.id}`) }, run.name),
          h("br"),
          h("span", { class: "about" }, dateWords(run.created)),
        ),
      );
    this.rows.set(run.id, row);
    return row;
  }

  draw() {
    const { runs } = this;
    this.status.textContent = runs.length
      ? plural(runs.length, "run")
      : "No batch has been run yet. Choose levels beside this, and start one.";
    this.table.hidden = runs.length === 0;
    const number = (/** @type {string} */ text) => h("td", { class: "number" }, text);
    const rows = runs.map((run) => {
      const row = this.rowOf(run);
      while (row.children.length > 1) row.lastElementChild?.remove();
      row.append(
        h(
          "td",
          { class: "outcome" },
          stateWords(run),
          run.progress?.seconds_left ? h("span", { class: "about" }, ` ${time(run.progress.seconds_left)} left`) : "",
          outcomeBar(run),
        ),
        number(count(run.levels)),
        number(count(run.solved)),
        number(count(run.unsolvable)),
        number(count(run.open)),
        number(count(run.failed)),
        number(run.progress ? run.progress.rate.toFixed(1) : ""),
        h("td", null, `${goalWords(run)}, ${limitWords(run)}`),
      );
      return row;
    });
    if (rows.length !== this.body.children.length || rows.some((row, at) => row !== this.body.children[at])) {
      const focused = /** @type {HTMLElement|null} */ (document.activeElement);
      fill(this.body, rows);
      if (this.body.contains(focused)) focused?.focus();
    }
    fill(
      this.compare,
      runs.length > 1 ? h("a", { class: "as-button", href: hrefOf("/compare") }, "Compare two runs …") : null,
    );
  }

  /** @param {CollectionRow[]} collections @param {Filter} filter @param {number} found */
  drawForm(collections, filter, found) {
    const words = filterWords(filter);
    const opened = store.collection;
    /** @type {[string, string, boolean][]} */
    const choices = [
      ["collections", "Collections of the library", collections.length > 0],
      [
        "filter",
        words ? `The ${plural(found, "level")} last found: ${words}` : `All ${plural(found, "level")} of the library`,
        found > 0,
      ],
      [
        "opened",
        `The levels open on the page: ${opened.title || "Levels"} (${opened.levels.length})`,
        opened.levels.length > 0,
      ],
    ];
    const before = this.chosen;
    const possible = choices.filter(([, , can]) => can).map(([name]) => name);
    const chosen =
      before && possible.includes(before) ? before : words && found > 0 ? "filter" : (possible[0] ?? "opened");
    const marked = new Set(this.marked);
    fill(
      this.what,
      choices.flatMap(([name, label, can]) => [
        h(
          "label",
          { class: "check" },
          h("input", {
            type: "radio",
            name: "batch-levels",
            value: name,
            checked: name === chosen,
            disabled: !can,
            onchange: () => this.update(),
          }),
          h("span", null, label),
        ),
        name === "collections" ? this.collections : null,
      ]),
    );
    fill(
      this.collections,
      collections.map((one) =>
        h(
          "label",
          { class: "check" },
          h("input", { type: "checkbox", value: one.name, checked: marked.has(one.name) || collections.length === 1 }),
          h(
            "span",
            null,
            one.name,
            h("span", { class: "about" }, ` ${plural(one.levels, "level")}, ${count(one.solved)} solved`),
          ),
        ),
      ),
    );
    this.update();
  }

  /** Which levels are chosen. */
  get chosen() {
    return /** @type {HTMLInputElement|null} */ (this.what.querySelector("input[type=radio]:checked"))?.value ?? null;
  }

  get marked() {
    return [.../** @type {NodeListOf<HTMLInputElement>} */ (this.collections.querySelectorAll("input:checked"))].map(
      (box) => box.value,
    );
  }

  update() {
    this.collections.hidden = this.chosen !== "collections";
  }

  /** What the server is asked to start. Throws a sentence where the form is not complete. */
  async wanted() {
    const seconds = this.limits.value
      .split(/[,;\s]+/)
      .filter(Boolean)
      .map(Number);
    if (seconds.length === 0 || seconds.some((one) => !(one > 0)))
      throw new Error("Write seconds as numbers with commas between, such as 1, 10, 60.");
    const jobs = Number(this.jobs.value);
    if (!Number.isInteger(jobs) || jobs < 1)
      throw new Error("Searches side by side must be a whole number, at least 1.");
    const common = {
      request: { goal: this.goal.value, algorithm: this.algorithm.value || null },
      seconds,
      jobs,
      ...(this.name.value.trim() ? { name: this.name.value.trim() } : {}),
    };
    if (this.chosen === "filter") return { ...common, filter: levelsOf(this.lastFilter()) };
    if (this.chosen === "opened") return { ...common, collections: [(await addCollection(store.collection)).name] };
    if (this.marked.length === 0) throw new Error("Mark at least one collection.");
    return { ...common, collections: this.marked };
  }

  async begin() {
    this.start.disabled = true;
    this.told.textContent = "";
    try {
      const run = /** @type {Run} */ (await post("/library/runs", await this.wanted()));
      this.name.value = "";
      toast(`The batch ${run.name} has begun.`);
      goTo(`/run/${run.id}`);
    } catch (error) {
      this.told.textContent = sentenceOf(error);
    } finally {
      this.start.disabled = false;
    }
  }
}
