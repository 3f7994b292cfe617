// A slow connection: what is done while an answer is on its way is not undone by it. With LATE=1500 in the environment every
// other test of the page has such a connection too.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session();

/** How late the last of several answers can be, with some time to spare. */
const LAG = 600;
const arrived = () => new Promise((done) => setTimeout(done, 2 * LAG));

describe("a slow connection", () => {
  test("a comparison that is put together meanwhile stays as it is", async () => {
    const bench = await page.open({ view: "compare", lag: LAG });
    await bench.page.waitForSelector(".planned li");
    await bench.page.evaluate(() => {
      const preset = document.querySelector("#preset");
      preset.selectedIndex = (preset.selectedIndex + 1) % preset.options.length;
      preset.dispatchEvent(new Event("change"));
      [...document.querySelectorAll("main button")].find((button) => button.textContent === "Clear").click();
    });
    await arrived();
    assert.equal((await bench.page.$$(".planned li")).length, 0);
  });

  test("the last of several boards of tiles is the one that stays", async () => {
    const bench = await page.open({ view: "tiles", lag: LAG });
    const board = () =>
      bench.page.$$eval("main input", (inputs) =>
        inputs.map((input) => input.value).find((value) => /^\d+( \d+)+$/.test(value)),
      );
    await bench.page.evaluate(() => {
      const select = (option) =>
        [...document.querySelectorAll("main select")].find((one) => one.textContent.includes(option));
      // Not by a few moves from the order of the goal, which could lead back to it.
      const hardness = select("Any board");
      hardness.value = "";
      hardness.dispatchEvent(new Event("change"));
      const side = select("5 × 5");
      for (const size of ["2", "5", "3", "5", "2", "5", "3", "4"]) {
        side.value = size;
        side.dispatchEvent(new Event("change"));
      }
    });
    await bench.until(
      board,
      (now) => now.split(" ").length === 16 && !now.endsWith("13 14 15 0"),
      "the shuffled board",
    );
    await arrived();
    assert.equal((await board()).split(" ").length, 16);
  });

  test("a lane shows its own race, not the one before", async () => {
    const bench = await page.open({ view: "tiles", lag: LAG });
    for (const [board, steps] of [
      ["1 2 3 4 5 6 0 7 8", 2],
      ["8 1 3 4 0 2 7 6 5", 14],
      ["1 2 3 4 5 6 0 7 8", 2],
      ["8 1 3 4 0 2 7 6 5", 14],
    ]) {
      await bench.page.$eval("#tiles-text", (input, typed) => (input.value = typed), board);
      await bench.press("Race");
      const lanes = () =>
        bench.page.$$eval(".racer", (all) =>
          all.map((lane) => /Solved in (\d+) moves/.exec(lane.textContent)?.[1]).join(),
        );
      const right = `${steps},${steps}`;
      await bench.until(lanes, (now) => now === right, `solved in ${steps} moves`);
      await arrived();
      assert.equal(await lanes(), right);
    }
  });

  test("nobody puts several letters in one turn", async () => {
    const bench = await page.open({ view: "cse", lag: LAG });
    await bench.page.waitForSelector(".cse-choices button.best:not(:disabled)");
    await bench.page.evaluate(() => {
      const best = document.querySelector(".cse-choices button.best");
      const others = [...document.querySelectorAll(".cse-choices")].filter((cell) => !cell.contains(best)).slice(0, 2);
      for (const one of [best, ...others.map((cell) => cell.querySelector("button:not(:disabled)"))]) one.click();
    });
    // One letter from the start, one of the player, one of the computer.
    await bench.page.waitForFunction(() => document.querySelectorAll(".cse-cell.filled").length >= 3);
    await arrived();
    assert.equal((await bench.page.$$(".cse-cell.filled")).length, 3);
    assert.match(await bench.text(".status", /Your turn/), /Your turn/);
  });

  test("a link that is left before it was checked changes nothing", async () => {
    const bench = await page.open({ view: "play", lag: LAG });
    const before = await bench.text(".level-title", /./);
    await bench.page.evaluate(async () => {
      addEventListener("hashchange", () => (location.hash = "#/tiles"), { once: true });
      location.hash = "#/play?level=7w!wp-b-gw!7w&title=Left&solution=rRR";
    });
    await bench.text("nav a[aria-current]", /Tiles/);
    await arrived();
    await bench.turnTo("Play");
    assert.equal(await bench.text(".level-title", /./), before);
  });
});
