// SPDX-License-Identifier: Apache-2.0
/*
 * walker.h - translates page numbers by a table of four levels in memory, one request at a time.
 *
 * A stream of requests and one of answers towards the user, a stream of reads and one of words towards memory; a beat moves in a clock
 * with valid and ready. An entry is laid out as in x86-64: bit 0 present, 1 writable, 7 last of its way (a large page), 12 to 47 the
 * frame of the next table or of the page.
 *
 * - Memory answers a read in any later clock, or never. No word within WALKER_LIMIT clocks of the offer of its read: the answer is
 *   TIMEOUT. A word with the last of these clocks counts. A later one is recognised by its tag and dropped, up to three timeouts on.
 * - A read that memory has not taken by then stays offered, and the next request waits for it.
 * - An answer is made of entries that were asked for after the last invalidation: a walk under way begins anew. An answer that is
 *   offered already stays as it is.
 * - When the walker is reset, memory has to forget the reads that it has taken.
 */
#ifndef WALKER_H
#define WALKER_H

#include "../hls.h"

enum { WALKER_LIMIT = 4096 };

enum walker_status { WALKER_FOUND, WALKER_ABSENT, WALKER_ERROR, WALKER_TIMEOUT };

enum walker_at { WALKER_IDLE, WALKER_FREE, WALKER_WORD, WALKER_GIVE };

struct walker_page { /* a page number of 36 bits */
    u9 index[4];     /* into the table of each level */
};

struct walker_request { /* user to walker */
    u1 tvalid;
    struct walker_page page;
};

struct walker_answer { /* walker to user */
    u1 tvalid;
    enum walker_status status;
    u2 level;    /* the page found has 512^level pages of the smallest size */
    u1 writable; /* by all entries on the way */
    u36 frame;
};

struct walker_read { /* walker to memory */
    u1 tvalid;
    u2 tag;
    u36 table; /* frame of the table */
    u9 index;  /* of an entry of 8 bytes */
};

struct walker_word { /* memory to walker, which is always ready for it */
    u1 tvalid;
    u2 tag;   /* of its read */
    u1 error; /* the entry could not be read */
    u64 entry;
};

struct walker_in {
    u36 root;      /* frame of the first table */
    u1 invalidate; /* the table has changed */
    struct walker_request request;
    u1 answer_tready;
    u1 read_tready;
    struct walker_word word;
};

struct walker_out {
    u1 request_tready;
    struct walker_answer answer;
    struct walker_read read;
};

struct walker {
    struct walker_out out;
    enum walker_at at;
    struct walker_page page;
    u1 stale; /* an invalidation came since the walk began */
    u12 left; /* clocks until the timeout */
    u2 tag;   /* of reads; another one after each timeout */
};

HLS_RESET void walker_reset(struct walker *self);
HLS_MODULE void walker(struct walker *self, const struct walker_in *in);

#endif
