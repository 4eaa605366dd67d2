# SPDX-License-Identifier: Apache-2.0
"""ucx_perf.py PROGRAM MACHINED REPORT - ucx_perftest between node 0 and node 1: the machine's clocks of an iteration.

The program's own clock is the host's, so each row runs twice on a machine of its own, with FEW and with MANY iterations: what the second takes more is
that of MANY - FEW iterations, and making connections is in both. Environment: as for UCX's other programs (ucx.sh). The rows, with clocks and
nanoseconds at 1.25 ns, are the list in REPORT; a row that ends with an error is the end.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FEW, MANY, WARM, LIMIT = 50, 250, 10, int(os.environ.get("LIMIT", "120"))
CLOCK_NS = 1.25
# test, transport, layout of data, bytes; UCP's tests choose their transports themselves
ROWS = [
    ("put_lat", "ugni_rdma", "short", 8), ("put_bw", "ugni_rdma", "short", 8), ("put_bw", "ugni_rdma", "bcopy", 2048),
    ("put_bw", "ugni_rdma", "zcopy", 16384), ("get", "ugni_rdma", "bcopy", 8), ("get", "ugni_rdma", "zcopy", 16384),
    ("add_lat", "ugni_rdma", "short", 8), ("add_mr", "ugni_rdma", "short", 8), ("fadd", "ugni_rdma", "short", 8),
    ("swap", "ugni_rdma", "short", 8), ("cswap", "ugni_rdma", "short", 8),
    ("am_lat", "ugni_smsg", "short", 8), ("am_lat", "ugni_smsg", "bcopy", 1024), ("am_bw", "ugni_smsg", "short", 8), ("am_bw", "ugni_smsg", "bcopy", 2048),
    ("tag_lat", None, None, 8), ("ucp_put_lat", None, None, 8), ("ucp_get", None, None, 8),
]


def fail(text):
    """One line and the end."""
    sys.exit(f"ucx: {text}")


def wait_for(path, process):
    """Until the machine can be reached."""
    while not path.exists():
        if process.poll() is not None:
            fail("the machine does not start")
        time.sleep(0.05)


def ends(command, port, machine, work):
    """Both ends of a test; the client's text."""
    env = {**os.environ, "HEDDLE_MACHINE": str(machine)}
    with open(work / "server", "w", encoding="utf-8") as log, \
            subprocess.Popen(command[:1] + ["-p", port], env={**env, "HEDDLE_NODE": "1"}, stdout=log, stderr=log) as server:
        try:
            time.sleep(0.3)  # the server listens; a client that comes too early says so, and the row fails
            client = subprocess.run(command[:1] + ["localhost", "-p", port] + command[1:], env={**env, "HEDDLE_NODE": "0"}, timeout=LIMIT,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        except subprocess.TimeoutExpired:
            fail(f"{' '.join(command[1:])}: it does not end within {LIMIT} s")
        finally:
            server.terminate()
    if client.returncode != 0:
        fail(f"{' '.join(command[1:])}: ends with {client.returncode}: {client.stdout.strip().splitlines()[-1:]}")


def clocks_of(program, machined, row, iterations):
    """Clocks that a machine took for a test."""
    test, transport, layout, size = row
    command = [program, "-t", test, "-s", str(size), "-n", str(iterations), "-w", str(WARM), "-f"]
    if transport:
        command += ["-d", "ARIES:0", "-x", transport, "-D", layout]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        with subprocess.Popen([machined, "--socket", str(work / "m"), "--quiet", "--report", str(work / "report")]) as machine:
            wait_for(work / "m", machine)
            try:
                ends(command, str(13000 + os.getpid() % 10000), work / "m", work)
            finally:
                machine.terminate()
        return json.loads((work / "report").read_text())["clocks"]


def main():
    """All rows."""
    program, machined, report = sys.argv[1:4]
    rows = []
    for row in ROWS:
        each = (clocks_of(program, machined, row, MANY) - clocks_of(program, machined, row, FEW)) / (MANY - FEW)
        test, transport, layout, size = row
        rows.append({"test": test, "transport": transport or "ugni (UCP)", "data": layout, "bytes": size, "clocks": round(each, 1),
                     "ns": round(each * CLOCK_NS, 1)})
        print(f"ucx_perftest: {test}, {transport or 'ugni (UCP)'}{', ' + layout if layout else ''}, {size} bytes: {each:.1f} clocks an iteration")
        pathlib.Path(report).write_text(json.dumps(rows, indent=2) + "\n")


main()
