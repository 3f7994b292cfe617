// Levels for the library: a file, text, or those that are open on the page, under a name.

import { addToLibrary, post } from "../lib/api.js";
import { dialog } from "../lib/dialog.js";
import { announce, button, field, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { chooseFile } from "../lib/save.js";
import { store } from "../store.js";
import { library } from "./place.js";

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
    library.touch();
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
export const addDialog = () =>
  dialog("Add levels to the library", (close) => {
    const name = h("input", { type: "text", maxLength: 100, placeholder: "the name of the file" });
    const text = h("textarea.mono", { rows: 8, spellcheck: false, placeholder: "#####\n#@$.#\n#####" });
    const wanted = () => name.value.trim();
    const done = async (/** @type {() => Promise<Added>} */ add) => {
      if (await tried(add)) close();
    };
    const addFile = (/** @type {File} */ file) =>
      done(() => addToLibrary(file, wanted() || file.name.replace(/\.[^.]+$/, "") || file.name, file.name));
    const addText = () => done(() => addToLibrary(text.value, wanted() || "Pasted levels", "the clipboard"));
    const { collection } = store;
    const open = `Add the open levels: ${collection.title || "Levels"} (${collection.levels.length})`;
    return [
      field("Name of the collection", name, "A name that is taken gets a number behind it; nothing is replaced."),
      h("div.row.wrap", [
        button("Choose a file …", () => chooseFile(addFile), { class: "primary" }),
        collection.levels.length > 0 && button(open, () => done(() => addCollection(collection, wanted()))),
      ]),
      field("Or levels as text, in any format", text),
      h("div.row.end", [button("Add the text", addText)]),
    ];
  });
