// Takes the pictures of every view for the documentation: light and dark, on a phone, a desktop and a large screen.
//
//   node screenshots.js [FOLDER] [all]     with "all" every view in both colours at every size; without, those that are kept

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Workbench, browser, serve } from "./workbench.js";
import { SCENES } from "./scenes.js";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../docs/screenshots");
const all = process.argv[3] === "all";
mkdirSync(folder, { recursive: true });
/** Width, height, and in which colours a picture is kept. */
const SIZES = [
  [360, 740, [false]],
  [1440, 900, [false, true]],
  [1920, 1080, [true]],
];
const server = await serve();
const chrome = await browser();
for (const { name, act, pictured = true } of SCENES) {
  if (!pictured && !all) continue;
  for (const [width, height, kept] of SIZES) {
    for (const dark of all ? [false, true] : kept) {
      const bench = await Workbench.open(chrome, server.url, { width, height, dark });
      await act(bench);
      await bench.page.evaluate(() => {
        scrollTo(0, 0);
        document.getElementById("toasts").replaceChildren();
        document.activeElement?.blur();
      });
      await new Promise((done) => setTimeout(done, 200));
      const path = join(folder, `${name}-${dark ? "dark" : "light"}-${width}.png`);
      await bench.page.screenshot({ path, fullPage: false });
      await bench.close();
      console.log(path);
    }
  }
}
await chrome.close();
await server.end();
