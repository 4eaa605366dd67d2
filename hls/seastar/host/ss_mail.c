// SPDX-License-Identifier: Apache-2.0
/*
 * ss_mail.c - the mailboxes: a queue of commands for each line, and in front of them the commands that come next.
 *
 * A command whose front is idle goes there as its words come. What frees never waits behind what fills: deposits, messages of class 1 and those of class 0 have lines and fronts of their own.
 */
#include "seastar/host/ss_mail.h"

typedef uint(SS_LINE_LOG2 + 1) line_count;
typedef uint(SS_LINE_LOG2) line_index;
typedef uint(SS_LINES_LOG2 + SS_LINE_LOG2 + 3) line_place;

HLS_RESET void ss_mail_reset(struct ss_mail *self)
{
    self->out = (struct ss_mail_out){.s_axi = {.awready = 1, .arready = 1}};
    self->state = SS_WRITE_IDLE;
    self->line = 0;
    self->page = 0;
    self->good = 0;
    self->index = 0;
    self->of_queue = 0;
    self->beats = 0;
    self->passes = 0;
    for (int l = 0; l < SS_LINES; l++) {
        self->tail[l] = 0;
        self->head[l] = 0;
        self->taken[l] = 0;
    }
    self->loads = 0;
    self->load_line = 0;
    self->after = 0;
    self->load_word = 0;
    self->read_valid = 0;
}

static inline line_place place(ss_line line, line_count n, u3 word)
{
    return (line_place)(((line_place)line << (SS_LINE_LOG2 + 3)) |
                        ((line_place)(line_index)n << 3) | word);
}

/* The line of a page: of the driver's 0 to 2, of others that of class 0 alone. */
static inline ss_line line_of(ss_slot page, u2 line)
{
    return page == 0 ? (ss_line)line : (ss_line)((ss_line)page + 2);
}

/* Nothing waits for the front of a line, and nothing is in it or on its way to it. */
static inline u1 front_idle(const struct ss_mail *self, ss_line line)
{
    u1 local = self->tail[0] == self->head[0] && !self->out.local.valid;
    u1 one = self->tail[1] == self->head[1] && !self->out.send[1].valid;
    u1 zero = !self->out.send[0].valid;

    for (int l = 2; l < SS_LINES; l++) {
        zero = zero && self->tail[l] == self->head[l];
    }
    return !self->loads && (line == 0 ? local : line == 1 ? one : zero);
}

/* A word of a command. */
static inline void set_word(struct ss_mail *self, ss_line line, u3 word, u64 data)
{
    if (line == 0) {
        self->out.local.word[word] = data;
    } else if (line == 1) {
        self->out.send[1].word[word] = data;
    } else {
        self->out.send[0].word[word] = data;
        self->out.send[0].page = line == 2 ? (ss_slot)0 : (ss_slot)(line - 2);
    }
}

/* The command of a line is whole in its front. */
static inline void show_front(struct ss_mail *self, ss_line line)
{
    if (line == 0) {
        self->out.local.valid = 1;
    } else if (line == 1) {
        self->out.send[1].valid = 1;
    } else {
        self->out.send[0].valid = 1;
    }
}

/* ---- writes ---------------------------------------------------------------------------------- */

static inline void begin_write(struct ss_mail *self, const struct ss_mail_in *in)
{
    ss_slot page = (ss_slot)(in->s_axi.awaddr >> 12);
    u12 at = (u12)in->s_axi.awaddr;
    u2 named = (u2)(at >> 8);
    u1 exists = named == 2 || (named != 3 && page == 0);
    u1 known = (at & ~(u12)0x300) == 0 && exists;
    ss_line line = exists ? line_of(page, named) : (ss_line)0;
    u1 whole =
        in->s_axi.awsize == SS_AXI_SIZE && in->s_axi.awlen == 7 && in->s_axi.awburst == SS_AXI_INCR;
    u1 index = (u1)(at >> 11) && (u3)at == 0;
    u1 one = in->s_axi.awsize == SS_AXI_SIZE && in->s_axi.awlen == 0;
    u1 full = (line_count)(self->tail[line] - self->head[line]) == 1 << SS_LINE_LOG2;

    if (in->s_axi.awvalid) {
        self->line = line;
        self->page = page;
        self->index = index;
        self->of_queue = (u8)(in->s_axi.awaddr >> 3);
        self->good = index ? one : known && whole && !full;
        self->beats = 0;
        self->passes = !index && front_idle(self, line);
        self->out.s_axi.bid = in->s_axi.awid;
        self->out.s_axi.awready = 0;
        self->out.s_axi.wready = 1;
        self->state = SS_WRITE_BEATS;
    }
}

/* Returns whether the beat is a word of a command that waits in its queue. */
static inline u1 take_beat(struct ss_mail *self, const struct ss_mail_in *in)
{
    u1 comes = in->s_axi.wvalid;
    u1 stores = comes && self->good && !self->index && self->beats != 8;
    u1 ends = self->index || self->beats == 7;

    if (stores && self->passes) {
        set_word(self, self->line, (u3)self->beats, in->s_axi.wdata);
    }
    if (comes) {
        self->good =
            self->good && in->s_axi.wstrb == 0xFF && self->beats != 8 && in->s_axi.wlast == ends;
        self->beats += self->beats != 8;
        if (in->s_axi.wlast) {
            self->out.s_axi.wready = 0;
            self->out.s_axi.bvalid = 1;
            self->out.s_axi.bresp = self->good ? (u2)SS_AXI_OKAY : (u2)SS_AXI_SLVERR;
            self->tail[self->line] += self->good && !self->index && !self->passes;
            if (self->good && self->passes) {
                show_front(self, self->line);
                self->taken[self->line]++;
            }
            self->out.index = (struct ss_index_write){.valid = self->good && self->index,
                                                      .slot = self->page,
                                                      .queue = self->of_queue,
                                                      .index = (u32)in->s_axi.wdata};
            self->state = SS_WRITE_ANSWER;
        }
    }
    return stores && !self->passes;
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
    ss_slot page = (ss_slot)(at >> 12);
    u2 named = (u2)(at >> 3);
    u1 exists = named == 2 || (named != 3 && page == 0);
    u1 known = (u12)at >> 5 == 0x400 >> 5 && (u3)at == 0 && exists && in->s_axi.arlen == 0;
    ss_line line = exists ? line_of(page, named) : (ss_line)0;

    if (self->out.s_axi.arready && in->s_axi.arvalid) {
        self->out.s_axi.arready = 0;
        self->out.s_axi.rvalid = 1;
        self->out.s_axi.rid = in->s_axi.arid;
        self->out.s_axi.rlast = 1;
        self->out.s_axi.rdata = known ? (u64)self->taken[line] : (u64)0;
        self->out.s_axi.rresp = known ? (u2)SS_AXI_OKAY : (u2)SS_AXI_SLVERR;
    } else if (self->out.s_axi.rvalid && in->s_axi.rready) {
        self->out.s_axi.rvalid = 0;
        self->out.s_axi.arready = 1;
    }
}

/* ---- fronts ---------------------------------------------------------------------------------- */

/* The next line whose front is to be filled. */
static inline void choose_line(struct ss_mail *self)
{
    u1 local = self->tail[0] != self->head[0] && !self->out.local.valid;
    u1 one = self->tail[1] != self->head[1] && !self->out.send[1].valid;
    u1 zero = 0;
    ss_line line = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (int l = SS_LINES - 1; l >= 2; l--) {
            u1 hit = self->tail[l] != self->head[l] && (pass == 0 || (ss_line)l > self->after);

            zero = zero || hit;
            line = hit ? (ss_line)l : line;
        }
    }
    zero = zero && !self->out.send[0].valid;
    self->loads = local || one || zero;
    self->load_line = local ? (ss_line)0 : one ? (ss_line)1 : line;
    self->load_word = 0;
}

/* A word that was read goes to its front; with the last one the command is there. */
static inline void fill_front(struct ss_mail *self)
{
    u3 word = (u3)(self->load_word - 1);
    u1 last = word == 7;

    set_word(self, self->load_line, word, self->read);
    if (self->load_line >= 2) {
        self->after = self->load_line;
    }
    if (last) {
        show_front(self, self->load_line);
        self->loads = 0;
        self->head[self->load_line]++;
        self->taken[self->load_line]++;
    }
}

HLS_MODULE void ss_mail(struct ss_mail *self, const struct ss_mail_in *in)
{
    u1 stores = 0;
    u3 word = (u3)self->beats;
    ss_line line = self->line;
    line_count tail = self->tail[line];

    self->out.index.valid = 0;
    if (in->local_taken) {
        self->out.local.valid = 0;
    }
    self->out.send[0].valid = self->out.send[0].valid && !(u1)in->send_taken;
    self->out.send[1].valid = self->out.send[1].valid && !(u1)(in->send_taken >> 1);
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
