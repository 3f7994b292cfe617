# %% [markdown]
# # A first solve
# Read levels, solve one, prove how short it can be, and see why a position is lost.

# %%
import lurd

levels = lurd.embedded()
print(levels, levels[0])

# %% [markdown]
# In a notebook a level shows itself as a picture, and a report plays its solution.

# %%
report = lurd.solve(levels[0])
report

# %% [markdown]
# `prove` finds the fewest pushes (or moves) and says what is proved.

# %%
for goal in ("pushes", "moves"):
    report = lurd.prove(levels[0], goal)
    print(goal, report.pushes, report.moves, report.proof, report.lower_bound)
assert report.proof == "optimal-moves"

# %% [markdown]
# A position never changes; playing gives a new one. Arrays say where a box is lost and how far it has to go.

# %%
board = lurd.Level("#######\n#     #\n#@ $ .#\n#     #\n#######").board()
print(board.push_distances())
print(board.dead_squares().astype(int))

# %%
lost = board.play("urrD")
why = lurd.deadlock(lost)
assert why is not None
print(lost, why.rule, "-", why.reason, why.boxes)
assert lurd.solve(lost).outcome == "unsolvable"

# %% [markdown]
# Solutions of other programs can be checked and made shorter.

# %%
print(lurd.check(levels[0], report.solution or ""))
print(lurd.improve("#######\n#@ $ .#\n#######", "rlrlrRR", time_limit=2))
