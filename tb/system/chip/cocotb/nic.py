# SPDX-License-Identifier: Apache-2.0
"""
nic.py - a chip's host in cocotb: AXI4 stores into pages and windows, AXI4-Lite registers, memory behind AXI4, all three
by cocotbext-axi; the router's configuration bus.

Registers have the names of hls/nic/regs/nic.rdl, which scripts/rdl.py --json tells; pages and windows are those of
hls/nic/pio.h and nic_fma.h.
"""

import json

from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam, AxiResp

PAGE_LOG2 = 12
QUEUE, PUT, GET = 1, 2, 3  # regions; 0: pages of descriptors
WORD_BASE, WORD_MODES, WORD_EVENT, WORD_OPEN, WORD_CLOSE, WORD_STATUS, WORD_LAUNCH = 0, 1, 5, 8, 13, 16, 24

# The place of the PE in a global offset, by PE mask mode
PE_SHIFT = [40, 35, 21, 12, 10, 9, 8, 6]
PE_BITS = 18
GLOBAL_BITS = 58


class Registers:
    """Byte addresses and fields by name; word is that of an entry of two words."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.of = {(r["name"], r["word"]): r for r in json.load(file)}

    def address(self, name, index=0, word=0):
        r = self.of[name, word]
        return 8 * (r["address"] + index * r["step"])

    def pack(self, name, word=0, **fields):
        places = {f["name"]: f for f in self.of[name, word]["fields"]}
        value = 0
        for field, number in fields.items():
            assert 0 <= number < 1 << places[field]["bits"], f"{name}.{field} = {number}"
            value |= number << places[field]["low"]
        return value

    def field(self, name, field, value):
        (f,) = (f for f in self.of[name, 0]["fields"] if f["name"] == field)
        return value >> f["low"] & ((1 << f["bits"]) - 1)


def global_offset(mode, pe, offset):
    s = PE_SHIFT[mode]
    return offset >> s << (s + PE_BITS) | pe << s | (offset & ((1 << s) - 1))


class Node:
    """One chip with one NIC."""

    def __init__(self, name, handle, clk, rst, registers, memory):
        self.name, self.handle, self.clk, self.registers = name, handle, clk, registers
        self.door = AxiMaster(AxiBus.from_prefix(handle, "s_axi"), clk, rst)
        self.lite = AxiLiteMaster(AxiLiteBus.from_prefix(handle, "s_axil"), clk, rst)
        self.memory = AxiRam(AxiBus.from_prefix(handle, "m_axi"), clk, rst, size=memory)
        self.region_log2 = len(handle.s_axi_awaddr) - 2
        self.window_log2 = None  # known when the NIC has said how many descriptors it has
        self.stores = []  # not yet looked at
        self.refused = 0  # stores that were not answered OKAY

    # ---- registers ----

    async def write(self, name, index=0, word=0, **fields):
        data = self.registers.pack(name, word, **fields)
        answer = await self.lite.write(self.registers.address(name, index, word), data.to_bytes(8, "little"))
        assert answer.resp == AxiResp.OKAY, f"{self.name}: write of {name} is answered {answer.resp!r}"

    async def read(self, name, field):
        answer = await self.lite.read(self.registers.address(name), 8)
        assert answer.resp == AxiResp.OKAY, f"{self.name}: read of {name} is answered {answer.resp!r}"
        return self.registers.field(name, field, int.from_bytes(answer.data, "little"))

    async def router_write(self, address, data):
        """On the configuration bus of the router."""
        h = self.handle
        h.bus_valid.value, h.bus_write.value = 1, 1
        h.bus_addr.value, h.bus_wdata.value = address, data
        await RisingEdge(self.clk)
        for _ in range(100):
            await RisingEdge(self.clk)
            if h.bus_ready.value == 1:
                break
        h.bus_valid.value = 0
        await RisingEdge(self.clk)

    # ---- stores of processes: nothing waits, they go out in this order ----

    def store(self, address, data):
        self.stores.append(self.door.init_write(address, data))

    def store_word(self, descriptor, word, value):
        self.store(descriptor << PAGE_LOG2 | word << 3, value.to_bytes(8, "little"))

    def store_launch(self, descriptor, where, value):
        """A put of 8 bytes to a global offset."""
        data = where.to_bytes(8, "little") + value.to_bytes(8, "little")
        self.store(descriptor << PAGE_LOG2 | WORD_LAUNCH << 3, data)

    def window(self, region, descriptor, offset):
        return region << self.region_log2 | descriptor << self.window_log2 | offset

    def store_put(self, descriptor, offset, data):
        """Not over a line of 64 bytes."""
        self.store(self.window(PUT, descriptor, offset), data)

    def store_get(self, descriptor, offset, local_offset, count, flagged):
        """count bytes, a multiple of 4."""
        control = local_offset | (count // 4 - 1) << 40 | flagged << 51
        self.store(self.window(GET, descriptor, offset), control.to_bytes(8, "little"))

    def store_read_index(self, queue, index):
        self.store(QUEUE << self.region_log2 | queue << PAGE_LOG2, index.to_bytes(8, "little"))

    async def settle(self):
        """All stores so far are answered."""
        stores, self.stores = self.stores, []
        for store in stores:
            await store.wait()
            self.refused += store.data.resp != AxiResp.OKAY

    async def status(self, descriptor):
        """Word STATUS of a descriptor's page."""
        answer = await self.door.read(descriptor << PAGE_LOG2 | WORD_STATUS << 3, 8, size=3)
        assert answer.resp == AxiResp.OKAY, f"{self.name}: read of STATUS is answered {answer.resp!r}"
        return int.from_bytes(answer.data, "little")
