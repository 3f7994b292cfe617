// Whether the server can be reached: a sign says so where it cannot.

import { effect, value } from "./core.js";

const connected = value(true);

/** @param {boolean} is */
export const showConnection = (is) => (connected.value = is);

effect(() => document.getElementById("connection")?.toggleAttribute("hidden", connected.value));
