// How a board looks. One drawing for the screen (canvas) and for files (SVG): both are pens.

import { BOX, GOAL, PLAYER, WALL } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/**
 * @typedef {{
 *   rect(x: number, y: number, w: number, h: number, r: number, fill: string|null, stroke?: string|null, width?: number): void,
 *   circle(x: number, y: number, r: number, fill: string|null, stroke?: string|null, width?: number): void,
 *   line(points: number[], stroke: string, width: number, fill?: string|null): void,
 *   text(x: number, y: number, size: number, text: string, fill: string): void
 * }} Pen
 * @typedef {{wall: string, wallTop: string, wallFoot: string, floor: string, floorAlt: string, goal: string, goalFill: string,
 *            box: string, boxEdge: string, placed: string, placedEdge: string, placedMark: string, player: string,
 *            playerEdge: string, playerEye: string, dead: string, zone: string, tunnel: string, corral: string,
 *            frozen: string, blame: string, heat: string, distance: string, label: string, hint: string, rooms: string[],
 *            background: string}} Colours
 */

/** @returns {Pen} @param {CanvasRenderingContext2D} context */
export function canvasPen(context) {
  const finish = (
    /** @type {string|null|undefined} */ fill,
    /** @type {string|null|undefined} */ stroke,
    /** @type {number|undefined} */ width,
  ) => {
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke) {
      context.strokeStyle = stroke;
      context.lineWidth = width ?? 1;
      context.stroke();
    }
  };
  return {
    rect(x, y, w, h, r, fill, stroke, width) {
      context.beginPath();
      if (r > 0) context.roundRect(x, y, w, h, r);
      else context.rect(x, y, w, h);
      finish(fill, stroke, width);
    },
    circle(x, y, r, fill, stroke, width) {
      context.beginPath();
      context.arc(x, y, r, 0, Math.PI * 2);
      finish(fill, stroke, width);
    },
    line(points, stroke, width, fill) {
      context.beginPath();
      context.lineJoin = "round";
      context.lineCap = "round";
      for (let i = 0; i < points.length; i += 2)
        context.lineTo(/** @type {number} */ (points[i]), /** @type {number} */ (points[i + 1]));
      if (fill) context.closePath();
      finish(fill, stroke, width);
    },
    text(x, y, size, text, fill) {
      context.font = `600 ${size}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = fill;
      context.fillText(text, x, y);
    },
  };
}

/** A pen that writes SVG; `done` gives the text. @param {number} width @param {number} height */
export function svgPen(width, height) {
  /** @type {string[]} */
  const parts = [];
  const n = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);
  // A colour with an alpha, as the canvas takes it, is not SVG: it becomes an opacity.
  const paint = (/** @type {string} */ name, /** @type {string|null|undefined} */ colour) => {
    if (!colour) return ` ${name}="none"`;
    const alpha = /^#([0-9a-f]{6})([0-9a-f]{2})$/i.exec(colour);
    return alpha
      ? ` ${name}="#${alpha[1]}" ${name}-opacity="${n(parseInt(/** @type {string} */ (alpha[2]), 16) / 255)}"`
      : ` ${name}="${colour}"`;
  };
  const style = (
    /** @type {string|null|undefined} */ fill,
    /** @type {string|null|undefined} */ stroke,
    /** @type {number|undefined} */ w,
  ) => paint("fill", fill) + (stroke ? `${paint("stroke", stroke)} stroke-width="${n(w ?? 1)}"` : "");
  /** @type {Pen} */
  const pen = {
    rect(x, y, w, h, r, fill, stroke, lw) {
      parts.push(
        `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}"${r ? ` rx="${n(r)}"` : ""}${style(fill, stroke, lw)}/>`,
      );
    },
    circle(x, y, r, fill, stroke, lw) {
      parts.push(`<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}"${style(fill, stroke, lw)}/>`);
    },
    line(points, stroke, lw, fill) {
      parts.push(
        `<${fill ? "polygon" : "polyline"} points="${points.map(n).join(" ")}" stroke-linecap="round" stroke-linejoin="round"${style(fill, stroke, lw)}/>`,
      );
    },
    text(x, y, size, text, fill) {
      const safe = text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
      parts.push(
        `<text x="${n(x)}" y="${n(y)}" font-family="system-ui, sans-serif" font-weight="600" font-size="${n(size)}" text-anchor="middle" dominant-baseline="central"${paint("fill", fill)}>${safe}</text>`,
      );
    },
  };
  const done = () =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}">${parts.join("")}</svg>\n`;
  return { pen, done };
}

/** @param {string} colour @param {number} alpha 0 to 1 */
export const faded = (colour, alpha) =>
  colour +
  Math.round(Math.max(0, Math.min(1, alpha)) * 255)
    .toString(16)
    .padStart(2, "0");

/**
 * What is drawn besides the squares.
 * @typedef {{
 *   dead?: number[], zone?: number[], tunnels?: number[], rooms?: number[][], corrals?: number[][], frozen?: number[],
 *   distances?: [number, number][], blamed?: number[], heat?: number[]|null, hint?: {from: number, to: number}|null,
 *   selected?: number|null, targets?: number[], arrows?: {from: number, to: number, colour: string, dashed?: boolean}[],
 *   cursor?: number|null, flaw?: number|null, outside?: boolean, region?: number[], hinted?: number|null
 * }} Extras
 */

/**
 * Draws a position.
 * @param {Pen} pen
 * @param {Position} position
 * @param {number} s pixels of a cell
 * @param {Colours} c
 * @param {Extras} [extras]
 */
export function paintBoard(pen, position, s, c, extras = {}) {
  const { width, height } = position;
  const at = (/** @type {number} */ cell) => [(cell % width) * s, Math.floor(cell / width) * s];
  const inside = position.inside;
  const everywhere = extras.outside === true;
  for (let cell = 0; cell < width * height; cell += 1) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    if (position.has(cell, WALL)) wall(pen, position, cell, x, y, s, c);
    else if (inside[cell] || everywhere || position.has(cell, GOAL | BOX)) {
      const odd = ((cell % width) + Math.floor(cell / width)) % 2;
      pen.rect(x, y, s + 0.5, s + 0.5, 0, odd ? c.floorAlt : c.floor);
    }
  }
  ground(pen, at, s, c, extras);
  for (let cell = 0; cell < width * height; cell += 1) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    // Under the player a goal is larger, so that its corners show.
    if (position.has(cell, GOAL)) goal(pen, x, y, s, c, position.has(cell, PLAYER) ? 0.46 : 0.24);
  }
  marks(pen, at, s, c, extras);
  for (let cell = 0; cell < width * height; cell += 1) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    if (position.has(cell, BOX)) box(pen, x, y, s, c, position.has(cell, GOAL));
    if (position.has(cell, PLAYER)) player(pen, x, y, s, c, position.facing);
  }
  above(pen, at, s, c, extras);
}

/** @param {Pen} pen @param {Position} position @param {number} cell @param {number} x @param {number} y @param {number} s @param {Colours} c */
function wall(pen, position, cell, x, y, s, c) {
  pen.rect(x, y, s + 0.5, s + 0.5, 0, c.wall);
  // A hint of courses of stone, so that large walls are no blank slabs.
  if (s >= 14) {
    const joint = faded(c.wallFoot, 0.38);
    const thin = Math.max(0.6, s * 0.022);
    const lower = x + s * ((Math.floor(cell / position.width) + cell) % 2 ? 0.75 : 0.6);
    pen.line([x, y + s / 2, x + s, y + s / 2], joint, thin);
    pen.line([x + s * 0.25, y, x + s * 0.25, y + s / 2], joint, thin);
    pen.line([lower, y + s / 2, lower, y + s], joint, thin);
  }
  const above = position.beside(cell, "u");
  const below = position.beside(cell, "d");
  if (above < 0 || !position.has(above, WALL)) pen.rect(x, y, s + 0.5, Math.max(1, s * 0.12), 0, c.wallTop);
  if (below < 0 || !position.has(below, WALL)) pen.rect(x, y + s * 0.84, s + 0.5, s * 0.16 + 0.5, 0, c.wallFoot);
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} s @param {Colours} c @param {number} size */
function goal(pen, x, y, s, c, size) {
  const [mx, my, r] = [x + s / 2, y + s / 2, s * size];
  pen.line([mx, my - r, mx + r, my, mx, my + r, mx - r, my], c.goal, Math.max(1, s * 0.06), c.goalFill);
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} s @param {Colours} c @param {boolean} placed */
export function box(pen, x, y, s, c, placed) {
  const inset = s * 0.11;
  const w = s - 2 * inset;
  const lw = Math.max(1, s * 0.055);
  pen.rect(x + inset, y + inset, w, w, s * 0.12, placed ? c.placed : c.box, placed ? c.placedEdge : c.boxEdge, lw);
  // The shape differs as well as the colour: planks while it is to be moved, a tick when it is home.
  if (placed)
    pen.line(
      [x + s * 0.32, y + s * 0.52, x + s * 0.45, y + s * 0.65, x + s * 0.69, y + s * 0.36],
      c.placedMark,
      Math.max(1.5, s * 0.09),
    );
  else {
    pen.line([x + s * 0.24, y + s * 0.37, x + s * 0.76, y + s * 0.37], faded(c.boxEdge, 0.55), lw * 0.8);
    pen.line([x + s * 0.24, y + s * 0.63, x + s * 0.76, y + s * 0.63], faded(c.boxEdge, 0.55), lw * 0.8);
  }
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} s @param {Colours} c @param {string} facing */
export function player(pen, x, y, s, c, facing) {
  const [mx, my] = [x + s / 2, y + s / 2];
  pen.circle(mx, my, s * 0.34, c.player, c.playerEdge, Math.max(1, s * 0.05));
  const dx = facing === "l" ? -1 : facing === "r" ? 1 : 0;
  const dy = facing === "u" ? -1 : facing === "d" ? 1 : 0;
  const [ex, ey] = [mx + dx * s * 0.12, my + dy * s * 0.1];
  const apart = dx ? s * 0.09 : s * 0.12;
  if (facing === "u") {
    pen.line([mx - apart, my - s * 0.14, mx + apart, my - s * 0.14], c.playerEye, Math.max(1, s * 0.06));
    return;
  }
  pen.circle(ex - apart, ey, s * 0.06, c.playerEye);
  pen.circle(ex + apart, ey, s * 0.06, c.playerEye);
}

/** Overlays under the boxes. @param {Pen} pen @param {(cell: number) => number[]} at @param {number} s @param {Colours} c @param {Extras} extras */
function ground(pen, at, s, c, extras) {
  const thin = Math.max(1, s * 0.05);
  extras.rooms?.forEach((room, index) => {
    const colour = /** @type {string} */ (c.rooms[index % c.rooms.length]);
    for (const cell of room) {
      const [x, y] = /** @type {[number, number]} */ (at(cell));
      pen.rect(x, y, s, s, 0, faded(colour, 0.22));
    }
    const [x, y] = /** @type {[number, number]} */ (at(/** @type {number} */ (room[0])));
    pen.text(x + s * 0.2, y + s * 0.22, Math.max(8, s * 0.28), String.fromCharCode(65 + (index % 26)), c.label);
  });
  if (extras.heat) {
    extras.heat.forEach((heat, cell) => {
      if (!heat) return;
      const [x, y] = /** @type {[number, number]} */ (at(cell));
      pen.rect(x + 0.5, y + 0.5, s - 1, s - 1, s * 0.08, faded(c.heat, 0.06 + (heat / 255) * 0.7));
    });
  }
  for (const cell of extras.region ?? []) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    pen.rect(x, y, s + 0.5, s + 0.5, 0, faded(c.hint, 0.28));
  }
  for (const cell of extras.tunnels ?? []) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    pen.rect(x + s * 0.14, y + s * 0.14, s * 0.72, s * 0.72, s * 0.1, null, c.tunnel, thin);
    pen.rect(x + s * 0.26, y + s * 0.26, s * 0.48, s * 0.48, s * 0.06, null, faded(c.tunnel, 0.6), thin);
  }
  for (const corral of extras.corrals ?? []) {
    for (const cell of corral) {
      const [x, y] = /** @type {[number, number]} */ (at(cell));
      pen.rect(x, y, s, s, 0, faded(c.corral, 0.1));
      for (const t of [0.25, 0.5, 0.75]) {
        pen.line(
          [
            x + s * Math.max(0, t * 2 - 1),
            y + s * Math.min(1, t * 2),
            x + s * Math.min(1, t * 2),
            y + s * Math.max(0, t * 2 - 1),
          ],
          faded(c.corral, 0.6),
          thin * 0.8,
        );
      }
    }
  }
}

/** Marks on squares and goals, under the boxes. @param {Pen} pen @param {(cell: number) => number[]} at @param {number} s @param {Colours} c @param {Extras} extras */
function marks(pen, at, s, c, extras) {
  const thin = Math.max(1, s * 0.05);
  if (extras.distances) {
    const most = Math.max(1, ...extras.distances.map(([, pushes]) => pushes));
    for (const [cell, pushes] of extras.distances) {
      const [x, y] = /** @type {[number, number]} */ (at(cell));
      pen.rect(x, y, s, s, 0, faded(c.distance, 0.34 * (1 - pushes / most)));
      pen.text(x + s / 2, y + s / 2, Math.max(7, s * 0.34), String(pushes), c.label);
    }
  }
  for (const cell of extras.zone ?? []) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    pen.circle(x + s / 2, y + s / 2, Math.max(1.2, s * 0.07), c.zone, c.background, thin * 0.5);
  }
  for (const cell of extras.dead ?? []) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    pen.line([x + s * 0.36, y + s * 0.36, x + s * 0.64, y + s * 0.64], c.dead, thin);
    pen.line([x + s * 0.64, y + s * 0.36, x + s * 0.36, y + s * 0.64], c.dead, thin);
  }
  for (const cell of extras.targets ?? []) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    pen.rect(x + s * 0.32, y + s * 0.32, s * 0.36, s * 0.36, s * 0.08, faded(c.hint, 0.75), c.background, thin);
  }
}

/** Overlays over the boxes. @param {Pen} pen @param {(cell: number) => number[]} at @param {number} s @param {Colours} c @param {Extras} extras */
function above(pen, at, s, c, extras) {
  const frame = (/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number} */ width) => {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    pen.rect(x + s * 0.06, y + s * 0.06, s * 0.88, s * 0.88, s * 0.14, null, colour, Math.max(1.5, s * width));
  };
  for (const cell of extras.frozen ?? []) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    frame(cell, c.frozen, 0.07);
    const [mx, my, r] = [x + s / 2, y + s / 2, s * 0.2];
    for (const angle of [0, Math.PI / 3, (2 * Math.PI) / 3]) {
      const [dx, dy] = [Math.cos(angle) * r, Math.sin(angle) * r];
      pen.line([mx - dx, my - dy, mx + dx, my + dy], c.frozen, Math.max(1, s * 0.05));
    }
  }
  for (const cell of extras.blamed ?? []) frame(cell, c.blame, 0.1);
  for (const cell of extras.blamed ?? []) {
    const [x, y] = /** @type {[number, number]} */ (at(cell));
    pen.circle(x + s * 0.84, y + s * 0.16, s * 0.17, c.blame);
    pen.text(x + s * 0.84, y + s * 0.17, s * 0.26, "!", "#ffffff");
  }
  for (const arrow of extras.arrows ?? [])
    arrowBetween(pen, at, s, arrow.from, arrow.to, arrow.colour, arrow.dashed ? 0.05 : 0.1);
  if (extras.hint) arrowBetween(pen, at, s, extras.hint.from, extras.hint.to, c.hint, 0.11);
  if (extras.hinted !== null && extras.hinted !== undefined) frame(extras.hinted, c.hint, 0.1);
  if (extras.selected !== null && extras.selected !== undefined) frame(extras.selected, c.hint, 0.08);
  if (extras.cursor !== null && extras.cursor !== undefined) frame(extras.cursor, c.goal, 0.06);
  if (extras.flaw !== null && extras.flaw !== undefined) frame(extras.flaw, c.blame, 0.1);
}

/** @param {Pen} pen @param {(cell: number) => number[]} at @param {number} s @param {number} from @param {number} to @param {string} colour @param {number} width */
function arrowBetween(pen, at, s, from, to, colour, width) {
  const [ax, ay] = /** @type {[number, number]} */ (at(from));
  const [bx, by] = /** @type {[number, number]} */ (at(to));
  const [dx, dy] = [Math.sign(bx - ax), Math.sign(by - ay)];
  const [x0, y0, x1, y1] = [
    ax + s / 2 + dx * s * 0.2,
    ay + s / 2 + dy * s * 0.2,
    bx + s / 2 + dx * s * 0.1,
    by + s / 2 + dy * s * 0.1,
  ];
  pen.line([x0, y0, x1, y1], colour, Math.max(1.5, s * width));
  const head = s * (0.1 + width);
  pen.line(
    [
      x1 - dx * head - dy * head,
      y1 - dy * head - dx * head,
      x1,
      y1,
      x1 - dx * head + dy * head,
      y1 - dy * head + dx * head,
    ],
    colour,
    Math.max(1.5, s * width),
  );
}

/**
 * Row and column numbers, left of and above the board.
 * @param {Pen} pen
 * @param {Position} position
 * @param {number} s pixels of a cell
 * @param {number} edge pixels of the edge
 * @param {Colours} c
 */
export function paintCoordinates(pen, position, s, edge, c) {
  const size = Math.max(7, Math.min(edge * 0.62, 15));
  for (let x = 0; x < position.width; x += 1) pen.text(x * s + s / 2, -edge / 2, size, String(x + 1), c.label);
  for (let y = 0; y < position.height; y += 1) pen.text(-edge / 2, y * s + s / 2, size, String(y + 1), c.label);
}

/** @param {Position} position @param {Colours} c @param {number} [s] */
export function boardSvg(position, c, s = 32) {
  const { pen, done } = svgPen(position.width * s, position.height * s);
  pen.rect(0, 0, position.width * s, position.height * s, 0, c.background);
  paintBoard(pen, position, s, c);
  return done();
}
