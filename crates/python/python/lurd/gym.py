"""Gymnasium environments: ``import lurd.gym`` registers them (``pip install lurd[gym]``).

>>> import gymnasium, lurd.gym
>>> env = gymnasium.make("lurd/Jumanji-v0")
>>> observation, info = env.reset(seed=1)
>>> observation.shape
(10, 10, 2)
>>> vector = gymnasium.make_vec("lurd/EnvPool-v0", num_envs=8)
>>> vector.reset(seed=1)[0].shape
(8, 3, 10, 10)

A preset has the observations, actions, rewards and episodes of the environment it is named after; each can be changed.
With ``oracle=True`` the info says how the position stands: dead or not and why, the exact distance, an optimal next push.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any, Union

import numpy as np
import numpy.typing as npt

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError as error:  # pragma: no cover
    raise ImportError("lurd.gym needs Gymnasium: pip install lurd[gym]") from error

from . import _lurd
from ._levels import Collection, load, rooms
from ._lurd import Level, Oracle
from .errors import ConfigError

PRESETS: tuple[str, ...] = tuple(_lurd.PRESETS)
"""The presets by name."""

LEGENDS: dict[str, str] = {
    "xsb": "# .*$@+",
    "words": "#_OXBPp",
    "letters": "W-GHBPQ",
}
"""Legends of text boards: the characters of wall, floor, goal, box on goal, box, player, player on goal."""

Levels = Union[str, "os.PathLike[str]", Iterable[Level], None]
"""Levels, a file or a folder of files of levels; None for generated rooms."""

Observation = npt.NDArray[np.uint8]


def _levels(levels: Levels, room_count: int, size: tuple[int, int], boxes: int, seed: int, most: int | None) -> list[Level]:
    if levels is None:
        return rooms(room_count, size=size, boxes=boxes, seed=seed)
    if isinstance(levels, (str, os.PathLike)):
        path = os.fspath(levels)
        names = sorted(os.listdir(path)) if os.path.isdir(path) else [None]
        found: list[Level] = []
        for name in names:
            file = path if name is None else os.path.join(path, name)
            if name is None or os.path.isfile(file):
                found += load(file)
            if most is not None and len(found) >= most:
                break
    else:
        found = list(levels)
    return found if most is None else found[:most]


_REWARDS = {
    "reward_step": "step",
    "reward_box": "box_on_goal",
    "reward_box_off": "box_off_goal",
    "reward_finished": "solved",
    "reward_timeout": "timeout",
}


def _rules(preset: str, observation: str | None, changes: Mapping[str, Any]) -> dict[str, Any]:
    rules = dict(_lurd.preset_rules(preset))
    for name, value in changes.items():
        if value is None:
            continue
        if name == "max_steps":
            rules["max_steps"] = rules["min_steps"] = value
        elif name == "min_steps":
            rules["min_steps"] = value
        elif name == "actions":
            rules["actions"] = list(value)
        else:
            rules[_REWARDS[name]] = value
    if changes.get("reward_box") is not None and changes.get("reward_box_off") is None:
        rules["box_off_goal"] = -rules["box_on_goal"]
    if observation is not None:
        rules["view"] = observation
    return rules


def _standing(oracle: Oracle, text: str) -> dict[str, Any]:
    """The answers of an oracle under names for an info."""
    answer = oracle.ask(text)
    push = answer["push"]
    return {
        "dead": answer["dead"],
        "dead_reason": answer["reason"],
        "dead_boxes": answer["boxes"],
        "distance": answer["distance"],
        "optimal_push": None if push is None else (push.row, push.column, push.direction),
    }


def _text(grid: npt.NDArray[np.uint8], legend: str) -> str:
    return "\n".join("".join(legend[tile] for tile in row) for row in grid.tolist())


def _legend(legend: str) -> str:
    characters = LEGENDS.get(legend, legend)
    if len(characters) != 7 or len(set(characters)) != 7:
        raise ConfigError(
            f"a legend is one of {', '.join(LEGENDS)} or seven different characters for wall, floor, goal, box on goal, "
            f"box, player, player on goal; {legend!r} is not"
        )
    return characters


class SokobanEnv(gymnasium.Env[Any, Any]):
    """One board.

    ``preset`` chooses the rules (see :data:`PRESETS`); ``observation`` another preset's observations, "grid" (a number a
    square) or "text" (in ``legend``, see :data:`LEGENDS`). ``levels`` are levels, a file or a folder of files in any format
    (Boxoban as it comes); without them rooms are generated. ``order`` is "random" or "sequential"; ``max_levels`` bounds
    how many are read. ``reset(options={"level": 3})`` plays the fourth.

    ``oracle`` adds ``dead``, ``dead_reason``, ``dead_boxes``, ``distance`` and ``optimal_push`` to the info; each answer is
    proved inside ``oracle_seconds``, or None.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 8}

    def __init__(
        self,
        preset: str = "gym-sokoban",
        *,
        levels: Levels = None,
        observation: str | None = None,
        legend: str = "xsb",
        size: tuple[int, int] | None = None,
        boxes: int = 4,
        room_count: int = 100,
        room_seed: int = 0,
        max_levels: int | None = None,
        order: str = "random",
        max_steps: int | None = None,
        min_steps: int | None = None,
        actions: Iterable[str] | None = None,
        reward_step: float | None = None,
        reward_box: float | None = None,
        reward_box_off: float | None = None,
        reward_finished: float | None = None,
        reward_timeout: float | None = None,
        oracle: bool = False,
        oracle_seconds: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ConfigError(f"a render mode is rgb_array or ansi, and not {render_mode!r}")
        self.render_mode = render_mode
        self.levels = tuple(_levels(levels, room_count, size or (10, 10), boxes, room_seed, max_levels))
        self._legend = _legend(legend)
        self._is_text = observation == "text"
        changes = {
            "max_steps": max_steps,
            "min_steps": min_steps,
            "actions": actions,
            "reward_step": reward_step,
            "reward_box": reward_box,
            "reward_box_off": reward_box_off,
            "reward_finished": reward_finished,
            "reward_timeout": reward_timeout,
        }
        rules = _rules(preset, "grid" if self._is_text else observation, changes)
        self._batch = _lurd.Batch(self.levels, rules, 1, order, "disabled", 1, size)
        self._pictures: Any = None
        self.action_space = spaces.Discrete(self._batch.action_count)
        shape = self._batch.observations.shape[1:]
        if self._is_text:
            length = shape[0] * (shape[1] + 1) - 1
            self.observation_space = spaces.Text(length, min_length=length, charset=self._legend + "\n")
        else:
            self.observation_space = spaces.Box(0, self._batch.highest, shape, np.uint8)
        self._oracle = Oracle(time_limit=oracle_seconds) if oracle else None

    def _observation(self) -> Any:
        if self._is_text:
            return _text(self._batch.observations[0], self._legend)
        return self._batch.observations[0].copy()

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"level": self._batch.levels()[0], "solved": self._batch.is_solved(0)}
        if self._oracle is not None:
            info |= _standing(self._oracle, self._batch.text(0))
        return info

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode; ``options={"level": number}`` chooses the level, from 0."""
        super().reset(seed=seed)
        level = (options or {}).get("level")
        self._batch.reset(seed, None if level is None else [level])
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes an action."""
        self._batch.step(np.array([operator.index(action)], np.int64))
        batch = self._batch
        reward = float(batch.rewards[0])
        return self._observation(), reward, bool(batch.terminated[0]), bool(batch.truncated[0]), self._info()

    def text(self, legend: str = "xsb") -> str:
        """The board as text in a legend."""
        return _text(self._batch.grids()[0], _legend(legend))

    def render(self) -> Any:
        """A picture of 16 pixels a square, or the text of the board."""
        if self.render_mode == "ansi":
            return self.text()
        if self.render_mode is None:
            return None
        return picture(self._batch.grids()[0])


_SPRITES: list[npt.NDArray[np.uint8]] = []


def picture(grid: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The picture of a grid of tiles, as in the preset gym-sokoban."""
    if not _SPRITES:
        # A board that shows every tile once.
        level = Level("##########\n#@ .$*   #\n##########")
        rules = _lurd.preset_rules("gym-sokoban")
        batch = _lurd.Batch((level, Level("##########\n#+  $    #\n##########")), rules, 2, "sequential", "disabled", 1)
        batch.reset(0)
        # Wall, floor, goal, box on goal, box, player, player on goal: the board and the square that shows each.
        for board, row, column in [(0, 0, 0), (0, 1, 2), (0, 1, 3), (0, 1, 5), (0, 1, 4), (0, 1, 1), (1, 1, 1)]:
            down, right = slice(row * 16, row * 16 + 16), slice(column * 16, column * 16 + 16)
            _SPRITES.append(batch.observations[board, down, right].copy())
    rows = [np.concatenate([_SPRITES[tile] for tile in row], axis=1) for row in grid.tolist()]
    return np.concatenate(rows, axis=0)


class SokobanVectorEnv(VectorEnv[Any, Any, Any]):
    """Many boards, stepped in Rust by one call over NumPy buffers.

    The options are those of :class:`SokobanEnv`. ``autoreset`` is "next-step", "same-step" or "disabled", as in Gymnasium.
    ``threads`` share the boards where a step writes enough to be worth it. With ``copy=False`` observations, rewards and flags are
    the environment's own arrays, which the next step overwrites; ``observations`` gives it an array of yours to write to.
    Do not change them: a step writes only what changed.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 8}

    def __init__(
        self,
        num_envs: int = 1,
        preset: str = "gym-sokoban",
        *,
        levels: Levels = None,
        observation: str | None = None,
        size: tuple[int, int] | None = None,
        boxes: int = 4,
        room_count: int = 1000,
        room_seed: int = 0,
        max_levels: int | None = None,
        order: str = "random",
        max_steps: int | None = None,
        min_steps: int | None = None,
        actions: Iterable[str] | None = None,
        reward_step: float | None = None,
        reward_box: float | None = None,
        reward_box_off: float | None = None,
        reward_finished: float | None = None,
        reward_timeout: float | None = None,
        autoreset: str = "next-step",
        threads: int | None = None,
        copy: bool = True,
        observations: Observation | None = None,
        oracle: bool = False,
        oracle_seconds: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ConfigError(f"a render mode is rgb_array or ansi, and not {render_mode!r}")
        if observation == "text":
            raise ConfigError("a vector environment has arrays as observations; text(legend) gives its boards as texts")
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.levels = tuple(_levels(levels, room_count, size or (10, 10), boxes, room_seed, max_levels))
        changes = {
            "max_steps": max_steps,
            "min_steps": min_steps,
            "actions": actions,
            "reward_step": reward_step,
            "reward_box": reward_box,
            "reward_box_off": reward_box_off,
            "reward_finished": reward_finished,
            "reward_timeout": reward_timeout,
        }
        rules = _rules(preset, observation, changes)
        threads = threads or os.cpu_count() or 1
        batch = _lurd.Batch(self.levels, rules, num_envs, order, autoreset, threads, size, observations)
        self._batch = batch
        self._copy = copy
        self._same_step = autoreset == "same-step"
        self.metadata = self.metadata | {
            "autoreset_mode": {
                "next-step": AutoresetMode.NEXT_STEP,
                "same-step": AutoresetMode.SAME_STEP,
                "disabled": AutoresetMode.DISABLED,
            }[autoreset]
        }
        self.single_observation_space = spaces.Box(0, batch.highest, batch.observations.shape[1:], np.uint8)
        self.single_action_space = spaces.Discrete(batch.action_count)
        self.observation_space = spaces.Box(0, batch.highest, batch.observations.shape, np.uint8)
        self.action_space = spaces.MultiDiscrete([batch.action_count] * num_envs)
        # The arrays never change their place, so they are asked for once.
        self._observations = batch.observations
        self._rewards = batch.rewards
        self._terminated = batch.terminated
        self._truncated = batch.truncated
        self._oracles = [Oracle(time_limit=oracle_seconds) for _ in range(num_envs)] if oracle else None

    def _info(self) -> dict[str, Any]:
        if self._oracles is None:
            return {}
        answers = [_standing(oracle, self._batch.text(i)) for i, oracle in enumerate(self._oracles)]
        info: dict[str, Any] = {}
        for name in answers[0]:
            column = np.empty(self.num_envs, object)
            column[:] = [answer[name] for answer in answers]
            info[name] = column
            info[f"_{name}"] = np.array([answer[name] is not None for answer in answers])
        return info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins episodes: on all boards, or with ``options={"reset_mask": mask}`` on some; ``{"levels": [...]}`` chooses
        the levels, from 0."""
        options = options or {}
        levels, mask = options.get("levels"), options.get("reset_mask")
        self._batch.reset(seed, None if levels is None else list(levels), None if mask is None else list(map(bool, mask)))
        observations = self._observations.copy() if self._copy else self._observations
        return observations, self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Makes an action on every board."""
        array = np.asarray(actions)
        if array.dtype.kind not in "iu" or array.shape != (self.num_envs,):
            raise ConfigError(
                f"actions are {self.num_envs} whole numbers, one for each board, and not an array of dtype {array.dtype} "
                f"and shape {array.shape}"
            )
        self._batch.step(array if array.dtype == np.int64 else array.astype(np.int64))
        observations, rewards = self._observations, self._rewards
        terminated, truncated = self._terminated, self._truncated
        if self._copy:
            observations, rewards = observations.copy(), rewards.copy()
            terminated, truncated = terminated.copy(), truncated.copy()
        info = {} if self._oracles is None else self._info()
        if self._same_step:
            ended = terminated | truncated
            if ended.any():
                last = self._batch.last_observations
                assert last is not None
                final = np.empty(self.num_envs, object)
                for board in np.flatnonzero(ended):
                    final[board] = last[board].copy()
                info |= {"final_obs": final, "_final_obs": ended.copy(), "final_info": {}, "_final_info": ended.copy()}
        return observations, rewards, terminated, truncated, info

    def text(self, legend: str = "xsb") -> list[str]:
        """The boards as texts in a legend."""
        characters = _legend(legend)
        return [_text(grid, characters) for grid in self._batch.grids()]

    def render(self) -> tuple[Any, ...] | None:
        """A picture or a text for each board."""
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi":
            return tuple(self.text())
        return tuple(picture(grid) for grid in self._batch.grids())


IDS: dict[str, dict[str, Any]] = {
    "lurd/Sokoban-v0": {"preset": "gym-sokoban", "observation": "grid", "actions": ["U", "D", "L", "R"]},
    "lurd/GymSokoban-v0": {"preset": "gym-sokoban"},
    "lurd/GymSokoban1-v0": {"preset": "gym-sokoban", "boxes": 3, "max_steps": 200},
    "lurd/GymSokoban2-v0": {"preset": "gym-sokoban", "boxes": 5, "max_steps": 200},
    "lurd/GymSokobanSmall0-v0": {"preset": "gym-sokoban", "size": (7, 7), "boxes": 2, "max_steps": 200},
    "lurd/GymSokobanSmall1-v0": {"preset": "gym-sokoban", "size": (7, 7), "boxes": 3, "max_steps": 200},
    "lurd/GymSokobanLarge0-v0": {"preset": "gym-sokoban", "size": (13, 11), "boxes": 3, "max_steps": 300},
    "lurd/GymSokobanLarge1-v0": {"preset": "gym-sokoban", "size": (13, 11), "boxes": 5, "max_steps": 300},
    "lurd/GymSokobanHuge0-v0": {"preset": "gym-sokoban", "size": (13, 13), "boxes": 5, "max_steps": 300},
    "lurd/GymSokobanTiny-v0": {"preset": "gym-sokoban-tiny"},
    "lurd/Jumanji-v0": {"preset": "jumanji"},
    "lurd/EnvPool-v0": {"preset": "envpool"},
    "lurd/EnvPoolNoop-v0": {"preset": "envpool-noop"},
    "lurd/PufferLib-v0": {"preset": "pufferlib"},
}
"""The environments that are registered, with their options. gym-sokoban's Sokoban-small-v1 is GymSokobanSmall1-v0 here: its version
is a size, and Gymnasium would call the smaller ones out of date."""

for _id, _options in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="lurd.gym:SokobanEnv",
            vector_entry_point="lurd.gym:SokobanVectorEnv",
            kwargs=_options,
        )

__all__ = ["IDS", "LEGENDS", "PRESETS", "Collection", "SokobanEnv", "SokobanVectorEnv", "picture"]
