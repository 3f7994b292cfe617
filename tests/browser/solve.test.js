// Solve and watch, in a real Chromium.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { session } from "./harness.js";
import { CROWDED, LONG, STATIC, Workbench, brokenLine } from "./workbench.js";

const page = session("--grace", "2", "--jobs", "4");

describe("solve and watch", () => {
  test("an embedded level is solved and played to the end", async () => {
    const bench = await page.open();
    await bench.level(7);
    await bench.choose("Goal", "pushes");
    await bench.text(".plan", /Fewest pushes, proved/);
    await bench.press("Solve");
    const heading = await bench.text(".answer h2", /Solved: \d+ pushes/);
    await bench.text(".answer .promise", /Optimal: proved to have the fewest pushes/);
    assert.match(await bench.board(), /2 boxes, 0 on goals/);
    const moves = Number(/(\d+) moves/.exec(heading)[1]);
    const lurd = await bench.page.$eval(".lurd", (area) => area.value);
    assert.equal(lurd.length, moves);
    await bench.press("One move on");
    await bench.text(".counter", new RegExp(`^1 / ${moves}$`));
    await bench.press("One move back");
    await bench.text(".counter", new RegExp(`^0 / ${moves}$`));
    // Played by itself, at the highest speed.
    await bench.page.select(".speed", "120");
    await bench.press("Play");
    await bench.text(".counter", new RegExp(`^${moves} / ${moves}$`));
    assert.match(await bench.board(), /2 boxes, 2 on goals/);
    await bench.page.$eval(".scrub", (slider) => {
      slider.value = "0";
      slider.dispatchEvent(new Event("input"));
    });
    assert.match(await bench.board(), /2 boxes, 0 on goals/);
  });

  test("a pasted level is opened, and its title is text", async () => {
    const bench = await page.open();
    await bench.paste("#######\n#@ $ .#\n#######\nTitle: <img src=x onerror=alert(1)>\n");
    assert.equal(await bench.text(".level-title", /img/), "1. <img src=x onerror=alert(1)>");
    assert.equal(await bench.page.$$eval("main img", (images) => images.length), 0);
    assert.match(await bench.board(), /Board of 7 by 3\..*1 box, 0 on its goal/);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved: 2 pushes, 3 moves/);
  });

  test("a file that holds no level says why", async () => {
    const bench = await page.open();
    await bench.press("Paste …");
    await bench.page.waitForSelector("#paste-text");
    await bench.page.type("#paste-text", "#####\n#@$ #\n#####");
    await bench.press("Open");
    await bench.text(".toast.error", /as many goals as boxes/);
  });

  test("choices that lose optimality say so before the start", async () => {
    const bench = await page.open();
    await bench.choose("Algorithm", "greedy");
    await bench.text(".plan", /No promise about the length/);
    await bench.choose("Goal", "pushes");
    await bench.text(".plan .notes", /does not look for the fewest pushes/);
    await bench.choose("One action is", "move");
    await bench.text(".plan", /These do not go together/);
    assert.equal(await bench.page.$eval("button.primary.large", (button) => button.disabled), true);
  });

  test("a long search is watched live and cancelled at once", async () => {
    const bench = await page.open();
    await bench.paste(LONG);
    await bench.choose("Algorithm", "ida-star");
    await bench.choose("One action is", "move");
    const before = await bench.pixels();
    await bench.press("Solve");
    await bench.text(".live .status", /Searching/);
    await bench.page.waitForSelector(".charts svg .line");
    await bench.text(".cuts", /Pushes cut, by reason/);
    await bench.text(".best h3", /Nearest so far/);
    assert.notEqual(await bench.pixels(), before, "the heat map is drawn");
    // Nothing freezes: frames go on coming while it searches.
    await bench.page.evaluate(async () => {
      for (let seen = 0; seen < 10; seen += 1) await new Promise((done) => requestAnimationFrame(done));
    });
    await bench.press("Cancel");
    await bench.text(".live .status", /Cancelled/);
    const jobs = await bench.jobs();
    assert.ok(jobs.every((job) => job.status === "done"));
  });

  test("the portfolio's race is watched: heat map, strategies, best positions, cuts", async () => {
    const bench = await page.open();
    await bench.paste(CROWDED);
    // A busy machine must not see the search end by its limit before all is looked at.
    await bench.page.evaluate(() => {
      const label = [...document.querySelectorAll("main label")].find((one) => one.textContent === "Seconds");
      const seconds = document.getElementById(label.htmlFor);
      seconds.value = "1000";
      seconds.dispatchEvent(new Event("change"));
    });
    const before = await bench.pixels();
    await bench.press("Solve");
    await bench.text(".live .status", /Searching/);
    // Who races: a line each, one of them at work.
    await bench.text(".race-table", /working/);
    const lines = () =>
      bench.page.$$eval(".race-table tbody tr", (rows) =>
        rows.map((row) => [...row.cells].map((cell) => cell.textContent)),
      );
    const names = (await lines()).map(([name]) => name);
    assert.ok(names.length > 4, names.join("; "));
    assert.equal(new Set(names).size, names.length, "variants of a strategy are told apart");
    // Where boxes are moved: drawn on the board, and gone when it is not wanted.
    await bench.text(".heat", /where the searches moved boxes to/);
    await bench.page.waitForFunction(
      () => Number(/\d+\.\d/.exec(document.querySelector(".live .status").textContent)?.[0]) >= 1,
    );
    const hot = await bench.pixels();
    await bench.hit(() => document.querySelector(".heat input"));
    const cold = await bench.pixels();
    assert.notEqual(hot, cold, "the heat map is drawn");
    // How near it came, with all the level's boxes.
    await bench.text(".best h3", /Nearest so far: \d+ box(es)? on goals, at least \d+ to go/);
    const label = await bench.page.$eval(".best .board", (board) => board.getAttribute("aria-label"));
    assert.match(label, /Board of 12 by 12\..*14 boxes/);
    await bench.text(".cuts", /Positions cut, by rule.*dead-set/);
    // A line that is chosen shows its own best position, and keeps the keyboard while figures change.
    await bench.page.waitForFunction(() =>
      [...document.querySelectorAll(".race-table button")].some(
        (one) => /^Greedy backward search$/.test(one.textContent) && !one.disabled,
      ),
    );
    await bench.press("Greedy backward search");
    await bench.text(
      ".best h3",
      /Greedy backward search: pulled back from the solved board, at least \d+ pulls? from the start/,
    );
    const focused = () => bench.page.evaluate(() => document.activeElement.textContent);
    const expanded = async () => (await lines()).map((cells) => cells[2]).join();
    const known = await expanded();
    await bench.page.waitForFunction(
      (old) =>
        [...document.querySelectorAll(".race-table tbody tr")].map((row) => row.cells[2].textContent).join() !== old,
      {},
      known,
    );
    assert.equal(await focused(), "Greedy backward search");
    await bench.press("Greedy backward search");
    await bench.text(".best h3", /Nearest so far/);
    await bench.press("Cancel");
    await bench.text(".live .status", /Cancelled/, 5000);
    assert.doesNotMatch((await lines()).flat().join(), /working|waits/);
    assert.equal(await bench.pixels(), before, "without its heat map the board is as it was");
  });

  test("the race of a solved level says who had the answer", async () => {
    const bench = await page.open();
    await bench.level(20);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    assert.equal((await bench.page.$$(".race-table tr.answered")).length, 1);
    await bench.text(".race-table tr.answered", /has the answer/);
  });

  test(
    "a lost connection recovers and shows the true state",
    { skip: STATIC && "there is no connection" },
    async () => {
      const line = await brokenLine(page.server.url);
      const bench = (page.bench = await Workbench.open(page.chrome, line.url));
      await bench.paste(LONG);
      await bench.choose("Algorithm", "ida-star");
      await bench.choose("One action is", "move");
      await bench.press("Solve");
      await bench.text(".live .status", /Searching/);
      await line.cut();
      await bench.text("#connection", /Connection lost/, 15_000);
      await line.mend();
      await bench.page.waitForFunction(() => document.getElementById("connection").hidden, { timeout: 15_000 });
      // The search went on, or ended by the grace period meanwhile: the page tells which.
      const job = (await (await fetch(`${page.server.url}api/v1/jobs`)).json()).at(-1);
      await bench.text(".live .status", job.status === "done" ? /Cancelled: nobody watched/ : /Searching/);
      const expanded = () => bench.page.$eval(".figures dd", (figure) => Number(figure.textContent.replace(/\D/g, "")));
      if (job.status !== "done") {
        const before = await expanded();
        await bench.page.waitForFunction(
          (known) => Number(document.querySelector(".figures dd").textContent.replace(/\D/g, "")) > known,
          {},
          before,
        );
        await bench.press("Cancel");
        await bench.text(".live .status", /Cancelled: you cancelled it/);
      }
      await line.cut();
    },
  );

  test("a job whose page was closed ends", { skip: STATIC && "workers end with their page" }, async () => {
    const bench = await page.open();
    await bench.paste(LONG);
    await bench.choose("Algorithm", "ida-star");
    await bench.choose("One action is", "move");
    await bench.press("Solve");
    await bench.text(".live .status", /Searching/);
    await bench.close();
    page.bench = null;
    const until = Date.now() + 15_000;
    let job;
    do {
      await new Promise((done) => setTimeout(done, 200));
      job = (await (await fetch(`${page.server.url}api/v1/jobs`)).json()).at(-1);
    } while (job.status !== "done" && Date.now() < until);
    assert.equal(job.outcome, "cancelled");
  });
});
