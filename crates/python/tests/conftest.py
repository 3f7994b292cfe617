"""Levels that several tests use."""

from __future__ import annotations

import pytest

import lurd

TINY = "#######\n#@ $ .#\n#######"
STUCK = "#####\n#$  #\n#@ .#\n#####"
# Drawn at random; the proof of its fewest pushes does not end in the seconds that tests take.
HARD = """\
####################
#                  #
# .    .$      # $ #
#  $$     $  ##. $ #
#    .$#..  .#     #
#      # #   .  .. #
#  #   .  $ #   #. #
#       .  # .     #
#  .   ## ###   $  #
#     $   $      $ #
#       #$$   .    #
#   #  # $ $       #
#      $  # ##     #
#    .   @$        #
#     #  #$      # #
# $.   .    #.     #
#                  #
####################
"""


@pytest.fixture
def tiny() -> lurd.Level:
    return lurd.Level(TINY)
