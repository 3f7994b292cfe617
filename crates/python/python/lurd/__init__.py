"""Sokoban: solve levels, prove answers, explain positions, learn.

>>> import lurd
>>> level = lurd.Level("#######\\n#@ $ .#\\n#######")
>>> report = lurd.prove(level)
>>> report.solution, report.pushes, report.proof
('rRR', 2, 'optimal-pushes')

Levels are read by :func:`load` and :func:`parse`; :func:`solve`, :func:`prove`, :func:`improve` and :func:`check` work on
them; :class:`Board` is a position. :mod:`lurd.search` runs state spaces of your own, :func:`compare` puts heuristics side
by side, :mod:`lurd.gym` has environments, :func:`dataset` makes training data.
"""

from __future__ import annotations

from ._compare import Comparison, Verdict, compare, examine
from ._data import Dataset, Record, dataset
from ._levels import Collection, dumps, embedded, load, parse, rooms, save
from ._lurd import (
    ALGORITHMS,
    DEADLOCK_RULES,
    HEURISTICS,
    Board,
    Boards,
    Cancel,
    Deadlock,
    Level,
    Oracle,
    Progress,
    Push,
    Space,
    __version__,
)
from ._report import Report
from ._solve import Check, Improved, check, deadlock, explore, improve, prove, solve
from .errors import ConfigError, LevelError, LimitError, LurdError, MoveError, ProblemError

__all__ = [
    "ALGORITHMS",
    "DEADLOCK_RULES",
    "HEURISTICS",
    "Board",
    "Boards",
    "Cancel",
    "Check",
    "Collection",
    "Comparison",
    "ConfigError",
    "Dataset",
    "Deadlock",
    "Improved",
    "Level",
    "LevelError",
    "LimitError",
    "LurdError",
    "MoveError",
    "Oracle",
    "ProblemError",
    "Progress",
    "Push",
    "Record",
    "Report",
    "Space",
    "Verdict",
    "__version__",
    "check",
    "compare",
    "dataset",
    "deadlock",
    "dumps",
    "embedded",
    "examine",
    "explore",
    "improve",
    "load",
    "parse",
    "prove",
    "rooms",
    "save",
    "solve",
]
