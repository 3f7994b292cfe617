// Every figure belongs to what it names, and what is taught is right.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session("--jobs", "4");

const rowsDone = (bench, count) =>
  bench.page.waitForFunction(
    (wanted) => {
      const rows = [...document.querySelectorAll("main .results tbody tr")];
      return rows.length === wanted && rows.every((row) => /Solved|Stopped/.test(row.cells[1].textContent));
    },
    { timeout: 90_000 },
    count,
  );

describe("figures and their names", () => {
  test("a comparison keeps level, collection and preset in title and files, whatever is clicked", async () => {
    const bench = await page.open();
    await bench.level(20);
    const level = (await bench.text(".level-title", /^20\. /)).replace(/^20\. /, "");
    await bench.turnTo("Compare");
    await bench.choose("Ready-made comparison", "blind");
    await bench.press("Run");
    await rowsDone(bench, 4);
    const table = await bench.page.$eval(".results", (results) => results.textContent);
    // Another level, another preset, another configuration: none of them touches the run.
    await bench.level(3);
    await bench.choose("Ready-made comparison", "heuristics");
    await bench.press("Add this configuration");
    const title = await bench.text(".compare-title", /./);
    assert.equal(title, `20. ${level} (lurd) · Blind searches`);
    await bench.text(".compare-note", /The level above is another one/);
    assert.equal(await bench.page.$eval(".results", (results) => results.textContent), table);
    const name = level.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    for (const kind of ["CSV", "SVG", "PNG"]) await bench.press(`Save ${kind}`);
    const csv = (await bench.saved(`${name}-comparison.csv`)).toString();
    for (const row of csv.trim().split("\n").slice(1))
      assert.ok(row.startsWith(`20. ${level},lurd,Blind searches,`), row);
    assert.ok(
      (await bench.saved(`${name}-comparison.svg`)).toString().includes(`>20. ${level} (lurd) · Blind searches<`),
    );
    await bench.saved(`${name}-comparison.png`);
    await bench.reload();
    assert.equal(await bench.text(".compare-title", /./), title);
    assert.equal(await bench.page.$eval(".results", (results) => results.textContent), table);
  });

  test("a comparison that runs is cancelled at once, however many wait", async () => {
    const bench = await page.open();
    await bench.level(48);
    await bench.turnTo("Compare");
    await bench.choose("Ready-made comparison", "algorithms");
    await bench.choose("Nodes generated", "");
    await bench.press("Run");
    await bench.text(".results", /searching/);
    await bench.press("Cancel");
    const over = () =>
      bench.page.waitForFunction(
        () =>
          [...document.querySelectorAll("main button")].some(
            (one) => one.textContent === "Run" && one.checkVisibility(),
          ),
        { timeout: 10_000 },
      );
    await over();
    await bench.pressAtOnce("Run", "Cancel");
    await over();
  });

  test("the answer names what found it, and the form can be edited for the next run", async () => {
    const bench = await page.open();
    await bench.level(7);
    await bench.choose("Algorithm", "ida-star");
    await bench.choose("One action is", "push");
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    const found = await bench.text(".found-by", /Found by/);
    assert.match(found, /^7\. .* Found by IDA\* on push actions with matching, all detectors\.$/);
    await bench.choose("Algorithm", "greedy");
    await bench.choose("Heuristic for the boxes", "zero");
    await bench.text(".plan", /Runs Greedy/);
    assert.equal(await bench.text(".found-by", /./), found);
    assert.match(await bench.page.$eval(".answer h2", (one) => one.textContent), /Solved/);
  });

  test("what the methods of CSE cost belongs to its position, or says so", async () => {
    const bench = await page.open();
    await bench.turnTo("CSE");
    await bench.text(".board-card .status", /Your turn/);
    await bench.press("Run every method");
    await bench.text("[aria-label=Methods]", /For the position on the board, with 1 letter\./);
    await bench.hit(() => document.querySelector(".cse-choices button.best"));
    await bench.text("[aria-label=Methods]", /For another position than the one on the board: the one with 1 letter/);
  });

  test("bounds are printed as bounds, and the tree counts moves as the board does", async () => {
    const bench = await page.open();
    await bench.turnTo("CSE");
    await bench.text(".board-card .status", /Your turn/);
    const { shown, rated, bounds } = await bench.page.evaluate(async () => {
      const { post } = await import(new URL("lib/api.js", document.baseURI).href);
      const ask = (more) => post("/cse/position", { start: "left", first: "min", moves: [], ...more });
      const { advice, tree } = await ask({ tree: 1 });
      const words = (value, plies) => (value === 0 ? "draw" : `${value > 0 ? "MAX" : "MIN"} in ${plies}`);
      const rated = Object.fromEntries(
        advice.moves.map(({ move, value, plies }) => [
          `${move.letter} at ${move.row},${move.column}`,
          words(value, plies),
        ]),
      );
      return {
        rated,
        bounds: tree.root.children.filter((child) => child.bound).length,
        shown: [...document.querySelectorAll(".tree > li > details > ul > li")].map((line) => line.textContent),
      };
    });
    assert.ok(bounds > 0);
    let [exact, told] = [0, 0];
    for (const line of shown) {
      const name = /^([CSE] at \d,\d)/.exec(line)?.[1];
      const value = /= (draw|M\w\w in \d+)/.exec(line)?.[1];
      if (/at (least|most) (draw|M)/.test(line)) told += 1;
      if (name && value) {
        assert.equal(value, rated[name], line);
        exact += 1;
      }
    }
    assert.ok(exact > 0 && told > 0, `${exact} exact, ${told} bounds`);
  });

  test("algorithms are compared with equal detectors", async () => {
    const bench = await page.open();
    await bench.level(20);
    await bench.turnTo("Compare");
    await bench.choose("Ready-made comparison", "blind");
    await bench.text(".planned", /without tunnel/);
    await bench.press("Run");
    await rowsDone(bench, 4);
    await bench.text(".compare-note", /All run with the same detectors: tunnel is left out/);
    await bench.press("Save CSV");
    const name = (await bench.text(".level-title", /^20\. /))
      .replace(/^20\. /, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-");
    const rows = (await bench.saved(`${name}-comparison.csv`))
      .toString()
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.replace(/"[^"]*"/g, "").split(","));
    assert.equal(new Set(rows.map((cells) => cells[4])).size, 1, "one set of detectors");
    // Where they cannot be equal the row that differs says so.
    await bench.choose("Ready-made comparison", "portfolio");
    await bench.press("Run");
    await rowsDone(bench, 3);
    await bench.text(".results", /without .*, which (does|do) not go with it/);
  });

  test("eleven rows fit a large screen, labels are whole, charts can be logarithmic, a beamer is served", async () => {
    const bench = await page.open({ width: 1920, height: 1080 });
    await bench.level(20);
    await bench.turnTo("Compare");
    await bench.choose("Ready-made comparison", "algorithms");
    await bench.press("Run");
    await rowsDone(bench, 11);
    const bottom = await bench.page.$$eval(".results tr", (rows) => rows.at(-1).getBoundingClientRect().bottom);
    assert.ok(bottom <= 1080, `the last row ends at ${bottom}`);
    const cut = await bench.page.$$eval(
      ".bars text",
      (texts) => texts.filter((one) => one.textContent.includes("…")).length,
    );
    assert.equal(cut, 0);
    const outside = await bench.page.$$eval(
      ".bars",
      (charts) =>
        charts.flatMap((chart) =>
          [...chart.querySelectorAll("text")].filter(
            (one) => one.getBBox().x < 0 || one.getBBox().x + one.getBBox().width > chart.viewBox.baseVal.width,
          ),
        ).length,
    );
    assert.equal(outside, 0, "no label leaves its picture");
    const lengths = () =>
      bench.page.$$eval(".bars:first-child rect", (bars) => bars.map((bar) => bar.getAttribute("width")).join());
    const linear = await lengths();
    await bench.hit(() =>
      [...document.querySelectorAll("main label")].find((one) => one.textContent === "Logarithmic charts"),
    );
    await bench.text(".bars", /logarithmic/);
    assert.notEqual(await lengths(), linear);
    await bench.hit(() => document.getElementById("present"));
    assert.equal(await bench.page.$eval("aside", (side) => side.checkVisibility()), false);
    assert.ok((await bench.page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize))) >= 20);
    await bench.hit(() => document.getElementById("present"));
    assert.equal(await bench.page.$eval("aside", (side) => side.checkVisibility()), true);
  });

  test("figures are written as the reader's language writes them", async () => {
    const bench = await page.open({ view: null });
    const session = await bench.page.createCDPSession();
    await session.send("Emulation.setLocaleOverride", { locale: "de-DE" });
    await bench.show("compare");
    await bench.level(41);
    await bench.choose("Ready-made comparison", "informed");
    await bench.press("Run");
    await bench.text(".results", /Uniform cost.*\d\.\d{3}/);
  });
});
