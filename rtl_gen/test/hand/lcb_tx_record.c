// SPDX-License-Identifier: Apache-2.0
/*
 * lcb_tx_record.c - runs hls/link/micropacket/lcb_tx.c on random traffic and records inputs and outputs of every
 * clock for lcb_tx_tb.v, which holds lcb_tx.v against them.
 *
 * The stimulus plays the router (packets with gaps), lane_tx (pace of 3, 2 or 1 lanes), the peer
 * (acks, naks, silence, acks from outside the window) and lcb_link: the link goes down and up, dies
 * and is flushed, begins a new epoch. One and two bits of the replay buffer are flipped now and
 * then; the recording says where, so that the bench flips the same ones.
 */
#include "record.h"

#include "link/micropacket/lcb_tx.c"

enum { SLOT_BITS = LCB_WINDOW_LOG2 + LCB_SLOT_LOG2 };

struct flip {
    uint(SLOT_BITS) address;
    lcb_stored mask;
};

/* What lcb_link does: a step lasts `left` clocks, or until the sender is idle. */
enum phase { UP, DOWN, DEAD, ENDING, IDLE, CLEAR };

struct link {
    enum phase phase;
    unsigned left;
    unsigned lanes; /* pace: 3, 2 or 1 */
    unsigned ack_rate, nak_rate;
    unsigned offer_rate, mark_rate;
};

static unsigned between(unsigned low, unsigned high)
{
    return low + (unsigned)(record_draw() % (high - low + 1));
}

static void link_up(struct link *link)
{
    static const unsigned ack_rates[] = {0, 3, 30, 200};
    static const unsigned mark_rates[] = {0, 3, 100, 600};
    *link = (struct link){
        .phase = UP,
        .left = between(50, 6000),
        .lanes = between(1, 3),
        .ack_rate = ack_rates[between(0, 3)],
        .nak_rate = between(0, 400),
        .offer_rate = between(0, 1) ? 1024 : between(200, 1000),
        .mark_rate = mark_rates[between(0, 3)],
    };
}

static void link_step(struct link *link, bool flushing)
{
    if (link->phase == ENDING ? flushing : link->left-- > 0)
        return;
    switch (link->phase) {
    case UP:
        link->phase = DOWN;
        link->left = between(4, 30);
        break;
    case DOWN:
        if (record_chance(700)) {
            link_up(link);
            break;
        }
        link->phase = DEAD;
        link->left = between(20, 3000);
        break;
    case DEAD:
        link->phase = ENDING;
        break;
    case ENDING:
        link->phase = IDLE;
        link->left = between(2, 8);
        break;
    case IDLE:
        link->phase = CLEAR;
        link->left = 0;
        break;
    case CLEAR:
        link_up(link);
        break;
    }
}

static bool pace(const struct link *link, unsigned long clock)
{
    return link->lanes == 3 || (link->lanes == 2 ? clock % 3 != 2 : clock % 3 == 0);
}

static struct lcb_tx_in stimulus(const struct link *link, const struct lcb_tx *dut,
                                 unsigned long clock)
{
    static const u12 timeouts[] = {64, 700, 64, 0};
    const lcb_seq unacked = dut->next - dut->base;
    struct lcb_tx_in in = {
        .flit_valid = record_chance(link->offer_rate),
        .flit_bad = record_chance(link->mark_rate),
        .flit = (lcb_flit)record_draw(),
        .advance = pace(link, clock),
        .run = link->phase == UP,
        .flush = link->phase == DEAD,
        .clear = link->phase == CLEAR,
        .ack_valid = record_chance(link->ack_rate),
        .ack = dut->base + (lcb_seq)(record_draw() % ((unsigned)unacked + 1)),
        .nak = record_chance(link->nak_rate),
        .expected = (lcb_seq)record_draw(),
        .gap = (u1)record_draw(),
        .load = (lcb_load)record_draw(),
        .empty = (u1)record_draw(),
        .hush = record_chance(50),
        .credit_vc = (lcb_vc)record_draw(),
        .credit_steps = (lcb_steps)record_draw(),
        .clock_part = (lcb_body)record_draw(),
        .hold = clock / 8192 % 2 ? 200 : 12,
        .timeout = timeouts[clock / 4096 % 4],
    };
    if (record_chance(100))
        in.ack = dut->resend;
    if (record_chance(30))
        in.ack = (lcb_seq)record_draw();
    return in;
}

/* One or two wrong bits in a good word that may be sent again; three are more than SECDED sees. */
static struct flip flip_bits(struct lcb_tx *dut)
{
    struct flip flip = {};
    const lcb_seq seq = dut->resend + (lcb_seq)(record_draw() % 4);
    const lcb_slot slot = (lcb_slot)(record_draw() % LCB_SLOTS);
    const struct secded_result now = secded_decode(dut->buffer[buffer_index(seq, slot)]);
    if (record_chance(20) && !now.corrected && !now.fatal) {
        flip.address = buffer_index(seq, slot);
        flip.mask = (lcb_stored)1 << (record_draw() % LCB_STORED_BITS);
        if (record_chance(200))
            flip.mask |= (lcb_stored)1 << (record_draw() % LCB_STORED_BITS);
        dut->buffer[flip.address] ^= flip.mask;
    }
    return flip;
}

static void record_inputs(const struct flip *flip, const struct lcb_tx_in *in)
{
    record_put(flip->address, SLOT_BITS);
    record_put(flip->mask, LCB_STORED_BITS);
    putchar(' ');
    record_put(in->flit_valid, 1);
    record_put(in->flit_bad, 1);
    record_put(in->flit, 48);
    record_put(in->advance, 1);
    record_put(in->run, 1);
    record_put(in->flush, 1);
    record_put(in->clear, 1);
    record_put(in->ack_valid, 1);
    record_put(in->ack, 7);
    record_put(in->nak, 1);
    record_put(in->expected, 7);
    record_put(in->gap, 1);
    record_put(in->load, 7);
    record_put(in->empty, 1);
    record_put(in->hush, 1);
    record_put(in->credit_vc, 3);
    record_put(in->credit_steps, 8);
    record_put(in->clock_part, 11);
    record_put(in->hold, 12);
    record_put(in->timeout, 12);
}

static void record_outputs(const struct lcb_tx_out *out)
{
    putchar(' ');
    record_put(out->flit_ready, 1);
    record_put(out->valid, 1);
    record_put(out->reports, 1);
    record_put(out->report_bad, 1);
    record_put(out->word, 48);
    record_put(out->flushing, 1);
    record_put(out->credit_sent, 1);
    record_put(out->clock_sent, 1);
    record_put(out->waits, 1);
    record_put(out->idle, 1);
    record_put(out->acked, 1);
    record_put(out->replayed, 1);
    record_put(out->nak_taken, 1);
    record_put(out->timed_out, 1);
    record_put(out->ack_bad, 1);
    record_put(out->ecc_corrected, 1);
    record_put(out->ecc_fatal, 1);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct lcb_tx dut;
    struct link link;
    const unsigned long clocks = record_start(argc, argv);
    lcb_tx_reset(&dut);
    link_up(&link);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct flip flip = flip_bits(&dut);
        const struct lcb_tx_in in = stimulus(&link, &dut, clock);
        lcb_tx(&dut, &in);
        record_inputs(&flip, &in);
        record_outputs(&dut.out);
        link_step(&link, dut.out.flushing);
    }
    return 0;
}
