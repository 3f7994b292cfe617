"""Solve, prove, improve, check; limits, callbacks, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import lurd
from conftest import HARD, STUCK, TINY


def test_a_large_level_is_proved() -> None:
    level = lurd.load(Path(__file__).resolve().parents[3] / "levels" / "large.xsb")[1]
    report = lurd.prove(level)
    assert (report.outcome, report.pushes, report.proof, report.lower_bound) == ("solved", 28, "optimal-pushes", 28)
    assert report.solution is not None
    assert lurd.check(level, report.solution).solved


def test_embedded_levels_are_proved_as_their_notes_say() -> None:
    for level in lurd.embedded()[::6]:
        pushes = next(int(note.split()[1]) for note in level.notes if note.startswith("Pushes:"))
        assert lurd.prove(level).pushes == pushes


def test_reports_have_the_names_of_the_command(tiny: lurd.Level) -> None:
    report = lurd.solve(tiny, "moves")
    assert (report.outcome, report.stopped_by, report.solution) == ("solved", None, "rRR")
    assert (report.moves, report.pushes, report.proof) == (3, 2, "optimal-moves")
    assert list(report.to_dict())[:4] == ["level", "title", "outcome", "stopped_by"]
    assert [board.player for board in report.boards()] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert "solved" in repr(report)


def test_unsolvable_is_proved() -> None:
    report = lurd.solve(STUCK)
    assert (report.outcome, report.solution, report.moves) == ("unsolvable", None, None)
    with pytest.raises(lurd.ConfigError):
        report.boards()


@pytest.mark.parametrize("algorithm", lurd.ALGORITHMS)
def test_textbook_searches_by_name(algorithm: str, tiny: lurd.Level) -> None:
    report = lurd.solve(tiny, algorithm=algorithm, deadlocks="corner,freeze")
    assert report.outcome == "solved" and report.algorithm == algorithm


def test_limits_hold() -> None:
    began = time.monotonic()
    report = lurd.solve(HARD, "pushes", time_limit=0.3)
    assert not report.proof.startswith("optimal") and report.lower_bound is not None
    assert time.monotonic() - began < 20
    report = lurd.solve(HARD, algorithm="a-star", node_limit=1000)
    assert (report.outcome, report.stopped_by) == ("stopped", "nodes") and report.generated <= 1000
    report = lurd.solve(HARD, algorithm="a-star", heuristic="zero", memory_limit=4 << 20, time_limit=60)
    assert (report.outcome, report.stopped_by) == ("stopped", "memory") and report.peak_bytes <= 4 << 20


def test_progress_is_told_and_an_exception_ends_the_search() -> None:
    seen: list[lurd.Progress] = []
    lurd.solve(HARD, "pushes", time_limit=1.5, on_progress=seen.append)
    assert seen and seen[-1].seconds > 0

    def fail(progress: lurd.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        lurd.solve(HARD, "pushes", time_limit=60, on_progress=fail)


def test_cancelling_from_another_thread() -> None:
    cancel = lurd.Cancel()
    threading.Timer(0.3, cancel.cancel).start()
    assert lurd.solve(HARD, "pushes", time_limit=60, cancel=cancel).outcome == "cancelled"
    assert cancel.is_cancelled


def test_other_threads_run_during_a_search() -> None:
    counted = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.01)

    other = threading.Thread(target=count)
    other.start()
    lurd.solve(HARD, "pushes", time_limit=1.0)
    ended.set()
    other.join()
    assert counted > 5


CTRL_C = """
import signal, sys, lurd
# Whoever runs in the background of a shell ignores it, and its children too.
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    lurd.solve(sys.argv[1], "pushes"{own})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("own", ["", ", algorithm='a-star', heuristic=lambda board: 0"])
def test_ctrl_c_ends_a_search(own: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", CTRL_C.format(own=own), HARD], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.0)
    os.kill(child.pid, signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    assert child.wait(timeout=30) == 0


def test_improve_and_check(tiny: lurd.Level) -> None:
    better = lurd.improve(tiny, "rlrlrRR", time_limit=5)
    assert better == ("rRR", 3, 2)
    assert lurd.check(tiny, "r") == (False, 1, 0, 1)
    with pytest.raises(lurd.MoveError, match="wall"):
        lurd.check(tiny, "l")
    with pytest.raises(lurd.MoveError, match="do not solve"):
        lurd.improve(tiny, "r", time_limit=1)


def test_own_heuristics_and_rules_join_the_search(tiny: lurd.Level) -> None:
    asked: list[lurd.Board] = []

    def misplaced(board: lurd.Board) -> int:
        asked.append(board)
        return len(board.boxes) - board.boxes_on_goals

    report = lurd.solve(tiny, heuristic=misplaced, promise="consistent")
    assert (report.heuristic, report.proof, report.algorithm) == ("misplaced", "optimal-pushes", "a-star")
    assert asked
    assert lurd.solve(tiny, heuristic=misplaced).proof == "none"
    assert lurd.solve(tiny, heuristic=lambda board: None).outcome == "stopped"
    report = lurd.solve(tiny, deadlock_rule=lambda board: True, deadlocks="none")
    assert (report.outcome, report.pruned) == ("stopped", {"own-rule": 1})


@pytest.mark.parametrize("value", [-1, "much", float("nan"), [], object()])
def test_wrong_estimates_are_told(value: object, tiny: lurd.Level) -> None:
    with pytest.raises(lurd.ProblemError, match="heuristic"):
        lurd.solve(tiny, heuristic=lambda board: value)  # type: ignore[arg-type, return-value]


def test_exceptions_in_heuristics_come_out(tiny: lurd.Level) -> None:
    def fail(board: lurd.Board) -> int:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        lurd.solve(tiny, heuristic=fail)
    with pytest.raises(KeyError, match="lost"):
        lurd.solve(tiny, deadlock_rule=fail)  # type: ignore[arg-type]


def test_wrong_options_are_told(tiny: lurd.Level) -> None:
    wrong: list[dict[str, object]] = [
        {"goal": "fast"},
        {"algorithm": "b-star"},
        {"heuristic": "magic"},
        {"deadlocks": ["magic"]},
        {"time_limit": -1.0},
        {"time_limit": float("nan")},
        {"threads": 0},
        {"threads": 100_000},
        {"goal": "moves", "formulation": "push"},
        {"then": "any"},
        {"promise": "perhaps", "heuristic": lambda board: 0},
        {"heuristic": lambda board: 0, "reverse": True},
        {"weight": 0.5, "algorithm": "weighted-a-star"},
    ]
    for options in wrong:
        with pytest.raises(lurd.ConfigError) as error:
            lurd.solve(tiny, **options)  # type: ignore[arg-type]
        assert len(str(error.value)) > 20, options
    with pytest.raises(TypeError):
        lurd.solve(7)  # type: ignore[arg-type]
    with pytest.raises(lurd.ConfigError, match="no whole number"):
        lurd.solve(tiny, node_limit=-1)
    with pytest.raises(lurd.ConfigError):
        lurd.prove(tiny, "any")


def test_many_solves_leak_nothing() -> None:
    def resident() -> int:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("resident memory is read from /proc")
    for _ in range(100):
        lurd.solve(TINY)
    before = resident()
    for _ in range(400):
        lurd.solve(TINY)
    assert resident() - before < 8 << 20
