// Inspect a small search node by node, and measure what the estimates are worth on a small level.

import { post } from "../lib/api.js";
import { effect, latest, untold, value } from "../lib/core.js";
import { announce, button, field, h, sentenceOf, toast } from "../lib/dom.js";
import { plural } from "../lib/format.js";
import { ENDS, Stepper, isCut } from "../lib/stepper.js";
import { Admissibility } from "../sokoban/admissibility.js";
import { BoardView, colours } from "../sokoban/board.js";
import { ConfigForm, pretty } from "../sokoban/config.js";
import { levelBar } from "../sokoban/levelbar.js";
import { Position } from "../sokoban/position.js";
import { choices, startBoard } from "../store.js";

/** @typedef {import("../lib/types.js").Trace} Trace */
/** @typedef {import("../lib/types.js").Successor} Successor */

const FIRST =
  "Choose an algorithm and press Inspect: the search runs and every step of it can be seen, forwards and backwards.";

export function inspectView() {
  const view = new BoardView({ label: "Chosen position", largest: 56, tallest: 0.5, coordinates: true });
  const form = new ConfigForm({ name: "inspect", limits: false, open: true });
  if (!form.values.now.algorithm) form.set({ algorithm: "a-star", formulation: form.values.now.formulation || "push" });
  const told = value(FIRST);
  const begin = latest();
  let board = "";

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
    about: (rule) => choices("deadlocks").find((choice) => choice.name === rule)?.about ?? "",
  });
  let width = 1;
  const place = (/** @type {number} */ cell) => `${Math.floor(cell / width) + 1},${(cell % width) + 1}`;
  /** What the heuristics are worth stands in the place of the chosen state. */
  const measured = new Admissibility((state) =>
    view.show(Position.parse(startBoard()).with(state.boxes, state.player), {}),
  );
  const nodes = h("input", { type: "number", min: "1", max: "2000", value: "500", id: "inspect-nodes" });

  async function run() {
    const wait = begin();
    const wanted = startBoard();
    measured.clear();
    told.value = "Searching …";
    try {
      const most = Math.round(Number(nodes.value)) || 500;
      const trace = /** @type {Trace} */ (
        await wait(post("/inspect", { board: wanted, request: form.config, nodes: most }))
      );
      board = wanted;
      width = trace.width;
      told.value = `${pretty(trace.algorithm)} with ${trace.heuristic}: ${plural(trace.expansions.length, "expansion")} recorded; the search ${ENDS[trace.end]}.`;
      stepper.load(trace);
      announce(told.value);
    } catch (error) {
      stepper.clear();
      told.value = sentenceOf(error);
      toast(told.value, "error");
    }
  }

  effect(() => {
    // Another level: what was asked about the last one goes with it.
    const start = Position.parse(startBoard());
    begin();
    untold(() => {
      stepper.clear();
      measured.clear();
      told.value = FIRST;
      view.show(start, {});
    });
  });

  // A search from both ends has no single order to step through; each of its halves has one.
  const twoEnds = () => form.values.value.algorithm === "bidirectional";
  const half = (/** @type {boolean} */ reverse) => () => {
    form.set({ algorithm: "a-star", reverse });
    run();
  };
  const inspect = button("Inspect", run, { class: "primary large", disabled: () => !form.ok.value || twoEnds() });
  const measure = button("Measure the heuristics", () => {
    begin();
    stepper.clear();
    measured.measure(startBoard(), form.config);
  });
  const element = h("div.view.two", [
    h("h1.hidden-text", "Inspect a search"),
    h("div.stage", [
      levelBar({ searched: true }),
      h("div.board-card.card", [view.element, stepper.steps]),
      h("section.card.live", { hidden: () => measured.shown.value, "aria-label": "The chosen state" }, [
        h("h2", "The chosen state and its successors"),
        h("p.status", { role: "status" }, () => told.value),
        stepper.element,
        h("p.about", [
          "Arrows on the board: thick green joins the open list, thick violet is known already, thin red was cut. Point at a row to see its arrow alone.",
        ]),
      ]),
      measured.element,
    ]),
    h("aside.side.card", { "aria-label": "What to inspect" }, [
      h("h2", "What to inspect"),
      h("div.row", inspect),
      h("div.banner.fair", { hidden: () => !twoEnds() }, [
        h("span", [
          "Bidirectional search grows two frontiers at once, so it has no single order to step through. Each half can be inspected by itself, as A*:",
        ]),
        button("The half that pushes", half(false)),
        button("The half that pulls", half(true)),
      ]),
      form.plan,
      field("Steps to record", nodes, "At most 2000; the search itself is not changed by being watched."),
      h("div.field", [
        h("div.row", measure),
        h("p.about", [
          "Every estimate against the true distance, over all states of a small level: is it admissible, is it consistent, where is it worst?",
        ]),
      ]),
      form.element,
    ]),
  ]);
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== "Enter" || inspect.disabled || !plain) return stepper.key(event);
      run();
      return true;
    },
    left: () => stepper.pause(),
  };
}
