"""Random calls: the right class of error or a sound answer, never a crash. LURD_CALLS sets how many."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lurd
from lurd import search

gym = pytest.importorskip("lurd.gym")

CALLS = int(os.environ.get("LURD_CALLS", "1500"))
EXPECTED = (lurd.LurdError, TypeError, ValueError, OverflowError, KeyError)

settings.register_profile("calls", max_examples=CALLS // 5, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("calls")

squares = st.sampled_from("# .$*@+\n-x")
boards = st.one_of(
    st.text(squares, max_size=60),
    st.text(max_size=40),
    st.sampled_from([room.text for room in lurd.rooms(20, size=(6, 6), boxes=2, seed=1)]),
)
anything = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=8), boards)
names = st.one_of(st.sampled_from(lurd.ALGORITHMS + lurd.HEURISTICS + lurd.DEADLOCK_RULES + ["any", "pushes", "moves"]), anything)


@given(anything, st.dictionaries(st.sampled_from(["goal", "then", "algorithm", "formulation", "heuristic", "deadlocks",
       "time_limit", "memory_limit", "threads", "weight", "depth_limit", "tie_break", "reverse", "promise"]), names, max_size=3))
def test_solve(level: object, options: dict[str, object]) -> None:
    try:
        report = lurd.solve(level, **{"node_limit": 300, **options})  # type: ignore[arg-type]
    except EXPECTED:
        return
    assert report.outcome in ("solved", "unsolvable", "stopped", "cancelled")
    if report.solution is not None:
        assert lurd.check(level, report.solution).solved  # type: ignore[arg-type]


@given(boards, st.text("lurdLURD2()x*", max_size=12), anything, anything)
def test_boards(text: str, moves: str, row: object, column: object) -> None:
    for call in (lambda: lurd.parse(text), lambda: lurd.check(text, moves), lambda: lurd.improve(text, moves, node_limit=50)):
        try:
            call()
        except EXPECTED:
            pass
    try:
        board = lurd.Board(text)
    except EXPECTED:
        return
    for call in (lambda: board.play(moves), lambda: board.push_distances((row, column)), lambda: board.push(lurd.Push(row, column, moves[:1]))):  # type: ignore[arg-type]
        try:
            call()
        except EXPECTED:
            pass
    for push in board.pushes():
        assert board.push(push).boxes != board.boxes
    assert board.zone().shape == board.to_array().shape == (board.height, board.width)
    board.deadlock()


@given(st.lists(st.tuples(anything, anything, anything), max_size=3), anything)
def test_problems(steps: list[object], estimate: object) -> None:
    class Any:
        initial = 0

        def is_goal(self, state: object) -> bool:
            return state == 1

        def successors(self, state: object) -> object:
            return steps

    try:
        search.a_star(Any(), lambda state: estimate, node_limit=50)  # type: ignore[arg-type, return-value]
    except EXPECTED:
        pass


@given(st.sampled_from(["estimate", "rule"]), anything)
def test_callbacks(kind: str, value: object) -> None:
    level = "#######\n#@ $ .#\n#######"
    try:
        if kind == "estimate":
            lurd.solve(level, heuristic=lambda board: value)  # type: ignore[arg-type, return-value]
        else:
            lurd.solve(level, deadlock_rule=lambda board: value)  # type: ignore[arg-type, return-value]
    except EXPECTED:
        pass


arrays = st.one_of(
    st.lists(st.integers(-3, 12), max_size=5).map(np.array),
    st.lists(st.floats(), max_size=4).map(np.array),
    st.sampled_from([np.zeros((2, 2)), np.zeros(3, np.uint8), np.array("x"), np.array([1, 2, 3])[::2], np.zeros(0)]),
    anything,
)


VECTOR = gym.SokobanVectorEnv(2, "jumanji", room_count=3)


@given(arrays)
def test_environments(actions: object) -> None:
    VECTOR.reset(seed=1)
    try:
        observations, *_ = VECTOR.step(actions)
    except EXPECTED:
        return
    assert observations.shape == (2, 10, 10, 2)
