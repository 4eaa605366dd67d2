# SPDX-License-Identifier: Apache-2.0
"""
test_axil_regs.py - axil_regs by cocotbext-axi's AXI4-Lite master, in front of a register bus that answers when it likes. Prints TAP.
Environment: SEED, OPERATIONS.
"""

import os

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

from rig import OKAY, SLVERR, Tap, begin, ends, go_on, pause, rng

REGISTERS = 32  # on the bus; others are answered with an error
OPERATIONS = int(os.environ["OPERATIONS"])


async def bus(dut, memory, own):
    """Answers each request once, some clocks after it was asked."""
    while True:
        await RisingEdge(dut.clk)
        dut.bus_ready.value = 0
        if not dut.bus_valid.value or dut.bus_ready.value:
            continue
        for _ in range(own.randrange(4)):
            await RisingEdge(dut.clk)
        address = int(dut.bus_addr.value)
        if dut.bus_write.value and address < REGISTERS:
            memory[address] = int(dut.bus_wdata.value)
        dut.bus_error.value = address >= REGISTERS
        dut.bus_rdata.value = memory.get(address, 0)
        dut.bus_ready.value = 1
        await RisingEdge(dut.clk)
        dut.bus_ready.value = 0
        await RisingEdge(dut.clk)


def data_of(value):
    return value.to_bytes(8, "little")


@cocotb.test()
async def all_of_it(dut):
    own, tap, memory = rng(), Tap(), {}
    lite = await begin(dut, lambda: AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst))
    cocotb.start_soon(bus(dut, memory, own))
    write, read = lite.write_if, lite.read_if
    channels = [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]

    wrong, model = "", {}
    for chance in (0, 0.5, 0.9):
        pause(own, channels, chance)
        for _ in range(OPERATIONS // 6):
            address, value = own.randrange(40), own.getrandbits(64)
            resp = (await ends(lite.write(8 * address, data_of(value)))).resp
            model.update({address: value} if address < REGISTERS else {})
            if resp != (OKAY if address < REGISTERS else SLVERR):
                wrong = wrong or f"write of {address}: {resp}"
            address = own.randrange(40)
            got = await ends(lite.read(8 * address, 8))
            if got.resp != (OKAY if address < REGISTERS else SLVERR) or bytes(got.data) != data_of(model.get(address, 0)):
                wrong = wrong or f"read of {address}: {got}"
    tap.ok(not wrong, "values and responses, channels paused at random", wrong)

    go_on(channels)
    write.aw_channel.pause = True
    done = cocotb.start_soon(lite.write(8, data_of(1)))
    await ClockCycles(dut.clk, 50)
    early = not dut.s_axil_wready.value  # taken, so no more fit
    write.aw_channel.pause = False
    tap.ok((await ends(done)).resp == OKAY and early, "data long before their address")

    got = await ends(lite.write(16, b"\1\2\3\4"))
    tap.ok(got.resp == SLVERR and memory.get(2, 0) == model.get(2, 0), "a write without all strobes is refused", got)

    write.b_channel.pause = True
    held = cocotb.start_soon(lite.write(24, data_of(7)))
    reads = [(await ends(lite.read(8 * own.randrange(REGISTERS), 8))).resp for _ in range(20)]
    tap.ok(not held.done() and reads == 20 * [OKAY], "B is held: reads end")
    write.b_channel.pause = False
    tap.ok((await ends(held)).resp == OKAY, "and then the write")

    read.r_channel.pause = True
    held = cocotb.start_soon(lite.read(24, 8))
    writes = [(await ends(lite.write(8 * own.randrange(REGISTERS), data_of(9)))).resp for _ in range(20)]
    tap.ok(not held.done() and writes == 20 * [OKAY], "R is held: writes end")
    read.r_channel.pause = False
    tap.ok(bytes((await ends(held)).data) == data_of(7), "and then the read, with what was there before the writes")

    several = [cocotb.start_soon(lite.write(8 * i, data_of(i + 100))) for i in range(REGISTERS)]
    tap.ok([(await ends(w)).resp for w in several] == REGISTERS * [OKAY] and [memory[i] for i in range(REGISTERS)] == list(range(100, 132)),
           "back to back")
    tap.done()
