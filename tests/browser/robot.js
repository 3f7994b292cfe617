// A robot that does what people do, at random: it clicks, types keys, reloads and goes back, and after every step compares
// what it sees with what it remembers. The same seed does the same things: each step has dice of its own, thrown when the
// page has come to rest.
//
//   node robot.js [SECONDS] [SEED]

import assert from "node:assert/strict";
import { Workbench, browser, serve, withLibrary } from "./workbench.js";

/** Random numbers (mulberry32) that a seed repeats. */
function dice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { below: (n) => Math.floor(next() * n), one: (list) => list[Math.floor(next() * list.length)], next };
}

const VIEWS = ["Play", "Learn", "Solve", "Inspect", "Compare", "Library", "Draw", "Tiles", "CSE"];
/** A collection of its own, so that there is a file to be lost. */
const FILE = [...Array(6).keys()]
  .map(
    (n) =>
      `${"#".repeat(n + 7)}\n#@ $${" ".repeat(n)} .#\n#${" ".repeat(n + 5)}#\n${"#".repeat(n + 7)}\nTitle: Robot ${n + 1}\n`,
  )
  .join("\n");

/** What is on the page, in words that can be compared. */
const look = () => {
  const text = (selector) =>
    [...document.querySelectorAll(selector)].find((one) => one.checkVisibility())?.textContent ?? null;
  const board = [...document.querySelectorAll("main .board")].find((one) => one.checkVisibility());
  return {
    view: document.querySelector("nav a[aria-current]")?.textContent ?? null,
    level: text(".level-title"),
    board: board?.getAttribute("aria-label") ?? null,
    counter: text(".counter-line"),
    lesson: text(".lesson-title"),
    lessons: text(".progress"),
    answer: text(".answer h2"),
    foundBy: text(".found-by"),
    compare: text(".compare-title"),
    rows: text(".results tbody"),
    title: document.querySelector("#draw-title")?.value ?? null,
    tiles: document.querySelector(".tile-board")?.textContent ?? null,
    library: document.querySelector(".tabs") && {
      place: location.hash,
      found: text(".found"),
      level: text(".stage h2"),
    },
    dialog: document.querySelector("dialog[open]") !== null,
  };
};

/** Whether something on the page is still under way. */
const busy = () =>
  globalThis.asked > 0 ||
  [...document.querySelectorAll(".status, .results td, .muted, .hint-words, .racer p, .banner, .why p")].some(
    (one) =>
      one.checkVisibility() &&
      /Searching|Starting|Looking for|searching …|not run yet|Waiting for its turn|expanded · .* …$|thinks|are made and measured|are counted|is rated/.test(
        one.textContent,
      ),
  );

/**
 * One walk of the robot, for so many seconds or steps. Gives what it did; throws at the first thing that is wrong.
 * @param {{seconds?: number, steps?: number, seed: number, tell?: (words: string) => void}} how
 */
export async function walk(chrome, url, { seconds = Infinity, steps: most = Infinity, seed, tell = () => {} }) {
  let random = dice(seed);
  const bench = await Workbench.open(chrome, url, { width: 1280, height: 900 });
  const { page } = bench;
  const failures = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !/favicon|Failed to load resource/.test(message.text()))
      failures.push(message.text());
  });
  await page.evaluateOnNewDocument(() => {
    globalThis.asked = 0;
    const ask = globalThis.fetch;
    globalThis.fetch = async (...request) => {
      globalThis.asked += 1;
      try {
        return await ask(...request);
      } finally {
        globalThis.asked -= 1;
      }
    };
  });
  await bench.show("solve");
  const done = [];
  /** What must be there again: games by level, the drawing, the file's levels, the comparison. */
  const games = new Map();
  let drawing = null;
  let compared = null;

  const settle = async () => {
    await page.waitForSelector("html[data-ready]");
    await page.evaluate(() => new Promise((ok) => requestAnimationFrame(() => requestAnimationFrame(ok))));
    // A drawing is checked a moment after it changed.
    await new Promise((ok) => setTimeout(ok, 130));
    for (let tries = 0; tries < 100 && (await page.evaluate(busy)); tries += 1)
      await new Promise((ok) => setTimeout(ok, 50));
  };
  const turn = async (view) => {
    await page.evaluate(
      (name) => [...document.querySelectorAll("nav a")].find((one) => one.textContent === name).click(),
      view,
    );
    await page.waitForFunction(
      (name) => document.querySelector("nav a[aria-current]")?.textContent === name,
      { timeout: 10_000 },
      view,
    );
  };
  const clickOne = async (selector) => {
    // What lies behind a dialog cannot be pressed.
    const reach = `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.checkVisibility() && !one.disabled && (!document.querySelector("dialog[open]") || one.closest("dialog")))`;
    const count = await page.evaluate(`${reach}.length`);
    if (!count) return null;
    const found = await page.evaluateHandle(`${reach}[${random.below(count)}]`);
    return found.evaluate((thing) => {
      // A dialog of the system, a download or the clipboard are not the robot's business, nor is what comes when it is ready: a
      // level, or a batch.
      if (
        !thing ||
        /Open|Save|Export|Import|Copy|Share|XSB|RLE|SLC|SVG|PNG|GIF|Remove from|Endless|of the day|like this|harder|Start the batch|Add/.test(
          thing.textContent,
        )
      )
        return null;
      thing.click();
      return thing.textContent.trim() || thing.getAttribute("aria-label");
    });
  };

  /** After each step: what the page says must fit what the robot knows. */
  const compare = async () => {
    await settle();
    const seen = await page.evaluate(look);
    assert.deepEqual([...bench.troubles, ...failures], [], "nothing goes wrong on the page");
    if (seen.dialog) return seen;
    if (seen.view === "Play" && seen.level) games.set(seen.level, { board: seen.board, counter: seen.counter });
    if (seen.view === "Draw") drawing = { board: seen.board, title: seen.title };
    // An answer names the level over it; a comparison keeps its name and its rows go with it.
    // A position on the way has the level's name without its number.
    if (seen.view === "Solve" && seen.answer && seen.foundBy) {
      const named = [seen.level, seen.level.replace(/^\d+\. /, "")].some((name) => seen.foundBy.startsWith(name));
      assert.ok(named, `${seen.foundBy} under ${seen.level}`);
    }
    if (seen.view === "Compare" && seen.compare) compared = seen.compare;
    return seen;
  };

  /** Leaves the page in some way, and looks whether all is there again. */
  const leaveAndReturn = async () => {
    const before = await compare();
    if (before.dialog) return "nothing, a dialog is open";
    const level = before.level;
    const way = random.one(["reload", "back and forward", "other view", "next and previous"]);
    if (way === "reload") await bench.reload();
    else if (way === "back and forward") {
      const at = page.url();
      await page.evaluate(() => history.back());
      await new Promise((ok) => setTimeout(ok, 150));
      await settle().catch(() => {});
      if (!page.url().startsWith(url)) await page.goto(at);
      else if (page.url() !== at) await page.evaluate((there) => (location.hash = new URL(there).hash), at);
      await page.waitForFunction((there) => location.href === there, { timeout: 10_000 }, at);
      await settle();
      await page.waitForFunction(
        (name) => document.querySelector("nav a[aria-current]")?.textContent === name,
        { timeout: 10_000 },
        before.view,
      );
    } else if (way === "other view") {
      await turn(random.one(VIEWS.filter((view) => view !== before.view)));
      await turn(before.view);
    } else if (before.view === "Play" && level) {
      const moved = await page.evaluate(() => {
        const next = document.querySelector('[aria-label="Next level"]');
        if (!next || next.disabled) return false;
        next.click();
        return true;
      });
      if (moved) await page.evaluate(() => document.querySelector('[aria-label="Previous level"]').click());
    } else return "nothing";
    await settle();
    const after = await page.evaluate(look);
    assert.equal(after.view, before.view, way);
    assert.equal(after.level, before.level, way);
    if (before.view === "Play")
      assert.deepEqual(
        { board: after.board, counter: after.counter },
        { board: before.board, counter: before.counter },
        `the game of ${level}, ${way}`,
      );
    if (before.view === "Learn")
      assert.deepEqual(
        { board: after.board, counter: after.counter, lesson: after.lesson, lessons: after.lessons },
        { board: before.board, counter: before.counter, lesson: before.lesson, lessons: before.lessons },
        `the lesson, ${way}`,
      );
    if (before.view === "Draw")
      assert.deepEqual(
        { board: after.board, title: after.title },
        { board: before.board, title: before.title },
        `the drawing, ${way}`,
      );
    if (before.view === "Library") assert.deepEqual(after.library, before.library, `the library, ${way}`);
    if (before.view === "Tiles") assert.equal(after.tiles, before.tiles, `the tiles, ${way}`);
    if (before.view === "Compare") assert.equal(after.compare, before.compare, `the comparison, ${way}`);
    if (before.view === "Solve" && before.answer && way !== "reload")
      assert.equal(after.answer, before.answer, `the answer, ${way}`);
    return `${way} in ${before.view}`;
  };

  const KEYS = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "u",
    "y",
    "n",
    "p",
    "r",
    "1",
    "4",
    "6",
    "Escape",
    "Enter",
    " ",
  ];
  const steps = [
    [
      6,
      async () => {
        const name = random.one(KEYS);
        await page.keyboard.press(name);
        return `key ${name}`;
      },
    ],
    [
      4,
      async () => {
        const view = random.one(VIEWS);
        if (await page.$("dialog[open]")) await page.keyboard.press("Escape");
        await turn(view);
        return view;
      },
    ],
    [5, async () => `click ${await clickOne("dialog[open] .level-card, dialog[open] header button, main button")}`],
    [
      1,
      async () => {
        if (await page.$("dialog[open]")) await page.keyboard.press("Escape");
        await turn("Library");
        await settle();
        return `library: ${await clickOne("main .tabs a, main .stage a, main .stage button")}`;
      },
    ],
    [2, async () => `choose ${await clickOne("main input[type=checkbox], main input[type=radio], main summary")}`],
    [
      2,
      async () => {
        const spot = await page.evaluate(() => {
          const canvas = [...document.querySelectorAll("main .board[role=application] canvas")].find((one) =>
            one.checkVisibility(),
          );
          canvas?.scrollIntoView({ block: "center" });
          const box = canvas?.getBoundingClientRect();
          return box ? { x: box.left, y: box.top, w: box.width, h: box.height } : null;
        });
        const [x, y] = [random.next(), random.next()];
        if (spot && !(await page.$("dialog[open]"))) await page.mouse.click(spot.x + x * spot.w, spot.y + y * spot.h);
        return `board at ${x.toFixed(2)}, ${y.toFixed(2)}`;
      },
    ],
    [3, leaveAndReturn],
    [
      1,
      async () => {
        // The file is still on the shelf, whatever was opened since.
        if (await page.$("dialog[open]")) await page.keyboard.press("Escape");
        await turn("Play");
        await page.evaluate(() => document.querySelector("main .level-button").click());
        await page.waitForFunction(
          () => [...document.querySelectorAll("dialog[open] option")].some((one) => /\(6\)/.test(one.textContent)),
          { timeout: 5000 },
        );
        await page.keyboard.press("Escape");
        return "the shelf";
      },
    ],
    [
      1,
      async () => {
        // Every game that was left is as it was left.
        const known = [...games].filter(([level]) => /^\d+\. Robot/.test(level));
        if (!known.length) return "no game yet";
        const [level, left] = random.one(known);
        if (await page.$("dialog[open]")) await page.keyboard.press("Escape");
        await turn("Play");
        await page.evaluate((name, id) => (location.hash = `#/play/${id}/${/^\d+/.exec(name)[0]}`), level, file);
        await page.waitForFunction(
          (name) =>
            [...document.querySelectorAll(".level-title")].some(
              (one) => one.checkVisibility() && one.textContent === name,
            ),
          { timeout: 10_000 },
          level,
        );
        await settle();
        const seen = await page.evaluate(look);
        assert.deepEqual({ board: seen.board, counter: seen.counter }, left, `the game of ${level}`);
        return `back to ${level}`;
      },
    ],
  ];
  const weighted = steps.flatMap(([weight, step]) => Array(weight).fill(step));

  let file = "";
  try {
    await bench.paste(FILE);
    await turn("Library");
    await settle();
    if (await page.$(".tabs")) {
      // Others than the file's: opened from the library those would be the same games under other names.
      await page.waitForSelector(".empty");
      await page.evaluate(() =>
        [...document.querySelectorAll("main button")]
          .find((one) => /Add lurd.s own levels/.test(one.textContent))
          .click(),
      );
      await page.waitForFunction(() => /^\d+ levels found/.test(document.querySelector(".found")?.textContent));
    }
    await turn("Play");
    file = /#\/play\/([^/]+)\//.exec(page.url())?.[1] ?? "";
    assert.ok(file, "the file has an address");
    const until = Date.now() + seconds * 1000;
    while (Date.now() < until && done.length < most) {
      random = dice(seed * 100_003 + done.length);
      const did = await random.one(weighted)();
      done.push(did);
      tell(`${done.length} ${did}`);
      await compare();
    }
    // What was drawn and compared is there at the end too.
    await bench.reload();
    if (drawing) {
      if (await page.$("dialog[open]")) await page.keyboard.press("Escape");
      await turn("Draw");
      await settle();
      const seen = await page.evaluate(look);
      assert.deepEqual({ board: seen.board, title: seen.title }, drawing, "the drawing at the end");
    }
    if (compared) {
      await turn("Compare");
      await settle();
      assert.equal((await page.evaluate(look)).compare, compared, "the comparison at the end");
    }
    return done;
  } catch (error) {
    error.message = `seed ${seed}, step ${done.length + 1}, after ${done.slice(-6).join("; ")}: ${error.message}`;
    throw error;
  } finally {
    await bench.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  const [seconds, seed] = [Number(process.argv[2] ?? 300), Number(process.argv[3] ?? 1)];
  const server = await serve(...withLibrary());
  const chrome = await browser();
  try {
    const done = await walk(chrome, server.url, {
      seconds,
      seed,
      tell: process.env.ROBOT_TELLS ? console.log : undefined,
    });
    console.log(`seed ${seed}: ${done.length} steps in ${seconds} s, nothing lost`);
  } finally {
    await chrome.close();
    await server.end();
  }
}
