// Levels by a wish: how many boxes, how large, how hard, in which style. They are made one after the other and open as a
// collection, which the browser keeps. The same wish with the same seed gives the same levels, here and in `lurd generate`.

import { startJob } from "../lib/api.js";
import { dialog } from "../lib/dialog.js";
import { announce, button, field, fill, h, select, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { shelve } from "../lib/shelf.js";
import { chooseLevel, keyOf, nameCollection, store } from "../store.js";
import { showConnection } from "./connection.js";

/** @typedef {import("../lib/types.js").Level} Level */
/**
 * What the form holds, as it is kept; a grade or a style of "" is any.
 * @typedef {{boxes: [string, string], width: [string, string], height: [string, string], grade: [string, string],
 *            style: string, count: string, seed: string}} Wish
 */

/** The longest somebody waits for one level, in seconds. */
const SECONDS = 120;
/** The most levels of one wish. */
const MOST = 50;

const STYLES = ["rooms", "corridors", "open", "symmetric"];
const GRADES = Array.from({ length: 10 }, (_, index) => String(index + 1));

/** A seed that nobody had before; short enough to be written down. */
const newSeed = () => String((crypto.getRandomValues(new Uint32Array(1))[0] ?? 1) % 1_000_000);

/** @returns {Wish} */
const usual = () => ({
  boxes: ["3", "4"],
  width: ["8", "10"],
  height: ["8", "10"],
  grade: ["", ""],
  style: "",
  count: "3",
  seed: newSeed(),
});

/** A range in words. @param {[string, string]} range */
const words = ([from, to]) => (from === to ? from : `${from}–${to}`);

/** Both ends of the grade; one that is left open is the other, and null is any. @param {[string, string]} grade */
function grades([from, to]) {
  if (!from && !to) return null;
  return [Number(from || to), Number(to || from)];
}

/** What a wish is called. @param {Wish} wish */
function titleOf(wish) {
  const grade = grades(wish.grade);
  const parts = [
    `${words(wish.boxes)} ${words(wish.boxes) === "1" ? "box" : "boxes"}`,
    `${words(wish.width)} by ${words(wish.height)}`,
    grade ? `grade ${words([String(grade[0]), String(grade[1])])}` : "",
    wish.style,
    `seed ${wish.seed}`,
  ];
  return `Wish: ${parts.filter(Boolean).join(", ")}`;
}

/** The wish as the service is asked, for the level of this number. @param {Wish} wish @param {number} number */
function asked(wish, number) {
  const range = (/** @type {[string, string]} */ [from, to]) => [Number(from), Number(to)];
  const grade = grades(wish.grade);
  return {
    boxes: range(wish.boxes),
    width: range(wish.width),
    height: range(wish.height),
    ...(grade ? { grade } : {}),
    ...(wish.style ? { style: wish.style } : {}),
    seed: Number(wish.seed),
    number,
  };
}

/** The form in a dialog. It ends when the levels are there; closing it ends the making, and what is ready is opened. */
export function wishDialog() {
  const { element, body } = dialog("Levels by a wish");
  /** @type {Wish} */
  const wish = { ...usual(), ...kept("wish"), seed: newSeed() };
  /** @type {Level[]} */
  let ready = [];
  /** How many are the nearest to the wish and not what was wished for. */
  let nearest = 0;
  /** @type {import("../lib/api.js").Following|null} */
  let following = null;
  /** Counts makings: an answer to an earlier one is not taken. */
  let making = 0;
  let isMaking = false;

  const number = (
    /** @type {string} */ value,
    /** @type {number} */ least,
    /** @type {number} */ most,
    /** @type {string} */ label,
    /** @type {(value: string) => void} */ take,
  ) => {
    const control = h("input", {
      type: "number",
      inputMode: "numeric",
      min: least,
      max: most,
      step: 1,
      required: true,
      value,
      "aria-label": label,
      oninput: () => take(control.value),
    });
    return control;
  };
  const range = (
    /** @type {string} */ label,
    /** @type {"boxes"|"width"|"height"} */ name,
    /** @type {number} */ least,
    /** @type {number} */ most,
  ) => {
    const end = (/** @type {0|1} */ place, /** @type {string} */ which) =>
      number(wish[name][place], least, most, `${label}, ${which}`, (value) => (wish[name][place] = value));
    return h(
      "div",
      { class: "field", role: "group", "aria-label": label },
      h("span", { class: "field-name" }, label),
      h("div", { class: "range" }, end(0, "from"), h("span", null, "to"), end(1, "to")),
    );
  };
  const grade = (/** @type {0|1} */ place) => {
    const control = select(
      [["", "any"], ...GRADES.map((one) => /** @type {[string, string]} */ ([one, one]))],
      wish.grade[place],
      (value) => (wish.grade[place] = value),
    );
    control.setAttribute("aria-label", `Grade, ${place ? "to" : "from"}`);
    return control;
  };

  const make = h("button", { type: "submit", class: "primary" }, "Make them");
  const stop = button("Cancel", () => end("Cancelled."), { class: "danger", hidden: true });
  const status = h("p", { class: "status", role: "status" });
  const bar = h("progress", { "aria-label": "Levels that are ready", hidden: true });
  const fields = h(
    "fieldset",
    { class: "wish-fields" },
    h("legend", { class: "hidden-text" }, "The wish"),
    range("Boxes", "boxes", 1, 6),
    range("Width", "width", 3, 16),
    range("Height", "height", 3, 16),
    h(
      "div",
      { class: "field", role: "group", "aria-label": "Grade" },
      h("span", { class: "field-name" }, "Grade"),
      h("div", { class: "range" }, grade(0), h("span", null, "to"), grade(1)),
    ),
    field(
      "Style",
      select(
        [["", "one after the other"], ...STYLES.map((one) => /** @type {[string, string]} */ ([one, one]))],
        wish.style,
        (value) => (wish.style = value),
      ),
    ),
    field(
      "How many",
      number(wish.count, 1, MOST, "How many", (value) => (wish.count = value)),
    ),
    field(
      "Seed",
      number(wish.seed, 0, Number.MAX_SAFE_INTEGER, "Seed", (value) => (wish.seed = value)),
      "The same wish and seed give the same levels.",
    ),
  );
  const form = h(
    "form",
    {
      class: "wish",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        begin();
      },
    },
    h(
      "p",
      { class: "about" },
      "Sizes count the outer walls. Every level comes with its fewest pushes; hard grades take longer.",
    ),
    fields,
    h("div", { class: "row end" }, make, stop),
    bar,
    status,
  );

  /** @param {string} sentence */
  const tell = (sentence) => {
    fill(status, sentence);
    announce(sentence);
  };
  const show = () => {
    fields.disabled = make.hidden = isMaking;
    stop.hidden = bar.hidden = !isMaking;
    bar.max = Number(wish.count);
    bar.value = ready.length;
  };

  /** Opens what is ready as a collection. */
  function openReady() {
    const title = titleOf(wish);
    const levels = ready.map((level, index) => ({ ...level, number: index + 1 }));
    const opened = { id: nameCollection(title, levels), title, levels };
    store.collection = opened;
    shelve(opened);
    const [first] = levels;
    if (first) chooseLevel(first);
    const near =
      nearest === 0
        ? ""
        : ` ${nearest === levels.length ? (nearest === 1 ? "It" : "They") : `${nearest} of them`} missed the wanted grade: the best that ${nearest === 1 ? "was" : "were"} found.`;
    toast(`${plural(levels.length, "new level")} opened as a collection.${near}`);
    announce(`${plural(levels.length, "new level")} opened.${near}`);
  }

  /** Ends the making. @param {string} sentence */
  function end(sentence) {
    making += 1;
    following?.cancel().catch(() => {});
    following = null;
    isMaking = false;
    show();
    if (ready.length === 0) {
      tell(sentence);
      return;
    }
    const [wanted, got] = [Number(wish.count), ready.length];
    openReady();
    if (got < wanted)
      toast(`${got} of ${plural(wanted, "level")} ${got === 1 ? "was" : "were"} ready. ${sentence}`, "error");
    ready = [];
    element.close();
  }

  async function begin() {
    making += 1;
    const mine = making;
    [ready, nearest, isMaking] = [[], 0, true];
    keep("wish", wish);
    const wanted = Number(wish.count);
    show();
    try {
      // A board that came before is no new level: then the next number has its turn.
      for (let turn = 1; ready.length < wanted && turn <= 2 * wanted; turn += 1) {
        const which = `level ${ready.length + 1} of ${wanted}`;
        tell(`Making ${which} …`);
        const started = await startJob(
          { kind: "generate", wish: asked(wish, turn), request: { time_limit: SECONDS } },
          (job) => {
            if (mine !== making) return;
            if (job.status === "waiting") status.textContent = "The level waits: other searches run first.";
            else if (job.status === "running") status.textContent = `Making ${which} …`;
          },
          showConnection,
        );
        if (mine !== making) {
          started.cancel().catch(() => {});
          return;
        }
        following = started;
        const { result } = await started.ended;
        if (mine !== making) return;
        following = null;
        if (!result?.made) {
          const [note] = result?.notes ?? [];
          end(
            result?.outcome === "stopped"
              ? `The ${which} was not ready within ${SECONDS} seconds: wish for fewer boxes or a lower grade, or try another seed.`
              : `No level: ${note ?? result?.outcome}.`,
          );
          return;
        }
        const { level, as_wished: asWished } = result.made;
        if (ready.some((other) => keyOf(other.board) === keyOf(level.board))) continue;
        nearest += asWished ? 0 : 1;
        ready.push(asWished ? level : { ...level, notes: [...level.notes, `Wish: ${result.notes.join("; ")}`] });
        show();
      }
      end("No further level of this seed is new.");
    } catch (error) {
      if (mine === making) end(sentenceOf(error));
    }
  }

  fill(body, form);
  element.addEventListener("close", () => isMaking && end("The form was closed."));
  show();
  element.showModal();
}
