// SPDX-License-Identifier: Apache-2.0
/* ss_head.c - head flits of SeaStar. */
#include "tb/golden/seastar/ss_head.h"

static const struct place {
    unsigned low, width;
} vc_at = {61, 3}, length_at = {57, 4}, dst_at = {42, 15}, age_at = {31, 11}, src_at = {16, 15},
  upper_at = {11, 5}, lower_at = {0, 8};

static uint64_t put(struct place p, unsigned value)
{
    return (uint64_t)(value % (1U << p.width)) << p.low;
}

static unsigned get(struct place p, uint64_t flit)
{
    return (unsigned)(flit >> p.low) % (1U << p.width);
}

uint64_t golden_ss_flit(const struct golden_ss_head *h)
{
    return put(vc_at, h->vc) + put(length_at, h->length) + put(dst_at, h->dst) +
           put(age_at, h->age) + put(src_at, h->src) + put(upper_at, h->own / 256) +
           put(lower_at, h->own % 256);
}

struct golden_ss_head golden_ss_parse(uint64_t flit)
{
    return (struct golden_ss_head){
        .vc = get(vc_at, flit),
        .length = get(length_at, flit),
        .dst = get(dst_at, flit),
        .age = get(age_at, flit),
        .src = get(src_at, flit),
        .own = get(upper_at, flit) * 256 + get(lower_at, flit),
    };
}

/* x, y and z of the links, in pairs; the node's own port is in none. */
static int dimension(unsigned port)
{
    static const int of[] = {-1, 0, 0, 1, 1, 2, 2};

    return of[port];
}

struct golden_ss_way golden_ss_way(unsigned ports, unsigned port, const struct golden_ss_head *head,
                                   struct golden_ss_entry entry, unsigned dead)
{
    struct golden_ss_way way = {.port = entry.port};
    const unsigned class = head->vc / 2, ring = head->vc % 2;

    if (head->length == 0 || head->length > GOLDEN_SS_LONGEST || head->vc >= GOLDEN_SS_VCS) {
        way.drop = GOLDEN_SS_ILLEGAL;
    } else if (entry.port >= ports || (entry.port == port && port > 0)) {
        way.drop = GOLDEN_SS_NO_WAY;
    } else if (dead >> entry.port & 1) {
        way.drop = GOLDEN_SS_DEAD;
    } else if (dimension(port) >= 0 && dimension(port) == dimension(entry.port)) {
        way.vc = class * 2 + (entry.v ? 1 : ring);
    } else {
        way.vc = class * 2 + (entry.v ? 1 : 0);
    }
    return way;
}
