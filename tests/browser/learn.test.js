// Lessons, why a position is lost, grades, the level of the day and the endless series.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";
import { LONG } from "./workbench.js";

const page = session("--grace", "2", "--jobs", "4");

/** What the page keeps under a name. */
const kept = (bench, name) => bench.page.evaluate((key) => JSON.parse(localStorage.getItem(`lurd/1/${key}`)), name);

/** Plays the kept solution of a level that was made: the best the program knows. */
async function solve(bench) {
  const moves = await bench.page.evaluate(async () => {
    const { startJob } = await import(new URL("lib/api.js", document.baseURI).href);
    const { store } = await import(new URL("store.js", document.baseURI).href);
    const following = await startJob(
      { kind: "sokoban", board: store.current.board, request: { goal: "any" } },
      () => {},
    );
    return (await following.ended).result.solution;
  });
  await bench.page.evaluate(() => document.activeElement.blur());
  const keys = { l: "ArrowLeft", r: "ArrowRight", u: "ArrowUp", d: "ArrowDown" };
  for (const letter of moves) await bench.keys(keys[letter.toLowerCase()]);
  await bench.text(".banner", /Solved!/);
}

describe("lessons", () => {
  test("a task to play is checked, and the next lesson follows", async () => {
    const bench = await page.open();
    await bench.turnTo("Learn");
    await bench.text(".lesson-title", /^A push$/);
    await bench.text(".progress", /^0 of 12 lessons done/);
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.keys("ArrowRight", "ArrowRight", "ArrowRight");
    await bench.text(".banner.good", /Solved with 2 pushes/);
    await bench.text(".progress", /^1 of 12 lessons done/);
    await bench.press("Next lesson");
    await bench.text(".lesson-title", /^Behind the box$/);
    assert.equal(new URL(bench.page.url()).hash, "#/learn/behind");
    await bench.back();
    await bench.text(".lesson-title", /^A push$/);
    // What was done and played is there again, in this tab and another.
    await bench.reload();
    await bench.text(".banner.good", /Solved with 2 pushes/);
    await bench.text(".progress", /^1 of 12 lessons done/);
    const other = await bench.tab("learn");
    await other.text(".lesson-title", /^A push$/);
    await other.page.close();
  });

  test("a teacher links to a lesson; a level is lost on purpose, and the wrong way does not count", async () => {
    const bench = await page.open();
    await bench.level(9);
    await bench.page.goto("about:blank");
    await bench.page.goto(`${bench.url}#learn/corner`);
    await bench.page.waitForSelector("html[data-ready]");
    await bench.text(".lesson-title", /^Corners$/);
    assert.equal(new URL(bench.page.url()).hash, "#/learn/corner");
    // Onto the goal: solved, but not lost.
    await bench.keys("ArrowRight", "ArrowUp", "ArrowRight", "ArrowDown");
    await bench.text(".banner.fair", /Not yet: the level is not lost in this way/);
    await bench.press("Restart");
    await bench.keys("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight");
    await bench.text(".banner.good", /That is it/);
    // The level of the other views is still the one that was chosen.
    await bench.turnTo("Play");
    await bench.text(".level-title", /^9\. /);
    await bench.show("learn/nothing");
    await bench.text(".toast.error", /There is no lesson “nothing”/);
    await bench.text(".lesson-title", /^A push$/);
  });

  test("questions are measured, and the searches are seen side by side", async () => {
    const bench = await page.open({ view: "learn/a-star" });
    await bench.press("breadth-first search");
    await bench.text(".banner.fair", /^No: breadth-first search opens \d+, A\* with the matching \d+\./);
    await bench.page.waitForSelector(".search-pictures figure:nth-child(2) .layers");
    const words = await bench.page.$$eval(".search-pictures figcaption span", (all) =>
      all.map((one) => one.textContent),
    );
    const [breadth, star] = words.map((one) => Number(one.split(" ")[0].replace(/\D/g, "")));
    assert.ok(breadth > 3 * star && star > 0, words.join("; "));
    await bench.text(".progress", /^0 of 12/);
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.keys("2");
    await bench.text(".banner.good", /^Right/);
    await bench.text(".progress", /^1 of 12/);
    await bench.reload();
    await bench.press("Show the picture");
    await bench.page.waitForSelector(".search-pictures figure:nth-child(2) .layers");
    // Estimates and the letter game have pictures of their own.
    await bench.show("learn/admissible");
    await bench.press("never");
    await bench.text(".banner.good", /^Right: the estimate is \d+, the fewest pushes are \d+/);
    await bench.page.waitForSelector(".scatter-chart circle");
    await bench.show("learn/alpha-beta");
    await bench.press("alpha-beta");
    await bench.text(".banner.good", /minimax looks at \d+, alpha-beta at \d+.*last lesson/);
    await bench.page.waitForSelector(".picture .bars");
  });

  test("a phone shows a lesson whole, and a finger plays it", async () => {
    const bench = await page.open({ view: "learn/push", width: 360, height: 740 });
    assert.equal(await bench.page.evaluate(() => document.documentElement.scrollWidth), 360);
    for (let step = 0; step < 3; step += 1) await bench.tap(() => document.querySelector("main .pad-r"));
    await bench.text(".banner.good", /Solved with 2 pushes/);
    await bench.show("learn/a-star");
    await bench.tap(() => document.querySelector("main .options button"));
    await bench.page.waitForSelector(".search-pictures figure:nth-child(2) .layers");
    assert.equal(await bench.page.evaluate(() => document.documentElement.scrollWidth), 360);
  });
});

describe("help and new levels", () => {
  test("why it is lost: a smallest set of boxes and a line of play", async () => {
    const bench = await page.open();
    await bench.paste("#######\n#.$ $ #\n#  @  #\n#    .#\n#######\nTitle: Two at the wall\n");
    await bench.turnTo("Play");
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.keys("e");
    await bench.text(".why", /the 2 marked boxes can never all get home.*The best they can do: 1 of 2 home/);
    await bench.page.waitForFunction(() => /2 marked boxes/.test(document.getElementById("announcer").textContent));
    await bench.press("To the end");
    assert.match(
      await bench.page.$eval(".why .board", (board) => board.getAttribute("aria-label")),
      /2 boxes, 1 on goals/,
    );
    // It goes with the position it belongs to; where a rule sees it, the banner offers it.
    await bench.keys("ArrowUp");
    await bench.page.waitForFunction(() => document.querySelector(".why").hidden === false);
    await bench.keys("ArrowLeft");
    await bench.page.waitForFunction(() => document.querySelector(".why").hidden);
    await bench.paste("######\n#    #\n#@$ .#\n######\nTitle: Still alive\n");
    await bench.keys("e");
    await bench.text(".why", /No four boxes were found/);
  });

  test("a grade stands beside the title, with its reasons, and is kept", async () => {
    const bench = await page.open();
    await bench.paste("########\n#      #\n#@ $  .#\n# $ .  #\n########\nTitle: Two\n");
    await bench.press("Grade?");
    await bench.text("dialog .grade-line", /^Grade 1 of 10/);
    await bench.text("dialog .reasons", /\w/);
    await bench.text("dialog table", /Fewest pushes5 \(proved\)/);
    await bench.press("Close");
    await bench.press("Grade 1");
    await bench.press("Close");
    await bench.reload();
    await bench.press("Grade 1");
    await bench.text("dialog .grade-line", /^Grade 1 of 10/);
  });

  test("the endless series follows success and is kept", async () => {
    const bench = await page.open();
    await bench.turnTo("Play");
    // The same seed gives the same levels: those of this one are made quickly.
    await bench.page.evaluate(() => (crypto.getRandomValues = (numbers) => numbers.fill(5)));
    await bench.press("Endless");
    await bench.text(".new-levels", /Endless: level 1, grade \d+; 0 levels solved/, 60_000);
    const first = await kept(bench, "endless");
    await solve(bench);
    await bench.press("Next level");
    await bench.text(".new-levels", /Endless: level 2, grade \d+; 1 level solved, 1 in a row/, 60_000);
    const second = await kept(bench, "endless");
    assert.ok(second.series.strength > first.series.strength);
    assert.notEqual(second.level.board, first.level.board);
    await bench.reload();
    await bench.text(".new-levels", /Endless: level 2/);
    await bench.text(".level-title", new RegExp(second.level.title));
    // Another level and back; then it is skipped.
    await bench.level(3);
    await bench.press("Back to the series");
    await bench.text(".level-title", new RegExp(second.level.title));
    await bench.press("Skip this one");
    await bench.text(".new-levels", /Endless: level 3, grade 1; 1 level solved, 0 in a row/, 60_000);
    assert.ok((await kept(bench, "endless")).series.strength < second.series.strength);
  });

  test("the level of the day is made once, and making can be cancelled", async () => {
    const bench = await page.open();
    await bench.turnTo("Play");
    await bench.press("Level of the day");
    const title = await bench.text(".level-title", /^Level of \d{4}-\d\d-\d\d$/, 60_000);
    await bench.text("button.grade", /^Grade \d+$/);
    await bench.reload();
    assert.equal(await bench.text(".level-title", /Level of/), title);
    await bench.level(3);
    await bench.press("Level of the day");
    assert.equal(await bench.text(".level-title", /Level of/, 2_000), title);
    // Of nine boxes the shortest solution is not proved in a hurry.
    await bench.paste(`${LONG}Title: Long\n`);
    await bench.press("A little harder");
    await bench.text(".new-levels .status", /Making a level a little harder/);
    await bench.press("Cancel");
    await bench.text(".new-levels .status", /^Cancelled\.$/);
    await bench.text(".level-title", /Long/);
    // Before the job has a number it can be cancelled too.
    await bench.pressAtOnce("A little harder", "Cancel");
    await bench.text(".new-levels .status", /^Cancelled\.$/);
    await bench.page.waitForFunction(
      async () =>
        !(await (await import(new URL("lib/api.js", document.baseURI).href)).get("/jobs")).some(
          (job) => job.status !== "done",
        ),
    );
  });
});
