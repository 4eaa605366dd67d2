#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""commands.py [FILE] - how each C file and header of the tree is compiled, for editors and for clang-tidy.

With a FILE its flags, one a line. Without, build/compile_commands.json, where clangd finds it: every file that git knows, headers too,
so that hls/ is C23 (_BitInt) in any editor. The rule is ROOMS: the first row that a path begins with; what has no row is C23 with hls/.
"""
import json
import pathlib
import shutil
import subprocess
import sys

OUT = pathlib.Path("build/compile_commands.json")
C11, C23 = ["-std=c11"], ["-std=c23"]
# beside the tree itself and hls/: structs and ports that rtlgen and tb/conform/ports.py make
MODEL = [*C23, "-I.", "-Ihls", "-Ibuild/rtl/aries", "-Ibuild/conform/aries"]
PROTO = [*MODEL, "-DMACHINE_PROTO=1"]
PROTOXC = [*MODEL, "-DMACHINE_PROTOXC=1"]
SEASTAR = [*MODEL, "-DMACHINE_SEASTAR2=1"]
BGL = [*MODEL, "-DMACHINE_BGL=1"]
PROTO24 = [*MODEL, "-DMACHINE_PROTO24=1"]
ROOMS = (
    ("rtl_gen/test/", [*C23, "-I.", "-Ihls"]),
    ("rtl_gen/", [*C11, "-I.", "-Irtl_gen", "LLVM"]),
    ("tb/equiv/fuzz/run.c", MODEL),
    ("tb/equiv/fuzz/", [*C11, "-I."]),
    ("tb/equiv/mutate/", [*C11, "-I."]),
    ("tb/equiv/prove/", [*C11, "-I.", "-Itb/equiv/prove", "LLVM"]),
    ("sim/host/machined/chips", PROTOXC),
    ("sim/host/machined/trace.c", [*C11, "-I.", "FST"]),
    *((f"sim/host/{room}/", [*C11, "-I."]) for room in ("machined", "ugni", "nicbench", "example", "test")),
    ("tb/blocks/board/board_native.c", [*PROTO, "-include", "hls/board/link_bist.h", "-DTOP=link_bist"]),
    ("tb/blocks/board/", PROTO),
    ("hls/board/", PROTO),
    ("hls/link/packet/", PROTO24),
    *((room, BGL) for room in ("hls/bgl/", "tb/bgl/", "tb/system/programs/demo_bgl.c")),
    *((f"{room}/seastar/", SEASTAR) for room in ("hls", "tb/blocks", "tb/system")),
    *((f"hls/nic/netlink/{name}", PROTO24) for name in ("pack24", "unpack24", "nic_packet24")),
    *((f"tb/blocks/nic/netlink/test_{name}", PROTO24) for name in ("pack24", "unpack24")),
    ("tb/system/link/pkt_", PROTO24),
    ("tb/system/link/test_packet_", PROTO24),
    ("tb/system/programs/packet_", PROTO24),
    ("sim/engine/checkpoint.c", [*MODEL, '-DSIM_SOURCES=""']),
    ("sim/engine/ranks/mpi.c", [*MODEL, "MPI"]),
    ("", MODEL),
)


def asked(*command):
    """What a tool says, if it is there."""
    return subprocess.check_output(command, text=True).split() if shutil.which(command[0]) else []


def flags(path):
    """Of a file."""
    result = ["-D_GNU_SOURCE"]
    for flag in next(row for prefix, row in ROOMS if path.startswith(prefix)):
        if flag == "LLVM":
            result += ["-isystem", *asked("llvm-config-19", "--includedir")]
        elif flag == "FST":
            result += [word for root in asked("verilator", "--getenv", "VERILATOR_ROOT") for word in ("-isystem", f"{root}/include/gtkwave")]
        elif flag == "MPI":
            result += [word for folder in asked("mpicc", "--showme:incdirs") for word in ("-isystem", folder)]
        else:
            result.append(flag)
    return result


def main():
    """Command line: nothing, or a file."""
    if len(sys.argv) > 1:
        print("\n".join(flags(sys.argv[1])))
        return
    here = str(pathlib.Path.cwd())
    files = subprocess.check_output(["git", "ls-files", "*.c", "*.h"], text=True).split("\n")[:-1]
    rows = [{"directory": here, "file": name, "arguments":
             ["clang-19", *(["-x", "c-header"] if name.endswith(".h") else []), *flags(name), "-Wall", "-Wextra", "-c", name]}
            for name in files]
    OUT.parent.mkdir(exist_ok=True)
    part = OUT.with_suffix(".part")
    part.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    part.replace(OUT)
    print(f"{OUT}: {len(rows)} files")


main()
