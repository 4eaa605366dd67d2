// SPDX-License-Identifier: Apache-2.0
/*
 * bte_ring.h - ports and registers of the rings of the block transfer engine: descriptors are fetched, or launched, into slots, and
 * told when they are done.
 */
#ifndef BTE_RING_H
#define BTE_RING_H

#include "nic/bte/bte_types.h"
#include "nic/regs/nic_regs.h"

/* Descriptors that are being read, of all channels. */
#define BTE_FETCHES_LOG2 (NIC_BTE_LOG2 + 1)
typedef uint(BTE_FETCHES_LOG2) bte_fetch;
typedef u8 bte_writes;

/* Transfers that are launched, until they have a slot. */
#define BTE_LAUNCHES_LOG2 2
typedef uint(BTE_LAUNCHES_LOG2) bte_launch;
typedef uint(BTE_LAUNCHES_LOG2 + 1) bte_launches;

/* Bits of out.count. */
enum bte_ring_count {
    BTE_RING_FAILED, /* a descriptor could not be read, its channel has stopped: CRITICAL */
    BTE_RING_LOST,   /* a completion could not be written: TRANSACTION */
    BTE_RING_COUNTS
};

struct bte_ring_in {
    struct nic_write write;
    struct beat reply;    /* of its reads, in their order */
    struct mem_done done; /* of all clients */
    u1 fetch_taken;       /* parb has out.fetch */
    u1 room_word;         /* parb's: a word may come */
    struct bte_sent sent;
    struct bte_over over;
    struct launch_words launch; /* of nic_fma */
    u1 noted_taken;             /* it has out.noted */
    u16 read;                   /* nic_regs: the register that is read */
    struct nic_config config;
};

struct bte_ring_out {
    struct mem_fetch fetch; /* to parb, client RINGS */
    struct mem_word word;   /* the same */
    struct bte_words words;
    struct launch_room launch;     /* to nic_fma */
    struct launch_note noted;      /* the same, until it is taken */
    bte_count limit[BTE_CHANNELS]; /* transactions that may be in flight */
    bte_index read_index[BTE_CHANNELS];
    struct owned_value owned; /* of in.read, a clock ago */
    bte_channels enabled;
    bte_channels busy;
    bte_channels failed;
    uint(BTE_RING_COUNTS) count;
    u1 tells; /* a word may be sent in this clock */
    u1 idle;
};

/* What becomes of a descriptor when its transaction is over. */
struct bte_fate {
    u1 write_back;
    u1 concatenate;
};

/* How a transaction ended. */
struct bte_end {
    u1 failed; /* as of bte_over */
    nic_status_field status;
};

enum bte_ring_at { RING_IDLE, RING_READ, RING_TAKEN, RING_LAUNCH };
enum bte_free_at { FREE_IDLE, FREE_LOOK, FREE_TELL, FREE_NOTE };

struct bte_ring {
    struct bte_ring_out out;

    /* Rings. */
    HLS_LUTRAM(2) struct bte_base bases[BTE_CHANNELS];
    u4 log2[BTE_CHANNELS];
    bte_index written[BTE_CHANNELS];
    bte_index fetched[BTE_CHANNELS];

    /* Slots: given out from `oldest` on. */
    bte_slot next[BTE_CHANNELS];
    bte_slot oldest[BTE_CHANNELS];
    bte_slot first[BTE_CHANNELS]; /* of the oldest chain */
    bte_count used[BTE_CHANNELS];
    HLS_LUTRAM(1) bte_index indices[BTE_PLACES];
    HLS_LUTRAM(1) struct bte_fate fates[BTE_PLACES];
    HLS_LUTRAM(1) struct bte_end ends[BTE_PLACES]; /* of those that are over */
    HLS_LUTRAM(1) bte_unit units[BTE_PLACES];      /* of those that were launched: */
    bte_places launched;
    bte_places over;   /* by the first slot of their chain */
    bte_places unread; /* descriptors that could not be read */

    /* What is being read: replies come in this order. */
    HLS_LUTRAM(1) bte_place asked[1 << BTE_FETCHES_LOG2];
    bte_fetch ask, answer;
    uint(BTE_FETCHES_LOG2 + 1) asking;
    u2 beat; /* of the reply, the next one */

    /* Transfers that are launched, four beats each. */
    HLS_LUTRAM(1) beat_data launches[4 << BTE_LAUNCHES_LOG2];
    HLS_LUTRAM(1) bte_channel launch_to[1 << BTE_LAUNCHES_LOG2];
    HLS_LUTRAM(1) bte_unit launch_by[1 << BTE_LAUNCHES_LOG2];
    bte_launch launch_put, launch_got;
    bte_launches launching;            /* those that wait, */
    bte_launches queued[BTE_CHANNELS]; /* by channel */
    u2 launch_beat;                    /* of the one that gets its slot */
    bte_place launch_place;
    bte_unit launch_unit;
    bte_channels launch_on; /* channels where they may be */

    /* The descriptor that is asked for. */
    enum bte_ring_at at;
    bte_channel turn;
    bte_index index;
    bte_writes writing; /* completions that are being written */

    /* A slot that is looked at: is it done. */
    enum bte_free_at free_at;
    bte_channel free_turn;
    bte_place free_place;
    bte_place free_first;
};

HLS_RESET void bte_ring_reset(struct bte_ring *self);
HLS_MODULE void bte_ring(struct bte_ring *self, const struct bte_ring_in *in);

#endif
