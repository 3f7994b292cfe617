"""What came of a search: the record that `lurd solve --json` prints, a batch run stores and the page gets."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from . import _draw, _lurd
from ._lurd import Board, Boards
from .errors import ConfigError


@dataclass(frozen=True)
class Report:
    """The work on one level, ended. The names are those of ``lurd solve --json``.

    Reports can be compared, copied, pickled and sent to other processes.

    >>> import lurd
    >>> report = lurd.prove("#######\\n#@ $ .#\\n#######")
    >>> report.solution, report.proof, report.goal_proof
    ('rRR', 'optimal-pushes', 'finished')
    """

    level: int | None
    """The level's number in its file, from 1."""
    title: str
    """The level's title; empty if it has none."""
    outcome: str
    """'solved', 'unsolvable', 'stopped' or 'cancelled'."""
    stopped_by: str | None
    """The limit that ended the search, or a proof that has an answer already: 'time', 'memory', 'nodes', 'depth'."""
    solution: str | None
    """The moves in LURD, pushes in capitals; None if there is no solution. The referee has replayed them."""
    moves: int | None
    """The moves of the solution, pushes included."""
    pushes: int | None
    """The pushes of the solution."""
    proof: str
    """What is proved about the solution: 'optimal-pushes', 'optimal-moves', 'at-most-1.5' or 'none'."""
    lower_bound: int | None
    """No solution is below this, in what the search counted; None where nothing is proved."""
    algorithm: str
    """The algorithm that ran."""
    formulation: str
    """What counted as one action: 'push', 'move' or 'walk'."""
    heuristic: str
    """The heuristic, the player's part included."""
    deadlocks: list[str]
    """The deadlock rules at work."""
    expanded: int
    """Positions expanded."""
    generated: int
    """Successors made."""
    duplicates: int
    """Successors known already."""
    pruned: dict[str, int]
    """Successors cut, by rule."""
    seconds: float
    """Wall-clock time."""
    peak_bytes: int
    """Most bytes the search held."""
    goal_proof: str | None
    """'finished' or 'unfinished', where the goal asks for a proof."""
    then_proof: str | None
    """The same for the second goal."""
    notes: list[str]
    """What a reader should know, in sentences."""
    reopened: int
    """Positions expanded again because a cheaper way to them was found."""
    peak_frontier: int
    """Most positions that waited at once."""
    heuristic_bytes: int
    """Bytes of the heuristic's tables."""
    _start: Board = field(repr=False)

    def boards(self) -> Boards:
        """The boards of the solution, the first one included, one after the other."""
        if self.solution is None:
            raise ConfigError("there is no solution to show")
        return _lurd.boards(self._start, self.solution)

    def to_dict(self) -> dict[str, Any]:
        """Everything as a dictionary, equal to what ``lurd solve --json`` prints."""
        return {one.name: getattr(self, one.name) for one in fields(self) if not one.name.startswith("_")}

    def __hash__(self) -> int:
        return hash((self._start, self.outcome, self.solution, self.seconds))

    def __repr__(self) -> str:
        if self.solution is not None:
            return f"<lurd.Report {self.outcome}, {self.pushes} pushes, {self.moves} moves, proof {self.proof}>"
        limit = f" by the limit on {self.stopped_by}" if self.stopped_by else ""
        return f"<lurd.Report {self.outcome}{limit}>"

    def _repr_html_(self) -> str:
        return _draw.report(str(self._start), self.solution, repr(self))
