"""Boards as SVG, and solutions that play in a notebook."""

from __future__ import annotations

import json
from html import escape

_SIDE = 24
_WALL, _FLOOR, _GOAL, _BOX, _HOME, _PLAYER = "#5b6270", "#efece4", "#c8504a", "#b8803a", "#4f9a4a", "#2f62b0"


def _rows(text: str) -> list[str]:
    rows = text.rstrip("\n").split("\n")
    width = max(map(len, rows))
    return [row.ljust(width) for row in rows]


def _inside(rows: list[str]) -> list[list[bool]]:
    """Squares that are not open floor around the level."""
    height, width = len(rows), len(rows[0])
    marks = [[True] * width for _ in rows]
    todo = [(r, c) for r in range(height) for c in range(width) if r in (0, height - 1) or c in (0, width - 1)]
    while todo:
        r, c = todo.pop()
        if 0 <= r < height and 0 <= c < width and marks[r][c] and rows[r][c] == " ":
            marks[r][c] = False
            todo += [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return marks


def _ground(rows: list[str]) -> str:
    """Walls, floor and goals."""
    parts = []
    for r, (row, inside) in enumerate(zip(rows, _inside(rows))):
        for c, (square, drawn) in enumerate(zip(row, inside)):
            if drawn:
                colour = _WALL if square == "#" else _FLOOR
                parts.append(f'<rect x="{c * _SIDE}" y="{r * _SIDE}" width="{_SIDE}" height="{_SIDE}" fill="{colour}"/>')
            if square in ".*+":
                x, y = c * _SIDE + _SIDE / 2, r * _SIDE + _SIDE / 2
                parts.append(f'<circle cx="{x}" cy="{y}" r="{_SIDE / 6}" fill="{_GOAL}"/>')
    return "".join(parts)


def _box(r: int, c: int, on_goal: bool) -> str:
    colour = _HOME if on_goal else _BOX
    return (
        f'<rect x="{c * _SIDE + 3}" y="{r * _SIDE + 3}" width="{_SIDE - 6}" height="{_SIDE - 6}" rx="3" '
        f'fill="{colour}" stroke="#0004"/>'
    )


def _player(r: int, c: int) -> str:
    x, y = c * _SIDE + _SIDE / 2, r * _SIDE + _SIDE / 2
    return f'<circle cx="{x}" cy="{y}" r="{_SIDE / 3}" fill="{_PLAYER}"/>'


def _open(rows: list[str]) -> str:
    width, height = len(rows[0]) * _SIDE, len(rows) * _SIDE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'style="max-width:100%;height:auto" role="img" aria-label="Sokoban board">'
    )


def svg(text: str) -> str:
    """A board as a picture."""
    rows = _rows(text)
    pieces = ""
    for r, row in enumerate(rows):
        for c, square in enumerate(row):
            if square in "$*":
                pieces += _box(r, c, square == "*")
            elif square in "@+":
                pieces += _player(r, c)
    return _open(rows) + _ground(rows) + pieces + "</svg>"


# Plays the moves in the page: state is kept in the closure, nothing is loaded from elsewhere.
_SCRIPT = """
(() => {
  const root = document.currentScript.parentElement, game = JSON.parse(root.dataset.game), side = %d;
  const layer = root.querySelector("g"), slider = root.querySelector("input"), label = root.querySelector("output");
  const ways = {l: [0, -1], u: [-1, 0], r: [0, 1], d: [1, 0]};
  const goals = new Set(game.goals.map(String));
  const place = (steps) => {
    let [r, c] = game.player;
    const boxes = new Map(game.boxes.map((box) => [String(box), box]));
    for (const letter of game.moves.slice(0, steps)) {
      const [down, right] = ways[letter.toLowerCase()];
      r += down; c += right;
      if (boxes.delete(String([r, c]))) boxes.set(String([r + down, c + right]), [r + down, c + right]);
    }
    return {player: [r, c], boxes: [...boxes.values()]};
  };
  const draw = () => {
    const now = place(Number(slider.value));
    const box = ([r, c]) => `<rect x="${c * side + 3}" y="${r * side + 3}" width="${side - 6}" height="${side - 6}" rx="3"
      fill="${goals.has(String([r, c])) ? "%s" : "%s"}" stroke="#0004"/>`;
    const [r, c] = now.player;
    layer.innerHTML = now.boxes.map(box).join("") +
      `<circle cx="${(c + .5) * side}" cy="${(r + .5) * side}" r="${side / 3}" fill="%s"/>`;
    label.textContent = `${slider.value} of ${game.moves.length} moves`;
  };
  slider.addEventListener("input", draw);
  let timer = null;
  const button = root.querySelector("button");
  button.addEventListener("click", () => {
    if (timer) { clearInterval(timer); timer = null; button.textContent = "Play"; return; }
    if (slider.value === slider.max) slider.value = 0;
    button.textContent = "Pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + 1; draw();
      if (slider.value === slider.max) { clearInterval(timer); timer = null; button.textContent = "Play"; }
    }, 120);
  });
  draw();
})();
""" % (_SIDE, _HOME, _BOX, _PLAYER)


def _places(rows: list[str], squares: str) -> list[list[int]]:
    return [[r, c] for r, row in enumerate(rows) for c, square in enumerate(row) if square in squares]


def report(text: str, solution: str | None, sentence: str) -> str:
    """What a search found: the board, and the solution to play."""
    caption = f"<div>{escape(sentence.strip('<>').removeprefix('lurd.Report '))}</div>"
    if solution is None:
        return f"<div>{svg(text)}{caption}</div>"
    rows = _rows(text)
    game = {
        "player": _places(rows, "@+")[0],
        "boxes": _places(rows, "$*"),
        "goals": _places(rows, ".*+"),
        "moves": solution,
    }
    controls = (
        f'<div style="display:flex;gap:.5em;align-items:center;margin:.4em 0"><button type="button">Play</button>'
        f'<input type="range" min="0" max="{len(solution)}" value="0" aria-label="Moves" style="flex:1;max-width:24em">'
        f"<output></output></div>"
    )
    data = escape(json.dumps(game), quote=True)
    board = f"{_open(rows)}{_ground(rows)}<g></g></svg>"
    return f'<div data-game="{data}">{board}{controls}{caption}<script>{_SCRIPT}</script></div>'
