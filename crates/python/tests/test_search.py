"""State spaces of one's own; comparisons; verdicts on heuristics."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator

import pytest

import lurd
from conftest import TINY
from lurd import search


class Graph:
    """A random graph with costs."""

    def __init__(self, seed: int, size: int = 60) -> None:
        dice = random.Random(seed)
        self.edges = {n: [(dice.randrange(size), dice.randrange(1, 9)) for _ in range(3)] for n in range(size)}
        self.initial = 0
        self.goal = size - 1

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def successors(self, state: int) -> Iterator[tuple[int, int, int]]:
        for to, cost in self.edges[state]:
            yield to, to, cost

    def distance(self) -> int | None:
        """Dijkstra's algorithm, by itself."""
        best, queue = {0: 0}, [(0, 0)]
        while queue:
            far, state = heapq.heappop(queue)
            if state == self.goal:
                return far
            for to, cost in self.edges[state]:
                if far + cost < best.get(to, 1 << 30):
                    best[to] = far + cost
                    heapq.heappush(queue, (far + cost, to))
        return None


OPTIMAL: list[Callable[[Graph], search.Result[int]]] = [
    search.uniform_cost,
    search.a_star,
    search.ida_star,
    search.iterative_deepening,
    search.memory_bounded_a_star,
]


@pytest.mark.parametrize("seed", range(30))
def test_cheapest_paths_are_found_and_proved(seed: int) -> None:
    graph = Graph(seed)
    wanted = graph.distance()
    for algorithm in OPTIMAL:
        result = algorithm(graph)
        if wanted is None:
            assert result.outcome == "unsolvable" and result.path is None
            continue
        assert (result.outcome, result.cost, result.proof) == ("solved", wanted, "optimal"), algorithm
        assert result.states is not None and result.path is not None
        assert result.states[0] == 0 and result.states[1:] == result.path
    for other in (search.breadth_first(graph), search.depth_first(graph), search.greedy(graph, lambda state: 0)):
        assert other.outcome == ("unsolvable" if wanted is None else "solved")


def test_promises_decide_about_proofs() -> None:
    graph = next(Graph(seed) for seed in range(9) if Graph(seed).distance())
    assert search.a_star(graph, lambda state: 0).proof == "none"
    assert search.a_star(graph, lambda state: 0, promise="admissible").proof == "optimal"
    weighted = search.weighted_a_star(graph, lambda state: 0.0, 2.0, promise="consistent")
    assert weighted.proof in ("optimal", "at-most-2")
    # A heuristic that calls everything dead proves nothing.
    assert search.a_star(graph, lambda state: None).outcome == "stopped"


def test_limits_and_initial_methods() -> None:
    class Endless:
        def initial(self) -> int:
            return 0

        def is_goal(self, state: int) -> bool:
            return False

        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("on", state + 1)]

    result = search.breadth_first(Endless(), node_limit=100)  # type: ignore[arg-type]
    assert (result.outcome, result.stopped_by) == ("stopped", "nodes")
    result = search.a_star(Endless(), time_limit=0.2)  # type: ignore[arg-type]
    assert (result.outcome, result.stopped_by) == ("stopped", "time")
    result = search.depth_limited(Endless(), 5)  # type: ignore[arg-type]
    assert (result.outcome, result.stopped_by) == ("stopped", "depth")


@pytest.mark.parametrize(
    "steps", [[1], [("a", 1, 0)], [("a", 1, 1.5)], [("a",)], [("a", [])], 7, [("a", 1, -1)], [("a", 1, 1, 1)]]
)
def test_wrong_successors_are_told(steps: object) -> None:
    class Wrong:
        initial = 0

        def is_goal(self, state: int) -> bool:
            return state == 1

        def successors(self, state: int) -> object:
            return steps

    with pytest.raises((lurd.ProblemError, TypeError)):
        search.a_star(Wrong())  # type: ignore[arg-type]


def test_exceptions_come_out() -> None:
    class Failing:
        initial = 0

        def is_goal(self, state: int) -> bool:
            raise ZeroDivisionError

        def successors(self, state: int) -> list[tuple[str, int]]:
            return [("a", 1)]

    with pytest.raises(ZeroDivisionError):
        search.a_star(Failing())
    with pytest.raises(AttributeError):
        search.a_star(object())  # type: ignore[arg-type]


def brute_force(level: lurd.Level) -> dict[lurd.Board, int | None]:
    """The fewest moves from every position that moves lead to, by nothing but the rules."""
    start = level.board()
    after: dict[lurd.Board, list[lurd.Board]] = {}
    todo = [start]
    while todo:
        board = todo.pop()
        if board not in after:
            after[board] = [board.play(letter) for letter in board.moves()]
            todo += after[board]
    before: dict[lurd.Board, list[lurd.Board]] = {board: [] for board in after}
    for board, nexts in after.items():
        for following in nexts:
            before[following].append(board)
    distances: dict[lurd.Board, int | None] = dict.fromkeys(after)
    layer = [board for board in after if board.is_solved]
    steps = 0
    while layer:
        for board in layer:
            distances[board] = steps
        steps += 1
        layer = list({b for board in layer for b in before[board] if distances[b] is None})
    return distances


def small_levels(count: int) -> list[lurd.Level]:
    return lurd.rooms(count, size=(5, 5), boxes=1, seed=77) + lurd.rooms(count // 10, size=(5, 6), boxes=2, seed=78)


@pytest.mark.parametrize("kind", ["exact", "low", "high"])
def test_verdicts_agree_with_brute_force(kind: str) -> None:
    kinds = set()
    for number, level in enumerate(small_levels(30)):
        truth = brute_force(level)

        def heuristic(board: lurd.Board) -> int | None:
            exact = truth[board]
            odd = (board.player[0] * 3 + board.player[1] + number) % 5 == 0
            if exact is None or kind == "exact" or not odd:
                return exact
            return max(0, exact - 2) if kind == "low" else exact + 1

        space = lurd.explore(level, "moves")
        assert len(space) == len(truth)
        assert all(space.distance(board) == distance for board, distance in truth.items())
        verdict = lurd.examine(space, heuristic)
        above = lambda a, b: b is not None and (a is None or a > b)
        admissible = not any(above(heuristic(board), distance) for board, distance in truth.items())
        falls = False
        for board in truth:
            for letter in board.moves():
                after = heuristic(board.play(letter))
                falls |= above(heuristic(board), None if after is None else after + 1)
        assert (verdict.is_admissible, verdict.inconsistency is not None) == (admissible, falls)
        assert str(verdict)
        kinds.add((verdict.is_admissible, verdict.is_consistent))
    assert {"exact": (True, True), "low": (True, False), "high": (False, False)}[kind] in kinds


def test_a_comparison_is_a_table() -> None:
    def triple(board: lurd.Board) -> int:
        return 3 * (len(board.boxes) - board.boxes_on_goals)

    def nothing(board: lurd.Board) -> bool:
        return False

    result = lurd.compare(TINY, ["zero", "matching", triple], algorithms=["a-star", "greedy"], deadlocks=["all", nothing])
    assert len(result.rows) == 3 * 2 * 2
    assert {row["outcome"] for row in result.rows} == {"solved"}
    verdict = result.verdicts["triple"]
    assert isinstance(verdict, lurd.Verdict) and verdict.overestimate is not None
    board, estimate, distance = verdict.overestimate
    assert (estimate, distance) == (3, 2) and board == lurd.Board(TINY)
    assert "inadmissible" in str(result) and "<table>" in result._repr_html_()
    assert len(result.table) == 12
    big = lurd.compare(TINY, triple, examine_up_to=1)
    assert str(big.verdicts["triple"]).startswith("not examined")


def test_spaces_refuse_what_is_not_in_them() -> None:
    space = lurd.explore(TINY)
    assert space.goal == "pushes" and [distance for _, distance in space.positions()] == [2, 1, 0]
    for other in ("#####\n#@$.#\n#####", "#######\n#@ $. #\n#######"):
        with pytest.raises(KeyError):
            space.distance(lurd.Board(other))
    assert space.distance(lurd.Board(lurd.Board(TINY).play("rR").text)) == 1
    with pytest.raises(lurd.LimitError, match="nodes"):
        lurd.explore(lurd.embedded()[-1], node_limit=1000)
    with pytest.raises(lurd.ConfigError):
        lurd.explore(TINY, "any")
