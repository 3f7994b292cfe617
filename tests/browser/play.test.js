// Play and draw.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session("--grace", "2", "--jobs", "4");

describe("play and draw", () => {
  test("mouse: click to walk, drag and click to push, undo and redo", async () => {
    const bench = await page.open();
    await bench.paste("########\n#      #\n# $    #\n#@   . #\n########\n");
    await bench.turnTo("Play");
    const at = async (row, column) => bench.cell(row, column, 8, 5);
    let spot = await at(1, 6);
    await bench.page.mouse.click(spot.x, spot.y);
    await bench.text(".counter-line", /^7 moves · 0 pushes$/);
    const from = await at(2, 2);
    const to = await at(2, 5);
    await bench.page.mouse.move(from.x, from.y);
    await bench.page.mouse.down();
    await bench.page.mouse.move(to.x, to.y, { steps: 4 });
    await bench.page.mouse.up();
    await bench.text(".counter-line", /3 pushes$/);
    spot = await at(2, 5);
    await bench.page.mouse.click(spot.x, spot.y);
    spot = await at(3, 5);
    await bench.page.mouse.click(spot.x, spot.y);
    await bench.text(".banner", /Solved!/);
    assert.match(await bench.board(), /1 box, 1 on its goal/);
    await bench.press("Take back (U)");
    assert.match(await bench.board(), /1 box, 0 on its goal/);
    await bench.press("Do again (Y)");
    await bench.text(".banner", /Solved!/);
    // What was solved is kept in the browser and can be taken out.
    await bench.press("Restart");
    await bench.text("aside", /Solved by you\. Best: 4 pushes/);
    await bench.press("Export best solutions");
    assert.match((await bench.saved("lurd-best.sok")).toString(), /Solution/);
  });

  test("hints tell a little more each time, and solve from here begins there", async () => {
    const bench = await page.open();
    await bench.level(7);
    await bench.turnTo("Play");
    const before = await bench.pixels();
    // Where to look, which box, which push: each is announced and seen.
    const seen = [before];
    for (const words of ["Look at the", "The marked box is the one to push", "Push the marked box"]) {
      await bench.press("Hint");
      await bench.page.waitForFunction(
        (wanted) => document.getElementById("announcer").textContent.includes(wanted),
        { timeout: 20_000 },
        words,
      );
      seen.push(await bench.pixels());
    }
    assert.equal(new Set(seen).size, 4, "every degree shows more");
    // The hint stays while the player walks, and goes with the push.
    await bench.page.evaluate(() => document.activeElement.blur());
    const shown = await bench.pixels();
    await bench.page.keyboard.press("ArrowUp");
    await bench.page.keyboard.press("ArrowDown");
    await bench.text(".hint-words", /stays until a push is made/);
    assert.notEqual(shown, before);
    // The whole way lies ready and is done move by move.
    await bench.keys("?");
    await bench.text(".hint-words", /pushes from here solve the level/);
    for (let moves = 0; moves < 200 && !(await bench.page.$(".banner.good:not([hidden])")); moves += 1)
      await bench.keys("y");
    await bench.text(".banner", /Solved!/);
    await bench.press("Restart");
    await bench.press("Solve from here");
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
  });

  test("a level is drawn, shared, reopened and exported", async () => {
    let bench = await page.open();
    await bench.turnTo("Draw");
    await bench.press("Empty board");
    await bench.text(".status", /Not yet: there is no player/);
    // With keys: a player and a box; with the mouse: a goal.
    await bench.page.focus("main .board");
    for (const key of ["ArrowDown", "ArrowRight", "6", "ArrowRight", "ArrowDown", "4"])
      await bench.page.keyboard.press(key);
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.page.keyboard.press("3");
    const spot = await bench.cell(2, 6, 10, 8);
    await bench.page.mouse.click(spot.x, spot.y);
    await bench.text(".status", /A level: 1 box, 1 goal/);
    await bench.text(".muted", /It can be solved: 4 pushes/);
    await bench.press("Turn");
    await bench.press("Undo");
    await bench.page.type("#draw-title", "Tea & <b>cake</b>");
    await bench.text(".muted", /It can be solved: 4 pushes/);
    await bench.press("Share");
    const link = await bench.page.$eval("aside input.mono", (input) => input.value);
    assert.ok(link.startsWith(`${page.server.url}#/play?level=`), link);

    for (const [label, file, start] of [
      ["XSB", "xsb", "#"],
      ["RLE", "txt", "10#"],
      ["SLC", "slc", "<?xml"],
      ["SVG", "svg", "<svg"],
      ["PNG", "png", "\x89PNG"],
      ["GIF of a solution", "gif", "GIF89a"],
    ]) {
      await bench.press(label);
      const bytes = await bench.saved(`tea-b-cake-b.${file}`);
      const text = bytes.toString("latin1");
      assert.ok(text.includes(start), `${label}: ${text.slice(0, 60)}`);
    }
    // The browser reads the animation: a frame for every move, the last with the box on its goal.
    const gif = (await bench.saved("tea-b-cake-b.gif")).toString("base64");
    const { frames, wall, home } = await bench.page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
      await Promise.all([decoder.tracks.ready, decoder.completed]);
      const { frameCount } = decoder.tracks.selectedTrack;
      const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const at = (x, y) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)];
      return { frames: frameCount, wall: at(316, 244), home: at(6 * 32 + 7, 2 * 32 + 16) };
    }, gif);
    const solution = new URLSearchParams(new URL(link).hash.split("?")[1]).get("solution");
    const letters = [...solution.matchAll(/(\d*)([a-zA-Z])/g)].reduce((sum, [, count]) => sum + Number(count || 1), 0);
    assert.equal(frames, letters + 1);
    const near = (colour, wanted) => colour.every((part, index) => Math.abs(part - wanted[index]) < 12);
    assert.ok(near(wall, [89, 99, 111]) || near(wall, [65, 74, 84]), `wall ${wall}`);
    assert.ok(near(home, [46, 124, 184]), `box on goal ${home}`);

    await bench.close();
    bench = await page.open({ view: null });
    await bench.page.goto(link);
    await bench.page.waitForSelector("html[data-ready]");
    assert.equal(await bench.text(".level-title", /Tea/), "Tea & <b>cake</b>");
    assert.match(await bench.board(), /Board of 10 by 8\. Player at row 2, column 2\. 1 box, 0 on its goal/);
    // The link carried the solution of the quick search too.
    await bench.turnTo("Solve");
    await bench.text(".answer h2", /This level came with a solution/);
  });
});
