# %% [markdown]
# # Comparing heuristics
# A heuristic is a function of a board. It runs inside the compiled A*, beside the built-in ones.

# %%
import lurd
from lurd import search

level = lurd.Level("########\n#   #  #\n# $  $ #\n# .#.  #\n#  $ . #\n#   @  #\n########")


def misplaced(board: lurd.Board) -> int:
    """Boxes off their goals: each needs a push."""
    return len(board.boxes) - board.boxes_on_goals


def manhattan(board: lurd.Board) -> int:
    """Each box to its nearest goal, walls aside."""
    return sum(min(abs(r - gr) + abs(c - gc) for gr, gc in board.goals) for r, c in board.boxes)


def doubled(board: lurd.Board) -> int:
    """Too much: what A* finds with it need not be shortest."""
    return 2 * manhattan(board)


# %%
result = lurd.compare(level, ["zero", "matching", misplaced, manhattan, doubled])
print(result)

# %% [markdown]
# The verdicts hold for every position that can be reached in this level; the counterexample shows where `doubled` is wrong.

# %%
verdict = result.verdicts["doubled"]
assert isinstance(verdict, lurd.Verdict) and not verdict.is_admissible
assert result.verdicts["manhattan"].is_consistent  # type: ignore[union-attr]

# %% [markdown]
# What is promised is claimed: with `promise="consistent"` the answer is called optimal.

# %%
report = lurd.solve(level, heuristic=manhattan, promise="consistent")
print(report.proof, report.pushes, report.expanded)
assert report.proof == "optimal-pushes" and report.pushes == lurd.prove(level).pushes

# %% [markdown]
# ## Any state space
# The farmer, the wolf, the goat and the cabbage: who is on the far bank?


# %%
class River:
    initial: frozenset[str] = frozenset()
    everybody = frozenset({"farmer", "wolf", "goat", "cabbage"})

    def is_goal(self, state: frozenset[str]) -> bool:
        return state == self.everybody

    def safe(self, state: frozenset[str]) -> bool:
        alone = self.everybody - state if "farmer" in state else state
        return not ({"wolf", "goat"} <= alone or {"goat", "cabbage"} <= alone)

    def successors(self, state: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
        here = state if "farmer" in state else self.everybody - state
        trips = [(passenger, state ^ {"farmer", passenger}) for passenger in here]
        return [(passenger, after) for passenger, after in trips if self.safe(after)]


crossing = search.breadth_first(River())
print(crossing.path, crossing.proof)
assert crossing.cost == 7
