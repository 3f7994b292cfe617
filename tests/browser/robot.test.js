// The robot for some seconds; five minutes of it are in ./test-long.sh.

import assert from "node:assert/strict";
import { test } from "node:test";
import { session } from "./harness.js";
import { walk } from "./robot.js";
import { serve, withLibrary } from "./workbench.js";

const page = session();

/** A walk beside a library of its own: what a walk finds is kept there, and another one would see it. */
async function walkAnew(how) {
  const server = await serve(...withLibrary());
  try {
    return await walk(page.chrome, server.url, how);
  } finally {
    await server.end();
  }
}

test("a robot loses nothing, and the same seed does the same again", async () => {
  const seed = 7;
  const first = await walkAnew({ seconds: 10, seed });
  assert.ok(first.length > 10, `${first.length} steps`);
  const steps = Math.min(12, first.length);
  assert.deepEqual(await walkAnew({ steps, seed }), first.slice(0, steps));
});
