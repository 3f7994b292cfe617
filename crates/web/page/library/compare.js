// Two batch runs compared: what the second won and lost against the first, on the levels that both have.

import { get, serverAddress } from "../lib/api.js";
import { button, field, fill, h, select, sentenceOf } from "../lib/dom.js";
import { goTo, hrefOf } from "./place.js";
import { sectionsOf } from "./report.js";

/** @typedef {import("../lib/types.js").Run} Run */

export class ComparePage {
  constructor() {
    this.asked = 0;
    this.first = select([], "", () => this.choose());
    this.second = select([], "", () => this.choose());
    this.swap = button("Swap", () => goTo(`/compare/${this.second.value}/${this.first.value}`));
    this.status = h("p", { class: "status", role: "status" });
    this.files = h("p", { class: "files" });
    this.sections = h("div", { class: "stage report" });
    this.element = h(
      "section",
      { class: "stage", "aria-label": "Two runs compared" },
      h("div", { class: "row" }, h("a", { href: hrefOf("/runs") }, "All batch runs")),
      h(
        "div",
        { class: "card live" },
        h("h2", null, "Two runs compared"),
        h(
          "div",
          { class: "filter-row" },
          field("Run before", this.first),
          field("Run after", this.second),
          h("div", { class: "field swap" }, this.swap),
        ),
        this.status,
        this.files,
      ),
      this.sections,
    );
  }

  choose() {
    goTo(`/compare/${this.first.value}/${this.second.value}`, "replace");
  }

  /** @param {string|null} a @param {string|null} b */
  async show(a, b) {
    this.asked += 1;
    const mine = this.asked;
    try {
      const runs = /** @type {Run[]} */ (await get("/library/runs"));
      if (mine !== this.asked) return;
      // Without a choice the last two are compared.
      const [after, before] = [b ?? runs[0]?.id, a ?? runs[1]?.id];
      for (const [control, value] of /** @type {[HTMLSelectElement, string|undefined][]} */ ([
        [this.first, before],
        [this.second, after],
      ])) {
        fill(
          control,
          runs.map((run) => h("option", { value: run.id }, run.name)),
        );
        control.value = value ?? "";
      }
      fill(this.files);
      if (!before || !after) {
        this.status.textContent = "It takes two runs to compare: start another one.";
        fill(this.sections);
        return;
      }
      const pair = new URLSearchParams({ a: before, b: after });
      const report = await get(`/library/comparison?${pair}`);
      if (mine !== this.asked) return;
      this.status.textContent = report.title;
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
            { href: serverAddress(`/library/comparison/${form}?${pair}`), download: `${report.title}.${form}` },
            name,
          ),
        ]),
      );
      fill(this.sections, sectionsOf(report));
    } catch (error) {
      if (mine !== this.asked) return;
      this.status.textContent = sentenceOf(error);
      fill(this.files);
      fill(this.sections);
    }
  }
}
