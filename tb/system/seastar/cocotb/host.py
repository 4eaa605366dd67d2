# SPDX-License-Identifier: Apache-2.0
"""
host.py - the host of a SeaStar in cocotb: mailboxes behind AXI4, registers behind AXI4-Lite, memory; all three by cocotbext-axi. Registers have the
names of hls/seastar/host/seastar.rdl, which scripts/rdl.py --json tells.
"""

import json

from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam, AxiResp

RING, RING_LOG2 = 0x0000, 8  # the driver's ring of entries
EVENTS, EVENTS_LOG2 = 0x8000, 8  # queue 0
LOCAL, RESPONSES, REQUESTS, EVENTS_READ = 0x000, 0x100, 0x200, 0x800  # lines of a page
SEND, DEPOSIT, PUT, GET, ME, MD, EQ, PROCESS = 1, 2, 4, 5, 8, 9, 12, 13
DONE = 5  # kind of an entry


class Registers:
    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.of = {r["name"]: r for r in json.load(file)}

    def at(self, name):
        return 8 * self.of[name]["address"]


class Entry:
    """An entry of the ring."""

    def __init__(self, data):
        self.word = [int.from_bytes(data[8 * w : 8 * w + 8], "little") for w in range(8)]
        last = self.word[7]
        self.status, self.kind, self.stream, self.use = last >> 32 & 15, last >> 48 & 7, last >> 51 & 3, last >> 53 & 15
        self.lap = last >> 57
        self.data = data[48:60]  # of a short message


class Host:
    def __init__(self, number, handle, clk, rst, registers, memory):
        self.number, self.handle, self.clk, self.registers = number, handle, clk, registers
        self.mail = AxiMaster(AxiBus.from_prefix(handle, "s_axi"), clk, rst)
        self.lite = AxiLiteMaster(AxiLiteBus.from_prefix(handle, "s_axil"), clk, rst)
        self.memory = AxiRam(AxiBus.from_prefix(handle, "m_axi"), clk, rst, size=memory)
        self.entries = self.events = 0  # that were read

    async def write(self, name, value):
        answer = await self.lite.write(self.registers.at(name), value.to_bytes(8, "little"))
        assert answer.resp == AxiResp.OKAY, name

    async def read(self, name):
        answer = await self.lite.read(self.registers.at(name), 8)
        assert answer.resp == AxiResp.OKAY, name
        return int.from_bytes(answer.data, "little")

    async def command(self, line, op, words, length=0, ticket=0):
        """One burst; again while its queue is full."""
        words = list(words) + [0] * (7 - len(words)) + [op << 56 | ticket << 40 | length]
        data = b"".join(w.to_bytes(8, "little") for w in words)
        while (await self.mail.write(line, data, size=3)).resp != AxiResp.OKAY:
            await ClockCycles(self.clk, 50)

    async def local(self, op, words, length=0):
        """A local command and the handle that it makes."""
        await self.command(LOCAL, op, words, length, ticket=1)
        for _ in range(200):
            entry = self.entry()
            if entry:
                await self.entries_read()
                assert entry.kind == DONE and entry.status == 0, (op, entry.kind, entry.status)
                return entry.word[1]
            await ClockCycles(self.clk, 20)
        raise AssertionError(f"command {op} is not done")

    def entry(self):
        """The next entry of the ring, if it is there."""
        at = RING + 64 * (self.entries % (1 << RING_LOG2))
        entry = Entry(self.memory.read(at, 64))
        if entry.lap != (self.entries >> RING_LOG2) % 127 + 1:
            return None
        self.entries += 1
        return entry

    async def entries_read(self):
        await self.write("ring_read", self.entries & 0xFFFF)

    def event(self):
        """The next event of queue 0, as eight words."""
        at = EVENTS + 64 * (self.events % (1 << EVENTS_LOG2))
        data = self.memory.read(at, 64)
        words = [int.from_bytes(data[8 * w : 8 * w + 8], "little") for w in range(8)]
        if words[7] >> 40 != (self.events + 1) % (1 << 24):
            return None
        self.events += 1
        return words

    async def events_read(self):
        await self.mail.write(EVENTS_READ, self.events.to_bytes(8, "little"), size=3)

    async def bring_up(self):
        await self.write("node", self.number)
        for node in range(2):
            port = 0 if node == self.number else 1
            await self.write("route_local", 7 | node << 7 | port << 19)
        await self.write("ring_base", RING)
        await self.write("ring_config", 1 | RING_LOG2 << 1)
        await self.write("irq_mask", 0)
