// Levels by a wish: how many boxes, how large, how hard, in which style. They are made one after the other and open as a
// collection, which the browser keeps. The same wish with the same seed gives the same levels, here and in `lurd generate`.

import { ending, value } from "../lib/core.js";
import { dialog } from "../lib/dialog.js";
import { announce, button, field, h, select, sentenceOf, toast } from "../lib/dom.js";
import { Errand } from "../lib/errand.js";
import { plural } from "../lib/format.js";
import { keep, kept } from "../lib/keep.js";
import { shelve } from "../lib/shelf.js";
import { chooseLevel, keyOf, nameCollection, store } from "../store.js";

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
export const wishDialog = () => dialog("Levels by a wish", wishForm);

/** @param {() => void} close */
function wishForm(close) {
  /** @type {Wish} */
  const wish = { ...usual(), ...kept("wish"), seed: newSeed() };
  const ready = value(/** @type {Level[]} */ ([]));
  /** How many are the nearest to the wish and not what was wished for. */
  let nearest = 0;
  const isMaking = value(false);
  const status = value("");
  const errand = new Errand();

  /** @param {string} label @param {number} least @param {number} most @param {string} first @param {(to: string) => void} take */
  const number = (label, least, most, first, take) =>
    h("input", {
      type: "number",
      inputMode: "numeric",
      min: least,
      max: most,
      step: 1,
      required: true,
      value: first,
      "aria-label": label,
      oninput: (/** @type {Event} */ event) => take(/** @type {HTMLInputElement} */ (event.target).value),
    });
  /** @param {string} label @param {(place: 0|1, label: string) => HTMLElement} end */
  const range = (label, end) =>
    h("div.field", { role: "group", "aria-label": label }, [
      h("span.field-name", label),
      h("div.range", [end(0, `${label}, from`), h("span", "to"), end(1, `${label}, to`)]),
    ]);
  /** @param {string} label @param {"boxes"|"width"|"height"} name @param {number} least @param {number} most */
  const numbers = (label, name, least, most) =>
    range(label, (place, words) => number(words, least, most, wish[name][place], (to) => (wish[name][place] = to)));
  const grade = (/** @type {0|1} */ place, /** @type {string} */ label) =>
    select([["", "any"], ...GRADES], wish.grade[place], (to) => (wish.grade[place] = to), { "aria-label": label });
  const style = select([["", "one after the other"], ...STYLES], wish.style, (to) => (wish.style = to));

  /** @param {string} sentence */
  const tell = (sentence) => {
    status.value = sentence;
    announce(sentence);
  };

  /** Opens what is ready as a collection. */
  function openReady() {
    const title = titleOf(wish);
    const levels = ready.now.map((level, index) => ({ ...level, number: index + 1 }));
    const opened = { id: nameCollection(title, levels), title, levels };
    store.collection = opened;
    shelve(opened);
    const [first] = levels;
    if (first) chooseLevel(first);
    const who = nearest < levels.length ? `${nearest} of them` : nearest === 1 ? "It" : "They";
    const was = nearest === 1 ? "was" : "were";
    const near = nearest ? ` ${who} missed the wanted grade: the best that ${was} found.` : "";
    toast(`${plural(levels.length, "new level")} opened as a collection.${near}`);
    announce(`${plural(levels.length, "new level")} opened.${near}`);
  }

  /** Ends the making. @param {string} sentence */
  function end(sentence) {
    errand.end();
    isMaking.value = false;
    const [wanted, got] = [Number(wish.count), ready.now.length];
    if (!got) return tell(sentence);
    openReady();
    if (got < wanted)
      toast(`${got} of ${plural(wanted, "level")} ${got === 1 ? "was" : "were"} ready. ${sentence}`, "error");
    ready.value = [];
    close();
  }

  async function begin() {
    [ready.value, nearest, isMaking.value] = [[], 0, true];
    keep("wish", wish);
    const wanted = Number(wish.count);
    try {
      // A board that came before is no new level: then the next number has its turn.
      for (let turn = 1; ready.now.length < wanted && turn <= 2 * wanted; turn += 1) {
        const which = `level ${ready.now.length + 1} of ${wanted}`;
        tell(`Making ${which} …`);
        const body = { kind: "generate", wish: asked(wish, turn), request: { time_limit: SECONDS } };
        const { result } = await errand.run(body, (job) => {
          if (job.status === "waiting") status.value = "The level waits: other searches run first.";
          else if (job.status === "running") status.value = `Making ${which} …`;
        });
        if (!result?.made) {
          const late = `The ${which} was not ready within ${SECONDS} seconds: wish for fewer boxes or a lower grade, or try another seed.`;
          end(result?.outcome === "stopped" ? late : `No level: ${result?.notes[0] ?? result?.outcome}.`);
          return;
        }
        const { level, as_wished: asWished } = result.made;
        if (ready.now.some((other) => keyOf(other.board) === keyOf(level.board))) continue;
        nearest += asWished ? 0 : 1;
        const notes = asWished ? level.notes : [...level.notes, `Wish: ${result.notes.join("; ")}`];
        ready.value = [...ready.now, { ...level, notes }];
      }
      end("No further level of this seed is new.");
    } catch (error) {
      end(sentenceOf(error));
    }
  }

  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    begin();
  };
  ending(() => isMaking.now && end("The form was closed."));
  return h("form.wish", { onsubmit: submit }, [
    h("p.about", "Sizes count the outer walls. Every level comes with its fewest pushes; hard grades take longer."),
    h("fieldset.wish-fields", { disabled: () => isMaking.value }, [
      h("legend.hidden-text", "The wish"),
      numbers("Boxes", "boxes", 1, 6),
      numbers("Width", "width", 3, 16),
      numbers("Height", "height", 3, 16),
      range("Grade", grade),
      field("Style", style),
      field(
        "How many",
        number("How many", 1, MOST, wish.count, (to) => (wish.count = to)),
      ),
      field(
        "Seed",
        number("Seed", 0, Number.MAX_SAFE_INTEGER, wish.seed, (to) => (wish.seed = to)),
        "The same wish and seed give the same levels.",
      ),
    ]),
    h("div.row.end", [
      h("button.primary", { type: "submit", hidden: () => isMaking.value }, "Make them"),
      button("Cancel", () => end("Cancelled."), { class: "danger", hidden: () => !isMaking.value }),
    ]),
    h("progress", {
      "aria-label": "Levels that are ready",
      hidden: () => !isMaking.value,
      max: () => (isMaking.value ? Number(wish.count) : 1),
      value: () => ready.value.length,
    }),
    h("p.status", { role: "status" }, () => status.value),
  ]);
}
