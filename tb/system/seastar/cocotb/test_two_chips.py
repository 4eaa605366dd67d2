# SPDX-License-Identifier: Apache-2.0
"""
test_two_chips.py - random puts and gets between two chips of seastar2, in Verilog, their hosts played by cocotbext-axi: OPERATIONS of them in
accelerated mode, where the chips match and tell events, and as many in generic mode, where the hosts answer what stands in their rings.

Each operation has bytes of its own, so at the end both memories are, byte for byte, what the same operations make of them in Python. Prints TAP.
Environment: SEED, OPERATIONS, REGISTERS (scripts/rdl.py --json hls/seastar/host/seastar.rdl).
"""

import os
import random
from collections import Counter

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from host import DEPOSIT, EQ, EVENTS, EVENTS_LOG2, GET, LOCAL, MD, ME, PROCESS, PUT, REQUESTS, RESPONSES, SEND, Host, Registers

MEMORY = 1 << 20
SOURCE, TARGET = 0x40000, 0x80000  # bytes that are sent; bytes that are written
SOURCE_BYTES, SLOT = 0x20000, 512
OPERATIONS = int(os.environ["OPERATIONS"])
FAST, SLOW = 7, 9  # pids: of a process that the chips know, and of one that its host serves
PORTAL, EVER = 5, 0xFFFFFFFF
UP, PATIENCE = 30000, 6000  # clocks: until all is ready; without anything that comes
SHORT = 12
MESSAGE_PUT, MESSAGE_GET, MESSAGE_ACK, MESSAGE_REPLY = 1, 2, 3, 4
HEADER, WHOLE, RECEIVED, SENT, REPLIED = 1, 2, 3, 4, 6  # kinds of entries
EVENT_GET, EVENT_PUT, EVENT_REPLY, EVENT_SEND, EVENT_ACK = 0, 2, 4, 6, 8


class Tap:
    def __init__(self):
        self.checks = self.failed = 0

    def ok(self, held, what, why=""):
        self.checks += 1
        self.failed += not held
        print(f"{'ok' if held else 'not ok'} {self.checks} - {what}" + ("" if held else f" # {why}"), flush=True)


class Operation:
    """A put or get of node n: so many bytes from an offset in SOURCE to one in TARGET."""

    def __init__(self, rng, n, k):
        self.n, self.k = n, k
        self.get, self.ack = rng.random() < 0.4, rng.random() < 0.4
        self.bytes = rng.choice([rng.randrange(14), rng.randrange(80), rng.randrange(SLOT - 64)])
        self.source = rng.randrange(SOURCE_BYTES - SLOT)
        self.target = k * SLOT + rng.randrange(64)

    def apply(self, images):
        """What it does to memories: the bytes go from one node to the other."""
        giver, taker = (1 - self.n, self.n) if self.get else (self.n, 1 - self.n)
        data = images[giver][SOURCE + self.source : SOURCE + self.source + self.bytes]
        images[taker][TARGET + self.target : TARGET + self.target + self.bytes] = data


class Run:
    """Operations of both nodes in one mode, and what their hosts are told of them."""

    def __init__(self, hosts, images, rng, first):
        self.hosts, self.rng = hosts, rng
        self.operations = [Operation(rng, k % 2, first + k) for k in range(OPERATIONS)]
        self.wanted = [Counter(), Counter()]
        self.came = [Counter(), Counter()]
        for o in self.operations:
            o.apply(images)

    def sum(self, counters):
        return sum(sum(c.values()) for c in counters)

    async def finish(self, serve):
        """Until all that is wanted has come, or nothing has for a while."""
        sending = [cocotb.start_soon(self.send(n)) for n in range(2)]
        idle, seen = 0, 0
        while idle < PATIENCE and (self.came != self.wanted or not all(s.done() for s in sending)):
            await ClockCycles(self.hosts[0].clk, 40)
            for n in range(2):
                await serve(n)
            now = self.sum(self.came)
            idle, seen = (0 if now != seen or not all(s.done() for s in sending) else idle + 40), now
        await ClockCycles(self.hosts[0].clk, 500)
        for n in range(2):
            await serve(n)

    async def send(self, n):
        for o in self.operations:
            if o.n == n:
                await self.begin(n, o)
                if self.rng.random() < 0.2:
                    await ClockCycles(self.hosts[0].clk, self.rng.randrange(300))


class Accelerated(Run):
    def __init__(self, *args):
        super().__init__(*args)
        for o in self.operations:
            mine = (EVENT_REPLY, EVENT_REPLY + 1) if o.get else (EVENT_SEND, EVENT_SEND + 1)
            for kind in mine + ((EVENT_ACK,) if o.ack and not o.get else ()):
                self.wanted[o.n][kind, o.bytes] += 1
            for kind in (EVENT_GET, EVENT_GET + 1) if o.get else (EVENT_PUT, EVENT_PUT + 1):
                self.wanted[1 - o.n][kind, o.bytes] += 1

    async def set_up(self):
        """A process, a queue, entries 1 and 2 for puts and gets, descriptors 3 and 4 for what is sent and got."""
        for host in self.hosts:
            await host.local(EQ, [EVENTS_LOG2 - 1 << 12, EVENTS])
            await host.local(PROCESS, [FAST << 4 | 1 << 20 | 1 << 21, 1])
            for index in (1, 2):
                await host.local(ME, [index | PORTAL << 12 | 1 << 22, index, 0, 1 << 15 | 7 << 32])
            for index, options, of_entry, at in ((1, 5, 1, TARGET), (2, 6, 1, SOURCE), (3, 0, 0, SOURCE), (4, 0, 0, TARGET)):
                words = [index | options << 12 | of_entry << 24 | 1 << 33, at, 0, EVER]
                await host.local(MD, words, MEMORY - TARGET)

    async def begin(self, n, o):
        remote, local = (o.source, o.target) if o.get else (o.target, o.source)
        first = (4 if o.get else 3) | FAST << 16 | 1 - n << 32 | PORTAL << 47 | (o.ack and not o.get) << 56
        words = [first, 2 if o.get else 1, o.k, remote, local]
        await self.hosts[n].command(REQUESTS, GET if o.get else PUT, words, o.bytes)

    async def serve(self, n):
        before = self.hosts[n].events
        while words := self.hosts[n].event():
            good = words[0] >> 4 & 15 == 0 and words[6] == words[5]
            self.came[n][(words[0] & 15, words[5]) if good else ("bad", words[0])] += 1
        if self.hosts[n].events != before:
            await self.hosts[n].events_read()


class Generic(Run):
    def __init__(self, *args):
        super().__init__(*args)
        self.waits = [{}, {}]  # messages whose data come, by {key, use}
        for o in self.operations:
            self.wanted[o.n][REPLIED if o.get else SENT, o.bytes if o.get else 0] += 1
            if o.ack and not o.get:
                self.wanted[o.n][MESSAGE_ACK, "ack"] += 1
            self.wanted[1 - o.n]["request", o.bytes] += 1
            if not o.get and o.bytes > SHORT:
                self.wanted[1 - o.n][RECEIVED, o.bytes] += 1

    async def begin(self, n, o):
        op = MESSAGE_GET if o.get else MESSAGE_PUT
        ack = o.ack and not o.get
        first = op | ack << 4 | PORTAL << 8 | SLOW << 16 | SLOW << 32 | (0 if o.get else 77 << 48)
        at, offset = (TARGET + o.target, o.source) if o.get else (SOURCE + o.source, o.target)
        words = [first, o.k, 0, o.bytes, offset, 0, at | 1 - n << 49]
        await self.hosts[n].command(REQUESTS, SEND, words, o.bytes, ticket=1)

    async def answer(self, n, entry, op, length, at=0):
        """An ack or a reply to what an entry says."""
        tag, to = entry.word[0] >> 48, entry.word[3] >> 40 & 0x7FFF
        words = [op | SLOW << 16 | SLOW << 32 | tag << 48, entry.word[1], 0, length, 0, 0, at | to << 49]
        await self.hosts[n].command(RESPONSES, SEND, words, length if op == MESSAGE_REPLY else 0)

    async def take(self, n, entry):
        op, length = entry.word[0] & 15, entry.word[3] & (1 << 40) - 1
        offset = entry.word[4] & (1 << 40) - 1
        host = self.hosts[n]
        if entry.kind in (HEADER, WHOLE) and op == MESSAGE_ACK:
            self.came[n][MESSAGE_ACK, "ack" if entry.word[0] >> 48 == 77 else "bad"] += 1
        elif entry.kind in (HEADER, WHOLE):
            self.came[n]["request", length] += 1
            if op == MESSAGE_GET:
                await self.answer(n, entry, MESSAGE_REPLY, length, SOURCE + offset)
            elif entry.kind == WHOLE:
                host.memory.write(TARGET + offset, entry.data[:length])
                if entry.word[0] >> 4 & 1:
                    await self.answer(n, entry, MESSAGE_ACK, length)
            else:
                key = (entry.word[3] >> 40 & 0x7FFF) << 2 | entry.stream
                self.waits[n][key, entry.use] = entry
                await host.command(LOCAL, DEPOSIT, [TARGET + offset, key | entry.use << 18], length)
        elif entry.kind == RECEIVED:
            header = self.waits[n].pop((entry.word[0], entry.use))
            self.came[n][RECEIVED, entry.word[1] if entry.status == 0 else "bad"] += 1
            if header.word[0] >> 4 & 1:
                await self.answer(n, header, MESSAGE_ACK, entry.word[1])
        else:
            size = entry.word[1] if entry.kind == REPLIED else 0
            self.came[n][entry.kind, size if entry.status == 0 else "bad"] += 1

    async def serve(self, n):
        before = self.hosts[n].entries
        while entry := self.hosts[n].entry():
            await self.take(n, entry)
        if self.hosts[n].entries != before:
            await self.hosts[n].entries_read()


def pauses(rng, chance):
    while True:
        yield rng.random() < chance


def make_slow(host, rng):
    """A memory that is not always ready."""
    write, read = host.memory.write_if, host.memory.read_if
    for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
        channel.set_pause_generator(pauses(random.Random(rng.random()), 0.1))


async def ready(hosts):
    for _ in range(0, UP, 200):
        if all([await host.read("status") == 3 for host in hosts]):
            return True
        await ClockCycles(hosts[0].clk, 200)
    return False


def compare(tap, hosts, images, mode):
    for n, host in enumerate(hosts):
        memory = bytes(host.memory.read(SOURCE, MEMORY - SOURCE))
        wrong = [k for k in range(len(memory)) if memory[k] != images[n][SOURCE + k]]
        tap.ok(not wrong, f"{mode}, chip {n}: every byte of its memory", f"{len(wrong)} are wrong, from {SOURCE + (wrong or [0])[0]:x} on")


@cocotb.test()
async def two_chips(dut):
    rng, tap = random.Random(int(os.environ["SEED"])), Tap()
    registers = Registers(os.environ["REGISTERS"])
    assert 2 * OPERATIONS * SLOT <= MEMORY - TARGET, "so many operations have no room"
    await ClockCycles(dut.clk, 4)
    hosts = [Host(n, h, dut.clk, dut.rst, registers, MEMORY) for n, h in enumerate((dut.a, dut.b))]
    images = [bytearray(rng.randbytes(MEMORY)) for _ in hosts]
    for host, image in zip(hosts, images):
        image[:SOURCE] = bytes(SOURCE)
        host.memory.write(0, bytes(image))
        make_slow(host, rng)
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    tap.ok(await ready(hosts), "scratch memories are wiped")
    for host in hosts:
        await host.bring_up()
    for first, kind in ((0, Accelerated), (OPERATIONS, Generic)):
        run, mode = kind(hosts, images, rng, first), kind.__name__.lower()
        if kind is Accelerated:
            await run.set_up()
        await run.finish(run.serve)
        for n in range(2):
            missing, other = run.wanted[n] - run.came[n], run.came[n] - run.wanted[n]
            what = f"{mode}, chip {n}: {sum(run.came[n].values())} events or entries, each once"
            tap.ok(not missing and not other, what, f"missing {missing.most_common(3)}, others {other.most_common(3)}")
        compare(tap, hosts, images, mode)
    idle = [await host.read("status") == 3 and host.handle.irq.value == 0 for host in hosts]
    tap.ok(all(idle), "both are idle, without an interrupt")
    print(f"1..{tap.checks}", flush=True)
    assert tap.failed == 0
