// SPDX-License-Identifier: Apache-2.0
/*
 * driver_rings.c - block transfers: channels with their rings, what is posted there, and what is over.
 *
 * Each descriptor asks for its completion in its last word; completions of a channel come in the order of posts.
 */
#include "sim/host/driver_inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    DESCRIPTOR = 64, /* bytes */
    WORDS = 8,
    MOST_LOG2 = 10,
    MOST_WAITING = 1023,
    MOST_TRANSACTIONS = 16,
    SOURCE_MODE = 7, /* of routing: of no transfer */
    STATUS_SEQUENCE = 8,
    STATUS_BUS = 13
};

/* Places in the words of a descriptor (hls/nic/bte/README.md). */
enum {
    TO_PE = 40,
    HOW_LOCAL_MDH = 12,
    HOW_OP = 24,
    HOW_FENCE = 26,
    HOW_MODE = 29,
    HOW_LOCAL_EVENT = 32,
    HOW_GLOBAL_EVENT = 33,
    HOW_TARGET_EVENT = 34,
    HOW_WRITE_BACK = 35,
    HOW_QUEUE = 36,
    HOW_PTAG = 46,
    HOW_VIRTUAL = 54,
    HOW_GRANULARITY = 55,
    BYTES_NODES = 37,
    DONE = 63,
    HOW_WORD = 28,
    OP_SEND = 0,
    OP_PUT = 1,
    OP_GET = 2
};

enum { RING_BASE, RING_CONFIG, WRITE_INDEX, READ_INDEX, CHANNEL_STATUS = 8 };

static unsigned channel_at(const struct drv *d, const struct channel *c)
{
    return NR_BTE + (unsigned)(c - d->channel) * NR_BTE_STEP;
}

static uint64_t size_of(const struct channel *c)
{
    return UINT64_C(1) << c->ring.log2;
}

static struct posted *post_of(const struct channel *c, uint64_t number)
{
    return &c->posts[number % size_of(c)];
}

/* The words of a transfer in the ring. */
static uint64_t *words_of(const struct channel *c, uint64_t number)
{
    return (uint64_t *)c->ring.memory + (number - c->first) % size_of(c) * WORDS;
}

/* ---- channels --------------------------------------------------------------------------------------- */

enum drv_result drv_kernel_memory(struct drv *d, uint64_t bytes, uint64_t *place)
{
    if (bytes == 0)
        return DRV_WRONG;
    *place = spans_take(&d->spans, d, 0, bytes);
    return *place == UINT64_MAX ? DRV_FULL : DRV_OK;
}

/* The channel begins with place 0 of its ring. */
static enum drv_result enable(struct drv *d, struct channel *c)
{
    const unsigned at = channel_at(d, c);
    const uint64_t config = FIELD(BTE1, ENABLE, 1) | FIELD(BTE1, LAUNCH, c->ring.launches) |
                            FIELD(BTE1, LOG2, c->ring.log2) |
                            FIELD(BTE1, LIMIT, c->ring.transactions);
    c->first = c->posted;
    return drv_write(d, at + RING_BASE, c->ring.place) && drv_write(d, at + RING_CONFIG, config)
               ? DRV_OK
               : DRV_REFUSED;
}

static bool is_ring(const struct drv *d, const struct drv_ring *want)
{
    if (want->log2 > MOST_LOG2 || want->transactions == 0 ||
        want->transactions > MOST_TRANSACTIONS || want->memory == NULL)
        return false;
    const struct span *span = spans_at(&d->spans, want->place, (uint64_t)DESCRIPTOR << want->log2);
    return span != NULL && span->owner == d && span->from == want->place;
}

enum drv_result drv_ring(struct drv *d, unsigned channel, const struct drv_ring *want)
{
    if (channel >= d->channels || !is_ring(d, want))
        return DRV_WRONG;
    struct channel *c = &d->channel[channel];
    if (c->ring.memory != NULL || c->told != c->posted ||
        drv_transactions(d) + want->transactions > d->transactions)
        return DRV_FULL;
    free(c->posts);
    *c = (struct channel){.ring = *want, .posts = calloc(1u << want->log2, sizeof *c->posts)};
    if (c->posts == NULL) {
        *c = (struct channel){.posts = NULL};
        return DRV_MEMORY;
    }
    const enum drv_result result = enable(d, c);
    if (result != DRV_OK) {
        free(c->posts);
        *c = (struct channel){.posts = NULL};
    }
    return result;
}

/* ---- transfers -------------------------------------------------------------------------------------- */

/* Whether a transfer is one, and all that it names on this node is the process's. */
static bool is_transfer(const struct drv_process *p, const struct drv_transfer *t)
{
    const struct drv *d = p->drv;
    const bool words = !t->get || (t->offset % 4 == 0 && t->bytes % 4 == 0);
    const bool events = t->local_event || t->global_event;
    uint64_t place = 0, bytes = 0;
    return (t->bytes != 0 || t->send) && !(t->get && t->send) && t->bytes <= UINT64_C(1) << 32 &&
           words && t->mode < SOURCE_MODE && t->pe >> 18 == 0 && t->mdh >> 12 == 0 &&
           t->offset >> 40 == 0 && t->event >> 56 == 0 &&
           drv_segment_place(p, t->local_mdh, &place, &bytes) == DRV_OK && t->local <= bytes &&
           t->bytes <= bytes - t->local &&
           (!events || (names_owned(&d->cqs, t->queue, p) && !d->cq[t->queue].ended)) &&
           (!t->is_virtual || drv_owns_nodes(p, t->nodes, t->pes, t->granularity));
}

static uint64_t how(const struct drv_process *p, const struct drv_transfer *t)
{
    const uint64_t pes = t->is_virtual ? UINT64_C(1) << HOW_VIRTUAL | (uint64_t)t->granularity
                                                                          << HOW_GRANULARITY
                                       : 0;
    const bool events = t->local_event || t->global_event;
    return t->mdh | (uint64_t)t->local_mdh << HOW_LOCAL_MDH |
           (uint64_t)(t->send  ? OP_SEND
                      : t->get ? OP_GET
                               : OP_PUT)
               << HOW_OP |
           (uint64_t)(t->send && t->has_word) << HOW_WORD | (uint64_t)t->fence << HOW_FENCE |
           (uint64_t)t->mode << HOW_MODE | (uint64_t)t->local_event << HOW_LOCAL_EVENT |
           (uint64_t)t->global_event << HOW_GLOBAL_EVENT |
           (uint64_t)t->target_event << HOW_TARGET_EVENT | UINT64_C(1) << HOW_WRITE_BACK |
           (uint64_t)(events ? t->queue : 0) << HOW_QUEUE | (uint64_t)p->ptag << HOW_PTAG | pes;
}

enum drv_result drv_post(struct drv_process *p, unsigned channel, const struct drv_transfer *t)
{
    struct drv *d = p->drv;
    if (channel >= d->channels || d->channel[channel].ring.memory == NULL || !is_transfer(p, t))
        return DRV_WRONG;
    struct channel *c = &d->channel[channel];
    if (c->posted - c->told >= size_of(c) || c->posted - c->told >= MOST_WAITING)
        return DRV_FULL;
    const uint64_t word[WORDS] = {
        t->offset | (uint64_t)t->pe << TO_PE,
        how(p, t),
        t->local,
        t->bytes | (uint64_t)(t->is_virtual ? t->nodes : 0) << BYTES_NODES,
        t->event,
        t->target,
        t->is_virtual ? t->pes : 0,
    };
    memcpy(words_of(c, c->posted), word, sizeof word);
    *post_of(c, c->posted++) = (struct posted){.owner = p, .tag = t->tag, .number = d->transfers++};
    p->waits.transfers = d->transfers;
    return drv_write(d, channel_at(d, c) + WRITE_INDEX, (c->posted - c->first) & MOST_WAITING)
               ? DRV_OK
               : DRV_REFUSED;
}

/* ---- what is over ------------------------------------------------------------------------------------ */

/* Completions that are in memory. */
static void read_completions(struct channel *c)
{
    while (c->over != c->posted && words_of(c, c->over)[WORDS - 1] >> DONE != 0) {
        post_of(c, c->over)->status = words_of(c, c->over)[WORDS - 1] & 0xF;
        c->over++;
    }
}

/* No completion comes any more of what is left. */
static void give_up(struct channel *c, unsigned status)
{
    while (c->over != c->posted)
        post_of(c, c->over++)->status = status;
}

static bool status_bit(struct drv *d, const struct channel *c, unsigned bit)
{
    const uint16_t at = (uint16_t)(channel_at(d, c) + CHANNEL_STATUS);
    return d->host.reg_read(d->host.context, at) >> bit & 1;
}

static bool await_rest(struct drv *d, const struct channel *c)
{
    for (unsigned n = 0; n < DRV_PATIENCE; n++) {
        if (!status_bit(d, c, NR_BTE8_BUSY_AT))
            return true;
        d->host.advance(d->host.context, DRV_LOOK);
    }
    return false;
}

/* A channel that has stopped, as a descriptor could not be read, begins again when all before that one is over. */
static void restart(struct drv *d, struct channel *c)
{
    if (!status_bit(d, c, NR_BTE8_FAILED_AT) || status_bit(d, c, NR_BTE8_BUSY_AT) ||
        drv_settle(d) != DRV_OK)
        return;
    read_completions(c);
    give_up(c, STATUS_BUS);
    enable(d, c);
}

uint64_t drv_first_under_way(const struct drv *d)
{
    uint64_t first = d->transfers;
    for (unsigned i = 0; i < d->channels; i++) {
        const struct channel *c = &d->channel[i];
        if (c->over != c->posted && post_of(c, c->over)->number < first)
            first = post_of(c, c->over)->number;
    }
    return first;
}

uint64_t drv_look_at_rings(struct drv *d)
{
    for (unsigned i = 0; i < d->channels; i++) {
        struct channel *c = &d->channel[i];
        if (c->ring.memory != NULL)
            read_completions(c);
        if (c->over != c->posted)
            restart(d, c);
    }
    return drv_first_under_way(d);
}

bool drv_over(struct drv *d, struct drv_over *over)
{
    drv_look_at_rings(d);
    for (unsigned i = 0; i < d->channels; i++) {
        struct channel *c = &d->channel[i];
        while (c->told != c->over) {
            const struct posted *was = post_of(c, c->told++);
            if (was->owner != NULL) {
                *over = (struct drv_over){was->owner, was->tag, was->status};
                return true;
            }
        }
    }
    return false;
}

void drv_disown_transfers(const struct drv_process *p)
{
    struct drv *d = p->drv;
    for (unsigned i = 0; i < d->channels; i++) {
        const struct channel *c = &d->channel[i];
        for (uint64_t n = c->told; n != c->posted; n++)
            if (post_of(c, n)->owner == p)
                post_of(c, n)->owner = NULL;
    }
}

enum drv_result drv_ring_end(struct drv *d, unsigned channel)
{
    if (channel >= d->channels || d->channel[channel].ring.memory == NULL)
        return DRV_WRONG;
    struct channel *c = &d->channel[channel];
    if (!drv_write(d, channel_at(d, c) + RING_CONFIG, 0))
        return DRV_REFUSED;
    if (!await_rest(d, c))
        return DRV_STUCK;
    const enum drv_result result = drv_settle(d);
    if (result != DRV_OK)
        return result;
    read_completions(c);
    give_up(c, STATUS_SEQUENCE);
    spans_give_back(&d->spans, d, c->ring.place);
    c->ring.memory = NULL;
    c->ring.transactions = 0;
    return DRV_OK;
}
