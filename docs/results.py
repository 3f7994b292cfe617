#!/usr/bin/env python3
"""Write docs/results.md from the runs in docs/results/.

    docs/results.py                 writes docs/results.md
    docs/results.py --check         exits 1 if docs/results.md is not what would be written
    docs/results.py --add RUN.csv --collection XSokoban_90 --goal any --seconds 10
                    --commit d4997f7 --date 2026-11-16 [--threads 2] [--remark TEXT]
                                    takes a CSV file of the judge script over into docs/results/,
                                    without titles, and writes docs/results.md

docs/results/README.md describes the files. Standard library only; the output depends on these files
alone.
"""
import argparse
import csv
import pathlib
import re
import statistics
import sys

DOCS = pathlib.Path(__file__).resolve().parent
RUNS = DOCS / "results"
PAGE = DOCS / "results.md"
INDEX = RUNS / "runs.csv"
OTHERS = RUNS / "others.csv"

# Columns a run may hold. Titles, level texts and solutions are not among them.
COLUMNS = ["level", "boxes", "solved", "seconds", "moves", "pushes", "proof", "lower_bound", "exit", "why"]
INDEX_COLUMNS = ["file", "date", "commit", "threads", "remark"]

GOALS = {"any": "Any solution", "pushes": "Fewest pushes", "moves": "Fewest moves"}
SLOWEST = 5


class Wrong(Exception):
    """The files do not fit together; the sentence says where."""


class Run:
    """One run of lurd over a collection."""

    def __init__(self, path, about):
        name = re.fullmatch(r"(.+)_([a-z-]+)_([0-9.]+)s", path.stem)
        if not name:
            raise Wrong(f"{path.name}: the name is not COLLECTION_GOAL_SECONDSs.csv")
        self.collection, self.goal, self.limit = name[1], name[2], float(name[3])
        self.about = about
        self.rows = read(path)
        unknown = [column for column in self.rows[0] if column not in COLUMNS] if self.rows else []
        if not self.rows or unknown:
            raise Wrong(f"{path.name}: no rows, or columns that do not belong here: {' '.join(unknown)}")
        self.solved = [row for row in self.rows if row["solved"] == "1"]

    def order(self):
        return (goal_order(self.goal), natural(self.collection), self.limit)

    def seconds(self):
        return sum(float(row["seconds"]) for row in self.rows)

    def median(self):
        return statistics.median(float(row["seconds"]) for row in self.solved) if self.solved else None

    def proved(self):
        """Levels whose answer is proved optimal, or None where the run did not record proofs."""
        if "proof" not in self.rows[0]:
            return None
        return [row for row in self.solved if row["proof"].startswith("optimal")]

    def wrong(self):
        """Answers that the judge refused."""
        passed_over = ("no solution", "killed")
        return [row for row in self.rows
                if row["solved"] != "1" and row.get("why") and not any(word in row["why"] for word in passed_over)]

    def open_levels(self):
        done = self.solved if self.goal == "any" or self.proved() is None else self.proved()
        numbers = {row["level"] for row in done}
        return [int(row["level"]) for row in self.rows if row["level"] not in numbers]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_csv(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def natural(text):
    return [int(part) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", text)]


def goal_order(goal):
    return (list(GOALS).index(goal) if goal in GOALS else len(GOALS), goal)


def collection_name(name):
    return name.replace("_", " ")


def ranges(numbers):
    """1 2 3 7 as 1-3, 7."""
    parts = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def table(head, rows):
    lines = ["| " + " | ".join(str(cell) for cell in line) + " |" for line in (head, *rows)]
    lines.insert(1, "|---" * len(head) + "|")
    return [line.replace("  |", " |") for line in lines] + [""]


def total(rows, column):
    return f"{sum(int(row[column]) for row in rows):,}"


def load():
    about = {row["file"]: row for row in read(INDEX)}
    found = {path.name for path in RUNS.glob("*.csv")} - {INDEX.name, OTHERS.name}
    for name in sorted(found ^ set(about)):
        where = "is not listed in runs.csv" if name in found else "is listed in runs.csv but missing"
        raise Wrong(f"{name} {where}")
    runs = sorted((Run(RUNS / name, about[name]) for name in found), key=Run.order)
    others = read(OTHERS)
    others.sort(key=lambda row: (natural(row["collection"]), row["program"].lower(), float(row["seconds"])))
    return runs, others


def goal_section(goal, runs):
    exact = goal != "any"
    head = ["collection", "limit", "solved"] + ["proved"] * exact
    head += ["seconds in all", "median of solved", "pushes", "moves", "not proved" if exact else "not solved",
             "threads", "date", "commit"]
    rows = []
    for run in runs:
        of = f"of {len(run.rows)}"
        row = [collection_name(run.collection), f"{run.limit:g} s", f"{len(run.solved)} {of}"]
        if exact:
            row.append("not recorded" if run.proved() is None else f"{len(run.proved())} {of}")
        row += [f"{run.seconds():.1f}", "" if run.median() is None else f"{run.median():.3f} s",
                total(run.solved, "pushes"), total(run.solved, "moves")]
        row.append(ranges(run.open_levels()) if not exact or run.proved() is not None else "")
        row += [run.about["threads"], run.about["date"], run.about["commit"]]
        rows.append(row)
    lines = [f"## {GOALS.get(goal, 'Goal ' + goal)}", "", *table(head, rows)]
    notes = [f"* {collection_name(run.collection)}, {run.limit:g} s: {run.about['remark']}."
             for run in runs if run.about["remark"]]
    notes += [f"* {collection_name(run.collection)}, {run.limit:g} s: the judge refused the answers of "
              f"{ranges(int(row['level']) for row in run.wrong())}."
              for run in runs if run.wrong()]
    return lines + (notes + [""] if notes else [])


def comparison(runs, others):
    lines = [
        "## Other programs", "",
        "Any solution. Limits and numbers of threads differ between rows, so only large differences mean something.",
        "Seconds are wall-clock time over all levels, those not solved included.", "",
    ]
    entries = [(row["collection"], float(row["seconds"]), f"{row['program']} {row['version']}", int(row["solved"]),
                int(row["of"]), float(row["total_seconds"]), row["source"]) for row in others]
    compared = {row["collection"] for row in others}
    entries += [(run.collection, run.limit, f"**lurd** {run.about['commit']}", len(run.solved), len(run.rows),
                 run.seconds(), f"docs/results, {run.about['date']}")
                for run in runs if run.goal == "any" and run.collection in compared]
    entries.sort(key=lambda entry: (natural(entry[0]), -entry[3], entry[5], entry[2]))
    rows = [[collection_name(name), program, f"{limit:g} s", f"{solved} of {of}", f"{seconds:.1f}", source]
            for name, limit, program, solved, of, seconds, source in entries]
    lines += table(["collection", "program", "limit", "solved", "seconds in all", "source"], rows)
    notes = sorted({f"* {row['program']} {row['version']}: {row['remark']}." for row in others if row["remark"]})
    return lines + (notes + [""] if notes else [])


def slowest(runs):
    lines = [f"## Slowest {SLOWEST} levels of each run", ""]
    for run in runs:
        # Equal times are ordered by level, so that the page is always the same.
        rows = sorted(run.rows, key=lambda row: (-float(row["seconds"]), int(row["level"])))[:SLOWEST]
        lines += [f"### {collection_name(run.collection)}, goal {run.goal}, {run.limit:g} s", ""]
        lines += table(["level", "boxes", "seconds", "outcome", "pushes", "moves"],
                       [[row["level"], row.get("boxes", ""), row["seconds"], outcome(row), row["pushes"], row["moves"]]
                        for row in rows])
    return lines


def outcome(row):
    if row["solved"] != "1":
        return row.get("why") or "not solved"
    proof = row.get("proof", "")
    return f"solved, {proof}" if proof not in ("", "none") else "solved"


def page():
    runs, others = load()
    lines = [
        "# Results", "",
        "<!-- Written by docs/results.py from docs/results/*.csv. Do not edit. -->", "",
        "Runs of lurd over public collections, one process a level, seconds from outside with the start of the process",
        "included. [How to make and add a run](results/README.md). What was tried on the way is in",
        "[experiments](experiments/README.md).", "",
    ]
    for goal in sorted({run.goal for run in runs}, key=goal_order):
        lines += goal_section(goal, [run for run in runs if run.goal == goal])
    lines += comparison(runs, others)
    lines += slowest(runs)
    return "\n".join(lines).rstrip("\n") + "\n"


def add(arguments):
    missing = [name for name in ("collection", "goal", "seconds", "commit", "date") if not getattr(arguments, name)]
    if missing:
        raise Wrong("--add also needs --" + ", --".join(missing))
    rows = read(arguments.add)
    columns = [column for column in (rows[0] if rows else []) if column in COLUMNS]
    if "level" not in columns or "solved" not in columns:
        raise Wrong(f"{arguments.add} is not a CSV file of the judge script")
    name = f"{arguments.collection}_{arguments.goal}_{arguments.seconds:g}s.csv"
    write_csv(RUNS / name, columns, [{column: row[column] for column in columns} for row in rows])
    index = [row for row in read(INDEX) if row["file"] != name]
    index.append({"file": name, "date": arguments.date, "commit": arguments.commit, "threads": arguments.threads,
                  "remark": arguments.remark})
    write_csv(INDEX, INDEX_COLUMNS, sorted(index, key=lambda row: row["file"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--add", type=pathlib.Path, metavar="RUN.csv")
    parser.add_argument("--collection")
    parser.add_argument("--goal")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--commit")
    parser.add_argument("--date")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--remark", default="")
    arguments = parser.parse_args()
    try:
        if arguments.add:
            add(arguments)
        text = page()
    except (Wrong, OSError) as error:
        print(f"results.py: {error}", file=sys.stderr)
        return 2
    if arguments.check:
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        if not same:
            print("docs/results.md is not what docs/results.py would write; run docs/results.py", file=sys.stderr)
        return 0 if same else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
