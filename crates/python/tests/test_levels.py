"""Levels and collections."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import lurd
from conftest import STUCK, TINY


def test_a_level_knows_its_parts() -> None:
    level = lurd.Level("; Title\n" + TINY)
    assert (level.title, level.height, level.width, level.box_count) == ("Title", 3, 7, 1)
    assert level.text == TINY + "\n" == str(level)
    assert level.to_array().tolist()[1] == [0, 5, 1, 4, 1, 2, 0]
    assert level == lurd.Level(TINY) and hash(level) == hash(lurd.Level(TINY))
    assert level != lurd.Level(STUCK)
    assert "Title" in repr(level)


def test_formats_are_recognised_and_written(tmp_path: Path) -> None:
    collection = lurd.parse("; one\n#####\n#@$.#\n#####\n\n; two\n####\n#@*#\n####\n")
    assert [level.title for level in collection] == ["one", "two"]
    assert collection[-1].number == 2 and len(collection[:1]) == 1
    for format in ("xsb", "sok", "slc", "rle"):
        path = tmp_path / f"levels.{format}"
        lurd.save(path, collection, format)
        again = lurd.load(path)
        assert [level.text for level in again] == [level.text for level in collection], format
    assert lurd.load(str(tmp_path / "levels.slc")).format == "slc"


def test_defects_are_told_and_do_not_hide_the_rest() -> None:
    collection = lurd.parse("; good\n#####\n#@$.#\n#####\n\n; bad\n#####\n#@$ #\n#####\n")
    assert len(collection) == 1 and len(collection.defects) == 1
    assert "goal" in collection.defects[0]


def test_equal_puzzles_have_equal_normal_forms() -> None:
    turned = lurd.Level("###\n#.#\n#$#\n#@#\n###")
    assert turned.canonical() == lurd.Level("#####\n#@$.#\n#####").canonical()


def test_levels_and_boards_can_be_pickled() -> None:
    level = lurd.Level("; Title\n" + TINY)
    again = pickle.loads(pickle.dumps(level))
    assert again == level and again.title == "Title"
    board = level.board().play("rR")
    assert pickle.loads(pickle.dumps(board)) == board


def test_rooms_are_solvable_and_depend_on_the_seed_alone() -> None:
    some = lurd.rooms(5, size=(7, 8), boxes=2, seed=3)
    assert some == lurd.rooms(5, size=(7, 8), boxes=2, seed=3) != lurd.rooms(5, size=(7, 8), boxes=2, seed=4)
    for room in some:
        assert (room.height, room.width, room.box_count) == (7, 8, 2)
        assert lurd.solve(room).outcome == "solved"


def test_embedded_levels_are_there() -> None:
    assert len(lurd.embedded()) == 53


def test_pictures_show_every_piece(tiny: lurd.Level) -> None:
    svg = tiny._repr_svg_()
    assert svg.startswith("<svg") and svg.count("<circle") == 2 and tiny.board()._repr_svg_() == svg
    html = lurd.solve(tiny)._repr_html_()
    assert "rRR" in html and "<script>" in html
    assert "<script>" not in lurd.solve(STUCK)._repr_html_()


@pytest.mark.parametrize("text", ["", "#####", "#####\n#@$x#\n#####", "#####\n#@$.\n#####", "nothing"])
def test_bad_texts_raise_the_class_with_a_sentence(text: str) -> None:
    for read in (lurd.Level, lurd.parse):
        with pytest.raises(lurd.LevelError) as error:
            read(text)
        assert len(str(error.value)) > 20


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        lurd.load(tmp_path / "nothing.xsb")
    with pytest.raises(lurd.ConfigError, match="format"):
        lurd.dumps(lurd.Level(TINY), "pdf")
    with pytest.raises(lurd.LevelError):
        lurd.dumps([])


def test_arrays_have_types(tiny: lurd.Level) -> None:
    assert tiny.to_array().dtype == np.uint8 and tiny.board().zone().dtype == np.bool_
