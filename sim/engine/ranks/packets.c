// SPDX-License-Identifier: Apache-2.0
/*
 * packets.c - a pool of packets, and lists by name.
 */
#include "sim/engine/ranks/packets.h"

#include <stdlib.h>

#include "sim/base/program.h"

void packets_new(struct packets *p)
{
    *p = (struct packets){.free = PACKETS_NONE};
    for (unsigned b = 0; b < PACKETS_BUCKETS; b++)
        p->bucket[b] = PACKETS_NONE;
}

void packets_free(struct packets *p)
{
    free(p->packet);
    *p = (struct packets){.free = PACKETS_NONE};
}

static void grow(struct packets *p)
{
    const uint32_t size = p->size ? p->size * 2 : 32;
    if (size > PACKETS_MOST)
        sim_fail("more than %u packets wait at a router; ask for fewer clocks or less load",
                 p->size);
    struct packet *more = realloc(p->packet, size * sizeof *more);
    if (!more)
        sim_fail("out of memory for %u packets", size);
    p->packet = more;
    for (uint32_t i = p->size; i < size; i++)
        p->packet[i] = (struct packet){.next = i + 1 < size ? (int32_t)i + 1 : PACKETS_NONE};
    p->free = (int32_t)p->size;
    p->size = size;
}

int32_t packets_add(struct packets *p, const struct packet *packet)
{
    if (p->free == PACKETS_NONE)
        grow(p);
    const int32_t number = p->free;
    p->free = p->packet[number].next;
    p->packet[number] = *packet;
    p->packet[number].next = PACKETS_NONE;
    return number;
}

void packets_remove(struct packets *p, int32_t number)
{
    p->packet[number] = (struct packet){.next = p->free};
    p->free = number;
}

/* Names of a router's packets differ in their low bits most, and of two ports there too. */
static int32_t *bucket_of(struct packets *p, uint64_t name)
{
    return &p->bucket[(name ^ name >> 16 ^ name >> 32) % PACKETS_BUCKETS];
}

void packets_expect(struct packets *p, const struct packet *packet)
{
    const int32_t number = packets_add(p, packet);
    int32_t *bucket = bucket_of(p, packet->name);
    p->packet[number].next = *bucket;
    *bucket = number;
}

/* Which of two with the same name, in whatever order they were entered: other fields are the same, or are not looked at. */
static bool before(const struct packet *a, const struct packet *b, unsigned length)
{
    if ((a->length == length) != (b->length == length))
        return a->length == length;
    return a->made != b->made ? a->made < b->made : a->from < b->from;
}

bool packets_come(struct packets *p, uint64_t name, unsigned length, struct packet *packet)
{
    int32_t *best = NULL;
    for (int32_t *at = bucket_of(p, name); *at != PACKETS_NONE; at = &p->packet[*at].next) {
        const struct packet *here = &p->packet[*at];
        if (here->name == name && (!best || before(here, &p->packet[*best], length)))
            best = at;
    }
    if (!best)
        return false;
    const int32_t number = *best;
    *packet = p->packet[number];
    *best = packet->next;
    packets_remove(p, number);
    return true;
}

uint64_t packets_expected(const struct packets *p)
{
    uint64_t count = 0;
    for (unsigned b = 0; b < PACKETS_BUCKETS; b++)
        for (int32_t at = p->bucket[b]; at != PACKETS_NONE; at = p->packet[at].next)
            count++;
    return count;
}
