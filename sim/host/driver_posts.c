// SPDX-License-Identifier: Apache-2.0
/*
 * driver_posts.c - buffers for messages: rings of channels, posts, what came back.
 *
 * Messages end in any order, so each place of a ring is looked at; a place is used again when all before it were reported.
 */
#include "sim/host/driver_inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    DESCRIPTOR = 32, /* bytes */
    WORDS = 4,
    POSTS_MOST_LOG2 = 9, /* so an index says which buffers were taken */
    POSTS_INDICES = 1023
};

/* Places in the words of a buffer (hls/nic/bte/README.md). */
enum {
    AT_MMU = 48,
    AT_TC = 49,
    AT_QUEUE = 33,
    AT_PTAG = 43,
    AT_EVENT = 51,
    AT_DONE = 63,
    AT_VALID = 62,
    AT_FROM = 44,
    AT_STATUS = 40
};

enum { RX_BASE = 4, RX_CONFIG, RX_WRITE, RX_READ, RX_STATUS = 9 };

static unsigned receiver_at(const struct drv *d, const struct receiver *r)
{
    return NR_BTE + (unsigned)(r - d->receiver) * NR_BTE_STEP;
}

static uint64_t places_of(const struct receiver *r)
{
    return UINT64_C(1) << r->ring.log2;
}

static struct buffered *place_of(const struct receiver *r, uint64_t number)
{
    return &r->posts[number % places_of(r)];
}

static uint64_t *words_of(const struct receiver *r, uint64_t number)
{
    return (uint64_t *)r->ring.memory + number % places_of(r) * WORDS;
}

/* The receiver of a channel, if it is this process's. */
static struct receiver *receiver_of(const struct drv_process *p, unsigned channel)
{
    struct drv *d = p->drv;
    return channel < d->channels && d->receiver[channel].owner == p ? &d->receiver[channel] : NULL;
}

/* ---- channels --------------------------------------------------------------------------------------- */

static bool is_ring(const struct drv *d, const struct drv_posts *want)
{
    if (want->log2 > POSTS_MOST_LOG2 || want->memory == NULL)
        return false;
    const struct span *span = spans_at(&d->spans, want->place, (uint64_t)DESCRIPTOR << want->log2);
    return span != NULL && span->owner == d && span->from == want->place;
}

enum drv_result drv_receive(struct drv_process *p, unsigned channel, const struct drv_posts *want)
{
    struct drv *d = p->drv;
    if (channel >= d->channels || !is_ring(d, want))
        return DRV_WRONG;
    struct receiver *r = &d->receiver[channel];
    if (r->owner != NULL)
        return DRV_FULL;
    struct buffered *posts = calloc(1u << want->log2, sizeof *posts);
    if (posts == NULL)
        return DRV_MEMORY;
    *r = (struct receiver){.owner = p, .ring = *want, .posts = posts};
    if (drv_write(d, receiver_at(d, r) + RX_BASE, want->place) &&
        drv_write(d, receiver_at(d, r) + RX_CONFIG,
                  FIELD(BTE5, ENABLE, 1) | FIELD(BTE5, LOG2, want->log2)))
        return DRV_OK;
    free(posts);
    *r = (struct receiver){.owner = NULL};
    return DRV_REFUSED;
}

static bool await_rest(struct drv *d, const struct receiver *r)
{
    const uint16_t at = (uint16_t)(receiver_at(d, r) + RX_STATUS);
    for (unsigned n = 0; n < DRV_PATIENCE; n++) {
        if ((d->host.reg_read(d->host.context, at) >> NR_BTE9_BUSY_AT & 1) == 0)
            return true;
        d->host.advance(d->host.context, DRV_LOOK);
    }
    return false;
}

/* Nothing of a channel's messages is under way any more. */
static enum drv_result end_receiver(struct drv *d, struct receiver *r)
{
    if (!drv_write(d, receiver_at(d, r) + RX_CONFIG, 0))
        return DRV_REFUSED;
    if (!await_rest(d, r))
        return DRV_STUCK;
    const enum drv_result result = drv_settle(d);
    if (result != DRV_OK)
        return result;
    spans_give_back(&d->spans, d, r->ring.place);
    free(r->posts);
    *r = (struct receiver){.owner = NULL};
    return DRV_OK;
}

enum drv_result drv_receive_end(struct drv_process *p, unsigned channel)
{
    struct receiver *r = receiver_of(p, channel);
    return r == NULL ? DRV_WRONG : end_receiver(p->drv, r);
}

enum drv_result drv_end_receivers(struct drv *d, const struct drv_process *p)
{
    enum drv_result result = DRV_OK;
    for (unsigned i = 0; i < d->channels && result == DRV_OK; i++)
        if (d->receiver[i].owner != NULL && (p == NULL || d->receiver[i].owner == p))
            result = end_receiver(d, &d->receiver[i]);
    return result;
}

/* ---- buffers ---------------------------------------------------------------------------------------- */

bool drv_is_posted(const struct drv *d, unsigned mdh)
{
    for (unsigned i = 0; i < d->channels; i++) {
        const struct receiver *r = &d->receiver[i];
        for (uint64_t n = r->told; r->owner != NULL && n != r->posted; n++)
            if (!place_of(r, n)->told && place_of(r, n)->mdh == mdh)
                return true;
    }
    return false;
}

enum drv_result drv_post_buffer(struct drv_process *p, unsigned channel,
                                const struct drv_buffer *buffer)
{
    struct drv *d = p->drv;
    struct receiver *r = receiver_of(p, channel);
    uint64_t place = 0, bytes = 0;
    if (r == NULL || drv_segment_place(p, buffer->mdh, &place, &bytes) != DRV_OK ||
        !d->mdd[buffer->mdh].writes || buffer->bytes > UINT64_C(1) << 32 ||
        buffer->offset > bytes || buffer->bytes > bytes - buffer->offset ||
        (buffer->event && (!names_owned(&d->cqs, buffer->queue, p) || d->cq[buffer->queue].ended)))
        return DRV_WRONG;
    if (r->posted - r->told >= places_of(r))
        return DRV_FULL;
    const struct drv_pages *pages = d->mdd[buffer->mdh].pages;
    const uint64_t space =
        pages == NULL ? 0 : UINT64_C(1) << AT_MMU | (uint64_t)pages->context << AT_TC;
    const uint64_t word[WORDS] = {
        (place + buffer->offset) | space,
        buffer->bytes | (uint64_t)(buffer->event ? buffer->queue : 0) << AT_QUEUE |
            (uint64_t)p->ptag << AT_PTAG | (uint64_t)buffer->event << AT_EVENT,
    };
    memcpy(words_of(r, r->posted), word, sizeof word);
    *place_of(r, r->posted++) = (struct buffered){.tag = buffer->tag, .mdh = buffer->mdh};
    return drv_write(d, receiver_at(d, r) + RX_WRITE, r->posted & POSTS_INDICES) ? DRV_OK
                                                                                 : DRV_REFUSED;
}

bool drv_message(struct drv_process *p, unsigned channel, struct drv_message *m)
{
    struct receiver *r = receiver_of(p, channel);
    for (uint64_t n = r == NULL ? 0 : r->told; r != NULL && n != r->posted; n++) {
        struct buffered *b = place_of(r, n);
        const uint64_t *word = words_of(r, n);
        if (b->told || word[3] >> AT_DONE == 0)
            continue;
        *m = (struct drv_message){.tag = b->tag,
                                  .status = word[3] >> AT_STATUS & 0xF,
                                  .bytes = word[3] & 0x1FFFFFFFF,
                                  .from = word[3] >> AT_FROM & 0x3FFFF,
                                  .has_word = word[3] >> AT_VALID & 1,
                                  .word = word[2]};
        b->told = true;
        while (r->told != r->posted && place_of(r, r->told)->told)
            r->told++;
        return true;
    }
    return false;
}
