// The bar over a board: which level it is, the next one, all of them, a file, pasted text.

import { readLevels } from "../lib/api.js";
import { announce, button, fill, h, icon, iconButton, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { chooseLevel, keptFor, stepLevel, store } from "../store.js";
import { thumbnail } from "./board.js";

/** Reads a file or text and shows what it holds. @param {BodyInit} bytes @param {string} name */
export async function openLevels(bytes, name) {
  try {
    const collection = await readLevels(bytes);
    store.collection = { title: collection.title ?? name, levels: collection.levels };
    const first = collection.levels[0];
    if (first) chooseLevel(first);
    const more = collection.left_out ? ` ${plural(collection.left_out, "level")} left out: too many at once.` : "";
    toast(`${plural(collection.levels.length, "level")} from ${name} (${collection.format}).${more}`);
    announce(`${plural(collection.levels.length, "level")} opened.`);
    for (const defect of collection.defects.slice(0, 3)) toast(defect, "error");
    return true;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), "error");
    return false;
  }
}

/** Opens a file chosen by the person. */
export function openFile() {
  const input = h("input", { type: "file", onchange: async () => {
    const file = input.files?.[0];
    if (file) await openLevels(file, file.name);
  } });
  input.click();
}

/** A dialog with a heading and a way out. @param {string} title @param {string} [kind] */
export function dialog(title, kind = "") {
  const body = h("div", { class: "dialog-body" });
  const heading = h("h2", { id: `dialog-${title.replace(/\W+/g, "-")}` }, title);
  const element = h("dialog", { class: kind, "aria-labelledby": heading.id, onclose: () => element.remove() },
    h("header", null, heading, iconButton("close", "Close", () => element.close())),
    body,
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  return { element, body };
}

export function pasteLevel() {
  const { element, body } = dialog("Paste a level");
  const text = h("textarea", { rows: 12, spellcheck: false, class: "mono", id: "paste-text", placeholder: "#####\n#@$.#\n#####" });
  const open = button("Open", async () => {
    if (await openLevels(text.value, "the pasted text")) element.close();
  }, { class: "primary" });
  fill(body,
    h("label", { htmlFor: "paste-text" }, "One level or many, in any format: XSB, RLE, SOK, SLC, SokoBOT, Boxoban, mf8 …"),
    text,
    h("div", { class: "row end" }, open),
  );
  element.showModal();
  text.focus();
}

export function chooseDialog() {
  const { element, body } = dialog("Levels", "wide");
  const grid = h("div", { class: "level-grid" });
  const search = h("input", { type: "search", placeholder: "Search titles", "aria-label": "Search titles", oninput: () => show() });
  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    const levels = store.collection.levels.filter((level) => !wanted || `${level.number} ${level.title ?? ""}`.toLowerCase().includes(wanted));
    fill(grid, levels.slice(0, 400).map((level) => {
      const solved = keptFor(level.board);
      const current = level.number === store.current.number;
      return h("button", { type: "button", class: "level-card", "aria-current": current ? "true" : null, onclick: () => {
        chooseLevel(level);
        element.close();
      } },
        h("span", { class: "level-picture" }, thumbnail(level.board, 72)),
        h("span", { class: "level-name" }, `${level.number}. ${level.title ?? "untitled"}`),
        h("span", { class: "level-facts" }, `${plural(level.boxes, "box", "boxes")}${solved ? " · solved" : ""}`),
      );
    }));
  };
  const offered = store.collection.levels !== store.offered.levels
    ? button("Back to lurd’s own levels", () => {
      store.collection = store.offered;
      show();
    })
    : null;
  fill(body,
    h("div", { class: "row wrap" }, search, button("Open a file …", () => { element.close(); openFile(); }), button("Paste …", () => { element.close(); pasteLevel(); }), offered),
    h("p", { class: "muted" }, `${store.collection.title || "Levels"}: ${plural(store.collection.levels.length, "level")}. You can also drop a file anywhere on the page.`),
    grid,
  );
  show();
  element.showModal();
}

/** The bar itself; it keeps itself up to date. */
export function levelBar() {
  const title = h("span", { class: "level-title" });
  const facts = h("span", { class: "muted level-facts" });
  const before = iconButton("left", "Previous level", () => stepLevel(-1));
  const after = iconButton("right", "Next level", () => stepLevel(1));
  const bar = h("div", { class: "levelbar" },
    h("span", { class: "level-nav" },
      before,
      h("button", { type: "button", class: "level-button", onclick: chooseDialog, "aria-haspopup": "dialog" }, icon("levels"), title),
      after,
    ),
    facts,
    h("span", { class: "level-sources" }, button("Open …", openFile, { class: "quiet" }), button("Paste …", pasteLevel, { class: "quiet" })),
  );
  const update = () => {
    const { current, collection } = store;
    const at = collection.levels.findIndex((level) => level.number === current.number);
    title.textContent = current.number === null ? current.title || "Your level" : `${current.number}. ${current.title}`;
    const idea = current.notes.find((note) => note.startsWith("Idea:"));
    facts.textContent = [current.author ? `by ${current.author}` : "", idea ? idea.slice(5).trim() : ""].filter(Boolean).join(" · ");
    before.disabled = at <= 0;
    after.disabled = at < 0 || at + 1 >= collection.levels.length;
  };
  document.addEventListener("levelchange", update);
  update();
  return bar;
}
