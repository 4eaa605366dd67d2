// SPDX-License-Identifier: Apache-2.0
/*
 * ss_mail.c - the mailboxes: a queue of commands for each line, and in front of them the commands that come next.
 *
 * What frees never waits behind what fills: deposits have a line of their own, and messages of class 1 go before those of class 0.
 */
#include "seastar/host/ss_mail.h"

typedef uint(SS_LINE_LOG2 + 1) line_count;
typedef uint(SS_LINE_LOG2) line_index;

HLS_RESET void ss_mail_reset(struct ss_mail *self)
{
    self->out = (struct ss_mail_out){.s_axi = {.awready = 1, .arready = 1}};
    self->state = SS_WRITE_IDLE;
    self->line = 0;
    self->good = 0;
    self->index = 0;
    self->of_queue = 0;
    self->beats = 0;
    for (int l = 0; l < 4; l++) {
        self->tail[l] = 0;
        self->head[l] = 0;
        self->taken[l] = 0;
    }
    self->loads = 0;
    self->load_line = 0;
    self->load_word = 0;
    self->read_valid = 0;
}

static inline uint(2 + SS_LINE_LOG2 + 3) place(u2 line, line_count n, u3 word)
{
    return (uint(2 + SS_LINE_LOG2 + 3))(((uint(2 + SS_LINE_LOG2 + 3)) line << (SS_LINE_LOG2 + 3)) |
                                        ((uint(2 + SS_LINE_LOG2 + 3))(line_index)n << 3) | word);
}

/* ---- writes ---------------------------------------------------------------------------------- */

static inline void begin_write(struct ss_mail *self, const struct ss_mail_in *in)
{
    u2 line = (u2)(in->s_axi.awaddr >> 8);
    u1 known = (in->s_axi.awaddr & ~(uint(SS_PAGE_BITS))0x300) == 0 && line != 3;
    u1 whole =
        in->s_axi.awsize == SS_AXI_SIZE && in->s_axi.awlen == 7 && in->s_axi.awburst == SS_AXI_INCR;
    u1 index = in->s_axi.awaddr >> 11 == 1 && (u3)in->s_axi.awaddr == 0;
    u1 one = in->s_axi.awsize == SS_AXI_SIZE && in->s_axi.awlen == 0;
    u1 full = (line_count)(self->tail[line] - self->head[line]) == 1 << SS_LINE_LOG2;

    if (in->s_axi.awvalid) {
        self->line = line;
        self->index = index;
        self->of_queue = (u8)(in->s_axi.awaddr >> 3);
        self->good = index ? one : known && whole && !full;
        self->beats = 0;
        self->out.s_axi.bid = in->s_axi.awid;
        self->out.s_axi.awready = 0;
        self->out.s_axi.wready = 1;
        self->state = SS_WRITE_BEATS;
    }
}

/* Returns whether the beat is a word of a command. */
static inline u1 take_beat(struct ss_mail *self, const struct ss_mail_in *in)
{
    u1 comes = in->s_axi.wvalid;
    u1 stores = comes && self->good && !self->index && self->beats != 8;
    u1 ends = self->index || self->beats == 7;

    if (comes) {
        self->good =
            self->good && in->s_axi.wstrb == 0xFF && self->beats != 8 && in->s_axi.wlast == ends;
        self->beats += self->beats != 8;
        if (in->s_axi.wlast) {
            self->out.s_axi.wready = 0;
            self->out.s_axi.bvalid = 1;
            self->out.s_axi.bresp = self->good ? (u2)SS_AXI_OKAY : (u2)SS_AXI_SLVERR;
            self->tail[self->line] += self->good && !self->index;
            self->out.index = (struct ss_index_write){.valid = self->good && self->index,
                                                      .queue = self->of_queue,
                                                      .index = (u32)in->s_axi.wdata};
            self->state = SS_WRITE_ANSWER;
        }
    }
    return stores;
}

static inline void end_write(struct ss_mail *self, const struct ss_mail_in *in)
{
    if (in->s_axi.bready) {
        self->out.s_axi.bvalid = 0;
        self->out.s_axi.awready = 1;
        self->state = SS_WRITE_IDLE;
    }
}

/* ---- reads: counts of commands taken -------------------------------------------------------------- */

static inline void read_side(struct ss_mail *self, const struct ss_mail_in *in)
{
    uint(SS_PAGE_BITS) at = in->s_axi.araddr;
    u1 known = at >> 5 == 0x400 >> 5 && (u3)at == 0 && in->s_axi.arlen == 0;

    if (self->out.s_axi.arready && in->s_axi.arvalid) {
        self->out.s_axi.arready = 0;
        self->out.s_axi.rvalid = 1;
        self->out.s_axi.rid = in->s_axi.arid;
        self->out.s_axi.rlast = 1;
        self->out.s_axi.rdata = known ? (u64)self->taken[(u2)(at >> 3)] : (u64)0;
        self->out.s_axi.rresp = known ? (u2)SS_AXI_OKAY : (u2)SS_AXI_SLVERR;
    } else if (self->out.s_axi.rvalid && in->s_axi.rready) {
        self->out.s_axi.rvalid = 0;
        self->out.s_axi.arready = 1;
    }
}

/* ---- fronts ---------------------------------------------------------------------------------- */

/* The next line whose front is to be filled: class 1 before class 0. */
static inline void choose_line(struct ss_mail *self)
{
    u1 local = self->tail[0] != self->head[0] && !self->out.local.valid;
    u1 one = self->tail[1] != self->head[1] && !self->out.send.valid;
    u1 zero = self->tail[2] != self->head[2] && !self->out.send.valid;

    self->loads = local || one || zero;
    self->load_line = local ? (u2)0 : one ? (u2)1 : (u2)2;
    self->load_word = 0;
}

/* A word that was read goes to its front; with the last one the command is there. */
static inline void fill_front(struct ss_mail *self)
{
    u3 word = (u3)(self->load_word - 1);
    u1 last = word == 7;

    if (self->load_line == 0) {
        self->out.local.word[word] = self->read;
        self->out.local.valid = last;
    } else {
        self->out.send.word[word] = self->read;
        self->out.send.class = self->load_line == 1;
        self->out.send.valid = last;
    }
    if (last) {
        self->loads = 0;
        self->head[self->load_line]++;
        self->taken[self->load_line]++;
    }
}

HLS_MODULE void ss_mail(struct ss_mail *self, const struct ss_mail_in *in)
{
    u1 stores = 0;
    u3 word = (u3)self->beats;
    u2 line = self->line;
    line_count tail = self->tail[line];

    self->out.index.valid = 0;
    if (in->local_taken) {
        self->out.local.valid = 0;
    }
    if (in->send_taken) {
        self->out.send.valid = 0;
    }
    if (self->loads && self->read_valid) {
        fill_front(self);
    }
    self->read_valid = 0;
    if (!self->loads) {
        choose_line(self);
    } else if (self->load_word != 8) {
        self->read =
            self->queue[place(self->load_line, self->head[self->load_line], (u3)self->load_word)];
        self->read_valid = 1;
        self->load_word++;
    }

    read_side(self, in);
    switch (self->state) {
    case SS_WRITE_IDLE:
        begin_write(self, in);
        break;
    case SS_WRITE_BEATS:
        stores = take_beat(self, in);
        break;
    case SS_WRITE_ANSWER:
        end_write(self, in);
        break;
    }
    if (stores) {
        self->queue[place(line, tail, word)] = in->s_axi.wdata;
    }
}
