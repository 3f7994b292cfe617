// Tiles and the letter game.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session("--grace", "2", "--jobs", "4");

describe("tiles and the letter game", () => {
  test("a typed board of tiles is solved by two algorithms in a race", async () => {
    const bench = await page.open();
    await bench.turnTo("Tiles");
    await bench.page.$eval("#tiles-text", (input) => (input.value = "8 1 3 4 0 2 7 6 5"));
    // A race waits for the board that is being taken.
    await bench.pressAtOnce("Take what is typed", "Race");
    const solved = (/** @type {number} */ steps) =>
      bench.page.waitForFunction(
        (words) =>
          [...document.querySelectorAll(".racer")].filter((lane) => lane.textContent.includes(words)).length === 2,
        { timeout: 30_000 },
        `Solved in ${steps} moves`,
      );
    await solved(14);
    await bench.page.waitForFunction(() =>
      [...document.querySelectorAll(".racer")].every((lane) =>
        lane.textContent.includes("Optimal: proved to have the fewest moves"),
      ),
    );
    // Calm pages jump to the end: the board is in order.
    await bench.page.waitForSelector('.racer .tile-board[aria-label="First: board: 1 2 3 4 5 6 7 8 0"]');
    await bench.page.$eval("#tiles-text", (input) => (input.value = "1 2 3 4 5 6 8 7 0"));
    await bench.press("Take what is typed");
    await bench.text(".board-card .status", /unsolvable/);
    // What is no board starts no race and is not lost; what is one need not be taken first.
    await bench.page.$eval("#tiles-text", (input) => (input.value = "1 2 3 4 5 6 7 0 0"));
    await bench.press("Race");
    await bench.text(".board-card .status", /twice/);
    assert.equal(await bench.page.$eval("#tiles-text", (input) => input.value), "1 2 3 4 5 6 7 0 0");
    await bench.page.$eval("#tiles-text", (input) => (input.value = "1 2 3 4 0 5 7 8 6"));
    await bench.press("Race");
    await solved(2);
    // Played by hand.
    await bench.page.$eval("#tiles-text", (input) => (input.value = "1 2 3 4 5 6 0 7 8"));
    await bench.press("Take what is typed");
    await bench.page.waitForFunction(
      () =>
        [...document.querySelectorAll(".board-card .tile")].map((tile) => tile.textContent || "0").join(" ") ===
        "1 2 3 4 5 6 0 7 8",
    );
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.page.keyboard.press("ArrowRight");
    await bench.page.keyboard.press("ArrowRight");
    await bench.text(".board-card .status", /In order after 2 moves/);
  });

  test("a race of tiles can be cancelled before its searches have begun", async () => {
    const bench = await page.open();
    await bench.turnTo("Tiles");
    // Far from its order: neither algorithm solves it within seconds.
    await bench.page.$eval("#tiles-text", (input) => (input.value = "15 14 8 12 10 11 9 13 2 6 5 1 7 3 4 0"));
    await bench.page.$eval("#tiles-goal", (input) => (input.value = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"));
    await bench.press("Take what is typed");
    await bench.page.waitForSelector('.racer .tile-board[aria-label*=": 15 14 8"]');
    await bench.pressAtOnce("Race", "Cancel");
    await bench.page.waitForFunction(
      () =>
        [...document.querySelectorAll(".racer")].filter((lane) => /Cancelled: you cancelled it/.test(lane.textContent))
          .length === 2,
      { timeout: 10_000 },
    );
  });

  test("a CSE game is played to its end, with values and cut-offs", async () => {
    const bench = await page.open();
    await bench.turnTo("CSE");
    await bench.text(".board-card .status", /Your turn/);
    assert.ok((await bench.page.$$(".cse-choices button.best")).length > 0);
    assert.match(await bench.text(".tree", /cut off here/), /never tried|cut off/);
    for (let turn = 0; turn < 9; turn += 1) {
      await bench.page.waitForFunction(
        () => /Your turn|draw:|wins|win!/.test(document.querySelector(".board-card .status").textContent),
        { timeout: 10_000 },
      );
      const over = await bench.page.$eval(
        ".board-card .status",
        (status) => !status.textContent.startsWith("Your turn"),
      );
      if (over) break;
      const filled = (await bench.page.$$(".cse-cell.filled")).length;
      await bench.hit(() => document.querySelector(".cse-choices button:not(:disabled)"));
      await bench.page.waitForFunction(
        (before) => document.querySelectorAll(".cse-cell.filled").length > before,
        {},
        filled,
      );
    }
    await bench.text(".board-card .status", /^(A draw|The computer has completed|You have completed)/);
    await bench.press("New game");
    await bench.press("Run every method");
    await bench.text("main .table-scroll table", /minimax.*alpha-beta/);
  });

  test("a search on tiles is stepped through node by node", async () => {
    const bench = await page.open();
    await bench.turnTo("Tiles");
    await bench.page.$eval("#tiles-text", (input) => (input.value = "1 2 3 4 5 6 0 7 8"));
    await bench.press("Take what is typed");
    await bench.press("Step through it");
    await bench.text(
      ".live .status",
      /A\* with \S+ from 1 2 3 4 5 6 0 7 8: 2 expansions recorded; the search found a solution/,
    );
    await bench.text(".stepper table", /blank right.*joins the open list/);
    await bench.press("Last step");
    await bench.text(".step-words", /The search is over: this is a goal, reached at cost 2\./);
    assert.equal(
      await bench.page.$eval("[aria-label='Node by node'] .tile-board", (board) => board.getAttribute("aria-label")),
      "The chosen board: 1 2 3 4 5 6 7 8 0",
    );
  });
});
