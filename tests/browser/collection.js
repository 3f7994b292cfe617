// Solves a collection in the static page, level by level, as a person would who presses Solve.
//
//   SITE=folder node collection.js LEVELS [--levels 1-10] [--seconds 30] [--workers 2] [--least N] [--native results.jsonl]
//
// Prints a line a level and the sums; fails if fewer than N levels are solved. --native names what
// `lurd solve LEVELS --threads 1 --time-limit 30 --json` printed: the times on levels that both solve are compared.
// Chromium is asked to show so many cores as there shall be workers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { STATIC, Workbench, browser, serveFiles } from "./workbench.js";

const options = {
  levels: { type: "string" },
  seconds: { type: "string", default: "30" },
  workers: { type: "string", default: "2" },
  least: { type: "string", default: "0" },
  native: { type: "string" },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });
if (!STATIC || positionals.length !== 1) {
  console.error(
    "usage: SITE=folder node collection.js LEVELS [--levels 1-10] [--seconds 30] [--workers 2] [--least N] [--native results.jsonl]",
  );
  process.exit(2);
}
const [first = 1, last = Infinity] = (values.levels ?? "").split("-").filter(Boolean).map(Number);

const server = await serveFiles();
const chrome = await browser();
const bench = await Workbench.open(chrome, server.url, { cores: Number(values.workers) });
const paint = await bench.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
const ready = await bench.page.evaluate(() => performance.now());

const bytes = readFileSync(join(process.env.SITE, "wasm/lurd_bg.wasm"));
const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length].map(
  (size) => `${(size / 2 ** 20).toFixed(2)} MiB`,
);
console.log(
  `program ${sizes[0]}, gzip -9 ${sizes[1]}, brotli ${sizes[2]}; first paint ${paint?.toFixed(0)} ms, ready ${ready.toFixed(0)} ms`,
);

const text = readFileSync(positionals[0], "utf8");
const { levels } = await bench.page.evaluate(
  async (file) => (await import(new URL("lib/api.js", document.baseURI).href)).readLevels(file),
  text,
);
const solved = new Map();
let tried = 0;
for (const level of levels.filter(({ number }) => number >= first && number <= last)) {
  const asked = { kind: "sokoban", board: level.board, request: { time_limit: Number(values.seconds) } };
  const { seconds, result } = await bench.page.evaluate(async (body) => {
    const { startJob } = await import(new URL("lib/api.js", document.baseURI).href);
    const began = performance.now();
    const following = await startJob(body, () => {});
    const job = await following.ended;
    return { seconds: (performance.now() - began) / 1000, result: job.result };
  }, asked);
  tried += 1;
  if (result.outcome === "solved") solved.set(level.number, seconds);
  console.log(
    `${String(level.number).padStart(3)}  ${result.outcome.padEnd(9)} ${seconds.toFixed(3).padStart(8)} s  ${result.pushes ?? ""} ${result.notes.join("; ")}`,
  );
}
const total = (times) => times.reduce((sum, time) => sum + time, 0);
console.log(
  `${solved.size} of ${tried} levels solved with ${values.workers} workers, ${total([...solved.values()]).toFixed(1)} s on those`,
);
if (values.native) {
  const native = new Map(
    readFileSync(values.native, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ outcome }) => outcome === "solved")
      .map(({ level, seconds }) => [level, seconds]),
  );
  const both = [...solved.keys()].filter((number) => native.has(number));
  const [page, alone] = [
    total(both.map((number) => solved.get(number))),
    total(both.map((number) => native.get(number))),
  ];
  console.log(
    `native on one thread: ${native.size} solved; on the ${both.length} that both solve the page takes ${page.toFixed(1)} s, native ${alone.toFixed(1)} s: ${(page / alone).toFixed(2)} times`,
  );
}
await chrome.close();
await server.end();
if (solved.size < Number(values.least)) {
  console.error(`fewer than ${values.least} levels were solved`);
  process.exit(1);
}
