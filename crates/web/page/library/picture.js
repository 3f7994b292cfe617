// Pictures of levels by the server, in the colours of the page.

import { h } from "../lib/dom.js";

/** A picture that says nothing beyond the words beside it; it is drawn when it comes into sight. @param {string|null} drawn as SVG */
export const picture = (drawn) =>
  h("img.level-image", {
    alt: "",
    loading: "lazy",
    decoding: "async",
    width: 104,
    height: 104,
    src: `data:image/svg+xml,${encodeURIComponent(drawn ?? "")}`,
  });
