// SPDX-License-Identifier: Apache-2.0
/*
 * test_rat.c - every violation with every command, alone and in random streams; every opcode of atomic operations; rates, wrong
 * bits in the tables, the edges of physical memory, the wipe.
 *
 * Built for aries: fast; proto: san. Recorded for rat.
 */
#include "tb/blocks/nic/target/rat_bench.h"
#include "tb/blocks/nic/target/rat_flags.h"
#include "tb/blocks/nic/target/rat_reads.h"
#include "tb/blocks/nic/target/rat_words.h"
#include "tb/golden/nic/nic_amo.h"

#include <stdlib.h>
#include <string.h>

/* ---- tests ---------------------------------------------------------------------------------------- */

/* Every violation, or none, with every command that has a handle; and every command that there is not. */
static const struct segment good = {.base = 0x100003,
                                    .length = 4096,
                                    .ptag = 3,
                                    .queue = 17,
                                    .valid = true,
                                    .read = true,
                                    .write = true,
                                    .atomic = true,
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
    NO_ATOMIC,
    ONLY_ATOMIC,
    ODD,
    HALF,
    HALF_BASE,
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
    struct request r = rat_bench_plain(cmd);

    switch (v) {
    case DISABLED:
        rb.enabled = false;
        break;
    case VMDH:
        rb.blocks[3] = (struct block){.base = 2, .size = 5, .valid = true};
        break;
    case HANDLE:
        r.mdh = MDDS < 4096 ? MDDS + 5 : 4095;
        break;
    case INVALID:
        rb.segments[5].valid = false;
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
        rb.segments[5].read = false;
        break;
    case NO_WRITE:
        rb.segments[5].write = false;
        break;
    case NO_EVENT:
        rb.segments[5].event = false;
        break;
    case NO_ATOMIC:
        rb.segments[5].atomic = false;
        break;
    case ONLY_ATOMIC:
        rb.segments[5].read = rb.segments[5].write = rb.segments[5].event = false;
        break;
    case ODD:
        r.offset++;
        break;
    case HALF: /* right for 4 bytes, not for 8; together with that of the base right for both */
        r.offset += 4;
        break;
    case HALF_BASE:
        r.offset += 4;
        rb.segments[5].base += 4;
        break;
    case MMU:
        rb.segments[5].mmu = true;
        break;
    case BELOW:
        rb.phys_base = rb.segments[5].base + 65;
        break;
    case ABOVE:
        rb.phys_size = rb.segments[5].base + 64 + r.bytes - 1;
        break;
    case EXACT: /* the window is just as large */
        rb.phys_base = rb.segments[5].base + 64;
        rb.phys_size = r.bytes;
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
    struct misses bad = {0};
    unsigned pairs = 0;

    rat_bench_begin(is_local);
    for (unsigned v = NONE; v < VIOLATIONS; v++) {
        for (unsigned cmd = 0; cmd < (is_local ? 2 : 14); cmd++) {
            struct request r;

            if (is_local && cmd != PUT) {
                continue;
            }
            rat_bench_reset(is_local);
            rb.segments[5] = good;
            rb.segments[5].base &= cmd == AMO || cmd == FAMO ? ~(uint64_t)7 : ~(uint64_t)0;
            r = violate((enum violation)v, cmd);
            for (unsigned i = 0; i < 8; i++) {
                rat_bench_write_segment(i);
            }
            rat_bench_write_block(3);
            rat_bench_queue_request(rat_bench_plain(cmd)); /* others around it */
            rat_bench_queue_request(r);
            rat_bench_queue_request(rat_bench_plain(PUT));
            rat_bench_run();
            misses_add(&bad, &rb.wrong);
            pairs++;
        }
    }
    /* holds rat.status */
    tap_misses(&bad, "%s: %u violations x commands, each its status, no byte let through",
               is_local ? "rat_local" : "rat_net", pairs);
}

/* Every opcode of both commands, in a segment with that right alone and in one with all others, operands with wrong bits too. */
static void test_opcodes(unsigned turn)
{
    unsigned done = 0;

    rat_bench_begin(false);
    rb.segments[5] = (struct segment){.base = 0x7000, .length = 4096, .ptag = 3, .valid = true};
    rb.segments[5].atomic = true;
    rb.segments[6] = good;
    rb.segments[6].base = 0x9000;
    rb.segments[6].atomic = false;
    rat_bench_write_segment(5);
    rat_bench_write_segment(6);
    rb.atomic_share = turn == 0 ? 1 : 0.3;
    rb.memory_share = turn == 0 ? 1 : 0.5;
    for (unsigned i = 0; i < 2 * 128 * 8; i++) {
        struct request r = rat_bench_plain(PUT);

        rat_bench_operation(&r, i % 2 ? FAMO : AMO, i / 2 % 128);
        r.mode = i / 256 % 8 == 7 ? rng_below(&rb.rng, 7) : i / 256 % 8;
        r.offset = r.bytes * rng_below(&rb.rng, 4096 / r.bytes);
        r.bad = rng_below(&rb.rng, 8) == 0 ? 1 : -1;
        done += gn_amo_of(r.opcode, r.cmd == FAMO).exists;
        rat_bench_queue_request(r);
        r.mdh = 6;
        rat_bench_queue_request(r);
    }
    rat_bench_run();
    must_equal(&rb.wrong, done, 118 * 8, "operations that exist");
    tap_misses(&rb.wrong,
               "AMO and FAMO with 128 opcodes, load %u: %u leave, with their right alone", turn,
               done / 8);
}

static void begin_aligned(void)
{
    rat_bench_begin(false);
    rb.segments[5] = good;
    rb.segments[5].base = 0x100000;
    rat_bench_write_segment(5);
}

/* No room for one kind: it waits, and what is behind it, nothing before. */
static void test_room(double *share, unsigned kind, unsigned others, const char *name)
{
    const unsigned before[] = {others, PUT, CQWRITE, PUT_MSG};
    struct misses bad = {0};

    for (unsigned n = 0; n < 20; n++) {
        begin_aligned();
        *share = 0;
        for (unsigned i = 0; i < n; i++) {
            rat_bench_queue_request(rat_bench_plain(before[i % 4]));
        }
        rat_bench_queue_request(rat_bench_plain(kind));
        rat_bench_queue_request(rat_bench_plain(PUT));
        rat_bench_queue_request(rat_bench_plain(others));
        rat_bench_clocks(150);
        must(&bad, rat_bench_stands_behind(n),
             "%u packets before it: not just those have left while it waits", n);
        *share = 1;
        rat_bench_run();
        misses_add(&bad, &rb.wrong);
    }
    tap_misses(&bad, "no room for %s: they wait, and what is behind, nothing before", name);
}

/* Operations one behind the other until their room falls. */
static void test_last_room(void)
{
    unsigned beats = 0;

    begin_aligned();
    for (unsigned i = 0; i < 100; i++) {
        rat_bench_queue_request(rat_bench_plain(AMO));
    }
    rat_bench_clocks(50);
    rb.atomic_share = 0;
    for (unsigned i = 0; i < 50; i++) {
        rat_bench_clocks(1);
        beats += rb.dut.out.memory.valid;
    }
    rb.atomic_share = 1;
    rat_bench_run();
    must_at_most(&rb.wrong, beats, BEAT_ROOM - BEATS, "beats behind the last room");
    tap_misses(&rb.wrong, "%u beats of them behind the last room", beats);
}

static struct segment random_segment(void)
{
    static const unsigned lengths[] = {1, 4, 63, 64, 65, 100, 4096, 100000};
    struct segment s = {.base = rng_next(&rb.rng) >> 17,
                        .length = lengths[rng_below(&rb.rng, 8)],
                        .ptag = rng_below(&rb.rng, 20),
                        .queue = rng_below(&rb.rng, 1024),
                        .valid = rng_below(&rb.rng, 10) != 0,
                        .read = rng_below(&rb.rng, 6) != 0,
                        .write = rng_below(&rb.rng, 6) != 0,
                        .atomic = rng_below(&rb.rng, 6) != 0,
                        .event = rng_below(&rb.rng, 4) != 0,
                        .mmu = rng_below(&rb.rng, 4) == 0,
                        .tc = rng_below(&rb.rng, 16)};

    if (rng_below(&rb.rng, 10) == 0) {
        s.length = (uint64_t)1 << 40;
        s.base >>= 1;
    }
    return s;
}

static struct request random_request(void)
{
    static const unsigned cmds[] = {GET,     GET, PUT,  PUT,  PUT,      PUT_MSG,
                                    CQWRITE, AMO, FAMO, SEND, SEND_END, 99};
    struct request r = rat_bench_plain(rb.local ? PUT : cmds[rng_below(&rb.rng, 12)]);
    const struct segment *s;

    r.cmd = r.cmd == 99 ? rng_below(&rb.rng, 14) : r.cmd;
    r.mdh = rng_below(&rb.rng, 8) == 0 ? rng_below(&rb.rng, 4096) : rng_below(&rb.rng, 64);
    s = &rb.segments[r.mdh % MDDS];
    r.ptag = rng_below(&rb.rng, 8) == 0 ? rng_below(&rb.rng, 256) : s->ptag;
    r.bytes = r.cmd == GET       ? 4 * (1 + rng_below(&rb.rng, 16))
              : r.cmd == CQWRITE ? 8
              : is_end(&r)       ? 20
                                 : 1 + rng_below(&rb.rng, r.cmd == PUT_MSG ? 56 : 64);
    if (is_operation(&r)) {
        rat_bench_operation(&r, r.cmd,
                            rng_below(&rb.rng, 2) ? rng_below(&rb.rng, 128)
                                                  : 0x40 | rng_below(&rb.rng, 8));
    }
    r.offset = rng_below(&rb.rng, 2) ? rng_below(&rb.rng, 200) : rng_next(&rb.rng) >> 24;
    if (rng_below(&rb.rng, 2) && s->length > r.bytes) {
        r.offset = s->length - r.bytes + rng_below(&rb.rng, 3) - 1;
    }
    r.offset = r.cmd == GET && rng_below(&rb.rng, 8) ? r.offset & ~(uint64_t)3 : r.offset;
    r.offset -= is_operation(&r) && rng_below(&rb.rng, 8) ? (s->base + r.offset) % r.bytes : 0;
    r.offset -= is_end(&r) && rng_below(&rb.rng, 4) ? (s->base + r.offset) % 8 : 0;
    r.offset &= ((uint64_t)1 << 40) - 1;
    r.node ^= !rb.local && rng_below(&rb.rng, 40) == 0;
    r.rmt = !rb.local && rng_below(&rb.rng, is_message(&r) ? 8 : 2) != 0;
    r.ssid = rng_below(&rb.rng, 512);
    r.use = rng_below(&rb.rng, 4);
    r.flags = rng_below(&rb.rng, 4) == 0 ? rng_below(&rb.rng, 4) : 2;
    if (rng_chance(&rb.rng, rb.bad_share)) {
        r.bad = (int)rng_below(&rb.rng, 5);
    }
    return r;
}

/* A read of this host's own memory. */
static struct request random_read(void)
{
    struct request r = random_request();

    r.cmd = GET;
    r.bad = -1;
    return r;
}

static struct request random_word(void)
{
    struct request r = random_read();

    r.cmd = PUT;
    r.bytes = rng_below(&rb.rng, 2) ? 8 : 16;
    r.tag %= 32;
    return r;
}

static void test_random(bool is_local, unsigned turn)
{
    rat_bench_begin(is_local);
    rb.phys_base = turn % 2 ? (uint64_t)1 << 44 : 0;
    rb.phys_size = turn % 2 ? (uint64_t)1 << 45 : ((uint64_t)1 << 48) - 1;
    for (unsigned i = 0; i < MDDS; i++) {
        rb.segments[i] = random_segment();
        rat_bench_write_segment(i);
    }
    for (unsigned i = 0; i < VMDHS; i++) {
        rb.blocks[i] = (struct block){.base = rng_below(&rb.rng, 64),
                                      .size = rng_below(&rb.rng, 64),
                                      .valid = rng_below(&rb.rng, 2)};
        rat_bench_write_block(i);
    }
    rb.begin_share = turn % 3 == 0 ? 1 : 0.5;
    rb.memory_share = turn % 3 == 1 ? 0.3 : 1;
    rb.context_share = turn % 3 == 2 ? 0.4 : 1;
    rb.atomic_share = turn % 2 == 1 ? 0.3 : 1;
    rb.collective_share = turn % 2 == 0 ? 0.3 : 1;
    rb.bad_share = 0.05;
    for (unsigned i = 0; i < 10000; i++) {
        rat_bench_queue_request(random_request());
        if (is_local) {
            rat_reads_add(random_read());
            if (i % 4 == 0) {
                rat_flags_add(random_request(), rng_next(&rb.rng));
            }
        }
        if (is_local && NIC_CE) {
            rat_words_add(random_word());
        }
    }
    rb.rewrites = turn % 2 != 0;
    rat_bench_run();
    rb.rewrites = false;
    /* holds rat.cqwrite, rat.flag */
    tap_misses(&rb.wrong, "%s: 10000 random requests, load %u", is_local ? "rat_local" : "rat_net",
               turn);
}

/* One beat a clock. */
static void test_rate(unsigned cmd, unsigned beats)
{
    uint64_t from;

    rat_bench_begin(false);
    rb.segments[5] = good;
    rb.segments[5].base = 0x100000;
    rat_bench_write_segment(5);
    for (unsigned i = 0; i < 2000; i++) {
        rat_bench_queue_request(rat_bench_plain(cmd));
    }
    rb.gapless = true;
    from = rb.now;
    rat_bench_run();
    must_at_most(&rb.wrong, rb.now - from, 2000 * beats + 39, "clocks for 2000");
    tap_misses(&rb.wrong, "%s: one per %.3f clocks", cmd == GET ? "gets" : "atomic operations",
               (double)(rb.now - from) / 2000);
}

/*
 * Addresses at the edges of what the driver allowed, both at any place: the access begins at its first byte or one before, ends at its
 * last or one behind; or an edge is a power of two, and all else is far.
 */
static void test_window(void)
{
    struct misses bad = {0};
    uint64_t passed = 0;
    const unsigned turns = 2000;

    rat_bench_begin(false);
    for (unsigned i = 0; i < turns; i++) {
        struct request r = rat_bench_plain(PUT);
        const uint64_t power = (uint64_t)1 << i / 4 % 48;
        const uint64_t below = i & 1 ? rng_below(&rb.rng, 3) : power / 2;
        uint64_t at, end;

        rat_bench_reset(false);
        rb.segments[5] = good;
        rb.segments[5].base = power / 2 + (i & 2 ? power / 2 : 0) + rng_next(&rb.rng) % power;
        rb.segments[5].base &= ((uint64_t)1 << 47) - 1;
        rat_bench_write_segment(5);
        rat_bench_write_block(3);
        at = rb.segments[5].base + r.offset;
        end = at + r.bytes;
        rb.phys_base = at + 1 > below ? at + 1 - below : 0;
        rb.phys_size = (i & 2 ? power : end - rb.phys_base) + rng_below(&rb.rng, 3) - 1;
        rat_bench_queue_request(r);
        passed += rb.packets[0].outcome.memory;
        rat_bench_run();
        misses_add(&bad, &rb.wrong);
    }
    must_at_least(&bad, passed, turns / 10 + 1, "puts that may");
    must_at_most(&bad, passed, turns * 9 / 10 - 1, "puts that may");
    tap_misses(&bad, "the edges of physical memory: %llu of %u puts may",
               (unsigned long long)passed, turns);
}

/* A word of a table with these bits wrong, and a request that needs it. */
static void harmed_table(bool block, unsigned word, unsigned first, unsigned second)
{
    bool fatal = first != second;

    rb.segments[5] = good;
    rat_bench_write_segment(5);
    rb.blocks[3] = (struct block){.base = 0, .size = 4095, .valid = true};
    rat_bench_write_block(3);
    if (block) {
        rb.dut.vmdhs[3] ^= (vmdh_ecc_word)1 << first;
        rb.dut.vmdhs[3] ^= fatal ? (vmdh_ecc_word)1 << second : (vmdh_ecc_word)0;
    } else {
        rb.dut.mdds[5] ^= (mdd_code)1 << (46 * word + first);
        rb.dut.mdds[5] ^= fatal ? (mdd_code)1 << (46 * word + second) : (mdd_code)0;
    }
    rat_bench_queue_request(rat_bench_plain(PUT));
    if (fatal) {
        rb.packets[0].outcome = (struct outcome){.context = true, .ready = true, .status = 1};
        rb.expected[RAT_UNCORRECTABLE]++;
    }
    rat_bench_run();
}

/* Every bit, or every two bits, of a word of each table. */
static void test_bits(unsigned bits)
{
    uint64_t words = 0;

    rat_bench_begin(false);
    for (unsigned word = 0; word < 4; word++) {
        unsigned width = word == 3 ? 31 : 46;

        for (unsigned first = 0; first < width; first++) {
            for (unsigned second = first + bits - 1; second < (bits == 1 ? first + 1 : width);
                 second++) {
                harmed_table(word == 3, word, first, second);
                words++;
            }
        }
    }
    if (bits == 1)
        must_equal(&rb.wrong, rb.counted[RAT_CORRECTED], words, "words counted as corrected");
    tap_misses(&rb.wrong, "%u wrong bits in MDD or vMDH, %llu words: %s", bits,
               (unsigned long long)words,
               bits == 1 ? "corrected, counted" : "UNCORRECTABLE, nothing touched");
}

/* Reads of this host's own memory have a turn behind each packet of the queue, which is never empty. */
static void test_read_turns(void)
{
    enum { PACKETS = 2000 };

    rat_bench_begin(true);
    rb.segments[5] = good;
    rat_bench_write_segment(5);
    for (unsigned i = 0; i < PACKETS; i++) {
        struct request read = rat_bench_plain(GET), write = rat_bench_plain(PUT);

        read.bytes = 1 + i % 64;
        write.bytes = 64;
        rat_reads_add(read);
        rat_bench_queue_request(write);
    }
    rb.gapless = true;
    rat_bench_clocks(6 * PACKETS / 2);
    unsigned left = rat_reads_left();

    rat_bench_run();
    /* holds rat.reads */
    must_at_least(&rb.wrong, left, PACKETS / 2 - 10, "reads that left beside half of the packets");
    must_at_most(&rb.wrong, left, PACKETS / 2 + 10, "reads that left beside half of the packets");
    tap_misses(&rb.wrong,
               "a read of local memory between two packets: %u of %u beside half of them", left,
               PACKETS);
}

/* The tables are empty after the wipe, whatever they held. */
static void test_wipe(void)
{
    rat_bench_begin(false);
    for (unsigned i = 0; i < MDDS; i++) {
        rb.segments[i] = good;
        rat_bench_write_segment(i);
    }
    rat_bench_begin(false);
    for (unsigned i = 0; i < 200; i++) {
        struct request r = rat_bench_plain(i % 2 ? PUT : GET);

        r.mdh = rng_below(&rb.rng, MDDS);
        rat_bench_queue_request(r);
    }
    rat_bench_run();
    tap_misses(&rb.wrong, "after the wipe no handle is valid");
}

int main(int argc, char **argv)
{
    rng_seed(&rb.rng, test_seed(argc, argv));
    harness_clock = &rb.now;
    rb.packets = calloc(MOST, sizeof(*rb.packets));
    test_violations(false);
    test_violations(true);
    test_bits(1);
    test_bits(2);
    test_window();
    test_opcodes(0);
    test_opcodes(1);
    test_room(&rb.atomic_share, AMO, GET, "AMO");
    test_room(&rb.atomic_share, FAMO, GET, "FAMO");
#if NIC_CE
    test_room(&rb.collective_share, CE_UP, GET, "CE_UP");
    test_room(&rb.collective_share, CE_DOWN, AMO, "CE_DOWN");
#endif
    test_room(&rb.read_share, GET, AMO, "gets");
    test_last_room();
    test_rate(GET, 1);
    test_rate(FAMO, 2);
    test_wipe();
    test_read_turns();
    for (unsigned turn = 0; turn < 6; turn++) {
        test_random(false, turn);
    }
    test_random(true, 0);
    test_random(true, 1);
    free(rb.packets);
    tap_ok(harness_covers("hls/nic/target/rat.c") == 3, "all covers are hit");
    return tap_done();
}
