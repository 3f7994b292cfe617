# %% [markdown]
# # Environments with an oracle
# Vectorised environments over NumPy, with the rules of published ones, and the truth about every position.

# %%
import gymnasium
import numpy as np

import lurd
import lurd.gym

env = gymnasium.make("lurd/Jumanji-v0", room_count=5)
observation, info = env.reset(seed=1)
print(observation.shape, env.action_space, info)

# %% [markdown]
# The vector environment steps all boards by one call. Actions here are random; a policy would look at `observations`.

# %%
vector = gymnasium.make_vec("lurd/EnvPool-v0", num_envs=64, room_count=50)
observations, _ = vector.reset(seed=1)
total = np.zeros(64)
for _ in range(200):
    observations, rewards, terminated, truncated, _ = vector.step(vector.action_space.sample())
    total += rewards
print(observations.shape, total.mean())

# %% [markdown]
# With `oracle=True` the info says whether a position is dead and why, the exact distance, and an optimal next push. Following
# it solves the level.

# %%
levels = lurd.rooms(3, size=(7, 7), boxes=2, seed=5)
env = lurd.gym.SokobanEnv("jumanji", levels=levels, oracle=True, oracle_seconds=20)
actions = "URDL"
for number in range(len(levels)):
    _, info = env.reset(options={"level": number})
    while not info["solved"]:
        push = lurd.Push(*info["optimal_push"])
        for letter in lurd.Board(env.text()).path(push):
            _, reward, terminated, _, info = env.step(actions.index(letter.upper()))
    print(number, "solved", reward)
    assert terminated

# %% [markdown]
# Text boards for language models, in any legend.

# %%
text = lurd.gym.SokobanEnv("jumanji", observation="text", legend="words", levels=levels)
print(text.reset(options={"level": 0})[0])

# %% [markdown]
# Training data: positions with proved distances and optimal actions.

# %%
data = lurd.dataset(levels, "pushes")
arrays = data.arrays()
print({name: values.shape for name, values in arrays.items()}, "unproved:", data.unproved)
assert arrays["distance"].min() == 0
