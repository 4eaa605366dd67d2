// SPDX-License-Identifier: Apache-2.0
/*
 * axi_abuser.h - managers that do everything AXI4 and AXI4-Lite allow: kinds and sizes of bursts, any address, data before or
 * long behind its address, strobes with holes, responses taken late or never, the next access back to back.
 */
#ifndef NIC_AXI_ABUSER_H
#define NIC_AXI_ABUSER_H

#include "axi/axi.h"
#include "tb/base/harness.h"

enum { ABUSER_DEEP = 64 };

/* How a manager behaves: chances per clock, in 256, of a new access and on each channel; never: it takes no such response at all. */
struct abuser_mood {
    unsigned begin, aw, w, ar, bready, rready;
    bool b_never, r_never;
};

struct abuser_beat {
    uint8_t data[16];
    uint16_t strb;
    bool last;
};

/* AXI4, 16 bytes a beat. */
struct abuser {
    struct axi_to_sub axi;
    struct abuser_mood mood;
    struct rng rng;
    /* beats of writes, whose addresses may be offered earlier or later */
    struct abuser_beat beat[ABUSER_DEEP];
    unsigned beats_in, beats_out;
    struct axi_to_sub address[ABUSER_DEEP]; /* their AW */
    unsigned aw_in, aw_out;
    uint64_t writes, reads, b, r; /* bursts taken by the NIC, and answered */
    uint64_t by_kind[3], narrow, unaligned, long_ones;
    uint64_t w_before_aw; /* a burst's data was taken before its address */
    uint64_t w_begun;     /* bursts whose first beat was taken */
    bool w_inside;
};

void abuser_start(struct abuser *a, uint64_t seed);
/* A clock: inputs of the NIC stand in axi; then what was taken and answered, by its outputs before that clock. */
void abuser_drive(struct abuser *a);
void abuser_take(struct abuser *a, const struct axi_from_sub *from);

/* AXI4-Lite: registers, real and not, whole and in part; `write` and `read` are what the next access is when one is wanted. */
struct lite_abuser {
    struct axil_to_sub axi;
    struct abuser_mood mood;
    struct rng rng;
    const uint16_t *writable; /* registers that a write may change, by address in words */
    unsigned writables;
    uint64_t writes, reads, b, r, refused;
    unsigned w_ahead; /* data without its address, or 0 and addresses without data */
    unsigned aw_ahead;
};

void lite_abuser_start(struct lite_abuser *a, uint64_t seed, const uint16_t *writable, unsigned n);
void lite_abuser_drive(struct lite_abuser *a);
void lite_abuser_take(struct lite_abuser *a, const struct axil_from_sub *from);

#endif
