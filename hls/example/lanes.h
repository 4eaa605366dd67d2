// SPDX-License-Identifier: Apache-2.0
/*
 * lanes.h - four copiers of words in memory: an array of processes, which share a stream of reads and one of writes.
 *
 * - A job copies `words` words, the first to the last: each is written before the next is read. Each lane has a stream of jobs; the payload is that of all.
 * - The memory answers a read in any later clock, and reads of different lanes in any order. A word comes to the lane that it names,
 *   which has room for it.
 * - A stream is given to the next lane that wants it behind the one that had it last: who wants it waits for three of others at most.
 * - A lane that is stopped begins nothing; what it has asked for goes on. It stops no other.
 */
#ifndef LANES_H
#define LANES_H

#include "lib/stream.h"

enum { LANES = 4 };

enum lanes_at { LANES_IDLE, LANES_WORD, LANES_WRITE };

struct lanes_job {
    u4 tvalid; /* by lane */
    u16 from, to, words;
};

HLS_STREAM(lanes_read, u2, lane, u16, address);
HLS_STREAM(lanes_write, u2, lane, u16, address, u32, data);

struct lanes_word { /* the answer to a read */
    u1 tvalid;
    u2 lane;
    u32 data;
};

struct lanes_in {
    u4 stop; /* by lane */
    struct lanes_job job;
    struct lanes_read_back read;
    struct lanes_word word;
    struct lanes_write_back write;
};

struct lanes_out {
    u4 job_tready; /* by lane: it has no job */
    struct lanes_read_forward read;
    struct lanes_write_forward write;
};

struct lane {
    enum lanes_at at;
    u16 from, to, left;
    u32 word;
};

struct lanes {
    struct lanes_out out;
    u4 reads, full, writes; /* by lane: it wants to read, has a word, wants to write it */
    struct lane lane[LANES];
    struct lanes_read_check read_check;
    struct lanes_write_check write_check;
};

HLS_RESET void lanes_reset(struct lanes *self);
HLS_MODULE void lanes(struct lanes *self, const struct lanes_in *in);

#endif
