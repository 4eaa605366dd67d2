// SPDX-License-Identifier: Apache-2.0
/*
 * rat_messages.c - buffers of messages as rat sees them.
 */
#include "tb/blocks/nic/target/rat_messages.h"

static struct message_found found;
static bool asked;         /* in the clock before */
static unsigned at, which; /* the next packet that may ask; the one that has */

/* A sender's sign that it gives its message up. */
static bool aborts(const struct request *r)
{
    return r->cmd == SEND_END && (r->flags & 1) != 0;
}

void rat_messages_draw(struct request *r)
{
    struct message *m = &r->message;

    m->bound = rng_below(&rb.rng, 4) != 0;
    m->slot = rng_below(&rb.rng, 16);
    m->refusal = rng_below(&rb.rng, 2) ? 12 : 6 + 2 * rng_below(&rb.rng, 2);
    m->buffer.base = rng_next(&rb.rng) >> 17;
    m->buffer.length =
        rng_below(&rb.rng, 8) == 0 ? 0 : rng_next(&rb.rng) >> (31 + rng_below(&rb.rng, 20));
    m->buffer.ptag = rng_below(&rb.rng, 8) == 0 ? rng_below(&rb.rng, 256) : r->ptag;
    m->buffer.mmu = rng_below(&rb.rng, 2);
    m->buffer.tc = rng_below(&rb.rng, 16);
    if (r->cmd == SEND && m->buffer.length > r->bytes && rng_below(&rb.rng, 4) != 0) {
        r->offset = rng_below(&rb.rng, 2) ? m->buffer.length - r->bytes + rng_below(&rb.rng, 2) : 0;
    }
}

unsigned rat_messages_status(const struct request *r, struct outcome *o)
{
    const struct message *m = &r->message;
    const struct segment *s = &m->buffer;

    if (aborts(r)) {
        return 0;
    }
    if (!m->bound) {
        return m->refusal;
    }
    if (r->cmd == SEND && s->length == 0) {
        return 7; /* BOUNDS */
    }
    if (s->ptag != r->ptag) {
        return 6;
    }
    if (r->cmd == SEND && r->offset + r->bytes > s->length) {
        return 7;
    }
    o->address = s->base + r->offset;
    o->space = s->mmu ? s->tc << 1 | 1 : 0;
    return r->cmd == SEND && !s->mmu &&
                   (o->address < rb.phys_base ||
                    o->address + r->bytes > rb.phys_base + rb.phys_size)
               ? 3
               : 0;
}

void rat_messages_begin(void)
{
    found = (struct message_found){0};
    asked = false;
    at = 0;
}

struct message_found rat_messages_drive(void)
{
    return found;
}

static bool asks(const struct request *r)
{
    const bool form = r->rmt && (r->cmd == SEND || (r->cmd == SEND_END && r->bytes == 20));

    return form && rb.enabled && !rb.local && r->node == NODE && r->bad != 0;
}

/* The question is that of the next packet of a message. */
static void check_question(const struct packet *packets, unsigned made)
{
    const struct message_find *find = &rb.dut.out.find;

    while (at < made && !asks(&packets[at].request)) {
        at++;
    }
    if (!must(&rb.wrong, at < made, "a buffer is looked for, expected none")) {
        return;
    }
    const struct request *r = &packets[at].request;
    const uint64_t key = (uint64_t)r->use << 27 | (uint64_t)r->ssid << 18 | r->src;

    must_equal(&rb.wrong, find->key, key, "packet %u: key", at);
    must_equal(&rb.wrong, find->channel, r->mdh & 3, "packet %u: channel", at);
    must_equal(&rb.wrong, find->ptag, r->ptag, "packet %u: ptag", at);
    must_equal(&rb.wrong, find->aborts, aborts(r), "packet %u: gives up", at);
    must_equal(&rb.wrong, find->immediate,
               r->cmd == SEND_END && !aborts(r) && (r->mdh >> 2 & 1) != 0,
               "packet %u: immediate word", at);
    which = at++;
}

void rat_messages_step(const struct packet *packets, unsigned made)
{
    if (asked) {
        const struct message *m = &packets[which].request.message;

        found = (struct message_found){
            .valid = m->bound,
            .slot = (u4)m->slot,
            .address = (u48)m->buffer.base,
            .bytes = (u33)m->buffer.length,
            .ptag = (u8)m->buffer.ptag,
            .space = m->buffer.mmu ? (mem_space)(m->buffer.tc << 1 | 1) : (mem_space)0,
            .status = (u4)(m->bound ? 0 : m->refusal),
        };
    }
    asked = rb.dut.out.find.valid;
    if (asked) {
        check_question(packets, made);
    }
}
