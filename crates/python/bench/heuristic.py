"""A heuristic in Python inside compiled A* against the same algorithm all in Python, on the embedded levels.

    python crates/python/bench/heuristic.py [--levels 12] [--seconds 20]

Both search over pushes without deadlock rules, with the sum of each box's pushes to its nearest goal as the estimate. A
level counts if both solve it inside the time. Seconds are of processor time.
"""

from __future__ import annotations

import argparse
import heapq
import statistics
import time
from itertools import count

import lurd

WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0))
Place = tuple[int, int]


class PurePython:
    """A* over pushes; positions that differ by a walk are one."""

    def __init__(self, level: lurd.Level) -> None:
        board = level.board()
        grid = board.to_array()
        self.floor = {(r, c) for r in range(board.height) for c in range(board.width) if grid[r, c] != 0}
        self.goals = frozenset(board.goals)
        self.start = frozenset(board.boxes), board.player
        distances = board.push_distances()
        self.nearest = {(r, c): int(distances[r, c]) for r, c in self.floor}

    def zone(self, boxes: frozenset[Place], player: Place) -> set[Place]:
        seen, todo = {player}, [player]
        while todo:
            r, c = todo.pop()
            for down, right in WAYS:
                to = r + down, c + right
                if to in self.floor and to not in boxes and to not in seen:
                    seen.add(to)
                    todo.append(to)
        return seen

    def estimate(self, boxes: frozenset[Place]) -> int | None:
        total = 0
        for place in boxes:
            pushes = self.nearest[place]
            if pushes < 0:
                return None
            total += pushes
        return total

    def solve(self, seconds: float) -> tuple[int | None, int]:
        """The fewest pushes and the positions expanded."""
        ends = time.process_time() + seconds
        boxes, player = self.start
        zone = self.zone(boxes, player)
        start = boxes, min(zone)
        order = count()
        first = self.estimate(boxes)
        queue = [(first or 0, first or 0, -next(order), start)]
        best = {start: 0}
        closed: set[tuple[frozenset[Place], Place]] = set()
        expanded = 0
        while queue and time.process_time() < ends:
            _, _, _, state = heapq.heappop(queue)
            if state in closed:
                continue
            closed.add(state)
            boxes, player = state
            cost = best[state]
            if boxes <= self.goals:
                return cost, expanded
            expanded += 1
            zone = self.zone(boxes, player)
            for r, c in boxes:
                for down, right in WAYS:
                    to = r + down, c + right
                    if (r - down, c - right) in zone and to in self.floor and to not in boxes:
                        after = boxes - {(r, c)} | {to}
                        h = self.estimate(after)
                        if h is None:
                            continue
                        following = after, min(self.zone(after, (r, c)))
                        if cost + 1 < best.get(following, 1 << 30):
                            best[following] = cost + 1
                            heapq.heappush(queue, (cost + 1 + h, h, -next(order), following))
        return None, expanded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--levels", type=int, default=48)
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    slow_total = fast_total = 0.0
    ratios: list[float] = []
    for level in lurd.embedded()[given.first - 1 : given.first - 1 + given.levels]:
        slow = PurePython(level)
        began = time.process_time()
        pushes, expanded = slow.solve(given.seconds)
        slow_seconds = time.process_time() - began
        if pushes is None:
            print(f"{level.number:>3} {level.title or '':<24} not solved in Python in {given.seconds:.0f} s")
            continue
        nearest = slow.nearest

        def estimate(board: lurd.Board) -> int | None:
            total = 0
            for place in board.boxes:
                pushes = nearest[place]
                if pushes < 0:
                    return None
                total += pushes
            return total

        began = time.process_time()
        report = lurd.solve(level, algorithm="a-star", heuristic=estimate, deadlocks="none", promise="admissible")
        fast_seconds = max(time.process_time() - began, 1e-6)
        assert report.pushes == pushes, (level, report.pushes, pushes)
        slow_total += slow_seconds
        fast_total += fast_seconds
        ratios.append(slow_seconds / fast_seconds)
        print(
            f"{level.number:>3} {level.title or '':<24} {pushes:>4} pushes  Python {slow_seconds:8.3f} s, {expanded:>8,} expanded"
            f"  lurd {fast_seconds:8.3f} s, {report.expanded:>8,} expanded  {ratios[-1]:6.1f} times",
            flush=True,
        )
    if ratios:
        times = f"{slow_total / fast_total:.1f} times as fast together, {statistics.median(ratios):.1f} times in the median"
        print(f"{len(ratios)} levels: {times}, {min(ratios):.1f} times at least")


if __name__ == "__main__":
    main()
