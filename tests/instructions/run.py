#!/usr/bin/env python3
"""Counts the instructions of fixed runs under callgrind and holds them against baseline.csv.

    tests/instructions/run.py            fails if a run costs more than 2 % above its baseline
    tests/instructions/run.py --write    writes the counts as the new baseline

Instructions, unlike seconds, are nearly the same on every run and under every load. They depend on the compiler: the
baseline names it, and with another one the counts are shown and nothing fails.
"""
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LURD = ROOT / "target/release/lurd"
LEVELS = ROOT / "levels/lurd.xsb"
TOLERANCE = 1.02

RUNS = {
    "race": ["solve", "--no-library", "--threads", "1", "--level", "1-48"],
    "prove-pushes": ["solve", "--no-library", "--goal", "pushes", "--threads", "1", "--level", "1-30"],
    "prove-moves": ["solve", "--no-library", "--goal", "moves", "--threads", "1", "--level", "1-18"],
    "a-star": ["solve", "--no-library", "--algorithm", "a-star", "--threads", "1", "--level", "1-48"],
    "ida-star": ["solve", "--no-library", "--algorithm", "ida-star", "--threads", "1", "--level", "1-40"],
    "a-star by moves": ["solve", "--no-library", "--algorithm", "a-star", "--formulation", "move", "--threads", "1", "--level", "1-24"],
}


def count(arguments):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(LURD), *arguments, str(LEVELS)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return int(found.group(1))


def main():
    compiler = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        counts = dict(zip(RUNS, pool.map(count, RUNS.values())))
    path = HERE / "baseline.csv"
    if "--write" in sys.argv:
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["run", "instructions", "compiler"])
            writer.writerows([name, instructions, compiler] for name, instructions in counts.items())
    with path.open(newline="") as file:
        baseline = {row["run"]: row for row in csv.DictReader(file)}
    failed = False
    for name, instructions in counts.items():
        known = baseline.get(name)
        ratio = instructions / int(known["instructions"]) if known else float("nan")
        same = known is not None and known["compiler"] == compiler
        worse = same and ratio > TOLERANCE
        failed |= worse or known is None
        remark = "" if same else "  (another compiler: not judged)" if known else "  NO BASELINE"
        print(f"{name:<18} {instructions:>16,}  {ratio:6.3f} of the baseline{'  TOO MANY' if worse else remark}")
    if failed:
        sys.exit("more instructions than before; if that is meant, say why in the commit and run this with --write")


if __name__ == "__main__":
    main()
