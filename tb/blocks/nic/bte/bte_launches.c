// SPDX-License-Identifier: Apache-2.0
/* bte_launches.c - transfers that processes launch: what nic_fma says of them, and what it hears. */
#include "tb/blocks/nic/bte/bte_bench.h"

void bte_bench_launches(struct bte_bench *b, unsigned channel)
{
    b->lane[channel].launches = true;
}

/* What nic_fma would say of the next transfer of a channel, where it has seen space. */
static void drive_launch(struct bte_bench *b, unsigned c)
{
    struct bte_lane *lane = &b->lane[c];
    uint64_t word[NIC_BTE_WORDS];

    if (b->launch >= BTE_LAUNCH_CLOCKS && lane->launches && lane->written != lane->in &&
        (b->dut.out.launch.free >> c & 1) != 0 && (b->dut.out.launch.open >> c & 1) != 0) {
        b->launch = 0;
        b->launch_to = c;
    }
    lane = &b->lane[b->launch_to];
    b->in.launch.valid = b->launch < 4;
    if (b->launch < 4) {
        nic_transfer_words(&lane->posted[lane->written % BTE_POSTED].t, word);
        b->in.launch = (struct launch_words){
            .valid = 1,
            .beat = (u2)b->launch,
            .channel = (u2)b->launch_to,
            .unit = (u7)b->launch_to,
            .data = (beat_data)word[2 * b->launch] | (beat_data)word[2 * b->launch + 1] << 64,
        };
        lane->written += b->launch == 3;
    }
    b->launch++;
}

/* nic_fma hears that one is over. */
static void hear_note(struct bte_bench *b)
{
    const struct launch_note *note = &b->dut.out.noted;
    struct bte_lane *lane = &b->lane[(unsigned)note->unit % BTE_CHANNELS];

    b->in.noted_taken = note->valid && !b->in.noted_taken && rng_below(&b->rng, 2) != 0;
    if (b->in.noted_taken) {
        must(&b->wrong, lane->launches && lane->posted[lane->noted % BTE_POSTED].over,
             "process %u hears of transfer %u, which is not over", (unsigned)note->unit,
             lane->noted);
        lane->noted++;
    }
}

void bte_bench_launch(struct bte_bench *b, unsigned channel)
{
    drive_launch(b, channel);
    hear_note(b);
}
