// SPDX-License-Identifier: Apache-2.0
/*
 * fma_bench.h - nic_fma beside fma_model.c: the bench plays pio (a run stands until it is answered; chunks come before, in lines
 * of which four are kept), tarb, ssid and nic_regs (a write every four clocks at most).
 */
#ifndef TB_NIC_FMA_BENCH_H
#define TB_NIC_FMA_BENCH_H

#include "tb/base/harness.h"
#include "tb/blocks/nic/initiator/fma_model.h"
#include "nic/initiator/nic_fma.h"

enum { EXPECTED = 64, NOTES = 1024 };

/* What is stored next: a line and what of it is asked. */
struct line {
    uint8_t byte[64];
    unsigned unit, region, runs, asked, chunks;
    uint64_t base; /* of the line in page or window */
    bool read;
    unsigned first[4], bytes[4];
};

struct bench {
    struct nic_fma dut;
    struct nic_fma_in in;
    struct fma_model model;
    struct rng rng;

    struct line line[2]; /* asked now, and that whose chunks come */
    unsigned slot;       /* of line[0] */
    bool presented;

    struct fma_model_packet expected[EXPECTED], aborts[FMA_DESCRIPTORS][2];
    unsigned aborted
        [FMA_DESCRIPTORS]; /* aborts that are to come: one may be going out while the next one's store is taken */
    unsigned aborted_at[FMA_DESCRIPTORS]
                       [2]; /* in_at then: what was taken before may still come out */
    unsigned in_at, out_at;
    struct fma_model_packet seen; /* the packet that is coming out */
    unsigned words;               /* of a transfer that is coming out, in beats */

    struct {
        unsigned unit;
        uint64_t at;
    } note[NOTES], launched[NOTES];
    unsigned notes, launches; /* that are not over */
    bool told;                /* the one of in.launched was taken in the clock before */
    uint64_t cleared_at
        [FMA_DESCRIPTORS]; /* when STATUS was written: a note in these clocks counts either way */
    uint64_t written_at;
    unsigned sent, sent_before; /* beats since room was 1, and in the clock before that */

    /* moods */
    unsigned units;
    double room, driver, ask, shut; /* shut: a write comes while CONTROL.enable is 0 */
    void (*draw)(struct bench *b, struct line *l);
    unsigned turn; /* of draw */
    bool quiet;

    struct misses wrong;
    uint64_t transfers, packets, refused, slverr, reads, aborts_seen, kinds[16], modes[8],
        errors[6];
    uint64_t counted[FMA_COUNTS];
    uint64_t opcode[2][128];
};

extern uint64_t fma_bench_now; /* clocks of all benches so far */

/* Eight bytes of the line, from `at` on. */
void fma_bench_set_word(struct line *l, unsigned at, uint64_t word);

/* A word of a page, LAUNCH, or runs of a window, of any descriptor: what b->draw may be. */
void fma_bench_draw_any(struct bench *b, struct line *l);

/* The line that is stored next: random bytes, and what b->draw makes of them. */
void fma_bench_draw(struct bench *b, struct line *l);

void fma_bench_step(struct bench *b);

#endif
