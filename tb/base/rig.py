# SPDX-License-Identifier: Apache-2.0
"""
rig.py - what tests by cocotb share (cocotb_run.py): TAP, clock and reset, pauses of channels by chance, patience.
"""

import os
import random

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout

NS = 10  # a clock
OKAY, SLVERR = 0, 2


class Tap:
    def __init__(self):
        self.checks = self.failed = 0

    def ok(self, held, what, why=""):
        self.checks += 1
        self.failed += not held
        print(f"{'ok' if held else 'not ok'} {self.checks} - {what}" + ("" if held else f" # {why}"), flush=True)

    def done(self):
        print(f"1..{self.checks}", flush=True)
        assert not self.failed


def rng():
    seed = int(os.environ["SEED"])
    print(f"# SEED={seed}", flush=True)
    return random.Random(seed)


async def begin(dut, make):
    """Clock, inputs 0, reset; what `make` makes, the masters, is there from the first clock on."""
    Clock(dut.clk, NS, "ns").start()
    dut.rst.value = 1
    for name in dir(dut):
        handle = getattr(dut, name)
        if name.startswith(("config_", "bus_r", "bus_e", "fma_", "cq_", "write_", "count", "sent_", "received_", "time_", "raised", "idle",
                            "settled", "pio", "orb", "rat", "netlink")) and getattr(handle, "value", None) is not None:
            try:
                handle.value = 0
            except Exception:  # an output
                pass
    made = make()
    await ClockCycles(dut.clk, 5)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)
    return made


def pause(rng, channels, chance):
    """Each of these channels offers, or takes, nothing in so many of all clocks."""

    def pauses(own):
        while True:
            yield own.random() < chance

    for channel in channels:
        channel.set_pause_generator(pauses(random.Random(rng.random())))


def go_on(channels):
    for channel in channels:
        channel.clear_pause_generator()
        channel.pause = False


async def ends(awaited, clocks=4000):
    """Whether it ends in time, and with what."""
    return await with_timeout(awaited, clocks * NS, "ns")
