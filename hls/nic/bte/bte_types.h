// SPDX-License-Identifier: Apache-2.0
/*
 * bte_types.h - sizes of the block transfer engine, its descriptors, and what its two halves say to each other.
 *
 * A descriptor is eight words of 64 bits; it comes as four data beats of two words each. While it is worked on it has a
 * slot of its channel; slots are given out and come back in the order of descriptors.
 */
#ifndef BTE_TYPES_H
#define BTE_TYPES_H

#include "nic/packet/bte_words.h"
#include "nic/packet/nic_types.h"

#define BTE_CHANNELS (1 << NIC_BTE_LOG2)
#define BTE_SLOTS    (1 << NIC_BTE_SLOTS_LOG2)
#define BTE_PLACES   (BTE_CHANNELS * BTE_SLOTS)

#if NIC_BTE_LOG2 + NIC_BTE_SLOTS_LOG2 > 7
#error "config: the slots of all channels have to be numbers of channels of the request stream"
#endif

typedef uint(NIC_BTE_LOG2) bte_channel;
typedef uint(NIC_BTE_SLOTS_LOG2) bte_slot;
typedef uint(NIC_BTE_LOG2 + NIC_BTE_SLOTS_LOG2) bte_place; /* {channel, slot} */
typedef uint(BTE_PLACES) bte_places;                       /* one bit each */
typedef uint(BTE_CHANNELS) bte_channels;
typedef uint(NIC_BTE_SLOTS_LOG2 + 1) bte_count; /* of slots of a channel */
typedef uint(NIC_FMA_LOG2) bte_unit;            /* FMA descriptor of a process that launches */
typedef u10 bte_index;                          /* of a descriptor in its ring, modulo 1,024 */

static inline bte_channel bte_channel_of(bte_place place)
{
    return (bte_channel)(place >> NIC_BTE_SLOTS_LOG2);
}

static inline bte_place bte_place_of(bte_channel channel, bte_slot slot)
{
    return (bte_place)(((bte_place)channel << NIC_BTE_SLOTS_LOG2) | slot);
}

/* The slot behind one of the same channel. */
static inline bte_place bte_place_behind(bte_place place)
{
    return bte_place_of(bte_channel_of(place), (bte_slot)((bte_slot)place + 1));
}

/* The channel of the request stream that a transaction has, by the slot of its first descriptor. */
static inline nic_channel bte_channel_number(bte_place first)
{
    return (nic_channel)(((nic_channel)CHANNEL_BTE << 7) | first);
}

static inline bte_places bte_one_place(u1 condition, bte_place place)
{
    return (bte_places)((bte_places)condition << place);
}

static inline bte_channels bte_one_channel(u1 condition, bte_channel channel)
{
    return (bte_channels)((bte_channels)condition << channel);
}

/* The next channel behind `last` of those that want something; one at least does. */
static inline bte_channel bte_next_channel(bte_channels wants, bte_channel last)
{
    bte_channels behind = (bte_channels)(wants & (bte_channels)((bte_channels)-2 << last));
    bte_channels first = behind != 0 ? behind : wants;
    bte_channel next = 0;

    for (int i = BTE_CHANNELS - 1; i >= 0; i--) {
        next = (u1)(first >> i) ? (bte_channel)i : next;
    }
    return next;
}

/* A chain of concatenated descriptors ends with its last slot: behind that its first one follows again. */
static inline u1 bte_chain_ends(u1 concatenate, bte_place place, bte_place first)
{
    return !concatenate || bte_place_behind(place) == first;
}

/* Where a ring is. */
struct bte_base {
    u48 address;
    u1 mmu;
    u4 tc;
};

static inline mem_space bte_space_of(const struct bte_base *base)
{
    return (mem_space)((mem_space)((mem_space)base->tc << 1) | base->mmu);
}

/* In the place of words that are written back: bte_receive's. */
#define BTE_OF_RECEIVE 0x800

/* ---- between the halves ------------------------------------------------------------------------- */

/* bte_ring to bte_send: two words of a descriptor. */
struct bte_words {
    u1 valid;
    u2 beat; /* words 2 * beat, 2 * beat + 1 */
    u1 bad;  /* with the last ones: it could not be read, or not all of it */
    bte_place place;
    u1 launched; /* by a process: */
    bte_unit unit;
    beat_data data;
};

/* bte_send to bte_ring: all of a descriptor was sent. */
struct bte_sent {
    u1 valid;
    bte_place place;
};

/* ssid: a transaction is over; its id is free again. */
struct bte_over {
    u1 valid;
    bte_place first; /* slot of its first descriptor */
    u1 failed;       /* not OK, and no event was wanted that could say so */
    nic_status_field status;
};

#endif
