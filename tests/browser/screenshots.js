// Takes the pictures of every view for the documentation: light and dark, phone and desktop.
//
//   node screenshots.js [folder]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Workbench, browser, serve } from "./workbench.js";
import { SCENES } from "./scenes.js";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../docs/screenshots");
mkdirSync(folder, { recursive: true });
const server = await serve();
const chrome = await browser();
for (const { name, act } of SCENES) {
  for (const dark of [false, true]) {
    for (const [width, height] of [[360, 740], [1440, 900]]) {
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
