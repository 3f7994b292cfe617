#!/usr/bin/env python3
"""Repeat the table of collections in docs/experiments.md.

    docs/measure.py FOLDER [SET ...] [--scale F]

FOLDER holds the collections as .xsb files. One level at a time is given to
target/release/lurd with all threads; lurd's referee has replayed every answer.
--scale 0.5 halves all time limits.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

LIMITS = [
    ("XSokoban_90", 60),
    ("XSokoban_90", 10),
    ("SokHard", 10),
    ("Grigr2001", 30),
    ("Holland", 30),
    ("Sasquatch_I", 30),
    ("SokEvo", 10),
    ("Microban_I", 10),
    ("Microban_II", 30),
    ("Boxoban_hard_100", 10),
]


def solve(lurd, file, number, limit):
    command = [lurd, "solve", file, "--level", str(number), "--json", "--time-limit", str(limit)]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return json.loads(lines[0]) if lines else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--scale", type=float, default=1.0)
    arguments = parser.parse_args()
    lurd = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "lurd"
    print("| set | limit | solved | median | all solved ones | pushes | moves | unsolved |")
    print("|---|---|---|---|---|---|---|---|")
    for name, limit in LIMITS:
        if arguments.sets and name not in arguments.sets:
            continue
        limit *= arguments.scale
        results = []
        while result := solve(lurd, arguments.folder / f"{name}.xsb", len(results) + 1, limit):
            results.append(result)
        solved = [result for result in results if result["outcome"] == "solved"]
        seconds = [result["seconds"] for result in solved] or [0]
        missing = " ".join(str(number) for number, result in enumerate(results, 1) if result["outcome"] != "solved")
        print(
            f"| {name} | {limit:g} s | {len(solved)} of {len(results)} | {statistics.median(seconds):.3f} s "
            f"| {sum(seconds):.1f} s | {sum(result['pushes'] for result in solved)} "
            f"| {sum(result['moves'] for result in solved)} | {missing} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
