"""Positions: moves, pushes, overlays, deadlocks."""

from __future__ import annotations

import pytest

import lurd
from conftest import STUCK, TINY


def test_playing(tiny: lurd.Level) -> None:
    board = tiny.board()
    assert (board.player, board.boxes, board.goals) == ((1, 1), ((1, 3),), ((1, 5),))
    assert board.moves() == "r"
    after = board.play("2(r)")
    assert after.boxes == ((1, 4),) and board.boxes == ((1, 3),)
    assert after.moves() == "lR" and not after.is_solved
    assert board.play("rRR").is_solved and board.play("rRR").boxes_on_goals == 1
    assert board.play("") == board and hash(board.play("")) == hash(board)
    with pytest.raises(lurd.MoveError, match="move 2"):
        board.play("ru")
    with pytest.raises(lurd.MoveError, match="no move"):
        board.play("x")


def test_pushes_and_their_walks() -> None:
    board = lurd.Board("#######\n#  .  #\n# $@$ #\n#  .  #\n#######")
    pushes = board.pushes()
    assert lurd.Push(2, 2, "l") in pushes and lurd.Push(2, 4, "r") in pushes
    for push in pushes:
        after = board.push(push)
        assert after == board.play(board.path(push))
        assert after.boxes != board.boxes
    assert len(set(pushes)) == len(pushes)
    with pytest.raises(lurd.MoveError):
        board.push(lurd.Push(1, 1, "l"))
    with pytest.raises(lurd.MoveError):
        board.push(lurd.Push(99, 1, "l"))
    with pytest.raises(lurd.MoveError):
        lurd.Push(1, 1, "x")


def test_overlays_are_arrays(tiny: lurd.Level) -> None:
    board = tiny.board()
    assert board.push_distances()[1].tolist() == [-1, -1, 3, 2, 1, 0, -1]
    assert board.push_distances((1, 5))[1, 3] == 2
    assert board.walk_distances()[1].tolist() == [-1, 0, 1, -1, -1, -1, -1]
    assert board.zone()[1].tolist() == [False, True, True, False, False, False, False]
    assert board.corrals()[1].tolist() == [0, 0, 0, 0, 1, 1, 0]
    assert board.tunnels()[1, 1:6].all()
    assert board.rooms().max() == 0
    assert not board.frozen().any()
    assert board.estimate() == 2 and board.estimate("zero") == 0
    room = lurd.Board("#####\n#@  #\n# $.#\n#   #\n#####")
    assert room.dead_squares()[1, 1] and not room.dead_squares()[2, 2]
    with pytest.raises(lurd.ConfigError):
        board.push_distances((0, 0))
    with pytest.raises(lurd.ConfigError):
        board.estimate("nothing")


def test_deadlocks_name_boxes_and_reason() -> None:
    found = lurd.deadlock(STUCK)
    assert found is not None
    assert (found.rule, found.boxes) == ("corner", [(1, 1)]) and "corner" in found.reason
    assert lurd.deadlock(TINY) is None
    # A position that play has led to.
    board = lurd.Board("######\n#@   #\n# $. #\n#    #\n######")
    lost = board.push(lurd.Push(2, 2, "l"))
    assert lurd.deadlock(lost) is not None


def test_a_position_is_a_start(tiny: lurd.Level) -> None:
    after = tiny.board().play("rR")
    assert lurd.prove(after).pushes == 1
    assert lurd.Level(after.text).board() == after == after.level().board()


def test_the_oracle_knows(tiny: lurd.Level) -> None:
    oracle = lurd.Oracle(time_limit=10)
    answer = oracle.ask(tiny)
    assert (answer["dead"], answer["distance"], answer["push"]) == (False, 2, lurd.Push(1, 3, "r"))
    answer = oracle.ask(STUCK)
    assert (answer["dead"], answer["rule"], answer["boxes"]) == (True, "corner", [(1, 1)])
    assert oracle.ask(tiny.board().play("rRR"))["distance"] == 0
