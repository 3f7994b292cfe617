// The choices of a search. Every control says what it is and what it guarantees; what the choices
// come to together is asked of the server, which knows.

import { ApiError, post } from "../lib/api.js";
import { button, field, fill, h, select } from "../lib/dom.js";
import { keep, kept } from "../lib/keep.js";
import { store } from "../store.js";

/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../lib/types.js").Choice} Choice */
/** @typedef {import("../lib/types.js").Plan} Plan */
/** @typedef {import("../lib/types.js").JobLimits} JobLimits */

const AUTO = "";

/** @param {string} name A name of the API for people: "a-star" becomes "A*". */
export function pretty(name) {
  const words = name
    .replace(/\bida-star\b/g, "IDA*")
    .replace(/\ba-star\b/g, "A*")
    .replace(/-/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @type {Record<string, string>} What the flags of the command line are called here. */
const CONTROLS = {
  formulation: "One action is",
  reverse: "Backwards",
  weight: "Weight",
  "depth-limit": "Depth limit",
  "fallback-after": "Greedy after",
};

/** A sentence that speaks of flags, for those who see controls. @param {string} sentence */
const forPage = (sentence) =>
  sentence.replace(/--([a-z-]+)/g, (flag, name) => (CONTROLS[name] ? `“${CONTROLS[name]}”` : flag));

/** What a promise is called. @param {Plan} plan */
export function promiseWords(plan) {
  if (plan.promise === "fewest-pushes") return "Fewest pushes, proved";
  if (plan.promise === "fewest-moves") return "Fewest moves, proved";
  if (plan.promise === "at-most") return `At most ${plan.factor} × the shortest`;
  return "No promise about the length";
}

/** @param {Plan} plan */
export const promiseKind = (plan) =>
  plan.promise === "nothing" ? "plain" : plan.promise === "at-most" ? "fair" : "good";

/** Detectors that were chosen, in a few words: those there are, or those that are missing. @param {string[]} chosen */
function fewDetectors(chosen) {
  const missing = store.about.solver.detectors.map(({ name }) => name).filter((name) => !chosen.includes(name));
  if (!chosen.length) return "no detectors";
  if (!missing.length) return "all detectors";
  return missing.length < chosen.length ? `without ${missing.join(", ")}` : chosen.join(", ");
}

/** @param {Config} config The choices that were made, in a few words. */
export function configWords(config) {
  const open = !config.algorithm && !config.formulation && !config.heuristic && !config.deadlocks && !config.reverse;
  if (open && (config.goal ?? "any") === "any") return "Portfolio: several searches race";
  const parts = [config.algorithm ? pretty(config.algorithm) : "Automatic"];
  if (config.formulation) parts.push(config.formulation);
  if (config.heuristic) parts.push(config.heuristic.replace("+", " + "));
  if (config.deadlocks) parts.push(fewDetectors(config.deadlocks));
  if (config.reverse) parts.push("backwards");
  if (config.weight !== undefined) parts.push(`weight ${config.weight}`);
  if (config.depth_limit !== undefined) parts.push(`depth ${config.depth_limit}`);
  if (config.tie_break) parts.push(config.tie_break);
  if (!config.algorithm && config.goal && config.goal !== "any") parts.push(`fewest ${config.goal}`);
  return parts.join(" · ");
}

/** Which detectors ran, in words. @param {string[]} detectors */
const detectorWords = (detectors) =>
  detectors.length === store.about.solver.detectors.length
    ? "all detectors"
    : detectors.length
      ? `detectors ${detectors.join(", ")}`
      : "no detectors";

/** What a search was that has ended, in words. @param {import("../lib/types.js").JobResult} result */
export function resultWords(result) {
  if (result.algorithm === "portfolio") return "the portfolio: several searches that race";
  return `${pretty(result.algorithm)} on ${result.formulation} actions with ${result.heuristic}, ${detectorWords(result.deadlocks)}`;
}

/** A list of choices whose sentence follows the choice. */
class Chooser {
  /**
   * @param {string} label
   * @param {Choice[]} choices
   * @param {string|null} automatic the words of the first entry that leaves the choice open
   * @param {string} automaticAbout
   * @param {() => void} onchange
   */
  constructor(label, choices, automatic, automaticAbout, onchange) {
    this.choices = choices;
    this.automaticAbout = automaticAbout;
    this.about = h("p", { class: "about" });
    /** @type {(string|[string, string])[]} */
    const options = choices.map((choice) => [choice.name, pretty(choice.name)]);
    if (automatic !== null) options.unshift([AUTO, automatic]);
    this.control = select(options, automatic === null ? (choices[0]?.name ?? "") : AUTO, () => {
      this.tell();
      onchange();
    });
    this.element = field(label, this.control, this.about);
    this.tell();
  }

  tell() {
    const chosen = this.choices.find((choice) => choice.name === this.control.value);
    this.about.textContent = chosen
      ? `${forPage(chosen.about.charAt(0).toUpperCase() + chosen.about.slice(1))}.`
      : this.automaticAbout;
  }

  get value() {
    return this.control.value || undefined;
  }

  set value(value) {
    this.control.value = value ?? AUTO;
    this.tell();
  }
}

/** What the goals are called where they are chosen first. */
const GOALS = /** @type {Record<string, [string, string]>} */ ({
  any: ["Any solution, soon", "Several searches race; nothing is promised about the length."],
  pushes: ["Fewest pushes", "Takes longer, and proves that no solution has fewer."],
  moves: ["Fewest moves", "Takes longest, and proves that no solution has fewer."],
});

let forms = 0;

export class ConfigForm {
  /** @param {{name: string, limits?: boolean, open?: boolean, onchange?: () => void}} options `name` is what its choices are kept under */
  constructor(options) {
    const { solver, limits } = store.about;
    this.name = options.name;
    const changed = () => {
      this.rowsShown();
      this.explain();
      keep(`form/${this.name}`, this.values);
      options.onchange?.();
    };
    forms += 1;
    this.goals = solver.goals.map(({ name, about }) => {
      const [label, words] = GOALS[name] ?? [pretty(name), about];
      const input = h("input", {
        type: "radio",
        name: `goal-${forms}`,
        value: name,
        checked: name === solver.goals[0]?.name,
        onchange: changed,
      });
      return {
        input,
        element: h(
          "label",
          { class: "check goal" },
          input,
          h("span", null, h("strong", null, label), h("span", { class: "about" }, ` ${words}`)),
        ),
      };
    });
    this.algorithm = new Chooser("Algorithm", solver.algorithms, "Automatic", "Chosen by the goal.", changed);
    this.formulation = new Chooser(
      "One action is",
      solver.formulations,
      "Automatic",
      "Chosen by the goal: a push, or a walk and a push.",
      changed,
    );
    this.estimate = new Chooser(
      "Heuristic for the boxes",
      solver.estimates,
      "Automatic",
      "The strongest one, where the algorithm asks one.",
      changed,
    );
    this.player = new Chooser(
      "Player’s share in it",
      solver.player_terms,
      "None",
      "The player’s steps are not estimated.",
      changed,
    );
    this.tieBreak = new Chooser("Among equals", solver.tie_breaks, "Automatic", "Chosen by the goal.", changed);
    this.weight = h("input", { type: "number", min: "1", max: "1000", step: "any", value: "1.5", onchange: changed });
    this.depth = h("input", { type: "number", min: "1", step: "1", value: "200", onchange: changed });
    this.fallback = h("input", { type: "number", min: "1", step: "1", placeholder: "never", onchange: changed });
    this.reverse = h("input", { type: "checkbox", onchange: changed });
    this.allDetectors = h("input", { type: "checkbox", checked: true, onchange: changed });
    this.detectors = solver.detectors.map((choice) => ({
      name: choice.name,
      box: h("input", { type: "checkbox", checked: true, onchange: changed }),
      about: choice.about,
    }));
    this.weightRow = field(
      "Weight",
      this.weight,
      "The estimate counts so many times; the answer is at most that factor too long.",
    );
    this.depthRow = field("Depth limit", this.depth, "Deeper solutions are not found.");
    this.fallbackRow = field(
      "Greedy after",
      this.fallback,
      "After so many expansions A* goes on greedily; then its answer is no longer proved optimal.",
    );
    this.detectorList = h(
      "div",
      { class: "detectors" },
      this.detectors.map(({ name, box, about }) =>
        h(
          "label",
          { class: "check" },
          box,
          h("span", null, h("strong", null, pretty(name)), h("span", { class: "about" }, ` ${about}`)),
        ),
      ),
    );
    this.seconds = h("input", {
      type: "number",
      min: "0.1",
      max: String(limits.seconds),
      step: "any",
      value: String(Math.min(60, limits.seconds)),
      onchange: changed,
    });
    this.mostMemory = limits.mebibytes;
    this.memory = h("input", {
      type: "number",
      min: "1",
      step: "any",
      value: String(Math.min(1024, limits.mebibytes)),
      onchange: changed,
    });
    this.nodes = h("input", { type: "number", min: "1", step: "1", placeholder: "no limit", onchange: changed });
    this.plan = h("div", { class: "plan", role: "status" });
    this.more = h(
      "details",
      { class: "more", open: options.open === true },
      h("summary", null, "More choices"),
      this.algorithm.element,
      this.weightRow,
      this.depthRow,
      this.fallbackRow,
      this.formulation.element,
      this.estimate.element,
      this.player.element,
      h(
        "details",
        null,
        h("summary", null, "Detectors of dead positions"),
        h(
          "label",
          { class: "check" },
          this.allDetectors,
          h(
            "span",
            null,
            h("strong", null, "All that fit"),
            h("span", { class: "about" }, " none of them loses a solution"),
          ),
        ),
        this.detectorList,
      ),
      h(
        "details",
        null,
        h("summary", null, "Finer choices"),
        this.tieBreak.element,
        h(
          "label",
          { class: "check" },
          this.reverse,
          h(
            "span",
            null,
            h("strong", null, "Backwards"),
            h("span", { class: "about" }, " from the solved boards, by pulls"),
          ),
        ),
      ),
      options.limits === false
        ? null
        : h(
            "details",
            null,
            h("summary", null, "Limits"),
            field("Seconds", this.seconds, `More than 0, at most ${limits.seconds}.`),
            field("Memory in MiB", this.memory, `At least 1; a search gets at most ${limits.mebibytes}.`),
            field("Nodes generated", this.nodes, "Leave empty for no limit."),
          ),
      button("As at first", () => {
        this.values = this.first;
        changed();
      }),
    );
    this.element = h(
      "form",
      { class: "config", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      h(
        "fieldset",
        { class: "goals" },
        h("legend", null, "Goal"),
        this.goals.map(({ element }) => element),
      ),
      this.more,
    );
    this.asked = 0;
    this.ok = true;
    this.first = this.values;
    const left = kept(`form/${this.name}`);
    if (left) {
      this.values = left;
      // Choices that were made show themselves.
      if (
        Object.entries(left).some(
          ([name, value]) => name !== "goal" && JSON.stringify(value) !== JSON.stringify(this.first[name]),
        )
      )
        this.more.open = true;
    }
    this.rowsShown();
    this.explain();
  }

  /** The controls whose values are kept, by name. @returns {Record<string, HTMLInputElement|HTMLSelectElement>} */
  get controls() {
    return {
      algorithm: this.algorithm.control,
      formulation: this.formulation.control,
      estimate: this.estimate.control,
      player: this.player.control,
      tieBreak: this.tieBreak.control,
      weight: this.weight,
      depth: this.depth,
      fallback: this.fallback,
      seconds: this.seconds,
      memory: this.memory,
      nodes: this.nodes,
    };
  }

  /** Everything that is chosen, to be kept. @returns {Record<string, any>} */
  get values() {
    /** @type {Record<string, any>} */
    const values = {
      goal: this.goal,
      reverse: this.reverse.checked,
      detectors: this.allDetectors.checked ? null : this.chosenDetectors,
    };
    for (const [name, control] of Object.entries(this.controls)) values[name] = control.value;
    return values;
  }

  set values(values) {
    this.goal = values.goal;
    for (const [name, control] of Object.entries(this.controls))
      if (typeof values[name] === "string") control.value = values[name];
    this.reverse.checked = values.reverse === true;
    this.allDetectors.checked = !Array.isArray(values.detectors);
    if (Array.isArray(values.detectors))
      for (const { name, box } of this.detectors) box.checked = values.detectors.includes(name);
    for (const chooser of [this.algorithm, this.formulation, this.estimate, this.player, this.tieBreak]) chooser.tell();
  }

  get goal() {
    return this.goals.find(({ input }) => input.checked)?.input.value ?? "any";
  }

  set goal(goal) {
    for (const { input } of this.goals) input.checked = input.value === goal;
  }

  get chosenDetectors() {
    return this.detectors.filter(({ box }) => box.checked).map(({ name }) => name);
  }

  /** What is wrong with a number that was typed; null if nothing is. @returns {string|null} */
  get flaw() {
    const fields = /** @type {[string, HTMLInputElement, boolean][]} */ ([
      ["Weight", this.weight, this.weightRow.hidden],
      ["Depth limit", this.depth, this.depthRow.hidden],
      ["Greedy after", this.fallback, this.fallbackRow.hidden],
      ["Seconds", this.seconds, false],
      ["Memory in MiB", this.memory, false],
      ["Nodes generated", this.nodes, false],
    ]);
    for (const [name, input, away] of fields) {
      if (away || input.validity.valid) continue;
      const whole = input.step === "1" ? "a whole number" : "a number";
      return `“${name}” must be ${whole}${input.min ? `, at least ${input.min}` : ""}${input.max ? `, at most ${input.max}` : ""}.`;
    }
    return null;
  }

  /** What becomes of a wish for more memory than there is. */
  get memoryNote() {
    const wish = Number(this.memory.value);
    return wish > this.mostMemory
      ? `${wish} MiB of memory are more than one search can have here: it gets ${this.mostMemory} MiB.`
      : null;
  }

  rowsShown() {
    const algorithm = this.algorithm.value;
    this.weightRow.hidden = algorithm !== "weighted-a-star";
    this.depthRow.hidden = algorithm !== "depth-limited";
    this.fallbackRow.hidden = algorithm !== "a-star";
    this.detectorList.hidden = this.allDetectors.checked;
    this.player.element.hidden =
      this.formulation.value === "push" || (this.formulation.value === undefined && this.goal !== "moves");
  }

  /** @returns {Config} */
  get config() {
    /** @type {Config} */
    const config = {
      goal: this.goal,
      algorithm: this.algorithm.value,
      formulation: this.formulation.value,
      heuristic: this.estimate.value,
      tie_break: this.tieBreak.value,
    };
    if (!this.player.element.hidden && this.player.value)
      config.heuristic = `${this.estimate.value ?? "matching"}+${this.player.value}`;
    if (!this.allDetectors.checked) config.deadlocks = this.chosenDetectors;
    if (this.reverse.checked) config.reverse = true;
    if (config.algorithm === "weighted-a-star") config.weight = Number(this.weight.value);
    if (config.algorithm === "depth-limited") config.depth_limit = Number(this.depth.value);
    if (config.algorithm === "a-star" && this.fallback.value) config.fallback_after = Number(this.fallback.value);
    return config;
  }

  /** @returns {JobLimits} */
  get limits() {
    /** @type {JobLimits} */
    const limits = {
      time_limit: Number(this.seconds.value) || undefined,
      memory_limit: Math.round(Math.min(Number(this.memory.value), this.mostMemory) * 2 ** 20) || undefined,
    };
    if (this.nodes.value) limits.node_limit = Number(this.nodes.value);
    return limits;
  }

  /** Says what the choices come to, before anything runs. */
  async explain() {
    this.asked += 1;
    const asked = this.asked;
    const { flaw } = this;
    if (flaw) {
      this.ok = false;
      fill(this.plan, h("p", { class: "promise bad" }, "A number does not fit"), h("p", null, flaw));
      this.plan.dispatchEvent(new CustomEvent("explained"));
      return;
    }
    try {
      const plan = /** @type {Plan} */ (await post("/plan", this.config));
      if (asked !== this.asked) return;
      this.ok = true;
      fill(
        this.plan,
        h("p", { class: `promise ${promiseKind(plan)}` }, promiseWords(plan)),
        h("p", null, plan.sentence),
        h(
          "p",
          { class: "muted" },
          plan.algorithm === "portfolio"
            ? "Runs the portfolio: several searches that race."
            : `Runs ${pretty(plan.algorithm)} on ${plan.formulation} actions with ${plan.heuristic}, ${detectorWords(plan.deadlocks)}.`,
        ),
        this.memoryNote ? h("p", { class: "muted" }, this.memoryNote) : null,
        plan.notes.length
          ? h(
              "ul",
              { class: "notes" },
              plan.notes.map((note) => h("li", null, forPage(note))),
            )
          : null,
      );
    } catch (error) {
      if (asked !== this.asked) return;
      this.ok = !(error instanceof ApiError && error.status === 422);
      fill(
        this.plan,
        h("p", { class: "promise bad" }, "These do not go together"),
        h("p", null, forPage(error instanceof Error ? error.message : String(error))),
      );
    }
    this.plan.dispatchEvent(new CustomEvent("explained"));
  }
}
