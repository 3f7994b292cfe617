// Inspect a small search node by node, and measure what the estimates are worth on a small level.

import { post } from "../lib/api.js";
import { announce, button, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { ENDS, Stepper, isCut } from "../lib/stepper.js";
import { Admissibility } from "../sokoban/admissibility.js";
import { BoardView, colours } from "../sokoban/board.js";
import { ConfigForm, pretty } from "../sokoban/config.js";
import { levelBar } from "../sokoban/levelbar.js";
import { Position } from "../sokoban/position.js";
import { startBoard, store } from "../store.js";

/** @typedef {import("../lib/types.js").Trace} Trace */
/** @typedef {import("../lib/types.js").Successor} Successor */

export function inspectView() {
  const view = new BoardView({ label: "Chosen position", largest: 56, tallest: 0.5, coordinates: true });
  const form = new ConfigForm({ name: "inspect", limits: false, open: true });
  if (form.algorithm.value === undefined) {
    form.algorithm.value = "a-star";
    form.formulation.value ??= "push";
    form.rowsShown();
    form.explain();
  }
  let board = "";
  let asked = 0;
  const told = h("p", { class: "status", role: "status" });
  const first =
    "Choose an algorithm and press Inspect: the search runs and every step of it can be seen, forwards and backwards.";

  const stepper = new Stepper({
    draw: (state, successors) => {
      const c = colours();
      const arrows = /** @type {Successor[]} */ (successors).flatMap((one) =>
        one.from === null || one.to === null
          ? []
          : [
              {
                from: one.from,
                to: one.to,
                colour: isCut(one) ? c.blame : one.fate === "known" ? c.tunnel : c.hint,
                dashed: isCut(one),
              },
            ],
      );
      view.show(Position.parse(board).with(state.boxes, state.player), { arrows });
    },
    after: (state, { from, to, player }) => ({
      boxes: state.boxes.map((/** @type {number} */ cell) => (cell === from ? to : cell)),
      player,
    }),
    words: (/** @type {Successor} */ one) =>
      one.from !== null && one.to !== null
        ? `box ${place(one.from)} → ${place(one.to)}`
        : `player to ${place(one.player)}`,
    about: (rule) => store.about.solver.detectors.find((choice) => choice.name === rule)?.about ?? "",
  });
  let width = 1;
  const place = (/** @type {number} */ cell) => `${Math.floor(cell / width) + 1},${(cell % width) + 1}`;
  const measured = new Admissibility((state) =>
    view.show(Position.parse(startBoard()).with(state.boxes, state.player), {}),
  );
  const nodes = h("input", { type: "number", min: "1", max: "2000", value: "500", id: "inspect-nodes" });

  async function run() {
    asked += 1;
    const mine = asked;
    const wanted = startBoard();
    chosen.hidden = false;
    measured.clear();
    told.textContent = "Searching …";
    try {
      const trace = /** @type {Trace} */ (
        await post("/inspect", { board: wanted, request: form.config, nodes: Math.round(Number(nodes.value)) || 500 })
      );
      if (mine !== asked) return;
      board = wanted;
      width = trace.width;
      told.textContent = `${pretty(trace.algorithm)} with ${trace.heuristic}: ${plural(trace.expansions.length, "expansion")} recorded; the search ${ENDS[trace.end]}.`;
      stepper.load(trace);
      announce(told.textContent);
    } catch (error) {
      if (mine !== asked) return;
      stepper.clear();
      told.textContent = sentenceOf(error);
      toast(told.textContent, "error");
    }
  }

  const clear = () => {
    asked += 1;
    stepper.clear();
    measured.clear();
    chosen.hidden = false;
    told.textContent = first;
    view.show(Position.parse(startBoard()), {});
  };
  document.addEventListener("levelchange", clear);

  const inspect = button("Inspect", () => run(), { class: "primary large" });
  const measure = button("Measure the heuristics", async () => {
    asked += 1;
    stepper.clear();
    chosen.hidden = true;
    await measured.measure(startBoard(), form.config);
  });
  // A search from both ends has no single order to step through; each of its halves has one.
  const half = (/** @type {boolean} */ reverse) => () => {
    form.algorithm.value = "a-star";
    form.reverse.checked = reverse;
    form.rowsShown();
    form.explain();
    run();
  };
  const halves = h(
    "div",
    { class: "banner fair", hidden: true },
    h(
      "span",
      null,
      "Bidirectional search grows two frontiers at once, so it has no single order to step through. Each half can be inspected by itself, as A*:",
    ),
    button("The half that pushes", half(false)),
    button("The half that pulls", half(true)),
  );
  form.plan.addEventListener("explained", () => {
    halves.hidden = form.algorithm.value !== "bidirectional";
    inspect.disabled = !form.ok || !halves.hidden;
  });
  const chosen = h(
    "section",
    { class: "card live", "aria-label": "The chosen state" },
    h("h2", null, "The chosen state and its successors"),
    told,
    stepper.element,
    h(
      "p",
      { class: "about" },
      "Arrows on the board: thick green joins the open list, thick violet is known already, thin red was cut. Point at a row to see its arrow alone.",
    ),
  );
  const element = h(
    "div",
    { class: "view two" },
    h("h1", { class: "hidden-text" }, "Inspect a search"),
    h(
      "div",
      { class: "stage" },
      levelBar({ searched: true }),
      h("div", { class: "board-card card" }, view.element, stepper.steps),
      chosen,
      measured.element,
    ),
    h(
      "aside",
      { class: "side card", "aria-label": "What to inspect" },
      h("h2", null, "What to inspect"),
      h("div", { class: "row" }, inspect),
      halves,
      form.plan,
      h(
        "div",
        { class: "field" },
        h("label", { htmlFor: "inspect-nodes" }, "Steps to record"),
        nodes,
        h("p", { class: "about" }, "At most 2000; the search itself is not changed by being watched."),
      ),
      h(
        "div",
        { class: "field" },
        h("div", { class: "row" }, measure),
        h(
          "p",
          { class: "about" },
          "Every estimate against the true distance, over all states of a small level: is it admissible, is it consistent, where is it worst?",
        ),
      ),
      form.element,
    ),
  );
  clear();
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && !inspect.disabled && !event.ctrlKey && !event.metaKey && !event.altKey) {
        run();
        return true;
      }
      return stepper.key(event);
    },
    left: () => stepper.pause(),
  };
}
