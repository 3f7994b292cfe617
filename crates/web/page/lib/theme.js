// Light or dark: what is drawn in colours of its own reads it here.

import { value } from "./core.js";

export const theme = value(/** @type {"light"|"dark"} */ ("light"));
