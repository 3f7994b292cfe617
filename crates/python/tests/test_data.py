"""Datasets."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import lurd
from conftest import HARD, STUCK, TINY

WAYS = {0: (0, -1), 1: (-1, 0), 2: (0, 1), 3: (1, 0)}


@pytest.mark.parametrize("goal", ["pushes", "moves"])
def test_actions_lead_to_the_next_position_and_distances_are_exact(goal: str) -> None:
    levels = lurd.rooms(6, size=(7, 7), boxes=2, seed=9)
    data = lurd.dataset(levels, goal, threads=2)
    records = list(data)
    assert data.unproved == [] and {record.level for record in records} == set(range(6))
    for number, level in enumerate(levels):
        own = [record for record in records if record.level == number]
        report = lurd.prove(level, goal)
        length = report.pushes if goal == "pushes" else report.moves
        assert [record.distance for record in own] == list(range(length or 0, -1, -1))
        assert own[-1].action == -1 and (own[-1].row, own[-1].column) == (-1, -1)
        for record, following in zip(own, own[1:]):
            down, right = WAYS[record.action]
            moved = (3, 4) if goal == "pushes" else (5, 6)
            assert record.board[record.row, record.column] in moved
            assert following.board[record.row + down, record.column + right] in moved


def test_levels_without_a_proof_are_listed() -> None:
    data = lurd.dataset([STUCK, lurd.Level(TINY)])
    assert len(list(data)) == 3 and data.unproved == [0]


def test_files(tmp_path: Path) -> None:
    data = lurd.dataset([TINY, "#####\n#@$.#\n#####"])
    assert data.write(tmp_path / "data.npz") == 5
    arrays = np.load(tmp_path / "data.npz")
    assert arrays["board"].shape == (5, 3, 7) and arrays["distance"].tolist() == [2, 1, 0, 1, 0]
    assert not arrays["board"][3, :, 5:].any(), "a smaller board is filled up with walls"
    if importlib.util.find_spec("pyarrow"):
        assert data.write(tmp_path / "data.parquet") == 5
    else:
        with pytest.raises(lurd.ConfigError, match="pyarrow"):
            data.write(tmp_path / "data.parquet")
    with pytest.raises(lurd.ConfigError, match="npz"):
        data.write(tmp_path / "data.csv")


def test_wrong_options_are_told() -> None:
    with pytest.raises(lurd.ConfigError):
        lurd.dataset([TINY], "any")
    with pytest.raises(lurd.ConfigError):
        lurd.dataset([TINY], threads=0)
    with pytest.raises(lurd.LevelError):
        list(lurd.dataset(["nothing"]))


def test_leaving_early_ends_the_work() -> None:
    for record in lurd.dataset([TINY, HARD, HARD, HARD], time_limit=60, threads=2):
        assert record.level == 0
        break
