// One server and one browser for the tests of a file; nothing may go wrong on a page that a test leaves.

import assert from "node:assert/strict";
import { after, afterEach, before } from "node:test";
import { Workbench, browser, endJobs, serve } from "./workbench.js";

/** Registers the hooks; `open` gives a page in a browser that has kept nothing yet. */
export function session(...serverOptions) {
  const state = {
    server: null,
    chrome: null,
    /** @type {Workbench} */
    bench: null,
    open: async (options) => (state.bench = await Workbench.open(state.chrome, state.server.url, options)),
  };
  before(async () => {
    state.server = await serve(...serverOptions);
    state.chrome = await browser();
  });
  after(async () => {
    await state.chrome?.close();
    await state.server?.end();
  });
  afterEach(async () => {
    const troubles = state.bench?.troubles ?? [];
    await state.bench?.close();
    state.bench = null;
    // A test may have ended the server.
    await endJobs(state.server.url).catch(() => {});
    assert.deepEqual(troubles, []);
  });
  return state;
}
