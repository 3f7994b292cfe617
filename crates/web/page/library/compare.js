// Two batch runs compared: what the second won and lost against the first, on the levels that both have.

import { get } from "../lib/api.js";
import { answerOf, derived } from "../lib/core.js";
import { button, field, h, select, sentenceOf } from "../lib/dom.js";
import { goTo, hrefOf } from "./place.js";
import { fileLinks, sectionsOf } from "./report.js";

/** @typedef {import("../lib/types.js").Run} Run */

/** @param {() => {a: string|null, b: string|null}|null} place */
export function comparePage(place) {
  const listed = answerOf(() => (place() ? /** @type {Promise<Run[]>} */ (get("/library/runs")) : null));
  const runs = () => listed.value.answer ?? [];
  // Without a choice the last two are compared.
  const before = derived(() => place()?.a ?? runs()[1]?.id ?? "");
  const after = derived(() => place()?.b ?? runs()[0]?.id ?? "");
  const pair = derived(() => String(new URLSearchParams({ a: before.value, b: after.value })));
  const asked = answerOf(() => {
    const whole = listed.value.answer && before.value && after.value;
    return whole ? get(`/library/comparison?${pair.value}`) : null;
  });
  const status = () => {
    const error = listed.value.error ?? asked.value.error;
    if (error) return sentenceOf(error);
    if (listed.value.answer && !(before.value && after.value))
      return "It takes two runs to compare: start another one.";
    return asked.value.answer?.title;
  };
  const options = () => runs().map((run) => [run.id, run.name]);
  const choose = (/** @type {string} */ a, /** @type {string} */ b) => goTo(`/compare/${a}/${b}`, "replace");
  return h("section.stage", { "aria-label": "Two runs compared" }, [
    h("div.row", [h("a", { href: hrefOf("/runs") }, "All batch runs")]),
    h("div.card.live", [
      h("h2", "Two runs compared"),
      h("div.filter-row", [
        field(
          "Run before",
          select(
            options,
            () => before.value,
            (a) => choose(a, after.value),
          ),
        ),
        field(
          "Run after",
          select(
            options,
            () => after.value,
            (b) => choose(before.value, b),
          ),
        ),
        h("div.field.swap", [button("Swap", () => goTo(`/compare/${after.value}/${before.value}`))]),
      ]),
      h("p.status", { role: "status" }, status),
      h("p.files", () => {
        const title = asked.value.answer?.title;
        return title && fileLinks((form) => `/library/comparison/${form}?${pair.value}`, title);
      }),
    ]),
    h("div.stage.report", () => asked.value.answer && sectionsOf(asked.value.answer)),
  ]);
}
