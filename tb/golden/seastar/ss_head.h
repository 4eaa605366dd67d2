// SPDX-License-Identifier: Apache-2.0
/*
 * ss_head.h - head flits of SeaStar, and what a router makes of one: written from the specification, by fields and places.
 */
#ifndef GOLDEN_SS_HEAD_H
#define GOLDEN_SS_HEAD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GOLDEN_SS_VCS = 4,
    GOLDEN_SS_LONGEST = 9,
    GOLDEN_SS_CREDIT = 120,
    GOLDEN_SS_OLDEST = 2047,
    GOLDEN_SS_NODES = 1 << 15,
    GOLDEN_SS_NO_PORT = 7
};

struct golden_ss_head {
    unsigned vc, length, dst, age, src;
    unsigned own; /* what belongs to the message: [15:11] and [7:0], joined */
};

uint64_t golden_ss_flit(const struct golden_ss_head *head);
struct golden_ss_head golden_ss_parse(uint64_t flit);

/* A table's entry. */
struct golden_ss_entry {
    unsigned port; /* GOLDEN_SS_NO_PORT: none */
    bool v;
};

enum golden_ss_drop { GOLDEN_SS_GOES, GOLDEN_SS_ILLEGAL, GOLDEN_SS_NO_WAY, GOLDEN_SS_DEAD };

struct golden_ss_way {
    enum golden_ss_drop drop;
    unsigned port, vc;
};

/* What the router at a node with ports 0 .. ports - 1 does with a head that came by `port` and found the entry. */
struct golden_ss_way golden_ss_way(unsigned ports, unsigned port, const struct golden_ss_head *head,
                                   struct golden_ss_entry entry, unsigned dead);

#endif
