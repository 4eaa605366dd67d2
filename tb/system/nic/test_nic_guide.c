// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_guide.c - the programs of hls/nic/PROGRAMMING.md and hls/nic/bte/PROGRAMMING.md, between two nodes. What stands here between "guide" and
 * "end of the guide" is what those pages print (scripts/test/test-readme.sh compares them); what is behind runs it.
 *
 * Built for proto: san.
 */
#include "tb/system/nic/nic_channel.h"

#include <string.h>

static struct misses missed; /* by the check that comes next */

/* ---- what a platform has: registers, the NIC's pages, memory ------------------------------------- */

struct machine {
    struct nic_bench *b;
    unsigned node;
};

static void reg_write(struct machine *m, unsigned reg, uint64_t value)
{
    nic_bench_write(m->b, m->node, (uint16_t)reg, value);
}

static uint64_t reg_read(struct machine *m, unsigned reg)
{
    return nic_bench_read(m->b, m->node, (uint16_t)reg);
}

/* n bytes at once, at most to the end of the 64 that they begin in. */
static void store_bytes(struct machine *m, uint64_t at, const void *data, unsigned n)
{
    struct driver_burst burst = {.address = at & ~(uint64_t)15};
    unsigned first = (unsigned)(at & 15);

    burst.beats = (first + n + 15) / 16;
    memcpy(burst.data + first, data, n);
    burst.strobes = (n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1) << first;
    driver_burst(&m->b->node[m->node].driver, &burst);
}

static void store(struct machine *m, uint64_t at, uint64_t value)
{
    store_bytes(m, at, &value, 8);
}

static uint64_t load(struct machine *m, uint64_t at)
{
    driver_burst(&m->b->node[m->node].driver,
                 &(struct driver_burst){.read = true, .address = at, .beats = 1});
    nic_bench_settle_driver(m->b, m->node);
    return m->b->node[m->node].driver.answer;
}

static uint64_t memory_read(struct machine *m, uint64_t at)
{
    uint64_t value;

    nic_bench_clock(m->b);
    memcpy(&value, host_memory(m->b->node[m->node].host) + at, 8);
    return value;
}

static void memory_write(struct machine *m, uint64_t at, uint64_t value)
{
    memcpy(host_memory(m->b->node[m->node].host) + at, &value, 8);
}

/* ---- guide -------------------------------------------------------------------------------------------- */

/* Words of a descriptor's page, in bytes. */
enum {
    BASE = 0x00,
    MODES = 0x08,
    EVENT = 0x28,
    OPERAND = 0x30,
    OPEN = 0x40,
    CQWRITE = 0x48,
    CLOSE = 0x68,
    STATUS = 0x80
};

#define REGION ((uint64_t)1 << (NIC_FMA_LOG2 + NIC_WINDOW_LOG2))

static uint64_t page(unsigned descriptor)
{
    return (uint64_t)descriptor << 12;
}

static uint64_t queue_page(unsigned queue)
{
    return REGION + ((uint64_t)queue << 12);
}

static uint64_t put_window(unsigned descriptor)
{
    return 2 * REGION + ((uint64_t)descriptor << NIC_WINDOW_LOG2);
}

static uint64_t get_window(unsigned descriptor)
{
    return 3 * REGION + ((uint64_t)descriptor << NIC_WINDOW_LOG2);
}

/* The driver, once after reset: memory has so many bytes, from address 0 on. */
static void start_nic(struct machine *m, uint32_t node, uint64_t memory)
{
    while ((reg_read(m, NR_STATUS) >> NR_STATUS_READY_AT & 1) == 0) {
    }
    reg_write(m, NR_NODE, node);
    reg_write(m, NR_ORB_EPOCH, 100000);
    reg_write(m, NR_PHYS_BASE, 0);
    reg_write(m, NR_PHYS_SIZE, memory);
    reg_write(m, NR_CONTROL, 1 << NR_CONTROL_ENABLE_AT);
}

/* A memory descriptor: other nodes and this one may read and write, and do atomic operations. */
static void set_segment(struct machine *m, unsigned mdh, uint64_t base, uint64_t length,
                        unsigned ptag, unsigned queue)
{
    unsigned at = NR_MDD + mdh * NR_MDD_STEP;

    reg_write(m, at,
              base | (uint64_t)1 << NR_MDD_READ_AT | (uint64_t)1 << NR_MDD_WRITE_AT |
                  (uint64_t)1 << NR_MDD_ATOMIC_AT | (uint64_t)1 << NR_MDD_EVENT_AT |
                  (uint64_t)1 << NR_MDD_VALID_AT);
    reg_write(m, at + 1,
              length | (uint64_t)ptag << NR_MDD1_PTAG_AT | (uint64_t)queue << NR_MDD1_QUEUE_AT);
}

/* A queue of 2^log2 events; its ring is zeroed. */
static void set_queue(struct machine *m, unsigned queue, uint64_t ring, unsigned log2,
                      unsigned ptag)
{
    unsigned at = NR_CQ + queue * NR_CQ_STEP;

    for (uint64_t i = 0; i < (uint64_t)1 << log2; i++) {
        memory_write(m, ring + 8 * i, 0);
    }
    reg_write(m, at, ring);
    reg_write(m, at + 1,
              (uint64_t)1 << NR_CQ1_ENABLE_AT | (uint64_t)log2 << NR_CQ1_LOG2_AT |
                  (uint64_t)ptag << NR_CQ1_PTAG_AT);
}

/* A descriptor: its transactions, and its requests outstanding, have limits; it may launch in channel 0. */
static void set_descriptor(struct machine *m, unsigned descriptor, unsigned ptag,
                           unsigned transactions, unsigned requests)
{
    unsigned at = NR_FMA + descriptor * NR_FMA_STEP;

    reg_write(m, at, 0);
    reg_write(m, at + 1, (uint64_t)requests << NR_FMA1_REQUESTS_AT);
    reg_write(m, at,
              (uint64_t)ptag << NR_FMA_PTAG_AT | (uint64_t)transactions << NR_FMA_LIMIT_AT |
                  (uint64_t)1 << NR_FMA_CHANNELS_AT | (uint64_t)1 << NR_FMA_ENABLE_AT);
}

/* A transaction begins: target, source, command of stores into the put window (0 PUT, 1 PUT_MSG, else an opcode). */
static void begin(struct machine *m, unsigned descriptor, uint32_t node, unsigned mdh,
                  unsigned local_mdh, unsigned queue, unsigned command)
{
    store(m, page(descriptor) + MODES,
          mdh | (uint64_t)local_mdh << 12 | (uint64_t)queue << 30 | (uint64_t)command << 40);
    store(m, page(descriptor) + BASE, (uint64_t)node << 40);
    store(m, page(descriptor) + OPEN, 0);
}

/* A transaction closes; its global event, with this tag of 56 bits, comes when all is done at the target. */
static void finish(struct machine *m, unsigned descriptor, uint64_t tag)
{
    store(m, page(descriptor) + CLOSE, (uint64_t)2 << 56 | tag);
}

static void put(struct machine *m, unsigned descriptor, uint64_t offset, const void *data,
                unsigned n)
{
    store_bytes(m, put_window(descriptor) + offset, data, n);
}

/* The offset in the get window is half of that in the segment; both, and bytes, are multiples of 4. */
static void get(struct machine *m, unsigned descriptor, uint64_t offset, uint64_t local_offset,
                unsigned bytes)
{
    store(m, get_window(descriptor) + 2 * offset, local_offset | (uint64_t)(bytes / 4 - 1) << 40);
}

/* Adds to 8 bytes at offset; their old value goes to local_offset. Opcode 8 is ADD of 64 bits. */
static void fetch_add(struct machine *m, unsigned descriptor, uint64_t offset,
                      uint64_t local_offset, uint64_t addend)
{
    store(m, page(descriptor) + OPERAND, addend);
    store(m, get_window(descriptor) + 2 * offset, local_offset | (uint64_t)8 << 44);
}

struct ring {
    unsigned queue;
    uint64_t base;
    unsigned log2;
    uint32_t read; /* events taken so far */
};

/* The next event, 0 while there is none: {overrun 1, status 4, source 3, tag 56}. No event is 0. */
static uint64_t next_event(struct machine *m, struct ring *r)
{
    uint64_t at = r->base + 8 * (r->read & ((1u << r->log2) - 1));
    uint64_t event = memory_read(m, at);

    if (event != 0) {
        memory_write(m, at, 0);
        r->read++;
        store(m, queue_page(r->queue), r->read);
    }
    return event;
}

static void settle(struct machine *m)
{
    reg_write(m, NR_CONTROL, 1 << NR_CONTROL_ENABLE_AT | 1 << NR_CONTROL_SETTLE_AT);
    while ((reg_read(m, NR_STATUS) >> NR_STATUS_SETTLED_AT & 1) == 0) {
    }
}

/* Takes a process's names away. Afterwards its memory belongs to the driver again; names rest longer. */
static void end_process(struct machine *m, unsigned descriptor, unsigned mdh, unsigned queue)
{
    reg_write(m, NR_FMA + descriptor * NR_FMA_STEP, 0);
    load(m, page(descriptor) + STATUS);
    reg_write(m, NR_MDD + mdh * NR_MDD_STEP, 0);
    reg_write(m, NR_MDD + mdh * NR_MDD_STEP + 1, 0);
    settle(m);
    reg_write(m, NR_CONTROL, 1 << NR_CONTROL_ENABLE_AT | 1 << NR_CONTROL_FLUSH_AT);
    settle(m);
    reg_write(m, NR_CQ + queue * NR_CQ_STEP, 0);
    reg_write(m, NR_CQ + queue * NR_CQ_STEP + 1, 0);
    settle(m);
}

/* No transaction of the descriptor is in flight. */
static bool has_rested(struct machine *m, unsigned descriptor)
{
    return (load(m, page(descriptor) + STATUS) & 0x1FF) == 0;
}

static void stop_nic(struct machine *m)
{
    reg_write(m, NR_CONTROL, 0);
    while ((reg_read(m, NR_STATUS) >> NR_STATUS_DRAINED_AT & 1) == 0) {
    }
}

/* ---- end of the guide --------------------------------------------------------------------------------- */

/* ---- guide of block transfers --------------------------------------------------------------------------- */

/* Words of a page that TRANSFER needs, beside BASE, MODES and EVENT. */
enum { BYTES = 0x18, LOCAL_OFFSET = 0x20, TRANSFER = 0x50 };

/* Operations, and events that a transfer wants. */
enum { TRANSFER_PUT = 1, TRANSFER_GET = 2 };
enum { WANTS_LOCAL = 1, WANTS_GLOBAL = 2, WANTS_TARGET = 4 };

/* A channel's ring of 2^log2 descriptors; processes may launch there, too. */
struct transfers {
    unsigned channel;
    uint64_t base;
    unsigned log2;
    uint32_t written; /* descriptors so far */
};

static unsigned channel_register(const struct transfers *r, unsigned which)
{
    return NR_BTE + r->channel * NR_BTE_STEP + which;
}

static void set_ring(struct machine *m, const struct transfers *r, unsigned transactions)
{
    reg_write(m, channel_register(r, 0), r->base);
    reg_write(m, channel_register(r, 1),
              (uint64_t)1 << NR_BTE1_ENABLE_AT | (uint64_t)1 << NR_BTE1_LAUNCH_AT |
                  (uint64_t)r->log2 << NR_BTE1_LOG2_AT |
                  (uint64_t)transactions << NR_BTE1_LIMIT_AT);
}

/* Of a transfer what is not the same for all: offsets in segment mdh of the node and in local_mdh. */
struct transfer {
    unsigned op, wants;
    uint32_t node;
    unsigned mdh, local_mdh;
    uint64_t offset, local_offset, bytes, tag;
};

static uint64_t descriptor_at(const struct transfers *r, uint32_t number)
{
    return r->base + 64 * (number & ((1u << r->log2) - 1));
}

/* Writes the next descriptor, with write back, and rings the doorbell. */
static void post(struct machine *m, struct transfers *r, const struct transfer *t, unsigned ptag,
                 unsigned queue)
{
    uint64_t at = descriptor_at(r, r->written++);

    memory_write(m, at, (uint64_t)t->node << 40 | t->offset);
    memory_write(m, at + 8,
                 t->mdh | (uint64_t)t->local_mdh << 12 | (uint64_t)t->op << 24 |
                     (uint64_t)t->wants << 32 | (uint64_t)1 << 35 | (uint64_t)queue << 36 |
                     (uint64_t)ptag << 46);
    memory_write(m, at + 16, t->local_offset);
    memory_write(m, at + 24, t->bytes);
    memory_write(m, at + 32, t->tag);
    memory_write(m, at + 40, t->tag); /* the event at the target */
    memory_write(m, at + 48, 0);
    memory_write(m, at + 56, 0);
    reg_write(m, channel_register(r, 2), r->written & 1023);
}

/* Whether descriptor `number` is complete; its status is in bits 3:0. */
static bool is_complete(struct machine *m, const struct transfers *r, uint32_t number,
                        unsigned *status)
{
    uint64_t word = memory_read(m, descriptor_at(r, number) + 56);

    *status = (unsigned)word & 15;
    return word >> 63 != 0;
}

/* Stops a channel: afterwards its ring may go. */
static void stop_ring(struct machine *m, const struct transfers *r)
{
    reg_write(m, channel_register(r, 1), 0);
    while ((reg_read(m, channel_register(r, 8)) >> NR_BTE8_BUSY_AT & 1) != 0) {
    }
}

/* The same from user space: a process launches a transfer in a channel. */
static void launch(struct machine *m, unsigned descriptor, unsigned channel,
                   const struct transfer *t, unsigned queue)
{
    store(m, page(descriptor) + BASE, (uint64_t)t->node << 40 | t->offset);
    store(m, page(descriptor) + MODES,
          t->mdh | (uint64_t)t->local_mdh << 12 | (uint64_t)queue << 30);
    store(m, page(descriptor) + BYTES, t->bytes);
    store(m, page(descriptor) + LOCAL_OFFSET, t->local_offset);
    store(m, page(descriptor) + TRANSFER,
          t->tag | (uint64_t)channel << 56 | (uint64_t)t->op << 58 | (uint64_t)t->wants << 61);
}

/* ---- end of the guide of block transfers -------------------------------------------------------------------- */

enum {
    FMA = 2,
    PTAG = 3,
    QUEUE = 1,
    MDH = 5,
    RING_AT = 0x10000,
    TRANSFERS_AT = 0x11000,
    SEGMENT_AT = 0x20000
};

static struct machine here, there;
static struct ring ring_here = {.queue = QUEUE, .base = RING_AT, .log2 = 6};
static struct ring ring_there = {.queue = QUEUE, .base = RING_AT, .log2 = 6};

/* The event that comes within 3,000 clocks, or 0. */
static uint64_t wait_for(struct machine *m, struct ring *r)
{
    uint64_t event = 0;

    for (uint64_t last = m->b->clock + 3000; event == 0 && m->b->clock < last;) {
        event = next_event(m, r);
    }
    return event;
}

static uint64_t word_of(const struct machine *m, uint64_t offset)
{
    uint64_t value;

    memcpy(&value, host_memory(m->b->node[m->node].host) + SEGMENT_AT + offset, 8);
    return value;
}

static void set_up(struct machine *m)
{
    start_nic(m, m->b->node[m->node].address, BENCH_MEMORY);
    set_segment(m, MDH, SEGMENT_AT, 4096, PTAG, QUEUE);
    set_queue(m, QUEUE, RING_AT, 6, PTAG);
    set_descriptor(m, FMA, PTAG, 4, 16);
}

/* A transaction to the other node with this event, source SSID_SRSP, status OK. */
static bool ends(uint64_t tag)
{
    finish(&here, FMA, tag);
    uint64_t event = wait_for(&here, &ring_here);

    tap_why("event %016llx, wanted source 3, status 0, tag %llx", (unsigned long long)event,
            (unsigned long long)tag);
    return event == ((uint64_t)EVENT_SSID_SRSP << 56 | tag);
}

static void start(unsigned command)
{
    begin(&here, FMA, there.b->node[1].address, MDH, MDH, QUEUE, command);
}

/* A transfer's global event, in a ring or of a launch. */
static bool is_over(uint64_t tag)
{
    return wait_for(&here, &ring_here) == ((uint64_t)EVENT_SSID_SRSP << 56 | tag);
}

static void test_block_transfers(void)
{
    struct transfers r = {.channel = 0, .base = TRANSFERS_AT, .log2 = 2};
    struct transfer t = {.op = TRANSFER_PUT,
                         .wants = WANTS_GLOBAL | WANTS_TARGET,
                         .node = there.b->node[1].address,
                         .mdh = MDH,
                         .local_mdh = MDH,
                         .offset = 1000,
                         .local_offset = 2000,
                         .bytes = 1500,
                         .tag = 0x2001};
    const uint8_t *from = host_memory(here.b->node[0].host) + SEGMENT_AT;
    const uint8_t *to = host_memory(there.b->node[1].host) + SEGMENT_AT;
    unsigned status = 99;

    for (unsigned i = 0; i < 512; i++) {
        memory_write(&here, SEGMENT_AT + 8 * i, 0x0101010101010101 * (uint64_t)i);
    }
    set_ring(&here, &r, 2);
    post(&here, &r, &t, PTAG, QUEUE);
    tap_ok(is_over(0x2001) && memcmp(from + 2000, to + 1000, 1500) == 0,
           "a block transfer ends, its bytes are there");
    must_be(&missed, wait_for(&there, &ring_there), ((uint64_t)EVENT_RMT_SRSP << 56 | 0x2001));
    tap_taken(&missed, "and its event at the target");
    for (unsigned n = 0; n < 100 && !is_complete(&here, &r, 0, &status); n++) {
    }
    tap_ok(status == 0, "its descriptor says so, too");
    t = (struct transfer){.op = TRANSFER_GET,
                          .wants = WANTS_GLOBAL,
                          .node = t.node,
                          .mdh = MDH,
                          .local_mdh = MDH,
                          .offset = 1000,
                          .local_offset = 8,
                          .bytes = 800,
                          .tag = 0x2002};
    launch(&here, FMA, 0, &t, QUEUE);
    tap_ok(is_over(0x2002) && memcmp(from + 8, to + 1000, 800) == 0,
           "a get that is launched ends, its bytes are here");
    stop_ring(&here, &r);
    tap_ok(!(reg_read(&here, NR_BTE + 8) & 1), "the channel is stopped");
}

static void test_transfers(void)
{
    memory_write(&there, SEGMENT_AT + 64, 0x1111222233334444);
    start(0);
    put(&here, FMA, 8, "heddle.", 8);
    tap_ok(ends(0x1001), "a put ends");
    must_hold(&missed,
              memcmp(host_memory(there.b->node[1].host) + SEGMENT_AT + 8, "heddle.", 8) == 0);
    tap_taken(&missed, "its bytes are there");
    start(0);
    get(&here, FMA, 64, 128, 8);
    tap_ok(ends(0x1002), "a get ends");
    must_be(&missed, word_of(&here, 128), 0x1111222233334444);
    tap_taken(&missed, "its bytes are here");
    start(1);
    store(&here, page(FMA) + EVENT, 0x77);
    put(&here, FMA, 200, "a quick brown fox", 17);
    tap_ok(ends(0x1003), "a message ends");
    must_be(&missed, wait_for(&there, &ring_there), ((uint64_t)EVENT_RMT_SREQ << 56 | 0x77));
    tap_taken(&missed, "its event is there");
    start(0);
    store(&here, page(FMA) + CQWRITE, 0x99);
    tap_ok(ends(0x1004), "a queue write ends");
    must_be(&missed, wait_for(&there, &ring_there), ((uint64_t)EVENT_RMT_SREQ << 56 | 0x99));
    tap_taken(&missed, "its event is there");
    start(0);
    fetch_add(&here, FMA, 64, 136, 5);
    tap_ok(ends(0x1005), "an atomic operation ends");
    must_be(&missed, word_of(&here, 136), 0x1111222233334444);
    must_be(&missed, word_of(&there, 64), 0x1111222233334449);
    tap_taken(&missed, "the old value is here, the new one there");
}

static void test_stop(void)
{
    uint64_t refused = here.b->node[0].driver.refused;

    end_process(&there, FMA, MDH, QUEUE);
    start(0);
    put(&here, FMA, 16, "not any more", 12);
    finish(&here, FMA, 0x1006);
    must_be(&missed, wait_for(&here, &ring_here),
            ((uint64_t)STATUS_MDD << 59 | (uint64_t)EVENT_SSID_SRSP << 56 | 0x1006));
    tap_taken(&missed, "a put to a process that has ended: MDD");
    must_be(&missed, word_of(&there, 16), 0);
    tap_taken(&missed, "and no byte of it");
    end_process(&here, FMA, MDH, QUEUE);
    must_hold(&missed, has_rested(&here, FMA));
    must_hold(&missed, has_rested(&there, FMA));
    tap_taken(&missed, "nothing of both is in flight");
    must_be(&missed, here.b->node[0].driver.refused, refused);
    tap_taken(&missed, "no access was refused so far");
    store(&here, page(FMA) + OPEN, 0);
    nic_bench_settle_driver(here.b, 0);
    must_be(&missed, here.b->node[0].driver.refused, refused + 1);
    tap_taken(&missed, "a store behind that is");
    stop_nic(&here);
    stop_nic(&there);
}

int main(int argc, char **argv)
{
    struct nic_bench *b = channel_bench_new(2, test_seed(argc, argv), NULL);

    channel_of(b)->knobs = (struct channel_knobs){.delay = 10};
    here = (struct machine){b, 0};
    there = (struct machine){b, 1};
    for (unsigned node = 0; node < 2; node++) {
        /* The bench has enabled them: the guide begins with NICs that are as after a reset. */
        nic_bench_write(b, node, NR_CONTROL, 0);
        nic_bench_write(b, node, NR_NODE, 0);
        nic_bench_write(b, node, NR_PHYS_SIZE, 0);
    }
    set_up(&here);
    set_up(&there);
    test_transfers();
    test_block_transfers();
    test_stop();
    must_be(&missed, b->node[0].driver.lite_refused + b->node[1].driver.lite_refused, 0);
    tap_taken(&missed, "no register was refused");
    nic_bench_free(b);
    return tap_done();
}
