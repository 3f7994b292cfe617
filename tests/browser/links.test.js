// What comes in by links, files and the clipboard goes through the checks and the referee; a link opens what it carries once.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session();

/** A corridor of six squares, and one without a player. */
const [CORRIDOR, EMPTY] = ["7w!wp-b-gw!7w", "7w!w--b-gw!7w"];

describe("links, files and the clipboard", () => {
  test("a solution that walks through walls is refused, with the move and the rule", async () => {
    const bench = await page.open({ view: null });
    await bench.show("solve", `?level=${CORRIDOR}&title=Walls&solution=uuRR`);
    await bench.text(".toast.error", /The solution in the link is none: move 1, `u`, walks into a wall/);
    assert.equal(await bench.text(".level-title", /Walls/), "Walls");
    assert.equal(await bench.page.$eval(".answer", (answer) => answer.hidden), true);
    assert.match(await bench.board(), /Player at row 2, column 2\. 1 box, 0 on its goal/);
    // One that stops short is none either.
    await bench.show("solve", `?level=${CORRIDOR}&title=Short&solution=rR`);
    await bench.text(".toast.error", /at the end 1 box is not on a goal/);
    // A right one is shown, with its pushes in capitals whatever the link says.
    await bench.show("solve", `?level=${CORRIDOR}&title=Right&solution=rrr`);
    await bench.text(".answer h2", /This level came with a solution/);
    assert.equal(await bench.page.$eval(".lurd", (area) => area.value), "rRR");
  });

  test("a level without a player is not played but mended", async () => {
    const bench = await page.open({ view: null });
    await bench.show("play", `?level=${EMPTY}&title=Nobody`);
    await bench.text(".toast.error", /The level in the link cannot be played: there is no player/);
    await bench.text("nav a[aria-current]", /Draw/);
    assert.equal(await bench.page.$eval("#draw-title", (input) => input.value), "Nobody");
    await bench.text(".status", /Not yet: there is no player/);
    await bench.press("Play it");
    await bench.text(".toast.error", /Not yet a level: there is no player/);
  });

  test("a link that is cut short says so", async () => {
    const bench = await page.open({ view: null });
    await bench.show("play", "?level=7w!wz");
    await bench.text(".toast.error", /does not hold a level/);
    await bench.text(".level-title", /First Push/);
  });

  test("a link opens what it carries once: choices made after it win", async () => {
    const bench = await page.open({ view: null });
    await bench.show("play", `?level=${CORRIDOR}&title=Carried`);
    await bench.text(".level-title", /^Carried$/);
    await bench.level(3);
    const chosen = await bench.text(".level-title", /^3\. /);
    await bench.turnTo("Solve");
    assert.equal(await bench.text(".level-title", /./), chosen);
    await bench.reload();
    assert.equal(await bench.text(".level-title", /./), chosen);
    await bench.turnTo("Play");
    assert.equal(await bench.text(".level-title", /./), chosen);
    // Back leads to the level that was there before, as everywhere.
    await bench.back(-3);
    await bench.text(".level-title", /^Carried$/);
  });

  test("Ctrl+V opens levels anywhere, and takes moves that solve the level", async () => {
    const bench = await page.open();
    await bench.turnTo("Compare");
    await bench.pasteAnywhere("#######\n#@ $ .#\n#######\nTitle: Pasted\n");
    await bench.text(".level-title", /^1\. Pasted$/);
    await bench.pasteAnywhere("rRl");
    await bench.text(".toast.error", /do not solve Pasted: at the end 1 box is not on a goal/);
    await bench.pasteAnywhere("uRR");
    await bench.text(".toast.error", /walks into a wall/);
    await bench.pasteAnywhere("rRR");
    await bench.text(".answer h2", /This level came with a solution/);
    await bench.pasteAnywhere("#####\n#@$ #\n#####");
    await bench.text(".toast.error", /as many goals as boxes/);
  });

  test("a file that is too large and a number that does not fit get sentences", async () => {
    const bench = await page.open();
    const path = join(bench.folder, "large.xsb");
    writeFileSync(path, "#".repeat(10 << 20));
    await bench.upload("Open …", path);
    await bench.text(".toast.error", /a file of levels may have 8 MiB/);
    const wrong = await bench.page.evaluate(async () => {
      const { post } = await import(new URL("lib/api.js", document.baseURI).href);
      return post("/jobs", { kind: "sokoban", board: "#", request: { node_limit: 1.5 } }).catch(
        (error) => error.message,
      );
    });
    assert.match(wrong, /no whole number/);
    await bench.choose("Memory in MiB", "1.5");
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    await bench.choose("Nodes generated", "1.5");
    await bench.text(".plan", /“Nodes generated” must be a whole number, at least 1\./);
    assert.equal(await bench.page.$eval("aside button.primary", (button) => button.disabled), true);
  });
});
