#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""States and transitions of processes that lockstep took, of all modules together: TAP, and build/reports/process-cover.json

cover.py FILE ...   what fuzzrun or lockstep left: every state is taken, and 95 of 100 transitions, or the test fails
cover.py            all of the last runs, build/reports/cosim-*.json and build/test/modules/cover/*.json: a report alone

A module that several files have was run several times. What was not taken is listed.
"""
import glob
import json
import sys

REPORT = "build/reports/process-cover.json"
TRANSITIONS = 95  # per cent


def read(files):
    """(module, process): {"states": {name: times}, "transitions": ...}"""
    found = {}
    for name in files:
        with open(name, encoding="utf-8") as file:
            report = json.load(file)
        for process in report.get("processes", []):
            key = (report["module"], process["c"].replace("[]", f"[{process['element']}]"))
            into = found.setdefault(key, {"states": {}, "transitions": {}})
            for kind, times in into.items():
                for what, n in process[kind].items():
                    times[what] = times.get(what, 0) + int(n)
    return found


def share(taken, of):
    return 100.0 if of == 0 else 100.0 * taken / of


def entry(key, process):
    of = {"module": key[0], "process": key[1]}
    for kind in ("states", "transitions"):
        of[kind] = len(process[kind])
        of[f"{kind}_taken"] = sum(n > 0 for n in process[kind].values())
        of[f"{kind}_never"] = [what for what, n in process[kind].items() if n == 0]
    return of


def main():
    files = sys.argv[1:] or glob.glob("build/reports/cosim-*.json") + glob.glob("build/test/modules/cover/*.json")
    entries = [entry(*item) for item in sorted(read(files).items())]
    total = {kind: sum(e[kind] for e in entries) for kind in ("states", "states_taken", "transitions", "transitions_taken")}
    total["states_percent"] = share(total["states_taken"], total["states"])
    total["transitions_percent"] = share(total["transitions_taken"], total["transitions"])
    with open(REPORT, "w", encoding="utf-8") as file:
        json.dump({"processes": entries, "total": total}, file, indent=1)
    for e in entries if len(sys.argv) > 1 else []:
        for never in e["states_never"] + e["transitions_never"]:
            print(f"# {e['module']}, {e['process']}: never {never}")
    if len(sys.argv) == 1:
        return 0
    good = bool(entries) and total["states_taken"] == total["states"] and total["transitions_percent"] >= TRANSITIONS
    print(
        f"{'' if good else 'not '}ok 1 - processes: {total['states_taken']} of {total['states']} states, "
        f"{total['transitions_taken']} of {total['transitions']} transitions ({total['transitions_percent']:.1f} %)"
    )
    print(f"1..1\n# report: {REPORT}")
    return 0 if good else 1


sys.exit(main())
