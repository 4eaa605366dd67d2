# SPDX-License-Identifier: Apache-2.0
"""mpi_books.py WORK REPORT PROGRAM NODES EACH COUNTED - what Open MPI counted against what the NICs counted.

WORK has count.<rank>.prof of Open MPI's monitoring component, ucx.<process> of UCX and machine.json of machined. Each byte that ranks send to others
by two-sided messages, and each of one-sided puts, must have been in a request of their node's NIC, each that a get reads in a response; and UCX
must have named no transport but ugni's and the one of a rank to itself. COUNTED no: the component was not there, the NICs' counters and UCX's words
alone are judged. The result is an element of the list in REPORT.
"""
import json
import pathlib
import re
import sys

LINE = re.compile(r"^([EISR])\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs")
LANE = re.compile(r"\b(\w+)/\w+")


def fail(text):
    """One line and the end."""
    sys.exit(f"mpi: {text}")


def counted(work, each):
    """Bytes and messages to other ranks by node: two-sided and puts (sent), gets (read)."""
    sent, read, messages = {}, {}, 0
    for path in sorted(work.glob("count.*.prof")):
        for kind, rank, peer, size, count in (m.groups() for m in map(LINE.match, path.read_text().splitlines()) if m):
            if rank == peer:
                continue
            book = read if kind == "R" else sent
            book[int(rank) // each] = book.get(int(rank) // each, 0) + int(size)
            messages += int(count)
    return sent, read, messages


def transports(work):
    """Those that UCX chose for any endpoint."""
    return sorted({name for path in work.glob("ucx.*") for line in path.read_text().splitlines() if "ep_cfg" in line
                   for name in LANE.findall(line.split("ep_cfg", 1)[1])})


def main():
    """Reads, compares, appends."""
    work, report, program, nodes, each = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    is_counted = sys.argv[6] == "yes"
    machine = json.loads((work / "machine.json").read_text())
    chips = machine["chips"]
    sent, read, messages = counted(work, each)
    if is_counted and not sent:
        fail(f"{program}: Open MPI's monitoring counted nothing")
    names = transports(work)
    if not names or any(n != "self" and not n.startswith("ugni_") for n in names):
        fail(f"{program}: UCX uses {' '.join(names) or 'nothing that it names'}")
    for number, node in enumerate(machine["nodes"]):
        if node["request_bytes_sent"] < sent.get(number, 0):
            fail(f"{program}: ranks of node {number} sent {sent[number]} bytes, its NIC {node['request_bytes_sent']}")
        if node["response_bytes_received"] < read.get(number, 0):
            fail(f"{program}: ranks of node {number} read {read[number]} bytes, its NIC {node['response_bytes_received']}")
        if node["refused"]:
            fail(f"{program}: node {number} refused {node['refused']} accesses")
    out = sum(n["request_bytes_sent"] for n in machine["nodes"])
    into = sum(n["request_bytes_received"] for n in machine["nodes"])
    if out != into:
        fail(f"{program}: NICs sent {out} bytes of requests and received {into}")
    back = sum(n["response_bytes_received"] for n in machine["nodes"])
    entry = {"program": program, "nodes": nodes, "ranks": nodes * each, "chips": chips, "transports": names, "messages": messages if is_counted else None,
             "mpi_bytes": sum(sent.values()) + sum(read.values()) if is_counted else None, "nic_bytes": out + back,
             "clocks": machine["clocks"], "clocks_per_second": machine["clocks_per_second"]}
    entries = json.loads(report.read_text()) if report.exists() else []
    entries = [e for e in entries if (e["program"], e["ranks"], e["nodes"], e["chips"]) != (program, nodes * each, nodes, chips)] + [entry]
    report.write_text(json.dumps(entries, indent=2) + "\n")
    print(f"mpi: {program} on {nodes} {chips} nodes, {nodes * each} ranks: " + (f"{messages} messages, {entry['mpi_bytes']} bytes; " if is_counted else "") +
          f"{entry['nic_bytes']} through the NICs ({' '.join(names)}); {machine['clocks']} clocks, {machine['clocks_per_second']} a second")


main()
