// SPDX-License-Identifier: Apache-2.0
/*
 * pio_draw.c - the bursts of a door's manager: drawn, and what must come of each worked out byte by byte.
 */
#include "tb/blocks/nic/host/pio_door.h"

#include <string.h>

/* Strobes of a test of all patterns. */
static void draw_pattern(struct door *d, struct burst *b)
{
    unsigned chunk = (unsigned)b->addr >> 4 & 3;
    unsigned runs = 1 + rng_below(&d->rng, 4), edge[2];

    memset(b->strobe, 0, sizeof b->strobe);
    for (unsigned i = 0; d->pattern == 1 && i < 16; i++) {
        b->strobe[16 * chunk + i] = d->drawn >> i & 1;
    }
    for (unsigned i = 0; d->pattern == 3 && i < 64; i++) {
        b->strobe[i] = d->whole_lines || i / 16 == chunk;
    }
    for (unsigned n = 0; d->pattern == 2 && n < runs; n++) {
        edge[0] = rng_below(&d->rng, 64);
        edge[1] = 1 + rng_below(&d->rng, 64 - edge[0]);
        for (unsigned i = 0; i < edge[1]; i++) {
            b->strobe[edge[0] + i] = n % 3 != 2;
        }
    }
    d->drawn++;
}

/* Strobes of one of several shapes. */
static void draw_strobes(struct door *d, struct burst *b)
{
    unsigned shape = rng_below(&d->rng, 5);
    unsigned first = (unsigned)b->addr & 63, end = (first & 48) + 16 * b->beats;

    if (d->pattern != 0) {
        draw_pattern(d, b);
        return;
    }
    end = end > 64 ? 64 : end;
    memset(b->strobe, 0, sizeof b->strobe);
    if (d->whole_lines) {
        shape = 0;
    }
    if (shape == 1) {
        unsigned runs = 1 + rng_below(&d->rng, 4);
        for (unsigned n = 0; n < runs; n++) {
            unsigned begin = first + rng_below(&d->rng, end - first);
            unsigned stop = begin + 1 + rng_below(&d->rng, end - begin);
            for (unsigned i = begin; i < stop; i++) {
                b->strobe[i] = n % 2 == 0;
            }
        }
        return;
    }
    for (unsigned i = first; i < end; i++) {
        b->strobe[i] = shape == 0   ? true
                       : shape == 2 ? rng_chance(&d->rng, 0.5)
                       : shape == 3 ? (i & 8) != 0 || i % 16 == 0
                                    : (i / 8 * 2654435761u >> 7 & 1) != 0;
    }
}

static void draw_address(struct door *d, struct burst *b)
{
    unsigned region = d->pattern == 3 ? 2
                      : d->windows    ? 2 + rng_below(&d->rng, 2)
                                      : rng_below(&d->rng, 4);
    unsigned units = region == 1 ? NIC_CQS : NIC_FMAS;
    unsigned unit = rng_below(&d->rng, units + (rng_below(&d->rng, 8) == 0 ? units : 0));
    uint64_t in_page =
        rng_below(&d->rng, 4) == 0 ? 0xC0 + rng_below(&d->rng, 16) : rng_next(&d->rng) % 4096;

    b->region = (int)region;
    b->addr = (uint64_t)region << (NIC_FMA_LOG2 + NIC_WINDOW_LOG2);
    if (region >= 2) {
        b->unit = unit % NIC_FMAS;
        b->addr |=
            (uint64_t)b->unit << NIC_WINDOW_LOG2 | rng_next(&d->rng) % (1u << NIC_WINDOW_LOG2);
    } else {
        b->unit = unit;
        b->addr |= (uint64_t)unit * 4096 + in_page;
    }
    if (rng_below(&d->rng, 3) != 0) {
        b->addr &= ~(uint64_t)(rng_below(&d->rng, 2) != 0 ? 15 : 7);
    }
}

static void draw_shape(struct door *d, struct burst *b)
{
    unsigned chunk = (unsigned)b->addr >> 4 & 3;

    b->kind = 1;
    b->size = 4;
    b->beats = b->read || d->singles ? 1 : 1 + rng_below(&d->rng, 4 - chunk);
    if (d->whole_lines) {
        b->addr &= ~(uint64_t)63;
        b->beats = 4;
    }
    if (b->beats == 1) {
        b->size = rng_below(&d->rng, 5);
    }
    if (d->singles) {
        b->size = 4;
    }
    if (rng_below(&d->rng, 100) < d->illegal) {
        switch (rng_below(&d->rng, 6)) {
        case 0:
            b->kind = rng_below(&d->rng, 4);
            break;
        case 1:
            b->size = rng_below(&d->rng, 8);
            break;
        case 2:
            b->beats = 1 + rng_below(&d->rng, 256);
            break;
        case 3:
            b->beats = 1 + rng_below(&d->rng, 6);
            break;
        case 4:
            b->mismatch = !b->read;
            break;
        default:
            b->beats = 1 + rng_below(&d->rng, 4);
            b->size = rng_below(&d->rng, 5);
        }
    }
    b->len = b->beats - 1;
    if (b->mismatch) {
        b->len = rng_below(&d->rng, 8);
        b->mismatch = b->len != b->beats - 1;
    }
}

/* The first two words of a line. */
static bool are_whole(const struct burst *b)
{
    bool whole = true;

    for (unsigned i = 0; i < 16; i++) {
        whole = whole && b->strobe[i];
    }
    return whole;
}

/* What must come of it. */
static void work_out(struct burst *b)
{
    unsigned chunk = (unsigned)b->addr >> 4 & 3;
    bool burst_ok = b->kind == 1 && b->size <= 4 && !b->mismatch;

    if (b->read) {
        burst_ok &= b->len == 0 && b->region < 2;
    } else {
        burst_ok &= b->len == 0 || (b->size == 4 && chunk + b->len < 4);
    }
    bool page = b->region >= 2 || b->unit < (unsigned)(b->region == 1 ? NIC_CQS : NIC_FMAS);
    b->legal = burst_ok && page;
    b->reason = !burst_ok ? 1 + PIO_BAD_BURST : !page ? 1 + PIO_NO_PAGE : 0;
    b->runs = 0;
    if (!b->legal) {
        return;
    }
    uint64_t within = b->region >= 2 ? b->addr % (1u << NIC_WINDOW_LOG2) : b->addr % 4096;

    if (b->read) {
        b->run[b->runs++].offset = (unsigned)within;
        return;
    }
    for (unsigned i = 0; i < 64; i++) {
        unsigned at = (unsigned)(within & ~(uint64_t)63) + i;
        bool goes_on = i > 0 && b->strobe[i - 1] && b->strobe[i];

        if (!b->strobe[i]) {
            continue;
        }
        if (b->region != 2 && at % 8 == 0 && !(b->region == 0 && at == 25 * 8) &&
            !(b->region == 0 && at == 8 && are_whole(b))) {
            goes_on = false;
        }
        if (goes_on) {
            b->run[b->runs - 1].bytes++;
        } else {
            b->run[b->runs].offset = at;
            b->run[b->runs].bytes = 1;
            b->run[b->runs++].dropped = false;
        }
    }
    for (unsigned n = 0; n < b->runs; n++) {
        b->run[n].dropped = b->region == 1 && (b->run[n].offset % 8 != 0 || b->run[n].bytes != 8);
    }
}

void door_draw(struct door *d, struct queue *q, bool read)
{
    struct burst *b = &q->burst[q->in % WAITING];

    memset(b, 0, sizeof *b);
    b->read = read;
    b->id = rng_below(&d->rng, 16);
    draw_address(d, b);
    draw_shape(d, b);
    for (unsigned i = 0; i < 64; i++) {
        b->byte[i] = (uint8_t)rng_next(&d->rng);
    }
    if (!read) {
        draw_strobes(d, b);
    }
    work_out(b);
    if (b->legal && (d->closed == 2 || (d->closed == 1 && b->region != 1 && read))) {
        b->legal = false;
        b->reason = 1 + PIO_DISABLED;
        b->runs = 0;
    }
    q->in++;
}
