// Making elements. Text is always text: nothing in the page is ever parsed as markup.

import { effect, ending, scope, value } from "./core.js";

/**
 * What an element holds. A function is called anew whenever a value it reads changes.
 * @typedef {Node|string|number|boolean|null|undefined|readonly any[]|(() => any)} Child
 */
/** @template {string} S @typedef {S extends `${infer T extends keyof HTMLElementTagNameMap}.${string}` ? HTMLElementTagNameMap[T] : S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : HTMLElement} ElementOf */

/**
 * Makes an element: h("p.muted", "words"), h("div.row", { hidden: () => !open.value }, [one, other]).
 *
 * Properties whose names start with "on" are listeners; others are set as properties where the element has them and as
 * attributes where not. A property that is a function follows the values it reads.
 * @template {string} S
 * @param {S} selector a tag and its classes
 * @param {Record<string, any>|Child} [properties]
 * @param {Child} [children]
 * @returns {ElementOf<S>}
 */
export function h(selector, properties, children) {
  const [tag = "", ...classes] = selector.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const isPlain = Object.getPrototypeOf(properties ?? "") === Object.prototype;
  const given = Object.entries(isPlain ? /** @type {object} */ (properties) : {});
  // What is chosen can only be said when there is something to choose from.
  const [late, early] = [given.filter(([name]) => name === "value"), given.filter(([name]) => name !== "value")];
  for (const [name, what] of early) bind(element, name, what);
  add(element, isPlain || children !== undefined ? children : /** @type {Child} */ (properties));
  for (const [name, what] of late) bind(element, name, what);
  return /** @type {any} */ (element);
}

/** @param {HTMLElement} element @param {string} name @param {any} what */
function bind(element, name, what) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), what);
  else if (name === "class") {
    // Besides the classes of the selector.
    const { className } = element;
    const put = (/** @type {unknown} */ more) => (element.className = `${className} ${more || ""}`.trim());
    if (typeof what === "function") effect(() => put(what()));
    else put(what);
  } else if (typeof what === "function") effect(() => set(element, name, what(element)));
  else if (what !== undefined && what !== null && what !== false) set(element, name, what);
}

/** @param {any} element @param {string} name @param {any} what */
function set(element, name, what) {
  if (name === "style") Object.assign(element.style, what);
  else if (what === undefined || what === null) element.removeAttribute(name);
  else if (name !== "list" && name !== "form" && name in element) {
    if (name !== "value" || element.value !== what) element[name] = what;
  } else if (what === false) element.removeAttribute(name);
  else element.setAttribute(name, what === true ? "" : String(what));
}

/** @param {Element} element @param {Child} child */
function add(element, child) {
  if (Array.isArray(child)) for (const one of child) add(element, one);
  else if (typeof child === "function") follow(element, child);
  else if (isSomething(child)) element.append(child instanceof Node ? child : String(child));
}

/** @param {Child} child */
const isSomething = (child) => child !== null && child !== undefined && child !== false && child !== true;

/** @param {Child} child @returns {Node[]} */
function nodesOf(child) {
  if (Array.isArray(child)) return child.flatMap(nodesOf);
  if (typeof child === "function") return nodesOf(child());
  if (!isSomething(child)) return [];
  return [child instanceof Node ? child : document.createTextNode(String(child))];
}

/** Holds what a function gives, up to date; nodes that stay are not touched. @param {Element} element @param {() => Child} give */
function follow(element, give) {
  const end = document.createTextNode("");
  element.append(end);
  /** @type {Node[]} */
  let shown = [];
  effect(() => {
    const next = nodesOf(give());
    const [text, words] = [shown[0], next[0]];
    if (shown.length === 1 && next.length === 1 && text instanceof Text && words instanceof Text) {
      if (text.data !== words.data) text.data = words.data;
      return;
    }
    const parent = end.parentNode;
    for (const node of shown) if (node.parentNode === parent && !next.includes(node)) parent?.removeChild(node);
    /** @type {Node} */
    let before = end;
    for (const node of [...next].reverse()) {
      if (node.nextSibling !== before || node.parentNode !== parent) parent?.insertBefore(node, before);
      before = node;
    }
    shown = next;
  });
}

/**
 * A list whose elements stay with their items: each is made once and told of its item's later states.
 * @template T
 * @param {() => readonly T[]} items
 * @param {(item: T, index: number) => unknown} keyOf what an item is known by
 * @param {(item: {readonly value: T}, index: number) => Child} make
 * @returns {() => Child}
 */
export function each(items, keyOf, make) {
  /** @type {Map<unknown, {item: {value: T}, nodes: Node[], end: () => void}>} */
  let known = new Map();
  ending(() => known.forEach(({ end }) => end()));
  return () => {
    /** @type {typeof known} */
    const next = new Map();
    items().forEach((now, index) => {
      const key = keyOf(now, index);
      let one = known.get(key);
      if (one) one.item.value = now;
      else {
        const item = value(now);
        const [nodes, end] = scope(() => nodesOf(make(item, index)));
        one = { item, nodes, end };
      }
      next.set(key, one);
    });
    for (const [key, { end }] of known) if (!next.has(key)) end();
    known = next;
    return [...next.values()].flatMap(({ nodes }) => nodes);
  };
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @type {Record<string, string>} */
const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  next: "M6 5l8.5 7L6 19zM15.5 5H18v14h-2.5z",
  back: "M18 5l-8.5 7L18 19zM6 5h2.500v14H6z",
  first: "M20 5l-7 7 7 7zM12 5l-7 7 7 7zM3 5h2v14H3z",
  last: "M4 5l7 7-7 7zM12 5l7 7-7 7zM19 5h2v14h-2z",
  undo: "M9 5L3.500 10.500 9 16v-3.700h5a3.500 3.500 0 010 7H8V22h6a6.200 6.200 0 000-12.400H9z",
  redo: "M15 5l5.500 5.500L15 16v-3.700h-5a3.500 3.500 0 000 7h6V22h-6a6.200 6.200 0 010-12.400h5z",
  left: "M15 4l-8 8 8 8 2-2-6-6 6-6z",
  right: "M9 4l8 8-8 8-2-2 6-6-6-6z",
  up: "M4 15l8-8 8 8-2 2-6-6-6 6z",
  down: "M4 9l8 8 8-8-2-2-6 6-6-6z",
  sun: "M12 7a5 5 0 100 10 5 5 0 000-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4 5.400L5.400 4l2.900 2.900-1.400 1.400zM15.700 17.100l1.400-1.400L20 18.600 18.600 20zM4 18.600l2.900-2.900 1.400 1.400L5.400 20zM15.700 6.900L18.600 4 20 5.400l-2.900 2.900z",
  moon: "M14.500 2.500A9.700 9.700 0 1021.500 16 8 8 0 0114.500 2.500z",
  present: "M2 4h20v12H2zM4 6v8h16V6zM9 18h6l2 3H7z",
  undoPush: "M12 5L6.500 10.500 12 16v-3.700h3a3.500 3.500 0 010 7H9V22h6a6.200 6.200 0 000-12.400h-3zM2 9.500h4v4H2z",
  levels: "M3 3h8v8H3zM13 3h8v8h-8zM3 13h8v8H3zM13 13h8v8h-8z",
  close:
    "M5 6.500L6.500 5 12 10.500 17.500 5 19 6.500 13.500 12l5.500 5.500-1.500 1.500-5.500-5.500L6.500 19 5 17.500 10.500 12z",
};

/**
 * A small picture for a button; the button's label says what it means.
 * @param {string} name
 */
export function icon(name) {
  const picture = svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" });
  picture.append(svg("path", { d: ICONS[name] ?? "" }));
  return picture;
}

/**
 * @param {Child} label
 * @param {() => void} onclick
 * @param {Record<string, any>} [more]
 */
export function button(label, onclick, more) {
  return h("button", { type: "button", onclick, ...more }, label);
}

/**
 * A button that is a picture.
 * @param {string|(() => string)} name
 * @param {string|(() => string)} label
 * @param {() => void} onclick
 * @param {Record<string, any>} [more]
 */
export function iconButton(name, label, onclick, more) {
  const picture = typeof name === "function" ? () => icon(name()) : icon(name);
  return h("button.icon-button", { type: "button", "aria-label": label, title: label, onclick, ...more }, picture);
}

let labels = 0;

/**
 * A labelled control with a sentence that explains it.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {Child} [explanation]
 * @param {Record<string, any>} [more]
 */
export function field(label, control, explanation, more = {}) {
  labels += 1;
  control.id ||= `control-${labels}`;
  const note = explanation ? h("p.about", { id: `about-${labels}` }, explanation) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div.field", more, [h("label", { htmlFor: control.id }, label), control, note]);
}

/**
 * A list to choose from.
 * @typedef {readonly (string|readonly string[])[]} Options values, or pairs of value and text
 * @param {Options|(() => Options)} options
 * @param {string|(() => string)} value
 * @param {(value: string) => void} onchange
 * @param {Record<string, any>} [more]
 */
export function select(options, value, onchange, more) {
  const list = typeof options === "function" ? options : () => options;
  const chosen = typeof value === "function" ? value : () => value;
  const entries = () =>
    list().map((option) => {
      const [name = "", text = name] = typeof option === "string" ? [option] : option;
      return h("option", { value: name }, text);
    });
  const control = h(
    "select",
    {
      onchange: () => onchange(control.value),
      // A new list chooses anew.
      value: typeof options === "function" || typeof value === "function" ? () => (list(), chosen()) : value,
      ...more,
    },
    typeof options === "function" ? entries : entries(),
  );
  return control;
}

/**
 * A box to tick, with words beside it.
 * @param {Child} words
 * @param {boolean|(() => boolean)} checked
 * @param {(checked: boolean) => void} onchange
 * @param {Record<string, any>} [more]
 */
export function tick(words, checked, onchange, { picture, ...more } = {}) {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return h("label.check", more, [box, picture, h("span", words)]);
}

/** A word in bold and a sentence about it. @param {string} word @param {string} about */
export const explained = (word, about) => [h("strong", word), h("span.about", ` ${about}`)];

/** What may be wider than the page, to be scrolled. @param {string} label @param {Child} child @param {Record<string, any>} [more] */
export const scrolled = (label, child, more) =>
  h("div.table-scroll", { tabIndex: 0, role: "region", "aria-label": label, ...more }, child);

/**
 * A table; names of columns that are wrapped in an array stand over figures.
 * @param {string} kind its classes
 * @param {readonly (string|readonly string[])[]} columns
 * @param {Child} rows
 */
export const table = (kind, columns, rows) =>
  h("table", { class: kind }, [
    h(
      "thead",
      h(
        "tr",
        columns.map((name) => h("th", { class: Array.isArray(name) ? "number" : "" }, name)),
      ),
    ),
    h("tbody", rows),
  ]);

/** Figures with their names; a third word marks one. @param {readonly (readonly string[])[]} rows */
export const figures = (rows) =>
  rows.map(([name, value, mark]) =>
    h("div", { class: mark ? `mark mark-${mark}` : "" }, [h("dt", name), h("dd", value)]),
  );

/** @param {string} text Says something to those who hear the page. */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}

/** @param {unknown} error What went wrong, as a sentence. */
export const sentenceOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {string} text A short message for those who see the page; it goes away by itself.
 * @param {"note"|"error"} [kind]
 */
export function toast(text, kind = "note") {
  const place = document.getElementById("toasts");
  if (!place) return;
  const message = h("div", { class: `toast ${kind}` }, text);
  place.append(message);
  while (place.children.length > 3) place.firstElementChild?.remove();
  // Shown anew it stands above a dialog that was opened since.
  if (place.matches(":popover-open")) place.hidePopover();
  place.showPopover();
  setAside(place);
  setTimeout(
    () => {
      message.remove();
      if (!place.children.length && place.matches(":popover-open")) place.hidePopover();
    },
    Math.max(kind === "error" ? 8000 : 3500, text.length * 60),
  );
}

/** Puts the messages where they cover nothing that can be pressed, if there is such a place. @param {HTMLElement} place */
function setAside(place) {
  const inDialog = document.querySelector("dialog[open]");
  const things = [
    ...(inDialog ?? document).querySelectorAll("button, a[href], input, select, textarea, summary, canvas"),
  ]
    .filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect());
  const { width, height } = place.getBoundingClientRect();
  const [right, bottom] = [innerWidth - width - 12, innerHeight - height - 12];
  const spots = [];
  for (const x of [12, right, right / 2]) for (let y = bottom; y >= 60; y -= 24) spots.push([x, y]);
  const covered = (/** @type {number[]} */ [x = 0, y = 0]) =>
    things.filter((box) => box.left < x + width && box.right > x && box.top < y + height && box.bottom > y).length;
  const best = spots.reduce((found, spot) => (covered(spot) < covered(found) ? spot : found), spots[0] ?? [12, bottom]);
  place.style.left = `${Math.max(12, best[0] ?? 12)}px`;
  place.style.top = `${Math.max(12, best[1] ?? bottom)}px`;
}

/** Whether the person asked for less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
