// Levels for the library: a file, text, or those that are open on the page, under a name.

import { addToLibrary, post } from "../lib/api.js";
import { dialog } from "../lib/dialog.js";
import { announce, button, field, fill, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { store } from "../store.js";

/** @typedef {import("../lib/types.js").Added} Added */
/** @typedef {import("../lib/shelf.js").Shelved} Shelved */

/** Adds, with words about what came of it. @param {() => Promise<Added>} add @returns {Promise<boolean>} whether it is in the library */
async function tried(add) {
  try {
    const added = await add();
    const words = added.known
      ? `The library has these levels already: ${added.name}.`
      : `${plural(added.levels, "level")} in the collection ${added.name}, ${added.new_levels} of them new to the library.`;
    toast(words);
    announce(words);
    for (const defect of added.defects.slice(0, 3)) toast(defect, "error");
    document.dispatchEvent(new CustomEvent("librarychange"));
    return true;
  } catch (error) {
    toast(sentenceOf(error), "error");
    return false;
  }
}

/** A collection of the page, put into the library. @param {Shelved} collection @param {string} [name] @returns {Promise<Added>} */
export async function addCollection({ title, levels }, name) {
  const written = levels.map(({ board, title: called, author, notes, games }) => ({
    board,
    title: called,
    author,
    notes,
    solutions: games.filter((game) => game.solves).map((game) => ({ title: game.title, moves: game.moves })),
  }));
  const { text } = await post("/levels/write", { format: "xsb", levels: written });
  return addToLibrary(text, name || title || "Levels", "the workbench");
}

/** @param {Shelved} collection */
export const addWithWords = (collection) => tried(() => addCollection(collection));

/** Asks for levels and a name. */
export function addDialog() {
  const { element, body } = dialog("Add levels to the library");
  const name = h("input", { type: "text", maxLength: 100, placeholder: "the name of the file" });
  const text = h("textarea", { rows: 8, spellcheck: false, class: "mono", placeholder: "#####\n#@$.#\n#####" });
  const wanted = () => name.value.trim();
  const done = async (/** @type {() => Promise<Added>} */ add) => {
    if (await tried(add)) element.close();
  };
  const choose = () => {
    const input = h("input", {
      type: "file",
      onchange: () => {
        const file = input.files?.[0];
        if (file) done(() => addToLibrary(file, wanted() || file.name.replace(/\.[^.]+$/, "") || file.name, file.name));
      },
    });
    input.click();
  };
  const { collection } = store;
  fill(
    body,
    field("Name of the collection", name, "A name that is taken gets a number behind it; nothing is replaced."),
    h(
      "div",
      { class: "row wrap" },
      button("Choose a file …", choose, { class: "primary" }),
      collection.levels.length
        ? button(`Add the open levels: ${collection.title || "Levels"} (${collection.levels.length})`, () =>
            done(() => addCollection(collection, wanted())),
          )
        : null,
    ),
    field("Or levels as text, in any format", text),
    h(
      "div",
      { class: "row end" },
      button("Add the text", () => done(() => addToLibrary(text.value, wanted() || "Pasted levels", "the clipboard"))),
    ),
  );
  element.showModal();
}
