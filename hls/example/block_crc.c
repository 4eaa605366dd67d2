// SPDX-License-Identifier: Apache-2.0
/* block_crc.c - reads the words of a block out of a memory, one a clock, and answers with their CRC: a process of three states. */
#include "block_crc.h"

HLS_RESET void block_crc_reset(struct block_crc *self)
{
    self->out = (struct block_crc_out){.job.tready = 1};
    self->at = CRC_JOB;
    self->now = (struct crc_job){};
    self->crc = self->word = 0;
    self->check = (struct crc_answer_check){};
}

static u32 crc_next(u32 crc, u32 word)
{
    crc ^= word;
    for (unsigned i = 0; i < 32; i++)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
    return crc;
}

static void process(struct block_crc *self, const struct block_crc_in *in)
{
    HLS_PROCESS(self->at, CRC_JOB, CRC_WORD, CRC_FREE);
    for (;;) {
        HLS_WAIT_UNTIL(CRC_JOB, in->job.tvalid);
        self->out.job.tready = 0;
        self->now = crc_job_of(in->job);
        self->crc = ~0u;
        self->word = self->words[self->now.first];
        for (;;) {
            HLS_WAIT(CRC_WORD);
            self->crc = crc_next(self->crc, self->word);
            if (self->now.rest-- == 0)
                break;
            self->now.first++;
            self->word = self->words[self->now.first];
        }
        while (self->out.answer.tvalid)
            HLS_WAIT(CRC_FREE);
        self->out.answer =
            crc_answer_offer((struct crc_answer){.crc = ~self->crc, .tag = self->now.tag});
        self->out.job.tready = 1;
    }
}

HLS_MODULE void block_crc(struct block_crc *self, const struct block_crc_in *in)
{
    crc_answer_assert(&self->check, &self->out.answer, &in->answer);
    self->out.answer.tvalid &= !in->answer.tready;
    process(self, in);
    if (in->we)
        self->words[in->at] = in->data; /* a memory is read before it is written */
}
