// SPDX-License-Identifier: Apache-2.0
/*
 * process_answer: a process under a clock enable asks a child, which goes on
 * when the process is stopped. The child answers in the next clock, late or
 * never; after 12 clocks the process gives up, and an answer that comes later
 * is that of no question.
 */
#include "hls.h"

struct teller_in {
    u1 ask, taken;
    u4 number;
    u5 delay; /* 31: never */
    u8 value;
};
struct teller_out {
    u1 answer;
    u4 id;
    u8 word;
};
struct teller {
    struct teller_out out;
    u1 busy;
    u5 left;
};

HLS_RESET void teller_reset(struct teller *self)
{
    *self = (struct teller){0};
}

HLS_MODULE void teller(struct teller *self, const struct teller_in *in)
{
    if (in->taken)
        self->out.answer = 0;
    if (self->busy && self->left != 31) {
        self->busy = self->left != 0;
        self->out.answer = !self->busy;
        self->left--;
    }
    if (in->ask) {
        self->busy = in->delay != 0;
        self->left = in->delay;
        self->out.answer = !self->busy;
        self->out.id = in->number;
        self->out.word = in->value;
    }
}

enum process_answer_at { ASKER_IDLE, ASKER_WAIT, ASKER_REST };

struct process_answer_in {
    u1 enable, go;
    u5 delay;
    u8 value;
};
struct process_answer_out {
    u1 ready;
    u8 answers, timeouts;
    u8 sum;
};
struct process_answer {
    struct process_answer_out out;
    enum process_answer_at at;
    u4 number, left;
    struct teller teller;
};

HLS_RESET void process_answer_reset(struct process_answer *self)
{
    self->out = (struct process_answer_out){.ready = 1};
    self->at = ASKER_IDLE;
    self->number = self->left = 0;
    teller_reset(&self->teller);
}

static void ask(struct process_answer *self, const struct process_answer_in *in,
                struct teller_in *to)
{
    const u1 answer = self->teller.out.answer && self->teller.out.id == self->number;
    to->taken = self->teller.out.answer;
    HLS_PROCESS(self->at, ASKER_IDLE, ASKER_WAIT, ASKER_REST);
    for (;;) {
        HLS_WAIT_UNTIL(ASKER_IDLE, in->go);
        self->out.ready = 0;
        self->number++;
        self->left = 12;
        to->ask = 1;
        to->number = self->number;
        to->delay = in->delay;
        to->value = in->value;
        do {
            HLS_WAIT(ASKER_WAIT);
            self->left--;
        } while (!answer && self->left != 0);
        if (answer) {
            self->out.answers++;
            self->out.sum += self->teller.out.word;
        } else {
            self->out.timeouts++;
            HLS_WAIT(ASKER_REST);
        }
        self->out.ready = 1;
    }
}

HLS_MODULE void process_answer(struct process_answer *self, const struct process_answer_in *in)
{
    struct teller_in to = {0};
    if (in->enable)
        ask(self, in, &to);
    teller(&self->teller, &to);
}
