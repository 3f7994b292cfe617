// What the page's views stand on, without a browser: values, their readers, late answers; figures over time.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

/** A module of the page that imports nothing. */
const load = (name) => {
  const text = readFileSync(join(import.meta.dirname, "../../crates/web/page/lib", name), "utf8");
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
};
const { derived, effect, ending, latest, scope, settle, untold, value } = await load("core.js");
const { History } = await load("history.js");

test("an effect runs once for changes that come together, and only for what it read", async () => {
  const [one, other, choice] = [value(1), value(10), value(true)];
  const seen = [];
  effect(() => seen.push(choice.value ? one.value : other.value));
  one.value = 2;
  one.value = 3;
  other.value = 20;
  assert.deepEqual(seen, [1], "not before those who change things are done");
  await Promise.resolve();
  assert.deepEqual(seen, [1, 3]);
  choice.value = false;
  settle();
  one.value = 4;
  settle();
  assert.deepEqual(seen, [1, 3, 20], "what it does not read any more");
});

test("what follows from values is worked out when it is read, and passes on only what is new", () => {
  const number = value(1);
  const worked = [];
  const isOdd = derived(() => worked.push(number.value) && number.value % 2 === 1);
  const seen = [];
  effect(() => seen.push(isOdd.value));
  number.value = 3;
  settle();
  number.value = 4;
  settle();
  assert.deepEqual(
    [seen, worked],
    [
      [true, false],
      [1, 3, 4],
    ],
  );
  effect(() => seen.push(untold(() => number.value)));
  number.value = 6;
  settle();
  assert.deepEqual(seen, [true, false, 4], "read without being told");
});

test("what an owner made ends when it runs anew, and no reader sees half a change", () => {
  const chosen = value(/** @type {{name: string}|null} */ ({ name: "a" }));
  const ended = [];
  const [names, end] = scope(() => {
    const all = [];
    effect(() => {
      if (!chosen.value) return;
      ending(() => ended.push("inner"));
      // Would throw for null if it ran before its owner.
      effect(() => all.push(chosen.value.name));
    });
    return all;
  });
  chosen.value = { name: "b" };
  settle();
  chosen.value = null;
  settle();
  assert.deepEqual(
    [names, ended],
    [
      ["a", "b"],
      ["inner", "inner"],
    ],
  );
  end();
  chosen.value = { name: "c" };
  settle();
  assert.deepEqual(names, ["a", "b"]);
});

test("late answers and late faults do not come back", async () => {
  const begin = latest();
  const came = [];
  const [first, second] = [deferred(), deferred()];
  begin()(first.promise).then((answer) => came.push(answer));
  begin()(Promise.reject(new Error("late"))).catch((error) => came.push(error.message));
  const wait = begin();
  wait(second.promise).then((answer) => came.push(answer));
  first.resolve("first");
  second.resolve("second");
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(came, ["second"]);
  begin();
  assert.ok(wait.isLate());
});

/** A promise that is settled from outside. */
function deferred() {
  /** @type {any} */
  const made = {};
  made.promise = new Promise((resolve) => (made.resolve = resolve));
  return made;
}

test("the figures of a long search stay few, from its begin to its end", () => {
  const history = new History();
  for (let second = 0; second < 100_000; second += 1)
    history.add({ seconds: second, expanded: second, generated: 0, frontier: 0, bytes: 0, lower_bound: null });
  assert.ok(history.points.length <= 240 && history.points.length > 100, `${history.points.length} points`);
  assert.equal(history.points[0][0], 0);
  assert.ok(history.points.at(-1)[0] > 99_000);
});
