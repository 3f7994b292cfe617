"""Steps a second by FAR's protocol: 200 environments, 1,000 steps each, random actions; all contenders in one run.

    python crates/python/bench/steps.py [--environments 200] [--steps 1000]

Contenders that are not installed are named as such: ``pip install gym-sokoban gym==0.26.2 jumanji`` brings them.
gym-sokoban has no vector environment, so its environments are stepped one after the other, on rooms that lurd made, for
fewer steps. Jumanji runs as it is fastest: all steps in one compiled loop, on its own toy rooms, without resets.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import lurd
import lurd.gym

ROOMS = lurd.rooms(1000, seed=1)


class Rate(NamedTuple):
    """Steps a second by the clock, and steps a second of processor time, which other programs hardly disturb."""

    clock: float
    processor: float

    def __str__(self) -> str:
        return f"{self.clock:>12,.0f} steps/s {self.processor:>12,.0f} steps per processor second"


def measure(step: Callable[[Any], object], actions: list[Any], environments: int) -> Rate:
    """The best of five runs."""
    clock = processor = 0.0
    for _ in range(5):
        began, worked = time.perf_counter(), time.process_time()
        for action in actions:
            step(action)
        steps = environments * len(actions)
        clock = max(clock, steps / (time.perf_counter() - began))
        processor = max(processor, steps / (time.process_time() - worked))
    return Rate(clock, processor)


def ours(preset: str, environments: int, steps: int, copy: bool) -> Rate:
    env = lurd.gym.SokobanVectorEnv(environments, preset, levels=ROOMS, copy=copy)
    env.reset(seed=1)
    dice = np.random.default_rng(2)
    count = env.single_action_space.n
    actions = [dice.integers(0, count, environments) for _ in range(steps)]
    return measure(env.step, actions, environments)


def gym_sokoban(environments: int, steps: int, mode: str) -> Rate | None:
    try:
        from gym_sokoban.envs.sokoban_env import SokobanEnv  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        print(f"gym-sokoban is not here: {error}")
        return None
    envs = []
    for level in ROOMS[:environments]:
        env = SokobanEnv(reset=False)
        grid = level.to_array().astype(int)
        env.room_fixed = np.where(np.isin(grid, (2, 3, 6)), 2, np.where(grid == 0, 0, 1))
        env.room_state = np.where(grid == 6, 5, grid)
        env.player_position = np.argwhere(env.room_state == 5)[0]
        env.num_env_steps, env.reward_last, env.boxes_on_target = 0, 0, 0
        envs.append(env)
    dice = np.random.default_rng(2)

    def step(actions: Any) -> None:
        for env, action in zip(envs, actions):
            env.step(int(action), observation_mode=mode)

    return measure(step, [dice.integers(0, 9, len(envs)) for _ in range(steps)], len(envs))


def jumanji(environments: int, steps: int) -> Rate | None:
    try:
        import jax  # type: ignore[import-not-found, unused-ignore]
        from jumanji.environments import Sokoban  # type: ignore[import-not-found, unused-ignore]
        from jumanji.environments.routing.sokoban.generator import ToyGenerator  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        print(f"Jumanji is not here: {error}")
        return None
    env = Sokoban(generator=ToyGenerator())
    states, _ = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(1), environments))
    actions = jax.random.randint(jax.random.PRNGKey(2), (steps, environments), 0, 4)

    @jax.jit
    def run(states: Any) -> Any:
        def step(states: Any, actions: Any) -> Any:
            states, timestep = jax.vmap(env.step)(states, actions)
            return states, timestep.reward.sum()

        return jax.lax.scan(step, states, actions)

    def steps_of_all(_: Any) -> None:
        run(states)[1].block_until_ready()

    # The compiler is not part of the race.
    steps_of_all(None)
    return measure(steps_of_all, [None], environments * steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environments", type=int, default=200)
    parser.add_argument("--steps", type=int, default=1000)
    given = parser.parse_args()
    figures: dict[str, Rate] = {}
    for preset in lurd.gym.PRESETS:
        for copy in (False, True):
            # Copies of 160x160 pictures are 15 MB a step.
            steps = given.steps // 20 if copy and preset == "gym-sokoban" else given.steps
            name = f"lurd {preset}{', copied' if copy else ''}"
            figures[name] = ours(preset, given.environments, max(steps, 1), copy)
            print(f"{name:<32} {figures[name]}", flush=True)
    for mode in ("rgb_array", "tiny_rgb_array"):
        found = gym_sokoban(min(given.environments, 20), max(given.steps // 100, 1), mode)
        if found is not None:
            own = figures["lurd gym-sokoban" if mode == "rgb_array" else "lurd gym-sokoban-tiny"]
            times = f"{own.clock / found.clock:,.0f} and {own.processor / found.processor:,.0f} times as fast"
            print(f"{'gym-sokoban ' + mode:<32} {found}; lurd is {times}")
    compiled = jumanji(given.environments, given.steps)
    if compiled is not None:
        own = figures["lurd jumanji"]
        times = f"{own.clock / compiled.clock:,.1f} and {own.processor / compiled.processor:,.1f} times as fast"
        print(f"{'Jumanji, compiled loop':<32} {compiled}; lurd is {times}")


if __name__ == "__main__":
    main()
