"""Training data: positions with proved distances and optimal actions."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._lurd import Cancel, Level
from ._report import Report
from ._solve import LevelLike, solve
from .errors import ConfigError

ACTIONS = "lurd"
"""The actions by number: left, up, right, down."""


class Record(NamedTuple):
    """A position on the way of a proved solution."""

    level: int
    """The place of its level among those given, from 0."""
    step: int
    """Its place on the way, from 0."""
    board: npt.NDArray[np.uint8]
    """The tiles: 0 wall, 1 floor, 2 goal, 3 box on goal, 4 box, 5 player, 6 player on goal."""
    distance: int
    """The fewest pushes or moves to a solution, proved."""
    action: int
    """The direction of the next push or move of a shortest solution, as a place in "lurd"; -1 if it is solved."""
    row: int
    """The row of the box that is pushed, or of the player that moves; -1 if it is solved."""
    column: int
    """Its column."""


class Dataset(Iterable[Record]):
    """Positions that are solved while they are asked for. Iterate over it once, or write it to a file."""

    def __init__(
        self,
        levels: Iterable[LevelLike],
        goal: str,
        threads: int,
        time_limit: float | None,
        memory_limit: int | None,
        node_limit: int | None,
    ) -> None:
        self._levels = levels
        self._goal = goal
        self._threads = threads
        self._limits = {"time_limit": time_limit, "memory_limit": memory_limit, "node_limit": node_limit}
        self.unproved: list[int] = []
        """The levels, from 0, whose distance was not proved inside the limits, or that have no solution."""

    def __iter__(self) -> Iterator[Record]:
        self.unproved = []
        cancel = Cancel()
        waiting: deque[tuple[int, Future[Report]]] = deque()
        pool = ThreadPoolExecutor(self._threads, thread_name_prefix="lurd")
        levels = enumerate(self._levels)
        try:
            while True:
                # A few levels ahead keep all threads busy while the first one is waited for.
                while len(waiting) < 4 * self._threads:
                    entry = next(levels, None)
                    if entry is None:
                        break
                    number, level = entry
                    level = Level(level) if isinstance(level, str) else level
                    job = pool.submit(solve, level, self._goal, cancel=cancel, **self._limits)  # type: ignore[arg-type]
                    waiting.append((number, job))
                if not waiting:
                    return
                number, job = waiting.popleft()
                yield from self._records(number, job.result())
        finally:
            cancel.cancel()
            pool.shutdown(wait=True, cancel_futures=True)

    def _records(self, number: int, report: Report) -> Iterator[Record]:
        if report.solution is None or report.proof != f"optimal-{self._goal}":
            self.unproved.append(number)
            return
        by_pushes = self._goal == "pushes"
        left = report.pushes if by_pushes else report.moves
        assert left is not None
        step = 0
        for board, letter in zip(report.boards(), report.solution + " "):
            if by_pushes and letter.islower():
                continue
            row, column = board.player if letter != " " else (-1, -1)
            if by_pushes and letter != " ":
                down, right = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}[letter.lower()]
                row, column = row + down, column + right
            yield Record(number, step, board.to_array(), left, ACTIONS.find(letter.lower()), row, column)
            step += 1
            left -= 1

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Everything as arrays, one entry a position. Smaller boards are filled up with walls."""
        records = list(self)
        height = max((record.board.shape[0] for record in records), default=0)
        width = max((record.board.shape[1] for record in records), default=0)
        boards = np.zeros((len(records), height, width), np.uint8)
        for place, record in zip(boards, records):
            place[: record.board.shape[0], : record.board.shape[1]] = record.board
        columns = {name: [getattr(record, name) for record in records] for name in Record._fields if name != "board"}
        return {"board": boards} | {name: np.array(values, np.int32) for name, values in columns.items()}

    def write(self, path: str | os.PathLike[str]) -> int:
        """Writes everything to a file, by its ending .npz or .parquet (which needs pyarrow); returns the positions."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in (".npz", ".parquet"):
            raise ConfigError(f"a dataset is written to a file .npz or .parquet, and not {ending or 'without an ending'}")
        if ending == ".parquet":
            try:
                import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
                import pyarrow.parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]
            except ImportError as error:
                raise ConfigError("Parquet needs pyarrow: pip install pyarrow, or write to a file .npz") from error
        arrays = self.arrays()
        count = len(arrays["board"])
        if ending == ".npz":
            np.savez_compressed(path, **arrays)  # type: ignore[arg-type, unused-ignore]
        else:
            height, width = arrays["board"].shape[1:]
            columns: dict[str, Any] = {name: values for name, values in arrays.items() if name != "board"}
            columns["height"] = np.full(count, height, np.int32)
            columns["width"] = np.full(count, width, np.int32)
            columns["board"] = list(arrays["board"].reshape(count, -1))
            pyarrow.parquet.write_table(pyarrow.table(columns), path)
        return count


def dataset(
    levels: Iterable[LevelLike],
    goal: str = "pushes",
    *,
    threads: int | None = None,
    time_limit: float | None = 10.0,
    memory_limit: int | None = None,
    node_limit: int | None = None,
) -> Dataset:
    """Solves levels in parallel and gives the positions on the way of each proved solution, with their distances and
    optimal actions. Limits are for each level; levels without a proof inside them are listed in ``unproved``.

    >>> import lurd
    >>> data = lurd.dataset(["#######\\n#@ $ .#\\n#######"])
    >>> [(record.distance, record.action) for record in data]
    [(2, 2), (1, 2), (0, -1)]
    """
    if goal not in ("pushes", "moves"):
        raise ConfigError(f"distances count pushes or moves, and not {goal!r}")
    if isinstance(levels, (str, Level)):
        levels = [levels]
    if threads is not None and threads < 1:
        raise ConfigError("a dataset needs at least one thread")
    return Dataset(levels, goal, threads or os.cpu_count() or 1, time_limit, memory_limit, node_limit)
