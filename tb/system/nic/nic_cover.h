// SPDX-License-Identifier: Apache-2.0
/*
 * nic_cover.h - what has happened in a bench of NICs: which command was answered how, and which steps blocks have taken.
 */
#ifndef NIC_COVER_H
#define NIC_COVER_H

#include "nic/nic.h"
#include "tb/base/harness.h"

enum { COVER_NODES = 16, COVER_TAGS = 1024, COVER_KINDS = 5, COVER_QUEUES = 3 };

struct nic_cover {
    uint8_t asked[COVER_NODES][COVER_TAGS]; /* command of the request that has the tag */
    uint64_t answered[16][16];              /* by command and status */
    uint64_t ssid[COVER_KINDS], orb[COVER_KINDS], cq[COVER_KINDS]; /* by kind of operation */
    uint64_t fma[16], aborted;    /* packets that fma_packet made, by command; CLOSEs of its own */
    uint64_t queue[COVER_QUEUES]; /* clocks in which beats wait in their memory */
    uint64_t full;                /* in which rat_net has no room for more */
};

/* Each packet between NICs, 0: request or 1: response, by its head; each NIC, each clock. */
void nic_cover_packet(struct nic_cover *c, int class, beat_word head);
void nic_cover_look(struct nic_cover *c, const struct nic *n);

/* One row {name, hits} more. */
void nic_cover_row(cJSON *rows, const char *name, uint64_t hits);
/* Those of commands and steps, too, then build/reports/nic-cover.json, which takes the rows; a check that each has hits. */
void nic_cover_report(const struct nic_cover *c, cJSON *rows);

#endif
