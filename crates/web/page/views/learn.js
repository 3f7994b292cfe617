// Learn: a tour of lessons, each with a text, a level and a task the program checks. What was done is kept; a lesson has an
// address that a teacher can link to.

import { get, post } from "../lib/api.js";
import { announce, button, fill, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { keep, kept, whenKeptElsewhere } from "../lib/keep.js";
import { copy } from "../lib/save.js";
import { Admissibility } from "../sokoban/admissibility.js";
import { Desk } from "../sokoban/desk.js";
import { gameOf, isGameOf, keepGame } from "../sokoban/games.js";
import { Position } from "../sokoban/position.js";
import { methodPicture, searchPictures } from "../sokoban/searchpicture.js";
import { store } from "../store.js";

/** @typedef {import("../lib/types.js").Lesson} Lesson */
/** @typedef {import("../lib/types.js").LessonVerdict} LessonVerdict */
/** @typedef {import("../lib/types.js").LessonPicture} LessonPicture */

/** @returns {string[]} The names of the lessons that are done. */
const done = () => kept("lessons") ?? [];

export function learnView() {
  /** @type {Lesson[]} */
  let lessons = [];
  /** @type {Lesson|null} */
  let lesson = null;
  let asked = 0;

  /** @type {import("../lib/types.js").Deadlock|null} Why the game of the lesson is lost. */
  let lost = null;
  const title = h("h2", { class: "lesson-title", tabIndex: -1 });
  const number = h("p", { class: "muted" });
  const text = h("p", { class: "lesson-text" });
  const task = h("p", { class: "task" });
  const options = h("div", { class: "row wrap options", role: "group", "aria-label": "Answers" });
  const counter = h("p", { class: "counter-line", role: "status" });
  const banner = h("div", { class: "banner", role: "alert", hidden: true });
  const picture = h("section", { class: "picture live", hidden: true, "aria-label": "A picture of the search" });
  const list = h("ol", { class: "lessons" });
  const progress = h("p", { class: "muted progress" });
  const other = h("p", null, h("a", { href: "#/cse" }, "Play the letter game"), ", or watch the search tree there.");

  const desk = new Desk("The board of the lesson. Arrow keys move, U takes back", {
    changed: () => changed(),
    interrupted: () => {},
    extras: () => ({ blamed: lost?.boxes ?? [] }),
    drawn: () => {
      counter.textContent = `${plural(desk.game.moves.length, "move")} · ${plural(desk.game.pushes, "push", "pushes")}`;
    },
  });
  const measured = new Admissibility((state) =>
    desk.view.show(Position.parse(desk.game.board).with(state.boxes, state.player), {}),
  );
  measured.chosen = "nearest-manhattan";
  const controls = h("div", { class: "toolbar" }, desk.undo, desk.undoPush, desk.redo, desk.restartButton, counter);
  const boardCard = h("div", { class: "board-card" }, desk.view.element, controls, desk.pad, desk.reading.element);

  const before = button("Previous lesson", () => step(-1));
  const after = button("Next lesson", () => step(1));
  const share = button(
    "Copy link",
    async () =>
      toast(
        (await copy(`${location.origin}${location.pathname}#/learn/${lesson?.name}`))
          ? "The link leads to this lesson."
          : "The browser does not let the page copy.",
      ),
    { class: "quiet" },
  );

  /** @param {number} by */
  function step(by) {
    const next = lesson ? lessons[lessons.indexOf(lesson) + by] : undefined;
    if (!next) return;
    location.hash = `#/learn/${next.name}`;
    title.focus({ preventScroll: true });
  }

  /** @param {LessonVerdict} verdict @param {string} [more] */
  function tell({ done: isDone, words }, more = "") {
    banner.hidden = false;
    banner.className = `banner ${isDone ? "good" : "fair"}`;
    const last = lesson === lessons.at(-1);
    fill(
      banner,
      h("span", null, `${words}${more}`),
      isDone && !last
        ? button("Next lesson", () => step(1))
        : isDone
          ? h("span", null, "That was the last lesson.")
          : null,
    );
    announce(`${words}${more}`);
  }

  function markDone() {
    const names = done();
    if (!lesson || names.includes(lesson.name)) return;
    keep("lessons", [...names, lesson.name]);
    showList();
  }

  /** Asks the program what came of an answer; null if somebody went on meanwhile. @param {Record<string, unknown>} answer @returns {Promise<LessonVerdict|null>} */
  async function check(answer) {
    asked += 1;
    const mine = asked;
    try {
      const verdict = /** @type {LessonVerdict} */ (await post("/lessons/check", { lesson: lesson?.name, ...answer }));
      if (mine !== asked) return null;
      if (verdict.done) markDone();
      return verdict;
    } catch (error) {
      if (mine === asked) tell({ done: false, words: sentenceOf(error) });
      return null;
    }
  }

  /** After every change of the game. */
  async function changed() {
    const { game } = desk;
    keepGame(game);
    lost = null;
    asked += 1;
    banner.hidden = lesson?.options.length === 0 || banner.hidden;
    desk.draw();
    if (!lesson || lesson.options.length || !game.pushes) return;
    const moves = game.lurd;
    const [verdict, seen] = await Promise.all([
      check({ moves }),
      post("/look", { board: game.position.toString() }).catch(() => null),
    ]);
    if (!verdict || game !== desk.game || moves !== game.lurd) return;
    lost = seen?.deadlock ?? null;
    desk.draw();
    if (verdict.done || game.position.solved) tell(verdict);
    else if (lost) tell({ done: false, words: `The level is lost: ${lost.about}.` }, " Take the push back.");
  }

  /** @param {number} option */
  async function choose(option) {
    for (const one of options.querySelectorAll("button")) one.disabled = true;
    banner.hidden = false;
    banner.className = "banner fair";
    fill(banner, "The searches run and are counted …");
    const verdict = await check({ option });
    for (const one of options.querySelectorAll("button")) one.disabled = false;
    if (!verdict) return;
    tell(verdict);
    showPicture();
  }

  async function showPicture() {
    const shown = lesson;
    if (!shown?.picture) return;
    picture.hidden = false;
    if (shown.picture === "estimates") {
      fill(picture, measured.element);
      await measured.measure(shown.board ?? "", { goal: "pushes", formulation: "push" });
      return;
    }
    try {
      const { searches, methods } = /** @type {LessonPicture} */ (
        await post("/lessons/picture", { lesson: shown.name })
      );
      if (shown !== lesson) return;
      // Both searches are seen on the board.
      boardCard.hidden = boardCard.hidden || searches.length > 0;
      fill(
        picture,
        h("h3", null, "What was opened"),
        searches.length ? searchPictures(shown.board ?? "", searches) : methodPicture(methods),
      );
    } catch (error) {
      if (shown === lesson) fill(picture, h("p", null, sentenceOf(error)));
    }
  }

  function showList() {
    const names = done();
    progress.textContent = `${names.filter((name) => lessons.some((one) => one.name === name)).length} of ${plural(lessons.length, "lesson")} done.`;
    fill(
      list,
      lessons.map((one) =>
        h(
          "li",
          null,
          h(
            "a",
            {
              href: `#/learn/${one.name}`,
              "aria-current": one === lesson ? "true" : null,
              class: names.includes(one.name) ? "done" : "",
            },
            one.title,
            names.includes(one.name) ? h("span", { class: "hidden-text" }, ", done") : null,
          ),
        ),
      ),
    );
  }

  /** Shows the lesson that the address names. */
  function open() {
    const wanted = lessons.find((one) => one.name === store.lesson);
    if (!wanted && lessons.length) toast(`There is no lesson “${store.lesson}”: the tour begins here.`, "error");
    lesson = wanted ?? lessons[0] ?? null;
    if (!lesson) return;
    store.lesson = lesson.name;
    keep("lesson", lesson.name);
    asked += 1;
    const at = lessons.indexOf(lesson);
    title.textContent = lesson.title;
    number.textContent = `Lesson ${at + 1} of ${lessons.length}`;
    text.textContent = lesson.text;
    task.textContent = lesson.task;
    banner.hidden = picture.hidden = true;
    measured.clear();
    fill(picture);
    fill(
      options,
      lesson.options.map((words, option) => button(words, () => choose(option))),
    );
    options.hidden = lesson.options.length === 0;
    boardCard.hidden = lesson.board === null;
    // A question is about the level; it need not be played.
    controls.hidden = desk.pad.hidden = lesson.options.length > 0;
    [desk.view.largest, desk.view.tallest] = lesson.options.length ? [44, 0.34] : [72, 0.62];
    other.hidden = lesson.board !== null;
    before.disabled = at === 0;
    after.disabled = at + 1 === lessons.length;
    showList();
    if (lesson.board !== null) desk.load(gameOf(lesson.board));
    // What was found out is there again.
    if (lesson.picture && done().includes(lesson.name))
      fill(options, [...options.children], button("Show the picture", showPicture, { class: "quiet" }));
  }

  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "Learn"),
    h(
      "div",
      { class: "stage" },
      h(
        "article",
        { class: "card lesson", "aria-label": "Lesson" },
        h("header", null, number, title),
        text,
        task,
        options,
        boardCard,
        banner,
        other,
        picture,
        h("div", { class: "row wrap" }, before, after, share),
      ),
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "Lessons" },
      h("h2", null, "Lessons"),
      progress,
      list,
      h(
        "p",
        { class: "muted keys" },
        "Keys: arrows move, U takes back, R begins anew, N and P next and previous lesson, 1 and 2 answer.",
      ),
    ),
  );

  document.addEventListener("lessonchange", open);
  whenKeptElsewhere("lessons", showList);
  whenKeptElsewhere("game/", (name) => {
    if (isGameOf(name, desk.game.board)) desk.load(gameOf(desk.game.board));
  });
  const loading = get("/lessons").then(
    (tour) => {
      lessons = tour.lessons;
      open();
    },
    (error) => fill(element, h("p", { class: "card" }, sentenceOf(error))),
  );

  return {
    element,
    ready: loading,
    shown: () => {
      if (lesson?.board) desk.draw();
    },
    key: (/** @type {KeyboardEvent} */ event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const name = event.key.toLowerCase();
      const digit = Number(name) - 1;
      if (plain && name === "n") step(1);
      else if (plain && name === "p") step(-1);
      else if (plain && lesson?.options[digit] !== undefined) choose(digit);
      else return lesson?.board != null && desk.key(event);
      return true;
    },
  };
}
