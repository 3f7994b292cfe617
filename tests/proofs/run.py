#!/usr/bin/env python3
"""Proofs of fewest pushes that are interrupted again and again, most of them while they resume.

    tests/proofs/run.py [--interruptions 200] [--seed 1] FILE:LEVEL...

A run is ended by a time limit, a memory limit, SIGTERM or SIGKILL, at a random moment; the next one resumes it. The proved bound,
in the checkpoints and in the answers, must never fall, and every proof that ends in spite of it must have the certificate of one
that nobody disturbed, its solution aside. Under a memory limit a table may not fit and the layers are others: such a
certificate must be confirmed by `lurd check`.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LURD = Path(os.environ.get("LURD", ROOT / "target/release/lurd"))
WAYS = ["time", "memory", "term", "kill"]


def solve(level, folder, *more):
    path, number = level.rsplit(":", 1)
    command = [LURD, "solve", path, "--level", number, "--goal", "pushes", "--threads", "1", "--json", "--no-library"]
    command += ["--certificate", folder / "proof.json", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def essence(folder):
    """What must be the same however a proof came about; its solution may be another of the same length."""
    certificate = json.loads((folder / "proof.json").read_text())
    certificate["solution"] = (certificate["solution"] or {}).get("pushes")
    del certificate["checksum"]
    return certificate


def kept(disk):
    """The strongest bound of the checkpoints that are there."""
    bounds = []
    for path in disk.glob("checkpoint-*.json"):
        try:
            bounds.append(json.loads(path.read_text())["lower"])
        except FileNotFoundError:
            pass
    return max(bounds, default=0)


def interrupted(level, folder, dice, whole, ways):
    """Ends a run in one of some ways. Returns the way and the answer, if there is one."""
    way = dice.choice(ways)
    # Mostly while it resumes, sometimes far into the proof.
    moment = dice.choice([0.05, 0.2, whole / 4]) * dice.random()
    more = ["--disk", folder / "disk", "--resume"]
    if way == "time":
        more += ["--time-limit", f"{moment:.3f}"]
    if way == "memory":
        more += ["--memory-limit", f"{dice.choice([8, 16, 32])}MiB", "--time-limit", f"{whole / 4:.3f}"]
    run = solve(level, folder, *more)
    if way in ("term", "kill"):
        time.sleep(moment)
        run.send_signal(signal.SIGTERM if way == "term" else signal.SIGKILL)
    out, error = run.communicate()
    if run.returncode == 2:
        sys.exit(f"{level}: {error}")
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    answers = [line for line in lines if "lower_bound" in line]
    return way, answers[0] if answers else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interruptions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("levels", nargs="+", metavar="FILE:LEVEL")
    given = parser.parse_args()
    dice = random.Random(given.seed)
    for level in given.levels:
        place = Path(tempfile.mkdtemp(prefix="lurd-proofs-"))
        begun = time.monotonic()
        out, error = solve(level, place).communicate()
        whole = time.monotonic() - begun
        expected = essence(place)
        if expected["claim"] != "optimal":
            sys.exit(f"{level}: not proved without interruptions: {out}{error}")
        count = given.interruptions // len(given.levels)
        ways = dict.fromkeys(given.ways, 0)
        bound, proofs, equal = 0, 0, 0
        while sum(ways.values()) < count or proofs == 0:
            if sum(ways.values()) < count:
                way, answer = interrupted(level, place, dice, whole, given.ways)
                ways[way] += 1
            else:
                out, _ = solve(level, place, "--disk", place / "disk", "--resume").communicate()
                answer = json.loads(out.splitlines()[0])
            told = answer["lower_bound"] if answer else bound
            now = kept(place / "disk")
            if now < bound or told is None or told < bound:
                sys.exit(f"{level}: no solution has fewer than {bound} pushes; checkpoints say {now}, the answer {told}")
            bound = max(bound, now)
            if answer and answer.get("goal_proof") == "finished":
                proofs += 1
                if essence(place) == expected:
                    equal += 1
                else:
                    subprocess.run([LURD, "check", place / "proof.json"], check=True, stdout=subprocess.DEVNULL)
                shutil.rmtree(place / "disk")
                bound = 0
        shutil.rmtree(place)
        said = ", ".join(f"{number} by {way}" for way, number in ways.items())
        print(f"{level}: {sum(ways.values())} interruptions ({said}); {proofs} proofs of at most {whole:.1f} s ended, {equal} with")
        print(f"  the certificate of {expected['lower_bound']} pushes that nobody disturbed, the others confirmed", flush=True)
        if equal == 0:
            sys.exit(f"{level}: no proof ended with the certificate that was expected")


if __name__ == "__main__":
    main()
