#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
run.py RTL OUT - builds two chips from the Verilog in RTL with Icarus and runs test_two_chips.py on them; files go to
OUT. Exit status 1 if the test ended early; environment: as test_two_chips.py wants it.
"""

import os
import sys

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner


def main():
    rtl, out = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    with open(f"{rtl}/chip.f", encoding="ascii") as file:
        sources = [f"{rtl}/{name.strip()}" for name in file]
    runner = get_runner("icarus")
    runner.build(
        sources=sources + [f"{here}/node.v", f"{here}/two_chips.v"],
        hdl_toplevel="two_chips",
        build_dir=out,
        always=True,
        timescale=("1ns", "1ps"),
        log_file=f"{out}/build.log",
    )
    results = runner.test(
        hdl_toplevel="two_chips",
        test_module="test_two_chips",
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
