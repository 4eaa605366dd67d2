# SPDX-License-Identifier: Apache-2.0
"""
test_two_ends.py - frames of bytes over two lcb_bytes, sent and received by cocotbext-axi's AXI4-Stream source and sink;
registers by its AXI4-Lite master. Prints TAP. Environment: FRAMES, SEED, REGISTERS (scripts/rdl.py --json hls/link/lcb.rdl).
"""

import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

RUN = 4  # enum link_state
UP = 4000  # clocks in which a link comes up
MOST = 90  # bytes of a packet
BAD = 1  # in tuser, beside vc << 1 and what is the sender's << 4


class Tap:
    def __init__(self):
        self.checks = self.failed = 0

    def ok(self, held, what, why=""):
        self.checks += 1
        self.failed += not held
        print(f"{'ok' if held else 'not ok'} {self.checks} - {what}" + ("" if held else f" # {why}"), flush=True)


class End:
    def __init__(self, handle, clk, rst, rng):
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(handle, "s_axis"), clk, rst)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(handle, "m_axis"), clk, rst)
        self.lite = AxiLiteMaster(AxiLiteBus.from_prefix(handle, "s_axil"), clk, rst)
        self.source.set_pause_generator(pauses(random.Random(rng.random()), 0.2))
        self.sink.set_pause_generator(pauses(random.Random(rng.random()), 0.2))
        with open(os.environ["REGISTERS"], encoding="ascii") as file:
            self.registers = {r["name"]: r for r in json.load(file)}

    async def read(self, name, field):
        register = self.registers[name]
        answer = await self.lite.read(8 * register["address"], 8)
        assert answer.resp == AxiResp.OKAY
        (f,) = (f for f in register["fields"] if f["name"] == field)
        return int.from_bytes(answer.data, "little") >> f["low"] & ((1 << f["bits"]) - 1)


def pauses(rng, chance):
    while True:
        yield rng.random() < chance


def new_frame(rng):
    data = bytes(rng.randrange(256) for _ in range(rng.randrange(1, MOST + 1)))
    return data, rng.randrange(1 << 34) << 4 | rng.randrange(8) << 1


async def stream(frames, source, sink):
    """Sends all frames; how many came out as they were, in order."""
    for data, user in frames:
        await source.source.send(AxiStreamFrame(data, tuser=user))
    for count, (data, user) in enumerate(frames):
        frame = await sink.sink.recv()
        users = {frame.tuser} if isinstance(frame.tuser, int) else set(frame.tuser)
        if bytes(frame.tdata) != data or users != {user}:
            return count
    return len(frames)


async def refuses(rng, a, b):
    """A frame that is too long vanishes, the next one comes."""
    await a.source.send(AxiStreamFrame(bytes(MOST + 1 + rng.randrange(60)), tuser=0))
    await a.source.send(AxiStreamFrame(b"behind it", tuser=4))
    frame = await b.sink.recv()
    return bytes(frame.tdata) == b"behind it"


@cocotb.test()
async def test_two_ends(dut):
    rng = random.Random(int(os.environ["SEED"]))
    frames = int(os.environ["FRAMES"])
    tap = Tap()
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    a, b = (End(end, dut.clk, dut.rst, rng) for end in (dut.a, dut.b))
    dut.rst.value = 1
    await ClockCycles(dut.clk, 10)
    dut.rst.value = 0
    for _ in range(UP):
        if int(dut.state_a.value) == RUN and int(dut.state_b.value) == RUN:
            break
        await ClockCycles(dut.clk, 1)
    tap.ok(await a.read("status", "state") == RUN, "the link is up, and its register says so")
    for name, source, sink in (("a to b", a, b), ("b to a", b, a)):
        sent = [new_frame(rng) for _ in range(frames)]
        came = await with_timeout(stream(sent, source, sink), 20000 * frames, "ns")
        tap.ok(came == frames, f"{frames} frames from {name}, bytes and tuser", f"frame {came} is another one")
    tap.ok(await with_timeout(refuses(rng, a, b), 100000, "ns"), "a frame that is too long is dropped alone")
    answer = await a.lite.read(4, 4)
    tap.ok(answer.resp == AxiResp.SLVERR, "half a register cannot be read")
    answer = await a.lite.write(0x10, b"\0\0\0\0")
    tap.ok(answer.resp == AxiResp.SLVERR, "nor written")
    tap.ok(await b.read("good", "count") > 0 and await b.read("crc", "count") == 0, "counters")
    print(f"1..{tap.checks}", flush=True)
    assert tap.failed == 0
