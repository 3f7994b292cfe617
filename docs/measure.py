#!/usr/bin/env python3
"""Run lurd over a collection and write a CSV file for docs/results.py, proofs included.

    docs/measure.py LEVELS.xsb [--goal pushes] [--limit 60] [--threads 2] [--only 1,5-9]
                    [--csv OUT.csv] [--bin target/release/lurd]

One level at a time is given to lurd; lurd's own referee has replayed every answer. The judge script of
the benchmark folder replays answers independently, but it does not record what is proved: use it for
any solution, and this script for fewest pushes and fewest moves. Seconds are wall-clock time from
outside, as there.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["level", "solved", "seconds", "moves", "pushes", "proof", "lower_bound", "exit"]


def solve(arguments, number):
    """The row of a level, or None if there is no such level."""
    command = [arguments.bin.resolve(), "solve", arguments.levels, "--level", str(number), "--json"]
    command += ["--goal", arguments.goal, "--time-limit", f"{arguments.limit:g}", "--threads", str(arguments.threads)]
    start = time.monotonic()
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    seconds = time.monotonic() - start
    lines = process.stdout.splitlines()
    if not lines:
        return None
    result = json.loads(lines[0])
    row = {"level": number, "solved": int(result["outcome"] == "solved"), "seconds": round(seconds, 3)}
    row["exit"] = process.returncode
    for name in ("moves", "pushes", "proof", "lower_bound"):
        row[name] = "" if result[name] is None else result[name]
    return row


def numbers(text):
    """1,5-9 as numbers; without a text all from 1 on."""
    if not text:
        number = 0
        while True:
            number += 1
            yield number
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", type=pathlib.Path)
    parser.add_argument("--goal", default="any")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "target" / "release" / "lurd")
    arguments = parser.parse_args()
    rows = []
    for number in numbers(arguments.only):
        row = solve(arguments, number)
        if row is None:
            break
        rows.append(row)
        print(f"{number:>4} {row['seconds']:>9.3f} s  {row['pushes']!s:>5} pushes {row['moves']!s:>6} moves  {row['proof']}",
              flush=True)
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    solved = [row for row in rows if row["solved"]]
    proved = [row for row in solved if row["proof"].startswith("optimal")]
    print(f"{arguments.levels.name}: solved {len(solved)} of {len(rows)} at {arguments.limit:g} s, proved {len(proved)}, "
          f"{sum(row['seconds'] for row in rows):.1f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
