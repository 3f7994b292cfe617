// A dialog with a heading and a way out; what it holds ends with it.

import { scope } from "./core.js";
import { h, iconButton } from "./dom.js";

/**
 * Opens a dialog.
 * @param {string} title
 * @param {(close: () => void) => import("./dom.js").Child} make what it holds
 * @param {string} [kind]
 */
export function dialog(title, make, kind = "") {
  const close = () => element.close();
  const [body, end] = scope(() => h("div.dialog-body", [make(close)]));
  const heading = h("h2", { id: `dialog-${title.replace(/\W+/g, "-")}` }, title);
  const closed = () => {
    element.remove();
    end();
  };
  const element = h("dialog", { class: kind, "aria-labelledby": heading.id, onclose: closed }, [
    h("header", [heading, iconButton("close", "Close", close)]),
    body,
  ]);
  element.addEventListener("click", (event) => {
    if (event.target === element) close();
  });
  document.body.append(element);
  element.showModal();
}
