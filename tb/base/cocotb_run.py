#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
cocotb_run.py RTL MODULE OUT FOLDER TOP - builds TOP, which is one of the .v files in FOLDER, with Icarus from them and from
the Verilog of MODULE in RTL (a folder of build/rtl), and runs FOLDER/test_TOP.py on it; files go to OUT. Exit status 1 if the
test ended early. Environment: as the test wants it.
"""

import glob
import os
import sys

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner


def main():
    rtl, module, out, folder, top = sys.argv[1:]
    folder = os.path.abspath(folder)
    sys.path.insert(0, folder)
    with open(f"{rtl}/{module}.f", encoding="ascii") as file:
        sources = [f"{rtl}/{name.strip()}" for name in file]
    runner = get_runner("icarus")
    runner.build(
        sources=sources + sorted(glob.glob(f"{folder}/*.v")),
        hdl_toplevel=top,
        build_dir=out,
        always=True,
        timescale=("1ns", "1ps"),
        log_file=f"{out}/build.log",
    )
    results = runner.test(
        hdl_toplevel=top,
        test_module=f"test_{top}",
        build_dir=out,
        test_dir=out,
        # cocotbext-axi uses what cocotb 2 calls old
        extra_env={
            "COCOTB_LOG_LEVEL": "WARNING",
            "GPI_LOG_LEVEL": "ERROR",
            "PYTHONWARNINGS": "ignore::DeprecationWarning",
        },
    )
    tests, failed = get_results(results)
    return tests == 0 or failed > 0


if __name__ == "__main__":
    sys.exit(main())
