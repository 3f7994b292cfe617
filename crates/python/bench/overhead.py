"""What a call costs over the search itself, and whether many calls leak.

    python crates/python/bench/overhead.py [--solves 10000]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

import lurd


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--solves", type=int, default=10_000)
    given = parser.parse_args()
    levels = lurd.embedded()
    over = []
    for level in list(levels) * 5:
        began = time.perf_counter()
        report = lurd.solve(level, "any")
        over.append(time.perf_counter() - began - report.seconds)
    print(f"a call costs {statistics.median(over) * 1e6:.0f} us over its search (median of {len(over)}), at most {max(over) * 1e3:.2f} ms")
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
