// The library: levels to browse, what is known of each, batch runs started, watched, read and compared. Every place has an
// address. Where there is no library a sentence says why.

import { fill, h } from "../lib/dom.js";
import { Browse } from "../library/browse.js";
import { ComparePage } from "../library/compare.js";
import { LevelPage } from "../library/level.js";
import { goTo, hrefOf, placeOf, shelfOfFilter } from "../library/place.js";
import { RunPage } from "../library/run.js";
import { RunsPage } from "../library/runs.js";
import { store } from "../store.js";

export function libraryView() {
  const { open, why_not: why } = store.about.library;
  const heading = h("h1", { class: "hidden-text" }, "Library");
  if (!open)
    return {
      element: h(
        "div",
        { class: "view" },
        heading,
        h(
          "section",
          { class: "card empty no-library", "aria-label": "No library" },
          h("h2", null, "No library here"),
          h("p", null, why),
        ),
      ),
    };

  /** @type {import("../library/place.js").Filter} What was last looked for. */
  let filter = {};
  const browse = new Browse();
  const level = new LevelPage(() => goTo(shelfOfFilter(filter)));
  const runs = new RunsPage(() => filter);
  const run = new RunPage();
  const compare = new ComparePage();
  const tabs = [
    ["levels", "Levels"],
    ["runs", "Batch runs"],
  ].map(([name, label]) => h("a", { href: hrefOf(`/${name}`) }, label));
  const body = h("div", { class: "stage" });
  const element = h(
    "div",
    { class: "view" },
    heading,
    h("nav", { class: "tabs", "aria-label": "Parts of the library" }, tabs),
    body,
  );
  let visible = false;

  /** Shows the place of the address; what is not in sight follows nothing. */
  function show() {
    const place = placeOf();
    run.leave();
    runs.leave();
    if (!visible) return;
    const [page, part] = /** @type {[{element: HTMLElement}, number]} */ (
      { levels: [browse, 0], level: [level, 0], runs: [runs, 1], run: [run, 1], compare: [compare, 1] }[place.kind]
    );
    const isNew = body.firstElementChild !== page.element;
    if (isNew) fill(body, page.element);
    tabs.forEach((tab, at) =>
      at === part ? tab.setAttribute("aria-current", "true") : tab.removeAttribute("aria-current"),
    );
    // The tab leads back to what was looked for.
    tabs[0]?.setAttribute("href", hrefOf(shelfOfFilter(filter)));
    if (place.kind === "levels") {
      filter = place.filter;
      if (isNew) browse.open();
      else browse.show();
    } else if (place.kind === "level") level.show(place.key, place.turn);
    else if (place.kind === "runs") runs.show();
    else if (place.kind === "run") run.show(place.id);
    else compare.show(place.a, place.b);
  }

  document.addEventListener("shelfchange", show);
  return {
    element,
    shown: () => {
      visible = true;
      show();
    },
    left: () => {
      visible = false;
      show();
      fill(body);
    },
  };
}
