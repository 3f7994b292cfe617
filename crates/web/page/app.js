// The page: which view is shown, light or dark, and what is dropped on it.

import { get } from "./lib/api.js";
import { fill, h, icon, toast } from "./lib/dom.js";
import { openLevels } from "./sokoban/levelbar.js";
import { readShared } from "./sokoban/share.js";
import { chooseLevel, setLevel, store } from "./store.js";
import { solveView } from "./views/solve.js";
import { playView } from "./views/play.js";
import { inspectView } from "./views/inspect.js";
import { compareView } from "./views/compare.js";
import { drawView } from "./views/draw.js";
import { tilesView } from "./views/tiles.js";
import { cseView } from "./views/cse.js";

/**
 * A view: what it shows, which keys it takes, what to do when it is left.
 * @typedef {{element: HTMLElement, key?: (event: KeyboardEvent) => boolean, shown?: () => void, left?: () => void}} View
 */

/** @type {{name: string, label: string, make: () => View}[]} */
const VIEWS = [
  { name: "solve", label: "Solve", make: solveView },
  { name: "play", label: "Play", make: playView },
  { name: "inspect", label: "Inspect", make: inspectView },
  { name: "compare", label: "Compare", make: compareView },
  { name: "draw", label: "Draw", make: drawView },
  { name: "tiles", label: "Tiles", make: tilesView },
  { name: "cse", label: "CSE", make: cseView },
];

/** @type {Map<string, View>} Views are made once and keep their state. */
const made = new Map();
/** @type {View|null} */
let shown = null;

function route() {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const chosen = VIEWS.find((view) => view.name === path) ?? /** @type {typeof VIEWS[0]} */ (VIEWS[0]);
  if (query) {
    try {
      const shared = readShared(new URLSearchParams(query));
      if (shared) setLevel({ board: shared.board, title: shared.title ?? "Shared level", solution: shared.solution });
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), "error");
    }
  }
  let view = made.get(chosen.name);
  if (!view) {
    view = chosen.make();
    made.set(chosen.name, view);
  }
  if (view !== shown) {
    shown?.left?.();
    shown = view;
    fill(/** @type {HTMLElement} */ (document.getElementById("main")), view.element);
    view.shown?.();
    document.title = `${chosen.label} · lurd workbench`;
    for (const link of document.querySelectorAll("#views a")) {
      if (link.getAttribute("href") === `#/${chosen.name}`) {
        link.setAttribute("aria-current", "page");
        link.scrollIntoView({ block: "nearest", inline: "nearest" });
      } else link.removeAttribute("aria-current");
    }
  }
}

/** @param {"light"|"dark"} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const control = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  fill(control, icon(theme === "dark" ? "sun" : "moon"));
  control.setAttribute("aria-label", theme === "dark" ? "Switch to light colours" : "Switch to dark colours");
  document.dispatchEvent(new CustomEvent("themechange"));
}

function themes() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try {
      return localStorage.getItem("lurd.theme");
    } catch {
      return null;
    }
  };
  const follow = () => setTheme(kept() === "dark" || (kept() !== "light" && dark.matches) ? "dark" : "light");
  dark.addEventListener("change", follow);
  document.getElementById("theme")?.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("lurd.theme", next);
    } catch {
      // Then it holds for this visit.
    }
    setTheme(next);
  });
  follow();
}

function drops() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text");
    if (file) await openLevels(file, file.name);
    else if (text) await openLevels(text, "the dropped text");
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

async function start() {
  themes();
  fill(/** @type {HTMLElement} */ (document.getElementById("views")), VIEWS.map((view) => h("a", { href: `#/${view.name}` }, view.label)));
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    const board = document.querySelector("main [tabindex='0'], main button");
    (board instanceof HTMLElement ? board : document.getElementById("main"))?.focus();
  });
  try {
    const [about, levels] = await Promise.all([get("/about"), get("/levels")]);
    store.about = about;
    store.offered = { title: levels.title ?? "Levels", levels: levels.levels };
    store.collection = store.offered;
    const first = store.offered.levels[0];
    if (first) chooseLevel(first);
  } catch (error) {
    fill(/** @type {HTMLElement} */ (document.getElementById("main")), h("p", { class: "card" }, error instanceof Error ? error.message : String(error)));
    return;
  }
  drops();
  addEventListener("hashchange", route);
  addEventListener("keydown", key);
  route();
  document.documentElement.dataset.ready = "true";
}

start();
