"""Solve, prove, improve, check, explain."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Union

from . import _lurd
from ._lurd import Board, Cancel, Deadlock, Level, Progress, Space
from ._report import Report
from .errors import ConfigError, LevelError

LevelLike = Union[Level, Board, str]
"""A level, a position to start from, or the text of a level."""

Heuristic = Callable[[Board], Union[int, float, None]]
"""Estimates what remains from a position; None calls it dead."""

Rule = Callable[[Board], bool]
"""Whether a position is dead."""


def solve(
    level: LevelLike,
    goal: str = "any",
    *,
    then: str | None = None,
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    node_limit: int | None = None,
    threads: int = 1,
    algorithm: str | None = None,
    formulation: str | None = None,
    heuristic: str | Heuristic | None = None,
    promise: str = "none",
    deadlocks: str | Iterable[str] | None = None,
    deadlock_rule: Rule | None = None,
    tie_break: str | None = None,
    reverse: bool = False,
    fallback_after: int | None = None,
    weight: float = 1.5,
    depth_limit: int = 200,
    seed: int = 0,
    known: str | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    cancel: Cancel | None = None,
) -> Report:
    """Solves a level, from its start or from a position.

    ``goal`` is "any", "pushes" (fewest pushes, proved) or "moves" (fewest moves, proved); ``then`` decides between answers
    that are equally good, ``known`` is a solution to begin from, and ``seed`` (0 to 7) breaks ties in another way. Limits
    are seconds, bytes (or "1GiB") and nodes. ``algorithm``, ``formulation``, ``heuristic`` and
    ``deadlocks`` choose a textbook search instead of lurd's own engines; the names are in :data:`ALGORITHMS`,
    :data:`HEURISTICS` and :data:`DEADLOCK_RULES`, ``deadlocks`` may be "all" or "none".

    ``heuristic`` may be a function of yours that takes a :class:`Board`, and ``deadlock_rule`` one that says whether a
    board is dead. ``promise`` is what your heuristic keeps: "none", "admissible" or "consistent". Only what is promised is
    claimed in ``proof``; :func:`examine` tests it. A rule of yours takes every claim away.

    ``on_progress`` is called a few times a second. Ctrl-C ends the search and raises KeyboardInterrupt; an exception in a
    callback ends it and is raised here.

    >>> import lurd
    >>> lurd.solve("#######\\n#@ $ .#\\n#######").solution
    'rRR'
    """
    own = heuristic if callable(heuristic) else None
    options: dict[str, Any] = {
        "goal": goal,
        "then": then,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
        "node_limit": node_limit,
        "threads": threads,
        "algorithm": algorithm,
        "formulation": formulation,
        "heuristic": None if own is not None else heuristic,
        "deadlocks": deadlocks if deadlocks is None or isinstance(deadlocks, str) else list(deadlocks),
        "tie_break": tie_break,
        "reverse": reverse,
        "fallback_after": fallback_after,
        "weight": weight,
        "depth_limit": depth_limit,
        "seed": seed,
        "known": known,
    }
    if (own is not None or deadlock_rule is not None) and algorithm is None:
        options["algorithm"] = "a-star"
    record = _lurd.solve(level, options, own, deadlock_rule, promise, on_progress, cancel)
    return Report(**record, _start=level if isinstance(level, Board) else Board(level))


def prove(level: LevelLike, goal: str = "pushes", **options: Any) -> Report:
    """Finds a solution with the fewest pushes or moves and proves that there is none with fewer.

    The options are those of :func:`solve`.
    """
    if goal not in ("pushes", "moves"):
        raise ConfigError(f"a proof is about pushes or moves, and not {goal!r}")
    return solve(level, goal, **options)


class Improved(NamedTuple):
    """A shorter solution."""

    solution: str
    moves: int
    pushes: int


def improve(
    level: LevelLike,
    solution: str,
    goal: str = "pushes",
    *,
    time_limit: float | None = 30.0,
    memory_limit: int | None = None,
    node_limit: int | None = None,
    threads: int = 1,
    cancel: Cancel | None = None,
) -> Improved:
    """Makes a solution shorter: first in pushes or moves, then in the other. It never gets longer.

    >>> import lurd
    >>> lurd.improve("#######\\n#@ $ .#\\n#######", "rlrRR").solution
    'rRR'
    """
    better = _lurd.improve(level, solution, goal, time_limit, memory_limit, node_limit, threads, cancel)
    return Improved(*better)


class Check(NamedTuple):
    """Moves replayed by the bare rules."""

    solved: bool
    moves: int
    pushes: int
    boxes_off_goals: int


def check(level: LevelLike, moves: str) -> Check:
    """Replays moves by code that shares nothing with the solver. An illegal move raises :class:`MoveError`.

    >>> import lurd
    >>> lurd.check("#####\\n#@$.#\\n#####", "R").solved
    True
    """
    return Check(*_lurd.check(level, moves))


def deadlock(position: LevelLike) -> Deadlock | None:
    """Why a position is lost, if a rule sees it: the rule, the boxes and the reason.

    None does not mean that it can be solved: :class:`Oracle` knows.

    >>> import lurd
    >>> lurd.deadlock("#####\\n#$  #\\n#@ .#\\n#####").rule
    'corner'
    """
    board = position if isinstance(position, Board) else Board(position)
    return board.deadlock()


def explore(
    level: LevelLike,
    goal: str = "pushes",
    *,
    time_limit: float | None = None,
    memory_limit: int | None = 1 << 30,
    node_limit: int | None = 1_000_000,
    cancel: Cancel | None = None,
) -> Space:
    """Every position that can be reached in a small level, with its exact distance to a solution.

    Raises :class:`LimitError` if the level has more positions than ``node_limit``.

    >>> import lurd
    >>> space = lurd.explore("#######\\n#@ $ .#\\n#######")
    >>> len(space), space.distance(lurd.Board("#######\\n#@ $ .#\\n#######"))
    (3, 2)
    """
    return _lurd.explore(level, goal, time_limit, memory_limit, node_limit, cancel)


__all__ = ["LevelError", "check", "deadlock", "explore", "improve", "prove", "solve"]
