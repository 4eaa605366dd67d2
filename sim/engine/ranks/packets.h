// SPDX-License-Identifier: Apache-2.0
/*
 * packets.h - the packets of one router's NIC stand-ins: those that wait to be sent, and those on their way here.
 *
 * A packet has a name that follows from the processor port that makes it and how many that has made before. The flit behind its
 * head is that name, the others follow from it, so whoever takes it in finds in its own store what must come: nothing is
 * shared between routers. Packets of the same name and length are the same, flit by flit; of two such the one made
 * first is found.
 */
#ifndef SIM_PACKETS_H
#define SIM_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

enum { PACKETS_NONE = -1, PACKETS_BUCKETS = 64, PACKETS_MOST = 1 << 24 };

struct packet {
    uint64_t made; /* clock */
    uint64_t name;
    uint32_t from, to; /* nodes */
    int32_t next;      /* in a queue, in a bucket, or of the free ones */
    uint8_t length, class;
    bool beat; /* a heartbeat */
};

struct packets {
    struct packet *packet;
    uint32_t size;
    int32_t free;
    int32_t bucket[PACKETS_BUCKETS]; /* on their way here, by name */
};

void packets_new(struct packets *p);
void packets_free(struct packets *p);

/* A place for a packet; ends the program if PACKETS_MOST are not enough. */
int32_t packets_add(struct packets *p, const struct packet *packet);
void packets_remove(struct packets *p, int32_t number);

/* A packet on its way here. */
void packets_expect(struct packets *p, const struct packet *packet);

/* Finds it by its name and forgets it; one of that length if there is such. False if nobody has sent it. */
bool packets_come(struct packets *p, uint64_t name, unsigned length, struct packet *packet);

/* How many are on their way here. */
uint64_t packets_expected(const struct packets *p);

#endif
