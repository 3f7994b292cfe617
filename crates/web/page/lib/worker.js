// A worker of the static page: one instance of lurd with a memory of its own. It answers questions, or runs a job or one
// share of its strategies. The page ends it by terminating it.

import { reader } from "./finds.js";

/** @typedef {{answer: (host: string, method: string, path: string, query: string, body: Uint8Array) => string,
 *             run: (host: string, id: string, body: Uint8Array, index: number, shares: number) => void,
 *             memory: WebAssembly.Memory}} Lurd */

/** @type {Promise<Lurd>|null} */
let loading = null;

/** @param {WebAssembly.Module} module @returns {Promise<Lurd>} */
async function load(module) {
  const glue = await import(new URL("../wasm/lurd.js", import.meta.url).href);
  const { memory } = await glue.default({ module_or_path: module });
  return { answer: glue.answer, run: glue.run, memory };
}

/** Why an instance broke down, in a sentence. @param {WebAssembly.Memory} memory */
function whyBroken(memory) {
  try {
    // One mebibyte: if there is so much, it was not for want of memory.
    memory.grow(16);
    return "a worker of this page broke down; please report this";
  } catch {
    return "a worker of this page ran out of memory";
  }
}

/** While the worker lives it holds a lock: who gets the lock knows that it is dead, whatever it died of. @param {string} name */
function holdLock(name) {
  return new Promise((held) => {
    if (!navigator.locks) held(false);
    else navigator.locks.request(name, () => (held(true), new Promise(() => {})));
  });
}

addEventListener("message", async ({ data }) => {
  if (data.module) {
    loading = load(data.module);
    // A failure is told to whoever asks.
    loading.catch(() => {});
    postMessage({ locked: await holdLock(data.lock) });
    return;
  }
  /** @type {Lurd|null} */
  let lurd = null;
  try {
    lurd = await loading;
    if (!lurd) return;
    if (data.run) {
      /** @type {any} */ (globalThis).takeFind = data.finds ? reader(data.finds) : () => undefined;
      lurd.run(data.host, data.run, data.body, data.index, data.shares);
      postMessage({ idle: lurd.memory.buffer.byteLength });
    } else
      postMessage({
        answered: lurd.answer(data.host, data.method, data.path, data.query, data.body),
        number: data.number,
      });
  } catch (error) {
    postMessage({
      broken:
        lurd && error instanceof WebAssembly.RuntimeError
          ? whyBroken(lurd.memory)
          : `a worker of this page could not start: ${error}`,
    });
  }
});
