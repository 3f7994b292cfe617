"""Levels from files and texts, and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from . import _lurd
from ._lurd import Level


class Collection(Sequence[Level]):
    """The levels of a file, in its order.

    ``defects`` and ``warnings`` say, in sentences with their places, which levels were left out and what is odd about the
    others.

    >>> import lurd
    >>> collection = lurd.parse("; one\\n#####\\n#@$.#\\n#####\\n")
    >>> len(collection), collection[0].title, collection.format
    (1, 'one', 'xsb')
    """

    def __init__(
        self,
        levels: Iterable[Level],
        title: str | None = None,
        author: str | None = None,
        format: str = "xsb",
        defects: Iterable[str] = (),
        warnings: Iterable[str] = (),
    ) -> None:
        self._levels = tuple(levels)
        self.title = title
        self.author = author
        self.format = format
        self.defects = tuple(defects)
        self.warnings = tuple(warnings)

    @overload
    def __getitem__(self, index: int) -> Level: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Level, ...]: ...
    def __getitem__(self, index: int | slice) -> Level | tuple[Level, ...]:
        return self._levels[index]

    def __len__(self) -> int:
        return len(self._levels)

    def __iter__(self) -> Iterator[Level]:
        return iter(self._levels)

    def __repr__(self) -> str:
        title = f" {self.title!r}" if self.title else ""
        return f"<lurd.Collection{title}, {len(self)} levels, format {self.format}>"


def parse(text: str | bytes) -> Collection:
    """Reads levels from a text in any format that lurd knows, recognised by its content.

    Raises :class:`LevelError` if nothing in it is a sound level.
    """
    return Collection(*_lurd.read_levels(text.encode() if isinstance(text, str) else bytes(text)))


def load(path: str | os.PathLike[str]) -> Collection:
    """Reads the levels of a file in any format that lurd knows, recognised by its content.

    Raises :class:`OSError` if it cannot be read and :class:`LevelError` if nothing in it is a sound level.
    """
    with open(path, "rb") as file:
        return parse(file.read())


def dumps(levels: Iterable[Level] | Level, format: str = "xsb") -> str:
    """Levels as a text in a format: xsb, rle, sok, slc, sokobot, digits, boxoban, course or mf8."""
    all = (levels,) if isinstance(levels, Level) else tuple(levels)
    return bytes(_lurd.write_levels(all, format)).decode()


def save(path: str | os.PathLike[str], levels: Iterable[Level] | Level, format: str = "xsb") -> None:
    """Writes levels to a file in a format (see :func:`dumps`)."""
    text = dumps(levels, format)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def embedded() -> Collection:
    """The 53 levels that come with lurd.

    >>> import lurd
    >>> len(lurd.embedded())
    53
    """
    return parse(_lurd.EMBEDDED)


def rooms(count: int, *, size: tuple[int, int] = (10, 10), boxes: int = 4, seed: int = 0) -> list[Level]:
    """Makes rooms like those of gym-sokoban, each with a solution. Equal seeds make equal rooms.

    >>> import lurd
    >>> [room] = lurd.rooms(1, size=(7, 7), boxes=2)
    >>> lurd.solve(room).outcome
    'solved'
    """
    return _lurd.generate_rooms(count, size, boxes, seed)
