"""State spaces of your own in lurd's compiled algorithms.

A problem is any object with ``initial`` (a state, or a method that returns it), ``is_goal(state)`` and
``successors(state)``, which gives pairs ``(action, state)`` of cost 1 or triples ``(action, state, cost)`` with whole
costs from 1 on. States are compared by ``==`` and ``hash``.

>>> from lurd import search
>>> class Numbers:
...     initial = 1
...     def is_goal(self, state): return state == 10
...     def successors(self, state):
...         if state < 10:
...             yield "double", 2 * state, 3
...             yield "add one", state + 1, 2
>>> result = search.a_star(Numbers())
>>> result.cost, result.proof
(10, 'optimal')
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, Union

from . import _lurd
from ._lurd import Cancel

State = TypeVar("State", bound=Hashable)

__all__ = [
    "Problem",
    "Result",
    "a_star",
    "breadth_first",
    "depth_first",
    "depth_limited",
    "greedy",
    "ida_star",
    "iterative_deepening",
    "memory_bounded_a_star",
    "uniform_cost",
    "weighted_a_star",
]


class Problem(Protocol[State]):
    """What a problem has. ``initial`` may also be a method."""

    @property
    def initial(self) -> State: ...

    def is_goal(self, state: State) -> bool:
        """Whether the search may end here."""
        ...

    def successors(self, state: State) -> Iterable[tuple[Any, State] | tuple[Any, State, int]]:
        """What can be done in a state."""
        ...


@dataclass(frozen=True)
class Result(Generic[State]):
    """An ended search."""

    outcome: str
    """'solved', 'unsolvable', 'stopped' or 'cancelled'."""
    stopped_by: str | None
    """The limit that stopped it: 'time', 'memory', 'nodes' or 'depth'."""
    path: list[Any] | None
    """The actions."""
    states: list[State] | None
    """The states on the way, the first and the last included."""
    cost: int | None
    """What the actions cost together."""
    proof: str
    """'optimal', 'at-most-1.5' or 'none'. Nothing is claimed that the heuristic's promise does not carry."""
    lower_bound: int | None
    """No solution costs less; None where nothing is proved."""
    expanded: int
    """States whose successors were made."""
    generated: int
    """Successors made."""
    duplicates: int
    """Successors known already."""
    reopened: int
    """States taken up again by a cheaper way."""
    seconds: float
    """Wall-clock time."""
    notes: list[str]
    """What a reader should know."""


Guess = Callable[[State], Union[int, float, None]]


def _run(
    problem: Problem[State],
    algorithm: str,
    heuristic: Guess[State] | None,
    promise: str,
    weight: float,
    depth_limit: int,
    time_limit: float | None,
    memory_limit: int | None,
    node_limit: int | None,
    cancel: Cancel | None,
) -> Result[State]:
    found = _lurd.search(
        problem, algorithm, heuristic, promise, time_limit, memory_limit, node_limit, weight, depth_limit, cancel
    )
    return Result(**found)


def breadth_first(
    problem: Problem[State],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """By number of actions. Cheapest where every action costs 1."""
    return _run(problem, "breadth-first", None, "none", 1.5, 0, time_limit, memory_limit, node_limit, cancel)


def uniform_cost(
    problem: Problem[State],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """By path cost (Dijkstra). Cheapest."""
    return _run(problem, "uniform-cost", None, "none", 1.5, 0, time_limit, memory_limit, node_limit, cancel)


def depth_first(
    problem: Problem[State],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """Down the first way, each state once. Promises nothing."""
    return _run(problem, "depth-first", None, "none", 1.5, 0, time_limit, memory_limit, node_limit, cancel)


def depth_limited(
    problem: Problem[State],
    depth_limit: int,
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """Depth-first, no deeper than this many actions. Promises nothing."""
    return _run(problem, "depth-limited", None, "none", 1.5, depth_limit, time_limit, memory_limit, node_limit, cancel)


def iterative_deepening(
    problem: Problem[State],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """Depth-first under a rising bound on the path cost. Cheapest."""
    return _run(problem, "iterative-deepening", None, "none", 1.5, 0, time_limit, memory_limit, node_limit, cancel)


def greedy(
    problem: Problem[State],
    heuristic: Guess[State],
    *,
    promise: str = "none",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """By estimate alone. Promises nothing."""
    return _run(problem, "greedy", heuristic, promise, 1.5, 0, time_limit, memory_limit, node_limit, cancel)


def a_star(
    problem: Problem[State],
    heuristic: Guess[State] | None = None,
    *,
    promise: str = "none",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """By path cost + estimate. Cheapest if the heuristic is admissible: say so by ``promise="admissible"`` or
    ``"consistent"``, and the answer is called optimal. Without a heuristic the estimate is 0."""
    return _run(problem, "a-star", heuristic, promise, 1.5, 0, time_limit, memory_limit, node_limit, cancel)


def weighted_a_star(
    problem: Problem[State],
    heuristic: Guess[State],
    weight: float = 1.5,
    *,
    promise: str = "none",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """By path cost + weight * estimate: at most that factor above the cheapest, if the heuristic is admissible."""
    return _run(problem, "weighted-a-star", heuristic, promise, weight, 0, time_limit, memory_limit, node_limit, cancel)


def ida_star(
    problem: Problem[State],
    heuristic: Guess[State] | None = None,
    *,
    promise: str = "none",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """Depth-first under a rising bound on path cost + estimate. Cheapest if the heuristic is admissible."""
    return _run(problem, "ida-star", heuristic, promise, 1.5, 0, time_limit, memory_limit, node_limit, cancel)


def memory_bounded_a_star(
    problem: Problem[State],
    heuristic: Guess[State] | None = None,
    *,
    promise: str = "none",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    cancel: Cancel | None = None,
) -> Result[State]:
    """A* that goes on depth-first from its frontier when its memory is full."""
    return _run(
        problem, "memory-bounded-a-star", heuristic, promise, 1.5, 0, time_limit, memory_limit, node_limit, cancel
    )
