// SPDX-License-Identifier: Apache-2.0
/*
 * verdict.h - what is found, counted by kind, and the log of an episode.
 */
#ifndef ABUSE_VERDICT_H
#define ABUSE_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

enum finding {
    WRONG_BYTES, /* an access to a segment that no operation explains, or a byte that is not the golden model's */
    STRAYS,    /* an access outside of all segments and rings, or to one that has been taken away */
    NOT_WHOLE, /* a NIC lacks an id, a tag, an entry or a place when all is over */
    STUCK,     /* a transaction, a store or a register access does not end, or too late */
    WRONG_STATUS, /* a transaction that nothing disturbed did not end with OK */
    WRONG_EVENTS, /* an event that nobody waits for, twice, or not at all */
    BROKEN_RULES, /* AXI4, assertions of the hardware, registers that took a forbidden value */
    FINDINGS
};

struct verdict {
    uint64_t found[FINDINGS];
    uint64_t transactions, ok, failed, unknown; /* how they ended */
    uint64_t foreign;                           /* those that nothing disturbed */
    uint64_t worst_foreign;                     /* clocks of the longest of them */
    uint64_t worst_settle;                      /* clocks of the longest, of a host that answers */
    uint64_t wild;          /* accesses to memory of processes that write nonsense */
    uint64_t hostile, mute; /* packets that the rogue sent, and took */
    uint64_t accesses;      /* explained */
    char first[200];        /* the first finding */
    const uint64_t *clock;
    bool loud; /* each finding and the log are printed */
    bool all;  /* each transaction, too */
};

extern const char *const finding_names[FINDINGS];

void found(struct verdict *v, enum finding kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A line of the log, printed if loud. */
void note(struct verdict *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One of each transaction, if all are printed. */
void detail(struct verdict *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t findings_of(const struct verdict *v);
/* Adds the counts of one to another. */
void verdict_add(struct verdict *to, const struct verdict *from);

#endif
