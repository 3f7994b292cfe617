// The library: levels to browse, what is known of each, batch runs started, watched, read and compared. Every place has an
// address. Where there is no library a sentence says why.

import { derived, effect, value } from "../lib/core.js";
import { h } from "../lib/dom.js";
import { browsePage } from "../library/browse.js";
import { comparePage } from "../library/compare.js";
import { levelPage } from "../library/level.js";
import { goTo, hrefOf, placeOf, shelfOfFilter } from "../library/place.js";
import { runPage } from "../library/run.js";
import { runsPage } from "../library/runs.js";
import { store } from "../store.js";

export function libraryView() {
  const { open, why_not: why } = store.about.library;
  const heading = h("h1.hidden-text", "Library");
  if (!open)
    return {
      element: h("div.view", [
        heading,
        h("section.card.empty.no-library", { "aria-label": "No library" }, [h("h2", "No library here"), h("p", why)]),
      ]),
    };

  const visible = value(false);
  /** The place of the address; what is not in sight is nowhere. */
  const place = derived(() => (visible.value ? placeOf() : null));
  /** @template {import("../library/place.js").Place["kind"]} K @param {K} kind */
  const at = (kind) => () => {
    const here = place.value;
    return here?.kind === kind ? /** @type {Extract<import("../library/place.js").Place, {kind: K}>} */ (here) : null;
  };
  /** What was last looked for. */
  const filter = value(/** @type {import("../library/place.js").Filter} */ ({}));
  effect(() => {
    const levels = at("levels")();
    if (levels) filter.value = levels.filter;
  });
  const pages = {
    levels: browsePage(() => at("levels")()?.filter ?? null),
    level: levelPage(at("level"), () => goTo(shelfOfFilter(filter.now))),
    runs: runsPage(
      () => at("runs")() !== null,
      () => filter.value,
    ),
    run: runPage(() => at("run")()?.id ?? null),
    compare: comparePage(at("compare")),
  };
  const isLevels = () => ["levels", "level"].includes(place.value?.kind ?? "");
  const tab = (/** @type {string} */ label, /** @type {() => string} */ shelf, /** @type {() => boolean} */ here) =>
    h("a", { href: () => hrefOf(shelf()), "aria-current": () => (here() ? "true" : null) }, label);
  const element = h("div.view", [
    heading,
    h("nav.tabs", { "aria-label": "Parts of the library" }, [
      // The tab leads back to what was looked for.
      tab("Levels", () => shelfOfFilter(filter.value), isLevels),
      tab(
        "Batch runs",
        () => "/runs",
        () => !isLevels(),
      ),
    ]),
    h("div.stage", () => place.value && pages[place.value.kind]),
  ]);
  return { element, shown: () => (visible.value = true), left: () => (visible.value = false) };
}
