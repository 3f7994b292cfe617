// The static page in Firefox, by WebDriver BiDi: workers, proofs, cancelling, a killed worker. The other tests use what only
// Chromium's own protocol can do.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { spawnSync } from "node:child_process";
import { CROWDED, STATIC, launch, serveFiles } from "./workbench.js";

const executablePath = spawnSync("sh", ["-c", "command -v firefox-esr || command -v firefox"], {
  encoding: "utf8",
}).stdout.trim();
const skip = (!STATIC && "SITE names no static page") || (!executablePath && "there is no Firefox");

describe("the static page in Firefox", { skip }, () => {
  let server;
  let firefox;
  let page;

  before(async () => {
    server = await serveFiles();
    firefox = await launch({ browser: "firefox", executablePath, timeout: 180_000 });
    page = await firefox.newPage();
    await page.evaluateOnNewDocument(() => {
      // Not what Firefox logs by itself: it has a line for every worker that is ended while it still loads.
      globalThis.troubles = [];
      addEventListener("error", ({ message }) => globalThis.troubles.push(message));
      addEventListener("unhandledrejection", ({ reason }) => globalThis.troubles.push(String(reason)));
      globalThis.everyWorker = [];
      globalThis.Worker = class extends Worker {
        constructor(...about) {
          super(...about);
          globalThis.everyWorker.push(this);
        }
      };
    });
    await page.goto(`${server.url}#/solve`);
    await page.waitForSelector("html[data-ready]", { timeout: 120_000 });
  });

  after(async () => {
    const troubles = await page?.evaluate(() => globalThis.troubles);
    await firefox?.close();
    await server?.end();
    assert.deepEqual(troubles, []);
  });

  /** Runs a job to its end, or until `then` says otherwise. */
  const job = (asked, then = "following.ended") =>
    page.evaluate(
      async (body, source) => {
        const { get, startJob } = await import(new URL("lib/api.js", document.baseURI).href);
        const { levels } = await get("/levels");
        const board = typeof body.board === "number" ? levels[body.board - 1].board : body.board;
        const states = [];
        const following = await startJob({ kind: "sokoban", ...body, board }, (state) => states.push(state));
        if (source === "cancel") await following.cancel();
        if (source === "kill") {
          // A worker is missed from the moment it says that it lives.
          while (!states.some((state) => state.live?.expanded > 0)) await new Promise((done) => setTimeout(done, 20));
          globalThis.everyWorker.slice(1).forEach((worker) => worker.terminate());
        }
        const ended = await following.ended;
        return { ...ended.result, because: ended.cancelled_because };
      },
      asked,
      then,
    );

  test("levels are solved and optima proved", async () => {
    assert.equal((await job({ board: 20 })).outcome, "solved");
    assert.equal((await job({ board: 20, request: { goal: "pushes" } })).proof, "optimal-pushes");
    assert.equal((await job({ board: 20, request: { goal: "moves" } })).proof, "optimal-moves");
  });

  test("cancelling is at once, and a killed worker is told", async () => {
    assert.equal((await job({ board: CROWDED }, "cancel")).because, "you cancelled it");
    const killed = await job({ board: CROWDED }, "kill");
    assert.equal(killed.outcome, "failed");
    assert.match(killed.notes.join(), /was ended by the browser/);
    assert.equal((await job({ board: 7 })).outcome, "solved");
  });
});
