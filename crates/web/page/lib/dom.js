// Making elements. Text is always text: nothing in the page is ever parsed as markup.

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * Makes an element. Properties whose names start with "on" are listeners, "class" and "aria-…" are
 * attributes, others are set as properties where the element has them and as attributes where not.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>|null} [properties]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name !== "class" && name !== "list" && name !== "form" && name in element)
      /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {(Child|Child[])[]} children
 */
function add(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Child|Child[])} children
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
 * @param {string} label
 * @param {() => void} onclick
 * @param {Record<string, any>} [more]
 */
export function button(label, onclick, more) {
  return h("button", { type: "button", onclick, ...more }, label);
}

/**
 * A button that is a picture.
 * @param {string} name
 * @param {string} label
 * @param {() => void} onclick
 * @param {Record<string, any>} [more]
 */
export function iconButton(name, label, onclick, more) {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...more },
    icon(name),
  );
}

let labels = 0;

/**
 * A labelled control with a sentence that explains it.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {HTMLElement|string|null} [explanation]
 */
export function field(label, control, explanation) {
  labels += 1;
  control.id ||= `control-${labels}`;
  /** @type {HTMLElement|null} */
  let note = null;
  if (explanation) {
    note = typeof explanation === "string" ? h("p", { class: "about" }, explanation) : explanation;
    note.id ||= `about-${labels}`;
    control.setAttribute("aria-describedby", note.id);
  }
  return h("div", { class: "field" }, h("label", { htmlFor: control.id }, label), control, note);
}

/**
 * A list to choose from.
 * @param {(string|[string, string])[]} options values, or pairs of value and text
 * @param {string} value
 * @param {(value: string) => void} onchange
 */
export function select(options, value, onchange) {
  const control = h("select", { onchange: () => onchange(control.value) });
  for (const option of options) {
    const [name, text] = typeof option === "string" ? [option, option] : option;
    control.append(h("option", { value: name, selected: name === value }, text));
  }
  control.value = value;
  return control;
}

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
