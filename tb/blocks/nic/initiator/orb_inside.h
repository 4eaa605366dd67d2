// SPDX-License-Identifier: Apache-2.0
/*
 * orb_inside.h - what the halves of orb_bench.h share: orb_bench.c has requests and network, orb_memory.c rat_local and memory.
 */
#ifndef TB_NIC_ORB_INSIDE_H
#define TB_NIC_ORB_INSIDE_H

#include "tb/blocks/nic/initiator/orb_bench.h"

/* ---- orb_bench.c ------------------------------------------------------------------------------- */

/* A request of which the last word is said, but for its flag. */
bool orb_may_end(const struct request *q, unsigned status);

/* What a request may end with now, in words. */
const char *orb_due_text(const struct request *q);

/* ---- orb_memory.c ------------------------------------------------------------------------------ */

void orb_memory_reset(void);

/* What memory and rat_local say in this clock. */
void orb_memory_answer(struct mem_done *done, struct npt_context *refused);

/* Checks what orb writes in this clock; room is what it was told in it. */
void orb_memory_check(bool room);

/* The packet that orb writes is a flag. */
bool orb_memory_flag(void);

/* ---- both -------------------------------------------------------------------------------------- */

static inline bool orb_often(unsigned rate)
{
    return rng_below(&ob.r, 16) < rate;
}

static inline bool orb_seldom(unsigned rate)
{
    return rng_below(&ob.r, 256) < rate;
}

/* 16 bytes of the data that answers a request. */
static inline beat_word orb_data_of(uint64_t serial, unsigned beat)
{
    const uint64_t a = (serial * 8 + beat + 1) * UINT64_C(0x9E3779B97F4A7C15);

    return ((beat_word)a << 64) | (beat_word)(a * UINT64_C(0xD1342543DE82EF95));
}

static inline bool orb_wrong_bits(uint64_t serial, unsigned beat)
{
    return (serial + beat) % 41 == 0;
}

#endif
