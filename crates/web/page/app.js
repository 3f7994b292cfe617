// The page: which view and which level the address names, light or dark, and what is dropped or pasted.

import { checkLevel, checkSolutions, get } from "./lib/api.js";
import { effect, latest, settle, value } from "./lib/core.js";
import { announce, fill, h, iconButton, sentenceOf, toast } from "./lib/dom.js";
import { keep, kept } from "./lib/keep.js";
import { shelved } from "./lib/shelf.js";
import { theme } from "./lib/theme.js";
import { drawing } from "./sokoban/drawing.js";
import { openLevels } from "./sokoban/levelbar.js";
import { lettersOf } from "./sokoban/position.js";
import { addressOf, lessonOf, readAddress, shelfOf } from "./sokoban/share.js";
import { restoreSearches } from "./sokoban/searches.js";
import { chooseLevel, keepPlace, keyOf, lastPlace, levelOf, nameCollection, setLevel, store } from "./store.js";
import { learnView } from "./views/learn.js";
import { playView } from "./views/play.js";
import { solveView } from "./views/solve.js";
import { inspectView } from "./views/inspect.js";
import { compareView } from "./views/compare.js";
import { drawView } from "./views/draw.js";
import { libraryView } from "./views/library.js";
import { tilesView } from "./views/tiles.js";
import { cseView } from "./views/cse.js";

/**
 * A view: what it shows, which keys it takes, what to do when it is left, and what it waits for before it is whole.
 * @typedef {{element: HTMLElement, key?: (event: KeyboardEvent) => boolean, shown?: () => void, left?: () => void, ready?: Promise<void>}} View
 */

/** @type {{name: string, label: string, make: () => View}[]} */
const VIEWS = [
  { name: "play", label: "Play", make: playView },
  { name: "learn", label: "Learn", make: learnView },
  { name: "solve", label: "Solve", make: solveView },
  { name: "inspect", label: "Inspect", make: inspectView },
  { name: "compare", label: "Compare", make: compareView },
  { name: "library", label: "Library", make: libraryView },
  { name: "draw", label: "Draw", make: drawView },
  { name: "tiles", label: "Tiles", make: tilesView },
  { name: "cse", label: "CSE", make: cseView },
];

/** @type {Map<string, View>} Views are made once and keep their state. */
const made = new Map();
/** @type {View|null} */
let shown = null;
/** The name of the view that is shown. */
const view = value("play");

const main = () => /** @type {HTMLElement} */ (document.getElementById("main"));

/** Writes the view and the level, the lesson or the place in the library into the address. @param {"push"|"replace"} how */
function writeAddress(how) {
  const name = view.value;
  const place = addressOf(name, store.current);
  keepPlace(place);
  const address = name === "learn" ? `#/learn/${store.lesson}` : name === "library" ? `#/library${store.shelf}` : place;
  if (address === location.hash) return;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The collection of a name: the server's own, the one that is open, or one of the shelf. @param {string} id */
async function collectionOf(id) {
  for (const one of [store.collection, store.offered]) if (one.id === id) return one;
  return shelved(id);
}

/**
 * Looks for the level an address names. What it carries goes through the checks and the referee first.
 * @param {import("./sokoban/share.js").Address} address
 * @returns {Promise<() => string|null>} opens it, and gives another view to show it in where it cannot be played
 */
async function levelOfAddress({ collection, number, level, from }) {
  if (collection !== null) {
    const found = await collectionOf(collection);
    const wanted = found?.levels.find((one) => one.number === number);
    if (!found || !wanted) {
      toast(
        `The address names level ${number} of a collection this browser does not have: open its file first.`,
        "error",
      );
      return () => null;
    }
    const played = from ? await legal(wanted.board, from) : null;
    return () => {
      store.collection = found;
      setLevel({ ...levelOf(wanted), from: played }, "address");
      return null;
    };
  }
  if (!level) return () => null;
  const checked = await checkLevel(level.board);
  const title = level.title ?? "Shared level";
  if (!checked.playable) {
    toast(`The level in the link cannot be played: ${checked.flaw}. Here it can be mended.`, "error");
    return () => {
      drawing.load({ ...level, title });
      return "draw";
    };
  }
  let solution = null;
  if (level.solution) {
    const [verdict] = await checkSolutions(level.board, [level.solution]);
    if (verdict?.solves) solution = verdict.lurd;
    else toast(`The solution in the link is none: ${verdict?.fault}. The level is opened without it.`, "error");
  }
  const played = from ? await legal(level.board, from) : null;
  return () => {
    setLevel({ ...level, title, solution, from: played }, "address");
    return null;
  };
}

/** Moves that keep the rules; null and a sentence where they do not. @param {string} board @param {string} moves */
async function legal(board, moves) {
  const [verdict] = await checkSolutions(board, [moves]);
  if (verdict?.legal) return verdict.lurd;
  toast(`The moves in the address break the rules: ${verdict?.fault}. The level is shown from its start.`, "error");
  return null;
}

/** Whether the current level is the one an address names. @param {import("./sokoban/share.js").Address} address */
function isCurrent({ collection, number, level, from }) {
  const { current } = store;
  if ((current.from ?? null) !== from) return false;
  if (collection !== null) return current.collection === collection && current.number === number;
  return (
    level !== null &&
    current.number === null &&
    keyOf(current.board) === keyOf(level.board) &&
    current.title === (level.title ?? "Shared level") &&
    (!level.solution || level.solution === current.solution)
  );
}

/** A later address overtakes this one. */
const routing = latest();
async function route() {
  const wait = routing();
  let wanted = "play";
  try {
    const address = readAddress(location.hash);
    wanted = address.view;
    const lesson = lessonOf(location.hash);
    if (lesson) store.lesson = lesson;
    const shelf = shelfOf(location.hash);
    if (shelf) store.shelf = shelf;
    if (!shelf && (address.collection !== null || address.level) && !isCurrent(address)) {
      const open = await wait(levelOfAddress(address));
      wanted = open() ?? wanted;
    }
  } catch (error) {
    wanted = /^#\/(\w+)/.exec(location.hash)?.[1] ?? "play";
    toast(sentenceOf(error), "error");
  }
  await wait(show(wanted));
  writeAddress("replace");
}

/** @param {string} name @returns {Promise<void>|undefined} what is waited for before the view is whole */
function show(name) {
  const chosen = VIEWS.find((one) => one.name === name) ?? /** @type {typeof VIEWS[0]} */ (VIEWS[0]);
  view.value = chosen.name;
  const next = made.get(chosen.name) ?? chosen.make();
  made.set(chosen.name, next);
  if (next === shown) return next.ready;
  shown?.left?.();
  shown = next;
  fill(main(), next.element);
  next.shown?.();
  // Nobody sees what the view showed when it was left.
  settle();
  document.title = `${chosen.label} · lurd workbench`;
  return next.ready;
}

/** The links to the views; the one that is shown is in sight. */
function viewLinks() {
  const bar = /** @type {HTMLElement} */ (document.getElementById("views"));
  const isHere = (/** @type {string} */ name) => name === view.value;
  const links = VIEWS.map(({ name, label }) =>
    h("a", { href: `#/${name}`, "aria-current": () => (isHere(name) ? "page" : null) }, label),
  );
  fill(bar, links);
  effect(() => {
    const place = links[VIEWS.findIndex(({ name }) => isHere(name))]?.offsetLeft ?? 0;
    // No scrap of the label before it, where the bar can be moved so far: the rest fades out at its edges.
    bar.scrollTo({ left: place - bar.offsetLeft - parseFloat(getComputedStyle(bar).paddingLeft) });
  });
}

/** @param {"light"|"dark"} next */
function setTheme(next) {
  document.documentElement.dataset.theme = theme.value = next;
}

function themes() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () =>
    setTheme(kept("theme") === "dark" || (kept("theme") !== "light" && dark.matches) ? "dark" : "light");
  dark.addEventListener("change", follow);
  const isDark = () => theme.value === "dark";
  const change = () => {
    setTheme(isDark() ? "light" : "dark");
    keep("theme", theme.value);
  };
  const label = () => (isDark() ? "Switch to light colours" : "Switch to dark colours");
  const control = iconButton(() => (isDark() ? "sun" : "moon"), label, change, { id: "theme" });
  // For a beamer: larger letters, the board and its figures alone.
  const presents = value(false);
  effect(() => (document.documentElement.dataset.present = String(presents.value)));
  const present = () => {
    presents.value = !presents.value;
    settle();
    announce(presents.value ? "Presentation mode." : "Presentation mode is off.");
    dispatchEvent(new Event("resize"));
  };
  const more = { id: "present", "aria-pressed": () => String(presents.value) };
  const words = "Presentation: large, without the side panel";
  document.getElementById("theme")?.replaceWith(iconButton("present", words, present, more), control);
  follow();
}

/** What is dropped or pasted: a file, levels as text, or the moves of a solution. */
function arrivals() {
  const text = async (/** @type {string} */ what, /** @type {string} */ where) => {
    if (!what.trim()) return;
    if (/^[lurdLURD0-9()\s]+$/.test(what) && /[lurdLURD]/.test(what))
      document.dispatchEvent(new CustomEvent("moves", { detail: { moves: what } }));
    else await openLevels(what, where);
  };
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) await openLevels(file, file.name);
    else await text(event.dataTransfer?.getData("text") ?? "", "the dropped text");
  });
  addEventListener("paste", async (event) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest("input, textarea, [contenteditable]")) return;
    event.preventDefault();
    const file = event.clipboardData?.files[0];
    if (file) await openLevels(file, file.name);
    else await text(event.clipboardData?.getData("text") ?? "", "the clipboard");
  });
  document.addEventListener("moves", async (event) => {
    const { moves } = /** @type {CustomEvent<{moves: string}>} */ (event).detail;
    const level = store.current;
    try {
      const [verdict] = await checkSolutions(level.board, [moves]);
      if (level !== store.current) return;
      if (!verdict?.solves || !verdict.lurd)
        toast(`The pasted moves do not solve ${level.title}: ${verdict?.fault}.`, "error");
      else {
        setLevel({ ...level, from: null, solution: lettersOf(verdict.lurd) });
        location.hash = "#/solve";
      }
    } catch (error) {
      toast(sentenceOf(error), "error");
    }
  });
}

/** Keys belong to the view unless a control wants them. @param {KeyboardEvent} event */
function key(event) {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (document.querySelector("dialog[open]")) return;
  if (target?.closest("input, select, textarea, [contenteditable]")) return;
  // A button keeps its own keys; arrows mean nothing to it.
  if (target?.closest("button, a, summary") && (event.key === " " || event.key === "Enter")) return;
  if (shown?.key?.(event)) event.preventDefault();
}

function skipLink() {
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    const board = main().querySelector(".board, .tile-board button, .cse-board button");
    if (!(board instanceof HTMLElement)) return main().focus();
    // A board that is only a picture takes the focus for once, to be read.
    if (board.tabIndex < 0) board.setAttribute("tabindex", "-1");
    board.scrollIntoView({ block: "center" });
    board.focus();
  });
}

/** What is shown first: what the address names, where the page was left, or the first level. */
async function begin() {
  const first = store.offered.levels[0];
  // A lesson and the library are looked at beside the level of the last time.
  const lesson = lessonOf(location.hash);
  if (lesson) {
    store.lesson = lesson;
    history.replaceState(null, "", "#/learn");
  }
  const shelf = shelfOf(location.hash);
  if (shelf) {
    store.shelf = shelf;
    history.replaceState(null, "", "#/library");
  }
  const bare = !location.hash.replace(/^#\/?/, "");
  const place = lastPlace();
  if (bare && place) history.replaceState(null, "", place);
  const address = location.hash;
  // A view without a level shows the level of the last time.
  if (place && /^#\/\w+$/.test(address)) {
    const last = readAddress(place);
    history.replaceState(null, "", place.replace(/^#\/\w+/, address));
    if (last.collection !== null && !(await collectionOf(last.collection))) history.replaceState(null, "", address);
  }
  if (first) chooseLevel(first, "address");
  document.addEventListener("levelchange", (event) => {
    if (/** @type {CustomEvent} */ (event).detail?.by !== "address") writeAddress("push");
    else keepPlace(addressOf(view.value, store.current));
  });
}

async function start() {
  themes();
  viewLinks();
  skipLink();
  try {
    const [about, levels] = await Promise.all([get("/about"), get("/levels")]);
    store.about = about;
    const title = levels.title ?? "Levels";
    store.offered = { id: nameCollection(title, levels.levels), title, levels: levels.levels };
    store.collection = store.offered;
    await begin();
  } catch (error) {
    fill(main(), h("p.card", sentenceOf(error)));
    return;
  }
  arrivals();
  addEventListener("hashchange", route);
  addEventListener("keydown", key);
  restoreSearches();
  await route();
  document.documentElement.dataset.ready = "true";
}

start();
