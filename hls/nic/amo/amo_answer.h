// SPDX-License-Identifier: Apache-2.0
/*
 * amo_answer.h - answers of amo, in the order of operations that are done: each is given when its write is, or at once.
 */
#ifndef AMO_ANSWER_H
#define AMO_ANSWER_H

#include "nic/amo/amo_types.h"

/* Bits of out.count; those of amo. */
enum amo_answer_count {
    AMO_ANSWER_CORRECTED,
    AMO_ANSWER_LOST,
    AMO_ANSWER_BUS,
    AMO_ANSWER_DATA,
    AMO_ANSWER_COUNTS
};

typedef uint(AMO_ANSWER_COUNTS) amo_answer_counts;

struct amo_answer_fifo_in {
    struct amo_end end; /* an operation is done */
    u1 written;         /* memory has answered the write of the next one that waits for one: */
    u2 status;          /* enum mem_status */
    u1 taken;           /* npt took out.answer in the clock before */
};

struct amo_answer_fifo_out {
    struct amo_answer answer;
    amo_answers answers; /* that wait, without out.answer */
    amo_answer_counts count;
};

struct amo_answer_fifo {
    struct amo_answer_fifo_out out;
    amo_place read, write;
    u1 staged; /* code is the oldest one's */
    amo_answer_code code;
    u1 ready; /* it waits for no write */
    amo_place status_read, status_write;
    amo_answers statuses_count;
    HLS_LUTRAM(1) u1 readies[AMO_FLYING];
    HLS_LUTRAM(1) u2 statuses[AMO_FLYING]; /* enum mem_status */
    HLS_BRAM amo_answer_code codes[AMO_FLYING];
};

HLS_RESET void amo_answer_fifo_reset(struct amo_answer_fifo *self);
HLS_MODULE void amo_answer_fifo(struct amo_answer_fifo *self, const struct amo_answer_fifo_in *in);

#endif
