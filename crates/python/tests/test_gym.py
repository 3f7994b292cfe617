"""Gymnasium environments: its own checks, the vector environment against single ones, options, the oracle."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import lurd

gymnasium = pytest.importorskip("gymnasium")
gym = pytest.importorskip("lurd.gym")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402


@pytest.mark.parametrize("name", list(gym.IDS))
def test_gymnasium_accepts_every_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Pictures of other sizes than Atari's and observations that are no pictures are meant to be.
        warnings.filterwarnings("ignore", message=".*Box observation space.*")
        check_env(gymnasium.make(name, room_count=3).unwrapped, skip_render_check=True)
    vector = gymnasium.make_vec(name, num_envs=3, room_count=3)
    observations, _ = vector.reset(seed=1)
    assert observations in vector.observation_space
    assert vector.step(vector.action_space.sample())[0].shape == observations.shape


@pytest.mark.parametrize("legend", ["xsb", "words", "#_.x$@+"])
def test_text_boards(legend: str) -> None:
    env = gym.SokobanEnv("jumanji", observation="text", legend=legend, room_count=2)
    check_env(env, skip_render_check=True)
    observation, _ = env.reset(seed=3)
    assert observation in env.observation_space and observation == env.text(legend)
    assert len(observation.split("\n")) == 10


def test_a_vector_environment_is_many_single_ones() -> None:
    for preset in gym.PRESETS:
        levels = lurd.rooms(7, seed=2)
        vector = gym.SokobanVectorEnv(5, preset, levels=levels, order="sequential")
        singles = [gym.SokobanEnv(preset, levels=levels) for _ in range(5)]
        next_level = list(range(5))
        observations, _ = vector.reset(seed=9)
        for i, single in enumerate(singles):
            assert np.array_equal(single.reset(options={"level": i})[0], observations[i])
        dice = np.random.default_rng(1)
        over = [False] * 5
        for _ in range(700 if preset == "pufferlib" else 200):
            actions = dice.integers(0, vector.single_action_space.n, 5)
            observations, rewards, terminated, truncated, _ = vector.step(actions)
            for i, single in enumerate(singles):
                if over[i]:
                    next_level[i] = (next_level[i] + 5) % 7
                    wanted = single.reset(options={"level": next_level[i]})[0], 0.0, False, False
                else:
                    wanted = single.step(actions[i])[:4]
                assert np.array_equal(observations[i], wanted[0])
                assert (rewards[i], terminated[i], truncated[i]) == wanted[1:]
                over[i] = bool(terminated[i] or truncated[i])


def test_same_step_resets_keep_the_last_observation() -> None:
    level = lurd.Level("#####\n#@$.#\n#####")
    vector = gym.SokobanVectorEnv(2, "jumanji", levels=[level], autoreset="same-step")
    assert vector.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    first, _ = vector.reset(seed=0)
    observations, rewards, terminated, _, info = vector.step([1, 0])
    assert terminated.tolist() == [True, False] and rewards[0] > 10
    assert np.array_equal(observations[0], first[0])
    assert info["_final_obs"].tolist() == [True, False]
    assert info["final_obs"][0][1, 3].tolist() == [4, 2] and info["final_obs"][1] is None
    again = vector.step([0, 0])
    assert not again[2].any()


def test_disabled_resets_need_a_mask() -> None:
    vector = gym.SokobanVectorEnv(2, "jumanji", levels=[lurd.Level("#####\n#@$.#\n#####")], autoreset="disabled")
    vector.reset(seed=0)
    vector.step([1, 0])
    with pytest.raises(lurd.ConfigError, match="board 0"):
        vector.step([0, 0])
    vector.reset(options={"reset_mask": np.array([True, False])})
    vector.step([0, 0])


def test_buffers_are_owned_or_given() -> None:
    own = np.zeros((4, 3, 10, 10), np.uint8)
    vector = gym.SokobanVectorEnv(4, "envpool", room_count=5, copy=False, observations=own)
    observations, _ = vector.reset(seed=1)
    assert observations is own or np.shares_memory(observations, own)
    before = own.copy()
    for _ in range(30):
        vector.step(vector.action_space.sample())
    assert not np.array_equal(own, before)
    copying = gym.SokobanVectorEnv(4, "envpool", room_count=5)
    first, _ = copying.reset(seed=1)
    kept = first.copy()
    copying.step([0, 1, 2, 3])
    assert np.array_equal(first, kept)
    for wrong in (np.zeros((4, 3, 10, 9), np.uint8), np.zeros((4, 3, 10, 10)), np.zeros((4, 3, 10, 20), np.uint8)[..., ::2], [1]):
        with pytest.raises(lurd.ConfigError):
            gym.SokobanVectorEnv(4, "envpool", room_count=5, observations=wrong)


def test_threads_change_nothing() -> None:
    runs = []
    for threads in (1, 2):
        vector = gym.SokobanVectorEnv(4000, "gym-sokoban-tiny", room_count=20, threads=threads, copy=False)
        observations, _ = vector.reset(seed=5)
        dice = np.random.default_rng(3)
        total = np.zeros(4000)
        for _ in range(130):
            observations, rewards, *_ = vector.step(dice.integers(0, 9, 4000))
            total += rewards
        runs.append((observations.copy(), total))
    assert np.array_equal(runs[0][0], runs[1][0]) and np.array_equal(runs[0][1], runs[1][1])


def test_seeds_decide_everything() -> None:
    def play(seed: int) -> list[int]:
        env = gym.SokobanEnv("jumanji", room_count=20)
        return [env.reset(seed=seed if first else None)[1]["level"] for first in (True, False, False, False)]

    assert play(1) == play(1) != play(2)


def test_the_oracle_is_in_the_info() -> None:
    level = lurd.Level("#######\n#     #\n#@ $ .#\n#     #\n#######")
    env = gym.SokobanEnv("jumanji", levels=[level], oracle=True, oracle_seconds=20)
    _, info = env.reset(seed=0)
    assert (info["dead"], info["distance"], info["optimal_push"]) == (False, 2, (2, 3, "r"))
    env.step(1)
    *_, info = env.step(1)
    assert info["distance"] == 1
    # Round the box, and down into the corner row.
    for action in (0, 1):
        *_, info = env.step(action)
    *_, info = env.step(2)
    assert info["dead"] is True and "wall" in info["dead_reason"] or info["dead_reason"]
    vector = gym.SokobanVectorEnv(2, "jumanji", levels=[level], oracle=True, oracle_seconds=20)
    _, infos = vector.reset(seed=0)
    assert infos["distance"].tolist() == [2, 2] and infos["_dead_reason"].tolist() == [False, False]


def test_levels_from_files_and_folders(tmp_path: Path) -> None:
    # As Boxoban files come: numbered boards of 10x10 without boxes or the player on goals.
    rooms = [room for room in lurd.rooms(40, seed=4) if not {"*", "+"} & set(room.text)][:6]
    for name, some in (("000.txt", rooms[:4]), ("001.txt", rooms[4:])):
        (tmp_path / name).write_text("\n".join(f"; {number}\n{room.text}" for number, room in enumerate(some)))
    env = gym.SokobanEnv("envpool", levels=tmp_path, order="sequential")
    assert [level.text for level in env.levels] == [room.text for room in rooms]
    assert [env.reset(seed=None)[1]["level"] for _ in range(8)] == [0, 1, 2, 3, 4, 5, 0, 1]
    assert len(gym.SokobanEnv("envpool", levels=str(tmp_path / "000.txt"), max_levels=2).levels) == 2


def test_rules_can_be_changed() -> None:
    level = lurd.Level("#####\n#@$.#\n#####")
    env = gym.SokobanEnv("envpool", levels=[level], reward_step=0.0, reward_finished=1.0, reward_box=0.5, actions=["R", "stay"])
    assert env.action_space.n == 2
    env.reset(seed=0)
    assert env.step(0)[1] == 1.5
    env = gym.SokobanEnv("envpool", room_count=1, min_steps=2, max_steps=9)
    lengths = set()
    for seed in range(40):
        env.reset(seed=seed)
        steps, over = 0, False
        while not over:
            _, _, terminated, truncated, _ = env.step(0)
            steps, over = steps + 1, terminated or truncated
        lengths.add(steps)
    assert min(lengths) >= 2 and max(lengths) <= 9 and len(lengths) > 3


def test_rendering() -> None:
    env = gym.SokobanEnv("jumanji", room_count=1, render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().shape == (160, 160, 3)
    env = gym.SokobanEnv("jumanji", room_count=1, render_mode="ansi")
    env.reset(seed=0)
    assert lurd.Level(env.render()).box_count == 4
    vector = gym.SokobanVectorEnv(2, "jumanji", room_count=1, render_mode="rgb_array")
    vector.reset(seed=0)
    frames = vector.render()
    assert frames is not None and len(frames) == 2


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "atari"},
        {"observation": "sound"},
        {"order": "backwards"},
        {"legend": "abc"},
        {"size": (3, 3)},
        {"boxes": 99},
        {"boxes": 0},
        {"max_steps": 0},
        {"min_steps": 999},
        {"actions": ["X"]},
        {"actions": []},
        {"render_mode": "smell"},
    ],
)
def test_wrong_options_are_told(options: dict[str, object]) -> None:
    with pytest.raises(lurd.ConfigError) as error:
        gym.SokobanEnv(**{"room_count": 1, **options})
    assert len(str(error.value)) > 20


def test_wrong_calls_are_told() -> None:
    vector = gym.SokobanVectorEnv(2, "jumanji", room_count=2)
    vector.reset(seed=0)
    for wrong in ([0], [0, 1, 2], [0, 4], [-1, 0]):
        with pytest.raises(lurd.ConfigError):
            vector.step(wrong)
    for wrong in ([[0, 1]], [0.0, 1.0], ["0", "1"], [True, False], 0):
        with pytest.raises(lurd.ConfigError, match="whole numbers"):
            vector.step(wrong)
    with pytest.raises(TypeError):
        gym.SokobanEnv("jumanji", room_count=1).step(1.5)
    with pytest.raises(lurd.ConfigError, match="level"):
        vector.reset(options={"levels": [0, 7]})
    with pytest.raises(lurd.LevelError):
        gym.SokobanVectorEnv(2, "jumanji", levels=[])
    with pytest.raises(lurd.LevelError, match="size"):
        gym.SokobanEnv("jumanji", levels=lurd.rooms(1, size=(12, 12)), size=(10, 10))
