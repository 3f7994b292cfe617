// What the browser keeps for the page: small things by name, in localStorage, under the version of their shapes.
// Where the browser keeps nothing they live as long as the page, and a sentence says so once.

import { isReading, value } from "./core.js";
import { toast } from "./dom.js";

/** Raised when the shape of what is kept changes; what older pages kept is read by those who know it. */
const VERSION = 1;
const PREFIX = `lurd/${VERSION}/`;

/** @type {Map<string, string>} What could not be kept, for this visit. */
const held = new Map();
let told = false;

/** @param {unknown} error */
function tell(error) {
  if (told) return;
  told = true;
  const full = error instanceof DOMException && error.name === "QuotaExceededError" && held.size < 1_000 && count() > 0;
  toast(
    full
      ? "The browser’s store for this page is full: what you do now is kept only until the page is closed. Export your best solutions, or remove collections you no longer need."
      : "This browser keeps nothing for the page (a private window, or storage is off): games and drawings last until the page is closed.",
    "error",
  );
}

function count() {
  try {
    return localStorage.length;
  } catch {
    return 0;
  }
}

/** @type {Map<string, import("./core.js").Told<number>>} Who reads what is kept under a name hears when it changes, in another tab too. */
const changes = new Map();

/** @param {string} name */
function changesOf(name) {
  const known = changes.get(name) ?? value(0);
  changes.set(name, known);
  return known;
}

/** @param {string} name @returns {any} what is kept under a name; null where there is nothing */
export function kept(name) {
  if (isReading()) changesOf(name).value;
  const key = PREFIX + name;
  try {
    const text = held.get(key) ?? localStorage.getItem(key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value @returns {boolean} whether it outlives the page */
export function keep(name, value) {
  const key = PREFIX + name;
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    held.delete(key);
    return true;
  } catch (error) {
    held.set(key, text);
    tell(error);
    return false;
  } finally {
    changes.get(name)?.touch();
  }
}

/** @param {string} name */
export function forget(name) {
  held.delete(PREFIX + name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Then there is nothing to forget.
  }
}

/**
 * Calls when another tab keeps something else under a name that begins so.
 * @param {string} start
 * @param {(name: string) => void} act
 */
export function whenKeptElsewhere(start, act) {
  addEventListener("storage", (event) => {
    if (event.key?.startsWith(PREFIX + start)) act(event.key.slice(PREFIX.length));
  });
}

addEventListener("storage", (event) => changes.get(event.key?.slice(PREFIX.length) ?? "")?.touch());
