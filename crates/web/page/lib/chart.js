// Charts as SVG: lines over time while a search runs, bars when searches are compared, levels solved within a time by batch runs.

import { INK } from "../sokoban/palette.js";
import { svg } from "./dom.js";

/**
 * A line over time. The picture scales with its box; the latest value stands as text beside it.
 * @param {string} label
 * @param {[number, number][]} points
 * @param {(value: number) => string} words
 */
export function lineChart(label, points, words) {
  const [w, t, pad] = [260, 84, 6];
  const last = points.at(-1);
  const picture = svg("svg", {
    viewBox: `0 0 ${w} ${t}`,
    class: "chart",
    role: "img",
    "aria-label": `${label}: ${last ? words(last[1]) : "no figures yet"}`,
    preserveAspectRatio: "none",
  });
  const most = Math.max(1e-9, ...points.map(([, value]) => value));
  const until = Math.max(1e-9, last ? last[0] : 0);
  const x = (/** @type {number} */ time) => pad + (time / until) * (w - 2 * pad);
  const y = (/** @type {number} */ value) => t - pad - (value / most) * (t - 2 * pad);
  for (const part of [0, 0.5, 1])
    picture.append(svg("line", { x1: pad, x2: w - pad, y1: y(most * part), y2: y(most * part), class: "grid" }));
  if (points.length > 1) {
    const path = points
      .map(([time, value], index) => `${index ? "L" : "M"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`)
      .join("");
    picture.append(svg("path", { d: `${path}L${x(until).toFixed(1)} ${t - pad}L${pad} ${t - pad}Z`, class: "area" }));
    picture.append(svg("path", { d: path, class: "line", "vector-effect": "non-scaling-stroke" }));
  } else if (last) picture.append(svg("circle", { cx: x(last[0]), cy: y(last[1]), r: 3, class: "dot" }));
  return picture;
}

/** The distance of grid lines: 1, 2 or 5 times a power of ten, some five lines in all. @param {number} most */
function stepOf(most) {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power]) if (most / step <= 6) return step;
}

/**
 * Levels solved within a time, a line for each run; the time is logarithmic.
 * @param {import("./types.js").CurveLine[]} lines
 * @param {number} levels all levels: the top of the chart
 */
export function curveChart(lines, levels) {
  const [w, t, left, right, top, bottom] = [720, 300, 52, 16, 14, 36];
  const times = lines.flatMap((line) => line.points.map(([seconds]) => seconds)).filter((seconds) => seconds > 0);
  const first = times.length ? Math.max(-3, Math.floor(Math.log10(Math.min(...times)))) : -2;
  const last = times.length ? Math.max(first + 1, Math.ceil(Math.log10(Math.max(...times)))) : 1;
  const x = (/** @type {number} */ seconds) =>
    left +
    Math.min(1, Math.max(0, (Math.log10(Math.max(1e-9, seconds)) - first) / (last - first))) * (w - left - right);
  const y = (/** @type {number} */ solved) => t - bottom - (solved / Math.max(1, levels)) * (t - top - bottom);
  const words = lines.map((line) => `${line.name}: ${line.points.at(-1)?.[1] ?? 0} of ${levels}`).join("; ");
  const picture = svg("svg", {
    viewBox: `0 0 ${w} ${t}`,
    class: "curve",
    role: "img",
    "aria-label": `Levels solved within a time. ${words}`,
  });
  for (let exponent = first; exponent <= last; exponent += 1) {
    const at = x(10 ** exponent);
    picture.append(
      svg("path", { d: `M${at} ${top}V${t - bottom}`, class: "grid" }),
      svg(
        "text",
        { x: at, y: t - bottom + 20, "text-anchor": "middle", class: "tick" },
        `${exponent < 0 ? (10 ** exponent).toFixed(-exponent) : 10 ** exponent} s`,
      ),
    );
  }
  for (let solved = 0; solved <= levels; solved += stepOf(levels)) {
    picture.append(
      svg("path", { d: `M${left} ${y(solved)}H${w - right}`, class: "grid" }),
      svg("text", { x: left - 8, y: y(solved) + 4, "text-anchor": "end", class: "tick" }, String(solved)),
    );
  }
  lines.forEach((line, place) => {
    const steps = line.points.map(([seconds, solved]) => `H${x(seconds).toFixed(1)}V${y(solved).toFixed(1)}`).join("");
    picture.append(svg("path", { d: `M${x(0)} ${y(0)}${steps}H${w - right}`, class: `line line-${place}` }));
  });
  return picture;
}

/** @typedef {{label: string, value: number|null, text: string}} Bar */

/** How wide a text is in a chart. @param {string} text @param {number} size */
function widthOf(text, size) {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return text.length * size * 0.56;
  context.font = `${size}px system-ui, sans-serif`;
  return Math.ceil(context.measureText(text).width);
}

/**
 * Horizontal bars, one group under another. For a file they have a heading, colours of their own and a background.
 * @param {{title: string, bars: Bar[]}[]} groups
 * @param {{logarithmic?: boolean, heading?: string}} [options]
 */
export function barCharts(groups, { logarithmic = false, heading = "" } = {}) {
  const forFile = heading !== "";
  const all = groups.flatMap((group) => group.bars);
  // Labels stand whole: the picture is as wide as they need.
  const left = Math.max(120, ...all.map((bar) => widthOf(bar.label, 12))) + 22;
  const right = Math.max(60, ...all.map((bar) => widthOf(bar.text, 12))) + 20;
  const [row, room] = [26, 320];
  const w = Math.max(left + room + right, widthOf(heading, 16) + 24);
  const top = forFile ? 40 : 8;
  const height = groups.reduce((sum, group) => sum + 40 + group.bars.length * row + 12, top);
  const picture = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${w} ${height}`,
    width: w,
    height,
    class: "bars",
    role: "img",
    "aria-label": `${heading} ${groups.map((group) => group.title).join(", ")}`.trim(),
  });
  const paint = (/** @type {string} */ kind) =>
    /** @type {Record<string, string>} */ (forFile ? { fill: INK[kind] ?? "" } : { class: `fill-${kind}` });
  const font = /** @type {Record<string, string>} */ (forFile ? { "font-family": "system-ui, sans-serif" } : {});
  if (forFile)
    picture.append(
      svg("rect", { width: w, height, ...paint("paper") }),
      svg("text", { x: 8, y: 26, "font-size": 16, "font-weight": 650, ...paint("ink"), ...font }, heading),
    );
  let y = top;
  for (const { title, bars } of groups) {
    const values = bars.flatMap((bar) => (bar.value ? [bar.value] : []));
    const scale = scaleOf(values, logarithmic);
    picture.append(
      svg(
        "text",
        { x: 8, y: y + 20, "font-size": 15, "font-weight": 650, ...paint("ink"), ...font },
        `${title}${logarithmic ? " (logarithmic)" : ""}`,
      ),
    );
    y += 34;
    for (const bar of bars) {
      const length = bar.value ? Math.max(2, scale(bar.value) * room) : 0;
      picture.append(
        svg(
          "text",
          { x: left - 10, y: y + 17, "font-size": 12, "text-anchor": "end", ...paint("ink"), ...font },
          bar.label,
        ),
        svg("rect", { x: left, y: y + 4, width: length, height: row - 9, rx: 3, ...paint("bar") }),
        svg("text", { x: left + length + 8, y: y + 17, "font-size": 12, ...paint("muted"), ...font }, bar.text),
      );
      y += row;
    }
    y += 18;
  }
  return { picture, width: w, height };
}

/** Values to parts of the longest bar; logarithmic from a tenth of the smallest. @param {number[]} values @param {boolean} logarithmic */
function scaleOf(values, logarithmic) {
  const most = Math.max(1e-12, ...values);
  if (!logarithmic) return (/** @type {number} */ value) => value / most;
  const least = Math.min(most, ...values) / 10;
  return (/** @type {number} */ value) => Math.log(value / least) / Math.log(most / least);
}
