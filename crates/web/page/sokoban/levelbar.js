// The bar over a board: which level it is, the next one, all of them, a file, pasted text.

import { readLevels } from "../lib/api.js";
import { dialog } from "../lib/dialog.js";
import { announce, button, fill, h, icon, iconButton, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { allShelved, shelve, shelved, unshelve } from "../lib/shelf.js";
import { chooseLevel, keyOf, nameCollection, setLevel, startTitle, stepLevel, store } from "../store.js";
import { thumbnail } from "./board.js";
import { gradeTag, notedGrade } from "./grade.js";
import { allSolutions } from "./solutions.js";

/** Reads a file or text and shows what it holds. @param {Blob|string} bytes @param {string} name */
export async function openLevels(bytes, name) {
  try {
    const collection = await readLevels(bytes);
    const title = collection.title ?? name;
    const opened = { id: nameCollection(title, collection.levels), title, levels: collection.levels };
    store.collection = opened;
    shelve(opened);
    const first = collection.levels[0];
    if (first) chooseLevel(first);
    const more = collection.left_out ? ` ${plural(collection.left_out, "level")} left out: too many at once.` : "";
    toast(`${plural(collection.levels.length, "level")} from ${name} (${collection.format}).${more}`);
    announce(`${plural(collection.levels.length, "level")} opened.`);
    for (const defect of collection.defects.slice(0, 3)) toast(defect, "error");
    return true;
  } catch (error) {
    toast(sentenceOf(error), "error");
    return false;
  }
}

/** Opens a file chosen by the person. */
export function openFile() {
  const input = h("input", {
    type: "file",
    onchange: async () => {
      const file = input.files?.[0];
      if (file) await openLevels(file, file.name);
    },
  });
  input.click();
}

export function pasteLevel() {
  const { element, body } = dialog("Paste a level");
  const text = h("textarea", {
    rows: 12,
    spellcheck: false,
    class: "mono",
    id: "paste-text",
    placeholder: "#####\n#@$.#\n#####",
  });
  const open = button(
    "Open",
    async () => {
      if (await openLevels(text.value, "the pasted text")) element.close();
    },
    { class: "primary" },
  );
  fill(
    body,
    h(
      "label",
      { htmlFor: "paste-text" },
      "One level or many, in any format: XSB, RLE, SOK, SLC, SokoBOT, Boxoban, mf8 … Ctrl+V does the same anywhere on the page.",
    ),
    text,
    h("div", { class: "row end" }, open),
  );
  element.showModal();
  text.focus();
}

/** How far somebody is with a collection. @param {import("../lib/types.js").Level[]} levels */
function progressWords(levels) {
  const all = allSolutions();
  const by = (/** @type {"you"|"lurd"} */ finder) => levels.filter((level) => all[keyOf(level.board)]?.[finder]).length;
  return `${by("you")} of ${plural(levels.length, "level")} solved by you, ${by("lurd")} by lurd.`;
}

export function chooseDialog() {
  const { element, body } = dialog("Levels", "wide");
  const grid = h("div", { class: "level-grid" });
  const progress = h("p", { class: "muted progress" });
  const search = h("input", {
    type: "search",
    placeholder: "Search titles",
    "aria-label": "Search titles",
    oninput: () => show(),
  });
  const collections = h("select", { "aria-label": "Collection", onchange: () => openCollection(collections.value) });
  const remove = button("Remove from this browser", async () => {
    const gone = store.collection.id;
    await openCollection(store.offered.id);
    await unshelve(gone);
    await list();
  });
  const own = button("Back to lurd’s own levels", () => openCollection(store.offered.id));

  /** Dialog, board and order change together. @param {string} id */
  async function openCollection(id) {
    const found = id === store.offered.id ? store.offered : await shelved(id);
    if (!found) {
      toast("The browser no longer has that collection: open its file again.", "error");
      return;
    }
    store.collection = found;
    const first = found.levels[0];
    if (first) chooseLevel(first);
    show();
    await list();
  }

  // Leaves the cards alone: it comes back late, and somebody may be among them with the keyboard.
  async function list() {
    const all = (await allShelved()).filter((one) => one.id !== store.offered.id);
    fill(
      collections,
      h("option", { value: store.offered.id }, `${store.offered.title} (${store.offered.levels.length})`),
      all.map((one) => h("option", { value: one.id }, `${one.title} (${one.count})`)),
    );
    collections.value = store.collection.id;
    own.hidden = remove.hidden = store.collection.id === store.offered.id;
  }

  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    const solutions = allSolutions();
    const levels = store.collection.levels.filter(
      (level) => !wanted || `${level.number} ${level.title ?? ""}`.toLowerCase().includes(wanted),
    );
    progress.textContent = `${store.collection.title || "Levels"}: ${progressWords(store.collection.levels)}${levels.length > 400 ? " The first 400 are shown; search for others." : ""}`;
    fill(
      grid,
      levels.slice(0, 400).map((level) => {
        const solved = solutions[keyOf(level.board)];
        const grade = notedGrade(level.notes);
        const current = level.number === store.current.number && store.current.collection === store.collection.id;
        const words = solved?.you
          ? " · solved by you"
          : solved?.lurd
            ? " · solved by lurd"
            : solved
              ? " · solution kept"
              : "";
        return h(
          "button",
          {
            type: "button",
            class: `level-card${solved?.you ? " solved" : ""}`,
            "aria-current": current ? "true" : null,
            onclick: () => {
              chooseLevel(level);
              element.close();
            },
          },
          h("span", { class: "level-picture" }, thumbnail(level.board, 72)),
          h("span", { class: "level-name" }, `${level.number}. ${level.title ?? "untitled"}`),
          h(
            "span",
            { class: "level-facts" },
            `${plural(level.boxes, "box", "boxes")}${grade ? ` · grade ${grade}` : ""}${words}`,
          ),
        );
      }),
    );
  };
  fill(
    body,
    h(
      "div",
      { class: "row wrap" },
      search,
      collections,
      own,
      remove,
      button("Open a file …", () => {
        element.close();
        openFile();
      }),
      button("Paste …", () => {
        element.close();
        pasteLevel();
      }),
    ),
    progress,
    h("p", { class: "about" }, "Files that were opened stay here. You can also drop a file anywhere on the page."),
    grid,
  );
  show();
  list();
  element.showModal();
}

/** The bar itself; it keeps itself up to date. @param {{searched?: boolean}} [options] whether it names the position that is searched */
export function levelBar(options = {}) {
  const title = h("span", { class: "level-title" });
  const facts = h("span", { class: "muted level-facts" });
  const before = iconButton("left", "Previous level", () => stepLevel(-1));
  const after = iconButton("right", "Next level", () => stepLevel(1));
  const whole = button("From the start", () => setLevel({ ...store.current, from: null }), {
    class: "quiet",
    hidden: true,
  });
  const bar = h(
    "div",
    { class: "levelbar" },
    h(
      "span",
      { class: "level-nav" },
      before,
      h(
        "button",
        { type: "button", class: "level-button", onclick: chooseDialog, "aria-haspopup": "dialog" },
        icon("levels"),
        title,
      ),
      after,
    ),
    gradeTag(),
    whole,
    facts,
    h(
      "span",
      { class: "level-sources" },
      button("Open …", openFile, { class: "quiet" }),
      button("Paste …", pasteLevel, { class: "quiet" }),
    ),
  );
  const update = () => {
    const { current, collection } = store;
    const at =
      current.collection === collection.id
        ? collection.levels.findIndex((level) => level.number === current.number)
        : -1;
    title.textContent = startTitle(options.searched ? current : { ...current, from: null });
    const idea = current.notes.find((note) => note.startsWith("Idea:"));
    facts.textContent = [current.author ? `by ${current.author}` : "", idea ? idea.slice(5).trim() : ""]
      .filter(Boolean)
      .join(" · ");
    whole.hidden = !options.searched || !current.from;
    before.disabled = at <= 0;
    after.disabled = at < 0 || at + 1 >= collection.levels.length;
  };
  document.addEventListener("levelchange", update);
  update();
  return bar;
}
