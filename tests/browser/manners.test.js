// Manners: every screen, the keyboard, speed.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";
import { CROWDED } from "./workbench.js";

const page = session("--grace", "2", "--jobs", "4");

describe("manners", () => {
  const VIEWS = ["Solve", "Play", "Learn", "Inspect", "Compare", "Library", "Draw", "Tiles", "CSE"];

  test("a phone shows every view without sideways scrolling, and its buttons play", async () => {
    const bench = await page.open({ view: null, width: 360, height: 740 });
    for (const view of VIEWS) {
      await bench.show(view.toLowerCase());
      await new Promise((done) => setTimeout(done, 150));
      const wide = await bench.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 360, `${view} is ${wide} wide`);
    }
    await bench.show("play");
    for (let step = 0; step < 3; step += 1) {
      await bench.tap(() => document.querySelector(".pad-r"));
    }
    await bench.text(".banner", /Solved!/);
  });

  test("a race fits on a phone and is cancelled where it is watched", async () => {
    const bench = await page.open({ width: 360, height: 740 });
    await bench.paste(CROWDED);
    await bench.press("Solve");
    await bench.text(".race-table", /working/);
    assert.ok((await bench.page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await bench.tap(() => document.querySelector(".live button.danger"));
    await bench.text(".live .status", /Cancelled/, 5000);
  });

  test("a very large screen is filled, not stretched", async () => {
    const bench = await page.open({ width: 3840, height: 2160 });
    for (const view of VIEWS) {
      await bench.turnTo(view);
      const wide = await bench.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 3840, `${view} is ${wide} wide`);
    }
    assert.ok((await bench.page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize))) > 18);
  });

  test("the keyboard alone is enough", async () => {
    const bench = await page.open();
    const { keyboard } = bench.page;
    // What the keyboard is on; nothing where it is on the page as a whole, whose text holds every label.
    const focused = () =>
      bench.page.evaluate(() => {
        const at = document.activeElement;
        return at && at !== document.body ? at.textContent.trim() || at.getAttribute("aria-label") : null;
      });
    const tabTo = async (label) => {
      for (let presses = 0; presses < 80; presses += 1) {
        await keyboard.press("Tab");
        if ((await focused())?.includes(label)) return;
      }
      assert.fail(`${label} cannot be reached by Tab`);
    };
    await tabTo("Play");
    await keyboard.press("Enter");
    await bench.page.waitForSelector(".board[role=application]");
    await tabTo("First Push");
    await keyboard.press("Enter");
    await bench.page.waitForSelector("dialog[open]");
    await tabTo("2. Behind the Box");
    await keyboard.press("Enter");
    await bench.page.waitForFunction(() => !document.querySelector("dialog[open]"));
    await tabTo("Sokoban board");
    for (const key of ["ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"])
      await keyboard.press(key);
    // Walked over the top and around: the box of this level stands left of the player.
    const line = await bench.text(".counter-line", /moves/);
    assert.ok(!line.startsWith("0 moves"));
    await bench.show("solve");
    await keyboard.press("Enter");
    await bench.text(".answer h2", /Solved/);
    await keyboard.press("End");
    assert.match(await bench.board(), /1 box, 1 on its goal/);
    await keyboard.press("Home");
    await keyboard.press("ArrowRight");
    await bench.text(".counter", /^1 \//);
  });

  test("it is soon there: what it loads is small", async () => {
    const bench = await page.open();
    const loaded = await bench.page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => /\.(js|css|svg|webmanifest)$/.test(entry.name))
        .map((entry) => entry.decodedBodySize),
    );
    const bytes = loaded.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 50_000 && bytes < 500_000, `${loaded.length} files, ${bytes} bytes`);
  });

  test("nothing is asked of another host", async () => {
    const bench = await page.open({ view: null });
    const hosts = new Set();
    bench.page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http")) hosts.add(host);
    });
    await bench.show("solve");
    for (const view of VIEWS) await bench.turnTo(view);
    assert.deepEqual([...hosts], [new URL(page.server.url).host]);
  });

  test("the first Tab is the link that skips to the board", async () => {
    const bench = await page.open({ view: null });
    for (const view of ["solve", "play", "tiles"]) {
      await bench.show(view);
      await bench.keys("Tab");
      assert.equal(await bench.page.evaluate(() => document.activeElement.textContent), "Skip to the board");
      await bench.keys("Enter");
      assert.ok(await bench.page.evaluate(() => document.activeElement.closest(".board, .tile-board") !== null), view);
    }
  });

  test("Caps Lock and Ctrl+Shift+Z mean what they should", async () => {
    const bench = await page.open();
    await bench.level(2);
    await bench.turnTo("Play");
    const key = (name, more) =>
      bench.page.evaluate(
        (k, m) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true, ...m })),
        name,
        more,
      );
    await key("W");
    await bench.text(".counter-line", /^1 move /);
    await key("U");
    await bench.text(".counter-line", /^0 moves/);
    await key("Z", { ctrlKey: true, shiftKey: true });
    await bench.text(".counter-line", /^1 move /);
    await key("z", { ctrlKey: true });
    await bench.text(".counter-line", /^0 moves/);
    await bench.turnTo("Draw");
    await bench.press("Empty board");
    await bench.press("Undo");
    const before = await bench.board();
    await key("Z", { ctrlKey: true, shiftKey: true });
    assert.notEqual(await bench.board(), before);
  });

  test("errors stand above dialogs, and messages cover no buttons", async () => {
    const bench = await page.open();
    await bench.press("Paste …");
    await bench.page.waitForSelector("#paste-text");
    await bench.page.type("#paste-text", "#####\n#@$ #\n#####");
    await bench.press("Open");
    await bench.text(".toast.error", /as many goals/);
    // What is seen in the middle of its edge is its own colour, not the dialog's.
    const { clip, colour } = await bench.page.$eval(".toast.error", (message) => {
      const box = message.getBoundingClientRect();
      return {
        clip: { x: Math.round(box.left + box.width / 2), y: Math.round(box.top + 4), width: 1, height: 1 },
        colour: getComputedStyle(message).backgroundColor,
      };
    });
    const seen = await bench.page.evaluate(
      async (data) => {
        const picture = await createImageBitmap(
          new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: "image/png" }),
        );
        const context = new OffscreenCanvas(1, 1).getContext("2d");
        context.drawImage(picture, 0, 0);
        return `rgb(${[...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].join(", ")})`;
      },
      await bench.page.screenshot({ clip, encoding: "base64" }),
    );
    const top = seen === colour;
    assert.ok(top, "the message is on top");
    for (const view of ["solve", "play", "draw", "compare"]) {
      await bench.show(view);
      await bench.pasteAnywhere("#####\n#@$ #\n#####");
      await bench.text(".toast.error", /as many goals/);
      const covered = await bench.page.evaluate(() => {
        const message = document.getElementById("toasts").getBoundingClientRect();
        return [...document.querySelectorAll("button, a[href], input, select, canvas")]
          .filter((one) => {
            const box = one.getBoundingClientRect();
            return (
              one.checkVisibility() &&
              box.width > 0 &&
              box.left < message.right &&
              box.right > message.left &&
              box.top < message.bottom &&
              box.bottom > message.top
            );
          })
          .map((one) => one.textContent || one.id);
      });
      assert.deepEqual(covered, [], view);
    }
  });

  test("texts name no switches, and algorithms are called as in the books", async () => {
    const bench = await page.open();
    for (const view of VIEWS) {
      await bench.turnTo(view);
      const words = await bench.page.evaluate(() => document.body.textContent);
      assert.doesNotMatch(words, /(^|\s)--[a-z]/, view);
      assert.doesNotMatch(words, /IdA\*|Ida star/, view);
    }
    await bench.turnTo("Solve");
    await bench.choose("Algorithm", "bidirectional");
    await bench.page.evaluate(() =>
      [...document.querySelectorAll("main label")].find((one) => one.textContent.startsWith("Backwards")).click(),
    );
    const words = await bench.text(".plan", /These do not go together/);
    assert.doesNotMatch(words, /--/);
    assert.ok((await bench.page.$$eval("main option", (all) => all.map((one) => one.textContent))).includes("IDA*"));
  });

  test("a blind player reads the board square by square and hears what a move did", async () => {
    const bench = await page.open();
    await bench.paste("######\n#@$ .#\n#    #\n######\n");
    await bench.turnTo("Play");
    const heard = async (pattern) =>
      bench.page.waitForFunction(
        (source) => new RegExp(source).test(document.getElementById("announcer").textContent),
        {},
        pattern.source,
      );
    await bench.page.focus("main .board");
    await bench.page.keyboard.down("Shift");
    await bench.keys("ArrowRight");
    await heard(/^row 2, column 3: box$/);
    await bench.keys("ArrowUp");
    await heard(/^row 1, column 3: wall$/);
    await bench.page.keyboard.up("Shift");
    await bench.text(".counter-line", /^0 moves/);
    await bench.keys("ArrowUp");
    await heard(/^No way up: wall\.$/);
    await bench.keys("ArrowRight");
    await heard(/^Pushed a box right\. 0 of 1 on goals\. Player at row 2, column 3; left floor, right box/);
    await bench.hit(() => document.querySelector(".board-words summary"));
    await bench.text(".board-words", /Row 2wall 1, floor 2, player 3, box 4, goal 5, wall 6/);
    await bench.page.focus("main .board");
    await bench.keys("ArrowDown");
    await bench.text(".board-words", /Row 3wall 1, floor 2, player 3, floor 4 to 5, wall 6/);
  });
});
