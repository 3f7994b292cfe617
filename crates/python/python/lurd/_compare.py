"""Heuristics, rules and algorithms side by side on a level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any, Union

from ._lurd import Board, Cancel, Space
from ._solve import Heuristic, LevelLike, Rule, explore, solve
from .errors import LimitError

Row = dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """A heuristic held against every reachable position of a level."""

    positions: int
    """How many positions were asked about."""
    overestimate: tuple[Board, int | None, int] | None
    """A position with an estimate above its distance: the position, the estimate, the distance."""
    inconsistency: tuple[Board, Board, int | None, int | None] | None
    """Two positions, one push or move apart, and estimates that fall by more than 1 between them."""

    @property
    def is_admissible(self) -> bool:
        """Whether no estimate is above its distance."""
        return self.overestimate is None

    @property
    def is_consistent(self) -> bool:
        """Whether it is admissible and falls by no more than 1 along every push or move."""
        return self.is_admissible and self.inconsistency is None

    def __str__(self) -> str:
        if self.overestimate is not None:
            board, estimate, distance = self.overestimate
            says = "calls dead" if estimate is None else f"estimates {estimate} from"
            return f"inadmissible: it {says} this position, whose distance is {distance}:\n{board}"
        if self.inconsistency is not None:
            before, after, first, second = self.inconsistency
            words = ["dead" if value is None else str(value) for value in (first, second)]
            return (
                f"admissible, but inconsistent: from {words[0]} to {words[1]} along one step of cost 1:\n{before}\n{after}"
            )
        return f"consistent on all {self.positions} positions"


def examine(level: LevelLike | Space, heuristic: Heuristic, goal: str = "pushes", **limits: Any) -> Verdict:
    """Tests a heuristic on every reachable position of a small level.

    The limits are those of :func:`explore`. A :class:`Space` that is explored already can be given instead of the level.

    >>> import lurd
    >>> level = "#######\\n#@ $ .#\\n#######"
    >>> lurd.examine(level, lambda board: 3).is_admissible
    False
    >>> lurd.examine(level, lambda board: 0).is_consistent
    True
    """
    space = level if isinstance(level, Space) else explore(level, goal, **limits)
    overestimate, inconsistency = space.counterexamples(heuristic)
    return Verdict(len(space), overestimate, inconsistency)


class Comparison:
    """A table of searches, and what is true of the heuristics in it.

    ``table`` is a pandas.DataFrame where pandas is installed, else the list of ``rows``. ``verdicts`` has a
    :class:`Verdict` for each heuristic of yours, or the sentence that says why there is none.
    """

    def __init__(self, rows: list[Row], verdicts: dict[str, Verdict | str]) -> None:
        self.rows = rows
        self.verdicts = verdicts

    @property
    def table(self) -> Any:
        """The rows as a pandas.DataFrame if pandas is installed, else as a list of dictionaries."""
        try:
            import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            return self.rows
        return pandas.DataFrame(self.rows)

    def _cells(self) -> list[list[str]]:
        names = list(self.rows[0]) if self.rows else []
        return [names] + [["" if row[name] is None else str(row[name]) for name in names] for row in self.rows]

    def __str__(self) -> str:
        cells = self._cells()
        widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
        lines += [f"\n{name}: {verdict}" for name, verdict in self.verdicts.items()]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        def line(row: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"

        head, *body = self._cells()
        rows = line(head, "th") + "".join(line(row, "td") for row in body)
        notes = "".join(f"<p><b>{escape(n)}</b></p><pre>{escape(str(v))}</pre>" for n, v in self.verdicts.items())
        return f"<table>{rows}</table>{notes}"


HeuristicChoice = Union[str, Heuristic]
RuleChoice = Union[str, Rule]


def compare(
    levels: LevelLike | Iterable[LevelLike],
    heuristics: Iterable[HeuristicChoice] | HeuristicChoice = ("zero", "nearest-manhattan", "nearest-push", "matching"),
    *,
    algorithms: Iterable[str] | str = ("a-star",),
    deadlocks: Iterable[RuleChoice] | RuleChoice = ("all",),
    formulation: str = "push",
    promise: str = "none",
    time_limit: float | None = 10.0,
    memory_limit: int | None = 1 << 30,
    node_limit: int | None = None,
    examine_up_to: int = 100_000,
    cancel: Cancel | None = None,
) -> Comparison:
    """Runs every heuristic with every algorithm and every set of deadlock rules on every level.

    A heuristic is a name or a function of yours that takes a :class:`Board`. An entry of ``deadlocks`` is "all", "none", names with
    commas between, or a function of yours, which then works alone. A heuristic of yours is also tested on every
    reachable position of each level that has at most ``examine_up_to`` of them: ``verdicts`` has a counterexample if it is
    inadmissible or inconsistent on one, and ``promise`` may then be given with a good conscience.

    >>> import lurd
    >>> def misplaced(board): return len(board.boxes) - board.boxes_on_goals
    >>> result = lurd.compare(lurd.embedded()[0], ["zero", misplaced])
    >>> [row["heuristic"] for row in result.rows]
    ['zero', 'misplaced']
    >>> result.verdicts["misplaced"].is_consistent
    True
    """
    some_levels: list[LevelLike] = list(levels) if _is_list(levels) else [levels]  # type: ignore[arg-type, list-item]
    some_heuristics = [heuristics] if isinstance(heuristics, str) or callable(heuristics) else list(heuristics)
    some_algorithms = [algorithms] if isinstance(algorithms, str) else list(algorithms)
    some_rules = [deadlocks] if isinstance(deadlocks, str) or callable(deadlocks) else list(deadlocks)
    rows: list[Row] = []
    verdicts: dict[str, Verdict | str] = {}
    for number, level in enumerate(some_levels, 1):
        for heuristic in some_heuristics:
            if callable(heuristic):
                _examine(verdicts, level, heuristic, "pushes" if formulation == "push" else "moves", examine_up_to)
            for algorithm in some_algorithms:
                for rule in some_rules:
                    report = solve(
                        level,
                        algorithm=algorithm,
                        heuristic=heuristic,
                        formulation=formulation,
                        deadlocks="none" if callable(rule) else rule,
                        deadlock_rule=rule if callable(rule) else None,
                        promise=promise,
                        time_limit=time_limit,
                        memory_limit=memory_limit,
                        node_limit=node_limit,
                        cancel=cancel,
                    )
                    rows.append(
                        {
                            "level": getattr(level, "number", number),
                            "algorithm": report.algorithm,
                            "heuristic": report.heuristic,
                            "deadlocks": _name(rule) if callable(rule) else rule,
                            "outcome": report.outcome,
                            "pushes": report.pushes,
                            "moves": report.moves,
                            "proof": report.proof,
                            "expanded": report.expanded,
                            "generated": report.generated,
                            "seconds": round(report.seconds, 6),
                        }
                    )
    return Comparison(rows, verdicts)


def _is_list(levels: object) -> bool:
    from ._lurd import Level

    return not isinstance(levels, (Level, Board, str))


def _name(function: object) -> str:
    return str(getattr(function, "__name__", "own"))


def _examine(
    verdicts: dict[str, Verdict | str], level: LevelLike, heuristic: Heuristic, goal: str, most: int
) -> None:
    """Keeps the first counterexample, or else what the latest level said."""
    name = _name(heuristic)
    before = verdicts.get(name)
    if isinstance(before, Verdict) and not before.is_consistent:
        return
    try:
        verdicts[name] = examine(level, heuristic, goal, node_limit=most)
    except LimitError as error:
        if before is None:
            verdicts[name] = f"not examined: {error}"
