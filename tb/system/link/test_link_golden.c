// SPDX-License-Identifier: Apache-2.0
/*
 * test_link_golden.c - the golden link against hls/link's own bit layouts, and against faults.
 *
 * First: golden/link.c's table of fields, its CRC and golden/lane.c's scrambler must say the same as
 * the accessors of hls/link, which share nothing with them. Second: a golden flow that is fed a
 * fault must name it, else it proves nothing when it is silent.
 *
 * Built for aries: san.
 */
#include "tb/golden/link/lane.h"
#include "tb/golden/link/link.h"
#include "tb/base/harness.h"
#include "hls/link/micropacket/crc.h"
#include "hls/link/lane/scrambler.h"
#include "hls/link/micropacket/sideband.h"

#include <inttypes.h>

enum { ROUNDS = 20000 };

/* ---- layouts --------------------------------------------------------------------------------- */

static uint64_t hls_field(enum golden_field_name field, uint64_t word)
{
    const lcb_word tail = (lcb_word)word;
    const lcb_side side = tail_side(tail);
    const lcb_body body = side_body(side);
    switch (field) {
    case FIELD_CRC:
        return tail_crc(tail);
    case FIELD_SEQUENCE:
        return side_seq(side);
    case FIELD_TYPE:
        return side_type(side);
    case FIELD_COUNT:
        return side_count(side);
    case FIELD_ACK:
        return body_ack_seq(body);
    case FIELD_NAK:
        return body_ack_nak(body);
    case FIELD_LOAD_HIGH:
        return side_high(side);
    case FIELD_LOAD_LOW:
        return side_whole_load(side) & 7;
    case FIELD_VC:
        return body_credit_vc(body);
    case FIELD_STEPS:
        return body_credit_steps(body);
    case FIELD_PART:
        return body >> 8;
    case FIELD_TIME:
        return body & 0xff;
    case FIELD_HEAD_VC:
        return flit_vc((lcb_flit)word);
    case FIELD_HEAD_LENGTH:
        return flit_length((lcb_flit)word);
    default:
        return ~UINT64_C(0);
    }
}

static void fields_agree(struct rng *r)
{
    for (enum golden_field_name f = 0; f < FIELDS; f++) {
        struct misses wrong = {0};
        for (unsigned i = 0; i < ROUNDS; i++) {
            const uint64_t word = rng_next(r) >> 16, value = rng_next(r);
            const uint64_t changed = golden_set(word, f, value);
            const uint64_t mask = (UINT64_C(1) << golden_fields[f].width) - 1;
            must_equal(&wrong, hls_field(f, word), golden_get(word, f), "of word %" PRIx64, word);
            must_equal(&wrong, hls_field(f, changed), value & mask, "of word %" PRIx64, changed);
        }
        tap_misses(&wrong, "field %s of the golden table is that of hls/link",
                   golden_fields[f].name);
    }
    struct misses wrong = {0};
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint64_t word = rng_next(r) >> 16;
        const lcb_load load =
            (lcb_load)(golden_get(word, FIELD_LOAD_HIGH) << 3 | golden_get(word, FIELD_LOAD_LOW));
        const lcb_side side = side_pack(
            (lcb_seq)golden_get(word, FIELD_SEQUENCE), (lcb_type)golden_get(word, FIELD_TYPE),
            (lcb_count)golden_get(word, FIELD_COUNT), load_high(load),
            body_ack((lcb_seq)golden_get(word, FIELD_ACK), (u1)golden_get(word, FIELD_NAK), load));
        must_equal(&wrong, tail_pack(side, (lcb_crc)golden_get(word, FIELD_CRC)), word, "tail");
        must_equal(&wrong, side_whole_load(side), load, "load of tail %" PRIx64, word);
        must_equal(&wrong,
                   body_credit((lcb_vc)golden_get(word, FIELD_VC),
                               (lcb_steps)golden_get(word, FIELD_STEPS)),
                   side_body(side), "body of tail %" PRIx64, word);
    }
    tap_taken(&wrong, "a tail packed by hls/link from golden fields is whole");
    for (unsigned count = 0; count < 16; count++) {
        const uint64_t tail = golden_set(0, FIELD_COUNT, count);
        must_equal(&wrong, golden_flits(tail), side_flits(tail_side((lcb_word)tail)),
                   "flits of count %u", count);
        must_equal(&wrong, golden_says_empty(tail), count == SIDE_EMPTY, "count %u says empty",
                   count);
    }
    tap_misses(&wrong, "all counts mean the same");
    tap_ok((int)GOLDEN_ACK == SIDE_ACK && (int)GOLDEN_CREDIT == SIDE_CREDIT &&
               (int)GOLDEN_CLOCK == SIDE_CLOCK && (int)GOLDEN_BAD == SIDE_BAD,
           "the golden types are those of hls/link");
}

static void crc_agrees(struct rng *r)
{
    struct misses wrong = {0};
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t slot[GOLDEN_SLOTS];
        lcb_crc crc = LCB_CRC_START;
        for (unsigned s = 0; s < GOLDEN_SLOTS; s++) {
            slot[s] = rng_next(r) >> 16;
            if (s == GOLDEN_SLOTS - 1)
                slot[s] = golden_set(slot[s], FIELD_CRC, 0);
            crc = crc_step(crc, (lcb_word)slot[s]);
        }
        slot[GOLDEN_SLOTS - 1] |= crc;
        must(&wrong, golden_micropacket_good(slot), "micropacket %u is bad, CRC %x", i,
             (unsigned)crc);
        slot[rng_below(r, GOLDEN_SLOTS)] ^= UINT64_C(1) << rng_below(r, GOLDEN_FLIT_BITS);
        must(&wrong, !golden_micropacket_good(slot), "micropacket %u is good with a wrong bit", i);
    }
    /* holds link.crc */
    tap_misses(&wrong, "the golden division and the CRC of hls/link agree, good and bad");
}

/* Feeds the golden reader a start frame and words scrambled by hls/link's scrambler. */
static void lanes_agree(struct rng *r)
{
    static struct golden_lanes g;
    const uint16_t info0 = 7 << 6 | 1 << 5;
    const struct link_identity who = {.chip = (u16)rng_below(r, 3), .port = (u6)rng_next(r)};
    uint64_t sent[GOLDEN_SLOTS * 40];
    u23 state[LANES];
    for (unsigned l = 0; l < LANES; l++)
        state[l] = scrambler_start((int)l, who);
    golden_lanes_start(&g);
    for (unsigned w = 0; w < FRAME_WORDS; w++) {
        const uint16_t says = w == 3   ? (uint16_t)who.chip
                              : w == 4 ? frame_port_word(who.port, (u10)info0)
                                       : info0;
        const uint16_t same[LANES] = {says, says, says};
        const uint16_t sync[LANES] = {frame_sync[0], frame_sync[1], frame_sync[2]};
        golden_lanes_symbols(&g, w == 0 ? sync : same);
    }
    for (unsigned i = 0; i < GOLDEN_SLOTS * 40; i++) {
        const uint16_t none[LANES] = {0};
        uint16_t lane[LANES];
        sent[i] = rng_next(r) >> 16;
        for (unsigned l = 0; l < LANES; l++) {
            lane[l] = (uint16_t)(sent[i] >> 16 * l) ^ scrambler_word(state[l]);
            state[l] = scrambler_step(state[l]);
        }
        golden_lanes_symbols(&g, lane);
        golden_lanes_errors(&g, none);
    }
    struct misses wrong = {0};
    must_be(&wrong, g.sent, 40);
    for (unsigned i = 0; i < GOLDEN_SLOTS * 40; i++)
        must_equal(&wrong, g.log[i / GOLDEN_SLOTS].slot[i % GOLDEN_SLOTS], sent[i], "word %u", i);
    tap_misses(&wrong, "what hls/link scrambles on three lanes the golden reader unscrambles");
}

/* ---- faults ---------------------------------------------------------------------------------- */

enum { PACKET = 5, PACKETS = 8, FLITS = PACKET * PACKETS };

static uint64_t flit_of(unsigned i)
{
    uint64_t flit = 0x1000 + i;
    return i % PACKET == 0 ? golden_set(flit, FIELD_HEAD_LENGTH, PACKET) : flit;
}

static bool marked(unsigned i)
{
    return i % 8 == 3;
}

static void arrive_marked(struct golden_flow *f, unsigned i, uint64_t flit, bool bad)
{
    const struct golden_arrival a = {
        .flit = flit, .head = i % PACKET == 0, .tail = i % PACKET == PACKET - 1, .bad = bad};
    golden_arrived(f, &a);
}

static void arrive(struct golden_flow *f, unsigned i, uint64_t flit)
{
    arrive_marked(f, i, flit, marked(i));
}

static void sent_all(struct golden_flow *f)
{
    golden_flow_start(f);
    for (unsigned i = 0; i < FLITS; i++)
        golden_sent(f, flit_of(i), marked(i));
}

static void flow_names_faults(void)
{
    struct golden_flow f;
    sent_all(&f);
    for (unsigned i = 0; i < FLITS; i++)
        arrive(&f, i, flit_of(i));
    tap_ok(golden_clean(&f) && f.delivered == FLITS, "a faultless flow is clean");
    golden_flow_free(&f);

    sent_all(&f);
    for (unsigned i = 0; i < FLITS; i++)
        arrive(&f, i, i == 12 ? flit_of(i) ^ 64 : flit_of(i));
    tap_ok(!golden_clean(&f) && f.corrupt == 1, "a changed flit is corrupt");
    golden_flow_free(&f);

    sent_all(&f);
    for (unsigned i = 0; i < FLITS - PACKET; i++)
        arrive(&f, i, flit_of(i < 2 * PACKET ? i : i + PACKET));
    tap_ok(!golden_clean(&f) && golden_lost(&f) == PACKET, "a packet left out is lost");
    golden_flow_free(&f);

    sent_all(&f);
    for (unsigned i = 0; i < 2 * PACKET; i++)
        arrive(&f, i, flit_of(i));
    arrive(&f, 0, flit_of(0));
    tap_ok(!golden_clean(&f) && f.duplicated == 1, "a flit that comes again is a duplicate");
    golden_flow_free(&f);

    sent_all(&f);
    for (unsigned i = 0; i < FLITS; i++)
        arrive(&f, i, flit_of(i == 11 ? 12 : i == 12 ? 11 : i));
    tap_ok(!golden_clean(&f) && f.reordered == 1, "two flits exchanged are reordered");
    golden_flow_free(&f);
}

static void flow_names_marks(void)
{
    struct golden_flow f;
    sent_all(&f);
    for (unsigned i = 0; i < FLITS; i++)
        arrive_marked(&f, i, flit_of(i), marked(i) && i != 19);
    tap_ok(!golden_clean(&f) && f.wrong == 1 && f.marked == FLITS / 8, "a lost mark is noticed");
    golden_flow_free(&f);

    sent_all(&f);
    for (unsigned i = 0; i < FLITS; i++)
        arrive_marked(&f, i, flit_of(i), marked(i) || i == 20);
    tap_ok(!golden_clean(&f) && f.wrong == 1, "so is one that nobody made");
    golden_flow_free(&f);

    for (unsigned lost = 0; lost < 2; lost++) {
        sent_all(&f);
        for (unsigned i = 0; i < FLITS; i++)
            golden_reported(&f, flit_of(i), marked(i) && !(lost && i == 11));
        golden_died(&f);
        tap_ok(golden_clean(&f) == !lost && f.wrong == lost && f.uncorrectable == 0, "%s",
               lost ? "and one lost in a report" : "reports have their marks");
        golden_flow_free(&f);
    }
}

static void flow_accounts_for_death(void)
{
    struct golden_flow f;
    sent_all(&f);
    for (unsigned i = 0; i < 12; i++)
        arrive(&f, i, flit_of(i));
    for (unsigned i = 10; i < FLITS; i++)
        golden_reported(&f, flit_of(i), marked(i));
    for (unsigned i = 12; i < 15; i++) {
        const struct golden_arrival filler = {.tail = i == 14, .bad = i == 14};
        golden_arrived(&f, &filler);
    }
    golden_died(&f);
    tap_ok(golden_clean(&f) && f.reported == FLITS - 12 && f.doubtful == 2 && f.cut == 1,
           "delivered and reported together are what was sent");
    golden_flow_free(&f);

    sent_all(&f);
    for (unsigned i = 0; i < 10; i++)
        arrive(&f, i, flit_of(i));
    for (unsigned i = 11; i < FLITS; i++)
        golden_reported(&f, flit_of(i), marked(i));
    golden_died(&f);
    tap_ok(!golden_clean(&f), "a flit neither delivered nor reported is noticed");
    golden_flow_free(&f);
}

int main(int argc, char **argv)
{
    struct rng r;
    rng_seed(&r, test_seed(argc, argv));
    fields_agree(&r);
    crc_agrees(&r);
    for (unsigned i = 0; i < 6; i++)
        lanes_agree(&r);
    flow_names_faults();
    flow_names_marks();
    flow_accounts_for_death();
    return tap_done();
}
