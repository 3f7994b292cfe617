// Inspect a small search node by node: the chosen state, its successors, and what was cut by what.

import { post } from "../lib/api.js";
import { announce, button, fill, h, iconButton, toast } from "../lib/dom.js";
import { count, plural } from "../lib/format.js";
import { BoardView, colours } from "../sokoban/board.js";
import { ConfigForm, pretty } from "../sokoban/config.js";
import { levelBar } from "../sokoban/levelbar.js";
import { BOX, PLAYER, Position } from "../sokoban/position.js";
import { store } from "../store.js";

/** @typedef {import("../lib/types.js").Trace} Trace */
/** @typedef {import("../lib/types.js").Expansion} Expansion */
/** @typedef {import("../lib/types.js").Successor} Successor */

const FATES = { new: "joins the frontier", cheaper: "known, this way is cheaper", known: "known already", cut: "cut", dead: "cut by the estimate" };

export function inspectView() {
  const view = new BoardView({ label: "Chosen position", largest: 56, tallest: 0.5 });
  const form = new ConfigForm({ limits: false });
  form.algorithm.value = "a-star";
  form.formulation.value = "push";
  form.rowsShown();
  form.explain();
  /** @type {Trace|null} */
  let trace = null;
  let board = "";
  let index = 0;
  /** @type {number|null} */
  let pointed = null;

  const slider = h("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Step of the search", oninput: () => go(Number(slider.value)) });
  const where = h("output", { class: "counter" });
  const facts = h("dl", { class: "figures" });
  const told = h("p", { class: "status", role: "status" }, "Choose an algorithm and press Inspect: the search runs and every step of it can be seen, forwards and backwards.");
  const table = h("div", { class: "table-scroll", tabIndex: 0, role: "region", "aria-label": "Successors" });
  const nodes = h("input", { type: "number", min: "1", max: "2000", value: "500" });
  const steps = h("div", { class: "playback", hidden: true },
    h("div", { class: "transport", role: "group", "aria-label": "Steps of the search" },
      iconButton("first", "First step", () => go(0)),
      iconButton("back", "One step back", () => go(index - 1)),
      iconButton("next", "One step on", () => go(index + 1)),
      iconButton("last", "Last step", () => go((trace?.expansions.length ?? 1) - 1)),
      button("To its parent", () => {
        const parent = trace?.expansions[index]?.parent;
        if (parent !== null && parent !== undefined) go(parent);
      }),
      where,
    ),
    slider,
  );

  async function run() {
    try {
      board = store.current.board;
      trace = /** @type {Trace} */ (await post("/inspect", { board, config: form.config, nodes: Number(nodes.value) || 500 }));
      steps.hidden = trace.expansions.length === 0;
      slider.max = String(Math.max(0, trace.expansions.length - 1));
      const end = trace.complete ? (trace.solved ? "found a solution" : "found that there is no solution") : "goes on beyond what is recorded";
      told.textContent = `${pretty(trace.algorithm)} with ${trace.heuristic}: ${plural(trace.expansions.length, "expansion")} recorded; the search ${end}.`;
      announce(told.textContent);
      go(0);
    } catch (error) {
      trace = null;
      steps.hidden = true;
      told.textContent = error instanceof Error ? error.message : String(error);
      toast(told.textContent, "error");
    }
  }

  /** @param {number} to */
  function go(to) {
    if (!trace || !trace.expansions.length) return;
    index = Math.max(0, Math.min(trace.expansions.length - 1, to));
    pointed = null;
    show();
  }

  /** @param {Expansion} expansion */
  function picture(expansion) {
    const position = Position.parse(board);
    for (let cell = 0; cell < position.cells.length; cell += 1) position.take(cell, BOX | PLAYER);
    for (const cell of expansion.boxes) position.put(cell, BOX);
    position.put(expansion.player, PLAYER);
    position.player = expansion.player;
    return position;
  }

  function show() {
    const expansion = trace?.expansions[index];
    if (!trace || !expansion) return;
    const c = colours();
    const arrows = expansion.successors
      .map((successor, number) => ({ successor, number }))
      .filter(({ successor, number }) => successor.from !== null && successor.to !== null && (pointed === null || pointed === number))
      .map(({ successor }) => ({ from: /** @type {number} */ (successor.from), to: /** @type {number} */ (successor.to), colour: isCut(successor) ? c.blame : successor.fate === "known" ? c.tunnel : c.hint, dashed: isCut(successor) }));
    view.show(picture(expansion), { arrows });
    slider.value = String(index);
    where.textContent = `${index + 1} / ${trace.expansions.length}`;
    const figures = [
      ["State", `#${expansion.node}`],
      ["g, cost so far", count(expansion.g)],
      ["h, estimate", count(expansion.h)],
      ["f = g + h", count(expansion.g + expansion.h)],
      ["Waiting besides", count(expansion.waiting)],
      ["Reached from step", expansion.parent === null ? "start" : count(expansion.parent + 1)],
    ];
    fill(facts, figures.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
    const width = trace.width;
    const place = (/** @type {number} */ cell) => `${Math.floor(cell / width) + 1},${(cell % width) + 1}`;
    const words = (/** @type {Successor} */ successor) => (successor.from !== null && successor.to !== null ? `box ${place(successor.from)} → ${place(successor.to)}` : `player to ${place(successor.player)}`);
    fill(table, h("table", null,
      h("thead", null, h("tr", null, h("th", null, "Action (row,column)"), h("th", null, "What became of it"), h("th", { class: "number" }, "g"), h("th", { class: "number" }, "h"), h("th", { class: "number" }, "f"), h("th", { class: "number" }, "State"))),
      h("tbody", null, expansion.successors.map((successor, number) => {
        const point = (/** @type {number|null} */ to) => () => {
          pointed = to;
          show1(number, to !== null);
        };
        return h("tr", { onpointerenter: point(number), onpointerleave: point(null) },
          h("td", null, words(successor)),
          h("td", null, h("span", { class: `tag ${isCut(successor) ? "cut" : successor.fate === "known" ? "known" : "new"}` }, isCut(successor) ? `${FATES[successor.fate]}: ${successor.rule}` : FATES[successor.fate]), isCut(successor) ? h("span", { class: "about" }, ` ${about(successor.rule)}`) : null),
          h("td", { class: "number" }, isCut(successor) ? "" : count(successor.g)),
          h("td", { class: "number" }, successor.h === null ? "" : count(successor.h)),
          h("td", { class: "number" }, isCut(successor) ? "" : count(successor.g + (successor.h ?? 0))),
          h("td", { class: "number" }, successor.node === null ? "" : `#${successor.node}`),
        );
      })),
    ));
  }

  /** Draws the board anew for one successor without touching the table. @param {number} number @param {boolean} on */
  function show1(number, on) {
    const expansion = trace?.expansions[index];
    const successor = expansion?.successors[number];
    if (!expansion || !successor) return;
    const c = colours();
    const chosen = on ? [successor] : expansion.successors;
    view.show(picture(expansion), { arrows: chosen.filter(({ from, to }) => from !== null && to !== null).map((one) => ({ from: /** @type {number} */ (one.from), to: /** @type {number} */ (one.to), colour: isCut(one) ? c.blame : one.fate === "known" ? c.tunnel : c.hint, dashed: isCut(one) })) });
  }

  const isCut = (/** @type {Successor} */ successor) => successor.fate === "cut" || successor.fate === "dead";
  const about = (/** @type {string|null} */ rule) => store.about.solver.detectors.find((choice) => choice.name === rule)?.about ?? "";

  const clear = () => {
    trace = null;
    steps.hidden = true;
    fill(facts);
    fill(table);
    view.show(Position.parse(store.current.board), {});
  };
  document.addEventListener("levelchange", clear);
  clear();

  const inspect = button("Inspect", () => run(), { class: "primary large" });
  // A search from both ends has no single order to step through; each of its halves has one.
  const half = (/** @type {boolean} */ reverse) => () => {
    form.algorithm.value = "a-star";
    form.reverse.checked = reverse;
    form.rowsShown();
    form.explain();
    run();
  };
  const halves = h("div", { class: "banner fair", hidden: true },
    h("span", null, "Bidirectional search grows two frontiers at once, so it has no single order to step through. Each half can be inspected by itself, as A*:"),
    button("The half that pushes", half(false)),
    button("The half that pulls", half(true)),
  );
  form.plan.addEventListener("explained", () => {
    halves.hidden = form.algorithm.value !== "bidirectional";
    inspect.disabled = !form.ok || !halves.hidden;
  });
  const element = h("div", { class: "view two" },
    h("h1", { class: "hidden-text" }, "Inspect a search"),
    h("div", { class: "stage" },
      levelBar(),
      h("div", { class: "board-card card" }, view.element, steps),
      h("section", { class: "card live", "aria-label": "The chosen state" }, h("h2", null, "The chosen state and its successors"), told, facts, table,
        h("p", { class: "about" }, "Arrows on the board: thick green joins the frontier, thick violet is known already, thin red was cut. Point at a row to see its arrow alone.")),
    ),
    h("aside", { class: "side card", "aria-label": "What to inspect" }, h("h2", null, "What to inspect"),
      h("div", { class: "row" }, inspect),
      halves,
      form.plan,
      h("div", { class: "field" }, h("label", { htmlFor: "inspect-nodes" }, "Steps to record"), Object.assign(nodes, { id: "inspect-nodes" }), h("p", { class: "about" }, "At most 2000; the search itself is not changed by being watched.")),
      form.element),
  );
  return {
    element,
    key: (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.key === "Enter" && inspect.disabled) return false;
      if (event.key === "Enter") run();
      else if (event.key === "ArrowRight") go(index + 1);
      else if (event.key === "ArrowLeft") go(index - 1);
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go((trace?.expansions.length ?? 1) - 1);
      else return false;
      return true;
    },
  };
}
