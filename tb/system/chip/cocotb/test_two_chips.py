# SPDX-License-Identifier: Apache-2.0
"""
test_two_chips.py - random puts and gets between two chips of proto, in Verilog, their hosts played by cocotbext-axi.

Four processes on each node put, get and send messages to each other in transactions of a few operations; some break a
rule of protection. Each operation has bytes of its own, so at the end both memories must be, byte for byte, what
Image made of the same operations; each event must have come once, in a ring. Prints TAP. Environment: SEED,
OPERATIONS, REGISTERS (JSON by scripts/rdl.py), TABLES (build/bin/chip-tables).
"""

import os
import random
from collections import Counter

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb.utils import get_sim_time

from nic import GLOBAL_BITS, WORD_BASE, WORD_CLOSE, WORD_EVENT, WORD_MODES, WORD_OPEN, Node, Registers, global_offset

MEMORY = 1 << 22
PROCESSES = 4
SHARE = MEMORY // PROCESSES  # of a process
RING_LOG2 = 7
RING_AT = 0x1000
SLOT = 128  # bytes that one operation has for itself
# segments of a process: read and write; read only; a handle that names none
OPEN, SOURCE, NONE, HANDLES = 0, 1, 2, 3
SEGMENT_AT = {OPEN: 0x40000, SOURCE: 0x10000}
LENGTH = {OPEN: 0x80000, SOURCE: 0x10000}
MOST_OPERATIONS = LENGTH[OPEN] // SLOT

OPERATIONS = int(os.environ["OPERATIONS"])
LIMIT = 6  # transactions of a process in flight
MOST = 6  # operations of a transaction
STORES = 40  # of a node in flight, about
ILLEGAL = 0.03
OURS = 3  # our group: `global` of both routers
UP = 30000  # clocks within which links and NICs come up
PATIENCE = 20000  # clocks without an event until the rest is given up
RUN = 4  # enum link_state

LOCAL, GLOBAL, MESSAGE = 1, 3, 5  # sources of events
OK, MDD, PROTECTION, BOUNDS = 0, 5, 6, 7  # statuses


class Tap:
    def __init__(self):
        self.count = 0

    def ok(self, passed, name, why=""):
        self.count += 1
        print(f"{'ok' if passed else 'not ok'} {self.count} - {name}" + ("" if passed else f" # {why}"), flush=True)

    def note(self, text):
        print(f"# {text}", flush=True)


class Image:
    """What a node's memory must be, and the events that its rings must bring."""

    def __init__(self, rng):
        self.bytes = bytearray(rng.randbytes(MEMORY))
        self.wanted = [Counter() for _ in range(PROCESSES)]
        for i in range(PROCESSES):
            self.bytes[ring_at(i) : ring_at(i) + (8 << RING_LOG2)] = bytes(8 << RING_LOG2)

    def put(self, process, offset, data):
        at = segment_at(process, OPEN) + offset
        self.bytes[at : at + len(data)] = data

    def get(self, process, offset, count):
        at = segment_at(process, SOURCE) + offset
        return self.bytes[at : at + count]


def ring_at(process):
    return process * SHARE + RING_AT


def segment_at(process, kind):
    return process * SHARE + SEGMENT_AT[kind] + process * 7 % 16  # segments are byte exact


def event_word(status, source, data):
    return status << 59 | source << 56 | data


# ---- programs -----------------------------------------------------------------------------------------


class Program:
    """Processes of both nodes: what they store, and what must come of it."""

    def __init__(self, nodes, images, rng, operations):
        self.nodes, self.images, self.rng = nodes, images, rng
        self.left = operations
        self.tag = 0
        self.slots = [0] * PROCESSES  # given away
        self.in_flight = {(n, i): 0 for n in range(2) for i in range(PROCESSES)}
        self.read = dict.fromkeys(self.in_flight, 0)  # entries of a ring
        self.seen = 0
        self.unwanted = []
        self.count = Counter()

    def new_tag(self):
        self.tag += 1
        return self.tag

    def slot(self, i):
        """Offset in OPEN of bytes that no other operation touches, on neither node."""
        self.slots[i] += 1
        return (self.slots[i] - 1) * SLOT

    def modes(self, n, i, handle, pe_mode, *, message=False, flagged=False):
        value = handle | (HANDLES * i + OPEN) << 12 | pe_mode << 24 | self.rng.randrange(7) << 27 | i << 30
        self.nodes[n].store_word(i, WORD_MODES, value | message << 40 | flagged << 47)

    def aim(self, n, i, where, low, low_bits, step):
        """BASE so that a window offset means this global offset; that window offset."""
        window = self.rng.randrange(1 << self.nodes[n].window_log2) >> low_bits << low_bits | low
        if window // step > where:
            window = low
        self.nodes[n].store_word(i, WORD_BASE, (where - window // step) % (1 << GLOBAL_BITS))
        return window

    def put(self, n, i, handle, offset, data, event=None):
        """A put of 1 to 64 bytes, or a message."""
        to, pe_mode = self.rng.randrange(2), self.rng.randrange(8)
        where = global_offset(pe_mode, address_of(to), offset)
        self.modes(n, i, handle, pe_mode, message=event is not None)
        if event is not None:
            self.nodes[n].store_word(i, WORD_EVENT, event)
        if event is None and len(data) == 8 and self.rng.random() < 0.5:
            self.count["launches"] += 1
            self.nodes[n].store_launch(i, where, int.from_bytes(data, "little"))
        else:
            first = min(self.rng.randrange(65 - len(data)), where)
            self.nodes[n].store_put(i, self.aim(n, i, where, first, 6, 1), data)
        return to

    def legal_put(self, n, i, message):
        count = self.rng.choice([8, self.rng.randrange(1, 57 if message else 65)])
        data = self.rng.randbytes(count)
        event = self.new_tag() if message else None
        offset = self.slot(i) + self.rng.randrange(SLOT - 64)
        to = self.put(n, i, HANDLES * i + OPEN, offset, data, event)
        self.images[to].put(i, offset, data)
        if message:
            self.images[to].wanted[i][event_word(OK, MESSAGE, event)] += 1
        self.count["messages" if message else "puts"] += 1

    def legal_get(self, n, i):
        flagged = self.rng.random() < 0.25
        count = 4 * self.rng.randrange(1, 16 if flagged else 17)
        to, pe_mode = self.rng.randrange(2), self.rng.randrange(8)
        offset = 4 * self.rng.randrange((LENGTH[SOURCE] - 64) // 4)
        local = self.slot(i) + 4 * self.rng.randrange((SLOT - 68) // 4)
        where = global_offset(pe_mode, address_of(to), offset)
        self.modes(n, i, HANDLES * i + SOURCE, pe_mode, flagged=flagged)
        self.nodes[n].store_get(i, self.aim(n, i, where, 0, 3, 2), local, count, flagged)
        self.images[n].put(i, local, self.images[to].get(i, offset, count))
        if flagged:
            self.images[n].put(i, local + count, (OK << 4 | 1).to_bytes(4, "little"))
        self.count["gets, flagged" if flagged else "gets"] += 1

    def illegal_put(self, n, i):
        """Touches nothing; the status that its transaction ends with."""
        other = (i + 1) % PROCESSES
        handle, offset, status = self.rng.choice(
            [
                (HANDLES * i + NONE, 0, MDD),
                (HANDLES * i + SOURCE, 64, PROTECTION),
                (HANDLES * other + OPEN, 64, PROTECTION),
                (HANDLES * i + OPEN, LENGTH[OPEN] - 30, BOUNDS),
            ]
        )
        self.put(n, i, handle, offset, self.rng.randbytes(self.rng.randrange(31, 65)))
        self.count["refused"] += 1
        return status

    def transaction(self, n, i):
        node, status = self.nodes[n], OK
        node.store_word(i, WORD_OPEN, 0)
        count = min(self.left, self.rng.randrange(1, MOST + 1))
        for _ in range(count):
            if status == OK and self.rng.random() < ILLEGAL:
                status = self.illegal_put(n, i)
            elif self.rng.random() < 0.5:
                self.legal_get(n, i)
            else:
                self.legal_put(n, i, self.rng.random() < 0.2)
        event = self.new_tag()
        local = status == OK and self.rng.random() < 0.3
        node.store_word(i, WORD_CLOSE, event | local << 56 | 1 << 57)
        self.images[n].wanted[i][event_word(status, GLOBAL, event)] += 1
        if local:
            self.images[n].wanted[i][event_word(OK, LOCAL, event)] += 1
        self.left -= count
        self.in_flight[n, i] += 1
        self.count["transactions"] += 1

    async def process(self, n, i):
        while self.left > 0:
            if self.in_flight[n, i] < LIMIT:
                self.transaction(n, i)
            if len(self.nodes[n].stores) > STORES:
                await self.nodes[n].settle()
            await ClockCycles(self.nodes[n].clk, 20)

    def read_ring(self, n, i):
        memory, wanted = self.nodes[n].memory, self.images[n].wanted[i]
        while True:
            at = ring_at(i) + 8 * (self.read[n, i] % (1 << RING_LOG2))
            word = int.from_bytes(memory.read(at, 8), "little")
            if word == 0:
                return
            memory.write(at, bytes(8))
            self.read[n, i] += 1
            self.seen += 1
            if wanted[word] == 0:
                self.unwanted.append(f"{self.nodes[n].name}, queue {i}: {word:016x}")
            else:
                wanted[word] -= 1
            if word >> 56 & 7 == GLOBAL:
                self.in_flight[n, i] -= 1
            if self.read[n, i] % 8 == 0:
                self.nodes[n].store_read_index(i, self.read[n, i])

    def waiting(self):
        return sum(sum(w.values()) for image in self.images for w in image.wanted)

    async def run(self, clk):
        """Until all has been posted and all events have come, or none comes any more."""
        processes = [cocotb.start_soon(self.process(n, i)) for n, i in self.in_flight]
        idle, seen = 0, 0
        while (self.left > 0 or self.waiting() > 0) and idle < PATIENCE and not self.unwanted:
            await ClockCycles(clk, 50)
            for n, i in self.in_flight:
                self.read_ring(n, i)
            idle = idle + 50 if self.seen == seen else 0
            seen = self.seen
        for process in processes:
            process.cancel()


def address_of(n):
    """{global, local, sub} of the NIC of a chip."""
    return OURS << 10 | n << 2


# ---- begin and end ------------------------------------------------------------------------------------


def clock():
    """Now; a clock of two_chips.v is 10 ns."""
    return int(get_sim_time("ns")) // 10


async def write_tables(nodes, path):
    with open(path, encoding="ascii") as file:
        for line in file:
            chip, address, data = line.split()
            await nodes[int(chip)].router_write(int(address, 16), int(data, 16))


async def bring_up(dut, nodes):
    """Whether links and NICs came."""
    for _ in range(0, UP, 100):
        links = all(int(s.value) >> 3 * k & 7 == RUN for s in (dut.state_a, dut.state_b) for k in range(2))
        if links and all([await node.read("status", "ready") for node in nodes]):
            return True
        await ClockCycles(dut.clk, 100)
    return False


async def configure(n, node):
    node.window_log2 = node.region_log2 - await node.read("id", "fma")
    await node.write("node", node=address_of(n))
    await node.write("phys_size", size=MEMORY)
    for i in range(PROCESSES):
        for kind in (OPEN, SOURCE):
            handle = HANDLES * i + kind
            await node.write(
                "mdd", handle, base=segment_at(i, kind), read=1, write=kind == OPEN, event=1, valid=1
            )
            await node.write("mdd", handle, 1, length=LENGTH[kind], ptag=i + 1, queue=i)
        await node.write("cq", i, address=ring_at(i))
        await node.write("cq", i, 1, enable=1, log2=RING_LOG2, ptag=i + 1, irq=i, threshold=1)
        await node.write("fma", i, ptag=i + 1, limit=LIMIT, enable=1)
    await node.write("irq_mask", queues=(1 << PROCESSES) - 1)
    await node.write("control", enable=1)


def pauses(rng, chance):
    while True:
        yield rng.random() < chance


def make_slow(node, rng):
    """A host whose memory is not always ready."""
    write, read = node.memory.write_if, node.memory.read_if
    for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
        channel.set_pause_generator(pauses(random.Random(rng.random()), 0.2))


def compare(node, image):
    """Bytes that differ; where the first one is."""
    memory = bytes(node.memory.read(0, MEMORY))
    if memory == bytes(image.bytes):
        return 0, ""
    wrong = [k for k in range(MEMORY) if memory[k] != image.bytes[k]]
    return len(wrong), f"first at {wrong[0]:06x}: {memory[wrong[0]]:02x}, not {image.bytes[wrong[0]]:02x}"


async def drained(node):
    for _ in range(50):
        if await node.read("status", "drained"):
            return True
        await ClockCycles(node.clk, 100)
    return False


async def check_node(tap, program, n):
    node, image = program.nodes[n], program.images[n]
    for i in range(PROCESSES):
        node.store_read_index(i, program.read[n, i])
    await node.settle()
    tap.ok(node.refused == 0, f"{node.name}: all stores are answered OKAY", f"{node.refused} are not")
    tap.ok(await drained(node), f"{node.name}: is drained", "something is outstanding after 5000 clocks")
    wrong, where = compare(node, image)
    tap.ok(wrong == 0, f"{node.name}: memory is as it must be", f"{wrong} bytes are not, {where}")
    words = [await node.status(i) for i in range(PROCESSES)]
    tap.ok(not any(words), f"{node.name}: descriptors show nothing in flight and no error", f"STATUS {words}")
    pending = await node.read("irq_pending", "queues")
    irq = node.handle.irq.value == 1
    await node.write("irq_pending", queues=pending)
    await ClockCycles(node.clk, 100)
    after = await node.read("irq_pending", "queues")
    tap.ok(
        irq and pending == (1 << PROCESSES) - 1 and after == 0 and node.handle.irq.value == 0,
        f"{node.name}: each queue has raised its interrupt, and none does when all is read",
        f"irq {irq}, pending {pending:x}, after clearing it {after:x}",
    )


async def check_counters(tap, program):
    """What the NICs have counted, of both nodes together."""
    sent = program.count
    operations = sum(sent[k] for k in ("puts", "messages", "gets", "gets, flagged", "refused"))
    for counter, wanted in (("ssid_opened", sent["transactions"]), ("orb_requests", operations)):
        counted = sum([await node.read(counter, "count") for node in program.nodes])
        tap.ok(counted == wanted, f"counter {counter}: {wanted}", f"{counted}")
    counted = 0
    for counter in ("rat_mdd", "rat_protection", "rat_bounds"):
        counted += sum([await node.read(counter, "count") for node in program.nodes])
    tap.ok(counted == sent["refused"], f"counters of violations: {sent['refused']}", f"{counted}")


@cocotb.test(timeout_time=10 * (UP + 2 * PATIENCE + 30 * OPERATIONS), timeout_unit="ns")
async def two_chips(dut):
    seed = int(os.environ["SEED"])
    tap, rng = Tap(), random.Random(seed)
    tap.note(f"seed {seed}, {OPERATIONS} operations")
    assert OPERATIONS <= MOST_OPERATIONS, f"OPERATIONS is at most {MOST_OPERATIONS}"
    await ClockCycles(dut.clk, 4)  # of reset: models of cocotbext-axi do not take unknown signals
    registers = Registers(os.environ["REGISTERS"])
    nodes = [Node(name, h, dut.clk, dut.rst, registers, MEMORY) for name, h in (("chip 0", dut.a), ("chip 1", dut.b))]
    images = [Image(rng) for _ in nodes]
    for node, image in zip(nodes, images):
        node.memory.write(0, bytes(image.bytes))
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    await write_tables(nodes, os.environ["TABLES"])
    up = await bring_up(dut, nodes)
    tap.ok(up, f"links run and NICs are ready, clock {clock()}", f"not within {UP} clocks")
    assert up
    for n, node in enumerate(nodes):
        await configure(n, node)
        make_slow(node, rng)

    program = Program(nodes, images, rng, OPERATIONS)
    begin = clock()
    await program.run(dut.clk)
    tap.note(", ".join(f"{number} {what}" for what, number in sorted(program.count.items())))
    tap.note(f"{program.seen} events in {clock() - begin} clocks")
    missing = [f"{n}: {w:016x}" for n in range(2) for c in images[n].wanted for w, k in c.items() if k > 0]
    why = f"{program.left} operations not posted; {len(missing)} events missing, first {missing[:1]}"
    tap.ok(
        not program.unwanted and not missing and program.left == 0,
        f"events: {program.seen}, each once, with its status",
        f"{why}; unwanted {program.unwanted[:1]}",
    )
    for n in range(2):
        await check_node(tap, program, n)
    await check_counters(tap, program)
    print(f"1..{tap.count}", flush=True)
