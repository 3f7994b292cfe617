#!/usr/bin/env python3
"""Batch runs that are killed, and batch runs over a real NATS server.

    tests/batch/run.py kill [--kills N] [--nodes N] LEVELS...        the leader is killed at random moments
    tests/batch/run.py nats [--kills N] [--nodes N] [--workers N] LEVELS...  workers, server and leader are killed
    tests/batch/run.py speed [--seconds S] LEVELS...                 two workers against two local searches; cost of a job
    tests/batch/run.py access LEVELS...                              credentials, TLS, versions, dead letters, Ctrl-C
    tests/batch/run.py namespaces [--nodes N] LEVELS...              four hosts, one of them cut off for a minute (root)
    tests/batch/run.py copies FILE                                   a file twice, mirrored and turned: one set of levels and solutions
    tests/batch/run.py library [--levels N]                          the figures of a large library

Everything happens in a temporary folder. Seeds are printed, so that a failure can be repeated.
"""
import argparse
import contextlib
import csv
import http.client
import io
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LURD = pathlib.Path(os.environ.get("LURD", ROOT / "target/release/lurd"))
# The same for all, because what a search does may depend on it.
MEMORY = ("--memory-limit", "512MiB")
# Nothing of it outlives this script, whatever fails.
STARTED = []
FINAL = ("solved", "unsolvable", "open", "failed")


def fail(sentence):
    sys.exit(f"tests/batch/run.py: {sentence}")


def lurd(*arguments, check=True, env=None):
    done = subprocess.run([LURD, *map(str, arguments)], capture_output=True, text=True, env=env)
    if check and done.returncode not in (0, 1, 3):
        fail(f"lurd {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr}")
    return done


def start(*arguments, prefix=(), log=None, env=None):
    """A process that runs beside this script."""
    out = log or subprocess.DEVNULL
    process = subprocess.Popen([*prefix, LURD, *map(str, arguments)], stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=env)
    STARTED.append(process)
    return process


def kill(process):
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGKILL)
    process.wait()


def rows(library, run="run"):
    """The results of a run by collection and number."""
    table = lurd("batch", "report", run, "--csv", "--library", library).stdout
    return {(row["collection"], row["level"]): row for row in csv.DictReader(io.StringIO(table))}


def records(library, run):
    """What came of every level of a run, without what is measured."""
    report = json.loads(lurd("batch", "report", run, "--json", "--library", library).stdout)
    measured = ("seconds", "peak_bytes", "total_seconds")
    return {(one["collection"], one["level"]): {name: value for name, value in one.items() if name not in measured}
            for one in report["results"]}


def is_stored(library):
    """Whether the run is in the library: a leader that is killed at once leaves no library, or one without runs."""
    return library.exists() and '"run"' in lurd("batch", "list", "--json", "--library", library, check=False).stdout


def finished(table):
    return {place: row for place, row in table.items() if row["outcome"] in FINAL}


def outcomes(table):
    return {place: (row["outcome"], row["pushes"], row["moves"]) for place, row in table.items()}


def sound(library):
    with contextlib.closing(sqlite3.connect(library)) as database:
        said = database.execute("PRAGMA integrity_check").fetchall()
        if said != [("ok",)]:
            fail(f"{library}: integrity_check says {said}")
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'result'").fetchone():
            return  # Killed before the first table was there.
        twice = database.execute("SELECT count(*) FROM (SELECT 1 FROM result GROUP BY run, level, rung HAVING count(*) > 1)")
        if twice.fetchone() != (0,):
            fail("a level has two results")


def orphans():
    """Searches whose leader is gone."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (entry / "cmdline").read_bytes().split(b"\0")
            parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
            if arguments[:1] == [os.fsencode(LURD)] and b"search-job" in arguments and parent == "1":
                found.append(entry.name)
    return found


def without_orphans():
    until = time.monotonic() + 10
    while orphans():
        if time.monotonic() > until:
            fail(f"searches outlive their leader: {orphans()}")
        time.sleep(0.1)


def same(one, other, what):
    differences = [(place, one.get(place), other.get(place)) for place in {**one, **other} if one.get(place) != other.get(place)]
    if differences:
        fail(f"{what}: {len(differences)} of {len(other)} results differ, such as {differences[:3]}")


def undisturbed(folder, levels, nodes):
    library = folder / "undisturbed.db"
    begun = time.monotonic()
    lurd("batch", "run", *levels, "--node-limit", nodes, *MEMORY, "--jobs", 1, "--library", library, "--name", "run")
    table, seconds = rows(library), time.monotonic() - begun
    print(f"undisturbed: {len(table)} entries, {seconds:.1f} s, one search at a time", flush=True)
    return table, seconds


def killed(options, folder):
    """Runs are killed until there were enough kills; a run that gets to its end is held against the undisturbed one."""
    whole, seconds = undisturbed(folder, options.paths, options.nodes)
    kills, ended, working = 0, 0, 0.0
    while kills < options.kills or ended == 0:
        library = folder / f"killed{ended}.db"
        begin = ["batch", "run", *options.paths, "--node-limit", options.nodes, *MEMORY, "--jobs", 2, "--library", library, "--name", "run"]
        resume = ["batch", "resume", "run", "--jobs", 2, "--library", library]
        seen, done = {}, False
        while not done:
            stored = is_stored(library)
            process, begun = start(*(resume if stored else begin)), time.monotonic()
            try:
                # Spread over the work: a few kills in a short run, all of them in a long one.
                pause = random.uniform(0, max(0.2, 2 * seconds / options.kills))
                done = process.wait(pause if kills < options.kills else None) in (0, 1, 3)
            except subprocess.TimeoutExpired:
                kill(process)
                kills += 1
            working += time.monotonic() - begun
            without_orphans()
            if library.exists():
                sound(library)
                if is_stored(library):
                    now = finished(rows(library))
                    for place, row in seen.items():
                        if now.get(place) != row:
                            fail(f"{place} was lost or done again: {row} became {now.get(place)}")
                    seen = now
        same(outcomes(rows(library)), outcomes(whole), "killed and undisturbed")
        lurd("library", "verify", "--library", library)
        ended += 1
    print(f"killed {kills} times in {working:.0f} s, runs ended: {ended}; nothing lost, nothing done again, the same results")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A real nats-server with its files in a folder."""

    def __init__(self, folder, *more, host="127.0.0.1", prefix=(), scheme="nats"):
        self.port, self.host, self.prefix = free_port(), host, prefix
        self.command = ["nats-server", "-js", "-a", host, "-p", str(self.port), "-sd", str(folder / "nats"), *more]
        self.url = f"{scheme}://{host}:{self.port}"
        self.process = None
        self.begin()

    def begin(self):
        self.process = subprocess.Popen([*self.prefix, *self.command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        STARTED.append(self.process)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            probe = [*self.prefix, sys.executable, "-c", f"import socket; socket.create_connection(('{self.host}', {self.port}), 1)"]
            if subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.1)
        fail("nats-server does not start")

    def kill(self):
        kill(self.process)


def wait_for(process, seconds, what):
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        kill(process)
        fail(f"{what} does not end within {seconds} s")


def over_nats(options, folder):
    """Workers, server and leader are killed until there were enough kills; each run that ends is held against the undisturbed one."""
    whole, seconds = undisturbed(folder, options.paths, options.nodes)
    server, log = Server(folder), (folder / "log").open("w")
    worker = lambda: start("worker", "--nats", server.url, "--jobs", 1, "--ack-wait", 3, log=log)
    workers = [worker() for _ in range(options.workers)]
    kills, ended, begun = {"worker": 0, "server": 0, "leader": 0}, 0, time.monotonic()

    def disturb(leader):
        """Kills somebody and starts it again; the leader is left to the caller."""
        victim = random.choices(["worker", "server", "leader"], [6, 2, 2])[0]
        if victim == "worker":
            place = random.randrange(len(workers))
            kill(workers[place])
            workers[place] = worker()
        elif victim == "server":
            server.kill()
            time.sleep(random.uniform(0, 1))
            server.begin()
        else:
            kill(leader)
        kills[victim] += 1

    while sum(kills.values()) < options.kills or ended == 0:
        library = folder / f"nats{ended}.db"
        begin = ["batch", "run", *options.paths, "--node-limit", options.nodes, *MEMORY, "--nats", server.url, "--library", library, "--name", "run"]
        resume = ["batch", "resume", "run", "--nats", server.url, "--library", library]
        code, until = None, time.monotonic() + options.patience
        while code not in (0, 1, 3):
            if time.monotonic() > until:
                fail(f"the run over NATS does not end: {(folder / 'log').read_text()[-2000:]}")
            leader = start(*(resume if is_stored(library) else begin), log=log)
            while sum(kills.values()) < options.kills and leader.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    leader.wait(random.uniform(0.2, max(0.5, 2 * seconds / options.kills)))
                if leader.poll() is None:
                    disturb(leader)
                    if library.exists():
                        sound(library)
            # A leader that finds no server ends with a sentence, and its run waits.
            code = wait_for(leader, options.patience, "the run over NATS")
        sound(library)
        same(outcomes(rows(library)), outcomes(whole), "over NATS and undisturbed")
        lurd("library", "verify", "--library", library)
        ended += 1
    for process in workers:
        process.send_signal(signal.SIGINT)
    for process in workers:
        wait_for(process, 30, "a worker after Ctrl-C")
    server.kill()
    without_orphans()
    print(f"over NATS with {options.workers} workers in {time.monotonic() - begun:.0f} s, runs ended: {ended}; killed: "
          f"{', '.join(f'{what} {count}' for what, count in kills.items())}; one result for each level, the same as undisturbed")


def speed(options, folder):
    def measured(levels, crew):
        library = folder / f"{len(list(folder.glob('*.db')))}.db"
        begun = time.monotonic()
        lurd("batch", "run", *levels, "--node-limit", options.nodes, *MEMORY, "--library", library, "--name", "run", *crew)
        return time.monotonic() - begun, rows(library)

    def processor():
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    def here(levels):
        before = processor()
        seconds, table = measured(levels, ("--jobs", 2))
        return seconds, processor() - before, table

    def elsewhere(levels):
        """Server and workers are started and ended here, so that what they spend is counted."""
        before, server = processor(), Server(folder)
        workers = [start("worker", "--nats", server.url, "--jobs", 1) for _ in range(2)]
        time.sleep(1)
        seconds, table = measured(levels, ("--nats", server.url))
        for process in workers:
            process.send_signal(signal.SIGINT)
            process.wait()
        server.kill()
        return seconds, processor() - before, table

    local, local_processor, table = here(options.paths)
    remote, remote_processor, other = elsewhere(options.paths)
    same(outcomes(other), outcomes(table), "over NATS and local")
    # Levels without work: what is left is the cost of a job.
    levels = "".join(f"#{'#' * (3 + n)}#\n#@$.{' ' * n}#\n#{'#' * (3 + n)}#\n\n" for n in range(300))
    (folder / "trivial.xsb").write_text(levels)
    (quick_local, quick_local_processor, _), (quick_remote, quick_remote_processor, _) = here([folder / "trivial.xsb"]), elsewhere([folder / "trivial.xsb"])
    print(f"{len(table)} entries, two at a time: local {local:.1f} s, over NATS {remote:.1f} s ({remote / local - 1:+.1%}); "
          f"of the processors {local_processor:.1f} s and {remote_processor:.1f} s ({remote_processor / local_processor - 1:+.1%})")
    milliseconds = lambda seconds: f"{seconds / 300 * 1000:.1f} ms a job"
    print(f"300 trivial levels: local {milliseconds(quick_local)}, over NATS {milliseconds(quick_remote)}; "
          f"of the processors {milliseconds(quick_local_processor)} and {milliseconds(quick_remote_processor)}")


def access(options, folder):
    """Credentials, certificates, versions, dead letters, giving back."""
    library = folder / "own.db"
    run = ["batch", "run", *options.paths, "--node-limit", options.nodes, *MEMORY, "--library", library]
    server = Server(folder, "--user", "me", "--pass", "sesame")
    refused = lurd("worker", "--nats", server.url, check=False)
    if refused.returncode != 2 or "refuses these credentials" not in refused.stderr:
        fail(f"wrong credentials: {refused}")
    env = {**os.environ, "LURD_NATS_USER": "me", "LURD_NATS_PASSWORD": "sesame"}
    log = (folder / "log").open("w+")
    # The first worker decides for all how long one may be silent.
    worker = start("worker", "--nats", server.url, "--jobs", 2, "--ack-wait", 2, log=log, env=env)
    named = server.url.replace("://", "://me:sesame@")
    done = lurd(*run, "--name", "named", "--nats", named)
    lurd(*run, "--name", "here", "--jobs", 2)
    same(records(library, "named"), records(library, "here"), "records over NATS and from this machine")
    if "sesame" in done.stdout + done.stderr:
        fail("the password is shown")
    # A worker of another version, while jobs wait.
    worker.send_signal(signal.SIGINT)
    wait_for(worker, 20, "a worker after Ctrl-C")
    leader = start(*run, "--name", "waiting", "--nats", named, log=log)
    time.sleep(3)
    other = lurd("worker", "--nats", named, "--pretend-version", "0.0.1", check=False)
    if other.returncode != 2 or "results of two versions do not mix" not in other.stderr:
        fail(f"another version: {other}")
    # Ctrl-C of the leader takes the jobs back.
    leader.send_signal(signal.SIGINT)
    if wait_for(leader, 20, "the leader after Ctrl-C") != 130:
        fail("the leader does not end with 130")
    # A job that ends its worker every time ends as failed; the others are done.
    leader = start(*run, "--name", "deadly", "--nats", named, "--fault", "2:worker", log=log)
    deaths = 0
    while leader.poll() is None:
        worker = start("worker", "--nats", named, "--jobs", 1, log=log)
        while worker.poll() is None and leader.poll() is None:
            time.sleep(0.1)
        deaths += worker.poll() == -signal.SIGABRT
        kill(worker)
    reasons = [row["reason"] for row in rows(library, "deadly").values() if row["outcome"] == "failed"]
    if deaths != 5 or not reasons or "failed after 5 tries" not in reasons[0]:
        fail(f"a job that ends its worker: {deaths} deaths, {reasons}")
    # Ctrl-C of a worker gives its long job back, and that is no failed try.
    leader = start("batch", "run", *options.paths, "--library", library, "--name", "back", "--nats", named, "--time-limit", "60",
                   "--fault", "1:endless", log=log)
    for _ in range(6):
        worker = start("worker", "--nats", named, "--jobs", 1, log=log)
        time.sleep(2)
        worker.send_signal(signal.SIGINT)
        wait_for(worker, 20, "a worker after Ctrl-C")
    leader.send_signal(signal.SIGINT)
    wait_for(leader, 20, "the leader after Ctrl-C")
    failed = [row for row in rows(library, "back").values() if row["outcome"] == "failed"]
    if failed:
        fail(f"a job that was given back counts as failed: {failed}")
    server.kill()
    log.seek(0)
    if "sesame" in log.read():
        fail("the password is in a log")
    encrypted(options, folder, run)
    without_orphans()
    print("credentials, certificates, versions, dead letters and given-back jobs are as promised")


def encrypted(options, folder, run):
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                           "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
                           "-addext", "basicConstraints=critical,CA:FALSE"], capture_output=True)
    if made.returncode:
        fail(f"openssl: {made.stderr}")
    server = Server(folder / "encrypted", "--tls", "--tlscert", str(certificate), "--tlskey", str(key), scheme="tls")
    strange = lurd("worker", "--nats", server.url, check=False)
    if strange.returncode != 2 or "the NATS server" not in strange.stderr:
        fail(f"a certificate nobody knows: {strange}")
    log = (folder / "encrypted.log").open("w")
    worker = start("worker", "--nats", server.url, "--nats-ca", certificate, log=log)
    lurd(*run, "--name", "encrypted", "--nats", server.url, "--nats-ca", certificate)
    worker.send_signal(signal.SIGINT)
    wait_for(worker, 20, "a worker after Ctrl-C")
    server.kill()


def namespaces(options, folder):
    """Four network namespaces on one bridge are four hosts: one has the server, three have workers."""
    tool = lambda *words, check=True: subprocess.run(["ip", *words], check=check, capture_output=True)
    hosts = [f"lurd{os.getpid()}n{n}" for n in range(4)]
    bridge = f"lurdb{os.getpid()}"[:15]
    inside = lambda host: ("ip", "netns", "exec", host)
    try:
        tool("link", "add", bridge, "type", "bridge")
        tool("addr", "add", "10.97.0.254/24", "dev", bridge)
        tool("link", "set", bridge, "up")
        for n, host in enumerate(hosts):
            tool("netns", "add", host)
            outer, inner = f"lv{os.getpid()}{n}"[:15], f"lw{os.getpid()}{n}"[:15]
            tool("link", "add", outer, "type", "veth", "peer", "name", inner)
            tool("link", "set", inner, "netns", host)
            tool("link", "set", outer, "master", bridge)
            tool("link", "set", outer, "up")
            for words in (["addr", "add", f"10.97.0.{n + 1}/24", "dev", inner], ["link", "set", inner, "up"], ["link", "set", "lo", "up"]):
                subprocess.run([*inside(host), "ip", *words], check=True)
        whole, _ = undisturbed(folder, options.paths, options.nodes)
        server = Server(folder, host="10.97.0.1", prefix=inside(hosts[0]))
        log = (folder / "log").open("w")
        for host in hosts[1:]:
            start("worker", "--nats", server.url, "--jobs", 1, prefix=inside(host), log=log)
        library = folder / "namespaces.db"
        leader = start("batch", "run", *options.paths, "--node-limit", options.nodes, *MEMORY, "--nats", server.url, "--library", library,
                       "--name", "run", prefix=inside(hosts[0]), log=log)
        time.sleep(options.seconds / 4)
        cut = f"lv{os.getpid()}3"[:15]
        tool("link", "set", cut, "down")
        time.sleep(60)
        tool("link", "set", cut, "up")
        code = wait_for(leader, options.patience, "the run over four hosts")
        sound(library)
        table = rows(library)
        same(outcomes(table), outcomes(whole), "over four hosts and undisturbed")
        by_worker = {}
        for row in table.values():
            by_worker[row["worker"]] = by_worker.get(row["worker"], 0) + 1
        print(f"four hosts, one cut off for a minute: the leader ended with {code}, one result for each of {len(table)} entries; "
              f"by worker {sorted(by_worker.values())}")
    finally:
        for process in STARTED:
            kill(process)
        for host in hosts:
            tool("netns", "del", host, check=False)
        tool("link", "del", bridge, check=False)


def boards(path):
    """The boards of an XSB file, as lists of rows."""
    rows = []
    for line in [*path.read_text().splitlines(), ""]:
        if line.strip() and not line.strip("#$@.*+ -_"):
            rows.append(line)
        elif rows:
            yield rows
            rows = []


def mirrored(rows):
    width = max(map(len, rows))
    return [row.ljust(width)[::-1].rstrip() for row in rows]


def turned(rows):
    """By a quarter, clockwise."""
    width = max(map(len, rows))
    return ["".join(column).rstrip() for column in zip(*(row.ljust(width) for row in reversed(rows)))]


def copies(options, folder):
    """A file twice, mirrored and turned: one level and one set of solutions for four entries, right in each orientation."""
    library, plain = folder / "own.db", list(boards(options.paths[0]))
    for name, carry in (("plain", list), ("mirrored", mirrored), ("turned", turned)):
        (folder / f"{name}.xsb").write_text("\n\n".join("\n".join(carry(rows)) for rows in plain) + "\n")
    files = [folder / f"{name}.xsb" for name in ("plain", "plain", "mirrored", "turned")]
    lurd("library", "add", *files, "--library", library)
    stats = lambda: json.loads(lurd("library", "stats", "--json", "--library", library).stdout)
    counts = stats()
    if (counts["levels"], counts["entries"], counts["collections"]) != (len(plain), 4 * len(plain), 4):
        fail(f"{len(plain)} levels in four copies: {counts}")
    # Each orientation is searched for a part of the levels; all have all solutions.
    third = len(plain) // 3
    for name, levels in (("plain", f"1-{third}"), ("mirrored", f"{third + 1}-{2 * third}"), ("turned", f"{2 * third + 1}-")):
        lurd("solve", folder / f"{name}.xsb", "--level", levels, "--time-limit", options.seconds, "--library", library)
    solved = stats()["solved"]
    for name in ("plain", "plain (2)", "mirrored", "turned"):
        exported = folder / "exported.sok"
        lurd("library", "export", name, exported, "--library", library)
        source = folder / f"{name.split()[0]}.xsb"
        checked = [json.loads(line) for line in lurd("check", source, exported, "--json").stdout.splitlines()]
        valid = {check["level"] for check in checked if check["right"]}
        if len(valid) != solved:
            fail(f"{name}: {len(valid)} levels with a right solution, {solved} are solved")
    said = lurd("library", "verify", "--library", library).stdout.strip()
    print(f"{len(plain)} levels, {4 * len(plain)} entries, {solved} solved in one orientation each and right in all four; verify: {said}")


def large_library(options, folder):
    """Levels of 6 to 14 squares a side with random walls: enough of them that no two are the same."""
    count = options.levels
    file, library = folder / "many.xsb", folder / "own.db"
    with file.open("w") as out:
        for number in range(count):
            reached = set()
            # Boxes and goals stand where the player can get to: others would make the level unplayable.
            while len(reached) < 20:
                width, height = random.randint(6, 14), random.randint(6, 12)
                cells = [["#" if random.random() < 0.15 else " " for _ in range(width)] for _ in range(height)]
                start = (random.randrange(height), random.randrange(width))
                reached, todo = {start}, [start]
                while todo:
                    row, column = todo.pop()
                    for place in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                        inside = 0 <= place[0] < height and 0 <= place[1] < width and cells[place[0]][place[1]] == " "
                        if inside and place not in reached:
                            reached.add(place)
                            todo.append(place)
            places = random.sample(sorted(reached - {start}), 8)
            cells[start[0]][start[1]] = "@"
            for place, (row, column) in enumerate(places):
                cells[row][column] = "$" if place % 2 == 0 else "."
            text = "\n".join("#" + "".join(row) + "#" for row in cells)
            out.write(f"; Level {number}\n{'#' * (width + 2)}\n{text}\n{'#' * (width + 2)}\n\n")
    def timed(*words):
        """Seconds by the clock and of the processor: on a machine that does other things too, the second figure is the better one."""
        begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        said = lurd("library", *words, "--library", library).stdout.strip()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic() - begun, spent.ru_utime + spent.ru_stime - before.ru_utime - before.ru_stime, said

    clock, processor, said = timed("add", file)
    size = sum(path.stat().st_size for path in folder.glob("own.db*")) / 1e6
    print(f"add: {said}; {clock:.1f} s, of the processor {processor:.1f} s; {size:.1f} MB")
    for words in (["find"], ["find", "Level 777"], ["find", "--boxes", "4", "--squares", "60-70"], ["find", "--unsolved", "--sort", "boxes"],
                  ["find", "77", "--boards", "--most", "60"], ["list"], ["stats"]):
        clock, processor = (sorted(times)[2] for times in zip(*(timed(*words)[:2] for _ in range(5))))
        print(f"lurd library {' '.join(words)}: {clock * 1000:.0f} ms, of the processor {processor * 1000:.0f} ms", flush=True)
    with contextlib.closing(sqlite3.connect(library)) as file, file:
        # So that every filter has something to find; the figures are made up.
        file.execute("UPDATE level SET best_pushes = id % 400, best_moves = id % 400 + 100, proved = id % 4 WHERE id % 3 = 0")
        file.execute("UPDATE entry SET grade = 1 + number % 10")
    page_questions(library)


def page_questions(library):
    """What the page asks of a server: a page of 60 levels with their pictures."""
    server = subprocess.Popen([LURD, "serve", "--no-open", "--port", "0", "--library", library], stdout=subprocess.PIPE, text=True)
    STARTED.append(server)
    address = server.stdout.readline().split("http://")[1].split("/")[0]
    connection = http.client.HTTPConnection(address)

    def ask(path):
        connection.request("GET", f"/api/v1/library{path}")
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            fail(f"{path} is answered by {answer.status}: {text}")
        return text

    def processor():
        fields = pathlib.Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    for query in ("", "skip=99000", "text=Level+777", "boxes=4&squares=60-70", "state=unsolved&sort=boxes", "state=proved", "state=unproved&sort=pushes",
                  "grades=3-5", "collection=many", "collection=many&state=solved&skip=9000", "collection=many&sort=newest", "text=77&state=solved&grades=5-"):
        times, begun = [], processor()
        for _ in range(9):
            start = time.monotonic()
            text = ask(f"/levels?most=60&pictures=light&{query}")
            times.append(time.monotonic() - start)
        spent = (processor() - begun) / 9
        print(f"GET /library/levels?{query}: {json.loads(text)['total']} found; {sorted(times)[4] * 1000:.1f} ms, of the processor "
              f"{spent * 1000:.0f} ms; {len(text) / 1000:.0f} kB", flush=True)
    for path in ("", "/collections", "/runs"):
        times = []
        for _ in range(9):
            start = time.monotonic()
            ask(path)
            times.append(time.monotonic() - start)
        print(f"GET /library{path}: {sorted(times)[4] * 1000:.1f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kill", "nats", "speed", "access", "namespaces", "copies", "library"])
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--levels", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=4, help="what the whole work takes, roughly: kills are spread over it")
    parser.add_argument("--patience", type=float, default=900)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_intermixed_args()
    if not options.paths:
        options.paths = [ROOT / "levels/lurd.xsb"]
    random.seed(options.seed)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"{options.what}, seed {options.seed}", flush=True)
    if options.what in ("nats", "speed", "access", "namespaces") and not shutil.which("nats-server"):
        fail("nats-server is missing; it is a package of Debian")
    with tempfile.TemporaryDirectory(prefix="lurd-batch-") as folder:
        os.environ["LURD_DATA"] = folder
        work = {"kill": killed, "nats": over_nats, "speed": speed, "access": access, "namespaces": namespaces, "copies": copies, "library": large_library}
        try:
            work[options.what](options, pathlib.Path(folder))
        finally:
            for process in STARTED:
                kill(process)


if __name__ == "__main__":
    main()
