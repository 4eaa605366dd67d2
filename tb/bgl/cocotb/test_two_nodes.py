# SPDX-License-Identifier: Apache-2.0
"""
test_two_nodes.py - a ring of two Blue Gene/L nodes in Verilog; cocotbext-axi plays both cores of each, and the driver of its registers.

The driver writes places and identities; cores inject random packets of all lengths and VCs into all eight FIFOs and read what arrives
off the reception FIFOs. Each packet comes once at the other node, from byte 8 on as it was sent, and a broadcast too; at the end both ends
of each link have the same CRC-32. Prints TAP. Environment: PACKETS, SEED, REGISTERS (scripts/rdl.py --json hls/bgl/host/bgl.rdl).
"""

import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiBurstType, AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiResp

RUN = 4  # enum link_state
UP = 6000  # clocks in which links come up
QUAD = 16  # bytes of a beat
INJECTION, RECEPTION, STATUS = 0x0000, 0x1000, 0x2000
HIGH = (3, 7)  # injection FIFOs of VC 3
AFTER = 400
PATIENCE = 4000  # clocks in which nothing comes until the rest is given up


class Tap:
    def __init__(self):
        self.checks = self.failed = 0

    def ok(self, held, what, why=""):
        self.checks += 1
        self.failed += not held
        print(f"{'ok' if held else 'not ok'} {self.checks} - {what}" + ("" if held else f" # {why}"), flush=True)


class Node:
    def __init__(self, handle, clk, rst):
        self.clk = clk
        self.cores = [AxiMaster(AxiBus.from_prefix(handle, f"core{c}"), clk, rst) for c in range(2)]
        self.regs = AxiLiteMaster(AxiLiteBus.from_prefix(handle, "regs"), clk, rst)
        self.came = []  # packets

    async def write(self, at, value):
        answer = await self.regs.write(at, value.to_bytes(8, "little"))
        assert answer.resp == AxiResp.OKAY, hex(at)

    async def read(self, at):
        answer = await self.regs.read(at, 8)
        assert answer.resp == AxiResp.OKAY, hex(at)
        return int.from_bytes(answer.data, "little")

    async def held(self, core, group):
        """Chunks in each FIFO of a group: r0 to r5, rH, i0 to i2, iH."""
        answer = await self.cores[core].read(STATUS + QUAD * group, QUAD, size=4)
        assert answer.resp == AxiResp.OKAY
        return answer.data

    async def inject(self, core, fifo, packet):
        """One burst, once there is space."""
        while 32 - (await self.held(core, fifo // 4))[7 + fifo % 4] < len(packet) // 32:
            await ClockCycles(self.clk, 20)
        answer = await self.cores[core].write(
            INJECTION + 0x100 * fifo, packet, burst=AxiBurstType.FIXED, size=4
        )
        assert answer.resp == AxiResp.OKAY

    async def receive(self, core):
        """Packets of its group, for ever."""
        while True:
            held = await self.held(core, core)
            for r in (r for r in range(7) if held[r]):
                at = RECEPTION + 0x100 * (8 * core + r)
                head = await self.quads(core, at, 1)
                rest = await self.quads(core, at, 2 * ((head[2] >> 5) + 1) - 1)
                self.came.append((core, r, head + rest))
            await ClockCycles(self.clk, 10)

    async def quads(self, core, at, count):
        answer = await self.cores[core].read(at, QUAD * count, burst=AxiBurstType.FIXED, size=4)
        assert answer.resp == AxiResp.OKAY
        return bytes(answer.data)


class Registers:
    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.rows = {r["name"]: r for r in json.load(file)}

    def at(self, name, index=0, step=0):
        return 8 * self.rows[name]["address"] + index * step


def header(rng, to, chunks, vc, dynamic, group, hints=0, deposit=0):
    """Eight bytes as software writes them; sequence and CRC-8 are anything."""
    return bytes(
        [
            1,  # the whole packet is left out of the checksum
            hints << 2 | deposit << 1 | group,
            chunks - 1 << 5 | rng.randrange(4) << 3 | dynamic << 2 | vc,
            to,
            0,
            0,
            rng.randrange(256),
            rng.randrange(256),
        ]
    )


def new_packet(rng, to, number, fifo):
    chunks, dynamic, group = rng.randrange(1, 9), rng.randrange(2), rng.randrange(2)
    vc = rng.randrange(2) if dynamic else 2
    if fifo in HIGH:
        vc, dynamic = 3, 0
    head = header(rng, to, chunks, vc, dynamic, group)
    return head + number.to_bytes(4, "little") + rng.randbytes(32 * chunks - 12)


async def send(rng, node, to, core, numbers, sent):
    for number in numbers:
        fifo = 4 * core + rng.randrange(4)
        packet = new_packet(rng, to, number, fifo)
        sent[number] = packet
        await node.inject(core, fifo, packet)


async def settled(nodes, wanted):
    """Until so many have come, or nothing has for a while; and a little longer, for what should not."""
    seen, idle = 0, 0
    while seen < wanted and idle < PATIENCE:
        await ClockCycles(nodes[0].clk, 50)
        now = sum(len(node.came) for node in nodes)
        seen, idle = now, 0 if now != seen else idle + 50
    await ClockCycles(nodes[0].clk, AFTER)


def explain(came, sent):
    """Packets that came as they were sent; the first reason why one did not."""
    seen, why = set(), ""
    for core, fifo, packet in came:
        number = int.from_bytes(packet[8:12], "little")
        was = sent.get(number)
        if was is None or number in seen:
            why = why or f"packet {number} twice, or never sent"
        elif packet[8:] != was[8:] or packet[1] & 0xFC or packet[1] & 1 != core or (packet[2] & 3 == 3) != (fifo == 6):
            why = why or f"packet {number} came changed, in FIFO {fifo} of core {core}"
        else:
            seen.add(number)
    return seen, why


async def bring_up(nodes, registers):
    for n, node in enumerate(nodes):
        for name, value in (("identity", n + 1), ("nodes", 1), ("node", n), ("plus", 1 - n), ("minus", 1 - n)):
            await node.write(registers.at(name), value)
        await node.write(registers.at("hint_plus"), 1)
    for _ in range(0, UP, 200):
        states = [await node.read(0x210 + 0x40 * port) & 7 for node in nodes for port in range(2)]
        if all(state == RUN for state in states):
            return True
        await ClockCycles(nodes[0].clk, 200)
    return False


async def check_links(tap, nodes):
    for n, node in enumerate(nodes):
        for port in range(2):
            mine = await node.read(0x218 + 0x40 * port)
            theirs = await nodes[1 - n].read(0x220 + 0x40 * (port ^ 1))
            used = port == n  # hints by hardware: from node 0 plus, from node 1 minus
            tap.ok(
                mine == theirs and (mine != 0xFFFFFFFF) == used,
                f"CRC-32 of both ends, node {n} port {port}",
                f"{mine:x} {theirs:x}",
            )


@cocotb.test()
async def test_two_nodes(dut):
    rng = random.Random(int(os.environ["SEED"]))
    packets = int(os.environ["PACKETS"])
    tap = Tap()
    registers = Registers(os.environ["REGISTERS"])
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    nodes = [Node(handle, dut.clk, dut.rst) for handle in (dut.a, dut.b)]
    await ClockCycles(dut.clk, 10)
    dut.rst.value = 0
    tap.ok(await bring_up(nodes, registers), "both links run, and their registers say so")
    for node in nodes:
        for core in range(2):
            cocotb.start_soon(node.receive(core))
    sent = [{}, {}]  # by node
    share = packets // 4
    senders = [
        cocotb.start_soon(
            send(random.Random(rng.random()), nodes[n], 1 - n, core, range(core * share, (core + 1) * share), sent[n])
        )
        for n in range(2)
        for core in range(2)
    ]
    for sender in senders:
        await with_timeout(sender, 40000 * share, "ns")
    await settled(nodes, sum(map(len, sent)))
    for n in range(2):
        seen, why = explain(nodes[1 - n].came, sent[n])
        tap.ok(not why, f"{len(sent[n])} packets from node {n}: unchanged, once, in their FIFOs", why)
        tap.ok(len(seen) == len(sent[n]), "and all of them", f"{len(seen)} came")
        nodes[1 - n].came.clear()
    packet = header(rng, 1, 4, 2, 0, 1, hints=0x20, deposit=1) + (7).to_bytes(4, "little") + rng.randbytes(116)
    await nodes[0].inject(1, 5, packet)
    await settled(nodes, 1)
    seen, why = explain(nodes[1].came, {7: packet})
    tap.ok(seen == {7} and not why and not nodes[0].came, "a broadcast down the line", why)
    answer = await nodes[0].cores[0].read(RECEPTION, QUAD, size=4)
    tap.ok(answer.resp == AxiResp.SLVERR, "a read of an empty FIFO")
    answer = await nodes[0].cores[1].write(RECEPTION, bytes(QUAD), size=4)
    tap.ok(answer.resp == AxiResp.SLVERR, "a write to a reception FIFO")
    await check_links(tap, nodes)
    print(f"1..{tap.checks}", flush=True)
    assert tap.failed == 0
