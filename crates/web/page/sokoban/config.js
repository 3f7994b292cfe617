// The choices of a search. Every control says what it is and what it guarantees; what the choices
// come to together is asked of the server, which knows.

import { ApiError, post } from "../lib/api.js";
import { field, fill, h, select } from "../lib/dom.js";
import { store } from "../store.js";

/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../lib/types.js").Choice} Choice */
/** @typedef {import("../lib/types.js").Plan} Plan */
/** @typedef {import("../lib/types.js").JobLimits} JobLimits */

const AUTO = "";

/** @param {string} name A name of the API for people: "a-star" becomes "A*". */
export function pretty(name) {
  const words = name.replace(/a-star/g, "A*").replace(/ida-star/, "IDA*").replace(/ida-A\*/, "IDA*").replace(/-/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @type {Record<string, string>} What the flags of the command line are called here. */
const CONTROLS = { formulation: "One action is", reverse: "Backwards", weight: "Weight", "depth-limit": "Depth limit", "fallback-after": "Greedy after" };

/** A sentence that speaks of flags, for those who see controls. @param {string} sentence */
const forPage = (sentence) => sentence.replace(/--([a-z-]+)/g, (flag, name) => (CONTROLS[name] ? `“${CONTROLS[name]}”` : flag));

/** What a promise is called. @param {Plan} plan */
export function promiseWords(plan) {
  if (plan.promise === "fewest-pushes") return "Fewest pushes, proved";
  if (plan.promise === "fewest-moves") return "Fewest moves, proved";
  if (plan.promise === "at-most") return `At most ${plan.factor} × the shortest`;
  return "No promise about the length";
}

/** @param {Plan} plan */
export const promiseKind = (plan) => (plan.promise === "nothing" ? "plain" : plan.promise === "at-most" ? "fair" : "good");

/** @param {Config} config The choices that were made, in a few words. */
export function configWords(config) {
  const open = !config.algorithm && !config.formulation && !config.estimate && !config.player_term && !config.detectors && !config.reverse;
  if (open && (config.goal ?? "any") === "any") return "Portfolio: several searches race";
  const parts = [config.algorithm ? pretty(config.algorithm) : "Automatic"];
  if (config.formulation) parts.push(config.formulation);
  if (config.estimate) parts.push(config.estimate + (config.player_term ? ` + ${config.player_term}` : ""));
  if (config.detectors) parts.push(config.detectors.length ? config.detectors.join(", ") : "no detectors");
  if (config.reverse) parts.push("backwards");
  if (!config.algorithm && config.goal && config.goal !== "any") parts.push(`fewest ${config.goal}`);
  return parts.join(" · ");
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
    this.control = select(options, automatic === null ? choices[0]?.name ?? "" : AUTO, () => {
      this.tell();
      onchange();
    });
    this.element = field(label, this.control, this.about);
    this.tell();
  }

  tell() {
    const chosen = this.choices.find((choice) => choice.name === this.control.value);
    this.about.textContent = chosen ? `${forPage(chosen.about.charAt(0).toUpperCase() + chosen.about.slice(1))}.` : this.automaticAbout;
  }

  get value() {
    return this.control.value || undefined;
  }

  set value(value) {
    this.control.value = value ?? AUTO;
    this.tell();
  }
}

export class ConfigForm {
  /** @param {{limits?: boolean, onchange?: () => void}} [options] */
  constructor(options = {}) {
    const { solver, limits } = store.about;
    const changed = () => {
      this.rowsShown();
      this.explain();
      options.onchange?.();
    };
    this.goal = new Chooser("Goal", solver.goals, null, "", changed);
    this.algorithm = new Chooser("Algorithm", solver.algorithms, "Automatic", "Chosen by the goal.", changed);
    this.formulation = new Chooser("One action is", solver.formulations, "Automatic", "Chosen by the goal: a push, or a walk and a push.", changed);
    this.estimate = new Chooser("Heuristic for the boxes", solver.estimates, "Automatic", "The strongest one, where the algorithm asks one.", changed);
    this.player = new Chooser("Player’s share in it", solver.player_terms, "None", "The player’s steps are not estimated.", changed);
    this.tieBreak = new Chooser("Among equals", solver.tie_breaks, "Automatic", "Chosen by the goal.", changed);
    this.weight = h("input", { type: "number", min: "1", max: "1000", step: "0.1", value: "1.5", onchange: changed });
    this.depth = h("input", { type: "number", min: "1", step: "1", value: "200", onchange: changed });
    this.fallback = h("input", { type: "number", min: "1", step: "1", placeholder: "never", onchange: changed });
    this.reverse = h("input", { type: "checkbox", onchange: changed });
    this.allDetectors = h("input", { type: "checkbox", checked: true, onchange: changed });
    this.detectors = solver.detectors.map((choice) => ({ name: choice.name, box: h("input", { type: "checkbox", checked: true, onchange: changed }), about: choice.about }));
    this.weightRow = field("Weight", this.weight, "The estimate counts so many times; the answer is at most that factor too long.");
    this.depthRow = field("Depth limit", this.depth, "Deeper solutions are not found.");
    this.fallbackRow = field("Greedy after", this.fallback, "After so many expansions A* goes on greedily; then its answer is no longer proved optimal.");
    this.detectorList = h("div", { class: "detectors" }, this.detectors.map(({ name, box, about }) =>
      h("label", { class: "check" }, box, h("span", null, h("strong", null, pretty(name)), h("span", { class: "about" }, ` ${about}`)))));
    this.seconds = h("input", { type: "number", min: "0.1", max: String(limits.seconds), step: "any", value: String(Math.min(60, limits.seconds)) });
    this.memory = h("input", { type: "number", min: "1", max: String(limits.mebibytes), step: "1", value: String(Math.min(1024, limits.mebibytes)) });
    this.nodes = h("input", { type: "number", min: "1", step: "1", placeholder: "no limit" });
    this.plan = h("div", { class: "plan", role: "status" });
    this.element = h("form", { class: "config", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      this.goal.element,
      this.algorithm.element,
      this.weightRow, this.depthRow, this.fallbackRow,
      this.formulation.element,
      this.estimate.element,
      this.player.element,
      h("details", null,
        h("summary", null, "Detectors of dead positions"),
        h("label", { class: "check" }, this.allDetectors, h("span", null, h("strong", null, "All that fit"), h("span", { class: "about" }, " none of them loses a solution"))),
        this.detectorList,
      ),
      h("details", null,
        h("summary", null, "Finer choices"),
        this.tieBreak.element,
        h("label", { class: "check" }, this.reverse, h("span", null, h("strong", null, "Backwards"), h("span", { class: "about" }, " from the solved boards, by pulls"))),
      ),
      options.limits === false ? null : h("details", null,
        h("summary", null, "Limits"),
        field("Seconds", this.seconds, `At most ${limits.seconds}.`),
        field("Memory in MiB", this.memory, `At most ${limits.mebibytes}.`),
        field("Nodes generated", this.nodes, "Leave empty for no limit."),
      ),
    );
    this.asked = 0;
    this.ok = true;
    this.rowsShown();
    this.explain();
  }

  rowsShown() {
    const algorithm = this.algorithm.value;
    this.weightRow.hidden = algorithm !== "weighted-a-star";
    this.depthRow.hidden = algorithm !== "depth-limited";
    this.fallbackRow.hidden = algorithm !== "a-star";
    this.detectorList.hidden = this.allDetectors.checked;
    this.player.element.hidden = this.formulation.value === "push" || (this.formulation.value === undefined && this.goal.value !== "moves");
  }

  /** @returns {Config} */
  get config() {
    /** @type {Config} */
    const config = { goal: this.goal.value, algorithm: this.algorithm.value, formulation: this.formulation.value, estimate: this.estimate.value, tie_break: this.tieBreak.value };
    if (!this.player.element.hidden) config.player_term = this.player.value;
    if (!this.allDetectors.checked) config.detectors = this.detectors.filter(({ box }) => box.checked).map(({ name }) => name);
    if (this.reverse.checked) config.reverse = true;
    if (config.algorithm === "weighted-a-star") config.weight = Number(this.weight.value);
    if (config.algorithm === "depth-limited") config.depth_limit = Number(this.depth.value);
    if (config.algorithm === "a-star" && this.fallback.value) config.fallback_after = Number(this.fallback.value);
    return config;
  }

  /** @returns {JobLimits} */
  get limits() {
    /** @type {JobLimits} */
    const limits = { seconds: Number(this.seconds.value) || undefined, mebibytes: Number(this.memory.value) || undefined };
    if (this.nodes.value) limits.nodes = Number(this.nodes.value);
    return limits;
  }

  /** Says what the choices come to, before anything runs. */
  async explain() {
    this.asked += 1;
    const asked = this.asked;
    try {
      const plan = /** @type {Plan} */ (await post("/plan", this.config));
      if (asked !== this.asked) return;
      this.ok = true;
      fill(this.plan,
        h("p", { class: `promise ${promiseKind(plan)}` }, promiseWords(plan)),
        h("p", null, plan.sentence),
        h("p", { class: "muted" }, `Runs ${pretty(plan.algorithm)} on ${plan.formulation} actions with ${plan.heuristic}; detectors: ${plan.detectors.length === store.about.solver.detectors.length ? "all" : plan.detectors.join(", ") || "none"}.`),
        plan.notes.length ? h("ul", { class: "notes" }, plan.notes.map((note) => h("li", null, forPage(note)))) : null,
      );
    } catch (error) {
      if (asked !== this.asked) return;
      this.ok = !(error instanceof ApiError && error.status === 422);
      fill(this.plan, h("p", { class: "promise bad" }, "These do not go together"), h("p", null, forPage(error instanceof Error ? error.message : String(error))));
    }
    this.plan.dispatchEvent(new CustomEvent("explained"));
  }
}
