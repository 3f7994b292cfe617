// Browsing the library: a search, filters, and a page of levels with their pictures. The address names what is looked for.

import { get } from "../lib/api.js";
import { answerOf, derived, effect } from "../lib/core.js";
import { announce, button, field, h, select, sentenceOf } from "../lib/dom.js";
import { count, plural } from "../lib/format.js";
import { store } from "../store.js";
import { addDialog, addWithWords } from "./add.js";
import { theme } from "../lib/theme.js";
import { picture } from "./picture.js";
import { goTo, hrefOf, levelShelf, levelsOf, library, shelfOfFilter } from "./place.js";

/** @typedef {import("../lib/types.js").Hit} Hit */
/** @typedef {import("../lib/types.js").CollectionRow} CollectionRow */
/** @typedef {import("./place.js").Filter} Filter */

/** Levels of one page. */
const PAGE = 60;
/** How long somebody may pause while typing, in milliseconds. */
const PAUSE = 250;

const STATES = [
  ["", "All levels"],
  ["unsolved", "Unsolved"],
  ["solved", "Solved"],
  ["unproved", "Solved, shortest not known"],
  ["proved", "Shortest known"],
  ["unsolvable", "Proved unsolvable"],
];
const ORDERS = [
  ["", "As added"],
  ["newest", "Newest first"],
  ["boxes", "Fewest boxes"],
  ["squares", "Smallest"],
  ["pushes", "Fewest pushes"],
];

/** What is known of a level, in few words. @param {Hit} hit */
function knownWords(hit) {
  if (hit.unsolvable) return "no solution";
  if (hit.best_pushes === null) return "unsolved";
  return `${plural(hit.best_pushes, "push", "pushes")}${hit.fewest_pushes ? ", the fewest" : ""}`;
}

/** @param {Hit} hit */
function card(hit) {
  const name = hit.title ?? (hit.number === null ? "untitled" : `Level ${hit.number}`);
  return h("li", [
    h(
      "a",
      {
        class: `level-card library-card${hit.best_pushes === null ? "" : " solved"}`,
        href: hrefOf(levelShelf(hit.key, hit.turn)),
      },
      [
        h("span.level-picture", picture(hit.picture)),
        h("span.level-name", name),
        h("span.level-facts", [hit.collection === null ? "in no collection" : `${hit.collection} ${hit.number}`]),
        h("span.level-facts", `${plural(hit.boxes, "box", "boxes")}${hit.grade ? ` · grade ${hit.grade}` : ""}`),
        h("span.level-facts.standing", knownWords(hit)),
      ],
    ),
  ]);
}

/** Two numbers for a range. @param {string} label @param {() => string|undefined} range @param {(value: string) => void} onchange @param {number} [most] */
function rangeField(label, range, onchange, most) {
  const number = (/** @type {string} */ end, /** @type {() => string} */ part) =>
    h("input", {
      type: "number",
      min: "0",
      max: most === undefined ? null : String(most),
      step: "1",
      inputMode: "numeric",
      "aria-label": `${label}, ${end}`,
      placeholder: end,
      value: part,
      onchange: () => onchange(from.value || to.value ? `${from.value}-${to.value}` : ""),
    });
  const parts = derived(() => range() ?? "");
  /** @type {HTMLInputElement} */
  const from = number("from", () => parts.value.split("-")[0] ?? "");
  /** @type {HTMLInputElement} */
  const to = number("to", () => parts.value.split("-").at(-1) ?? "");
  return h("fieldset.range", [h("legend", label), h("div.row", [from, h("span", { "aria-hidden": "true" }, "–"), to])]);
}

/** @param {() => Filter|null} place what is looked for; null while nobody looks */
export function browsePage(place) {
  const shown = derived(() => place() !== null);
  const filter = () => place() ?? {};
  const page = () => Math.max(1, Math.floor(Number(filter().page)) || 1);
  const change =
    (/** @type {keyof Filter} */ part, /** @type {"push"|"replace"} */ how = "push") =>
    (/** @type {string} */ to) =>
      goTo(shelfOfFilter({ ...filter(), [part]: to, page: "" }), how);

  // Known before the levels are asked for, so that no list changes under the mouse.
  const collections = answerOf(() => {
    library.value;
    return shown.value ? /** @type {Promise<CollectionRow[]>} */ (get("/library/collections").catch(() => [])) : null;
  });
  const asked = answerOf(() => {
    const wanted = place();
    const { waiting } = collections.value;
    if (!wanted || waiting) return null;
    const { page: _page, ...parts } = wanted;
    const range = { skip: String((page() - 1) * PAGE), most: String(PAGE), pictures: theme.value };
    return /** @type {Promise<import("../lib/types.js").Found>} */ (
      get(`/library/levels?${new URLSearchParams({ ...parts, ...range })}`)
    );
  });
  const found = derived(() => (asked.value.error === undefined ? asked.value.answer : undefined));
  const filtered = derived(() => Object.keys(levelsOf(filter())).length > 0);
  const isEmpty = () => found.value?.total === 0 && !filtered.value;
  const pages = () => Math.max(1, Math.ceil((found.value?.total ?? 0) / PAGE));
  const words = derived(() => {
    if (asked.value.error) return sentenceOf(asked.value.error);
    if (!found.value) return "";
    if (isEmpty()) return "The library is empty.";
    return found.value.total === 0 ? "No level of the library fits." : `${plural(found.value.total, "level")} found`;
  });
  effect(() => {
    if (!asked.value.waiting && found.value) announce(words.value);
  });

  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let typing = undefined;
  const search = h("input", {
    type: "search",
    placeholder: "Title, author or collection",
    maxLength: 200,
    // Not under the hands of who types.
    value: (/** @type {HTMLInputElement} */ field) =>
      document.activeElement === field ? field.value : (filter().text ?? ""),
    oninput: () => {
      clearTimeout(typing);
      // What was typed counts, even if the field shows the address again before the pause is over.
      const text = search.value.trim();
      typing = setTimeout(() => change("text", "replace")(text), PAUSE);
    },
  });
  const names = () => {
    const all = collections.value.answer ?? [];
    const chosen = filter().collection;
    const options = all.map(({ name, solved, levels }) => [
      name,
      `${name} (${count(solved)} of ${count(levels)} solved)`,
    ]);
    // A name of the address that the library does not know stays to be seen.
    const unknown = chosen && !all.some(({ name }) => name === chosen) ? [[chosen, chosen]] : [];
    return [["", "All collections"], ...unknown, ...options];
  };
  const status = h("p.status.found", { role: "status" }, () => words.value);
  const turn = (/** @type {number} */ by) => {
    goTo(shelfOfFilter({ ...filter(), page: String(page() + by) }));
    element.scrollIntoView();
    status.focus({ preventScroll: true });
  };
  const ranged = () => Boolean(filter().boxes || filter().squares || filter().grades);
  const more = h("details.more", [
    h("summary", "Boxes, size and grade"),
    h("div.ranges", [
      rangeField("Boxes", () => filter().boxes, change("boxes")),
      rangeField("Squares", () => filter().squares, change("squares")),
      rangeField("Grade", () => filter().grades, change("grades"), 10),
    ]),
  ]);
  effect(() => {
    if (ranged()) more.open = true;
  });
  const about =
    "It keeps levels, the best solutions that are known of them and what batch runs found. Put some levels in to begin.";
  const own = `Add lurd’s own levels (${store.offered.levels.length})`;
  const element = h("section.stage", { "aria-label": "Levels" }, [
    h("div.card.filters", [
      h("div.filter-row", [
        h("div.filter-search", [field("Search", search)]),
        field(
          "Collection",
          select(names, () => filter().collection ?? "", change("collection")),
        ),
        field(
          "Known",
          select(STATES, () => filter().state ?? "", change("state")),
        ),
        field(
          "Order",
          select(ORDERS, () => filter().sort ?? "", change("sort")),
        ),
      ]),
      more,
    ]),
    h("div.card.live", [
      h("div.row.wrap", [
        status,
        button("Clear all", () => goTo("/levels"), { class: "quiet", hidden: () => !filtered.value }),
        h("span.level-sources", [
          h("a.as-button", { href: hrefOf("/runs"), hidden: () => !found.value?.total }, () =>
            filtered.value ? "Search them in a batch …" : "Search all in a batch …",
          ),
          button("Add levels …", addDialog),
        ]),
      ]),
      h("div.empty", { hidden: () => !isEmpty() }, [
        h("p", about),
        h("div.row.wrap", [
          button(own, () => addWithWords(store.offered), { class: "primary" }),
          button("Add other levels …", addDialog),
        ]),
      ]),
      h("ul.level-grid.library-grid", () => (found.value?.levels ?? []).map(card)),
      h("nav.row.pages", { "aria-label": "Pages", hidden: () => !found.value || (pages() === 1 && page() === 1) }, [
        button("Previous page", () => turn(-1), { disabled: () => page() <= 1 }),
        h("span.muted", () => `Page ${count(page())} of ${count(pages())}`),
        button("Next page", () => turn(1), { disabled: () => page() >= pages() }),
      ]),
    ]),
  ]);
  return element;
}
