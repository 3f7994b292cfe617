// Every view through axe-core: nothing serious. Light with a server and dark without: the document and its colours do not depend on
// who answers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { STATIC, Workbench, browser, endJobs, serve, withLibrary } from "./workbench.js";
import { SCENES } from "./scenes.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server;
let chrome;

before(async () => {
  server = await serve(...withLibrary());
  chrome = await browser();
});

after(async () => {
  await chrome?.close();
  await server?.end();
});

for (const { name, act } of SCENES) {
  test(`${name}, ${STATIC ? "dark" : "light"}`, async () => {
    const bench = await Workbench.open(chrome, server.url, { view: null, dark: STATIC });
    try {
      await act(bench);
      await bench.page.evaluate(axe);
      const { violations } = await bench.page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const told = violations.map(
        (one) =>
          `${one.impact} ${one.id}: ${one.help}\n  ${one.nodes
            .slice(0, 3)
            .map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`)
            .join("\n  ")}`,
      );
      const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
      assert.equal(serious.length, 0, told.join("\n"));
    } finally {
      await bench.close();
      await endJobs(server.url);
    }
  });
}
