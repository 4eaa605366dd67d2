// SPDX-License-Identifier: Apache-2.0
/*
 * operation.c - what a transaction is made of: stores of each kind of operation, and what becomes of the slots that wait for it.
 */
#include "tb/system/chip/abuse/operation.h"

#include <string.h>

#include "tb/golden/nic/nic_amo.h"

enum {
    WORD_BASE = 0,
    WORD_MODES = 1,
    WORD_EVENT = 5,
    WORD_OPERAND = 6,
    WORD_CQWRITE = 9,
    COMMAND_MESSAGE = 1,
    OPCODE_ADD = 0x55,
    OPCODE_ADD_CACHED = 0x75,
    ADAPTIVE = 4, /* modes without an order */
    MODES = 7     /* all but SOURCE */
};

struct block *block_of(const struct process *p)
{
    return &p->node->block[p->number];
}

struct block *block_at(const struct process *p, unsigned node)
{
    return &p->node->world->node[node].block[p->number];
}

/* ---- stores ------------------------------------------------------------------------------------------ */

void store_page_word(struct process *p, unsigned which, uint64_t value)
{
    struct driver_burst b = store_word(p->number, which, value);

    driver_burst(&p->node->driver, &b);
}

void store_modes(struct process *p, enum segment s, unsigned command)
{
    /* few in modes that keep an order: what they wait for, others in such a mode wait for, too */
    bool ordered = rng_below(&p->rng, 16) == 0;
    unsigned mode =
        ordered ? ADAPTIVE + rng_below(&p->rng, MODES - ADAPTIVE) : rng_below(&p->rng, ADAPTIVE);

    store_page_word(p, WORD_MODES,
                    handle_of(p->number, s) | (uint64_t)handle_of(p->number, LOCAL) << 12 |
                        (uint64_t)mode << 27 | (uint64_t)queue_of(p->number, false) << 30 |
                        (uint64_t)command << 40);
}

static void store_base(struct process *p, unsigned to, uint64_t offset, uint64_t window)
{
    store_page_word(p, WORD_BASE, ((uint64_t)ring_address(to) << 40 | offset) - window);
}

/* ---- operations -------------------------------------------------------------------------------------- */

static int free_slot(const struct slot *slot, unsigned first, unsigned slots)
{
    for (unsigned i = first; i < first + slots; i++) {
        if (slot[i].state == SLOT_FREE) {
            return (int)i;
        }
    }
    return -1;
}

static int free_local(const struct process *p)
{
    return free_slot(block_of(p)->local, 0, LOCAL_SLOTS);
}

static void random_bytes(struct process *p, uint8_t *data, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        data[i] = (uint8_t)rng_next(&p->rng);
    }
}

/* A place for bytes in 64 of a line of the window. */
static unsigned window_for(struct process *p, unsigned bytes)
{
    return 64 * rng_below(&p->rng, 8) + rng_below(&p->rng, 64 - bytes + 1);
}

/* A put, or the payload of a message, to one of our slots there. */
static bool post_put(struct process *p, struct operation *o, bool message)
{
    struct block *there = block_at(p, o->to);
    struct slot *slots = message ? there->message : there->put;
    int index = free_slot(slots, p->node->number * SLOTS_EACH, SLOTS_EACH);
    unsigned each = message ? MESSAGE_BYTES : SLOT_BYTES;
    unsigned bytes = 1 + rng_below(&p->rng, message ? 56 : 64),
             from = rng_below(&p->rng, each - bytes + 1);
    unsigned window = window_for(p, bytes);
    uint8_t data[64];
    struct driver_burst b;

    if (index < 0) {
        return false;
    }
    random_bytes(p, data, bytes);
    slot_wait(&slots[index], from, data, bytes);
    o->index = (unsigned)index;
    store_modes(p, message ? MESSAGES : PUTS, message ? COMMAND_MESSAGE : 0);
    store_base(p, o->to, (uint64_t)index * each + from, window);
    if (message) {
        slots[index].message = true;
        slots[index].serial = ++p->next_serial;
        store_page_word(p, WORD_EVENT,
                        MESSAGE_BIT | (uint64_t)p->node->number << 32 | slots[index].serial);
    }
    b = store_put(p->number, window, data, bytes);
    driver_burst(&p->node->driver, &b);
    return true;
}

static bool post_cqwrite(struct process *p, struct operation *o)
{
    struct block *there = block_at(p, o->to);
    int index = free_slot(there->message, p->node->number * SLOTS_EACH, SLOTS_EACH);
    struct slot *s = &there->message[index < 0 ? 0 : index];

    if (index < 0) {
        return false;
    }
    slot_wait(s, 0, (const uint8_t[1]){0}, 0);
    s->message = true;
    s->serial = ++p->next_serial;
    o->index = (unsigned)index;
    store_modes(p, MESSAGES, 0);
    store_base(p, o->to, 0, 0);
    store_page_word(p, WORD_CQWRITE, MESSAGE_BIT | (uint64_t)p->node->number << 32 | s->serial);
    return true;
}

static bool post_get(struct process *p, struct operation *o)
{
    struct block *there = block_at(p, o->to), *here = block_of(p);
    int local = free_local(p);
    unsigned bytes = 4 * (1 + rng_below(&p->rng, 15));
    bool flagged = rng_below(&p->rng, 3) == 0;
    unsigned remote = 4 * rng_below(&p->rng, (extents[SOURCE].bytes - bytes) / 4 + 1);
    unsigned from = 4 * rng_below(&p->rng, (SLOT_BYTES - bytes - 4) / 4 + 1);
    unsigned window = 8 * rng_below(&p->rng, 64);
    uint8_t data[68] = {0};
    struct driver_burst b;

    if (local < 0) {
        return false;
    }
    memcpy(data, there->golden + extents[SOURCE].at + remote, bytes);
    data[bytes] = 1;
    slot_wait(&here->local[local], from, data, bytes + (flagged ? 4 : 0));
    here->local[local].flag = flagged ? from + bytes : 0;
    o->local = local;
    store_modes(p, SOURCE, 0);
    store_base(p, o->to, remote, window / 2);
    b = store_get(p->number, window, (uint64_t)local * SLOT_BYTES + from, bytes, flagged);
    driver_burst(&p->node->driver, &b);
    return true;
}

/* An opcode that exists, of those that fetch or do not. */
static unsigned any_opcode(struct process *p, bool fetch)
{
    unsigned opcode;

    do {
        opcode = rng_below(&p->rng, 128);
    } while (!gn_amo_of(opcode, fetch).exists);
    return opcode;
}

static void store_amo(struct process *p, unsigned opcode, int local, uint64_t a, uint64_t b)
{
    struct driver_burst s;

    if (local >= 0) {
        store_page_word(p, WORD_OPERAND, a);
        store_page_word(p, WORD_OPERAND + 1, b);
        s = store_fetch(p->number, 0, (uint64_t)local * SLOT_BYTES, opcode, false);
    } else {
        uint64_t operands[2] = {a, b};
        uint8_t bytes[16];

        memcpy(bytes, operands, 16);
        s = store_put(p->number, 0, bytes, gn_amo_of(opcode, false).two_operands ? 16 : 8);
    }
    driver_burst(&p->node->driver, &s);
}

static bool post_amo(struct process *p, struct operation *o, bool fetch)
{
    unsigned index = p->node->number * SLOTS_EACH + rng_below(&p->rng, SLOTS_EACH);
    struct variable *v = &block_at(p, o->to)->variable[index];
    int local = fetch ? free_local(p) : -1;
    unsigned opcode = any_opcode(p, fetch);
    uint64_t a = rng_next(&p->rng), b = rng_next(&p->rng);
    uint8_t old[8];

    if (v->state != SLOT_FREE || (fetch && local < 0)) {
        return false;
    }
    if (rng_below(&p->rng, 4) == 0) { /* so that CSWAP swaps */
        a = v->value;
    }
    v->state = SLOT_BUSY;
    v->written = false;
    v->bytes = gn_amo_of(opcode, fetch).wide ? 8 : 4;
    v->next = gn_amo_apply(opcode, GN_NEAREST, v->value, a, b);
    memcpy(old, &v->value, 8);
    if (fetch) {
        slot_wait(&block_of(p)->local[local], 0, old, v->bytes);
    }
    o->index = index;
    o->local = local;
    store_modes(p, ATOMIC, fetch ? 0 : opcode);
    store_base(p, o->to, 8 * index, 0);
    store_amo(p, opcode, local, a, b);
    return true;
}

/* 1 more in a counter that all use. */
static bool post_add(struct process *p, struct operation *o, bool fetch)
{
    struct block *there = block_at(p, o->to);
    unsigned index = rng_below(&p->rng, HOT);
    struct hot *h = &there->hot[index];
    int local = fetch ? free_local(p) : -1;
    unsigned opcode = rng_below(&p->rng, 2) != 0 ? OPCODE_ADD : OPCODE_ADD_CACHED;

    if ((fetch && local < 0) || h->posted == HOT_MOST) {
        return false;
    }
    h->posted++;
    if (fetch) {
        struct slot *s = &block_of(p)->local[local];

        slot_wait(s, 0, (const uint8_t[8]){0}, 8);
        s->any_below = true;
        s->other = there;
        s->other_life = there->life;
        s->hot = index;
    }
    o->index = index;
    o->local = local;
    store_modes(p, ATOMIC, fetch ? 0 : opcode);
    store_base(p, o->to, HOT_AT + 8 * index, 0);
    store_amo(p, opcode, local, 1, 0);
    return true;
}

bool operation_post(struct process *p, struct operation *o)
{
    o->local = -1;
    o->local_life = (int)block_of(p)->life;
    o->life = block_at(p, o->to)->life;
    switch (o->kind) {
    case KIND_PUT:
        return post_put(p, o, false);
    case KIND_MESSAGE:
        return post_put(p, o, true);
    case KIND_CQWRITE:
        return post_cqwrite(p, o);
    case KIND_GET:
        return post_get(p, o);
    case KIND_AMO:
    case KIND_FAMO:
        return post_amo(p, o, o->kind == KIND_FAMO);
    default:
        return post_add(p, o, o->kind == KIND_FETCH_ADD);
    }
}

void operation_flood(struct process *p, unsigned to, unsigned writes)
{
    store_modes(p, MESSAGES, 0);
    store_base(p, to, 0, 0);
    while (writes-- > 0) {
        store_page_word(p, WORD_CQWRITE, FLOOD_BIT);
    }
}

/* ---- the end of it ----------------------------------------------------------------------------------- */

/* What an operation waited for has come, or nobody knows. */
void operation_settle(struct process *p, const struct operation *o, bool ok)
{
    struct block *there = block_at(p, o->to), *here = block_of(p);

    if (there->life == o->life) {
        switch (o->kind) {
        case KIND_PUT:
            block_settle_slot(there, &there->put[o->index], PUTS, o->index, ok);
            break;
        case KIND_MESSAGE:
        case KIND_CQWRITE: {
            struct slot *s = &there->message[o->index];

            s->done = ok; /* until its event is there */
            if (!ok || s->told) {
                block_settle_slot(there, s, MESSAGES, o->index, ok);
            }
            break;
        }
        case KIND_AMO:
        case KIND_FAMO:
            block_settle_variable(there, o->index, ok);
            break;
        case KIND_ADD:
        case KIND_FETCH_ADD:
            there->hot[o->index].ok += ok;
            break;
        default:
            break;
        }
    }
    if (o->local >= 0 && (int)here->life == o->local_life) {
        block_settle_slot(here, &here->local[o->local], LOCAL, (unsigned)o->local, ok);
    }
}
