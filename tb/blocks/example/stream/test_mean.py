# SPDX-License-Identifier: Apache-2.0
"""
test_mean.py - mean by cocotbext-axi's AXI4-Stream source and sink: frames in, their means out. Prints TAP. Environment: SEED, FRAMES.
"""

import os

import cocotb
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from rig import Tap, begin, ends, pause, rng

FRAMES = int(os.environ["FRAMES"])
LONGEST = 40  # samples


@cocotb.test()
async def frames_and_means(dut):
    own, tap = rng(), Tap()

    def ports():
        return (
            AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst, byte_size=16),
            AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst, byte_size=16),
        )

    source, sink = await begin(dut, ports)
    for chance in (0, 0.3, 0.9):
        pause(own, (source, sink), chance)
        sent = [[own.randrange(1 << 16) for _ in range(own.randrange(1, LONGEST + 1))] for _ in range(FRAMES // 3)]
        for frame in sent:
            await source.send(AxiStreamFrame(frame))
        wrong = ""
        for number, frame in enumerate(sent):
            came = list((await ends(sink.recv())).tdata)
            if came != [sum(frame) // len(frame)]:
                wrong = wrong or f"frame {number} of {len(frame)} samples: {came}, expected [{sum(frame) // len(frame)}]"
        tap.ok(not wrong and sink.empty(), f"{len(sent)} frames, ends that pause in {chance:.0%} of all clocks", wrong or "a word too many")
    tap.done()
