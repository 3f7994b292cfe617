// Learn: a tour of lessons, each with a text, a level and a task the program checks. What was done is kept; a lesson has an
// address that a teacher can link to.

import { get, post } from "../lib/api.js";
import { answerOf, derived, effect, latest, untold, value } from "../lib/core.js";
import { announce, button, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { keep, kept, whenKeptElsewhere } from "../lib/keep.js";
import { copied } from "../lib/save.js";
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
  const tour = answerOf(() => /** @type {Promise<{lessons: Lesson[]}>} */ (get("/lessons")));
  const lessons = () => tour.value.answer?.lessons ?? [];
  const lesson = derived(() => lessons().find((one) => one.name === store.lesson) ?? lessons()[0] ?? null);
  const at = () => (lesson.value ? lessons().indexOf(lesson.value) : 0);
  const isQuestion = () => (lesson.value?.options.length ?? 0) > 0;
  const begin = latest();
  const drawing = latest();
  /** Why the game of the lesson is lost. */
  const lost = value(/** @type {import("../lib/types.js").Deadlock|null} */ (null));
  /** What came of an answer. */
  const verdict = value(/** @type {LessonVerdict|null} */ (null));
  const busy = value(false);
  /** The picture of the lesson, as far as it is shown. */
  const picture = value(/** @type {any} */ (null));
  /** Whether the board is seen in the picture. */
  const boardInPicture = value(false);

  const desk = new Desk("The board of the lesson. Arrow keys move, U takes back", {
    changed: () => changed(),
    interrupted: () => {},
    extras: () => ({ blamed: lost.value?.boxes ?? [] }),
  });
  const measured = new Admissibility(
    (state) => desk.view.show(Position.parse(desk.game.board).with(state.boxes, state.player), {}),
    "nearest-manhattan",
  );

  /** @param {number} by */
  function step(by) {
    const next = lessons()[at() + by];
    if (!lesson.value || !next) return;
    location.hash = `#/learn/${next.name}`;
    title.focus({ preventScroll: true });
  }

  /** @param {LessonVerdict} came */
  function tell(came) {
    verdict.value = came;
    announce(came.words);
  }

  /** Asks the program what came of an answer; never comes back if somebody goes on meanwhile. @param {Record<string, unknown>} answer @returns {Promise<LessonVerdict|null>} */
  async function check(answer) {
    const wait = begin();
    const name = lesson.value?.name;
    try {
      const came = /** @type {LessonVerdict} */ (await wait(post("/lessons/check", { lesson: name, ...answer })));
      if (came.done && name && !done().includes(name)) keep("lessons", [...done(), name]);
      return came;
    } catch (error) {
      tell({ done: false, words: sentenceOf(error) });
      return null;
    }
  }

  /** After every change of the game. */
  async function changed() {
    const { game } = desk;
    keepGame(game);
    lost.value = null;
    begin();
    desk.draw();
    if (!lesson.value || isQuestion()) return;
    verdict.value = null;
    if (!game.pushes) return;
    const [came, seen] = await Promise.all([
      check({ moves: game.lurd }),
      post("/look", { board: game.position.toString() }).catch(() => null),
    ]);
    if (!came || game !== desk.game) return;
    lost.value = seen?.deadlock ?? null;
    if (came.done || game.position.solved) tell(came);
    else if (lost.value) tell({ done: false, words: `The level is lost: ${lost.value.about}. Take the push back.` });
  }

  /** @param {number} option */
  async function choose(option) {
    busy.value = true;
    verdict.value = { done: false, words: "The searches run and are counted …" };
    const came = await check({ option });
    busy.value = false;
    if (!came) return;
    tell(came);
    showPicture();
  }

  async function showPicture() {
    const shown = lesson.value;
    if (!shown?.picture) return;
    if (shown.picture === "estimates") {
      picture.value = measured.element;
      await measured.measure(shown.board ?? "", { goal: "pushes", formulation: "push" });
      return;
    }
    const wait = drawing();
    picture.value = "";
    try {
      const { searches, methods } = /** @type {LessonPicture} */ (
        await wait(post("/lessons/picture", { lesson: shown.name }))
      );
      // Both searches are seen on the board.
      boardInPicture.value = searches.length > 0;
      const parts = searches.length ? searchPictures(shown.board ?? "", searches) : methodPicture(methods);
      picture.value = [h("h3", "What was expanded"), parts];
    } catch (error) {
      picture.value = h("p", sentenceOf(error));
    }
  }

  effect(() => {
    const shown = lesson.value;
    if (!shown) return;
    untold(() => {
      if (shown.name !== store.lesson) toast(`There is no lesson “${store.lesson}”: the tour begins here.`, "error");
      store.lesson = shown.name;
      keep("lesson", shown.name);
      begin();
      drawing();
      verdict.value = picture.value = null;
      busy.value = boardInPicture.value = false;
      measured.clear();
      [desk.view.largest, desk.view.tallest] = isQuestion() ? [44, 0.34] : [72, 0.62];
      if (shown.board !== null) desk.load(gameOf(shown.board));
    });
  });
  whenKeptElsewhere("game/", (name) => {
    if (isGameOf(name, desk.game.board)) desk.load(gameOf(desk.game.board));
  });

  const title = h("h2.lesson-title", { tabIndex: -1 }, () => lesson.value?.title);
  const answers = () => [
    lesson.value?.options.map((words, option) => button(words, () => choose(option), { disabled: () => busy.value })),
    // What was found out is there again.
    lesson.value?.picture &&
      untold(() => done().includes(lesson.value?.name ?? "")) &&
      button("Show the picture", showPicture, { class: "quiet" }),
  ];
  const next = () => {
    if (!verdict.value?.done) return null;
    const isLast = at() + 1 === lessons().length;
    return isLast ? h("span", "That was the last lesson.") : button("Next lesson", () => step(1));
  };
  const item = (/** @type {Lesson} */ one) => {
    const isDone = done().includes(one.name);
    const current = one === lesson.value ? "true" : null;
    return h("li", [
      h("a", { href: `#/learn/${one.name}`, "aria-current": current, class: isDone && "done" }, [
        one.title,
        isDone && h("span.hidden-text", ", done"),
      ]),
    ]);
  };
  const progress = () => {
    const count = lessons().filter((one) => done().includes(one.name)).length;
    return `${count} of ${plural(lessons().length, "lesson")} done.`;
  };
  const address = () => `${location.origin}${location.pathname}#/learn/${lesson.value?.name}`;
  const element = h("div.view.two", [
    h("h1.hidden-text", "Learn"),
    h("div.stage", [
      h("p.card", { hidden: () => !tour.value.error }, () => tour.value.error && sentenceOf(tour.value.error)),
      h("article.card.lesson", { hidden: () => !lesson.value, "aria-label": "Lesson" }, [
        h("header", [h("p.muted", () => `Lesson ${at() + 1} of ${lessons().length}`), title]),
        h("p.lesson-text", () => lesson.value?.text),
        h("p.task", () => lesson.value?.task),
        h("div.row.wrap.options", { hidden: () => !isQuestion(), role: "group", "aria-label": "Answers" }, answers),
        h("div.board-card", { hidden: () => lesson.value?.board === null || boardInPicture.value }, [
          desk.view.element,
          // A question is about the level; it need not be played.
          h("div.toolbar", { hidden: isQuestion }, [
            desk.tools,
            h("p.counter-line", { role: "status" }, () => desk.counter),
          ]),
          () => !isQuestion() && desk.pad,
          desk.reading.element,
        ]),
        h(
          "div.banner",
          { role: "alert", class: () => (verdict.value?.done ? "good" : "fair"), hidden: () => !verdict.value },
          [h("span", () => verdict.value?.words), next],
        ),
        h("p", { hidden: () => lesson.value?.board !== null }, [
          h("a", { href: "#/cse" }, "Play the letter game"),
          ", or watch the search tree there.",
        ]),
        h(
          "section.picture.live",
          { hidden: () => picture.value === null, "aria-label": "A picture of the search" },
          () => picture.value,
        ),
        h("div.row.wrap", [
          button("Previous lesson", () => step(-1), { disabled: () => at() === 0 }),
          button("Next lesson", () => step(1), { disabled: () => at() + 1 === lessons().length }),
          button("Copy link", () => copied(address(), "The link leads to this lesson."), { class: "quiet" }),
        ]),
      ]),
    ]),
    h("aside.side.card", { "aria-label": "Lessons" }, [
      h("h2", "Lessons"),
      h("p.muted.progress", progress),
      h("ol.lessons", () => lessons().map(item)),
      h("p.muted.keys", [
        "Keys: arrows move, U takes back, R begins anew, N and P next and previous lesson, 1 and 2 answer.",
      ]),
    ]),
  ]);

  return {
    element,
    ready: new Promise((/** @type {(is: void) => void} */ done) => effect(() => tour.value.waiting || done())),
    shown: () => desk.draw(),
    key: (/** @type {KeyboardEvent} */ event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const name = event.key.toLowerCase();
      const digit = Number(name) - 1;
      if (plain && name === "n") step(1);
      else if (plain && name === "p") step(-1);
      else if (plain && lesson.value?.options[digit] !== undefined) choose(digit);
      else return lesson.value?.board != null && desk.key(event);
      return true;
    },
  };
}
