"""The record of a search is that of the command line, field by field."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
from pathlib import Path

import pytest

import lurd

PROGRAM = Path(os.environ.get("LURD", Path(__file__).parents[3] / "target" / "release" / "lurd"))
STUCK = "#####\n#$  #\n#@ .#\n#####"
ROOM = "########\n#  .   #\n# $@$  #\n#  # . #\n#    $.#\n########"
MEASURED = ("seconds", "peak_bytes")

REQUESTS = [
    (ROOM, {"algorithm": "greedy", "heuristic": "matching", "deadlocks": "corner,freeze"}),
    (ROOM, {"goal": "pushes", "algorithm": "a-star", "tie_break": "fifo", "fallback_after": 100_000}),
    (ROOM, {"goal": "moves", "then": "pushes"}),
    (STUCK, {"goal": "pushes"}),
    (ROOM, {"goal": "pushes", "node_limit": 20}),
    (ROOM, {"algorithm": "breadth-first", "formulation": "move", "deadlocks": "none", "memory_limit": "64KiB"}),
]


@pytest.mark.skipif(not PROGRAM.exists(), reason="the command line is not built")
@pytest.mark.parametrize(("level", "request_"), REQUESTS)
def test_the_record_is_that_of_the_command_line(level: str, request_: dict[str, object]) -> None:
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in request_.items()]
    command = [PROGRAM, "solve", "-", "--json", "--no-library", "--threads=1", *flags]
    printed = json.loads(subprocess.run(command, input=level, capture_output=True, text=True, check=False).stdout)
    answered = lurd.solve(level, **request_).to_dict()  # type: ignore[arg-type]
    assert list(answered) == list(printed)
    assert {name: value for name, value in answered.items() if name not in MEASURED} == {
        name: value for name, value in printed.items() if name not in MEASURED
    }


def test_a_report_travels() -> None:
    report = lurd.prove(ROOM)
    for other in (copy.copy(report), copy.deepcopy(report), pickle.loads(pickle.dumps(report))):
        assert other == report and hash(other) == hash(report)
        assert other.boards().__next__() == lurd.Board(ROOM)
    assert report != lurd.prove(ROOM, "moves")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"memory_limit": "1 sack"}, "is no size"),
        ({"time_limit": -1}, "is no time"),
        ({"time_limit": float("nan")}, "is no time"),
        ({"threads": 0}, "1 or more"),
        ({"node_limit": 1.5}, "no whole number"),
        ({"weight": 0.5}, "between 1 and 1000"),
        ({"heuristic": "magic"}, "there is no `magic`"),
        ({"deadlocks": ["corner", "x"]}, "there is no `x`"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(lurd.ConfigError, match=sentence) as refused:
        lurd.solve(ROOM, **options)  # type: ignore[arg-type]
    assert next(iter(options)) in str(refused.value)
