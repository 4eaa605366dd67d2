// SPDX-License-Identifier: Apache-2.0
/*
 * test_bgl_bits.c - bits that flip in every memory of nodes under traffic, in words that are in use. One in a word: corrected and counted, everything arrives. Two, or one where a
 * parity tells: no host sees them, no packet comes twice or elsewhere, what is lost is told, and the node goes on.
 *
 * Built for bgl: fast.
 */
#include "tb/bgl/bgl_traffic.h"

enum { RING = 4, EVERY = 24, DRAIN = 400000, QUIET = 3000, AGAIN = 4000 };

static const struct bgl_traffic load = {.rate = 0.02, .dynamic = 0.5, .high = 0.2, .small = 0.3};

enum memory {
    VC_WORDS,
    VC_MARKS,
    RESEND_WORDS,
    RESEND_INFO,
    INJECTION,
    RECEPTION,
    FRAMER,
    MEMORIES
};

static const char *const names[MEMORIES] = {
    "VC FIFOs",        "their {n, valid}", "resend FIFOs",      "their {n, vc, valid}",
    "injection FIFOs", "reception FIFOs",  "buffers of framers"};

/* A word that is in use, of a ring of so many words from one pointer to another; -1: there is none. */
static int in_use(struct rng *r, unsigned from, unsigned to, unsigned size, unsigned turn)
{
    const unsigned used = (to - from) % turn;
    return used == 0 || used > size ? -1 : (int)((from + rng_below(r, used)) % size);
}

/* Flips bits of a word that is right so far; the number that was flipped. */
static unsigned flip_word(struct rng *r, word_ecc_word *word, unsigned bits)
{
    const struct word_ecc_result is = word_ecc_decode(*word);
    const unsigned first = rng_below(r, 72);
    if (is.corrected || is.fatal)
        return 0;
    *word ^= (word_ecc_word)1 << first;
    if (bits == 2)
        *word ^= (word_ecc_word)1 << (first + 1 + rng_below(r, 71)) % 72;
    return bits;
}

static unsigned flip_quad(struct rng *r, struct quad_word *word, unsigned bits)
{
    return flip_word(r, rng_below(r, 2) ? &word->lower : &word->upper, bits);
}

static unsigned flip_mark(struct rng *r, mark_ecc_word *word, unsigned bits)
{
    const struct mark_ecc_result is = mark_ecc_decode(*word);
    const unsigned first = rng_below(r, 8);
    if (is.corrected || is.fatal)
        return 0;
    *word ^= (mark_ecc_word)(1 << first);
    if (bits == 2)
        *word ^= (mark_ecc_word)(1 << (first + 1 + rng_below(r, 7)) % 8);
    return bits;
}

static unsigned flip_info(struct rng *r, info_ecc_word *word, unsigned bits)
{
    const struct info_ecc_result is = info_ecc_decode(*word);
    const unsigned first = rng_below(r, 11);
    if (is.corrected || is.fatal)
        return 0;
    *word ^= (info_ecc_word)(1 << first);
    if (bits == 2)
        *word ^= (info_ecc_word)(1 << (first + 1 + rng_below(r, 10)) % 11);
    return bits;
}

/* An injection FIFO's word that is not the first of a packet: quads of whole packets from the one in front on. */
static int body_of_injection(struct rng *r, const struct bgl_inject *inject, unsigned f)
{
    const int at = in_use(r, (unsigned)inject->rd[f], (unsigned)inject->wr[f], 64, 128);
    if (at < 0)
        return -1;
    const bgl_quad quad = quad_decode(inject->memory[64 * f + (unsigned)at]).data;
    uint8_t number[4];
    for (unsigned i = 0; i < 4; i++)
        number[i] = (uint8_t)(quad >> (64 + 8 * i));
    /* a first quad carries the packet's number, which is small, behind its header */
    return number[2] == 0 && number[3] == 0 ? -1 : at;
}

static unsigned flip(struct bgl_bench *b, enum memory memory, unsigned bits)
{
    struct rng *r = &b->rng;
    struct bgl_node *node = &b->node[rng_below(r, RING)];
    struct bgl_port *port = &node->port[rng_below(r, 2)];
    struct bgl_resend *resend = &port->link.resend;
    struct bgl_framer *framer = &port->link.framer;
    const unsigned k = rng_below(r, 4), f = rng_below(r, 8), fifo = rng_below(r, 16);
    int at = -1;
    switch (memory) {
    case VC_WORDS:
        at =
            in_use(r, (unsigned)port->fifo.queue[k].rd, (unsigned)port->fifo.queue[k].wr, 128, 256);
        return at < 0 ? 0 : flip_word(r, &port->fifo.memory[128 * k + (unsigned)at], bits);
    case VC_MARKS:
        at =
            in_use(r, (unsigned)port->fifo.queue[k].left, (unsigned)port->fifo.queue[k].in, 32, 64);
        return at < 0 ? 0 : flip_mark(r, &port->fifo.queue[k].marks[at], bits);
    case RESEND_WORDS:
        at = in_use(r, (unsigned)resend->base_at, (unsigned)resend->write, 256, 256);
        return at < 0 ? 0 : flip_word(r, &resend->memory[at], bits);
    case RESEND_INFO:
        at = in_use(r, (unsigned)resend->out.base, (unsigned)resend->out.number, 64, 256);
        return at < 0 ? 0 : flip_info(r, &resend->info[at], bits);
    case INJECTION:
        at = body_of_injection(r, &node->inject, f);
        return at < 0 ? 0 : flip_quad(r, &node->inject.memory[64 * f + (unsigned)at], bits);
    case RECEPTION:
        at = in_use(r, (unsigned)node->reception.rd[fifo], (unsigned)node->reception.wr[fifo], 64,
                    128);
        return at < 0
                   ? 0
                   : flip_word(r,
                               &(rng_below(r, 2) ? node->reception.lower
                                                 : node->reception.upper)[64 * fifo + (unsigned)at],
                               bits);
    default:
        at = in_use(r, (unsigned)framer->write - (unsigned)framer->count, (unsigned)framer->write,
                    16, 16);
        if (at >= 0)
            framer->held[at] ^= (u8)(1 << rng_below(r, 8));
        return at >= 0;
    }
}

static uint64_t count_all(struct bgl_bench *b, unsigned of_port, unsigned of_node)
{
    uint64_t sum = 0;
    for (unsigned n = 0; n < RING; n++) {
        for (unsigned p = 0; p < 2; p++)
            sum += bench_read(b, n, BGL_REG_COUNTERS + BGL_REG_COUNTERS_STEP * p + of_port);
        sum += bench_read(b, n, BGL_REG_NODE_COUNTERS + of_node);
    }
    return sum;
}

/* Flips under traffic, about so many; some cables have errors, so that packets are sent again. */
static unsigned flips(struct bgl_bench *b, enum memory memory, unsigned bits, unsigned wanted)
{
    unsigned done = 0;
    for (unsigned n = 0; n < RING; n++)
        b->cable[n][0].ber = memory == RESEND_WORDS ? 4e-4 : 2e-5;
    for (unsigned i = 0; i < 40 * wanted && done < wanted; i++) {
        traffic_run(b, &load, memory == FRAMER ? 5 : EVERY);
        done += flip(b, memory, bits) != 0;
    }
    for (unsigned n = 0; n < RING; n++)
        b->cable[n][0].ber = 0;
    return done;
}

static void single(enum memory memory, unsigned wanted, uint64_t seed)
{
    static struct bgl_bench b;
    bench_start(&b, RING, 1, 1, 3, seed);
    const unsigned done = flips(&b, memory, 1, wanted);
    tap_at_least(done, wanted / 2, "bits flip in %s", names[memory]);
    traffic_check(&b, DRAIN, names[memory]);
    tap_at_least(count_all(&b, COUNT_CORRECTED, NODE_CORRECTED), done / 20,
                 "%s: of %u some were read, corrected and counted", names[memory], done);
    tap_equal(count_all(&b, COUNT_UNCORRECTABLE, NODE_UNCORRECTABLE), 0, "and none was lost");
    bench_free(&b);
}

/* Until nothing arrives any more. */
static void settle(struct bgl_bench *b)
{
    uint64_t before = UINT64_MAX;
    while (before != b->arrived) {
        before = b->arrived;
        bench_run(b, QUIET);
    }
}

/* Ends of a link with another CRC-32, or an account that waits, begin anew. */
static void restart_links(struct bgl_bench *b)
{
    bench_forgive(b);
    for (unsigned n = 0; n < RING; n++)
        bench_write(b, n, BGL_REG_PORT, 1 | 1 << BGL_REG_PORT_DROP_AT);
    bench_run(b, AGAIN);
}

static void twofold(enum memory memory, unsigned wanted, uint64_t seed)
{
    static struct bgl_bench b;
    unsigned missing = 0;
    bench_start(&b, RING, 1, 1, 3, seed);
    const unsigned done = flips(&b, memory, 2, wanted);
    settle(&b);
    for (unsigned i = 0; i < b.packets; i++)
        missing += b.packet[i].wanted - b.packet[i].arrived;
    const uint64_t told = count_all(&b, COUNT_UNCORRECTABLE, NODE_UNCORRECTABLE) +
                          count_all(&b, COUNT_PARITY, NODE_PARITY);
    const uint64_t epochs = count_all(&b, COUNT_EPOCHS, NODE_PARITY);
    tap_at_least(done, wanted / 2, "two bits flip in words of %s", names[memory]);
    tap_note("%s: %u flipped, %u packets missing, %u told, %u epochs", names[memory], done, missing,
             (unsigned)told, (unsigned)epochs);
    if (memory != VC_MARKS && memory != RESEND_INFO) {
        tap_at_least(told, 1, "and it is told");
        tap_at_most(missing, told, "no more packets are lost than are told");
        tap_equal(epochs, 0, "no link begins anew");
    } else {
        tap_at_least(epochs, 1, "the port begins a new epoch");
    }
    restart_links(&b);
    tap_equal(b.wrong + b.unexplained + b.twice + b.disordered, 0,
              "%s: nothing changed, elsewhere or doubled", names[memory]);
    traffic_run(&b, &load, 800);
    traffic_check(&b, DRAIN, "behind it");
    bench_free(&b);
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, wanted = 1000;
    test_options(argc, argv, &seed, args_number("--flips", &wanted, 60, 10000000, "of bits"));
    for (unsigned m = 0; m < FRAMER; m++)
        single((enum memory)m, (unsigned)wanted / 10, seed + m);
    for (unsigned m = 0; m < MEMORIES; m++)
        if (m != RECEPTION)
            twofold((enum memory)m, (unsigned)wanted / 25, seed + 10 + m);
    return tap_done();
}
