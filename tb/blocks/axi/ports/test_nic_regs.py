# SPDX-License-Identifier: Apache-2.0
"""
test_nic_regs.py - the registers of a NIC by cocotbext-axi's AXI4-Lite master. Prints TAP. Environment: SEED, OPERATIONS, REGISTERS (JSON by
scripts/rdl.py).
"""

import json
import os

import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

from rig import OKAY, SLVERR, Tap, begin, ends, go_on, pause, rng

OPERATIONS = int(os.environ["OPERATIONS"])
WIPED = 8400  # clocks
WRITABLE = {"phys_base": 48, "phys_size": 48, "node": 18}


@cocotb.test()
async def all_of_it(dut):
    own, tap = rng(), Tap()
    with open(os.environ["REGISTERS"], encoding="ascii") as file:
        address = {r["name"]: 8 * r["address"] for r in json.load(file)}
    lite = await begin(dut, lambda: AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst))
    write, read = lite.write_if, lite.read_if
    channels = [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]
    await ClockCycles(dut.clk, WIPED)

    model, wrong = dict.fromkeys(WRITABLE, 0), ""
    for chance in (0, 0.5, 0.9):
        pause(own, channels, chance)
        for _ in range(OPERATIONS // 6):
            name = own.choice(list(WRITABLE))
            value = own.getrandbits(64)
            resp = (await ends(lite.write(address[name], value.to_bytes(8, "little")))).resp
            model[name] = value & ((1 << WRITABLE[name]) - 1)
            name = own.choice(list(WRITABLE))
            got = await ends(lite.read(address[name], 8))
            if resp != OKAY or got.resp != OKAY or int.from_bytes(got.data, "little") != model[name]:
                wrong = wrong or f"{name}: {resp!r}, {got}"
    tap.ok(not wrong, "values, channels paused at random", wrong)
    go_on(channels)

    got = [(await ends(lite.write(address["node"], b"\1\2\3\4"))).resp, (await ends(lite.write(address["id"], bytes(8)))).resp,
           (await ends(lite.write(8 * 0x7F, bytes(8)))).resp, (await ends(lite.read(8 * 0x7F, 8))).resp]
    tap.ok(got == 4 * [SLVERR], "parts of a register, a read-only one, none at all: refused", got)

    write.b_channel.pause = True
    held = cocotb.start_soon(lite.write(address["node"], (77).to_bytes(8, "little")))
    reads = [(await ends(lite.read(address["id"], 8))).resp for _ in range(20)]
    tap.ok(not held.done() and reads == 20 * [OKAY], "B is held: reads end")
    write.b_channel.pause = False
    tap.ok((await ends(held)).resp == OKAY, "and then the write")

    read.r_channel.pause = True
    held = cocotb.start_soon(lite.read(address["node"], 8))
    writes = [(await ends(lite.write(address["phys_size"], bytes(8)))).resp for _ in range(20)]
    tap.ok(not held.done() and writes == 20 * [OKAY], "R is held: writes end")
    read.r_channel.pause = False
    tap.ok((await ends(held)).data[0] == 77, "and then the read")

    write.aw_channel.pause = True
    done = cocotb.start_soon(lite.write(address["node"], (5).to_bytes(8, "little")))
    await ClockCycles(dut.clk, 100)
    early = not dut.s_axil_wready.value  # taken, so no more fit
    write.aw_channel.pause = False
    tap.ok((await ends(done)).resp == OKAY and early and (await ends(lite.read(address["node"], 8))).data[0] == 5, "data long before their address")
    tap.done()
