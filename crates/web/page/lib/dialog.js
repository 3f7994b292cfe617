// A dialog with a heading and a way out.

import { h, iconButton } from "./dom.js";

/** @param {string} title @param {string} [kind] */
export function dialog(title, kind = "") {
  const body = h("div", { class: "dialog-body" });
  const heading = h("h2", { id: `dialog-${title.replace(/\W+/g, "-")}` }, title);
  const element = h(
    "dialog",
    { class: kind, "aria-labelledby": heading.id, onclose: () => element.remove() },
    h(
      "header",
      null,
      heading,
      iconButton("close", "Close", () => element.close()),
    ),
    body,
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  return { element, body };
}
