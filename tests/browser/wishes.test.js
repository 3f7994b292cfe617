// The form for wishes: levels by boxes, size, grade and style, which open as a collection that is kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { session } from "./harness.js";

const page = session();

/** Opens the form. */
async function wish() {
  const bench = await page.open();
  await bench.turnTo("Play");
  await bench.press("By a wish …");
  await bench.page.waitForSelector("dialog[open] form.wish");
  return bench;
}

/** Fills in the form, by what its fields are called. @param {import("./workbench.js").Workbench} bench @param {Record<string, string>} values */
const fillIn = (bench, values) =>
  bench.page.evaluate((wanted) => {
    for (const [label, value] of Object.entries(wanted)) {
      const form = document.querySelector("dialog[open] form.wish");
      const named = form.querySelector(`[aria-label="${label}"]`);
      const control =
        named ??
        document.getElementById([...form.querySelectorAll("label")].find((one) => one.textContent === label).htmlFor);
      control.value = value;
      control.dispatchEvent(new Event(control.localName === "select" ? "change" : "input", { bubbles: true }));
    }
  }, values);

/** Two small levels that are made at once. */
const SMALL = {
  "Boxes, from": "2",
  "Boxes, to": "2",
  "Width, from": "7",
  "Width, to": "8",
  "Height, from": "7",
  "Height, to": "8",
  "How many": "2",
  Seed: "5",
};

const noJob = (bench) =>
  bench.page.waitForFunction(
    async () =>
      !(await (await import(new URL("lib/api.js", document.baseURI).href)).get("/jobs")).some(
        (job) => job.status !== "done",
      ),
  );

/** The boards of the collection that is open. */
const boards = (bench) =>
  bench.page.evaluate(async () =>
    (await import(new URL("store.js", document.baseURI).href)).store.collection.levels.map((level) => level.board),
  );

test("levels by a wish open as a collection that survives a reload", async () => {
  const bench = await wish();
  await fillIn(bench, SMALL);
  await bench.press("Make them");
  await bench.text(".level-title", /^1\. .* 5-1$/, 60_000);
  await bench.text("#toasts", /2 new levels opened as a collection\./);
  const made = await boards(bench);
  assert.equal(made.length, 2);
  assert.ok(
    made.every((board) => board.split("$").length - 1 + board.split("*").length - 1 === 2),
    made.join("\n"),
  );
  await bench.reload();
  await bench.text(".level-title", /^1\. .* 5-1$/);
  await bench.press("Next level");
  await bench.text(".level-title", /^2\. .* 5-2$/);
  await bench.page.locator(".level-button").click();
  await bench.text("dialog[open] .progress", /Wish: 2 boxes, 7–8 by 7–8, seed 5: 0 of 2 levels solved/);
  await bench.press("Close");
  // The form remembers the wish, and the same seed gives the same levels.
  await bench.press("By a wish …");
  await fillIn(bench, { Seed: "5" });
  await bench.press("Make them");
  await bench.text("#toasts", /2 new levels opened/, 60_000);
  assert.deepEqual(await boards(bench), made);
});

test("a style and a grade are what was wished for", async () => {
  const bench = await wish();
  await fillIn(bench, {
    ...SMALL,
    "Boxes, to": "3",
    Style: "symmetric",
    "Grade, from": "1",
    "Grade, to": "2",
    "How many": "1",
  });
  await bench.press("Make them");
  await bench.text(".level-title", /^1\. Symmetric 5-1$/, 60_000);
  await bench.text("button.grade", /^Grade [12]$/);
  assert.doesNotMatch(await bench.text("#toasts", /1 new level opened/), /missed/);
});

test("an impossible wish is told in a sentence", async () => {
  const bench = await wish();
  const before = await boards(bench);
  await fillIn(bench, {
    ...SMALL,
    "Boxes, from": "6",
    "Boxes, to": "6",
    "Width, to": "5",
    "Width, from": "5",
    "Height, from": "5",
    "Height, to": "5",
  });
  await bench.press("Make them");
  await bench.text("dialog[open] .status", /6 boxes do not fit into 5x5/);
  await fillIn(bench, { ...SMALL, "Boxes, from": "4" });
  await bench.press("Make them");
  await bench.text("dialog[open] .status", /the range of boxes ends before it begins/);
  assert.deepEqual(await boards(bench), before);
});

test("the best that was found is said to be that", async () => {
  const bench = await wish();
  await fillIn(bench, {
    ...SMALL,
    "Boxes, from": "1",
    "Boxes, to": "1",
    "Width, from": "5",
    "Width, to": "5",
    "Height, from": "5",
    "Height, to": "5",
    "Grade, from": "10",
    "How many": "1",
  });
  await bench.press("Make them");
  await bench.text(
    "#toasts",
    /1 new level opened as a collection\. It missed the wanted grade: the best that was found\./,
    60_000,
  );
  const notes = await bench.page.evaluate(async () =>
    (await import(new URL("store.js", document.baseURI).href)).store.current.notes.join("\n"),
  );
  assert.match(notes, /none of \d+ boards had the wanted grade; this one comes nearest/);
});

test("making is told, can be cancelled, and ends with the form", async () => {
  const bench = await wish();
  const hard = {
    "Boxes, from": "6",
    "Boxes, to": "6",
    "Width, from": "16",
    "Width, to": "16",
    "Height, from": "16",
    "Height, to": "16",
    "Grade, from": "10",
    "Grade, to": "10",
    "How many": "3",
  };
  await fillIn(bench, hard);
  await bench.press("Make them");
  await bench.text("dialog[open] .status", /Making level 1 of 3 …/);
  assert.equal(await bench.page.$eval("dialog[open] progress", (bar) => `${bar.value} of ${bar.max}`), "0 of 3");
  await bench.press("Cancel");
  await bench.text("dialog[open] .status", /^Cancelled\.$/);
  await noJob(bench);
  await bench.press("Make them");
  await bench.text("dialog[open] .status", /Making level 1 of 3 …/);
  await bench.press("Close");
  await noJob(bench);
  await bench.text(".level-title", /^1\. /);
});
