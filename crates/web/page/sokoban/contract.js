// What crosses the border to the solver: the one place where a search is asked for and where its answer is read.

/** @typedef {import("../lib/types.js").Config} Config */
/** @typedef {import("../lib/types.js").JobLimits} JobLimits */
/** @typedef {import("../lib/types.js").Job} Job */

/** A search for a solution, as it is asked for. @param {string} board @param {Config} config @param {JobLimits} limits */
export const searchRequest = (board, config, limits) => ({ kind: "sokoban", board, request: { ...config, ...limits } });

/** A job as the page reads it. @param {any} job @returns {Job} */
export const readJob = (job) => job;
