// Compare configurations.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session("--grace", "2", "--jobs", "4");

describe("compare", () => {
  test("two algorithms side by side, then a table, charts and files", async () => {
    const bench = await page.open();
    await bench.level(9);
    await bench.turnTo("Compare");
    await bench.press("Clear");
    await bench.choose("One action is", "push");
    await bench.choose("Algorithm", "uniform-cost");
    await bench.press("Add this configuration");
    await bench.choose("Algorithm", "a-star");
    await bench.press("Add this configuration");
    await bench.press("Run");
    await bench.page.waitForFunction(
      () =>
        [...document.querySelectorAll("main tbody tr")].filter((row) => /Solved/.test(row.textContent)).length === 2,
      { timeout: 30_000 },
    );
    const rows = await bench.page.$$eval("main tbody tr", (all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent)),
    );
    assert.match(rows[0][0], /Uniform cost/);
    assert.match(rows[1][0], /A\*/);
    assert.equal(rows[0][7], rows[1][7], "both find the fewest pushes");
    const number = (text) => Number(text.replace(/\D/g, ""));
    assert.ok(number(rows[1][2]) <= number(rows[0][2]), "A* expands no more than uniform cost");
    assert.ok((await bench.page.$$("main .bars rect")).length >= 8);
    await bench.press("Save CSV");
    await bench.press("Save SVG");
    await bench.press("Save PNG");
    const name = (await bench.page.$eval(".level-title", (title) => title.textContent))
      .replace(/^\d+\. /, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-");
    const csv = (await bench.saved(`${name}-comparison.csv`)).toString();
    assert.equal(csv.trim().split("\n").length, 3);
    assert.match(csv, /^level,collection,comparison,configuration,detectors,outcome,proof,pushes,moves,expanded/);
    assert.match((await bench.saved(`${name}-comparison.svg`)).toString(), /^<svg.*Nodes generated/s);
    assert.equal((await bench.saved(`${name}-comparison.png`)).subarray(1, 4).toString(), "PNG");
  });

  test("the portfolio is compared like any other, its cuts counted", async () => {
    const bench = await page.open();
    await bench.level(30);
    await bench.turnTo("Compare");
    await bench.choose("Ready-made comparison", "portfolio");
    await bench.press("Run");
    await bench.page.waitForFunction(
      () =>
        [...document.querySelectorAll("main tbody tr")].filter((row) => /Solved/.test(row.textContent)).length === 3,
      { timeout: 60_000 },
    );
    const rows = await bench.page.$$eval("main tbody tr", (all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent)),
    );
    assert.match(rows[0][0], /Portfolio: several searches race/);
    assert.match(rows[0][1], /No proof/);
    assert.match(rows[1][1], /Optimal: proved to have the fewest pushes/);
    assert.ok(Number(rows[0][4].replace(/\D/g, "")) > 0, "cuts are counted");
    assert.ok(Number(rows[0][7]) >= Number(rows[1][7]), "the portfolio is no better than the best");
    await bench.press("Save CSV");
    const name = (await bench.page.$eval(".level-title", (title) => title.textContent))
      .replace(/^\d+\. /, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-");
    assert.match(
      (await bench.saved(`${name}-comparison.csv`)).toString(),
      /\n30\. Corner Shop,lurd,The portfolio against A\* and greedy search,Portfolio: several searches race,[^,]*,solved,none,\d+/,
    );
  });

  test("every ready-made comparison runs", async () => {
    const bench = await page.open();
    await bench.turnTo("Compare");
    const names = await bench.page.$$eval("#preset option", (options) => options.map((option) => option.value));
    assert.ok(names.length >= 5);
    for (const name of names) {
      await bench.choose("Ready-made comparison", name);
      // Those of the one before are there until the answer has come.
      await bench.page.waitForSelector(".planned:not([aria-busy])");
      await bench.press("Run");
      await bench.board();
      await bench.page.waitForFunction(
        () => {
          const rows = [...document.querySelectorAll("main tbody tr")];
          return rows.length > 1 && rows.every((row) => /Solved/.test(row.textContent));
        },
        { timeout: 30_000 },
      );
      await bench.page.waitForFunction(() =>
        [...document.querySelectorAll("main button")].some(
          (button) => button.textContent === "Run" && button.checkVisibility(),
        ),
      );
    }
  });
});
