// Every view with something on it: for the accessibility check and, unless `pictured` is false, for the pictures in the
// documentation, for which a search goes on for `linger` milliseconds.

import { CROWDED, LONG, STATIC } from "./workbench.js";

/** A library with levels in it; where there can be none, the sentence that says so. Says whether there is one. */
async function stock(bench) {
  await bench.show("library/levels");
  if (STATIC) {
    await bench.text(".no-library", /lurd serve/);
    return false;
  }
  await bench.text(".found", /empty|found/);
  // Searches of other scenes may have left their levels there.
  const collections = await bench.page.$$eval("main select option", (options) => options.map((option) => option.value));
  if (!collections.includes("lurd")) {
    await bench.press("Add levels …");
    await bench.press("Add the open levels: lurd (53)");
    await bench.text(".found", /^[4-9]\d levels/);
  }
  await bench.page.waitForSelector(".library-card");
  return true;
}

/** Runs a batch to its end, unless there is one of this name. */
async function batch(bench, name, algorithm) {
  await bench.show("library/runs");
  await bench.text(".status", /run/);
  const there = await bench.page.$$eval(
    ".runs-table a",
    (links, wanted) =>
      links
        .find((link) => link.textContent === wanted)
        ?.getAttribute("href")
        .slice(2),
    name,
  );
  if (there) {
    await bench.show(there);
  } else {
    await bench.choose("Algorithm", algorithm);
    await bench.choose("Seconds for one level", "0.1, 0.5");
    await bench.choose("Name", name);
    await bench.press("Start the batch");
  }
  await bench.text(".run-card .status", /^Ended/, 90_000);
  await bench.page.waitForSelector(".report .curve");
}

export const SCENES = [
  {
    name: "solve",
    act: async (bench) => {
      await bench.show("solve");
      await bench.level(30);
      await bench.choose("Goal", "pushes");
      await bench.press("Solve");
      await bench.text(".answer h2", /Solved|Stopped/, 90_000);
      await bench.page.$eval(".scrub", (slider) => {
        slider.value = String(Math.floor(Number(slider.max) / 3));
        slider.dispatchEvent(new Event("input"));
      });
    },
  },
  {
    name: "race",
    act: async (bench) => {
      await bench.show("solve");
      await bench.paste(`${CROWDED}Title: Crowded room\n`);
      await bench.press("Solve");
      await bench.page.waitForSelector(".charts svg .line", { timeout: 30_000 });
      await bench.text(".best h3", /Nearest so far/);
    },
    linger: 2500,
  },
  {
    name: "watch",
    act: async (bench) => {
      await bench.show("solve");
      await bench.paste(`${LONG}Title: Nine in a row\n`);
      await bench.choose("Algorithm", "uniform-cost");
      await bench.choose("One action is", "push");
      await bench.press("Solve");
      await bench.page.waitForSelector(".charts svg .line", { timeout: 30_000 });
    },
    linger: 2500,
  },
  {
    name: "play",
    act: async (bench) => {
      await bench.show("play");
      await bench.level(20);
      for (const index of [0, 1]) await (await bench.page.$$(".overlays input"))[index].click();
      await bench.board();
    },
  },
  {
    name: "wish",
    pictured: false,
    act: async (bench) => {
      await bench.show("play");
      await bench.level(20);
      await bench.press("By a wish …");
      await bench.page.waitForSelector("dialog[open] form.wish");
      // A seed of its own would make another picture every time.
      await bench.page.$eval('dialog[open] [aria-label="Seed"]', (seed) => (seed.value = "2026"));
    },
  },
  {
    name: "deadlock",
    act: async (bench) => {
      await bench.show("play");
      await bench.paste(
        "##########\n#. $ $@ .#\n#        #\n# ##  ## #\n# $     .#\n##########\nTitle: One push too far\n",
      );
      await bench.page.keyboard.press("ArrowLeft");
      await bench.text(".banner", /The level is lost/);
      await bench.board();
    },
  },
  {
    name: "why",
    act: async (bench) => {
      await bench.show("play");
      await bench.paste(
        "##########\n#. $ $   #\n#   @  $ #\n# ##  ## #\n#     . .#\n##########\nTitle: Two at the wall\n",
      );
      await bench.page.evaluate(() => document.activeElement.blur());
      await bench.keys("e");
      await bench.text(".why", /The best they can do/);
      await bench.press("To the end");
    },
  },
  {
    name: "learn",
    act: async (bench) => {
      await bench.show("learn/push");
      await bench.keys("ArrowRight", "ArrowRight", "ArrowRight");
      await bench.text(".banner.good", /Solved/);
      await bench.show("learn/a-star");
      await bench.press("A* with the matching");
      await bench.page.waitForSelector(".search-pictures figure:nth-child(2) .layers");
      await bench.board();
    },
  },
  {
    name: "lesson",
    pictured: false,
    act: async (bench) => {
      await bench.show("learn/corner");
      await bench.keys("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight");
      await bench.text(".banner.good", /That is it/);
    },
  },
  {
    name: "grade",
    pictured: false,
    act: async (bench) => {
      await bench.show("play");
      await bench.level(20);
      await bench.press("Hint");
      await bench.text(".hint-words", /Look at the/);
      await bench.hit(() => [...document.querySelectorAll("main .grade")].find((one) => one.checkVisibility()));
      await bench.text("dialog .grade-line", /^Grade \d+ of 10/, 40_000);
    },
  },
  {
    name: "inspect",
    act: async (bench) => {
      await bench.show("inspect");
      await bench.level(13);
      await bench.press("Inspect");
      await bench.text(".live .status", /recorded/);
      for (let step = 0; step < 4; step += 1) await bench.press("One step on");
    },
  },
  {
    name: "heuristics",
    act: async (bench) => {
      await bench.show("inspect");
      await bench.level(13);
      await bench.press("Measure the heuristics");
      await bench.text(".admissibility .status", /can be solved/);
      await bench.press("Nearest push");
      await bench.press("Show the worst state");
    },
  },
  {
    name: "compare",
    act: async (bench) => {
      await bench.show("compare");
      await bench.level(20);
      await bench.press("Run");
      await bench.page.waitForFunction(
        () =>
          [...document.querySelectorAll("main tbody tr")].filter((row) => /Solved|Stopped/.test(row.textContent))
            .length === 4,
        { timeout: 90_000 },
      );
    },
  },
  { name: "library", act: stock },
  {
    name: "known",
    act: async (bench) => {
      if (!(await stock(bench))) return;
      await batch(bench, "decided by lurd", "");
      await bench.show("library/levels", "?text=snail");
      await bench.text(".found", /^1 level/);
      await bench.hit(() => document.querySelector(".library-card"));
      await bench.text(".known", /Best by pushes/);
      await bench.board();
    },
  },
  {
    name: "batches",
    pictured: false,
    act: async (bench) => {
      if (!(await stock(bench))) return;
      await batch(bench, "breadth-first", "breadth-first");
      await bench.show("library/runs");
      await bench.text(".runs-table", /breadth-first/);
    },
  },
  {
    name: "batch",
    act: async (bench) => {
      if (!(await stock(bench))) return;
      await batch(bench, "decided by lurd", "");
      await batch(bench, "breadth-first", "breadth-first");
    },
  },
  {
    name: "compared",
    act: async (bench) => {
      if (!(await stock(bench))) return;
      await batch(bench, "breadth-first", "breadth-first");
      const before = (await bench.page.evaluate(() => location.hash)).split("/").at(-1);
      await batch(bench, "decided by lurd", "");
      const after = (await bench.page.evaluate(() => location.hash)).split("/").at(-1);
      await bench.show(`library/compare/${before}/${after}`);
      await bench.page.waitForSelector(".report .curve");
    },
  },
  {
    name: "draw",
    act: async (bench) => {
      await bench.show("draw");
      await bench.level(24);
      await bench.text(".muted", /It can be solved|found no solution/, 20_000);
    },
  },
  {
    name: "tiles",
    act: async (bench) => {
      await bench.show("tiles");
      await bench.page.$eval("#tiles-text", (input) => (input.value = "8 1 3 4 0 2 7 6 5"));
      await bench.press("Take what is typed");
      await bench.press("Race");
      await bench.page.waitForFunction(
        () => [...document.querySelectorAll(".racer")].filter((lane) => /Solved/.test(lane.textContent)).length === 2,
        { timeout: 30_000 },
      );
      await bench.press("Step through it");
      await bench.text(".step-words", /expands state/);
    },
  },
  {
    name: "cse",
    act: async (bench) => {
      await bench.show("cse");
      await bench.text(".board-card .status", /Your turn/);
      await bench.hit(() => document.querySelector(".cse-choices button.best"));
      await bench.page.waitForFunction(() => document.querySelectorAll(".cse-cell.filled").length === 3, {
        timeout: 10_000,
      });
      await bench.text(".board-card .status", /Your turn/);
    },
  },
  {
    name: "levels",
    act: async (bench) => {
      await bench.show("solve");
      await bench.page.locator(".level-button").click();
      await bench.page.waitForSelector("dialog[open] .level-card");
    },
  },
];
