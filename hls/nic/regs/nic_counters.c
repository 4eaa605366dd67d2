// SPDX-License-Identifier: Apache-2.0
/*
 * nic_counters.c - seven bits for each counter, and 48 bits in a memory that takes them up in turn, one a clock. So a counter
 * may count in every clock: 127 and one more between two of its turns. A sum's bits hold 127 of its largest amounts.
 */
#include "nic/regs/nic_counters.h"

HLS_RESET void nic_counters_reset(struct nic_counters *self)
{
    self->out = (struct nic_counters_out){.summed = 1};
    self->turn = 2;
    self->written = 0;
    self->clearing = 1 << NIC_COUNTERS_LOG2;
    for (int i = 0; i < NIC_COUNTERS; i++) {
        self->fresh[i] = 0;
    }
    for (int i = 0; i < NR_SUMS; i++) {
        self->grown[i] = 0;
    }
    self->taken = 0;
    self->taken_more = 0;
    self->taken_amount = 0;
    self->word = 0;
}

/*
 * What a counter counts on its own: 128 states from 0 on, each the one before shifted by a bit, so that a counter takes
 * three LUTs where a binary one would take sixteen.
 */
static inline u7 next_state(u7 state)
{
    u1 in = (u1)(state >> 6) ^ (u1)(state >> 5) ^ (u1)((u6)state == 0);

    return (u7)((u7)(state << 1) | in);
}

/* How many steps from state 0 each state is; the inverse of next_state, which test_nic_counts goes through. */
static const u7 steps_of[128] = {
    0,   1,   2,   8,  3,   15,  9,   57,  4,  64,  16,  32,  10,  91, 58, 22,  5,   29,  65,
    68,  17,  113, 33, 98,  11,  109, 92,  71, 59,  39,  23,  48,  6,  55, 30,  20,  66,  96,
    69,  46,  18,  44, 114, 116, 34,  78,  99, 118, 12,  88,  110, 36, 93, 75,  72,  80,  60,
    105, 40,  101, 24, 83,  49,  120, 127, 7,  14,  56,  63,  31,  90, 21, 28,  67,  112, 97,
    108, 70,  38,  47, 54,  19,  95,  45,  43, 115, 77,  117, 87,  35, 74, 79,  104, 100, 82,
    119, 126, 13,  62, 89,  27,  111, 107, 37, 53,  94,  42,  76,  86, 73, 103, 81,  125, 61,
    26,  106, 52,  41, 85,  102, 124, 25,  51, 84,  123, 50,  122, 121};

/* What counters counted on their own: that of `turn` is taken. */
static inline void count_pulses(struct nic_counters *self, nic_counts pulses)
{
    u1 here = self->turn < NIC_COUNTERS;

    self->taken = here ? self->fresh[self->turn] : (u7)0;
    self->taken_more = here && (u1)(pulses >> self->turn);
    for (int i = 0; i < NIC_COUNTERS; i++) {
        if (i == self->turn) {
            self->fresh[i] = 0;
        } else if ((u1)(pulses >> i)) {
            self->fresh[i] = next_state(self->fresh[i]);
        }
    }
}

/* The same for sums; what grows in the clock of a turn is for the next one. */
static inline void add_amounts(struct nic_counters *self, const struct nic_counters_in *in)
{
    const nic_amount amounts[NR_SUMS] = {
        in->sent.request_bytes,     in->sent.request_flits,      in->sent.response_bytes,
        in->received.request_bytes, in->received.response_flits,
    };

    self->taken_amount = 0;
    for (int i = 0; i < NR_SUMS; i++) {
        u1 here = self->turn == NIC_SUMS_AT + i;

        self->taken_amount |= here ? self->grown[i] : (u14)0;
        self->grown[i] = (u14)((here ? (u14)0 : self->grown[i]) + amounts[i]);
    }
}

/* What the registers say of each other. */
static inline void assert_state(const struct nic_counters *self)
{
    hls_assert(self->out.summed == (nic_number)(self->turn - 1));
    hls_assert(self->written == (nic_number)(self->turn - 2));
    hls_assert(self->clearing <= 1 << NIC_COUNTERS_LOG2);
}

HLS_MODULE void nic_counters(struct nic_counters *self, const struct nic_counters_in *in)
{
    u14 more = (u14)((u14)steps_of[self->taken] + self->taken_more + self->taken_amount);
    u48 sum = self->word + more;
    u8 clearing = in->clear ? (u8)(1 << NIC_COUNTERS_LOG2) : self->clearing;

    assert_state(self);
    self->word = self->counters[self->turn];
    self->counters[self->written] = self->out.counted;
    self->out.counted = clearing != 0 ? (u48)0 : sum;
    self->clearing = clearing != 0 ? (u8)(clearing - 1) : (u8)0;
    count_pulses(self, in->pulses);
    add_amounts(self, in);
    self->written = self->out.summed;
    self->out.summed = self->turn;
    self->turn++;
    hls_cover(self->clearing != 0);
}
