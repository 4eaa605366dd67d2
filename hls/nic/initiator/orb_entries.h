// SPDX-License-Identifier: Apache-2.0
/*
 * orb_entries.h - what orb keeps of each tag from its request to its answer: where the data goes, what answers it, when it was sent.
 */
#ifndef ORB_ENTRIES_H
#define ORB_ENTRIES_H

#include "nic/initiator/orb_lists.h"
#include "nic/regs/nic_counts.h"

/* Where the data of a tag goes; what answers it. */
#define ECC      orb_where_ecc
#define ECC_DATA 52 /* {mdh 12, offset 40} */
#define ECC_BITS 7
#include "common/ecc.inc"

#define ECC      orb_what_ecc
#define ECC_DATA (16 + RSP_LENGTH_BITS) /* {lost 1, flagged 1, length, bytes - 1 6, ptag 8} */
#define ECC_BITS 6
#include "common/ecc.inc"

#if NIC_TAG_LOG2 <= 6
#define ORB_COLD HLS_LUTRAM(1)
#else
#define ORB_COLD HLS_BRAM
#endif

/* When a request was sent, in 16 clocks, modulo: a response later than 2^22 clocks has a time that is too short. */
typedef u18 orb_units;

/* An entry, decoded. */
struct orb_entry {
    u1 fatal; /* a double-bit error in it */
    u1 lost;  /* that, or in its local beat: where its data goes is not known */
    u1 flags;
    u1 corrected;
    nic_mdh mdh;
    nic_offset offset;
    nic_ptag ptag;
    u6 bytes; /* less 1 */
    rsp_length length;
};

struct orb_entries_in {
    u1 reads;
    orb_tag read; /* not the one that is written in the same clock */
    u1 writes;
    orb_tag write;
    orb_where_ecc_data where;
    orb_what_ecc_data what;
};

struct orb_entries_out {
    struct orb_entry entry; /* that was read two calls ago */
    orb_units age;          /* of its request */
};

struct orb_entries {
    struct orb_entries_out out;

    /* Read in the call before. */
    orb_where_ecc_word where;
    orb_what_ecc_word what;
    orb_units began;

    uint(18 + NIC_TIME_LOG2) now; /* clocks, modulo */

    ORB_COLD orb_where_ecc_word cold_where[NIC_TAGS];
    ORB_COLD orb_what_ecc_word cold_what[NIC_TAGS];
    ORB_COLD orb_units cold_began[NIC_TAGS]; /* no code: a wrong bit is a wrong bin */
};

HLS_RESET void orb_entries_reset(struct orb_entries *self);
HLS_MODULE void orb_entries(struct orb_entries *self, const struct orb_entries_in *in);

#endif
