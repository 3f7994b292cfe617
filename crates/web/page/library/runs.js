// Batch runs: all of them, and a form that begins one.

import { get, post } from "../lib/api.js";
import { answerOf, derived, effect, ending, value } from "../lib/core.js";
import { button, each, field, h, scrolled, select, sentenceOf, table, tick, toast } from "../lib/dom.js";
import { count, plural, time } from "../lib/format.js";
import { pretty } from "../sokoban/config.js";
import { choices as choicesOf, store } from "../store.js";
import { addCollection } from "./add.js";
import { goTo, hrefOf, levelsOf, library } from "./place.js";
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

/** @param {() => boolean} shown whether somebody looks @param {() => Filter} lastFilter what was last looked for among the levels */
export function runsPage(shown, lastFilter) {
  const { limits: most } = store.about;
  const again = value(0);
  const asked = answerOf(() => {
    if (!shown()) return null;
    // The levels that are open on the page, and those of the library, may be searched.
    [store.current, library.value, again.value];
    const filter = levelsOf(lastFilter());
    const parts = new URLSearchParams({ .../** @type {Record<string, string>} */ (filter), most: "1" });
    const found = get(`/library/levels?${parts}`).catch(() => ({ total: 0 }));
    return Promise.all([get("/library/runs"), get("/library/collections"), found]).then(
      ([runs, collections, { total }]) => ({
        runs: /** @type {Run[]} */ (runs),
        collections: /** @type {CollectionRow[]} */ (collections),
        filter,
        found: /** @type {number} */ (total),
      }),
    );
  });
  const there = () => asked.value.answer;
  const failed = () => asked.value.error !== undefined;
  /** Later states of a run that is watched. */
  const told = value(/** @type {Run|null} */ (null));
  const runs = derived(() => (there()?.runs ?? []).map((run) => (run.id === told.value?.id ? told.value : run)));
  const running = derived(() => {
    const one = shown() && there()?.runs.find((run) => run.state === "running" || run.state === "elsewhere");
    return one ? one.id : null;
  });
  effect(() => {
    if (!running.value) return;
    const watch = new RunWatch(
      running.value,
      (run) => (told.value = run),
      () => again.touch(),
    );
    ending(() => watch.stop());
  });

  /** @param {{readonly value: Run}} run */
  const row = (run) => {
    const number = (/** @type {() => string} */ words) => h("td.number", words);
    const { id, name, created } = run.value;
    return h("tr", [
      h("td", [h("a", { href: hrefOf(`/run/${id}`) }, name), h("br"), h("span.about", dateWords(created))]),
      h("td.outcome", () => {
        const left = run.value.progress?.seconds_left;
        return [stateWords(run.value), left ? h("span.about", ` ${time(left)} left`) : "", outcomeBar(run.value)];
      }),
      number(() => count(run.value.levels)),
      number(() => count(run.value.solved)),
      number(() => count(run.value.unsolvable)),
      number(() => count(run.value.open)),
      number(() => count(run.value.failed)),
      number(() => run.value.progress?.rate.toFixed(1) ?? ""),
      h("td", () => `${goalWords(run.value)}, ${limitWords(run.value)}`),
    ]);
  };
  const figures = ["Levels", "Solved", "No solution", "Open", "Failed", "A second"].map((one) => [one]);
  const all = scrolled(
    "All batch runs",
    table(
      "results runs-table",
      ["Run", "State", ...figures, "Goal and limits"],
      each(
        () => runs.value,
        (run) => run.id,
        row,
      ),
    ),
    { hidden: () => failed() || !runs.value.length },
  );

  /** Which levels a batch may take: a name, words, and whether there are any. @returns {[string, string, boolean][]} */
  const choices = () => {
    const { collections = [], filter = {}, found = 0 } = there() ?? {};
    const words = filterWords(filter);
    const { title, levels } = store.collection;
    return [
      ["collections", "Collections of the library", collections.length > 0],
      [
        "filter",
        words ? `The ${plural(found, "level")} last found: ${words}` : `All ${plural(found, "level")} of the library`,
        found > 0,
      ],
      ["opened", `The levels open on the page: ${title || "Levels"} (${levels.length})`, levels.length > 0],
    ];
  };
  const wish = value(/** @type {string|null} */ (null));
  const chosen = derived(() => {
    const possible = choices().flatMap(([name, , can]) => (can ? [name] : []));
    if (wish.value && possible.includes(wish.value)) return wish.value;
    const { filter = {}, found = 0 } = there() ?? {};
    return filterWords(filter) && found > 0 ? "filter" : (possible[0] ?? "opened");
  });
  const marked = value(/** @type {string[]} */ ([]));
  const marks = () => {
    const names = (there()?.collections ?? []).map((one) => one.name);
    return names.length === 1 ? names : names.filter((name) => marked.value.includes(name));
  };
  const mark = (/** @type {string} */ name, /** @type {boolean} */ on) =>
    (marked.value = [...marks().filter((one) => one !== name), ...(on ? [name] : [])]);
  const collection = (/** @type {{readonly value: CollectionRow}} */ one) => {
    const { name } = one.value;
    const about = () => ` ${plural(one.value.levels, "level")}, ${count(one.value.solved)} solved`;
    return tick(
      [name, h("span.about", about)],
      () => marks().includes(name),
      (on) => mark(name, on),
    );
  };
  const collections = h(
    "div.collection-checks",
    { role: "group", "aria-label": "Collections", hidden: () => chosen.value !== "collections" },
    each(
      () => there()?.collections ?? [],
      (one) => one.name,
      collection,
    ),
  );
  const what = each(
    choices,
    ([name]) => name,
    (choice) => {
      const [name] = choice.value;
      const input = h("input", {
        type: "radio",
        name: "batch-levels",
        value: name,
        checked: () => chosen.value === name,
        disabled: () => !choice.value[2],
        onchange: () => (wish.value = name),
      });
      return [h("label.check", [input, h("span", () => choice.value[1])]), name === "collections" && collections];
    },
  );

  const goal = select(
    choicesOf("goal").map(({ name }) => [name, goalNames[name] ?? name]),
    "any",
    () => {},
  );
  const algorithm = select(
    [["", "lurd decides"], ...choicesOf("algorithm").map(({ name }) => [name, pretty(name)])],
    "",
    () => {},
  );
  const limits = h("input", {
    type: "text",
    value: String(Math.min(10, most.seconds)),
    inputMode: "decimal",
    spellcheck: false,
  });
  const jobs = h("input", {
    type: "number",
    min: "1",
    max: String(most.running),
    step: "1",
    value: String(Math.max(1, most.running - 1)),
  });
  const name = h("input", { type: "text", maxLength: 100, placeholder: "the moment it begins" });
  const complaint = value("");
  const starting = value(false);

  /** What the server is asked to start. Throws a sentence where the form is not complete. */
  async function wanted() {
    const seconds = limits.value
      .split(/[,;\s]+/)
      .filter(Boolean)
      .map(Number);
    if (seconds.length === 0 || seconds.some((one) => !(one > 0)))
      throw new Error("Write seconds as numbers with commas between, such as 1, 10, 60.");
    const side = Number(jobs.value);
    if (!Number.isInteger(side) || side < 1)
      throw new Error("Searches side by side must be a whole number, at least 1.");
    const common = {
      request: { goal: goal.value, algorithm: algorithm.value || null },
      seconds,
      jobs: side,
      ...(name.value.trim() ? { name: name.value.trim() } : {}),
    };
    if (chosen.value === "filter") return { ...common, filter: levelsOf(lastFilter()) };
    if (chosen.value === "opened") return { ...common, collections: [(await addCollection(store.collection)).name] };
    if (!marks().length) throw new Error("Mark at least one collection.");
    return { ...common, collections: marks() };
  }

  async function begin() {
    starting.value = true;
    complaint.value = "";
    try {
      const run = /** @type {Run} */ (await post("/library/runs", await wanted()));
      name.value = "";
      toast(`The batch ${run.name} has begun.`);
      goTo(`/run/${run.id}`);
    } catch (error) {
      complaint.value = sentenceOf(error);
    } finally {
      starting.value = false;
    }
  }

  const status = () => {
    if (failed()) return sentenceOf(asked.value.error);
    if (!there()) return "";
    const none = "No batch has been run yet. Choose levels beside this, and start one.";
    return runs.value.length ? plural(runs.value.length, "run") : none;
  };
  return h("div.view.two", [
    h("section.stage", { "aria-label": "Batch runs" }, [
      h("div.card.live", [
        h("h2", "Batch runs"),
        h("p.status", { role: "status" }, status),
        all,
        h("div.row.wrap", [
          h(
            "a.as-button",
            { href: hrefOf("/compare"), hidden: () => failed() || runs.value.length < 2 },
            "Compare two runs …",
          ),
        ]),
      ]),
    ]),
    h("aside.side.card", { "aria-label": "A new batch run", hidden: () => failed() || !there() }, [
      h("h2", "A new batch run"),
      h("p.about", [
        "Every level is searched for itself, and each result is kept at once: a run can be stopped and resumed at any time.",
      ]),
      h("fieldset", [
        h("legend", "Which levels"),
        h("div.goals", { role: "radiogroup", "aria-label": "Which levels" }, what),
      ]),
      field("Goal", goal),
      field(
        "Seconds for one level",
        limits,
        "Several, such as 1, 10, 60, are rounds: all levels get the first limit, those that stay open the next.",
      ),
      field("Searches side by side", jobs, `This machine runs up to ${most.running} at once.`),
      field("Algorithm", algorithm),
      field("Name", name),
      h("p.form-error", { role: "alert" }, () => complaint.value),
      h("div.row", [button("Start the batch", begin, { class: "primary large", disabled: () => starting.value })]),
    ]),
  ]);
}
