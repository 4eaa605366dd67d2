// SPDX-License-Identifier: Apache-2.0
/*
 * pio.h - ports and registers of the host's door: AXI4 writes and reads of pages and windows.
 *
 * A write of up to 64 bytes is cut into runs of contiguous bytes, lowest first; a run of a page or of the get window is
 * one word, the two of LAUNCH, or BASE and MODES. fma, or cq, answers one run after the other; with the answer of a line's last run comes the AXI response.
 */
#ifndef PIO_H
#define PIO_H

#include "axi/axi.h"
#include "nic/packet/nic_types.h"
#include "nic/regs/nic_map.h"

typedef uint(NIC_FMA_LOG2) fma_index;
typedef uint(NIC_WINDOW_LOG2) fma_offset; /* in a page or window, in bytes */

enum pio_region {
    REGION_PAGE = 0, /* words of an FMA descriptor */
    REGION_QUEUE = 1,
    REGION_PUT = 2,
    REGION_GET = 3,
};

#define PIO_LINES_LOG2 2 /* lines whose data fma keeps */
typedef uint(PIO_LINES_LOG2) pio_line;
typedef uint(PIO_LINES_LOG2 + 2) pio_place; /* {line, 16 bytes of it} */

#define PAGE_BITS        12 /* of a byte in a page */
#define PAGE_LAUNCH_LINE 3  /* the 64 bytes that LAUNCH stands in */
#define PAGE_WORD_LAUNCH 24
#define PAGE_WORD_STATUS 16

/* To fma: stays as it is until fma answers. */
struct pio_run {
    u1 valid;
    u1 read; /* of a word of a page; else a write */
    u2 region;
    fma_index unit; /* descriptor */
    fma_offset offset;
    u6 bytes; /* - 1 */
    pio_line line;
    u1 gone; /* a write whose descriptor was disabled since it came: refused, whoever owns the descriptor now */
    u1 shut; /* a write while CONTROL.enable is 0: refused, and what its descriptor has open is aborted */
};

/* To fma, before the runs of its line: 16 bytes as they came. */
struct pio_chunk {
    u1 valid;
    pio_place place;
    beat_data data;
};

/* What is counted, all TRANSACTION. */
enum pio_count {
    PIO_BAD_BURST, /* not INCR, over a line, wlast elsewhere than awlen says, several narrow beats, read of a window */
    PIO_NO_PAGE,  /* no such descriptor or queue */
    PIO_DISABLED, /* the NIC, or the descriptor, is not enabled */
    PIO_NO_WORD,  /* of a queue's page: a part of a word, or one that no line begins with */
    PIO_COUNTS,
};

struct pio_in {
    struct axi_to_sub s_axi;
    struct nic_config config;
    struct nic_write write; /* NR_FMA: a descriptor is disabled */
    struct page_reply fma;  /* answers out.run, also a write */
    struct page_reply cq;   /* answers out.access */
};

struct pio_out {
    struct axi_from_sub s_axi;
    struct pio_run run;
    struct pio_chunk chunk;
    struct page_access access; /* valid for one clock */
    uint(PIO_COUNTS) count;
    uint(AXI_BAR_BITS) addr; /* of what is counted */
};

/* The address of a burst, of a write or a read. */
struct pio_address {
    u1 valid;
    axi_id id;
    uint(AXI_BAR_BITS) addr;
    u8 len;
    u3 size;
    u2 burst;
    u1 gone; /* as in pio_burst */
};

struct pio_data {
    u1 valid;
    beat_data data;
    u16 strobes;
    u1 last;
};

/* A burst: a line that is being filled, or cut; or a read. */
struct pio_burst {
    u1 valid;
    u1 whole; /* its last beat came */
    u1 read;
    u1 bad; /* nothing is done: PIO_BAD_BURST, or */
    u1 no_page;
    u1 gone; /* its descriptor was disabled since it came */
    axi_id id;
    uint(AXI_BAR_BITS) addr; /* as it came */
    u8 len; /* beats that must still come behind the next one; of a read: beats - 1 */
    u2 region;
    u10 unit;
    fma_offset base; /* of the line; of a read the byte */
    pio_line line;   /* where fma keeps it */
    u2 chunk;        /* where the next beat belongs */
    u1 some;         /* a strobe is on: */
    u64 strobes;     /* of what was not sent on yet */
    u32 word;        /* of the first word of the line: a read index */
};

#define PIO_WRITES_LOG2 3 /* writes whose address is here and whose B was not taken */
#define PIO_READS       2 /* reads whose address is here and whose last R was not taken */
typedef uint(PIO_WRITES_LOG2) pio_b_index;
typedef uint(AXI_ID_BITS + 1) pio_b; /* {refused, id} */

/* An AXI response. */
struct pio_response {
    u1 valid;
    u1 read;
    axi_id id;
    u8 len; /* beats of a read - 1 */
    u1 refused;
    u64 data;
};

struct pio {
    struct pio_out out;

    /* What came while nobody could take it. */
    struct pio_address aw;
    struct pio_data w;
    struct pio_address ar;
    u1 read_first; /* ar came before what aw and w hold, or come to hold */

    struct pio_burst fill;
    pio_line line; /* where the next one goes */
    struct pio_burst cut;

    /* A run that fma or cq has and has not answered. */
    u1 asked;
    u1 asked_last; /* of its burst */
    u1 asked_read;
    axi_id asked_id;
    u1 refused; /* one before it in its burst was */

    /* Responses, each with its place: a B that is held stops no read, an R that is held no write. */
    HLS_LUTRAM(1) pio_b b_queue[1 << PIO_WRITES_LOG2];
    pio_b_index b_in;
    pio_b_index b_out;
    uint(PIO_WRITES_LOG2 + 1) writes; /* taken, and their B not */
    u2 reads;                         /* taken, and their last R not */
    struct pio_response late;         /* of a read that waits for R */
    u8 rleft;                         /* beats of out.s_axi.r* that follow this one */
};

HLS_RESET void pio_reset(struct pio *self);
HLS_MODULE void pio(struct pio *self, const struct pio_in *in);

#endif
