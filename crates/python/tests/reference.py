"""The published environments written down once more, slowly and by themselves: what the presets are held against.

Rules and numbers are those of the table in docs/python.md. Nothing here uses lurd.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
COLOURS = {
    "wall": (0, 0, 0),
    "floor": (243, 248, 238),
    "goal": (254, 126, 125),
    "box on goal": (254, 95, 56),
    "box": (142, 121, 56),
    "player": (160, 212, 56),
    "player on goal": (219, 212, 56),
}
# (direction or None, may push)
ACTIONS: dict[str, list[tuple[tuple[int, int] | None, bool]]] = {
    "gym-sokoban-tiny": [(None, False)] + [(d, True) for d in (UP, DOWN, LEFT, RIGHT)] + [(d, False) for d in (UP, DOWN, LEFT, RIGHT)],
    "jumanji": [(d, True) for d in (UP, RIGHT, DOWN, LEFT)],
    "envpool": [(d, True) for d in (UP, DOWN, LEFT, RIGHT)],
    "envpool-noop": [(None, False)] + [(d, True) for d in (UP, DOWN, LEFT, RIGHT)],
    "pufferlib": [(None, False)] + [(d, True) for d in (DOWN, UP, LEFT, RIGHT)],
}
ACTIONS["gym-sokoban"] = ACTIONS["gym-sokoban-tiny"]
STEPS = {"gym-sokoban": 120, "gym-sokoban-tiny": 120, "jumanji": 120, "envpool": 60, "envpool-noop": 60, "pufferlib": 500}


class Reference:
    """One board by the rules of a preset."""

    def __init__(self, preset: str, text: str) -> None:
        self.preset = preset
        rows = text.rstrip("\n").split("\n")
        self.size = len(rows), max(map(len, rows))
        squares = {(r, c): square for r, row in enumerate(rows) for c, square in enumerate(row)}
        self.walls = {place for place, square in squares.items() if square == "#"}
        self.goals = {place for place, square in squares.items() if square in ".*+"}
        self.boxes = {place for place, square in squares.items() if square in "$*"}
        [self.player] = [place for place, square in squares.items() if square in "@+"]
        self.steps = 0
        # gym-sokoban begins every episode as if no box were on a goal.
        self.counted = 0 if preset.startswith("gym") else len(self.boxes & self.goals)
        # PufferLib pays for each goal once.
        self.unpaid = set(self.goals)

    def step(self, action: int) -> tuple[float, bool, bool]:
        """Reward, terminated, truncated."""
        direction, push = ACTIONS[self.preset][action]
        self.steps += 1
        arrived = None
        if direction is not None:
            ahead = self.player[0] + direction[0], self.player[1] + direction[1]
            beyond = ahead[0] + direction[0], ahead[1] + direction[1]
            if ahead in self.boxes:
                if push and beyond not in self.walls | self.boxes:
                    self.boxes = self.boxes - {ahead} | {beyond}
                    self.player = ahead
                    arrived = beyond
            elif ahead not in self.walls:
                self.player = ahead
        home = len(self.boxes & self.goals)
        solved = home == len(self.boxes)
        timeout = self.steps >= STEPS[self.preset] and not solved
        if self.preset == "pufferlib":
            reward = 0.0
            if arrived in self.unpaid:
                self.unpaid -= {arrived}
                reward += 0.1
            if home < self.counted:
                reward -= 0.5
            reward += 1.0 if solved else -1.0 if timeout else 0.0
        else:
            reward = -0.1
            if home != self.counted:
                reward += 1 if home > self.counted else -1
            if solved:
                reward += 10
        self.counted = home
        if self.preset in ("jumanji", "pufferlib"):
            return reward, solved or timeout, False
        return reward, solved, timeout

    def what(self, place: tuple[int, int]) -> str:
        """The name of what is on a square."""
        if place in self.walls:
            return "wall"
        on = " on goal" if place in self.goals else ""
        if place in self.boxes:
            return "box" + on
        if place == self.player:
            return "player" + on
        return "goal" if on else "floor"

    def observation(self) -> npt.NDArray[np.uint8]:
        """The observation of every preset but the large pictures."""
        height, width = self.size
        grid = [[self.what((r, c)) for c in range(width)] for r in range(height)]
        if self.preset in ("gym-sokoban-tiny", "envpool", "envpool-noop"):
            picture = np.array([[COLOURS[name] for name in row] for row in grid], np.uint8)
            return picture if self.preset.startswith("gym") else picture.transpose(2, 0, 1)
        moving = np.array([[3 if "player" in n else 4 if "box" in n else 0 for n in row] for row in grid], np.uint8)
        fixed = np.array([[1 if n == "wall" else 2 if "goal" in n else 0 for n in row] for row in grid], np.uint8)
        if self.preset == "jumanji":
            return np.stack([moving, fixed], axis=-1)
        planes = [moving == 3, fixed == 1, moving == 4, fixed == 2]
        return np.concatenate([plane.astype(np.uint8).ravel() for plane in planes])
