// Unfinished games, one for each level, in the browser: with all that can be undone and done again.

import { forget, keep, kept } from "../lib/keep.js";
import { keyOf } from "../store.js";
import { Game } from "./game.js";

/** @param {string} board */
const nameOf = (board) => `game/${keyOf(board)}`;

/** The game of a level as it was left. @param {string} board */
export function gameOf(board) {
  const game = new Game(board);
  const left = kept(nameOf(board));
  if (left) {
    game.set(String(left.moves ?? ""), String(left.undone ?? ""));
    game.earlier = Array.isArray(left.earlier) ? left.earlier : [];
  }
  return game;
}

/** @param {Game} game */
export function keepGame(game) {
  const untouched = !game.moves.length && !game.undone.length && !game.earlier.length;
  if (untouched) forget(nameOf(game.board));
  else keep(nameOf(game.board), { moves: game.lurd, undone: game.undone.join(""), earlier: game.earlier });
}

/** Whether a name of what is kept is the game of this level. @param {string} name @param {string} board */
export const isGameOf = (name, board) => name === nameOf(board);

/**
 * Puts moves that a search found behind the game of a level, to be done one by one. What was played is not lost.
 * @param {string} board
 * @param {string} moves from the start to where the search began
 * @param {string} next
 */
export function takeOver(board, moves, next) {
  const game = gameOf(board);
  game.takeOver(moves, next);
  keepGame(game);
  document.dispatchEvent(new CustomEvent("gamechange"));
}
