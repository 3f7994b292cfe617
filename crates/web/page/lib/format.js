// Figures for people, as their language writes them.

const whole = new Intl.NumberFormat();

/** @param {number} digits */
const fixed = (digits) =>
  new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
const [none, one, two] = [fixed(0), fixed(1), fixed(2)];
const parts = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

/** @param {number} n */
export const count = (n) => whole.format(n);

/** @param {number} n With two places behind the point. */
export const decimal = (n) => two.format(n);

/** @param {number} n A part of one. */
export const percent = (n) => parts.format(n);

/** @param {number} n A number in few characters. */
export function short(n) {
  if (n < 10_000) return whole.format(Math.round(n));
  if (n < 1e6) return `${(n < 1e5 ? one : none).format(n / 1e3)} k`;
  if (n < 1e9) return `${(n < 1e8 ? one : none).format(n / 1e6)} M`;
  return `${one.format(n / 1e9)} G`;
}

/** @param {number} seconds */
export function time(seconds) {
  if (seconds < 0.001) return "< 1 ms";
  if (seconds < 1) return `${(seconds < 0.01 ? one : none).format(seconds * 1000)} ms`;
  if (seconds < 60) return `${one.format(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** @param {number} n */
export function bytes(n) {
  if (n < 1024) return `${n} B`;
  if (n < 1 << 20) return `${none.format(n / 1024)} KiB`;
  if (n < 1 << 30) return `${one.format(n / (1 << 20))} MiB`;
  return `${two.format(n / (1 << 30))} GiB`;
}

/**
 * What is known about an answer, in words.
 * @param {string} proof
 */
export function proofWords(proof) {
  if (proof === "optimal-pushes") return "Optimal: proved to have the fewest pushes";
  if (proof === "optimal-moves") return "Optimal: proved to have the fewest moves";
  if (proof === "optimal") return "Optimal: proved to have the fewest moves";
  const factor = /^at-most-(.+)$/.exec(proof);
  if (factor) return `Bounded: at most ${two.format(Number(factor[1]))} times the shortest`;
  return "No proof: a shorter solution may exist";
}

/** @param {string} proof */
export const proofKind = (proof) =>
  proof.startsWith("optimal") ? "good" : proof.startsWith("at-most") ? "fair" : "plain";

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : (many ?? `${one}s`)}`;
