// The robot for half a minute; five minutes of it are in ./test-long.sh.

import assert from "node:assert/strict";
import { test } from "node:test";
import { session } from "./harness.js";
import { walk } from "./robot.js";

const page = session();

test("a robot loses nothing, and the same seed does the same again", async () => {
  const seed = 7;
  const first = await walk(page.chrome, page.server.url, { seconds: 22, seed });
  assert.ok(first.length > 10, `${first.length} steps`);
  const steps = Math.min(20, first.length);
  assert.deepEqual(await walk(page.chrome, page.server.url, { steps, seed }), first.slice(0, steps));
});
