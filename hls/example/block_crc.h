// SPDX-License-Identifier: Apache-2.0
/*
 * block_crc.h - CRC-32 of blocks of a memory: a job names a first word and how many follow, an answer has the job's tag and its CRC.
 *
 * The memory has 512 words of 32 bits and a port to write them. A block goes round at the end of the memory. A word that is written while
 * its block is read counts as it was or as it is, whichever was read. The CRC is that of IEEE 802.3 over the bytes of the
 * words, lowest byte first. The answer to n words is offered n + 1 clocks after their job was taken, and the next job is taken from then on.
 */
#ifndef BLOCK_CRC_H
#define BLOCK_CRC_H

#include "lib/stream.h"

HLS_STREAM(crc_job, u9, first, u9, rest, u4, tag); /* rest: words behind the first one */
HLS_STREAM(crc_answer, u32, crc, u4, tag);

enum crc_at { CRC_JOB, CRC_WORD, CRC_FREE };

struct block_crc_in {
    struct crc_job_forward job;
    struct crc_answer_back answer;
    u1 we; /* write `data` to word `at` */
    u9 at;
    u32 data;
};
struct block_crc_out {
    struct crc_job_back job;
    struct crc_answer_forward answer;
};

struct block_crc {
    struct block_crc_out out;
    enum crc_at at;
    struct crc_job now; /* the word that is read, words behind it */
    u32 crc, word;
    struct crc_answer_check check;
    HLS_BRAM_READ_FIRST u32 words[512];
};

HLS_RESET void block_crc_reset(struct block_crc *self);
HLS_MODULE void block_crc(struct block_crc *self, const struct block_crc_in *in);

#endif
