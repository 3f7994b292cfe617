// A search in the static page that really fills the memory that the page gives it, to 2 GiB where the browser has so much, and
// what is told then. Too long for every run: ./test-long.sh has it.
//
//   SITE=FOLDER node memory.js [MIB]     MIB: less memory, for a shorter run

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { LONG, STATIC, Workbench, browser, serve } from "./workbench.js";

if (!STATIC) throw new Error("SITE must name the folder that ./site.sh made");
const server = await serve();
const chrome = await browser();
const bench = await Workbench.open(chrome, server.url);

/** Asks the page. */
const get = (path) =>
  bench.page.evaluate(async (where) => (await import(new URL("lib/api.js", document.baseURI).href)).get(where), path);

/** The largest process of the browser, in MiB: the one that runs the page and its workers. */
function largest() {
  const all = execFileSync("ps", ["-eo", "rss=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("--type=renderer"));
  return Math.max(0, ...all.map((line) => Math.round(Number.parseInt(line.trim(), 10) / 1024)));
}

const offered = (await get("/about")).limits.mebibytes;
const mebibytes = Math.min(offered, Number(process.argv[2] ?? offered));
console.log(`the page offers ${offered} MiB; the search gets ${mebibytes} MiB`);

// Breadth-first search by single steps of nine boxes: more positions than any memory holds.
await bench.show("solve");
await bench.paste(LONG);
await bench.choose("Algorithm", "breadth-first");
await bench.choose("One action is", "move");
await bench.choose("Memory in MiB", String(mebibytes));
await bench.choose("Seconds", "1800");
const begun = performance.now();
await bench.press("Solve");
await bench.text(".live .status", /Searching/);
let held = 0;
const watch = setInterval(() => (held = Math.max(held, largest())), 500);
const told = await bench.text(".live .status", /^(?!Searching|Starting|Waiting)./, 1_800_000);
clearInterval(watch);
console.log(`after ${((performance.now() - begun) / 1000).toFixed(0)} s the page says: ${told}`);
const { result } = await get(`/jobs/${(await bench.jobs()).at(-1).id}`);
console.log(
  `${result.expanded} expanded, ${result.generated} generated, the search held ${(result.peak_bytes / 2 ** 20).toFixed(0)} MiB, the process ${held} MiB; ${result.notes.join("; ")}`,
);
assert.match(told, /memory/i);
assert.ok(result.stopped_by === "memory" || /ran out of memory/.test(result.notes.join()), JSON.stringify(result));
assert.ok(result.peak_bytes <= mebibytes * 2 ** 20 && held >= mebibytes / 2, "the memory was really filled");

// The page goes on.
await bench.paste("#######\n#@ $ .#\n#######\n");
await bench.press("Solve");
console.log(`the next search: ${await bench.text(".answer h2", /Solved/)}`);
assert.deepEqual(bench.troubles, []);
await bench.close();
await chrome.close();
await server.end();
