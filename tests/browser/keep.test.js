// Nothing is lost: reload, Back, Forward, other levels, other tabs, a server that was started anew.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { session } from "./harness.js";
import { LONG, STATIC, Workbench, brokenLine, serve } from "./workbench.js";

const page = session("--jobs", "4");

/** Three levels in a file. */
const THREE =
  "; Three\n\n######\n#@$ .#\n######\nTitle: One\n\n#######\n#@ $ .#\n#     #\n#######\nTitle: Two\n\n#######\n#@ $. #\n#  $. #\n#     #\n#######\nTitle: Three\n";

const counter = (bench) => bench.text(".counter-line", /moves?/);

describe("nothing is lost", () => {
  test("a game with its undo history survives a reload, N then P, another tab and a restart", async () => {
    const bench = await page.open();
    await bench.turnTo("Play");
    await bench.level(20);
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.keys("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowLeft", "u");
    const made = await counter(bench);
    assert.doesNotMatch(made, /^0 moves/);
    const board = await bench.board();
    await bench.reload();
    assert.equal(await counter(bench), made);
    assert.equal(await bench.board(), board);
    await bench.keys("y");
    assert.notEqual(await counter(bench), made, "what was taken back can be done again");
    await bench.keys("u", "n", "p");
    assert.equal(await counter(bench), made);
    // Another tab shows the same game, and both stay one.
    const other = await bench.tab("play");
    assert.equal(await other.board(), board);
    await other.keys("u");
    const less = await counter(other);
    await bench.page.bringToFront();
    await bench.page.waitForFunction(
      (words) => document.querySelector(".counter-line").textContent === words,
      {},
      less,
    );
    await other.page.close();
    // A restart is undone like a move.
    await bench.press("Restart");
    assert.match(await counter(bench), /^0 moves/);
    await bench.reload();
    await bench.keys("u");
    assert.equal(await counter(bench), less);
  });

  test("an opened file and its levels survive a reload, Back and Forward, and have addresses", async () => {
    const bench = await page.open();
    const path = join(bench.folder, "three.xsb");
    writeFileSync(path, THREE);
    await bench.upload("Open …", path);
    await bench.text(".level-title", /^1\. One$/);
    await bench.press("Next level");
    await bench.press("Next level");
    await bench.text(".level-title", /^3\. Three$/);
    await bench.reload();
    assert.equal(await bench.text(".level-title", /Three/), "3. Three");
    await bench.back();
    await bench.text(".level-title", /^2\. Two$/);
    await bench.back(1);
    await bench.text(".level-title", /^3\. Three$/);
    // The address of a level opens it in another tab; so does the bare address, which shows the last place.
    const address = new URL(bench.page.url()).hash.slice(2);
    assert.match(address, /^solve\/three-xsb-[0-9a-f]{8}\/3$/);
    const other = await bench.tab(address);
    assert.equal(await other.text(".level-title", /Three/), "3. Three");
    await other.page.close();
    const bare = await bench.tab(null);
    assert.equal(await bare.text(".level-title", /Three/), "3. Three");
    await bare.page.close();
    // Its levels are listed, and lurd's own come back with dialog, board and order together.
    await bench.page.locator(".level-button").click();
    await bench.text("dialog .progress", /0 of 3 levels solved by you/);
    await bench.press("Back to lurd’s own levels");
    await bench.text("dialog .progress", /of 53 levels/);
    await bench.text(".level-title", /^1\. First Push$/);
    await bench.press("Close");
    await bench.press("Next level");
    await bench.text(".level-title", /^2\. Behind the Box$/);
  });

  test("an address that names a collection nobody has says so", async () => {
    const bench = await page.open({ view: "play/strange-00000000/3" });
    await bench.text(".toast.error", /collection this browser does not have/);
    await bench.text(".level-title", /First Push/);
  });

  test("the drawing with its undo history, title and author survives", async () => {
    const bench = await page.open();
    await bench.turnTo("Draw");
    await bench.press("Empty board");
    await bench.page.focus("main .board");
    await bench.keys("ArrowDown", "ArrowRight", "6", "ArrowRight", "4");
    await bench.page.type("#draw-title", "Kept");
    await bench.page.type("#draw-author", "Me");
    const drawn = await bench.board();
    await bench.reload();
    assert.equal(await bench.board(), drawn);
    assert.equal(await bench.page.$eval("#draw-title", (input) => input.value), "Kept");
    assert.equal(await bench.page.$eval("#draw-author", (input) => input.value), "Me");
    await bench.press("Undo");
    assert.match(await bench.board(), /0 boxes/);
    await bench.press("Redo");
    assert.equal(await bench.board(), drawn);
    await bench.level(5);
    assert.equal(await bench.board(), drawn, "another level does not replace it");
    await bench.press("Take the chosen level");
    await bench.press("Undo");
    assert.equal(await bench.board(), drawn);
  });

  test(
    "the form and a running search survive a reload and other levels",
    { skip: STATIC && "workers end with their page" },
    async () => {
      const bench = await page.open();
      await bench.paste(`${LONG}Title: Long\n`);
      await bench.choose("Algorithm", "ida-star");
      await bench.choose("One action is", "move");
      await bench.press("Solve");
      await bench.text(".live .status", /Searching/);
      await bench.paste("######\n#@$ .#\n######\nTitle: Other\n");
      await bench.text(".level-title", /Other/);
      await bench.text(".others", /Long: a search goes on/);
      await bench.press("Show");
      await bench.text(".live .status", /Searching/);
      await bench.reload();
      await bench.text(".live .status", /Searching/);
      assert.equal(await bench.page.$eval("main .config select", (list) => list.value), "ida-star");
      const other = await bench.tab("solve");
      await other.text(".live .status", /Searching/);
      await other.page.close();
      const jobs = (await bench.jobs()).filter((job) => job.status === "running");
      assert.equal(jobs.length, 1);
      await bench.press("Cancel");
      await bench.text(".live .status", /Cancelled: you cancelled it/);
      await bench.reload();
      await bench.text(".answer h2", /Cancelled: you cancelled it/);
    },
  );

  test(
    "a server that was started anew is told, and nothing else is gone",
    { skip: STATIC && "there is no server" },
    async () => {
      // The same address before and after: the line stays, the server behind it changes.
      const first = await serve();
      const line = await brokenLine(first.url);
      const bench = (page.bench = await Workbench.open(page.chrome, line.url));
      await bench.paste(`${LONG}Title: Long\n`);
      await bench.choose("Algorithm", "ida-star");
      await bench.choose("One action is", "move");
      await bench.press("Solve");
      await bench.text(".live .status", /Searching/);
      const second = await serve();
      line.turn(second.url);
      await first.end();
      await bench.text(".live .status", /The search is gone: .*started anew/, 20_000);
      await bench.reload();
      await bench.text(".level-title", /^1\. Long$/);
      await bench.text(".live .status", /The search is gone/);
      assert.equal(await bench.page.$eval("main .config select", (list) => list.value), "ida-star");
      await line.cut();
      await second.end();
    },
  );

  test("solve from here keeps the game, and its solution is taken over move by move", async () => {
    const bench = await page.open();
    await bench.paste("########\n#@ $ . #\n#      #\n########\nTitle: Short\n");
    await bench.turnTo("Play");
    await bench.keys("ArrowRight", "ArrowRight");
    await bench.text(".counter-line", /^2 moves · 1 push$/);
    await bench.press("Solve from here");
    await bench.text(".level-title", /Short, from here \(after 2 moves\)/);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved: 1 push, 1 move/);
    await bench.reload();
    await bench.text(".answer h2", /Solved: 1 push, 1 move/);
    await bench.turnTo("Play");
    await bench.text(".counter-line", /^2 moves · 1 push$/);
    assert.equal(await bench.text(".level-title", /Short/), "1. Short");
    await bench.turnTo("Solve");
    await bench.press("Take over in Play");
    await bench.text(".counter-line", /^2 moves · 1 push$/);
    await bench.keys("y");
    await bench.text(".banner", /Solved!/);
  });

  test("what the letter game and the tiles were at survives", async () => {
    const bench = await page.open();
    await bench.turnTo("CSE");
    await bench.text(".board-card .status", /Your turn/);
    await bench.hit(() => document.querySelector(".cse-choices button.best"));
    await bench.page.waitForFunction(() => document.querySelectorAll(".cse-cell.filled").length === 3);
    await bench.text(".board-card .status", /Your turn/);
    await bench.reload();
    await bench.text(".board-card .status", /Your turn/);
    assert.equal((await bench.page.$$(".cse-cell.filled")).length, 3);
    await bench.turnTo("Tiles");
    await bench.page.$eval("#tiles-text", (input) => (input.value = "8 1 3 4 0 2 7 6 5"));
    await bench.press("Take what is typed");
    await bench.page.waitForFunction(() => document.querySelector(".tile-board").textContent === "81342765");
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.keys("ArrowUp");
    await bench.text(".board-card .status", /^1 move made/);
    await bench.reload();
    await bench.text(".board-card .status", /^1 move made/);
  });

  test("a browser that keeps nothing says so, and still plays", async () => {
    const bench = await page.open({ view: null });
    await bench.page.evaluateOnNewDocument(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await bench.show("play");
    await bench.keys("ArrowRight", "ArrowRight");
    await bench.text(".toast.error", /keeps nothing for the page|is full/);
    await bench.text(".counter-line", /^2 moves/);
    await bench.keys("n", "p");
    await bench.text(".counter-line", /^2 moves/);
  });

  test("best solutions are exported, imported and kept apart by who found them", async () => {
    const bench = await page.open();
    await bench.turnTo("Play");
    await bench.keys("ArrowRight", "ArrowRight", "ArrowRight");
    await bench.text(".banner", /Solved!/);
    await bench.text(".bests", /Solved by you\. Best: 2 pushes, 3 moves/);
    await bench.level(2);
    await bench.turnTo("Solve");
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    await bench.turnTo("Play");
    await bench.text(".bests", /Solved by lurd\. Best: 2 pushes/);
    assert.doesNotMatch(await bench.page.$eval(".bests", (list) => list.textContent), /by you/);
    await bench.page.locator(".level-button").click();
    await bench.text("dialog .progress", /1 of 53 levels solved by you, 1 by lurd/);
    await bench.press("Close");
    await bench.press("Export best solutions");
    const saved = (await bench.saved("lurd-best.sok")).toString();
    // Into a browser that has nothing: each finder keeps its own; moves that solve nothing are left out.
    await bench.close();
    const fresh = await page.open();
    const path = join(fresh.folder, "back.sok");
    writeFileSync(path, `${saved}\n\n######\n#@$ .#\n######\nTitle: Wrong\nSolution\nr\n`);
    await fresh.turnTo("Play");
    await fresh.upload("Import solutions …", path);
    await fresh.text(".toast", /2 solutions taken in/);
    await fresh.text(".bests", /Solved by you\. Best: 2 pushes, 3 moves/);
    await fresh.level(2);
    await fresh.text(".bests", /Solved by lurd\. Best: 2 pushes/);
  });
});
