// SPDX-License-Identifier: Apache-2.0
/*
 * amo_answer.c - answers in the order of writes, which memory does in order: a FIFO, its front in registers, beside one of how memory
 * answered.
 */
#include "nic/amo/amo_answer.h"

HLS_RESET void amo_answer_fifo_reset(struct amo_answer_fifo *self)
{
    self->out = (struct amo_answer_fifo_out){};
    self->read = 0;
    self->write = 0;
    self->staged = 0;
    self->code = 0;
    self->ready = 0;
    self->status_read = 0;
    self->status_write = 0;
    self->statuses_count = 0;
}

static inline amo_answer_counts count_of(u1 condition, enum amo_answer_count count)
{
    return (amo_answer_counts)((amo_answer_counts)condition << count);
}

/* The oldest answer, if its write is done, into out.answer. Says whether it went. */
static inline u1 give(struct amo_answer_fifo *self, u1 taken, u2 memory)
{
    struct answer_ecc_result low = answer_ecc_decode((answer_ecc_word)self->code);
    struct answer_ecc_result high =
        answer_ecc_decode((answer_ecc_word)(self->code >> AMO_ANSWER_BITS));
    u1 free = !self->out.answer.valid || taken;
    u1 go = self->staged && free && (self->ready || self->statuses_count != 0);
    u1 fatal = low.fatal | high.fatal;
    u1 corrected = low.corrected | high.corrected;
    nic_status_field stored = (nic_status_field)(low.data >> 34);
    nic_status_field status = self->ready ? stored : status_of_memory(memory);

    if (free) {
        self->out.answer = (struct amo_answer){
            .valid = go && !fatal,
            .whom = (u33)low.data,
            .status = status,
            .counted = (u1)(low.data >> 33),
            .ssid = (nic_ssid)(high.data >> 46),
            .use = (u2)(high.data >> 55),
            .fetch = (u1)(low.data >> 38),
            .wide = (u1)(low.data >> 39),
            .old = (u64)(((u64)(u46)high.data << 18) | (u18)(low.data >> 40)),
        };
    }
    self->out.count = count_of(go && corrected, AMO_ANSWER_CORRECTED) |
                      count_of(go && fatal, AMO_ANSWER_LOST) |
                      count_of(go && status == STATUS_BUS, AMO_ANSWER_BUS) |
                      count_of(go && status == STATUS_DATA, AMO_ANSWER_DATA);
    return go;
}

/* Both FIFOs; gone: the oldest answer is. */
static inline void queue(struct amo_answer_fifo *self, const struct amo_answer_fifo_in *in, u1 gone)
{
    u1 waited = gone && !self->ready;
    u1 stored = self->out.answers != self->staged;
    u1 fills = stored && (!self->staged || gone);

    if (fills) {
        self->code = self->codes[self->read];
        self->ready = self->readies[self->read];
        self->read++;
    }
    if (in->end.valid) {
        self->codes[self->write] = in->end.code;
        self->readies[self->write] = in->end.ready;
        self->write++;
    }
    if (in->written) {
        self->statuses[self->status_write] = in->status;
        self->status_write++;
    }
    self->staged = fills || (self->staged && !gone);
    self->out.answers = (amo_answers)(self->out.answers + in->end.valid - gone);
    self->status_read += waited;
    self->statuses_count = (amo_answers)(self->statuses_count + in->written - waited);
}

HLS_MODULE void amo_answer_fifo(struct amo_answer_fifo *self, const struct amo_answer_fifo_in *in)
{
    u2 memory = self->statuses[self->status_read];

    hls_assert(self->out.answers <= AMO_FLYING);
    queue(self, in, give(self, in->taken, memory));
}
