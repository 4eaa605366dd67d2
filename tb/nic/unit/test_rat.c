// SPDX-License-Identifier: Apache-2.0
/*
 * test_rat.c - {domain, handle, offset} to an address: every violation with every command, alone and in random streams,
 * against a model of its own: tables as plain structs, checks as a list in the order of the specification.
 *
 * What leaves is taken beat by beat with stops of any kind; contexts come in the order of packets. Nothing of a packet that
 * was refused leaves towards memory.
 */
#include "nic/target/rat.h"
#include "tb/base/harness.h"

#include <stdlib.h>
#include <string.h>

enum {
    MDDS = 1 << NIC_MDD_LOG2,
    VMDHS = 1 << NIC_VMDH_LOG2,
    NODE = 0x1A2B3,
    MOST = 1 << 14,
    /* of the wire, as the specification has them */
    GET = 0,
    PUT = 1,
    PUT_MSG = 4,
    CQWRITE = 5,
};

struct segment {
    uint64_t base, length; /* length in bytes, up to 2^40 */
    unsigned ptag, queue;
    bool valid, read, write, event, mmu;
};

struct block {
    unsigned base, size;
    bool valid;
};

struct request {
    unsigned cmd, bytes, mode, ptag, mdh, src, tag, gen, node;
    uint64_t offset, event;
    unsigned beats;
    int bad; /* the beat with two wrong bits, or -1 */
    uint8_t data[64];
};

/* What must come of it. */
struct outcome {
    bool dropped, context, read, ready;
    unsigned status, queue;
    uint64_t event;
    bool memory;
    uint64_t address;
};

struct packet {
    struct request request;
    struct outcome outcome;
};

static struct rat dut;
static struct rng rng;
static uint64_t now, wrong, counted[RAT_COUNTS], expected[RAT_COUNTS];
static struct segment segments[MDDS];
static struct block blocks[VMDHS];
static uint64_t phys_base, phys_size;
static bool local, enabled;

static struct packet *packets;
static unsigned made, sent, context_at, memory_at, memory_beat, beat_at;
static double begin_share, memory_share, context_share, bad_share;

static void complain(const char *what)
{
    if (wrong++ == 0) {
        tap_why("clock %llu, packet %u: %s", (unsigned long long)now, context_at, what);
    }
}

/* ---- the model ---------------------------------------------------------------------------------- */

static unsigned model_status(const struct request *r, struct outcome *o)
{
    unsigned handle = r->mdh;
    const struct segment *s;

    if (!local && !enabled) {
        return 11; /* UNREACHABLE */
    }
    if (r->cmd != GET && r->cmd != PUT && r->cmd != PUT_MSG && r->cmd != CQWRITE) {
        return 2; /* BAD_COMMAND */
    }
    if (!local && r->ptag < VMDHS && blocks[r->ptag].valid) {
        if (r->mdh >= blocks[r->ptag].size) {
            return 4; /* VMDH */
        }
        handle += blocks[r->ptag].base;
    }
    if (handle >= MDDS || !segments[handle].valid) {
        return 5; /* MDD */
    }
    s = &segments[handle];
    o->queue = s->queue;
    if (s->ptag != r->ptag) {
        return 6; /* PROTECTION */
    }
    if (r->cmd != CQWRITE && r->offset + r->bytes > s->length) {
        return 7; /* BOUNDS */
    }
    if ((r->cmd == GET && !s->read) || ((r->cmd == PUT || r->cmd == PUT_MSG) && !s->write) ||
        ((r->cmd == PUT_MSG || r->cmd == CQWRITE) && !s->event)) {
        return 6;
    }
    if (r->cmd == GET && r->offset % 4 != 0) {
        return 2;
    }
    o->address = s->base + r->offset;
    if (r->cmd != CQWRITE &&
        (s->mmu || o->address < phys_base || o->address + r->bytes > phys_base + phys_size)) {
        return 3; /* TRANSLATION */
    }
    return 0;
}

static struct outcome model(const struct request *r)
{
    struct outcome o = {0};

    o.dropped = !local && (r->bad == 0 || r->node != NODE);
    expected[RAT_LOST] += r->bad == 0;
    if (o.dropped) {
        expected[RAT_STRAY] += r->bad != 0;
        return o;
    }
    o.status = r->bad == 0 ? 1 : model_status(r, &o);
    o.context = !local || o.status != 0;
    o.memory = o.status == 0 && r->cmd != CQWRITE;
    o.read = o.memory && r->cmd == GET;
    o.ready = !o.memory;
    o.event = r->event;
    expected[RAT_UNCORRECTABLE] += o.status == 1;
    expected[RAT_BAD_COMMAND] += o.status == 2;
    expected[RAT_TRANSLATION] += o.status == 3;
    expected[RAT_VMDH] += o.status == 4;
    expected[RAT_MDD] += o.status == 5;
    expected[RAT_PROTECTION] += o.status == 6;
    expected[RAT_BOUNDS] += o.status == 7;
    expected[RAT_UNREACHABLE] += o.status == 11;
    if (o.status == 0 && r->cmd == CQWRITE && r->bad == 1) {
        o.status = 10; /* DATA */
    }
    return o;
}

/* ---- requests as beats ---------------------------------------------------------------------------- */

static void put(beat_word *word, unsigned at, uint64_t value)
{
    *word |= (beat_word)value << at;
}

static beat_word head_of(const struct request *r)
{
    beat_word w = 0;

    put(&w, 0, r->cmd);
    put(&w, 4, r->offset & 0x3FFF);
    put(&w, 18, local ? r->tag : r->node);
    put(&w, 38, r->mode);
    put(&w, 48, r->cmd == GET ? r->bytes / 4 - 1 : 0);
    put(&w, 52, r->offset >> 14 & 0x3F);
    put(&w, 58, r->ptag);
    put(&w, 66, r->src);
    put(&w, 84, r->gen);
    put(&w, 86, r->tag);
    put(&w, 96, r->offset >> 20);
    put(&w, 116, r->mdh);
    put(&w, 128, r->cmd == GET ? 0 : r->bytes - 1);
    put(&w, 134, local ? r->tag : 0);
    return w;
}

/*
 * Two wrong bits in one of its three words, not in the command, which orb is trusted with; as the request says, so that it is the
 * same whenever it is asked for.
 */
static beat_word harmed(beat_word w, const struct request *r)
{
    unsigned word = r->mdh % 3 * 48 + 4, first = (unsigned)r->offset % 44;
    unsigned second = (first + 1 + r->tag % 43) % 44;

    return w ^ (beat_word)1 << (word + first) ^ (beat_word)1 << (word + second);
}

static struct beat beat_of(const struct packet *p, unsigned i)
{
    const struct request *r = &p->request;
    struct beat beat = {.valid = 1,
                        .head = i == 0,
                        .tail = i + 1 == r->beats,
                        .bad = (int)i == r->bad,
                        .word = i == 0 ? head_of(r) : 0};

    if (i != 0) {
        unsigned __int128 word;

        memcpy(&word, r->data + 16 * (i - 1), 16);
        beat.word = word;
    } else if (beat.bad) {
        beat.word = harmed(beat.word, r);
    }
    return beat;
}

static void finish_request(struct request *r)
{
    unsigned payload = r->cmd == GET ? 0 : r->bytes + (r->cmd == PUT_MSG ? 8 : 0);

    for (unsigned i = 0; i < 64; i++) {
        r->data[i] = (uint8_t)rng_next(&rng);
    }
    memcpy(&r->event, r->data, 8);
    r->event &= ((uint64_t)1 << 56) - 1;
    r->beats = 1 + (payload + 15) / 16;
}

static void queue_request(struct request r)
{
    if (made == MOST) {
        abort();
    }
    finish_request(&r);
    r.bad = r.bad >= (int)r.beats ? -1 : r.bad;
    packets[made++] = (struct packet){.request = r, .outcome = model(&r)};
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static void check_context(void)
{
    const struct npt_context *c = &dut.out.context;

    if (!c->valid) {
        return;
    }
    while (context_at < made && !packets[context_at].outcome.context) {
        context_at++;
    }
    if (context_at >= sent + (beat_at != 0)) {
        complain("a context of nothing");
        return;
    }
    const struct packet *p = &packets[context_at];
    const struct request *r = &p->request;
    const struct outcome *o = &p->outcome;

    if (c->status != o->status) {
        complain("a status is wrong");
    }
    if (c->read != o->read || c->ready != o->ready || c->tag != r->tag ||
        (r->bad != 0 && (c->src != r->src || c->gen != r->gen || c->mode != r->mode ||
                         c->cmd != r->cmd || c->ptag != r->ptag))) {
        complain("a context is wrong");
    }
    if (o->status == 0 && (r->cmd == PUT_MSG || r->cmd == CQWRITE) &&
        (c->event != o->event || c->queue != o->queue)) {
        complain("an event is wrong");
    }
    context_at++;
}

static void check_memory_head(const struct packet *p, const struct beat *beat)
{
    const struct request *r = &p->request;
    beat_word want = local ? 2 : 0;

    put(&want, 4, local ? r->tag : 0);
    put(&want, 16, r->bytes - 1);
    put(&want, 22, r->cmd != GET);
    put(&want, 28, r->cmd == GET && r->mode >= 4);
    put(&want, 29, r->cmd == PUT_MSG);
    put(&want, 48, p->outcome.address);
    if (!beat->head || beat->bad || beat->tail != (r->cmd == GET) || beat->word != want) {
        complain("the head of an access is wrong");
    }
}

static void check_memory(void)
{
    const struct beat *beat = &dut.out.memory;

    if (!beat->valid) {
        return;
    }
    while (memory_at < made && !packets[memory_at].outcome.memory) {
        memory_at++;
    }
    if (memory_at >= sent + (beat_at != 0)) {
        complain("something that was refused, or nobody sent, goes to memory");
        return;
    }
    const struct packet *p = &packets[memory_at];

    if (memory_beat == 0) {
        check_memory_head(p, beat);
    } else {
        struct beat want = beat_of(p, memory_beat);

        if (beat->head || beat->tail != want.tail || beat->bad != want.bad ||
            beat->word != want.word) {
            complain("data on its way to memory is wrong");
        }
    }
    memory_beat = beat->tail ? 0 : memory_beat + 1;
    memory_at += beat->tail;
}

/* ---- a clock -------------------------------------------------------------------------------------- */

static struct nic_write table_write;
static bool rewrites; /* the driver writes entries as they are, now and then */

static struct nic_write segment_words(unsigned i)
{
    const struct segment *s = &segments[i];

    return (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x8000 + 2 * i + 1),
        .low = s->base | (uint64_t)s->read << 52 | (uint64_t)s->write << 53 |
               (uint64_t)s->mmu << 55 | (uint64_t)s->event << 56 | (uint64_t)s->valid << 58,
        .data = (s->length & (((uint64_t)1 << 40) - 1)) | (uint64_t)s->ptag << 40 |
                (uint64_t)s->queue << 48,
    };
}

static void step(void)
{
    if (rewrites && rng_below(&rng, 16) == 0) {
        table_write = segment_words(rng_below(&rng, MDDS));
    }

    struct rat_in in = {
        .is_local = local,
        .client = local ? 2 : 0,
        .room_memory = rng_chance(&rng, memory_share),
        .room_read = rng_chance(&rng, context_share),
        .room_write = rng_chance(&rng, context_share),
        .write = table_write,
        .config = {.ready = 1,
                   .enable = enabled,
                   .node = NODE,
                   .phys_base = (u48)phys_base,
                   .phys_size = (u48)phys_size},
    };

    if (sent < made && (beat_at != 0 || (dut.out.room && rng_chance(&rng, begin_share)))) {
        if (beat_at == 0 || rng_below(&rng, 8) != 0) {
            in.request = beat_of(&packets[sent], beat_at++);
            if (in.request.tail) {
                beat_at = 0;
                sent++;
            }
        }
    }
    rat(&dut, &in);
    table_write.valid = 0;
    now++;
    check_context();
    check_memory();
    for (unsigned i = 0; i < RAT_COUNTS; i++) {
        counted[i] += (unsigned)dut.out.count >> i & 1;
    }
}

static bool all_out(void)
{
    unsigned c = context_at, m = memory_at;

    while (c < made && !packets[c].outcome.context) {
        c++;
    }
    while (m < made && !packets[m].outcome.memory) {
        m++;
    }
    return sent == made && c == made && m == made;
}

static void run(void)
{
    for (unsigned i = 0; i < 1000000 && !(all_out() && dut.out.idle); i++) {
        step();
    }
    for (unsigned i = 0; i < 10; i++) {
        step();
    }
    if (!all_out()) {
        complain("not all came out");
    }
    if (!dut.out.idle) {
        complain("not idle in the end");
    }
    for (unsigned i = RAT_LOST; i < RAT_COUNTS; i++) {
        if (counted[i] != expected[i]) {
            complain("a counter is wrong");
        }
    }
    made = sent = context_at = memory_at = memory_beat = beat_at = 0;
}

/* ---- tables --------------------------------------------------------------------------------------- */

static void write_segment(unsigned i)
{
    table_write = segment_words(i);
    step();
}

static void write_block(unsigned i)
{
    const struct block *b = &blocks[i];

    table_write = (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x800 + i),
        .data = b->base | (uint64_t)b->size << 12 | (uint64_t)b->valid << 24,
    };
    step();
}

static void begin(bool is_local)
{
    local = is_local;
    enabled = true;
    phys_base = 0;
    phys_size = ((uint64_t)1 << 48) - 1;
    begin_share = memory_share = context_share = 1;
    bad_share = 0;
    wrong = 0;
    made = sent = context_at = memory_at = memory_beat = beat_at = 0;
    memset(counted, 0, sizeof(counted));
    memset(expected, 0, sizeof(expected));
    rat_reset(&dut);
    for (unsigned i = 0; i < 8192; i++) {
        struct rat_in in = {.is_local = is_local, .wipe = {.valid = 1, .index = (u13)i}};

        rat(&dut, &in);
        now++;
    }
    memset(segments, 0, sizeof(segments));
    memset(blocks, 0, sizeof(blocks));
}

static struct request plain(unsigned cmd)
{
    return (struct request){.cmd = cmd,
                            .bytes = cmd == CQWRITE ? 8 : 16,
                            .ptag = 3,
                            .mdh = 5,
                            .node = NODE,
                            .src = rng_below(&rng, 1 << 18),
                            .tag = rng_below(&rng, 1 << 10),
                            .gen = rng_below(&rng, 4),
                            .mode = rng_below(&rng, 7),
                            .offset = 64,
                            .bad = -1};
}

/* ---- tests ---------------------------------------------------------------------------------------- */

/* Every violation, or none, with every command that has a handle; and every command that there is not. */
static const struct segment good = {.base = 0x100003,
                                    .length = 4096,
                                    .ptag = 3,
                                    .queue = 17,
                                    .valid = true,
                                    .read = true,
                                    .write = true,
                                    .event = true};

enum violation {
    NONE,
    DISABLED,
    VMDH,
    HANDLE,
    INVALID,
    DOMAIN,
    BEYOND,
    AT_END,
    NO_READ,
    NO_WRITE,
    NO_EVENT,
    ODD,
    MMU,
    BELOW,
    ABOVE,
    EXACT,
    STRAY,
    LOST,
    DATA_BAD,
    VIOLATIONS
};

static struct request violate(enum violation v, unsigned cmd)
{
    struct request r = plain(cmd);

    switch (v) {
    case DISABLED:
        enabled = false;
        break;
    case VMDH:
        blocks[3] = (struct block){.base = 2, .size = 5, .valid = true};
        break;
    case HANDLE:
        r.mdh = MDDS < 4096 ? MDDS + 5 : 4095;
        break;
    case INVALID:
        segments[5].valid = false;
        break;
    case DOMAIN:
        r.ptag = 4;
        break;
    case BEYOND:
        r.offset = 4096 - r.bytes + 4;
        break;
    case AT_END:
        r.offset = 4096 - r.bytes;
        break;
    case NO_READ:
        segments[5].read = false;
        break;
    case NO_WRITE:
        segments[5].write = false;
        break;
    case NO_EVENT:
        segments[5].event = false;
        break;
    case ODD:
        r.offset++;
        break;
    case MMU:
        segments[5].mmu = true;
        break;
    case BELOW:
        phys_base = 0x100003 + 65;
        break;
    case ABOVE:
        phys_size = 0x100003 + 64 + r.bytes - 1;
        break;
    case EXACT: /* the window is just as large */
        phys_base = 0x100003 + 64;
        phys_size = r.bytes;
        break;
    case STRAY:
        r.node ^= 1;
        break;
    case LOST:
        r.bad = 0;
        break;
    case DATA_BAD:
        r.bad = 1;
        break;
    default:
        break;
    }
    return r;
}

static void test_violations(bool is_local)
{
    uint64_t bad = 0;
    unsigned pairs = 0;

    for (unsigned v = NONE; v < VIOLATIONS; v++) {
        for (unsigned cmd = 0; cmd < (is_local ? 2 : 14); cmd++) {
            struct request r;

            if (is_local && cmd != PUT) {
                continue;
            }
            begin(is_local);
            segments[5] = good;
            r = violate((enum violation)v, cmd);
            for (unsigned i = 0; i < 8; i++) {
                write_segment(i);
            }
            write_block(3);
            queue_request(plain(cmd == 2 ? PUT : cmd)); /* others around it */
            queue_request(r);
            queue_request(plain(PUT));
            run();
            bad += wrong;
            pairs++;
        }
    }
    tap_ok(bad == 0, "%s: %u violations x commands, each its status, no byte let through",
           is_local ? "rat_local" : "rat_net", pairs);
}

static struct segment random_segment(void)
{
    static const unsigned lengths[] = {1, 4, 63, 64, 65, 100, 4096, 100000};
    struct segment s = {.base = rng_next(&rng) >> 17,
                        .length = lengths[rng_below(&rng, 8)],
                        .ptag = rng_below(&rng, 20),
                        .queue = rng_below(&rng, 1024),
                        .valid = rng_below(&rng, 10) != 0,
                        .read = rng_below(&rng, 6) != 0,
                        .write = rng_below(&rng, 6) != 0,
                        .event = rng_below(&rng, 4) != 0,
                        .mmu = rng_below(&rng, 20) == 0};

    if (rng_below(&rng, 10) == 0) {
        s.length = (uint64_t)1 << 40;
        s.base >>= 1;
    }
    return s;
}

static struct request random_request(void)
{
    static const unsigned cmds[] = {GET, GET, PUT, PUT, PUT, PUT_MSG, CQWRITE, 99};
    struct request r = plain(local ? PUT : cmds[rng_below(&rng, 8)]);
    const struct segment *s;

    r.cmd = r.cmd == 99 ? rng_below(&rng, 14) : r.cmd;
    r.mdh = rng_below(&rng, 8) == 0 ? rng_below(&rng, 4096) : rng_below(&rng, 64);
    s = &segments[r.mdh % MDDS];
    r.ptag = rng_below(&rng, 8) == 0 ? rng_below(&rng, 256) : s->ptag;
    r.bytes = r.cmd == GET       ? 4 * (1 + rng_below(&rng, 16))
              : r.cmd == CQWRITE ? 8
                                 : 1 + rng_below(&rng, r.cmd == PUT_MSG ? 56 : 64);
    r.offset = rng_below(&rng, 2) ? rng_below(&rng, 200) : rng_next(&rng) >> 24;
    if (rng_below(&rng, 2) && s->length > r.bytes) {
        r.offset = s->length - r.bytes + rng_below(&rng, 3) - 1;
    }
    r.offset = r.cmd == GET && rng_below(&rng, 8) ? r.offset & ~(uint64_t)3 : r.offset;
    r.offset &= ((uint64_t)1 << 40) - 1;
    r.node ^= !local && rng_below(&rng, 40) == 0;
    if (rng_chance(&rng, bad_share)) {
        r.bad = (int)rng_below(&rng, 5);
    }
    return r;
}

static void test_random(bool is_local, unsigned turn)
{
    begin(is_local);
    phys_base = turn % 2 ? (uint64_t)1 << 44 : 0;
    phys_size = turn % 2 ? (uint64_t)1 << 45 : ((uint64_t)1 << 48) - 1;
    for (unsigned i = 0; i < MDDS; i++) {
        segments[i] = random_segment();
        write_segment(i);
    }
    for (unsigned i = 0; i < VMDHS; i++) {
        blocks[i] = (struct block){
            .base = rng_below(&rng, 64), .size = rng_below(&rng, 64), .valid = rng_below(&rng, 2)};
        write_block(i);
    }
    begin_share = turn % 3 == 0 ? 1 : 0.5;
    memory_share = turn % 3 == 1 ? 0.3 : 1;
    context_share = turn % 3 == 2 ? 0.4 : 1;
    bad_share = 0.05;
    for (unsigned i = 0; i < 10000; i++) {
        queue_request(random_request());
    }
    rewrites = turn % 2 != 0;
    run();
    rewrites = false;
    tap_ok(wrong == 0, "%s: 10000 random requests, load %u", is_local ? "rat_local" : "rat_net",
           turn);
}

/* One head a clock, 64 bytes in five. */
static void test_rate(void)
{
    uint64_t from;

    begin(false);
    segments[5] = good;
    write_segment(5);
    for (unsigned i = 0; i < 2000; i++) {
        queue_request(plain(GET));
    }
    from = now;
    run();
    tap_ok(wrong == 0 && now - from < 2040, "gets: one per %.3f clocks",
           (double)(now - from) / 2000);
}

/* Bits of both tables. */
static void test_bits(unsigned bits)
{
    uint64_t wrong_bits = 0;

    begin(false);
    for (unsigned i = 0; i < 400; i++) {
        bool block = i % 2;
        unsigned width = block ? 31 : 46, word = block ? 0 : rng_below(&rng, 3);
        unsigned first = rng_below(&rng, width),
                 second = (first + 1 + rng_below(&rng, width - 1)) % width;
        struct request r = plain(PUT);

        segments[5] = good;
        write_segment(5);
        blocks[3] = (struct block){.base = 0, .size = 4095, .valid = true};
        write_block(3);
        if (block) {
            dut.vmdhs[3] ^= (vmdh_ecc_word)1 << first;
            dut.vmdhs[3] ^= bits == 2 ? (vmdh_ecc_word)1 << second : (vmdh_ecc_word)0;
        } else {
            dut.mdds[5] ^= (mdd_code)1 << (46 * word + first);
            dut.mdds[5] ^= bits == 2 ? (mdd_code)1 << (46 * word + second) : (mdd_code)0;
        }
        queue_request(r);
        if (bits == 2) {
            packets[0].outcome = (struct outcome){.context = true, .ready = true, .status = 1};
            expected[RAT_UNCORRECTABLE]++;
        }
        run();
        wrong_bits++;
    }
    tap_ok(wrong == 0 && (bits == 2 || counted[RAT_CORRECTED] == wrong_bits),
           "%u wrong bits in MDD or vMDH: %s", bits,
           bits == 1 ? "corrected, counted" : "UNCORRECTABLE, nothing touched");
}

/* The tables are empty after the wipe, whatever they held. */
static void test_wipe(void)
{
    begin(false);
    for (unsigned i = 0; i < MDDS; i++) {
        segments[i] = good;
        write_segment(i);
    }
    begin(false);
    for (unsigned i = 0; i < 200; i++) {
        struct request r = plain(i % 2 ? PUT : GET);

        r.mdh = rng_below(&rng, MDDS);
        queue_request(r);
    }
    run();
    tap_ok(wrong == 0, "after the wipe no handle is valid");
}

int main(int argc, char **argv)
{
    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    packets = calloc(MOST, sizeof(*packets));
    test_violations(false);
    test_violations(true);
    for (unsigned turn = 0; turn < 6; turn++) {
        test_random(false, turn);
    }
    test_random(true, 0);
    test_random(true, 1);
    test_rate();
    test_bits(1);
    test_bits(2);
    test_wipe();
    free(packets);
    tap_ok(harness_covers("hls/nic/target/rat.c") == 3, "all covers are hit");
    return tap_done();
}
