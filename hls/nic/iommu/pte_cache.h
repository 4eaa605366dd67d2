// SPDX-License-Identifier: Apache-2.0
/*
 * pte_cache.h - ports and registers of the cache of page table entries: lines of eight, four in a set, and the reads of lines that are under way.
 *
 * Entries of page tables have 64 bits: [0] valid, [1] writable, [47:12] frame. A line is named by its key, {upper, context, number}: line n of a
 * table has entries 8 n to 8 n + 7; upper: of a context's first table of two.
 */
#ifndef PTE_CACHE_H
#define PTE_CACHE_H

#include "axi/memory.h"

#define PTE_WAYS      4
#define PTE_SETS_LOG2 (NIC_PTE_LOG2 - 2)
#define PTE_WALKS     (1 << NIC_WALKS_LOG2) /* lines that are read at once */

typedef uint(38) pte_key; /* {upper 1, context 4, number 33} */
#define PTE_UPPER_AT   37
#define PTE_CONTEXT_AT 33

typedef uint(NIC_PTE_LOG2) pte_place; /* of a line: {way, set} */
typedef uint(NIC_PTE_LOG2 + 2) pte_beat_place;
typedef uint(PTE_SETS_LOG2) pte_set;
typedef uint(1 << PTE_SETS_LOG2) pte_sets; /* a bit each */
typedef uint(NIC_WALKS_LOG2) pte_walk;
typedef uint(NIC_WALKS_LOG2 + 1) pte_walks;
typedef u42 pte_line_address; /* of 64 bytes */

/* {frame 36, writable, valid}; not valid but writable: the table could not be read, and the frame is the enum mem_status. */
typedef uint(38) pte_entry;

/* An entry as it is kept: with half of its line's key under the code, so that a wrong bit of the key is found as one of the entry is. */
#define ECC      pte_ecc
#define ECC_DATA 57
#define ECC_BITS 7
#include "common/ecc.inc"

typedef uint(38 + 7) pte_code;
typedef uint(2 * (38 + 7))
    pte_beat; /* entries of a beat: those with the low half of the key, with the high one */

/* Bits of out.count. */
enum pte_count {
    PTE_CORRECTED, /* a single-bit error in a line or in its key: CORRECTABLE_MEMORY */
    PTE_FATAL,     /* two; the line is forgotten, and read again: TRANSACTION */
    PTE_COUNTS
};

typedef uint(PTE_COUNTS) pte_counts;

/* What is looked for: an entry of a line. */
struct pte_look {
    u1 valid;
    pte_key key;
    u3 entry;
};

/* A line to be read. */
struct pte_ask {
    u1 valid;
    u1 must; /* also in the place of one that nobody has looked into yet */
    pte_key key;
    pte_line_address addr;
};

struct pte_cache_in {
    struct pte_look look;
    u1 used;            /* what out.found has now is translated by ... */
    u1 ahead;           /* ... or will be */
    u1 drop;            /* ... and is forgotten, for it could not be read */
    struct pte_ask ask; /* while out.room */
    u1 forget;          /* all lines, also those under way */
    u1 taken;           /* of axi_read: out.walk was */
    struct mem_walked beat;
};

/* Three clocks after a look. */
struct pte_found {
    u1 hit;     /* the line is here: */
    u1 pending; /* ... or on its way */
    u1 full;    /* its set has only lines on their way, or that nobody has looked into */
    pte_entry entry;
    pte_place place;
};

struct pte_cache_out {
    struct pte_found found;
    u1 room;              /* a line may be asked for */
    struct mem_walk walk; /* until it is taken */
    u1 stale;             /* a read is under way that was asked for before the last in.forget */
    u1 idle;
    pte_counts count;
};

/* A look on its way: clock 1 has the place, clock 2 what is there. */
struct pte_step {
    u1 valid;
    struct pte_look look;
    u1 hit, pending, full;
    pte_place place;
};

struct pte_cache {
    struct pte_cache_out out;

    struct pte_step looked, read;
    pte_beat code; /* of the look in `read` */

    pte_sets valid[PTE_WAYS];
    pte_sets pending[PTE_WAYS];
    pte_sets wanted[PTE_WAYS]; /* nobody has looked into it yet */
    u2 turn;                   /* of the ways */
    struct pte_ask asking;     /* gets its place in the next clock */

    /* Reads of lines, in order: asked for, sent, filled. */
    pte_walks asked, sent, filled;
    pte_walks stale; /* so many of the next ones are of tables that were */
    u2 beat;         /* of the line that comes */
    struct mem_walked got;

    HLS_LUTRAM(1) pte_key keys0[1 << PTE_SETS_LOG2];
    HLS_LUTRAM(1) pte_key keys1[1 << PTE_SETS_LOG2];
    HLS_LUTRAM(1) pte_key keys2[1 << PTE_SETS_LOG2];
    HLS_LUTRAM(1) pte_key keys3[1 << PTE_SETS_LOG2];
    HLS_LUTRAM(1) pte_line_address addresses[PTE_WALKS];
    HLS_LUTRAM(1) pte_key walk_keys[PTE_WALKS];
    HLS_LUTRAM(1) pte_place walk_places[PTE_WALKS];
    HLS_BRAM pte_beat lines[4 << NIC_PTE_LOG2]; /* four beats of two entries each */
};

HLS_RESET void pte_cache_reset(struct pte_cache *self);
HLS_MODULE void pte_cache(struct pte_cache *self, const struct pte_cache_in *in);

#endif
