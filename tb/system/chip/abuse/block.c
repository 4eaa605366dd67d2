// SPDX-License-Identifier: Apache-2.0
/*
 * block.c - explains accesses, compares memory.
 */
#include "tb/system/chip/abuse/block.h"

#include <stdio.h>
#include <string.h>

const struct extent extents[SEGMENTS] = {
    [PUTS] = {0x0040, SLOTS *SLOT_BYTES, .write = true},
    [SOURCE] = {0x1840, 0x3C0, .read = true},
    [LOCAL] = {0x1C40, LOCAL_SLOTS *SLOT_BYTES, .write = true},
    [ATOMIC] = {0x2480, HOT_AT + 8 * HOT, .atomic = true},
    [MESSAGES] = {0x2800, SLOTS *MESSAGE_BYTES, .write = true, .event = true},
};

void block_start(struct block *b, struct verdict *v, uint8_t *memory, const char *name, bool wild)
{
    *b = (struct block){.verdict = v, .memory = memory, .wild = wild};
    snprintf(b->name, sizeof(b->name), "%s", name);
}

static void clear_rings(struct block *b)
{
    memset(b->memory + EVENTS_AT, 0, 8 * RING_ENTRIES);
    memset(b->memory + TARGET_EVENTS_AT, 0, 8 * RING_ENTRIES);
}

void block_give(struct block *b, struct rng *rng)
{
    for (unsigned i = 0; i < BLOCK_OWN; i++) {
        b->memory[i] = b->golden[i] = (uint8_t)rng_next(rng);
    }
    clear_rings(b);
    memset(b->put, 0, sizeof(b->put));
    memset(b->message, 0, sizeof(b->message));
    memset(b->local, 0, sizeof(b->local));
    memset(b->hot, 0, sizeof(b->hot));
    for (unsigned i = 0; i < SLOTS; i++) {
        b->variable[i] = (struct variable){0};
        memcpy(&b->variable[i].value, b->golden + extents[ATOMIC].at + 8 * i, 8);
    }
    for (unsigned i = 0; i < HOT; i++) {
        uint8_t *place = b->memory + extents[ATOMIC].at + HOT_AT + 8 * i;

        memset(place, 0, 8);
        memset(b->golden + (place - b->memory), 0, 8);
    }
    b->life++;
    b->lossy = false;
    b->segments_open = b->rings_open = true;
}

void slot_wait(struct slot *s, unsigned from, const uint8_t *data, unsigned bytes)
{
    *s = (struct slot){.state = SLOT_BUSY, .from = from, .bytes = bytes};
    memcpy(s->data, data, bytes);
}

/* ---- accesses --------------------------------------------------------------------------------------- */

static bool inside(enum segment s, unsigned at, unsigned bytes)
{
    return at >= extents[s].at && at + bytes <= extents[s].at + extents[s].bytes;
}

/* What was fetched of a hot variable: a number that it had, and that nobody else got. */
static bool had_before(struct slot *s, const uint8_t *data, unsigned bytes)
{
    struct hot *h = &s->other->hot[s->hot];
    uint64_t value;

    if (bytes != 8) {
        return false;
    }
    memcpy(s->data, data, 8);
    if (s->other->life != s->other_life) { /* of an owner before */
        return true;
    }
    memcpy(&value, data, 8);
    if (value < h->begun || value >= h->value || value - h->begun >= HOT_MOST ||
        h->fetched[value - h->begun]) {
        return false;
    }
    h->fetched[value - h->begun] = true;
    return true;
}

/* The flag of a get that failed: its status stands above the 1. */
static bool is_flag(const struct slot *s, unsigned at, const uint8_t *data, unsigned bytes)
{
    return s->flag != 0 && at == s->flag && bytes == 4 && (data[0] & 15) == 1 && data[1] == 0 &&
           data[2] == 0 && data[3] == 0;
}

static void write_slot(struct block *b, struct slot *s, const char *what, unsigned at,
                       const uint8_t *data, unsigned bytes)
{
    if (s->state == SLOT_FREE || at < s->from || at + bytes > s->from + s->bytes) {
        found(b->verdict, WRONG_BYTES,
              "%s: %u bytes written at %u of a slot of %s that waits for none", b->name, bytes, at,
              what);
        return;
    }
    if (s->any_below && at == s->from && !had_before(s, data, bytes)) {
        found(b->verdict, WRONG_BYTES, "%s: fetched what a counter did not have, or twice",
              b->name);
    }
    if (is_flag(s, at, data, bytes)) {
        s->data[at - s->from] = data[0];
    }
    for (unsigned i = 0; i < bytes; i++) {
        unsigned k = at + i - s->from;

        if (s->written[k] || data[i] != s->data[k]) {
            found(b->verdict, WRONG_BYTES, "%s: byte %u of a slot of %s is written %s", b->name,
                  at + i, what, s->written[k] ? "twice" : "with another value");
            return;
        }
        s->written[k] = true;
    }
}

static void write_variable(struct block *b, unsigned at, const uint8_t *data, unsigned bytes)
{
    unsigned index = at / 8;
    struct variable *v = &b->variable[index];
    uint64_t value = 0;

    memcpy(&value, data, bytes < 8 ? bytes : 8);
    if (at % 8 != 0 || index >= SLOTS || v->state == SLOT_FREE || v->written || bytes != v->bytes ||
        memcmp(&v->next, data, bytes) != 0) {
        found(b->verdict, WRONG_BYTES, "%s: variable %u becomes %llx in %u bytes, not %llx in %u%s",
              b->name, index, (unsigned long long)value, bytes, (unsigned long long)v->next,
              v->bytes, v->written ? ", which it had" : "");
        return;
    }
    v->written = true;
}

static void write_hot(struct block *b, unsigned index, const uint8_t *data, unsigned bytes)
{
    struct hot *h = &b->hot[index];
    uint64_t value = 0;

    memcpy(&value, data, bytes < 8 ? bytes : 8);
    if (bytes != 8 || value != h->value + 1 || value > h->begun + h->posted) {
        found(b->verdict, WRONG_BYTES, "%s: counter %u becomes %llx behind %llx", b->name, index,
              (unsigned long long)value, (unsigned long long)h->value);
    }
    h->value = value;
}

static void write_ring(struct block *b, unsigned at, unsigned bytes)
{
    if (!b->rings_open || at % 8 != 0 || bytes != 8) {
        found(b->verdict, STRAYS, "%s: %u bytes written to a ring at %x%s", b->name, bytes, at,
              b->rings_open ? "" : " that was taken away");
    }
}

void block_write(struct block *b, unsigned at, const uint8_t *data, unsigned bytes)
{
    b->verdict->accesses++;
    b->verdict->wild += b->wild;
    if (at >= EVENTS_AT && at + bytes <= TARGET_EVENTS_AT + 8 * RING_ENTRIES) {
        write_ring(b, at, bytes);
    } else if (!b->segments_open) {
        found(b->verdict, STRAYS, "%s: %u bytes written at %x of segments that were taken away",
              b->name, bytes, at);
    } else if (b->wild && at + bytes <= BLOCK_OWN) {
        return;
    } else if (inside(PUTS, at, bytes)) {
        at -= extents[PUTS].at;
        write_slot(b, &b->put[at / SLOT_BYTES], "puts", at % SLOT_BYTES, data, bytes);
    } else if (inside(LOCAL, at, bytes)) {
        at -= extents[LOCAL].at;
        write_slot(b, &b->local[at / SLOT_BYTES], "gets", at % SLOT_BYTES, data, bytes);
    } else if (inside(MESSAGES, at, bytes)) {
        at -= extents[MESSAGES].at;
        write_slot(b, &b->message[at / MESSAGE_BYTES], "messages", at % MESSAGE_BYTES, data, bytes);
    } else if (inside(ATOMIC, at, bytes) && at - extents[ATOMIC].at >= HOT_AT) {
        write_hot(b, (at - extents[ATOMIC].at - HOT_AT) / 8, data, bytes);
    } else if (inside(ATOMIC, at, bytes)) {
        write_variable(b, at - extents[ATOMIC].at, data, bytes);
    } else {
        found(b->verdict, STRAYS, "%s: %u bytes written at %x, which is no segment", b->name, bytes,
              at);
    }
}

void block_read(struct block *b, unsigned at, unsigned bytes)
{
    b->verdict->accesses++;
    b->verdict->wild += b->wild;
    if (!b->segments_open) {
        found(b->verdict, STRAYS, "%s: segments that were taken away are read at %x", b->name, at);
    } else if (!b->wild && !inside(SOURCE, at, 1) && !inside(ATOMIC, at, 1)) {
        found(b->verdict, STRAYS, "%s: %u bytes read at %x, which may not be read", b->name, bytes,
              at);
    }
}

/* ---- ends of operations ----------------------------------------------------------------------------- */

static void keep(struct block *b, const struct slot *s, enum segment segment, unsigned index)
{
    unsigned each = segment == MESSAGES ? MESSAGE_BYTES : SLOT_BYTES;
    uint8_t *golden = b->golden + extents[segment].at + index * each + s->from;

    for (unsigned i = 0; i < s->bytes; i++) {
        golden[i] = s->written[i] ? s->data[i] : golden[i];
    }
}

void block_settle_slot(struct block *b, struct slot *s, enum segment segment, unsigned index,
                       bool ok)
{
    unsigned missing = 0;

    if (!ok) {
        s->state = SLOT_DOUBT;
        return;
    }
    for (unsigned i = 0; i < s->bytes; i++) {
        missing += !s->written[i];
    }
    if (missing != 0) {
        found(b->verdict, WRONG_BYTES,
              "%s: %u of %u bytes are missing of what is reported as OK (segment %d, slot %u)",
              b->name, missing, s->bytes, segment, index);
    }
    if (s->flag != 0 && s->data[s->flag - s->from] != 1) {
        found(b->verdict, WRONG_BYTES, "%s: a flag says status %u of what is reported as OK",
              b->name, s->data[s->flag - s->from] >> 4);
    }
    keep(b, s, segment, index);
    *s = (struct slot){0};
}

static void keep_variable(struct block *b, unsigned index)
{
    struct variable *v = &b->variable[index];

    if (v->written) {
        memcpy(&v->value, &v->next, v->bytes);
    }
    memcpy(b->golden + extents[ATOMIC].at + 8 * index, &v->value, 8);
    v->state = SLOT_FREE;
}

void block_settle_variable(struct block *b, unsigned index, bool ok)
{
    struct variable *v = &b->variable[index];

    if (!ok) {
        v->state = SLOT_DOUBT;
        return;
    }
    if (!v->written) {
        found(b->verdict, WRONG_BYTES, "%s: variable %u is not written, and its operation is OK",
              b->name, index);
    }
    keep_variable(b, index);
}

void block_restart(struct block *b)
{
    clear_rings(b);
    for (unsigned i = 0; i < LOCAL_SLOTS; i++) {
        if (b->local[i].state != SLOT_FREE) {
            keep(b, &b->local[i], LOCAL, i);
            b->local[i] = (struct slot){0};
        }
    }
    b->lossy = true;
}

static void end_slots(struct block *b, struct slot *slot, unsigned slots, enum segment segment)
{
    for (unsigned i = 0; i < slots; i++) {
        struct slot *s = &slot[i];

        if (s->state == SLOT_BUSY && s->message && s->done && !b->lossy) {
            found(b->verdict, WRONG_EVENTS,
                  "%s: the event of message %x, which is OK, has not come", b->name, s->serial);
        }
        if (s->state != SLOT_FREE) {
            keep(b, s, segment, i);
            *s = (struct slot){0};
        }
    }
}

static void compare(const struct block *b, enum segment s)
{
    const struct extent *e = &extents[s];
    unsigned differ = 0, first = 0;

    for (unsigned i = e->bytes; i-- > 0;) {
        if (b->memory[e->at + i] != b->golden[e->at + i]) {
            differ++;
            first = i;
        }
    }
    if (differ != 0) {
        found(b->verdict, WRONG_BYTES,
              "%s: %u bytes of segment %d are not the golden model's, the first at %x", b->name,
              differ, s, first);
    }
}

void block_compare(struct block *b)
{
    end_slots(b, b->put, SLOTS, PUTS);
    end_slots(b, b->local, LOCAL_SLOTS, LOCAL);
    end_slots(b, b->message, SLOTS, MESSAGES);
    for (unsigned i = 0; i < SLOTS; i++) {
        keep_variable(b, i);
    }
    for (unsigned i = 0; i < HOT; i++) {
        struct hot *h = &b->hot[i];

        if (h->value - h->begun < h->ok) {
            found(b->verdict, WRONG_BYTES, "%s: counter %u rose by %llu, and %llu additions are OK",
                  b->name, i, (unsigned long long)(h->value - h->begun), (unsigned long long)h->ok);
        }
        memcpy(b->golden + extents[ATOMIC].at + HOT_AT + 8 * i, &h->value, 8);
        h->begun = h->value;
        h->posted = h->ok = 0;
        memset(h->fetched, 0, sizeof(h->fetched));
    }
    for (enum segment s = 0; s < SEGMENTS && !b->wild; s++) {
        compare(b, s);
    }
    b->lossy = false;
}
