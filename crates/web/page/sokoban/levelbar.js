// The bar over a board: which level it is, the next one, all of them, a file, pasted text.

import { readLevels } from "../lib/api.js";
import { dialog } from "../lib/dialog.js";
import { answerOf, derived, untold, value } from "../lib/core.js";
import { announce, button, h, icon, iconButton, select, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { chooseFile } from "../lib/save.js";
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
export const openFile = () => chooseFile((file) => openLevels(file, file.name));

export const pasteLevel = () =>
  dialog("Paste a level", (close) => {
    const placeholder = "#####\n#@$.#\n#####";
    const text = h("textarea.mono", { rows: 12, spellcheck: false, id: "paste-text", placeholder, autofocus: true });
    const open = async () => {
      if (await openLevels(text.value, "the pasted text")) close();
    };
    return [
      h("label", { htmlFor: "paste-text" }, [
        "One level or many, in any format: XSB, RLE, SOK, SLC, SokoBOT, Boxoban, mf8 … Ctrl+V does the same anywhere on the page.",
      ]),
      text,
      h("div.row.end", [button("Open", open, { class: "primary" })]),
    ];
  });

/** How far somebody is with a collection. @param {import("../lib/types.js").Level[]} levels */
function progressWords(levels) {
  const all = allSolutions();
  const by = (/** @type {"you"|"lurd"} */ finder) => levels.filter((level) => all[keyOf(level.board)]?.[finder]).length;
  return `${by("you")} of ${plural(levels.length, "level")} solved by you, ${by("lurd")} by lurd.`;
}

/** Who solved a level, in words. @param {ReturnType<typeof allSolutions>[string]|undefined} solved */
function solvedWords(solved) {
  if (solved?.you) return " · solved by you";
  if (solved?.lurd) return " · solved by lurd";
  return solved ? " · solution kept" : "";
}

/** @param {import("../lib/types.js").Level} level @param {ReturnType<typeof allSolutions>} solutions @param {() => void} close */
function levelCard(level, solutions, close) {
  const solved = solutions[keyOf(level.board)];
  const grade = notedGrade(level.notes);
  const current = level.number === store.current.number && store.current.collection === store.collection.id;
  const choose = () => {
    chooseLevel(level);
    close();
  };
  return h(
    "button.level-card",
    { type: "button", class: solved?.you && "solved", "aria-current": current ? "true" : null, onclick: choose },
    [
      h("span.level-picture", thumbnail(level.board, 72)),
      h("span.level-name", `${level.number}. ${level.title ?? "untitled"}`),
      h("span.level-facts", [
        `${plural(level.boxes, "box", "boxes")}${grade ? ` · grade ${grade}` : ""}${solvedWords(solved)}`,
      ]),
    ],
  );
}

/** How many levels are shown at once. */
const SHOWN = 400;

export const chooseDialog = () =>
  dialog(
    "Levels",
    (close) => {
      const wanted = value("");
      const known = value(0);
      const shelf = answerOf(() => {
        known.value;
        return allShelved();
      });
      const levels = derived(() =>
        store.collection.levels.filter(
          ({ number, title }) => !wanted.value || `${number} ${title ?? ""}`.toLowerCase().includes(wanted.value),
        ),
      );
      const own = () => store.collection.id === store.offered.id;
      const options = () => [
        [store.offered.id, `${store.offered.title} (${store.offered.levels.length})`],
        ...(shelf.value.answer ?? [])
          .filter(({ id }) => id !== store.offered.id)
          .map(({ id, title, count }) => [id, `${title} (${count})`]),
      ];
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
      }
      const remove = async () => {
        const gone = store.collection.id;
        await openCollection(store.offered.id);
        await unshelve(gone);
        known.touch();
      };
      const instead = (/** @type {() => void} */ act) => () => {
        close();
        act();
      };
      const search = h("input", {
        type: "search",
        placeholder: "Search titles",
        "aria-label": "Search titles",
        oninput: () => (wanted.value = search.value.trim().toLowerCase()),
      });
      const progress = () => {
        const more = levels.value.length > SHOWN ? ` The first ${SHOWN} are shown; search for others.` : "";
        return `${store.collection.title || "Levels"}: ${progressWords(store.collection.levels)}${more}`;
      };
      return [
        h("div.row.wrap", [
          search,
          select(options, () => store.collection.id, openCollection, { "aria-label": "Collection" }),
          button("Back to lurd’s own levels", () => openCollection(store.offered.id), { hidden: own }),
          button("Remove from this browser", remove, { hidden: own }),
          button("Open a file …", instead(openFile)),
          button("Paste …", instead(pasteLevel)),
        ]),
        h("p.muted.progress", progress),
        h("p.about", "Files that were opened stay here. You can also drop a file anywhere on the page."),
        h("div.level-grid", () => {
          const shown = levels.value.slice(0, SHOWN);
          return untold(() => {
            const solutions = allSolutions();
            return shown.map((level) => levelCard(level, solutions, close));
          });
        }),
      ];
    },
    "wide",
  );

/** The bar itself. @param {{searched?: boolean}} [options] whether it names the position that is searched */
export function levelBar({ searched = false } = {}) {
  const place = () => {
    const { current, collection } = store;
    if (current.collection !== collection.id) return -1;
    return collection.levels.findIndex((level) => level.number === current.number);
  };
  const isLast = () => place() < 0 || place() + 1 >= store.collection.levels.length;
  const facts = () => {
    const { author, notes } = store.current;
    const idea = notes.find((note) => note.startsWith("Idea:"));
    return [author && `by ${author}`, idea?.slice(5).trim()].filter(Boolean).join(" · ");
  };
  const title = () => startTitle(searched ? store.current : { ...store.current, from: null });
  return h("div.levelbar", [
    h("span.level-nav", [
      iconButton("left", "Previous level", () => stepLevel(-1), { disabled: () => place() <= 0 }),
      h("button.level-button", { type: "button", onclick: chooseDialog, "aria-haspopup": "dialog" }, [
        icon("levels"),
        h("span.level-title", title),
      ]),
      iconButton("right", "Next level", () => stepLevel(1), { disabled: isLast }),
    ]),
    gradeTag(),
    button("From the start", () => setLevel({ ...store.current, from: null }), {
      class: "quiet",
      hidden: () => !searched || !store.current.from,
    }),
    h("span.muted.level-facts", facts),
    h("span.level-sources", [
      button("Open …", openFile, { class: "quiet" }),
      button("Paste …", pasteLevel, { class: "quiet" }),
    ]),
  ]);
}
