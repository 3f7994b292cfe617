// Understand: lost positions, overlays, a search node by node.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session("--grace", "2", "--jobs", "4");

describe("understand", () => {
  test("a push that kills the level shows which boxes and why", async () => {
    const bench = await page.open();
    await bench.paste("#######\n#     #\n#  $@ #\n#  .  #\n#######\n");
    await bench.turnTo("Play");
    await bench.page.keyboard.press("ArrowLeft");
    await bench.page.keyboard.press("ArrowLeft");
    const reason = await bench.text(".banner", /The level is lost/);
    assert.match(reason, /no push leads to any goal|wall/);
    assert.match(reason, /The box at fault is marked/);
    await bench.press("Take the push back");
    await bench.page.waitForFunction(() => document.querySelector(".banner").hidden);
    await bench.page.keyboard.press("u");
    await bench.page.waitForFunction(() => document.querySelector(".counter-line").textContent.startsWith("0 moves"));
  });

  test("overlays are drawn, each with its sign", async () => {
    const bench = await page.open();
    await bench.level(20);
    await bench.turnTo("Play");
    const boxes = await bench.page.$$(".overlays input");
    assert.equal(boxes.length, 7);
    assert.equal((await bench.page.$$(".overlays .sample")).length, 7);
    // Those that every level has to show.
    for (const index of [0, 1, 2]) {
      const before = await bench.pixels();
      await boxes[index].click();
      await bench.until(
        () => bench.pixels(),
        (now) => now !== before,
        `overlay ${index}`,
      );
      await boxes[index].click();
      await bench.until(
        () => bench.pixels(),
        (now) => now === before,
        `overlay ${index} off again`,
      );
    }
  });

  test("a search is inspected node by node, back and forth", async () => {
    const bench = await page.open();
    await bench.level(5);
    await bench.turnTo("Inspect");
    await bench.press("Inspect");
    await bench.text(".live .status", /A\* with matching: \d+ expansions? recorded; the search found a solution/);
    const first = await bench.text("main .table-scroll table", /joins the open list/);
    assert.match(first, /cut: /);
    const start = await bench.board();
    await bench.press("One step on");
    await bench.text(".counter", /^2 \/ \d+$/);
    assert.notEqual(await bench.board(), `${start}x`);
    await bench.text(".figures", /Reached from step1/);
    await bench.press("One step back");
    await bench.text(".counter", /^1 \/ \d+$/);
    assert.equal(await bench.board(), start);
  });

  test("a search from both ends offers its halves to be inspected", async () => {
    const bench = await page.open();
    await bench.level(5);
    await bench.turnTo("Inspect");
    await bench.choose("Algorithm", "bidirectional");
    await bench.text(".banner", /two frontiers at once/);
    assert.equal(await bench.page.$eval("aside button.primary", (button) => button.disabled), true);
    await bench.press("The half that pulls");
    await bench.text(".live .status", /A\* with matching: \d+ expansions? recorded; the search found a solution/);
    await bench.page.waitForFunction(() => document.querySelector(".banner").hidden);
    // Pulled from the solved board: all boxes are on goals at the first step.
    assert.match(await bench.board(), /1 box, 1 on its goal|(\d+) boxes, \1 on goals/);
    await bench.choose("Algorithm", "bidirectional");
    await bench.press("The half that pushes");
    await bench.text(".live .status", /recorded/);
    assert.match(await bench.board(), / 0 on (its goal|goals)/);
  });

  test("an iterative search shows limit and iteration, cuts what is beyond, and says when it is over", async () => {
    const bench = await page.open();
    await bench.level(5);
    await bench.turnTo("Inspect");
    await bench.choose("Algorithm", "ida-star");
    await bench.choose("Heuristic for the boxes", "zero");
    await bench.press("Inspect");
    await bench.text(".live .status", /recorded; the search found a solution/);
    await bench.text(".step-words", /^Iteration 1, limit \d+: step 1 expands state #0\.$/);
    const first = Number(/limit (\d+)/.exec(await bench.text(".step-words", /limit/))[1]);
    await bench.text(".stepper table", /cut: beyond the limit/);
    // Every row that is beyond has f above the limit, every row that joins has not.
    const rows = await bench.page.$$eval(".stepper tbody tr", (all) =>
      all.map((row) => [row.cells[1].textContent, Number(row.cells[4].textContent)]),
    );
    for (const [fate, f] of rows) {
      if (/beyond the limit/.test(fate)) assert.ok(f > first, `${fate} ${f}`);
      if (/joins/.test(fate)) assert.ok(f <= first, `${fate} ${f}`);
    }
    await bench.press("Last step");
    await bench.text(".step-words", /The search is over: this is a goal, reached at cost \d+\./);
    assert.match(await bench.board(), /1 box, 1 on its goal|(\d+) boxes, \1 on goals/);
    await bench.press("One step back");
    const last = Number(/limit (\d+)/.exec(await bench.text(".step-words", /limit/))[1]);
    assert.ok(last > first, "the limit rose");
    await bench.text(".stepper .tag.goal", /a goal/);
  });

  test("a depth limit that is reached is said, not called unfinished", async () => {
    const bench = await page.open();
    await bench.level(5);
    await bench.turnTo("Inspect");
    await bench.choose("Algorithm", "depth-limited");
    await bench.choose("Depth limit", "1");
    await bench.press("Inspect");
    await bench.text(".live .status", /reached its depth limit everywhere/);
  });

  test("the player stands where he pushed, states are jumped to, the open list and the tree are there, and it plays", async () => {
    const bench = await page.open();
    await bench.paste("########\n#      #\n#  $ . #\n#@     #\n########\n");
    await bench.turnTo("Inspect");
    await bench.choose("Heuristic for the boxes", "zero");
    await bench.press("Inspect");
    await bench.text(".live .status", /recorded/);
    // In the first state he stands where the level has him, though any square of his zone is the same state.
    assert.match(await bench.board(), /Player at row 4, column 2\./);
    const action = await bench.page.$eval(".stepper tbody td", (cell) => cell.textContent);
    const [, row, column] = /box (\d+),(\d+) →/.exec(action);
    await bench.hit(() => document.querySelector(".stepper tbody tr button"));
    assert.match(await bench.board(), new RegExp(`Player at row ${row}, column ${column}\\.`));
    await bench.press("First step");
    // The open list is in order: the first of it is the next one.
    const next = /^#(\d+)/.exec(await bench.page.$eval(".open-list li", (line) => line.textContent))[1];
    await bench.press("One step on");
    await bench.text(".step-words", new RegExp(`expands state #${next}\\.`));
    const waiting = await bench.page.$eval(".figures", (facts) => /Waiting besides(\d+)/.exec(facts.textContent)[1]);
    await bench.press("First step");
    // The tree leads to any state.
    await bench.hit(() => document.querySelector('.search-tree [data-index="2"] circle'));
    await bench.text(".counter", /^3 \//);
    assert.ok(Number(waiting) >= 0);
    await bench.press("First step");
    await bench.press("Play the search");
    await bench.text(".counter", /^2 \//, 5000);
    await bench.press("Pause");
    // Rows and columns stand at the edge of the board: it is wider than its cells.
    const wider = await bench.page.$eval("main .board canvas", (canvas) => canvas.width / canvas.height);
    assert.ok(Math.abs(wider - 8 / 5) > 0.02, `${wider}`);
  });

  test("every heuristic is measured against the truth, with its worst state", async () => {
    const bench = await page.open();
    await bench.level(5);
    await bench.turnTo("Inspect");
    await bench.press("Measure the heuristics");
    await bench.text(
      ".admissibility .status",
      /\d+ states in formulation push, \d+ of which can be solved; the start is \d+ from the nearest goal/,
    );
    const rows = await bench.page.$$eval(".admissibility tbody tr", (all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent)),
    );
    const of = (name) => rows.find(([heuristic]) => heuristic === name);
    assert.deepEqual(of("Matching").slice(1, 3), ["yes", "yes"]);
    assert.ok(Number(of("Zero")[4]) >= Number(of("Matching")[4]), "zero errs more");
    await bench.press("Zero");
    await bench.press("Show the worst state");
    await bench.text(".admissibility .status", /Zero says 0, the truth is \d+ pushes: its worst state is on the board/);
    assert.ok((await bench.page.$$(".scatter-chart circle")).length > 1);
    await bench.level(48);
    await bench.press("Measure the heuristics");
    await bench.text(".toast.error", /too many to measure|limit was reached/);
  });
});
