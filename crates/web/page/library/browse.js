// Browsing the library: a search, filters, and a page of levels with their pictures. The address names what is looked for.

import { get } from "../lib/api.js";
import { announce, button, field, fill, h, select, sentenceOf } from "../lib/dom.js";
import { count, plural } from "../lib/format.js";
import { store } from "../store.js";
import { addDialog, addWithWords } from "./add.js";
import { picture, theme } from "./picture.js";
import { goTo, hrefOf, levelShelf, placeOf, shelfOfFilter } from "./place.js";

/** @typedef {import("../lib/types.js").Hit} Hit */
/** @typedef {import("../lib/types.js").CollectionRow} CollectionRow */
/** @typedef {import("./place.js").Filter} Filter */

/** Levels of one page. */
const PAGE = 60;
/** How long somebody may pause while typing, in milliseconds. */
const PAUSE = 250;

/** @type {[string, string][]} */
const STATES = [
  ["", "All levels"],
  ["unsolved", "Unsolved"],
  ["solved", "Solved"],
  ["unproved", "Solved, shortest not known"],
  ["proved", "Shortest known"],
  ["unsolvable", "Proved unsolvable"],
];
/** @type {[string, string][]} */
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
  return h(
    "li",
    null,
    h(
      "a",
      {
        class: `level-card library-card${hit.best_pushes === null ? "" : " solved"}`,
        href: hrefOf(levelShelf(hit.key, hit.turn)),
      },
      h("span", { class: "level-picture" }, picture(hit.picture)),
      h("span", { class: "level-name" }, name),
      h(
        "span",
        { class: "level-facts" },
        hit.collection === null ? "in no collection" : `${hit.collection} ${hit.number}`,
      ),
      h(
        "span",
        { class: "level-facts" },
        `${plural(hit.boxes, "box", "boxes")}${hit.grade ? ` · grade ${hit.grade}` : ""}`,
      ),
      h("span", { class: "level-facts standing" }, knownWords(hit)),
    ),
  );
}

/** Two numbers for a range. @param {string} label @param {(value: string) => void} onchange @param {number} [most] */
function rangeField(label, onchange, most) {
  const number = (/** @type {string} */ end) =>
    h("input", {
      type: "number",
      min: "0",
      max: most === undefined ? null : String(most),
      step: "1",
      inputMode: "numeric",
      "aria-label": `${label}, ${end}`,
      placeholder: end,
      onchange: () => told(),
    });
  const [from, to] = [number("from"), number("to")];
  const told = () => onchange(from.value || to.value ? `${from.value}-${to.value}` : "");
  const element = h(
    "fieldset",
    { class: "range" },
    h("legend", null, label),
    h("div", { class: "row" }, from, h("span", { "aria-hidden": "true" }, "–"), to),
  );
  /** @param {string|undefined} value */
  const show = (value) => {
    const [first = "", last = first] = (value ?? "").split("-");
    if (document.activeElement !== from) from.value = first;
    if (document.activeElement !== to) to.value = last;
  };
  return { element, show };
}

export class Browse {
  constructor() {
    this.asked = 0;
    /** @type {CollectionRow[]} */
    this.collections = [];
    this.total = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.typing = undefined;
    const change =
      (/** @type {keyof Filter} */ part, /** @type {"push"|"replace"} */ how = "push") =>
      (/** @type {string} */ value) =>
        this.change({ [part]: value }, how);
    this.search = h("input", {
      type: "search",
      placeholder: "Title, author or collection",
      maxLength: 200,
      oninput: () => {
        clearTimeout(this.typing);
        // What was typed counts, even if the field shows the address again before the pause is over.
        const text = this.search.value.trim();
        this.typing = setTimeout(() => this.change({ text }, "replace"), PAUSE);
      },
    });
    this.collection = select([["", "All collections"]], "", change("collection"));
    this.state = select(STATES, "", change("state"));
    this.order = select(ORDERS, "", change("sort"));
    this.boxes = rangeField("Boxes", change("boxes"));
    this.squares = rangeField("Squares", change("squares"));
    this.grades = rangeField("Grade", change("grades"), 10);
    this.clear = button("Clear all", () => goTo("/levels"), { class: "quiet" });
    this.more = h(
      "details",
      { class: "more" },
      h("summary", null, "Boxes, size and grade"),
      h("div", { class: "ranges" }, this.boxes.element, this.squares.element, this.grades.element),
    );
    this.status = h("p", { class: "status found", role: "status" });
    this.grid = h("ul", { class: "level-grid library-grid" });
    this.before = button("Previous page", () => this.turn(-1));
    this.after = button("Next page", () => this.turn(1));
    this.where = h("span", { class: "muted" });
    this.pages = h("nav", { class: "row pages", "aria-label": "Pages" }, this.before, this.where, this.after);
    this.empty = h("div", { class: "empty", hidden: true });
    this.batch = h("a", { class: "as-button", href: hrefOf("/runs") }, "Search them in a batch …");
    this.element = h(
      "section",
      { class: "stage", "aria-label": "Levels" },
      h(
        "div",
        { class: "card filters" },
        h(
          "div",
          { class: "filter-row" },
          h("div", { class: "filter-search" }, field("Search", this.search)),
          field("Collection", this.collection),
          field("Known", this.state),
          field("Order", this.order),
        ),
        this.more,
      ),
      h(
        "div",
        { class: "card live" },
        h(
          "div",
          { class: "row wrap" },
          this.status,
          this.clear,
          h("span", { class: "level-sources" }, this.batch, button("Add levels …", addDialog)),
        ),
        this.empty,
        this.grid,
        this.pages,
      ),
    );
    document.addEventListener("librarychange", () => {
      if (this.element.isConnected) this.open();
    });
    document.addEventListener("themechange", () => {
      if (this.element.isConnected) this.show();
    });
  }

  /** Shows the levels afresh, with the collections as they are now: known first, so that no list changes under the mouse. */
  async open() {
    this.collections = await get("/library/collections").catch(() => []);
    await this.show();
  }

  /** @returns {Filter} */
  get filter() {
    const place = placeOf();
    return place.kind === "levels" ? place.filter : {};
  }

  /** @param {Filter} parts @param {"push"|"replace"} how */
  change(parts, how) {
    goTo(shelfOfFilter({ ...this.filter, ...parts, page: "" }), how);
  }

  /** @param {number} by */
  turn(by) {
    goTo(shelfOfFilter({ ...this.filter, page: String(this.page + by) }));
    this.element.scrollIntoView();
    this.status.focus({ preventScroll: true });
  }

  get page() {
    return Math.max(1, Math.floor(Number(this.filter.page)) || 1);
  }

  /** Shows what the address names. */
  async show() {
    const { filter, page } = this;
    this.asked += 1;
    const mine = this.asked;
    if (document.activeElement !== this.search) this.search.value = filter.text ?? "";
    this.state.value = filter.state ?? "";
    this.order.value = filter.sort ?? "";
    this.boxes.show(filter.boxes);
    this.squares.show(filter.squares);
    this.grades.show(filter.grades);
    if (filter.boxes || filter.squares || filter.grades) this.more.open = true;
    const { page: _page, ...parts } = filter;
    const asked = new URLSearchParams({
      ...parts,
      skip: String((page - 1) * PAGE),
      most: String(PAGE),
      pictures: theme(),
    });
    try {
      const found = await get(`/library/levels?${asked}`);
      // Somebody went on meanwhile.
      if (mine !== this.asked) return;
      this.showCollections(filter.collection ?? "");
      this.showFound(found, page);
    } catch (error) {
      if (mine !== this.asked) return;
      this.showCollections(filter.collection ?? "");
      fill(this.grid);
      this.pages.hidden = this.empty.hidden = true;
      this.batch.hidden = true;
      this.status.textContent = sentenceOf(error);
      this.clear.hidden = !shelfOfFilter(filter).includes("?");
    }
  }

  /** @param {string} chosen */
  showCollections(chosen) {
    const all = this.collections.map((one) =>
      h("option", { value: one.name }, `${one.name} (${count(one.solved)} of ${count(one.levels)} solved)`),
    );
    // A name of the address that the library does not know stays to be seen.
    const unknown =
      chosen && !this.collections.some((one) => one.name === chosen) ? h("option", { value: chosen }, chosen) : null;
    fill(this.collection, h("option", { value: "" }, "All collections"), unknown, all);
    this.collection.value = chosen;
  }

  /** @param {import("../lib/types.js").Found} found @param {number} page */
  showFound({ total, levels }, page) {
    this.total = total;
    const { sort: _order, page: _page, ...parts } = this.filter;
    const filtered = Object.keys(parts).length > 0;
    const pages = Math.max(1, Math.ceil(total / PAGE));
    const isEmpty = total === 0 && !filtered;
    this.status.textContent = isEmpty
      ? "The library is empty."
      : total === 0
        ? "No level of the library fits."
        : `${plural(total, "level")} found`;
    announce(this.status.textContent);
    this.clear.hidden = !filtered;
    this.batch.hidden = total === 0;
    this.batch.textContent = filtered ? "Search them in a batch …" : "Search all in a batch …";
    this.pages.hidden = pages === 1 && page === 1;
    this.before.disabled = page <= 1;
    this.after.disabled = page >= pages;
    this.where.textContent = `Page ${count(page)} of ${count(pages)}`;
    this.empty.hidden = !isEmpty;
    if (isEmpty) {
      fill(
        this.empty,
        h(
          "p",
          null,
          "It keeps levels, the best solutions that are known of them and what batch runs found. Put some levels in to begin.",
        ),
        h(
          "div",
          { class: "row wrap" },
          button(`Add lurd’s own levels (${store.offered.levels.length})`, () => addWithWords(store.offered), {
            class: "primary",
          }),
          button("Add other levels …", addDialog),
        ),
      );
    }
    fill(this.grid, levels.map(card));
  }
}
