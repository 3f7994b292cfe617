// Figures for people.

const whole = new Intl.NumberFormat("en");

/** @param {number} n */
export const count = (n) => whole.format(n);

/** @param {number} n A number in few characters. */
export function short(n) {
  if (n < 10_000) return whole.format(Math.round(n));
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)} k`;
  if (n < 1e9) return `${(n / 1e6).toFixed(n < 1e8 ? 1 : 0)} M`;
  return `${(n / 1e9).toFixed(1)} G`;
}

/** @param {number} seconds */
export function time(seconds) {
  if (seconds < 0.001) return "< 1 ms";
  if (seconds < 1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** @param {number} n */
export function bytes(n) {
  if (n < 1024) return `${n} B`;
  if (n < 1 << 20) return `${(n / 1024).toFixed(0)} KiB`;
  if (n < 1 << 30) return `${(n / (1 << 20)).toFixed(1)} MiB`;
  return `${(n / (1 << 30)).toFixed(2)} GiB`;
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
  if (factor) return `Bounded: at most ${Number(factor[1]).toFixed(2)} times the shortest`;
  return "No proof: a shorter solution may exist";
}

/** @param {string} proof */
export const proofKind = (proof) => (proof.startsWith("optimal") ? "good" : proof.startsWith("at-most") ? "fair" : "plain");

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many ?? `${one}s`}`;
