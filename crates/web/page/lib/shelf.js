// The shelf of opened collections, in IndexedDB: a file of levels may be larger than localStorage holds. Where the
// browser has no IndexedDB a collection lasts as long as the page.

import { toast } from "./dom.js";

/** @typedef {import("./types.js").Level} Level */
/** @typedef {{id: string, title: string, levels: Level[]}} Shelved */

/** @type {Map<string, Shelved>} */
const inMemory = new Map();
let told = false;

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("lurd", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("collections", { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
async function inStore(mode, act) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction("collections", mode);
      const request = act(transaction.objectStore("collections"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @param {Shelved} collection */
export async function shelve(collection) {
  inMemory.set(collection.id, collection);
  try {
    await inStore("readwrite", (store) => store.put(collection));
  } catch {
    if (told) return;
    told = true;
    toast("The browser does not keep this collection: open the file again after you have closed the page.", "error");
  }
}

/** @param {string} id @returns {Promise<Shelved|null>} */
export async function shelved(id) {
  const known = inMemory.get(id);
  if (known) return known;
  try {
    return (await inStore("readonly", (store) => store.get(id))) ?? null;
  } catch {
    return null;
  }
}

/** @returns {Promise<{id: string, title: string, count: number}[]>} */
export async function allShelved() {
  /** @type {Map<string, Shelved>} */
  const all = new Map(inMemory);
  try {
    for (const one of /** @type {Shelved[]} */ (await inStore("readonly", (store) => store.getAll())))
      all.set(one.id, one);
  } catch {
    // Those of this visit are there.
  }
  return [...all.values()].map(({ id, title, levels }) => ({ id, title, count: levels.length }));
}

/** @param {string} id */
export async function unshelve(id) {
  inMemory.delete(id);
  try {
    await inStore("readwrite", (store) => store.delete(id));
  } catch {
    // It was never there.
  }
}
