"""What a call costs over the search itself, how soon Ctrl-C ends one, and whether many calls leak.

    python crates/python/bench/overhead.py [--solves 10000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import threading
import time

import lurd


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def interrupted() -> float:
    """Seconds from the signal to the exception, in a search that would go on."""
    sent = []
    # A shell starts what runs in the background with the signal ignored, and Python leaves it so.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    # A room full of boxes: A* without an estimate does not end on it.
    rows = ["#" * 16, *["#" + " " * 14 + "#"] * 2, *["#  " + "$ " * 5 + "  #"] * 2, "#  " + ". " * 5 + "  #"]
    level = "\n".join([*rows, "#  " + ". " * 5 + "@ #", "#" + " " * 14 + "#", "#" * 16])
    try:
        threading.Timer(0.5, send).start()
        lurd.solve(level, algorithm="breadth-first", deadlocks="none", time_limit=60)
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    raise AssertionError("the search ended before the signal")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--solves", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    levels = lurd.embedded()
    over = []
    for level in list(levels) * given.rounds:
        began = time.perf_counter()
        report = lurd.solve(level, "any")
        over.append(time.perf_counter() - began - report.seconds)
    print(
        f"a call costs {min(over) * 1e6:.0f} us over its search at best, {statistics.median(over) * 1e6:.0f} us in the median "
        f"of {len(over)}, {max(over) * 1e3:.2f} ms at most"
    )
    print(f"Ctrl-C ends a search after {max(interrupted() for _ in range(3)) * 1e3:.0f} ms (the longest of 3)")
    level = lurd.Level("########\n#      #\n# .$.$ #\n#  @   #\n########")
    for _ in range(200):
        lurd.solve(level)
    began = resident()
    for i in range(1, given.solves + 1):
        lurd.solve(level)
        if i % max(given.solves // 5, 1) == 0:
            print(f"{i:>7} solves: {(resident() - began) / 1024:+,.0f} KiB")


if __name__ == "__main__":
    main()
