#!/usr/bin/env python3
"""Print how much shorter the improver makes the portfolio's solutions, as a table for docs/experiments/.

    docs/measure_improver.py LEVELS.xsb [--solutions FILE] [--seconds 30] [--threads 2]
                             [--goal pushes] [--level N,N-M] [--nodes N]
                             [--best FILE.csv --column NAME]

Without --solutions every level is first solved by target/release/lurd, 20 s each, and
the answers are kept beside the table in LEVELS.solved.json, in the folder the script is
run from. Then each level in turn gets all threads and all the seconds; lurd's referee has
replayed every answer. --nodes N limits nodes instead of seconds, on one thread, and so
repeats exactly. FILE.csv holds known figures, by `level` or by `collection` and `index`.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys


def known_figures(path, column, collection):
    figures = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row.get("collection", collection) == collection and row[column]:
                figures[int(row["level"] if "level" in row else row["index"])] = int(row[column])
    return figures


def lines(command):
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", type=pathlib.Path)
    parser.add_argument("--solutions", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--goal", default="pushes")
    parser.add_argument("--level", default="all")
    parser.add_argument("--best", type=pathlib.Path)
    parser.add_argument("--column", default="best_pushes_in_files")
    arguments = parser.parse_args()
    lurd = pathlib.Path(__file__).resolve().parent.parent / "target" / "release" / "lurd"
    solutions = arguments.solutions
    if solutions is None:
        solutions = pathlib.Path(f"{arguments.levels.stem}.solved.json")
        command = [lurd, "solve", arguments.levels, "--level", arguments.level, "--json", "--time-limit", "20"]
        solutions.write_text("\n".join(lines(command)) + "\n")
    solved = [json.loads(line) for line in solutions.read_text().splitlines() if line.strip()]
    best = known_figures(arguments.best, arguments.column, arguments.levels.stem) if arguments.best else {}
    limits = ["--time-limit", str(arguments.seconds), "--threads", str(arguments.threads)]
    if arguments.nodes:
        limits = ["--node-limit", str(arguments.nodes), "--threads", "1"]
    print("| level | pushes | improved | best known | moves | improved | |")
    print("|---|---|---|---|---|---|---|")
    sums = [0, 0, 0, 0, 0]
    missing = []
    for record in solved:
        number = record["level"]
        command = [lurd, "improve", arguments.levels, solutions, "--level", str(number), "--json"]
        results = lines([*command, "--goal", arguments.goal, *limits]) if record["solution"] else []
        if not results:
            missing.append(number)
            continue
        result = json.loads(results[0])
        row = [result["pushes_before"], result["pushes"], best.get(number, 0)]
        row += [result["moves_before"], result["moves"]]
        note = "nothing better exists" if result["exhausted"] else ""
        print(f"| {number} | " + " | ".join(map(str, row)) + f" | {note} |", flush=True)
        sums = [total + figure for total, figure in zip(sums, row)]
    print("| all | " + " | ".join(map(str, sums)) + " | |")
    if sums[2]:
        print(f"\n{100 * sums[1] / sums[2] - 100:.2f} % above the best known pushes")
    if missing:
        print(f"\nwithout a solution: {' '.join(map(str, missing))}")


if __name__ == "__main__":
    sys.exit(main())
