"""The presets against the rules of the environments they are named after."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lurd
from reference import ACTIONS, STEPS, Reference

gym = pytest.importorskip("lurd.gym")

ROOMS = lurd.rooms(40, seed=21) + [
    # A box that begins on a goal, two goals side by side, a goal under the player.
    lurd.Level("##########\n#        #\n# +  *.  #\n#  $     #\n#   $    #\n#        #\n##########\n"),
]


def pairs(preset: str) -> list[tuple[lurd.Level, str]]:
    return [(level, level.text) for level in ROOMS if preset == "gym-sokoban-tiny" or "*" not in level.text]


@pytest.mark.parametrize("preset", [name for name in ACTIONS if name != "gym-sokoban"])
def test_random_games_are_equal(preset: str) -> None:
    dice = random.Random(4)
    ends = set()
    for level, text in pairs(preset):
        env = gym.SokobanEnv(preset, levels=[level])
        slow = Reference(preset, text)
        observation, _ = env.reset(seed=0)
        assert env.action_space.n == len(ACTIONS[preset])
        assert np.array_equal(observation, slow.observation())
        assert observation.shape == env.observation_space.shape and observation.dtype == np.uint8
        while True:
            action = dice.randrange(len(ACTIONS[preset]))
            observation, reward, terminated, truncated, _ = env.step(action)
            wanted, *flags = slow.step(action)
            # Jumanji, EnvPool and PufferLib have rewards of 32 bits.
            single = not preset.startswith("gym")
            assert reward == (float(np.float32(wanted)) if single else wanted)
            assert [terminated, truncated] == flags
            assert np.array_equal(observation, slow.observation())
            if terminated or truncated:
                ends.add((terminated, truncated))
                assert slow.steps <= STEPS[preset]
                break
    assert ends, preset


@pytest.mark.parametrize("preset", list(ACTIONS))
def test_solutions_are_rewarded(preset: str) -> None:
    """Plays proved solutions: the last step must end the episode with the bonus."""
    letters = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
    for level in lurd.rooms(5, size=(7, 7), boxes=2, seed=31):
        solution = lurd.solve(level, "moves").solution
        assert solution is not None
        env = gym.SokobanEnv(preset, levels=[level])
        env.reset(seed=0)
        slow = Reference(preset, level.text)
        for number, letter in enumerate(solution, 1):
            action = ACTIONS[preset].index((letters[letter.lower()], True))
            _, reward, terminated, truncated, info = env.step(action)
            wanted, *flags = slow.step(action)
            assert abs(reward - wanted) < 1e-6 and [terminated, truncated] == flags
            assert terminated == info["solved"] == (number == len(solution))
        assert reward > (1.0 if preset == "pufferlib" else 10.0) - 0.2


# Rules written down by hand: the level, then action, reward, terminated.
TABLE = {
    "gym-sokoban": [(0, -0.1, False), (8, -0.1, False), (8, -0.1, False), (4, 0.9, False), (4, -1.1, False), (3, -0.1, False)],
    "jumanji": [(1, -0.1, False), (1, 0.9, False), (1, -1.1, False), (3, -0.1, False)],
    "envpool": [(3, -0.1, False), (3, 0.9, False), (3, -1.1, False), (2, -0.1, False)],
    "envpool-noop": [(0, -0.1, False), (4, -0.1, False), (4, 0.9, False), (4, -1.1, False)],
    "pufferlib": [(0, 0.0, False), (4, 0.0, False), (4, 0.1, False), (4, -0.5, False), (3, 0.0, False)],
}


@pytest.mark.parametrize("preset", list(TABLE))
def test_a_box_on_and_off_a_goal(preset: str) -> None:
    level = lurd.Level("########\n#@ $.  #\n#    $.#\n########")
    env = gym.SokobanEnv(preset, levels=[level])
    env.reset(seed=0)
    for action, wanted, ends in TABLE[preset]:
        _, reward, terminated, truncated, _ = env.step(action)
        assert abs(reward - wanted) < 1e-6, (preset, action, reward)
        assert (terminated, truncated) == (ends, False)


@pytest.mark.parametrize("preset", list(ACTIONS))
def test_episodes_have_their_length(preset: str) -> None:
    env = gym.SokobanEnv(preset, levels=[ROOMS[0]])
    env.reset(seed=0)
    # An action that changes nothing: against a wall, or none.
    for step in range(1, STEPS[preset] + 1):
        _, reward, terminated, truncated, info = env.step(0)
        assert (terminated or truncated) == (step == STEPS[preset]) and not info["solved"]
    assert terminated == (preset in ("jumanji", "pufferlib"))
    if preset == "pufferlib":
        assert reward == -1.0
    with pytest.raises(lurd.ConfigError, match="reset"):
        env.step(0)


def test_large_pictures_are_made_of_tiles() -> None:
    env = gym.SokobanEnv("gym-sokoban", levels=ROOMS[:1])
    observation, _ = env.reset(seed=0)
    assert observation.shape == (160, 160, 3)
    assert np.array_equal(observation, gym.picture(ROOMS[0].to_array()))
    for action in [1, 2, 3, 4] * 5:
        observation, *_ = env.step(action)
    assert np.array_equal(observation, gym.picture(lurd.Level(env.text()).to_array()))


def test_against_gym_sokoban_itself() -> None:
    """Side by side on the same rooms and actions, where gym-sokoban is installed."""
    envs = pytest.importorskip("gym_sokoban.envs.sokoban_env")
    dice = random.Random(8)
    for level in ROOMS:
        grid = level.to_array().astype(int)
        theirs = envs.SokobanEnv(dim_room=grid.shape, num_boxes=level.box_count, reset=False)
        fixed = np.where(np.isin(grid, (2, 3, 6)), 2, np.where(grid == 0, 0, 1))
        theirs.room_fixed, theirs.room_state = fixed, np.where(grid == 6, 5, grid)
        theirs.player_position = np.argwhere(theirs.room_state == 5)[0]
        theirs.num_env_steps, theirs.reward_last, theirs.boxes_on_target = 0, 0, 0
        ours = gym.SokobanEnv("gym-sokoban-tiny", levels=[level])
        ours.reset(seed=0)
        done = False
        while not done:
            action = dice.randrange(9)
            observation, reward, done, _ = theirs.step(action, observation_mode="tiny_rgb_array")
            own, own_reward, terminated, truncated, _ = ours.step(action)
            assert np.array_equal(own, observation) and own_reward == reward
            assert (terminated or truncated) == done
