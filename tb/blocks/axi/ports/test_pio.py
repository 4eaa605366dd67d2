# SPDX-License-Identifier: Apache-2.0
"""
test_pio.py - the processor's port of a NIC (pio) by cocotbext-axi's AXI4 master: bursts that it takes, byte for byte, and all others,
refused. What stands behind it answers each run after some clocks, and puts its bytes into a memory. Prints TAP. Environment: SEED, OPERATIONS.
"""

import os

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBurstType, AxiBus, AxiMaster

from rig import OKAY, SLVERR, Tap, begin, ends, go_on, pause, rng

OPERATIONS = int(os.environ["OPERATIONS"])
LINE, PAGE = 64, 4096
PUT = 2  # region: put windows


class Behind:
    """The other side of pio: lines of four chunks, runs of them into a memory by {unit, byte}."""

    def __init__(self, dut, own):
        self.dut, self.own, self.chunks, self.memory, self.runs = dut, own, {}, {}, 0

    async def play(self):
        d = self.dut
        while True:
            await RisingEdge(d.clk)
            if d.chunk_valid.value:
                self.chunks[int(d.chunk_place.value)] = int(d.chunk_data.value).to_bytes(16, "little")
            if not d.run_valid.value or d.fma_valid.value:
                continue
            for _ in range(self.own.randrange(3)):
                await RisingEdge(d.clk)
                if d.chunk_valid.value:
                    self.chunks[int(d.chunk_place.value)] = int(d.chunk_data.value).to_bytes(16, "little")
            self.take()
            d.fma_valid.value = 1
            await RisingEdge(d.clk)
            if d.chunk_valid.value:
                self.chunks[int(d.chunk_place.value)] = int(d.chunk_data.value).to_bytes(16, "little")
            d.fma_valid.value = 0

    def take(self):
        d = self.dut
        self.runs += 1
        unit, offset, line = int(d.run_unit.value), int(d.run_offset.value), int(d.run_line.value)
        d.fma_data.value = unit << 32 | offset
        if d.run_read.value:
            return
        for i in range(int(d.run_bytes.value) + 1):
            at = offset % LINE + i
            self.memory[unit, offset + i] = self.chunks[line << 2 | at >> 4][at & 15]


def taken(address, length, burst, size):
    """Whether pio takes a write: INCR, one beat of any size or whole beats within a line (hls/nic/README.md, pio)."""
    beats = ((address % (1 << size)) + length + (1 << size) - 1) >> size
    if burst != AxiBurstType.INCR:
        return False
    return beats == 1 or (size == 4 and address // LINE == (address + length - 1) // LINE)


@cocotb.test()
async def all_of_it(dut):
    own, tap = rng(), Tap()
    axi = await begin(dut, lambda: AxiMaster(AxiBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst))
    dut.config_ready.value = 1
    dut.config_enable.value = 1
    behind = Behind(dut, own)
    cocotb.start_soon(behind.play())
    write, read = axi.write_if, axi.read_if
    channels = [write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel]
    window_log2 = len(dut.run_offset)
    base = PUT << (len(dut.s_axi_awaddr) - 2)

    async def store(address, data, **how):
        return (await ends(axi.write(base + address, data, **how), 20000)).resp

    async def random_stores(what, count, draw):
        """Stores of which pio must take some and refuse others; the bytes of those it took."""
        wrong = ""
        for _ in range(count):
            address, length, burst, size = draw()
            data, good = own.randbytes(length), taken(address, length, burst, size)
            behind.memory.clear()
            resp = await store(address, data, burst=burst, size=size)
            unit, offset = address >> window_log2, address & ((1 << window_log2) - 1)
            want = {(unit, offset + i): b for i, b in enumerate(data)} if good else {}
            if resp != (OKAY if good else SLVERR) or behind.memory != want:
                wrong = wrong or f"{length} bytes at {address:x}, {burst!r}, size {size}: {resp!r}, {len(behind.memory)} bytes came"
        tap.ok(not wrong, what, wrong)

    def anywhere(align):
        return own.randrange(1 << (window_log2 + 3)) // align * align

    few = OPERATIONS // 8
    for chance in (0, 0.6):
        pause(own, channels, chance)
        await random_stores(f"lines, whole and in part, unaligned, paused in {chance} of all clocks", few,
                            lambda: (lambda a: (a, own.randint(1, LINE - a % LINE), AxiBurstType.INCR, 4))(anywhere(1)))
    go_on(channels)
    await random_stores("narrow: one beat is taken, more are refused", few,
                        lambda: (lambda s: (anywhere(1 << s), own.randint(1, 4) << s, AxiBurstType.INCR, s))(own.randrange(4)))
    await random_stores("over a line: refused", few, lambda: (anywhere(LINE) // PAGE * PAGE + 16 * own.randrange(1, 4), 64, AxiBurstType.INCR, 4))
    await random_stores("WRAP and FIXED: refused", few,
                        lambda: (anywhere(LINE), 16 * own.choice([2, 4]), own.choice([AxiBurstType.WRAP, AxiBurstType.FIXED]), 4))

    at = anywhere(PAGE) + PAGE - 40
    at = min(at, (1 << window_log2) * 8 - 2 * PAGE + PAGE - 40)
    behind.memory.clear()
    got = await store(at, own.randbytes(80))
    tap.ok(got in (OKAY, SLVERR), "over 4 KB: the master makes two bursts of it, each is answered", got)

    write.aw_channel.pause = True
    done = cocotb.start_soon(store(0, bytes(range(64))))
    await ClockCycles(dut.clk, 100)
    early = not dut.s_axi_wready.value  # a beat was taken
    write.aw_channel.pause = False
    tap.ok(await done == OKAY and early and all(behind.memory[0, i] == i for i in range(64)), "data long before their address")

    async def load():
        return (await ends(axi.read(8 * 16, 8))).resp

    write.b_channel.pause = True
    held = [cocotb.start_soon(store(64 * i, bytes(64))) for i in range(20)]
    await ClockCycles(dut.clk, 300)
    loads = [await load() for _ in range(20)]
    tap.ok(not any(h.done() for h in held) and loads == 20 * [OKAY], "B is held: reads end")
    write.b_channel.pause = False
    tap.ok([await h for h in held] == 20 * [OKAY], "and then the writes")

    read.r_channel.pause = True
    held = [cocotb.start_soon(load()) for _ in range(8)]
    await ClockCycles(dut.clk, 100)
    stores = [await store(64 * i, bytes(64)) for i in range(20)]
    tap.ok(not any(h.done() for h in held) and stores == 20 * [OKAY], "R is held: writes end")
    read.r_channel.pause = False
    tap.ok([await h for h in held] == 8 * [OKAY], "and then the reads")

    behind.memory.clear()
    several = [cocotb.start_soon(store(64 * i, bytes([i] * 64))) for i in range(64)]
    tap.ok([await s for s in several] == 64 * [OKAY] and all(behind.memory[0, 64 * i + j] == i for i in range(64) for j in range(64)),
           "back to back")
    tap.done()
