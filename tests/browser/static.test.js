// What the static page has to do beyond what `lurd serve` does: no server, no network, workers that die.
// Runs where SITE names the folder that ./site.sh made.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CROWDED, LONG, STATIC, Workbench, browser, program, serveFiles } from "./workbench.js";

let server;
let chrome;
/** @type {Workbench} */
let bench;

const open = async (options) => (bench = await Workbench.open(chrome, server.url, options));

/** Opens a page whose workers can be ended behind its back, as a browser short of memory ends them. */
async function openKillable() {
  await open({ view: null });
  await bench.page.evaluateOnNewDocument(() => {
    globalThis.everyWorker = [];
    globalThis.Worker = class extends Worker {
      constructor(...about) {
        super(...about);
        globalThis.everyWorker.push(this);
      }
    };
  });
  await bench.show("solve");
}

/** Ends the worker for questions, which is the first, or those for jobs. */
const kill = (from, to) =>
  bench.page.evaluate(
    (first, last) => globalThis.everyWorker.slice(first, last).forEach((worker) => worker.terminate()),
    from,
    to,
  );

const EASY = "#######\n#@ $ .#\n#######\n";

/** A solution is found at once, and a proof of the fewest pushes or moves takes longer than any test. */
const OPEN =
  "##############\n#  #  #.  .  #\n## .$  $     #\n# # $ ..   $ #\n#. # $$      #\n# $ $  #@ #  #\n#   $   ## ..#\n#  # .       #\n##############\n";

/** Bytes of the program with another limit of memory, in pages of 64 KiB, in the place of the one it was linked with. */
function withMemory(bytes, most) {
  const leb = (at) => {
    let [value, shift, place] = [0, 0, at];
    for (;;) {
      const byte = bytes[place++];
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return [value >>> 0, place];
    }
  };
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const [size, body] = leb(at + 1);
    if (id === 5) {
      const [, flags] = leb(body);
      const [least] = leb(flags + 1);
      // One memory, now with a limit.
      const limit = (number) => {
        const out = [];
        for (; number > 127; number >>>= 7) out.push((number & 127) | 128);
        return [...out, number];
      };
      const section = [1, 1, ...limit(least), ...limit(Math.max(least, most))];
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([5, ...limit(section.length), ...section]),
        bytes.subarray(body + size),
      ]);
    }
    at = body + size;
  }
  throw new Error("the program has no memory");
}

describe("the static page", { skip: !STATIC && "SITE names no static page" }, () => {
  before(async () => {
    server = await serveFiles();
    chrome = await browser();
  });

  after(async () => {
    await chrome?.close();
    await server?.end();
  });

  afterEach(async () => {
    const troubles = bench?.troubles ?? [];
    await bench?.close();
    bench = null;
    assert.deepEqual(troubles, []);
  });

  test("it works without a network after it was opened once", async () => {
    const own = await serveFiles();
    bench = await Workbench.open(chrome, own.url);
    await bench.page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active.state !== "activated")
        await new Promise((done) =>
          active.addEventListener("statechange", () => active.state === "activated" && done()),
        );
    });
    await own.end();
    await bench.show("solve");
    await bench.level(7);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved: \d+ pushes/);
    await bench.turnTo("CSE");
    await bench.text(".board-card .status", /Your turn/);
    // From the second visit on the page is isolated, by headers that its service worker adds: workers can be told something.
    assert.equal(await bench.page.evaluate(() => globalThis.crossOriginIsolated), true);
    const read = await bench.page.evaluate(async () => {
      const { CAN_TELL, Mailbox, reader } = await import(new URL("lib/finds.js", document.baseURI).href);
      const box = new Mailbox();
      const next = reader(box.buffer);
      const before = next();
      box.put("rR");
      box.put("");
      box.put("x".repeat(2 << 20));
      box.put("lLü");
      return [CAN_TELL, before ?? null, next(), next(), next(), next() ?? null];
    });
    assert.deepEqual(read, [true, null, "rR", "", "lLü", null]);
    // A proof with a second worker that seeks solutions for it: what that one finds is used by the proof.
    for (const goal of ["pushes", "moves"]) {
      const proved = await bench.page.evaluate(
        async (board, goal) => {
          const { startJob } = await import(new URL("lib/api.js", document.baseURI).href);
          const following = await startJob({ kind: "sokoban", board, request: { goal, time_limit: 6 } }, () => {});
          return (await following.ended).result;
        },
        OPEN,
        goal,
      );
      assert.equal(proved.outcome, "solved", goal);
      assert.match(proved.notes.join("\n"), /beside the proof/, goal);
    }
  });

  test("its program gives the record of the command line, field by field", async () => {
    await open();
    const room = "########\n#  .   #\n# $@$  #\n#  # . #\n#    $.#\n########\n";
    for (const [board, request] of [
      [room, { algorithm: "greedy", heuristic: "matching", deadlocks: "corner,freeze" }],
      [room, { goal: "pushes", algorithm: "a-star", tie_break: "fifo" }],
      [room, { goal: "pushes", node_limit: 20 }],
      ["#####\n#$  #\n#@ .#\n#####\n", { goal: "pushes", algorithm: "a-star" }],
      [LONG, { algorithm: "breadth-first", formulation: "move", deadlocks: "none", memory_limit: "1MiB" }],
    ]) {
      const flags = Object.entries(request).map(([name, value]) => `--${name.replaceAll("_", "-")}=${value}`);
      const asked = ["solve", "-", "--json", "--no-library", "--threads=1", ...flags];
      const printed = JSON.parse(spawnSync(program(), asked, { input: board, encoding: "utf8" }).stdout);
      const told = await bench.page.evaluate(
        async (board, request) => {
          const { startJob } = await import(new URL("lib/api.js", document.baseURI).href);
          const following = await startJob({ kind: "sokoban", board, request }, () => {});
          return (await following.ended).result;
        },
        board,
        request,
      );
      for (const record of [printed, told])
        for (const name of ["seconds", "peak_bytes", "level", "title"]) delete record[name];
      // The result of a job has room for what other jobs than searches find.
      for (const name of ["rating", "made"]) {
        assert.equal(told[name], null);
        delete told[name];
      }
      assert.deepEqual(told, printed, JSON.stringify(request));
    }
  });

  test("it can be installed", async () => {
    await open();
    const session = await bench.page.createCDPSession();
    const { errors, data } = await session.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data);
    assert.equal(new URL(manifest.start_url, server.url).href, server.url);
    const icon = await fetch(new URL(manifest.icons[0].src, server.url));
    assert.equal(icon.headers.get("content-type"), "image/svg+xml");
    await bench.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // A page of a private context is never installed: nothing else may stand in the way.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
      [],
    );
  });

  test("fewest pushes and fewest moves are proved", async () => {
    await open();
    await bench.level(20);
    for (const [goal, words] of [
      ["pushes", /Optimal: proved to have the fewest pushes/],
      ["moves", /Optimal: proved to have the fewest moves/],
    ]) {
      await bench.choose("Goal", goal);
      await bench.press("Solve");
      await bench.text(".answer .promise", words, 60_000);
    }
  });

  test("a level that has no solution is proved to have none", async () => {
    await open();
    await bench.paste("########\n#      #\n# $ #  #\n#   # .#\n#@ #####\n########\n");
    await bench.press("Solve");
    await bench.text(".live .status", /no solution/i);
  });

  test("a killed worker is told and the page goes on", async () => {
    await openKillable();
    await bench.paste(CROWDED);
    await bench.press("Solve");
    await bench.text(".race-table", /working/);
    const before = bench.page.workers().length;
    // One of the shares: the others go on.
    await kill(1, 2);
    await bench.page.waitForFunction((many) => globalThis.everyWorker.length >= many, {}, 3);
    assert.equal((await bench.jobs()).at(-1).status, "running");
    await kill(2, undefined);
    await bench.text("main", /was ended by the browser/);
    await bench.paste(EASY);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    assert.ok(bench.page.workers().length <= before + 1, "workers do not pile up");
  });

  test("a killed worker for questions is replaced", async () => {
    await openKillable();
    await kill(0, 1);
    await bench.page.waitForFunction(async () => {
      const { get } = await import(new URL("lib/api.js", document.baseURI).href);
      return get("/about").then(
        () => true,
        () => false,
      );
    });
    await bench.level(7);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
  });

  test("a worker that dies before it has started is told and the page goes on", async () => {
    await open({ view: null });
    await bench.page.evaluateOnNewDocument(() => {
      // A second of the page is a fifth of one here: nobody waits half a minute for a test.
      const { setInterval } = globalThis;
      globalThis.setInterval = (call, pause, ...rest) => setInterval(call, pause / 5, ...rest);
      // The worker for questions lives; all others die at birth until they are spared.
      globalThis.born = 0;
      globalThis.Worker = class extends Worker {
        constructor(...about) {
          super(...about);
          globalThis.born += 1;
          if (globalThis.born > 1 && !globalThis.spared) this.terminate();
        }
      };
    });
    await bench.show("solve");
    await bench.paste(EASY);
    await bench.press("Solve");
    await bench.text("main", /a worker of this page did not start within 30 seconds/, 60_000);
    assert.ok((await bench.jobs()).every((job) => job.status === "done"));
    // Those that were ready died as well: new ones are hired.
    await bench.page.evaluate(() => void (globalThis.spared = true));
    await bench.page.waitForFunction(
      async () => {
        const { startJob } = await import(new URL("lib/api.js", document.baseURI).href);
        const following = await startJob({ kind: "sokoban", board: "#######\n#@ $ .#\n#######\n" }, () => {});
        return (await following.ended).result.outcome === "solved";
      },
      { timeout: 60_000 },
    );
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
  });

  test("a full memory is told and the page goes on", async () => {
    // So little that a hard level needs more than the browser has.
    const own = await serveFiles((name, bytes) => (name.endsWith(".wasm") ? withMemory(bytes, 900) : bytes));
    bench = await Workbench.open(chrome, own.url);
    await bench.paste(LONG);
    await bench.choose("Algorithm", "breadth-first");
    await bench.choose("One action is", "move");
    await bench.press("Solve");
    await bench.text("main", /ran out of memory/, 60_000);
    await bench.paste(EASY);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    await own.end();
  });

  test("a limit of memory holds", async () => {
    await open();
    const answer = await bench.page.evaluate(async (board) => {
      const { startJob } = await import(new URL("lib/api.js", document.baseURI).href);
      const following = await startJob(
        {
          kind: "sokoban",
          board,
          request: { algorithm: "breadth-first", formulation: "move", memory_limit: 32 * 2 ** 20 },
        },
        () => {},
      );
      return (await following.ended).result;
    }, LONG);
    assert.deepEqual([answer.outcome, answer.stopped_by], ["stopped", "memory"]);
    assert.ok(answer.peak_bytes <= 32 << 20, `${answer.peak_bytes}`);
  });

  test("more memory than a worker can have is said, and the search gets what there is", async () => {
    await open();
    const most = await bench.page.evaluate(async () => {
      const { get } = await import(new URL("lib/api.js", document.baseURI).href);
      return (await get("/about")).limits.mebibytes;
    });
    // An instance has addresses of 32 bits, and its memory is copied when a list grows.
    assert.ok(most >= 256 && most <= 2048, `${most} MiB`);
    await bench.paste(EASY);
    await bench.choose("Memory in MiB", String(most));
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    assert.doesNotMatch(await bench.page.$eval(".plan", (plan) => plan.textContent), /memory are more/);
    // 2 GB are 2,000,000,000 bytes, or 2048 MiB in the words of others: more than that is never given.
    for (const wish of [most + 1, 2049, 1e9]) {
      await bench.choose("Memory in MiB", String(wish));
      await bench.text(
        ".plan",
        new RegExp(`${wish} MiB of memory are more than one search can have here: it gets ${most} MiB`),
      );
      await bench.press("Solve");
      await bench.text(".answer h2", /Solved/);
    }
  });

  test("a race is divided, its shares make the whole, and cancelling leaves no worker at work", async () => {
    await open({ width: 360, height: 740 });
    await bench.paste(CROWDED);
    await bench.press("Solve");
    await bench.text(".race-table", /working/);
    // Each worker tells of its own share as soon as it begins: together they run what suits the level.
    await bench.page.waitForFunction(() => document.querySelectorAll(".race-table tbody tr").length >= 15, {
      timeout: 60_000,
    });
    await bench.tap(() => document.querySelector(".live button.danger"));
    await bench.text(".live .status", /Cancelled: you cancelled it/);
    assert.ok((await bench.jobs()).every((job) => job.status === "done"));
  });

  test("the program is small", () => {
    const size = readFileSync(join(process.env.SITE, "wasm/lurd_bg.wasm")).length;
    // As the tests build it, with little optimisation; a download has two thirds of that, and a third of those when compressed.
    assert.ok(size < 7 << 20, `${size} bytes`);
  });
});
