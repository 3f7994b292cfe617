// Comfort: where the page opens, what is hidden, hints, markers, improve, swipe, drawing tools.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";

const page = session();

describe("comfort", () => {
  test("a newcomer can play at once, and Solve begins with three choices", async () => {
    const bench = await page.open({ view: null });
    await bench.page.goto(bench.url);
    await bench.page.waitForSelector("html[data-ready]");
    await bench.text("nav a[aria-current]", /Play/);
    await bench.keys("ArrowRight", "ArrowRight", "ArrowRight");
    await bench.text(".banner", /Solved!/);
    await bench.text(".banner", /The optimum is 2 pushes; counting moves it is 3 moves\./);
    await bench.turnTo("Solve");
    const controls = await bench.page.$$eval("aside input, aside select", (all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.type),
    );
    assert.deepEqual(controls, ["radio", "radio", "radio"]);
    await bench.page.locator("aside summary ::-p-text(More choices)").click();
    assert.ok(
      (await bench.page.$$eval("aside select", (all) => all.filter((one) => one.checkVisibility()).length)) >= 3,
    );
  });

  test("a hint says why it waits and stays until the push is made", async () => {
    const bench = await page.open();
    await bench.paste("########\n#      #\n# $    #\n#@   . #\n########\n");
    await bench.turnTo("Play");
    await bench.page.evaluate(() => {
      globalThis.heard = [];
      new MutationObserver(() => globalThis.heard.push(document.querySelector(".hint-words").textContent)).observe(
        document.querySelector(".hint-words"),
        { childList: true, characterData: true, subtree: true },
      );
    });
    for (const words of [/Look at the/, /The marked box/, /Push the marked box/]) {
      await bench.press("Hint");
      await bench.text(".hint-words", words);
    }
    assert.ok(
      (await bench.page.evaluate(() => globalThis.heard)).some((words) =>
        /Looking for a solution from here, for at most 10 seconds/.test(words),
      ),
    );
    await bench.page.evaluate(() => document.activeElement.blur());
    // A walk leaves it, a push takes it away.
    await bench.keys("ArrowRight", "ArrowLeft", "ArrowUp");
    await bench.text(".hint-words", /Push the marked box .*stays until a push is made/);
    await bench.keys("ArrowRight");
    await bench.text(".counter-line", /1 push$/);
    await bench.page.waitForFunction(() => document.querySelector(".hint-words").textContent === "");
  });

  test("markers are seen on goals, and a banner does not move the board", async () => {
    const bench = await page.open();
    await bench.paste("#######\n#     #\n#  $@ #\n#  .  #\n#######\n");
    await bench.turnTo("Play");
    const goal = async () => {
      const spot = await bench.cell(3, 3, 7, 5);
      return bench.page.$eval(
        "main .board canvas",
        (canvas, x, y) => {
          const box = canvas.getBoundingClientRect();
          const scale = canvas.width / box.width;
          return [
            ...canvas.getContext("2d").getImageData((x - box.left) * scale, (y - box.top) * scale, 1, 1).data,
          ].join();
        },
        spot.x,
        spot.y,
      );
    };
    const before = await goal();
    const zone = (await bench.page.$$(".overlays input"))[1];
    await zone.click();
    await bench.until(goal, (now) => now !== before, "the player's zone shows on a goal");
    const place = () =>
      bench.page.$eval("main .board canvas", (canvas) => JSON.stringify(canvas.getBoundingClientRect()));
    const still = await place();
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.keys("ArrowLeft", "ArrowLeft");
    await bench.text(".banner", /The level is lost/);
    assert.equal(await place(), still);
    await bench.text(".counter-line", /lost$/);
  });

  test("a solution is made shorter on the page", async () => {
    const bench = await page.open();
    await bench.paste("#######\n#@ $ .#\n#     #\n#######\n");
    await bench.pasteAnywhere("drulrRR");
    await bench.text(".answer h2", /This level came with a solution/);
    await bench.press("Fewer moves");
    await bench.text(".answer h2", /Solved: 2 pushes, 3 moves/, 40_000);
    await bench.text(".found-by", /Made shorter/);
    await bench.text(".answer .notes", /before: 2 pushes and 7 moves/);
  });

  test("a finger swipes, and a push is taken back as one", async () => {
    const bench = await page.open({ width: 360, height: 740 });
    await bench.paste("########\n#@ $ . #\n#      #\n########\n");
    await bench.turnTo("Play");
    const spot = await bench.cell(2, 5, 8, 4);
    const swipe = async (dx, dy) => {
      const touch = await bench.page.touchscreen.touchStart(spot.x, spot.y);
      await touch.move(spot.x + dx, spot.y + dy);
      await touch.end();
    };
    await swipe(40, 0);
    await bench.text(".counter-line", /^1 move · 0 pushes/);
    await swipe(40, 0);
    await bench.text(".counter-line", /^2 moves · 1 push/);
    await swipe(0, 40);
    await bench.text(".counter-line", /^3 moves · 1 push/);
    await bench.press("Take back a push (Shift+U)");
    await bench.text(".counter-line", /^1 move · 0 pushes/);
  });

  test("strokes have no holes; rectangle, fill and numbers for the size; title and author go into the file", async () => {
    const bench = await page.open();
    await bench.turnTo("Draw");
    await bench.press("Empty board");
    for (const [id, value] of [
      ["#draw-width", "20"],
      ["#draw-height", "12"],
    ]) {
      await bench.page.$eval(
        id,
        (input, number) => {
          input.value = number;
          input.dispatchEvent(new Event("change"));
        },
        value,
      );
    }
    assert.match(await bench.board(), /Board of 20 by 12/);
    const rows = async () => {
      await bench.press("XSB");
      const text = (
        await bench.saved(
          `${await bench.page.$eval("#draw-title", (input) => input.value.toLowerCase() || "level")}.xsb`,
        )
      ).toString();
      return text;
    };
    await bench.page.type("#draw-title", "strokes");
    await bench.page.type("#draw-author", "Somebody");
    await bench.page.evaluate(() => document.activeElement.blur());
    // One fast movement from corner to corner: every wall touches the next.
    const [from, to] = [await bench.cell(9, 1, 20, 12), await bench.cell(11, 18, 20, 12)];
    await bench.page.mouse.move(from.x, from.y);
    await bench.page.mouse.down();
    await bench.page.mouse.move(to.x, to.y);
    await bench.page.mouse.up();
    // A rectangle of walls, filled with goals.
    await bench.press("Rectangle");
    const [a, b] = [await bench.cell(1, 12, 20, 12), await bench.cell(5, 17, 20, 12)];
    await bench.page.mouse.move(a.x, a.y);
    await bench.page.mouse.down();
    await bench.page.mouse.move(b.x, b.y, { steps: 3 });
    await bench.page.mouse.up();
    await bench.press("Fill");
    await bench.keys("3");
    const inside = await bench.cell(3, 14, 20, 12);
    await bench.page.mouse.click(inside.x, inside.y);
    const text = await rows();
    const lines = text.split("\n");
    const at = (row, column) => lines[row]?.[column] ?? " ";
    let walls = 0;
    for (let column = 1; column <= 18; column += 1) walls += [9, 10, 11].some((row) => at(row, column) === "#") ? 1 : 0;
    assert.equal(walls, 18, text);
    for (const column of [12, 13, 14, 15, 16, 17]) assert.equal(at(1, column) + at(5, column), "##", text);
    for (const column of [13, 14, 15, 16]) assert.equal(at(3, column), ".", text);
    assert.match(text, /Author: Somebody/);
    await bench.press("Undo");
    await bench.press("Undo");
    assert.equal(await bench.page.$eval("#draw-title", (input) => input.value), "strokes");
  });
});
