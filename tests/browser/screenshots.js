// Takes the pictures of every view for the documentation: light and dark, on a phone, a desktop and a large screen.
//
//   node screenshots.js [FOLDER] [all] [SCENE...]     with "all" the scenes too of which no pictures are kept; with names of
//                                                     scenes those alone

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Workbench, browser, serve, withLibrary } from "./workbench.js";
import { SCENES } from "./scenes.js";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../docs/screenshots");
const all = process.argv[3] === "all";
const wanted = process.argv.slice(all ? 4 : 3);
mkdirSync(folder, { recursive: true });
/** Widths and heights: a phone, a desktop, a large screen. */
const SIZES = [
  [360, 740],
  [1440, 900],
  [1920, 1080],
];
const server = await serve(...withLibrary());
const chrome = await browser();
for (const { name, act, pictured = true, linger = 0 } of SCENES) {
  if ((!pictured && !all) || (wanted.length && !wanted.includes(name))) continue;
  for (const [width, height] of SIZES) {
    for (const dark of [false, true]) {
      const bench = await Workbench.open(chrome, server.url, { view: null, width, height, dark });
      await act(bench);
      await new Promise((done) => setTimeout(done, linger));
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
