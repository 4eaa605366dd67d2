// SPDX-License-Identifier: Apache-2.0
/*
 * test_packet_golden.c - the golden link of packet mode against the bit layouts of hls/link/packet/phit.h, which share nothing: table of
 * fields, words of the lanes, link CRC and core CRC.
 *
 * Built for proto24: san.
 */
#include "tb/golden/link/packet.h"
#include "hls/link/packet/phit.h"
#include "tb/base/harness.h"

#include <inttypes.h>

enum { ROUNDS = 2000, VC_BITS = LCB_VC_BITS };

/* What the accessors of phit.h find in a phit. */
static uint32_t hls_field(enum golden_phit_field field, uint32_t phit)
{
    const struct phit p = {.kind = (u2)(phit >> GOLDEN_CONTENT_BITS), .content = (lcb_flit)phit};
    switch (field) {
    case IN_PHIT_KIND:
        return (uint32_t)(phit_join(p) >> GOLDEN_CONTENT_BITS);
    case IN_PHIT_SOFT:
        return end_soft(p.content);
    case IN_PHIT_COUNT:
        return end_count(p.content);
    case IN_PHIT_CRC:
        return (pkt_crc)p.content;
    case IN_PHIT_RECORD:
        return is_record((struct phit){.kind = PHIT_IDLE, .content = p.content});
    case IN_PHIT_SEEK:
        return record_seek(p.content);
    case IN_PHIT_ACK:
    case IN_PHIT_NEXT:
        return record_position(p.content);
    case IN_PHIT_NAK:
        return ack_nak(p.content);
    case IN_PHIT_VC: /* bits of it that this machine has */
        return ack_vc(p.content);
    case IN_PHIT_STEPS:
        return ack_steps(p.content);
    case IN_PHIT_LOAD:
        return seek_load(p.content);
    case IN_PHIT_EMPTY:
        return seek_empty(p.content);
    case IN_PHIT_FIELDS:
        break;
    }
    return UINT32_MAX;
}

static void reads(struct rng *r)
{
    for (unsigned f = 0; f < IN_PHIT_FIELDS; f++) {
        const uint32_t mask = f == IN_PHIT_VC ? LCB_VCS - 1 : UINT32_MAX;
        uint64_t wrong = 0;
        for (unsigned i = 0; i < ROUNDS; i++) {
            const uint32_t phit = (uint32_t)rng_next(r) & 0xFFFFFF;
            wrong += (golden_phit_get(phit, (enum golden_phit_field)f) & mask) !=
                     hls_field((enum golden_phit_field)f, phit);
        }
        tap_equal(wrong, 0, "field \"%s\": read alike", golden_phit_places[f].name);
    }
}

static uint32_t set(uint32_t phit, enum golden_phit_field field, uint32_t value)
{
    return golden_phit_set(phit, field, value);
}

/* An end, an ACK and a SEEK, packed by either. */
static void packs(struct rng *r)
{
    uint64_t ends = 0, acks = 0, seeks = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint32_t x = (uint32_t)rng_next(r), y = (uint32_t)rng_next(r);
        const uint32_t vc = x >> 24 & (LCB_VCS - 1);
        const uint32_t end =
            set(set(set(0, IN_PHIT_SOFT, x & 1), IN_PHIT_COUNT, x >> 1 & 31), IN_PHIT_CRC, y);
        ends += end_pack((u1)x, (lcb_count)(x >> 1), (pkt_crc)y) != end;
        const uint32_t record = set(0, IN_PHIT_RECORD, 1);
        const uint32_t ack =
            set(set(set(set(record, IN_PHIT_ACK, y), IN_PHIT_NAK, x & 1), IN_PHIT_VC, vc),
                IN_PHIT_STEPS, x >> 8);
        acks += ack_pack((lcb_seq)y, (u1)x, (lcb_vc)vc, (lcb_steps)(x >> 8)) != ack;
        const uint32_t seek =
            set(set(set(set(record, IN_PHIT_SEEK, 1), IN_PHIT_NEXT, y), IN_PHIT_LOAD, x >> 8),
                IN_PHIT_EMPTY, x & 1);
        seeks += seek_pack((lcb_seq)y, (lcb_load)(x >> 8), (u1)x) != seek;
    }
    tap_equal(ends, 0, "ends are packed alike");
    tap_equal(acks, 0, "ACKs are packed alike");
    tap_equal(seeks, 0, "SEEKs are packed alike");
}

static struct phit hls_phit(uint32_t phit)
{
    return (struct phit){.kind = (u2)(phit >> GOLDEN_CONTENT_BITS), .content = (lcb_flit)phit};
}

static void words(struct rng *r)
{
    uint64_t wrong = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint32_t a = (uint32_t)rng_next(r) & 0xFFFFFF, b = (uint32_t)rng_next(r) & 0xFFFFFF;
        const lcb_word word = word_pack(phit_parts(hls_phit(a)), phit_parts(hls_phit(b)));
        const struct phit first = parts_phit(word_first(word));
        wrong += (uint64_t)word != golden_word(a, b);
        wrong += (uint32_t)phit_join(first) != golden_word_phit((uint64_t)word, false);
        wrong += (uint32_t)phit_join(parts_phit(word_second(word))) !=
                 golden_word_phit((uint64_t)word, true);
    }
    tap_equal(wrong, 0, "words of two phits lie on the lanes alike");
}

/* Packets of 2 to 32 phits: the link CRC, the core CRC, and the first as the sum of the second and of what it leaves out. */
static void crcs(struct rng *r)
{
    uint64_t link = 0, core = 0, sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const unsigned count = 2 + rng_below(r, GOLDEN_LONGEST - 1);
        const unsigned position = rng_below(r, GOLDEN_POSITIONS);
        uint32_t phit[GOLDEN_LONGEST] = {0};
        u1 leads = 1;
        pkt_crc whole = crc_start(0, (lcb_seq)position), inside = 0, apart = whole;
        for (unsigned k = 0; k < count; k++) {
            const enum golden_kind kind = k == 0           ? PHIT_OF_HEAD
                                          : k + 1 == count ? PHIT_OF_END
                                                           : PHIT_OF_BODY;
            phit[k] =
                (uint32_t)kind << GOLDEN_CONTENT_BITS | ((uint32_t)rng_next(r) & GOLDEN_CONTENT);
        }
        for (unsigned k = 0; k + 1 < count; k++) {
            const struct phit p = hls_phit(phit[k]);
            const phit_bits out = phit_apart(p, leads);
            whole = crc_phit(whole, phit_join(p));
            apart = crc_phit(apart, out);
            inside = core_step(inside, (lcb_flit)(p.content ^ (lcb_flit)out));
            leads &= head_source(p.content);
        }
        const u8 upper = end_upper((lcb_flit)phit[count - 1]);
        const uint16_t wanted = golden_link_crc(phit, count, false, position);
        link += (uint16_t)crc_upper(whole, upper) != wanted;
        core += (uint16_t)core_end(inside) != golden_core_crc(phit, count, VC_BITS);
        sum += (uint16_t)(crc_upper(apart, upper) ^ core_end(inside)) != wanted;
    }
    tap_equal(link, 0, "the link CRC of a packet is that of a long division");
    tap_equal(core, 0, "so is the core CRC");
    tap_equal(sum, 0, "and their sum is the CRC of what the core leaves out");
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    reads(&r);
    packs(&r);
    words(&r);
    crcs(&r);
    return tap_done();
}
