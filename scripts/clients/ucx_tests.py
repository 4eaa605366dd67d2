# SPDX-License-Identifier: Apache-2.0
"""ucx_tests.py PROGRAM LOG REPORT SUITE FILTER [EVERY] - a suite of UCX's test program: how many ran, passed, were skipped by the program, failed.

All tests run in one process; when one of them ends it (a signal, its watchdog, no word for LIMIT seconds) that one has failed and the rest runs in
another. With EVERY only each EVERYth test of the list runs. Tests in ucx_faults.tsv fail by the client's own fault, on any NIC: they are run, and
reported apart. The result is an element of the list in REPORT; the status is 1 if a test failed that is not among them.
"""
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import threading

LIMIT = int(os.environ.get("LIMIT", "3600"))
LINE = re.compile(r"^\[\s*(RUN|OK|FAILED|SKIP)\s*\]\s*(.*)")


def listed(program, pattern):
    """Names of tests, in the program's order."""
    out = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={pattern}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, check=False).stdout
    names, suite = [], ""
    for line in out.splitlines():
        if line.startswith("  "):
            names.append(suite + line.split()[0])
        elif re.match(r"^\S+\.$", line.split("#")[0].strip()):
            suite = line.split()[0]
    return names


def lines_of(command, log):
    """What a program says, also into the log, until it ends or is silent for LIMIT seconds: then it is killed."""
    with open(log, "a", encoding="utf-8") as copy, \
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        guard = threading.Timer(LIMIT, process.kill)
        guard.start()
        for line in process.stdout:
            guard.cancel()
            guard = threading.Timer(LIMIT, process.kill)
            guard.start()
            copy.write(line)
            copy.flush()
            yield line
        guard.cancel()


def run_some(program, names, log):
    """Runs tests in one process until one of them ends it; yields (name, result)."""
    command = [program, "--gtest_filter=" + ":".join(names), "-t", str(LIMIT), "-p", "0", "-s", "1"]
    running, skipped = None, False
    for line in lines_of(command, log):
        match = LINE.match(line)
        if not match:
            continue
        word, rest = match.groups()
        if word == "RUN":
            running, skipped = rest.split()[0], False
        elif word == "SKIP":
            skipped = True
        elif running and rest.startswith(running):
            yield running, "failed" if word == "FAILED" else "skipped" if skipped else "passed"
            running = None
    if running:
        yield running, "failed"


def run_all(program, names, log):
    """Results of all tests."""
    results, left = {}, list(names)
    while left:
        before = len(results)
        for name, result in run_some(program, left[:200], log):
            results[name] = result
        if len(results) == before:
            results[left[0]] = "failed"
        left = [n for n in left if n not in results]
    return results


def faults():
    """Patterns of tests that fail by the client's own fault."""
    path = pathlib.Path(__file__).with_name("ucx_faults.tsv")
    return [line.split("\t")[0] for line in path.read_text().splitlines() if line and not line.startswith("#")]


def main():
    """Lists, runs, reports."""
    program, log, report, suite, pattern = sys.argv[1:6]
    names = listed(program, pattern)[::int(sys.argv[6]) if len(sys.argv) > 6 else 1]
    if not names:
        sys.exit(f"ucx: {suite}: no test has that name: {pattern}")
    results = run_all(program, names, log)
    known = faults()
    failed = [n for n, r in results.items() if r == "failed"]
    theirs = [n for n in failed if any(fnmatch.fnmatch(n, k) for k in known)]
    ours = [n for n in failed if n not in theirs]
    count = {kind: sum(r == kind for r in results.values()) for kind in ("passed", "skipped")}
    print(f"ucx: {suite}: {len(results)} run, {count['passed']} passed, {count['skipped']} skipped, {len(ours)} failed; "
          f"{len(theirs)} by a fault of the client's")
    for name in ours:
        print(f"ucx:   failed: {name}")
    path = pathlib.Path(report)
    entries = [e for e in (json.loads(path.read_text()) if path.exists() else []) if e["suite"] != suite]
    entries.append({"suite": suite, "run": len(results), **count, "failed": len(ours), "clients_fault": len(theirs)})
    path.write_text(json.dumps(entries, indent=2) + "\n")
    sys.exit(1 if ours else 0)


main()
