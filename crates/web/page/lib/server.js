// Talking to `lurd serve`: questions by HTTP, jobs by event streams.

import { ApiError } from "./refusal.js";

/** @typedef {import("./types.js").Transport} Transport */

const API = "api/v1";

/** What the server says about itself; null where none answers, as on a static host. @returns {Promise<any>} */
export async function findServer() {
  try {
    const response = await fetch(`${API}/about`);
    const about = response.ok ? await response.json() : null;
    return about?.name === "lurd" ? about : null;
  } catch {
    return null;
  }
}

/** @type {Transport} */
export const server = {
  async ask(method, path, body, type) {
    /** @type {Response} */
    let response;
    try {
      response = await fetch(API + path, { method, body: body ?? null, headers: type ? { "content-type": type } : {} });
    } catch {
      throw new ApiError(0, "The server does not answer. Is `lurd serve` still running?");
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new ApiError(response.status, answer.error ?? `The server answered ${response.status}.`);
    return answer;
  },

  follow: (id, onstate, onbroken) => events(`/jobs/${id}/events`, onstate, onbroken),
};

/** Where the server has something that a browser fetches by itself: a picture, a file. @param {string} path */
export const serverAddress = (path) => API + path;

/**
 * Calls back with every state that a stream of the server tells, until the function it gives is called.
 * @param {string} path
 * @param {(state: any) => void} onstate
 * @param {() => void} onbroken
 */
export function events(path, onstate, onbroken) {
  const source = new EventSource(API + path);
  /** @param {MessageEvent} event */
  const take = (event) => onstate(JSON.parse(event.data));
  source.addEventListener("state", take);
  source.addEventListener("done", take);
  source.addEventListener("error", () => {
    source.close();
    onbroken();
  });
  return () => source.close();
}
