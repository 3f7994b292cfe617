// The choices of a search. Every control says what it is and what it guarantees; what the choices
// come to together is asked of the server, which knows.

import { ApiError, post } from "../lib/api.js";
import { answerOf, derived, untold, value } from "../lib/core.js";
import { button, explained, field, h, select, sentenceOf, tick } from "../lib/dom.js";
import { keep, kept } from "../lib/keep.js";
import { choices, parts, store } from "../store.js";

/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../lib/types.js").Choice} Choice */
/** @typedef {import("../lib/types.js").Plan} Plan */
/** @typedef {import("../lib/types.js").JobLimits} JobLimits */

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
  const missing = choices("deadlocks")
    .map(({ name }) => name)
    .filter((name) => !chosen.includes(name));
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
  detectors.length === choices("deadlocks").length
    ? "all detectors"
    : detectors.length
      ? `detectors ${detectors.join(", ")}`
      : "no detectors";

/** What a search was that has ended, in words. @param {import("../lib/types.js").JobResult} result */
export function resultWords(result) {
  if (result.algorithm === "portfolio") return "the portfolio: several searches that race";
  return `${pretty(result.algorithm)} on ${result.formulation} actions with ${result.heuristic}, ${detectorWords(result.deadlocks)}`;
}

/** What the goals are called where they are chosen first. */
const GOALS = /** @type {Record<string, [string, string]>} */ ({
  any: ["Any solution, soon", "Several searches race; nothing is promised about the length."],
  pushes: ["Fewest pushes", "Takes longer, and proves that no solution has fewer."],
  moves: ["Fewest moves", "Takes longest, and proves that no solution has fewer."],
});

/** Where an algorithm is chosen that has a number of its own. */
const NUMBER_OF = /** @type {Record<string, string>} */ ({
  "weighted-a-star": "weight",
  "depth-limited": "depth",
  "a-star": "fallback",
});

/**
 * What is chosen, as it stands in the controls: "" where a choice is left open; `detectors` is null for all that fit.
 * @typedef {{goal: string, algorithm: string, formulation: string, estimate: string, player: string, tieBreak: string,
 *            weight: string, depth: string, fallback: string, seconds: string, memory: string, nodes: string,
 *            reverse: boolean, detectors: string[]|null}} Values
 */

let forms = 0;

export class ConfigForm {
  /** @param {{name: string, limits?: boolean, open?: boolean}} options `name` is what its choices are kept under */
  constructor({ name, limits: limited = true, open = false }) {
    const { limits } = store.about;
    this.name = name;
    this.mostMemory = limits.mebibytes;
    /** @type {Values} */
    const first = {
      goal: choices("goal")[0]?.name ?? "any",
      ...{ algorithm: "", formulation: "", estimate: "", player: "", tieBreak: "" },
      ...{ weight: "1.5", depth: "200", fallback: "", nodes: "", reverse: false, detectors: null },
      seconds: String(Math.min(60, limits.seconds)),
      memory: String(Math.min(1024, limits.mebibytes)),
    };
    const left = kept(`form/${name}`) ?? {};
    const fits = (/** @type {string} */ part) =>
      part in first && typeof left[part] === typeof first[/** @type {keyof Values} */ (part)];
    if (!Array.isArray(left.detectors)) delete left.detectors;
    this.values = value(
      /** @type {Values} */ ({
        ...first,
        ...Object.fromEntries(Object.entries(left).filter(([part]) => fits(part) || part === "detectors")),
      }),
    );
    /** Those that were marked last. */
    this.detectors = this.values.now.detectors ?? choices("deadlocks").map((one) => one.name);
    /** @type {[string, HTMLInputElement, () => boolean][]} Numbers, and whether they are asked for. */
    this.numbers = [];

    const numberField = (
      /** @type {string} */ label,
      /** @type {"weight"|"depth"|"fallback"|"seconds"|"memory"|"nodes"} */ part,
      /** @type {Record<string, any>} */ range,
      /** @type {string} */ about,
    ) => {
      const away = () =>
        part in { weight: 1, depth: 1, fallback: 1 } && NUMBER_OF[this.values.value.algorithm] !== part;
      const input = h("input", {
        type: "number",
        step: "1",
        min: "1",
        ...range,
        value: () => this.values.value[part],
        onchange: () => this.set({ [part]: input.value }),
      });
      this.numbers.push([label, input, away]);
      return field(label, input, about, { hidden: away });
    };
    const chooser = (
      /** @type {string} */ label,
      /** @type {"algorithm"|"formulation"|"estimate"|"player"|"tieBreak"} */ part,
      /** @type {Choice[]} */ choices,
      /** @type {string} */ about,
      automatic = "Automatic",
      hidden = () => false,
    ) => {
      const options = choices.map((one) => [one.name, pretty(one.name)]);
      const control = select(
        [["", automatic], ...options],
        () => this.values.value[part],
        (chosen) => this.set({ [part]: chosen }),
      );
      const words = () => {
        const chosen = choices.find((one) => one.name === this.values.value[part]);
        return chosen ? `${forPage(chosen.about.charAt(0).toUpperCase() + chosen.about.slice(1))}.` : about;
      };
      return field(label, control, words, { hidden });
    };

    forms += 1;
    const group = `goal-${forms}`;
    const goals = choices("goal").map(({ name: goal, about }) => {
      const [label, words] = GOALS[goal] ?? [pretty(goal), about];
      const checked = () => this.values.value.goal === goal;
      const input = h("input", {
        type: "radio",
        name: group,
        value: goal,
        checked,
        onchange: () => this.set({ goal }),
      });
      return h("label.check.goal", [input, h("span", explained(label, words))]);
    });
    const all = () => this.values.value.detectors === null;
    const marked = (/** @type {string} */ one) => (this.values.value.detectors ?? this.detectors).includes(one);
    const mark = (/** @type {string} */ one, /** @type {boolean} */ on) => {
      this.detectors = choices("deadlocks")
        .map((each) => each.name)
        .filter((each) => (each === one ? on : marked(each)));
      this.set({ detectors: this.detectors });
    };

    this.more = h(
      "details.more",
      { open: open || Object.keys(left).some((part) => part !== "goal" && this.differs(part, first)) },
      [
        h("summary", "More choices"),
        chooser("Algorithm", "algorithm", choices("algorithm"), "Chosen by the goal."),
        numberField(
          "Weight",
          "weight",
          { max: "1000", step: "any" },
          "The estimate counts so many times; the answer is at most that factor too long.",
        ),
        numberField("Depth limit", "depth", {}, "Deeper solutions are not found."),
        numberField(
          "Greedy after",
          "fallback",
          { placeholder: "never" },
          "After so many expansions A* goes on greedily; then its answer is no longer proved optimal.",
        ),
        chooser(
          "One action is",
          "formulation",
          choices("formulation"),
          "Chosen by the goal: a push, or a walk and a push.",
        ),
        chooser(
          "Heuristic for the boxes",
          "estimate",
          choices("heuristic"),
          "The strongest one, where the algorithm asks one.",
        ),
        chooser(
          "Player’s share in it",
          "player",
          parts("heuristic"),
          "The player’s steps are not estimated.",
          "None",
          () => this.playerAway,
        ),
        h("details", [
          h("summary", "Detectors of dead positions"),
          tick(explained("All that fit", "none of them loses a solution"), all, (on) =>
            this.set({ detectors: on ? null : this.detectors }),
          ),
          h("div.detectors", { hidden: all }, [
            choices("deadlocks").map((one) =>
              tick(
                explained(pretty(one.name), one.about),
                () => marked(one.name),
                (on) => mark(one.name, on),
              ),
            ),
          ]),
        ]),
        h("details", [
          h("summary", "Finer choices"),
          chooser("Among equals", "tieBreak", choices("tie_break"), "Chosen by the goal."),
          tick(
            explained("Backwards", "from the solved boards, by pulls"),
            () => this.values.value.reverse,
            (reverse) => this.set({ reverse }),
          ),
        ]),
        limited &&
          h("details", [
            h("summary", "Limits"),
            numberField(
              "Seconds",
              "seconds",
              { min: "0.1", max: String(limits.seconds), step: "any" },
              `More than 0, at most ${limits.seconds}.`,
            ),
            numberField(
              "Memory in MiB",
              "memory",
              { step: "any" },
              `At least 1; a search gets at most ${limits.mebibytes}.`,
            ),
            numberField("Nodes generated", "nodes", { placeholder: "no limit" }, "Leave empty for no limit."),
          ]),
        button("As at first", () => this.set(first)),
      ],
    );
    this.element = h("form.config", { onsubmit: (/** @type {Event} */ event) => event.preventDefault() }, [
      h("fieldset.goals", [h("legend", "Goal"), goals]),
      this.more,
    ]);

    /** What is wrong with a number that was typed; null if nothing is. */
    this.flaw = derived(() => {
      this.values.value;
      for (const [label, input, away] of this.numbers) {
        if (away() || input.validity.valid) continue;
        const whole = input.step === "1" ? "a whole number" : "a number";
        return `“${label}” must be ${whole}${input.min ? `, at least ${input.min}` : ""}${input.max ? `, at most ${input.max}` : ""}.`;
      }
      return null;
    });
    /** What the choices come to, before anything runs. */
    const planned = answerOf(() => {
      this.values.value;
      return this.flaw.value ? null : /** @type {Promise<Plan>} */ (post("/plan", this.config));
    });
    /** Whether what is chosen can be run. */
    this.ok = derived(() => {
      const { error } = planned.value;
      return !this.flaw.value && !(error instanceof ApiError && error.status === 422);
    });
    const bad = (/** @type {string} */ what, /** @type {string} */ why) => [h("p.promise.bad", what), h("p", why)];
    this.plan = h("div.plan", { role: "status" }, () => {
      const { answer, error } = planned.value;
      if (this.flaw.value) return bad("A number does not fit", this.flaw.value);
      if (error) return bad("These do not go together", forPage(sentenceOf(error)));
      return answer && this.planParts(answer);
    });
  }

  /** @param {string} part @param {Values} first */
  differs(part, first) {
    const [now, then] = [this.values.now, first].map((values) =>
      JSON.stringify(values[/** @type {keyof Values} */ (part)]),
    );
    return now !== then;
  }

  /** @param {Partial<Values>} changes */
  set(changes) {
    this.values.value = { ...this.values.now, ...changes };
    keep(`form/${this.name}`, this.values.now);
  }

  /** Whether the player's share is no question: pushes count no steps. */
  get playerAway() {
    const { formulation, goal } = this.values.value;
    return formulation === "push" || (formulation === "" && goal !== "moves");
  }

  /** @param {Plan} plan */
  planParts(plan) {
    const wish = Number(this.values.value.memory);
    const runs =
      plan.algorithm === "portfolio"
        ? "Runs the portfolio: several searches that race."
        : `Runs ${pretty(plan.algorithm)} on ${plan.formulation} actions with ${plan.heuristic}, ${detectorWords(plan.deadlocks)}.`;
    return [
      h("p.promise", { class: promiseKind(plan) }, promiseWords(plan)),
      h("p", plan.sentence),
      h("p.muted", runs),
      wish > this.mostMemory &&
        h("p.muted", `${wish} MiB of memory are more than one search can have here: it gets ${this.mostMemory} MiB.`),
      plan.notes.length > 0 && h("ul.notes", [plan.notes.map((note) => h("li", forPage(note)))]),
    ];
  }

  /** @returns {Config} */
  get config() {
    const values = this.values.now;
    const { goal, algorithm, formulation, estimate, player, tieBreak, detectors } = values;
    /** @type {Config} */
    const config = {
      goal,
      algorithm: algorithm || undefined,
      formulation: formulation || undefined,
      heuristic: estimate || undefined,
      tie_break: tieBreak || undefined,
    };
    if (player && !untold(() => this.playerAway)) config.heuristic = `${estimate || "matching"}+${player}`;
    if (detectors) config.deadlocks = detectors;
    if (values.reverse) config.reverse = true;
    if (algorithm === "weighted-a-star") config.weight = Number(values.weight);
    if (algorithm === "depth-limited") config.depth_limit = Number(values.depth);
    if (algorithm === "a-star" && values.fallback) config.fallback_after = Number(values.fallback);
    return config;
  }

  /** @returns {JobLimits} */
  get limits() {
    const { seconds, memory, nodes } = this.values.now;
    return {
      time_limit: Number(seconds) || undefined,
      memory_limit: Math.round(Math.min(Number(memory), this.mostMemory) * 2 ** 20) || undefined,
      ...(nodes ? { node_limit: Number(nodes) } : {}),
    };
  }
}
