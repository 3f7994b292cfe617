// What a person does with the workbench, in a real Chromium.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { CROWDED, LONG, STATIC, Workbench, brokenLine, browser, serve } from "./workbench.js";

let server;
let chrome;
/** @type {Workbench} */
let bench;

before(async () => {
  server = await serve("--grace", "2", "--jobs", "4");
  chrome = await browser();
});

after(async () => {
  await chrome?.close();
  await server?.end();
});

afterEach(async () => {
  const troubles = bench?.troubles ?? [];
  await bench?.close();
  bench = null;
  assert.deepEqual(troubles, []);
});

const open = async (options) => (bench = await Workbench.open(chrome, server.url, options));

describe("solve and watch", () => {
  test("an embedded level is solved and played to the end", async () => {
    await open();
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
    await open();
    await bench.paste("#######\n#@ $ .#\n#######\nTitle: <img src=x onerror=alert(1)>\n");
    assert.equal(await bench.text(".level-title", /img/), "1. <img src=x onerror=alert(1)>");
    assert.equal(await bench.page.$$eval("main img", (images) => images.length), 0);
    assert.match(await bench.board(), /Board of 7 by 3\..*1 box, 0 on its goal/);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved: 2 pushes, 3 moves/);
  });

  test("a file that holds no level says why", async () => {
    await open();
    await bench.press("Paste …");
    await bench.page.waitForSelector("#paste-text");
    await bench.page.type("#paste-text", "#####\n#@$ #\n#####");
    await bench.press("Open");
    await bench.text(".toast.error", /as many goals as boxes/);
  });

  test("choices that lose optimality say so before the start", async () => {
    await open();
    await bench.choose("Algorithm", "greedy");
    await bench.text(".plan", /No promise about the length/);
    await bench.choose("Goal", "pushes");
    await bench.text(".plan .notes", /does not look for the fewest pushes/);
    await bench.choose("One action is", "move");
    await bench.text(".plan", /These do not go together/);
    assert.equal(await bench.page.$eval("button.primary.large", (button) => button.disabled), true);
  });

  test("a long search is watched live and cancelled at once", async () => {
    await open();
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
    // Nothing freezes: frames go on coming.
    const frames = await bench.page.evaluate(async () => {
      let seen = 0;
      const until = performance.now() + 1000;
      while (performance.now() < until) {
        await new Promise((done) => requestAnimationFrame(done));
        seen += 1;
      }
      return seen;
    });
    assert.ok(frames > 10, `${frames} frames in a second`);
    const asked = Date.now();
    await bench.press("Cancel");
    await bench.text(".live .status", /Cancelled/, 5000);
    assert.ok(Date.now() - asked < 3000);
    const jobs = await bench.jobs();
    assert.ok(jobs.every((job) => job.status === "done"));
  });

  test("the portfolio's race is watched: heat map, strategies, best positions, cuts", async () => {
    await open();
    await bench.paste(CROWDED);
    // A busy machine must not see the search end by its limit before all is looked at.
    await bench.page.evaluate(() => {
      const label = [...document.querySelectorAll("main label")].find((one) => one.textContent === "Seconds");
      document.getElementById(label.htmlFor).value = "1000";
    });
    const before = await bench.pixels();
    await bench.press("Solve");
    await bench.text(".live .status", /Searching/);
    // Who races: a line each, one of them at work.
    await bench.text(".race-table", /working/);
    const lines = () => bench.page.$$eval(".race-table tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const names = (await lines()).map(([name]) => name);
    assert.ok(names.length > 4, names.join("; "));
    assert.equal(new Set(names).size, names.length, "variants of a strategy are told apart");
    // Where boxes are moved: drawn on the board, and gone when it is not wanted.
    await bench.text(".heat", /where the searches moved boxes to/);
    await bench.page.waitForFunction(() => Number(/\d+\.\d/.exec(document.querySelector(".live .status").textContent)?.[0]) >= 1);
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
    await bench.page.waitForFunction(() => [...document.querySelectorAll(".race-table button")].some((one) => /^Greedy backward search$/.test(one.textContent) && !one.disabled));
    await bench.press("Greedy backward search");
    await bench.text(".best h3", /Greedy backward search: pulled back from the solved board, at least \d+ pulls? from the start/);
    const focused = () => bench.page.evaluate(() => document.activeElement.textContent);
    const expanded = async () => (await lines()).map((cells) => cells[2]).join();
    const known = await expanded();
    await bench.page.waitForFunction((old) => [...document.querySelectorAll(".race-table tbody tr")].map((row) => row.cells[2].textContent).join() !== old, {}, known);
    assert.equal(await focused(), "Greedy backward search");
    await bench.press("Greedy backward search");
    await bench.text(".best h3", /Nearest so far/);
    await bench.press("Cancel");
    await bench.text(".live .status", /Cancelled/, 5000);
    assert.doesNotMatch((await lines()).flat().join(), /working|waits/);
    assert.equal(await bench.pixels(), before, "without its heat map the board is as it was");
  });

  test("the race of a solved level says who had the answer", async () => {
    await open();
    await bench.level(20);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
    assert.equal((await bench.page.$$(".race-table tr.answered")).length, 1);
    await bench.text(".race-table tr.answered", /has the answer/);
  });

  test("a lost connection recovers and shows the true state", { skip: STATIC && "there is no connection" }, async () => {
    const line = await brokenLine(server.url);
    bench = await Workbench.open(chrome, line.url);
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
    const job = (await (await fetch(`${server.url}api/v1/jobs`)).json()).at(-1);
    await bench.text(".live .status", job.status === "done" ? /Cancelled: nobody watched/ : /Searching/);
    const expanded = () => bench.page.$eval(".figures dd", (figure) => Number(figure.textContent.replace(/\D/g, "")));
    if (job.status !== "done") {
      const before = await expanded();
      await bench.page.waitForFunction((known) => Number(document.querySelector(".figures dd").textContent.replace(/\D/g, "")) > known, {}, before);
      await bench.press("Cancel");
      await bench.text(".live .status", /Cancelled: you cancelled it/);
    }
    await line.cut();
  });

  test("a job whose page was closed ends", { skip: STATIC && "workers end with their page" }, async () => {
    await open();
    await bench.paste(LONG);
    await bench.choose("Algorithm", "ida-star");
    await bench.choose("One action is", "move");
    await bench.press("Solve");
    await bench.text(".live .status", /Searching/);
    await bench.close();
    bench = null;
    const until = Date.now() + 15_000;
    let job;
    do {
      await new Promise((done) => setTimeout(done, 200));
      job = (await (await fetch(`${server.url}api/v1/jobs`)).json()).at(-1);
    } while (job.status !== "done" && Date.now() < until);
    assert.equal(job.outcome, "cancelled");
  });
});

describe("understand", () => {
  test("a push that kills the level shows which boxes and why", async () => {
    await open();
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
    await open();
    await bench.level(20);
    await bench.turnTo("Play");
    const boxes = await bench.page.$$(".overlays input");
    assert.equal(boxes.length, 7);
    assert.equal((await bench.page.$$(".overlays .sample")).length, 7);
    // Those that every level has to show.
    for (const index of [0, 1, 2]) {
      const before = await bench.pixels();
      await boxes[index].click();
      await bench.page.waitForFunction(() => true);
      assert.notEqual(await bench.pixels(), before, `overlay ${index}`);
      await boxes[index].click();
      assert.equal(await bench.pixels(), before, `overlay ${index} off again`);
    }
  });

  test("a search is inspected node by node, back and forth", async () => {
    await open();
    await bench.level(5);
    await bench.turnTo("Inspect");
    await bench.press("Inspect");
    await bench.text(".live .status", /A\* with matching: \d+ expansions? recorded; the search found a solution/);
    const first = await bench.text("main .table-scroll table", /joins the frontier/);
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
    await open();
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
});

describe("compare", () => {
  test("two algorithms side by side, then a table, charts and files", async () => {
    await open();
    await bench.level(9);
    await bench.turnTo("Compare");
    await bench.press("Clear");
    await bench.choose("One action is", "push");
    await bench.choose("Algorithm", "uniform-cost");
    await bench.press("Add this configuration");
    await bench.choose("Algorithm", "a-star");
    await bench.press("Add this configuration");
    await bench.press("Run");
    await bench.page.waitForFunction(() => [...document.querySelectorAll("main tbody tr")].filter((row) => /Solved/.test(row.textContent)).length === 2, { timeout: 30_000 });
    const rows = await bench.page.$$eval("main tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.match(rows[0][0], /Uniform cost/);
    assert.match(rows[1][0], /A\*/);
    assert.equal(rows[0][7], rows[1][7], "both find the fewest pushes");
    const number = (text) => Number(text.replace(/\D/g, ""));
    assert.ok(number(rows[1][2]) <= number(rows[0][2]), "A* expands no more than uniform cost");
    assert.ok((await bench.page.$$("main .bars rect")).length >= 8);
    await bench.press("Save CSV");
    await bench.press("Save SVG");
    await bench.press("Save PNG");
    const name = (await bench.page.$eval(".level-title", (title) => title.textContent)).replace(/^\d+\. /, "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
    const csv = (await bench.saved(`${name}-comparison.csv`)).toString();
    assert.equal(csv.trim().split("\n").length, 3);
    assert.match(csv, /^configuration,outcome,proof,pushes,moves,expanded/);
    assert.match((await bench.saved(`${name}-comparison.svg`)).toString(), /^<svg.*Nodes generated/s);
    assert.equal((await bench.saved(`${name}-comparison.png`)).subarray(1, 4).toString(), "PNG");
  });

  test("the portfolio is compared like any other, its cuts counted", async () => {
    await open();
    await bench.level(30);
    await bench.turnTo("Compare");
    await bench.choose("Ready-made comparison", "portfolio");
    await bench.press("Run");
    await bench.page.waitForFunction(() => [...document.querySelectorAll("main tbody tr")].filter((row) => /Solved/.test(row.textContent)).length === 3, { timeout: 60_000 });
    const rows = await bench.page.$$eval("main tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.match(rows[0][0], /Portfolio: several searches race/);
    assert.match(rows[0][1], /No proof/);
    assert.match(rows[1][1], /Optimal: proved to have the fewest pushes/);
    assert.ok(Number(rows[0][4].replace(/\D/g, "")) > 0, "cuts are counted");
    assert.ok(Number(rows[0][7]) >= Number(rows[1][7]), "the portfolio is no better than the best");
    await bench.press("Save CSV");
    const name = (await bench.page.$eval(".level-title", (title) => title.textContent)).replace(/^\d+\. /, "").toLowerCase().replace(/[^a-z0-9]+/g, "-");
    assert.match((await bench.saved(`${name}-comparison.csv`)).toString(), /\nPortfolio: several searches race,solved,none,\d+/);
  });

  test("every ready-made comparison runs", async () => {
    await open();
    await bench.turnTo("Compare");
    const names = await bench.page.$$eval("#preset option", (options) => options.map((option) => option.value));
    assert.ok(names.length >= 5);
    for (const name of names) {
      await bench.choose("Ready-made comparison", name);
      await bench.press("Run");
      await bench.page.waitForFunction(() => {
        const rows = [...document.querySelectorAll("main tbody tr")];
        return rows.length > 1 && rows.every((row) => /Solved/.test(row.textContent));
      }, { timeout: 30_000 });
      await bench.page.waitForFunction(() => [...document.querySelectorAll("main button")].some((button) => button.textContent === "Run" && button.checkVisibility()));
    }
  });
});

describe("play and draw", () => {
  test("mouse: click to walk, drag and click to push, undo and redo", async () => {
    await open();
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
    await bench.text("aside", /Best: 4 pushes/);
    await bench.press("Export best solutions");
    assert.match((await bench.saved("lurd-best.sok")).toString(), /Solution/);
  });

  test("a hint shows the next push, and solve from here begins there", async () => {
    await open();
    await bench.level(7);
    await bench.turnTo("Play");
    const before = await bench.pixels();
    await bench.press("Hint");
    await bench.page.waitForFunction(() => document.getElementById("announcer").textContent.includes("next push"), { timeout: 20_000 });
    assert.notEqual(await bench.pixels(), before);
    await bench.press("Solve from here");
    await bench.text(".level-title", /from here/);
    await bench.press("Solve");
    await bench.text(".answer h2", /Solved/);
  });

  test("a level is drawn, shared, reopened and exported", async () => {
    await open();
    await bench.turnTo("Draw");
    await bench.press("Empty board");
    await bench.text(".status", /Not yet: there is no player/);
    // With keys: a player and a box; with the mouse: a goal.
    await bench.page.focus("main .board");
    for (const key of ["ArrowDown", "ArrowRight", "6", "ArrowRight", "ArrowDown", "4"]) await bench.page.keyboard.press(key);
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
    assert.ok(link.startsWith(`${server.url}#/play?level=`), link);

    for (const [label, file, start] of [["XSB", "xsb", "#"], ["RLE", "txt", "10#"], ["SLC", "slc", "<?xml"], ["SVG", "svg", "<svg"], ["PNG", "png", "\x89PNG"], ["GIF of a solution", "gif", "GIF89a"]]) {
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
    bench = await Workbench.open(chrome, server.url);
    await bench.page.goto("about:blank");
    await bench.page.goto(link);
    await bench.page.waitForSelector("html[data-ready]");
    assert.equal(await bench.text(".level-title", /Tea/), "Tea & <b>cake</b>");
    assert.match(await bench.board(), /Board of 10 by 8\. Player at row 2, column 2\. 1 box, 0 on its goal/);
    // The link carried the solution of the quick search too.
    await bench.turnTo("Solve");
    await bench.text(".answer h2", /This level came with a solution/);
  });
});

describe("tiles and the letter game", () => {
  test("a typed board of tiles is solved by two algorithms in a race", async () => {
    await open();
    await bench.turnTo("Tiles");
    await bench.page.$eval("#tiles-text", (input) => (input.value = "8 1 3 4 0 2 7 6 5"));
    await bench.press("Take what is typed");
    await bench.press("Race");
    await bench.page.waitForFunction(() => [...document.querySelectorAll(".racer")].filter((lane) => /Solved in 14 moves/.test(lane.textContent)).length === 2, { timeout: 30_000 });
    const lanes = await bench.page.$$eval(".racer", (all) => all.map((lane) => lane.textContent));
    for (const lane of lanes) assert.match(lane, /Optimal: proved to have the fewest moves/);
    // Calm pages jump to the end: the board is in order.
    assert.equal(await bench.page.$eval(".racer .tile-board", (board) => board.getAttribute("aria-label")), "First: board: 1 2 3 4 5 6 7 8 0");
    await bench.page.$eval("#tiles-text", (input) => (input.value = "1 2 3 4 5 6 8 7 0"));
    await bench.press("Take what is typed");
    await bench.text(".board-card .status", /unsolvable/);
    // Played by hand.
    await bench.page.$eval("#tiles-text", (input) => (input.value = "1 2 3 4 5 6 0 7 8"));
    await bench.press("Take what is typed");
    await bench.text(".board-card .status", /^0 moves made/);
    await bench.page.evaluate(() => document.activeElement.blur());
    await bench.page.keyboard.press("ArrowRight");
    await bench.page.keyboard.press("ArrowRight");
    await bench.text(".board-card .status", /In order after 2 moves/);
  });

  test("a CSE game is played to its end, with values and cut-offs", async () => {
    await open();
    await bench.turnTo("CSE");
    await bench.text(".board-card .status", /Your turn/);
    assert.ok((await bench.page.$$(".cse-choices button.best")).length > 0);
    assert.match(await bench.text(".tree", /cut off here/), /never tried|cut off/);
    for (let turn = 0; turn < 9; turn += 1) {
      await bench.page.waitForFunction(() => /Your turn|draw:|wins|win!/.test(document.querySelector(".board-card .status").textContent), { timeout: 10_000 });
      const over = await bench.page.$eval(".board-card .status", (status) => !status.textContent.startsWith("Your turn"));
      if (over) break;
      const filled = (await bench.page.$$(".cse-cell.filled")).length;
      await bench.hit(() => document.querySelector(".cse-choices button:not(:disabled)"));
      await bench.page.waitForFunction((before) => document.querySelectorAll(".cse-cell.filled").length > before, {}, filled);
    }
    await bench.text(".board-card .status", /^(A draw|The computer has completed|You have completed)/);
    await bench.press("New game");
    await bench.press("Run every method");
    await bench.text("main .table-scroll table", /minimax.*alpha-beta/);
  });
});

describe("manners", () => {
  const VIEWS = ["solve", "play", "inspect", "compare", "draw", "tiles", "cse"];

  test("a phone shows every view without sideways scrolling, and its buttons play", async () => {
    await open({ width: 360, height: 740 });
    for (const view of VIEWS) {
      await bench.show(view);
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
    await open({ width: 360, height: 740 });
    await bench.paste(CROWDED);
    await bench.press("Solve");
    await bench.text(".race-table", /working/);
    assert.ok((await bench.page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await bench.tap(() => document.querySelector(".live button.danger"));
    await bench.text(".live .status", /Cancelled/, 5000);
  });

  test("a very large screen is filled, not stretched", async () => {
    await open({ width: 3840, height: 2160 });
    for (const view of VIEWS) {
      await bench.show(view);
      const wide = await bench.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 3840, `${view} is ${wide} wide`);
    }
    assert.ok((await bench.page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize))) > 18);
  });

  test("the keyboard alone is enough", async () => {
    await open();
    const { keyboard } = bench.page;
    const focused = () => bench.page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.getAttribute("aria-label"));
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
    for (const key of ["ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"]) await keyboard.press(key);
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

  test("it is there in under a second", async () => {
    await open();
    const times = [];
    for (let round = 0; round < 3; round += 1) {
      await bench.show("solve");
      times.push(await bench.page.evaluate(() => performance.getEntriesByType("resource").reduce((latest, entry) => Math.max(latest, entry.responseEnd), 0)));
    }
    assert.ok(Math.min(...times) < 1000, `${times}`);
  });

  test("nothing is asked of another host", async () => {
    await open();
    const hosts = new Set();
    bench.page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http")) hosts.add(host);
    });
    for (const view of VIEWS) await bench.show(view);
    assert.deepEqual([...hosts], [new URL(server.url).host]);
  });
});
