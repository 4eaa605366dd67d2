// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_bench.c - parb and the AXI manager as iommu sees them.
 */
#include "tb/blocks/nic/iommu/iommu_bench.h"

#include <stdlib.h>
#include <string.h>

struct iommu_bench ib;

/* ---- tables in memory -------------------------------------------------------------------------------- */

uint64_t ib_entry(uint64_t address)
{
    uint64_t word;

    memcpy(&word, ib.tables + address, 8);
    return word;
}

void ib_set_entry(uint64_t address, uint64_t entry)
{
    memcpy(ib.tables + address, &entry, 8);
}

uint64_t ib_read(void *memory, uint64_t address, enum gp_status *status)
{
    (void)memory;
    if (address >= IB_TABLES) {
        *status = GP_BUS_ERROR;
        return 0;
    }
    *status = ib.faults[address / 16];
    return ib_entry(address);
}

/* ---- accesses ---------------------------------------------------------------------------------------- */

static uint64_t draw_address(unsigned context, unsigned *bytes, bool split)
{
    const struct gp_context *c = &ib.context[context];
    unsigned log2 = c->log2 < 12 || c->log2 > 36 ? 12 : c->log2;
    uint64_t page = rng_below(&ib.rng, ib.load.spread), address = page << log2;
    uint64_t small = (rng_next(&ib.rng) >> 12) % (UINT64_C(1) << (log2 - 12)) * IB_FRAME;

    address += small;
    if (split) {
        *bytes = *bytes == 1 ? 2 : *bytes;
        address += IB_FRAME - 1 - rng_below(&ib.rng, *bytes - 1);
    } else {
        address += rng_below(&ib.rng, IB_FRAME + 1 - *bytes);
    }
    return address % (UINT64_C(1) << 47);
}

static void expect(struct ib_access *a, bool write)
{
    uint64_t behind = (a->address / IB_FRAME + 1) * IB_FRAME;
    const struct gp_context *c = &ib.context[a->space / 2];

    a->to[0] = a->address;
    a->to[1] = behind;
    a->status = a->fault != 0 ? (enum gp_status)a->fault : GP_DONE;
    if (a->space % 2 == 0 || a->fault != 0) {
        return;
    }
    a->status = gp_translate(c, a->address, write, ib_read, NULL, &a->to[0]);
    if (a->status == GP_DONE && a->split) {
        a->status = gp_translate(c, behind, write, ib_read, NULL, &a->to[1]);
    }
}

static struct ib_access *draw(struct ib_list *list, bool write)
{
    struct ib_access *a = &list->of[list->made % IB_KEPT];
    unsigned bytes = ib.load.bytes != 0 ? ib.load.bytes : 1 + rng_below(&ib.rng, 64);
    unsigned context = rng_below(&ib.rng, ib.load.contexts);
    bool plain = rng_chance(&ib.rng, ib.load.plain), split = rng_chance(&ib.rng, ib.load.split);
    uint64_t address = draw_address(context, &bytes, split);

    *a = (struct ib_access){
        .split = split,
        .space = 2 * context + !plain,
        .bytes = bytes,
        .client =
            (unsigned[]){MEM_TARGET, MEM_AMO, MEM_LOCAL, MEM_RINGS, MEM_CQ}[rng_below(&ib.rng, 5)],
        .place = rng_below(&ib.rng, 4096),
        .skip = write && bytes <= 56 ? rng_below(&ib.rng, 2) : 0,
        .reader = rng_below(&ib.rng, READERS),
        .fault = !write && !split && rng_chance(&ib.rng, ib.load.bad) ? MEM_WRONG_BITS : 0,
        .address = address,
        .data = rng_next(&ib.rng),
    };
    list->made++;
    if (ib.make != NULL) {
        ib.make(a, write);
    } else {
        expect(a, write);
    }
    return a;
}

static beat_word head_of(const struct ib_access *a, uint64_t address)
{
    return (beat_word)a->client | (beat_word)a->place << 4 | (beat_word)(a->bytes - 1) << 16 |
           (beat_word)1 << 22 | (beat_word)a->skip << 29 | (beat_word)a->split << 30 |
           (beat_word)address << 48;
}

static unsigned data_beats(const struct ib_access *a)
{
    return (a->bytes + 8 * a->skip + 15) / 16;
}

static beat_word data_of(const struct ib_access *a, unsigned n)
{
    return (beat_word)(a->data + n) | (beat_word)(a->data ^ n) << 64;
}

static void begin_write(void)
{
    const struct ib_access *a = draw(&ib.writes, true);
    beat_word space = (beat_word)a->space << 23;
    unsigned n = 0, data = data_beats(a);

    ib.beats[n++] = (struct beat){.valid = 1, .head = 1, .word = head_of(a, a->address) | space};
    if (a->split) {
        ib.beats[n++] =
            (struct beat){.valid = 1,
                          .head = 1,
                          .word = head_of(a, (a->address / IB_FRAME + 1) * IB_FRAME) | space};
    }
    for (unsigned i = 0; i < data; i++) {
        ib.beats[n++] = (struct beat){.valid = 1, .tail = i + 1 == data, .word = data_of(a, i)};
    }
    ib.beat = 0;
    ib.beats_left = n;
}

static void begin_read(void)
{
    const struct ib_access *a = draw(&ib.reads, false);

    ib.words[0] = (struct mem_read){.valid = 1,
                                    .reader = (mem_reader)a->reader,
                                    .fault = (u2)a->fault,
                                    .split = a->split,
                                    .space = (mem_space)a->space,
                                    .bytes = (u6)(a->bytes - 1),
                                    .addr = (u48)a->address};
    ib.words[1] = ib.words[0];
    ib.words[1].addr = (u48)((a->address / IB_FRAME + 1) * IB_FRAME);
    ib.word = 0;
    ib.words_left = 1 + a->split;
}

/* What parb drives in the next clock, as it sees room in this one. */
static void send(bool room_write, bool room_read)
{
    bool under_way = ib.writes.made - ib.writes.answered < IB_KEPT - 1 &&
                     ib.reads.made - ib.reads.answered < IB_KEPT - 1;

    if (ib.beats_left == 0 && under_way && rng_chance(&ib.rng, ib.load.write)) {
        begin_write();
    }
    if (ib.words_left == 0 && under_way && rng_chance(&ib.rng, ib.load.read)) {
        begin_read();
    }
    ib.in.write = (struct beat){};
    if (ib.beats_left != 0 && room_write) {
        ib.in.write = ib.beats[ib.beat++];
        ib.writes.entered += ib.beats_left-- == 1;
    }
    ib.in.read = (struct mem_read){};
    if (ib.words_left != 0 && room_read) {
        ib.in.read = ib.words[ib.word++];
        ib.reads.entered += ib.words_left-- == 1;
    }
}

/* ---- what comes out ---------------------------------------------------------------------------------- */

static void check_status(const struct ib_access *a, bool write, enum gp_status status,
                         const uint64_t *to)
{
    if (ib.judge != NULL) {
        must(&ib.wrong, ib.judge(a, write, status, to), "%s of %#llx: status %u, goes to %#llx",
             write ? "write" : "read", (unsigned long long)a->address, status,
             (unsigned long long)to[0]);
        return;
    }
    must_equal(&ib.wrong, status, a->status, "%s of %#llx in context %u, status",
               write ? "write" : "read", (unsigned long long)a->address, a->space / 2);
    for (unsigned i = 0; status == GP_DONE && i < 1u + a->split; i++) {
        must_equal(&ib.wrong, to[i], a->to[i], "%s of %#llx in context %u goes to",
                   write ? "write" : "read", (unsigned long long)a->address, a->space / 2);
    }
}

static uint64_t heads[2], words[2];

static void check_head(struct ib_access *a, const struct beat *beat)
{
    uint64_t address = (uint64_t)(beat->word >> 48) & ((UINT64_C(1) << 48) - 1);

    must(&ib.wrong, beat->word == head_of(a, address), "fields of a head");
    must(&ib.wrong, !beat->tail && !beat->bad, "a head is marked");
    heads[ib.part++] = address;
    if (ib.part == 1u + a->split) {
        check_status(a, true, GP_DONE, heads);
        ib.rest = data_beats(a);
    }
}

/* A beat to memory: of the oldest write that has not left, those before it being refused. */
static void take_write(const struct beat *beat)
{
    must(&ib.wrong, ib.writes.left < ib.writes.made, "a write that nobody made");
    struct ib_access *a = &ib.writes.of[ib.writes.left % IB_KEPT];

    if (beat->head) {
        must(&ib.wrong, ib.rest == 0, "a head among data");
        check_head(a, beat);
        return;
    }
    must(&ib.wrong, ib.rest != 0, "data without a head");
    unsigned n = data_beats(a) - ib.rest;

    must(&ib.wrong, beat->word == data_of(a, n), "data of a write");
    must_equal(&ib.wrong, beat->tail, ib.rest == 1, "the end of a write");
    if (--ib.rest == 0) {
        a->sent = true;
        a->due = ib.now + ib.load.latency;
        ib.part = 0;
        ib.writes.left++;
    }
}

static void take_read(const struct mem_read *read)
{
    must(&ib.wrong, ib.reads.left < ib.reads.made, "a read that nobody made");
    struct ib_access *a = &ib.reads.of[ib.reads.left % IB_KEPT];

    must_equal(&ib.wrong, read->reader, a->reader, "whose read it is");
    must_equal(&ib.wrong, read->bytes, a->bytes - 1, "bytes of a read");
    must_equal(&ib.wrong, read->split, a->split && read->fault == 0, "a read is split");
    words[ib.second] = (uint64_t)read->addr;
    if (read->fault != 0 || !a->split || ib.second) {
        check_status(a, false, (enum gp_status)read->fault, words);
        ib.second = false;
        ib.reads.left++;
        ib.reads.answered++;
    } else {
        ib.second = true;
    }
}

/* A write is over: in their order, whether memory answers or iommu. */
static void take_done(const struct mem_done *done)
{
    must(&ib.wrong, ib.writes.answered < ib.writes.made, "an answer to no write");
    struct ib_access *a = &ib.writes.of[ib.writes.answered % IB_KEPT];

    must_equal(&ib.wrong, done->client, a->client, "client of an answer");
    must_equal(&ib.wrong, done->place, a->place, "place of an answer");
    if (!a->sent) {
        must_equal(&ib.wrong, ib.writes.left, ib.writes.answered, "a write is refused in its turn");
        check_status(a, true, (enum gp_status)done->status, heads);
        must(&ib.wrong, done->status != 0, "a write that did not leave is done");
        ib.writes.left++;
        ib.refused++;
    }
    ib.writes.answered++;
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void check_walk(uint64_t address)
{
    must(&ib.wrong, address % 64 == 0, "a line at %#llx", (unsigned long long)address);
    must(&ib.wrong, ib.forbidden == NULL || !ib.forbidden(address),
         "a table is read that nobody may read: %#llx", (unsigned long long)address);
}

static void take_walk(void)
{
    bool takes = ib.dut.out.walk.valid && !ib.in.taken && rng_chance(&ib.rng, ib.load.ready);

    if (takes) {
        struct ib_walk *walk = &ib.walks[ib.walks_asked++ % 256];

        walk->address = (uint64_t)ib.dut.out.walk.addr;
        walk->due = ib.now + ib.load.latency;
        for (unsigned i = 0; i < 8; i++) {
            walk->words[i] = ib_read(NULL, walk->address + 8 * i, &walk->status[i]);
        }
        check_walk(walk->address);
        must_at_most(&ib.wrong, ib.walks_asked - ib.walks_over, PTE_WALKS, "lines under way");
    }
    ib.in.taken = takes;
}

static void answer_walk(void)
{
    const struct ib_walk *walk = &ib.walks[ib.walks_over % 256];
    unsigned at = 2 * ib.walk_beat;

    ib.in.beat = (struct mem_walked){};
    if (ib.walks_over == ib.walks_asked || walk->due > ib.now ||
        !rng_chance(&ib.rng, ib.load.ready)) {
        return;
    }
    ib.in.beat = (struct mem_walked){.valid = 1,
                                     .data = (beat_data)walk->words[at] |
                                             (beat_data)walk->words[at + 1] << 64,
                                     .status = (u2)walk->status[at]};
    check_walk(walk->address);
    ib.walk_beat = (ib.walk_beat + 1) % 4;
    ib.walks_over += ib.walk_beat == 0;
}

/* The oldest write that has left; none before it is not answered. */
static void answer_write(void)
{
    const struct ib_access *a = &ib.writes.of[ib.writes.answered % IB_KEPT];
    bool coming = ib.in.answered.valid; /* the one before is in the module */

    ib.in.answered = (struct mem_done){};
    if (!coming && ib.writes.answered != ib.writes.left && a->sent && a->due <= ib.now &&
        !ib.dut.out.done.valid && rng_chance(&ib.rng, ib.load.ready)) {
        ib.in.answered = (struct mem_done){
            .valid = 1, .client = (u4)a->client, .place = (u12)a->place, .status = MEM_DONE};
    }
}

/* ---- a clock ----------------------------------------------------------------------------------------- */

void ib_step(void)
{
    bool room_write = ib.dut.out.room_write, room_read = ib.dut.out.room_read;
    bool may_write = ib.in.may_write, may_read = ib.in.may_read;

    ib.in.idle_write = ib.writes.answered == ib.writes.left && ib.rest == 0 && ib.part == 0 &&
                       !ib.in.answered.valid;
    if (ib.dut.out.to_write.valid) {
        must(&ib.wrong, may_write, "a beat without room");
        take_write(&ib.dut.out.to_write);
    }
    if (ib.dut.out.to_read.valid) {
        must(&ib.wrong, may_read, "a read without room");
        take_read(&ib.dut.out.to_read);
    }
    if (ib.dut.out.done.valid) {
        take_done(&ib.dut.out.done);
    }
    ib.corrected += ib.dut.out.count >> PTE_CORRECTED & 1;
    ib.fatal += ib.dut.out.count >> PTE_FATAL & 1;
    take_walk();
    answer_walk();
    answer_write();
    ib.in.may_write = rng_chance(&ib.rng, ib.load.ready);
    ib.in.may_read = rng_chance(&ib.rng, ib.load.ready);
    iommu(&ib.dut, &ib.in);
    ib.in.reg = (struct nic_write){};
    send(room_write, room_read);
    ib.now++;
}

void ib_run(unsigned clocks)
{
    for (unsigned i = 0; i < clocks; i++) {
        ib_step();
    }
}

void ib_drain(void)
{
    struct ib_load load = ib.load;
    unsigned clocks = 0;

    ib.load.write = ib.load.read = 0;
    while ((!ib_over(ib.writes.made, ib.reads.made) || !ib.dut.out.idle) && clocks++ < 100000 &&
           ib.wrong.count == 0) {
        ib_step();
    }
    must(&ib.wrong, ib.dut.out.idle, "not idle at the end");
    ib.load = load;
}

bool ib_over(uint64_t writes, uint64_t reads)
{
    return ib.writes.answered >= writes && ib.reads.answered >= reads;
}

void ib_context(unsigned n, const struct gp_context *context)
{
    ib.context[n] = *context;
    ib.in.reg = (struct nic_write){.valid = 1,
                                   .addr = (u16)(NR_IOMMU + n),
                                   .data = context->root / IB_FRAME |
                                           (uint64_t)context->log2 << NR_IOMMU_LOG2_AT |
                                           (uint64_t)(context->levels == 2) << NR_IOMMU_LEVELS_AT |
                                           (uint64_t)context->enabled << NR_IOMMU_ENABLE_AT};
    ib_step();
}

void ib_invalidate(void)
{
    ib.in.reg = (struct nic_write){.valid = 1, .addr = NR_INVALIDATE, .data = 1};
    ib_step();
}

void ib_begin(void)
{
    struct rng rng = ib.rng;

    ib_free();
    ib = (struct iommu_bench){.rng = rng};
    ib.tables = calloc(1, IB_TABLES);
    ib.faults = calloc(1, IB_TABLES / 16);
    harness_clock = &ib.now;
    ib.load = (struct ib_load){.ready = 1, .latency = 20, .contexts = 1, .spread = 1};
    iommu_reset(&ib.dut);
    for (unsigned i = 0; i < IB_CONTEXTS; i++) {
        ib.in.wipe = (struct nic_wipe){.valid = 1, .index = (u13)i};
        iommu(&ib.dut, &ib.in);
    }
    ib.in.wipe = (struct nic_wipe){};
    ib_run(2);
}

void ib_free(void)
{
    free(ib.tables);
    free(ib.faults);
    ib.tables = ib.faults = NULL;
}
