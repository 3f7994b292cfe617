// A server and a browser for the tests, and words for what a person does with the page.
//
// Where SITE names a folder with the static page (./site.sh), a plain file server takes the place of `lurd serve`.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import puppeteer from "puppeteer-core";

const ROOT = join(import.meta.dirname, "../..");

/** The program under test. */
export function program() {
  const wanted = process.env.LURD ?? join(ROOT, "target/release/lurd");
  if (!existsSync(wanted))
    throw new Error(`${wanted} is missing: build it first (cargo build --release) or let LURD name it`);
  return wanted;
}

/** Where Chromium is; null where there is none. */
export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (found) return found;
  }
  return null;
}

/** Whether the page under test has no server. */
export const STATIC = Boolean(process.env.SITE);

/** By how many milliseconds, at most, what the page is told arrives late: a test that passes only where answers are quick is found so. */
const LATE = Number(process.env.LATE ?? 0);

/** Kinds of files, as every file server knows them. */
const KINDS = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/**
 * A file server that knows nothing of lurd, with the static page in a folder of its own. `change` may give other bytes for
 * a file.
 */
export async function serveFiles(change = (_name, bytes) => bytes) {
  const folder = "/some/where/";
  const files = createServer((question, answer) => {
    const { pathname } = new URL(question.url, "http://files");
    const name = pathname === folder ? "index.html" : normalize(pathname.slice(folder.length));
    const path = join(process.env.SITE, name);
    if (!pathname.startsWith(folder) || name.startsWith("..") || !existsSync(path)) {
      answer.writeHead(404, { "content-type": "text/html" }).end("<h1>404</h1>");
      return;
    }
    answer
      .writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream" })
      .end(change(name, readFileSync(path)));
  });
  await new Promise((done) => files.listen(0, "127.0.0.1", done));
  const end = () =>
    new Promise((done) => {
      files.close(done);
      files.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${files.address().port}${folder}`, end };
}

let scratch = null;

/** A new folder, which goes with this process. */
function newFolder() {
  if (scratch === null) {
    scratch = mkdtempSync(join(tmpdir(), "lurd-browser-"));
    process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  }
  return mkdtempSync(join(scratch, "/"));
}

/** Options of a server with a library of its own, which nobody has used yet. */
export const withLibrary = () => ["--library", join(newFolder(), "library.db")];

/** Runs a command of lurd and gives what it prints. */
export function command(...words) {
  const { status, stdout, stderr } = spawnSync(program(), words, { encoding: "utf8" });
  if (status === null || status > 3) throw new Error(`lurd ${words.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Starts `lurd serve`, or a file server for the static page, and gives its address. Without a word about a library it has none. */
export async function serve(...more) {
  if (STATIC) return serveFiles();
  const library = more.includes("--library") ? [] : ["--no-library"];
  const child = spawn(program(), ["serve", "--no-open", "--port", "0", ...library, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const found = /(http:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`lurd serve ended with ${code}`)));
  });
  const end = () =>
    new Promise((done) => {
      child.on("exit", done);
      child.kill("SIGINT");
    });
  // As when the machine goes down.
  const crash = () =>
    new Promise((done) => {
      child.on("exit", done);
      child.kill("SIGKILL");
    });
  return { url, end, crash };
}

/** Ends the searches of a server, which would hold up the next test until it notices that nobody watches them. */
export async function endJobs(url) {
  if (STATIC) return;
  const jobs = await (await fetch(`${url}api/v1/jobs`)).json();
  await Promise.all(
    jobs
      .filter((job) => job.status !== "done")
      .map((job) => fetch(`${url}api/v1/jobs/${job.id}`, { method: "DELETE" })),
  );
}

/** A way to the server that can be cut and mended, as a network can. */
export async function brokenLine(url) {
  let target = new URL(url);
  const sockets = new Set();
  const line = createServer((question, answer) => {
    // The server answers to its own name alone.
    const headers = { ...question.headers, host: target.host };
    if (headers.origin) headers.origin = target.origin;
    const passed = request(
      { host: target.hostname, port: target.port, path: question.url, method: question.method, headers },
      (came) => {
        answer.writeHead(came.statusCode, came.headers);
        // A server that dies in the middle of an answer is felt at the other end.
        came.on("error", () => answer.destroy());
        came.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    question.pipe(passed);
  });
  line.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const listen = (port) => new Promise((done) => line.listen(port, "127.0.0.1", done));
  await listen(0);
  const { port } = line.address();
  const cut = () =>
    new Promise((done) => {
      line.close(done);
      for (const socket of sockets) socket.destroy();
    });
  // Behind the line another server can take the place of the first.
  const turn = (other) => {
    target = new URL(other);
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${port}/`, cut, mend: () => listen(port), turn };
}

/** Starts a browser. Once in very many starts the browser itself crashes, which is no fault of the page. */
export async function launch(options) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await puppeteer.launch({ headless: true, ...options });
    } catch (error) {
      console.error(`start ${tries} of the browser failed: ${error.message}`);
      if (tries === 3) throw error;
    }
  }
}

export async function browser() {
  const executablePath = chromium();
  if (!executablePath) throw new Error("Chromium is missing");
  // There is no graphics card to draw with: imitating one costs a sixth of the time.
  const args = ["--no-sandbox", "--disable-gpu"];
  // Puppeteer has files take the place of shared memory, for containers that hardly have any; a file system can cost a sixth
  // of the time.
  const shared = existsSync("/dev/shm") ? statfsSync("/dev/shm") : { bavail: 0, bsize: 0 };
  const ignoreDefaultArgs = shared.bavail * shared.bsize > 2 ** 30 ? ["--disable-dev-shm-usage"] : [];
  return launch({ executablePath, args, ignoreDefaultArgs });
}

/** A level no search of its kind ends on in time. */
export const LONG =
  "##############\n#            #\n# $ $ $ $ $  #\n#            #\n#  $ $ $ $   #\n#     @      #\n#  ......... #\n##############\n";

/** A crowded room that keeps the portfolio busy for much longer than a test lasts. */
export const CROWDED =
  "############\n#  $ .  #  #\n#$ $$.$  # #\n#  .  $ *  #\n# * ## #+  #\n#.    $ #  #\n# *   $$.. #\n#        $.#\n##    .    #\n#    ## $  #\n#  .   .   #\n############\n";

/**
 * Runs in the page before anything else: every answer, event and message of a worker arrives late, by a time of its own, as
 * over a slow connection. What belongs to one stream or worker keeps its order.
 */
function late(most) {
  const pause = () => new Promise((done) => setTimeout(done, Math.random() ** 2 * most));
  const { fetch } = globalThis;
  globalThis.fetch = async (...question) => {
    const answer = await fetch(...question);
    await pause();
    return answer;
  };
  for (const [kind, close] of [
    [EventSource, "close"],
    [Worker, "terminate"],
  ]) {
    const { addEventListener, [close]: leave } = kind.prototype;
    const closed = new WeakSet();
    const queues = new WeakMap();
    kind.prototype.addEventListener = function (name, take, ...more) {
      const later = (event) => {
        const turn = Promise.all([queues.get(this), pause()]);
        queues.set(this, turn);
        turn.then(() => closed.has(this) || take.call(this, event));
      };
      addEventListener.call(this, name, later, ...more);
    };
    kind.prototype[close] = function () {
      closed.add(this);
      leave.call(this);
    };
  }
}

/** A page with everything that went wrong on it. */
export class Workbench {
  /** Opens a page of its own with a view, or, for a test that begins otherwise, an empty one: a document costs half a second to load. */
  static async open(
    chrome,
    url,
    { view = "solve", width = 1280, height = 900, dark = false, calm = true, cores = null, lag = LATE } = {},
  ) {
    const context = await chrome.createBrowserContext();
    const page = await context.newPage();
    const bench = new Workbench(page, url, context);
    await page.setViewport({ width, height, deviceScaleFactor: 1, hasTouch: width < 500 });
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: calm ? "reduce" : "no-preference" },
    ]);
    if (cores)
      await page.evaluateOnNewDocument(
        (shown) => Object.defineProperty(navigator, "hardwareConcurrency", { value: shown }),
        cores,
      );
    bench.lag = lag;
    if (lag) await page.evaluateOnNewDocument(late, lag);
    bench.folder = newFolder();
    const session = await page.createCDPSession();
    await session.send("Browser.setDownloadBehavior", {
      behavior: "allow",
      downloadPath: bench.folder,
      browserContextId: context.id,
    });
    if (view !== null) await bench.show(view);
    return bench;
  }

  constructor(page, url, context) {
    this.page = page;
    this.url = url;
    this.context = context;
    /** Everything that must not happen: exceptions, refused scripts, dialogs. */
    this.troubles = [];
    page.on("pageerror", (error) => this.troubles.push(`exception: ${error.message}`));
    page.on("dialog", (dialog) => {
      this.troubles.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("console", (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) this.troubles.push(message.text());
    });
  }

  async close() {
    await this.context.close();
  }

  /** Shows a view, afresh. */
  async show(view, query = "") {
    await this.page.goto("about:blank");
    await this.page.goto(`${this.url}#/${view}${query}`);
    await this.page.waitForSelector("html[data-ready]");
  }

  /** The jobs that the page or its server knows. */
  async jobs() {
    return this.page.evaluate(async () => (await import(new URL("lib/api.js", document.baseURI).href)).get("/jobs"));
  }

  /** Goes to another view as a person does. */
  async turnTo(label) {
    await this.page.locator(`nav a ::-p-text(${label})`).click();
    await this.page.waitForFunction(
      (name) => document.querySelector("nav a[aria-current]")?.textContent === name,
      {},
      label,
    );
  }

  /** Presses with the pointer what a function finds in the page. */
  async hit(find, ...known) {
    await this.#reach("click", find, known);
  }

  /** Presses with a finger what a function finds in the page. */
  async tap(find, ...known) {
    await this.#reach("tap", find, known);
  }

  /**
   * Between the look and the press a page may move a thing away, draw it anew or take it out: then the press went past
   * it, and it is looked for and pressed again.
   */
  async #reach(gesture, find, known) {
    for (let tries = 1; ; tries += 1) {
      const handle = await this.page.waitForFunction(find, { timeout: 10_000 }, ...known);
      try {
        await handle.evaluate((thing) => {
          thing.ownerDocument.defaultView.wasHit = false;
          thing.addEventListener("click", () => (thing.ownerDocument.defaultView.wasHit = true), {
            once: true,
            capture: true,
          });
        });
        await handle.asElement()[gesture]();
        if (await this.page.evaluate(() => globalThis.wasHit)) return;
        if (tries === 5) throw new Error(`pressed five times, never hit: ${known.join(" ") || find}`);
      } catch (error) {
        if (tries === 5) throw error;
      }
      await new Promise((done) => setTimeout(done, 50 * tries));
    }
  }

  /** Presses a button by what it says or is labelled. */
  async press(label) {
    await this.hit(
      (wanted) =>
        [...document.querySelectorAll("dialog[open] button, main button")].find(
          (button) =>
            (button.textContent.trim() === wanted || button.getAttribute("aria-label") === wanted) &&
            button.checkVisibility() &&
            !button.disabled,
        ),
      label,
    );
  }

  /** Presses one button and then another as soon as that is seen: hardly any answer to the first can have arrived. */
  async pressAtOnce(first, second) {
    await this.page.evaluate(
      async (...labels) => {
        const find = (wanted) =>
          [...document.querySelectorAll("main button")].find(
            (button) => button.textContent.trim() === wanted && button.checkVisibility() && !button.disabled,
          );
        find(labels[0]).click();
        while (!find(labels[1])) await new Promise(requestAnimationFrame);
        find(labels[1]).click();
      },
      first,
      second,
    );
  }

  /** Presses keys one after another; short words are spelled. */
  async keys(...names) {
    for (const name of names) await this.page.keyboard.press(name);
  }

  /** Loads the page anew, as F5 does. */
  async reload() {
    await this.page.reload();
    await this.page.waitForSelector("html[data-ready]");
  }

  /** Goes back or forward in the history. */
  async back(by = -1) {
    const before = this.page.url();
    // After the answer: across a reload it is another document, and an answer of this one would be lost.
    await this.page.evaluate((steps) => void setTimeout(() => history.go(steps)), by);
    await this.page.waitForFunction((old) => location.href !== old, { timeout: 10_000 }, before);
  }

  /** Another tab of the same browser. */
  async tab(view = "play") {
    const page = await this.context.newPage();
    await page.setViewport(this.page.viewport());
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    if (this.lag) await page.evaluateOnNewDocument(late, this.lag);
    const other = new Workbench(page, this.url, this.context);
    other.lag = this.lag;
    other.folder = this.folder;
    other.troubles = this.troubles;
    await page.goto(view === null ? this.url : `${this.url}#/${view}`);
    await page.waitForSelector("html[data-ready]");
    return other;
  }

  /** Opens a file by the button with this label, as the person's file dialog would. */
  async upload(label, path) {
    const [chooser] = await Promise.all([this.page.waitForFileChooser(), this.press(label)]);
    await chooser.accept([path]);
  }

  /** Pastes text where the page has the focus, as Ctrl+V does. */
  async pasteAnywhere(text) {
    await this.page.evaluate((what) => {
      const data = new DataTransfer();
      data.setData("text", what);
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, text);
  }

  /** Chooses from the list with this label. */
  async choose(label, value) {
    await this.page.evaluate(
      (wanted, chosen) => {
        if (wanted === "Goal" && document.querySelector("main .goals")) {
          const radio = [...document.querySelectorAll("main .goals input")].find((one) => one.value === chosen);
          radio.click();
          return;
        }
        const name = [...document.querySelectorAll("main label")].find(
          (one) => one.textContent === wanted && !one.closest("[hidden]"),
        );
        // Finer choices are folded away until somebody wants them.
        for (let fold = name.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        const control = document.getElementById(name.htmlFor);
        control.value = chosen;
        if (control.value !== chosen) throw new Error(`${wanted} has no ${chosen}`);
        control.dispatchEvent(new Event("change", { bubbles: true }));
      },
      label,
      value,
    );
  }

  async paste(text) {
    await this.press("Paste …");
    await this.page.waitForSelector("#paste-text");
    await this.page.$eval("#paste-text", (area, value) => (area.value = value), text);
    await this.press("Open");
    await this.page.waitForFunction(() => !document.querySelector("dialog[open]"));
  }

  /** Chooses a level by its number. */
  async level(number) {
    await this.page.locator(".level-button").click();
    await this.page.waitForSelector("dialog[open] .level-card");
    await this.page.$$eval(
      "dialog[open] .level-card",
      (cards, wanted) => cards.find((card) => card.textContent.startsWith(`${wanted}. `)).click(),
      number,
    );
    await this.page.waitForFunction(() => !document.querySelector("dialog[open]"));
  }

  /** Waits until some text is seen, and gives it. */
  async text(selector, pattern, timeout = 30_000) {
    const found = await this.page.waitForFunction(
      (where, source) => {
        const regex = new RegExp(source);
        const element = [...document.querySelectorAll(where)].find(
          (one) => one.checkVisibility() && regex.test(one.textContent),
        );
        return element?.textContent;
      },
      { timeout },
      selector,
      pattern.source,
    );
    return found.jsonValue();
  }

  /** The board in words, as a screen reader has it. */
  async board() {
    // The board is drawn with the next frame.
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return this.page.$eval("main .board", (board) => board.getAttribute("aria-label"));
  }

  /** Waits until what is read is right, which may need an answer first, and gives it; without end it is an error in these words. */
  async until(read, right, words, timeout = 10_000) {
    for (const end = Date.now() + timeout; ; await new Promise((done) => setTimeout(done, 50))) {
      const found = await read();
      if (right(found)) return found;
      if (Date.now() > end) throw new Error(`${words}: still ${found}`);
    }
  }

  /** The middle of a cell on the screen. */
  async cell(row, column, width, height) {
    await this.board();
    return this.page.$eval(
      "main .board canvas",
      (canvas, r, c, w, h) => {
        canvas.scrollIntoView({ block: "center" });
        const box = canvas.getBoundingClientRect();
        return { x: box.left + ((c + 0.5) * box.width) / w, y: box.top + ((r + 0.5) * box.height) / h };
      },
      row,
      column,
      width,
      height,
    );
  }

  /** What the canvas shows, as one number. */
  async pixels() {
    await this.board();
    return this.page.$eval("main .board canvas", (canvas) => {
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      let sum = 7;
      for (const byte of data) sum = (sum * 31 + byte) >>> 0;
      return sum;
    });
  }

  /** Waits for a file to be saved and gives its bytes. */
  async saved(name, timeout = 20_000) {
    const until = Date.now() + timeout;
    while (Date.now() < until) {
      if (readdirSync(this.folder).includes(name)) return readFileSync(join(this.folder, name));
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`${name} was not saved; there are ${readdirSync(this.folder).join(", ") || "no files"}`);
  }
}
