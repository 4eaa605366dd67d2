// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_tx.c - the sender of packets.
 *
 * Each phit slot chooses one phit: of a record, of the replay buffer, of the router, or a filler; it is stored as it goes
 * out. Two stages behind the choice have the CRC and the end. The replay buffer is read through two registers, ahead of the
 * slot that needs the phit.
 */
#include "link/packet/pkt_tx.h"

#define WINDOW    (1 << LCB_WINDOW_LOG2)
#define AGAIN     80 /* phits until a gap is reported again */
#define SEEK_LAST ((1 << LCB_SEEK_LOG2) - 1)

#define WINDOW_OF pkt_tx
#include "link/flit/lcb_window.inc"

typedef uint(LCB_WINDOW_LOG2) tx_entry;

HLS_RESET void pkt_tx_reset(struct pkt_tx *self)
{
    self->out = (struct pkt_tx_out){};
    self->base = 0;
    self->resend = 0;
    self->sent = 0;
    self->next = 0;
    self->went_back_to = 0;
    self->heard = (struct tx_heard){};
    self->holding = 0;
    self->timer = 0;
    self->expired = 0;
    self->fits = 0;
    self->go = 0;
    self->second = 0;
    self->closed = 1;
    self->dump = 0;
    self->seek = 1;
    self->due = 0;
    self->record = 0;
    self->since = 0;
    self->acks = 0;
    self->seeks = 0;
    self->told = 0;
    self->busy = 0;
    self->fed = 0;
    self->moved = 0;
    self->spoilt = 0;
    self->count = 0;
    self->open = 0;
    self->filled = 0;
    self->bad = 0;
    self->force = 0;
    self->drop = 0;
    self->rest = 0;
    self->waited = 0;
    self->aim = 0;
    self->fetch = 0;
    self->read_valid = 0;
    self->read = 0;
    self->ready = 0;
    self->fixed = (struct phit_read){};
    self->picked = (struct tx_phit){};
    self->summed = (struct tx_phit){};
    self->core = 0;
    self->apart = 0;
    self->leads = 0;
    self->upper = 0;
}

/* ---- stages behind the choice ------------------------------------------------------------------ */

/* The end gets its CRC, and a soft error if its core CRC is not that of the phits; slot B completes the word. */
static inline void finish(struct pkt_tx *self)
{
    const struct tx_phit *last = &self->summed;
    struct phit phit = last->phit;
    u1 end = phit.kind == PHIT_END;
    u1 differs = !last->record && self->core != (pkt_crc)phit.content;
    u1 turns = differs && !end_soft(phit.content);
    pkt_crc crc = self->core ^ self->apart ^ (turns ? crc_sum((u24)1 << 5) : (pkt_crc)0);

    if (end) {
        phit.content = end_pack(end_soft(phit.content) | turns, end_count(phit.content), crc);
    }
    self->out.valid = last->valid && last->second;
    if (last->valid && last->second) {
        self->out.word = word_pack(self->upper, phit_parts(phit));
    }
    if (last->valid && !last->second) {
        self->upper = phit_parts(phit);
    }
}

/* The CRC in two parts, whose sum goes on the wire; of an end the upper 8 bits alone are under it. */
static inline void sum_up(struct pkt_tx *self)
{
    struct tx_phit now = self->picked;
    u1 end = now.phit.kind == PHIT_END;
    u1 covered = now.valid && (now.record || now.phit.kind != PHIT_IDLE);
    u1 leads = now.first ? !now.record : self->leads;
    pkt_crc core = now.first ? (pkt_crc)0 : self->core;
    pkt_crc apart = now.first ? crc_start(now.record, now.position) : self->apart;
    phit_bits all = phit_join(now.phit);
    phit_bits left_out = now.record ? all : phit_apart(now.phit, leads);

    if (covered) {
        self->core = end ? crc_upper(core, 0) : crc_phit(core, (phit_bits)(all ^ left_out));
        self->apart =
            end ? crc_upper(apart, end_upper(now.phit.content)) : crc_phit(apart, left_out);
        self->leads = leads && head_source(now.phit.content);
    }
    self->summed = now;
}

/* ---- the choice -------------------------------------------------------------------------------- */

/* Something in the replay buffer is to be sent. */
static inline u1 is_pending(const struct pkt_tx *self)
{
    return self->ready || self->read_valid || self->fetch != (lcb_seq)(self->next + self->filled);
}

/* What a slot becomes, and where it comes from. */
struct choice {
    struct phit phit;
    u1 record;
    u1 reads;  /* from the replay buffer */
    u1 stores; /* a flit of the router, or an end that is made here */
    u1 ends;   /* it is the end of a packet */
};

/* The flit that is offered, as the phit that is stored. A packet too long, or that waits too long, ends here. */
static inline struct phit flit_phit(const struct pkt_tx *self, const struct pkt_tx_in *in, u1 take)
{
    u1 longest = (lcb_phits)(self->filled + 1) >= in->clip;
    u1 ends = self->open && (self->force || in->flit_tail || longest);
    u1 cut = self->force || !in->flit_tail;
    u1 bad = self->bad || (take && (in->flit_bad || in->flit_head == self->open)) || cut;
    lcb_flit end =
        end_pack(end_soft(in->flit) || bad, (lcb_count)(self->filled + 1), (pkt_crc)in->flit);

    return (struct phit){
        .kind = !self->open ? (u2)PHIT_HEAD
                : ends      ? (u2)PHIT_END
                            : (u2)PHIT_BODY,
        .content = ends ? end : in->flit,
    };
}

/* The phit that was read; its end says what this transmission has found. */
static inline struct phit read_phit(const struct pkt_tx *self)
{
    struct phit phit = self->fixed.phit;
    u1 soft = end_soft(phit.content) || self->spoilt || self->fixed.fatal;

    if (phit.kind == PHIT_END) {
        phit.content = end_pack(soft, (lcb_count)(self->count + 1), (pkt_crc)phit.content);
    }
    return phit;
}

/* What was read stands where a packet has it; anything else is no packet, as an ack off a border left it, or a torn kind. */
static inline u1 is_right(const struct pkt_tx *self)
{
    u1 head = self->fixed.phit.kind == PHIT_HEAD;
    u1 none = self->fixed.phit.kind == PHIT_IDLE;

    return !self->fixed.torn && !none && head != self->busy && !(head && self->fixed.fatal);
}

/* A record: SEEK if one is due, else ACK. */
static inline lcb_flit record_flit(const struct pkt_tx *self, const struct pkt_tx_in *in)
{
    return self->seek || self->seeks
               ? seek_pack(self->resend, in->load, in->empty)
               : ack_pack(in->expected, in->gap, in->credit_vc, in->credit_steps);
}

static inline struct choice choose(const struct pkt_tx *self, const struct pkt_tx_in *in, u1 take)
{
    u1 pending = is_pending(self);
    u1 usable = self->ready && is_right(self);
    u1 held_back = self->seek || self->seeks || self->due;
    u1 reads = !self->record && usable && (self->busy ? self->fed : pending && !held_back);
    u1 stores = take || (self->busy && !self->fed && self->force);
    u1 records = self->record || (!self->busy && !reads && !stores && !self->second);
    struct phit stored = flit_phit(self, in, take);
    struct choice choice = {.record = records, .reads = reads, .stores = stores};

    if (self->record) {
        choice.phit = (struct phit){.kind = PHIT_END, .content = end_pack(0, RECORD_COUNT, 0)};
    } else if (records) {
        choice.phit = (struct phit){.kind = PHIT_IDLE, .content = record_flit(self, in)};
    } else if (reads) {
        choice.phit = read_phit(self);
    } else if (stores) {
        choice.phit = stored;
    } else {
        choice.phit = (struct phit){.kind = PHIT_IDLE, .content = self->busy ? PHIT_HOLD : 0};
    }
    choice.ends = (reads || stores) && choice.phit.kind == PHIT_END;
    return choice;
}

/* Schedule of records. */
static inline void keep_schedule(struct pkt_tx *self, const struct pkt_tx_in *in,
                                 const struct choice *now)
{
    u1 begins = now->record && !self->record;
    u1 seek = begins && (self->seek || self->seeks);
    u1 ack = begins && !seek;

    self->out.ack_sent = ack;
    self->out.seek_sent = seek;
    if (seek) {
        self->holding = self->seek ? in->hold : self->holding;
        self->seek = 0;
        self->seeks = 0;
    }
    if (ack) {
        self->seeks = self->acks == SEEK_LAST;
        self->acks++;
        self->told = in->gap;
    }
    self->told &= in->gap;
    self->since = begins ? (u8)0 : (u8)(self->since + (self->since != 0xFF));
    /* the credit that this ACK reports is owed for two more clocks */
    self->due = self->since >= in->every || (in->owed && !now->record) ||
                (in->gap && (!self->told || self->since >= AGAIN));
    self->record = begins;
}

/* The packet on the wire. Returns how far `resend` moves with its end. */
static inline lcb_seq keep_wire(struct pkt_tx *self, const struct choice *now)
{
    u1 any = now->reads || now->stores;
    lcb_phits count = (lcb_phits)(self->count + 1);
    lcb_seq moves = now->ends && !self->moved ? (lcb_seq)count : (lcb_seq)0;

    if (any && !self->busy) {
        self->fed = now->reads;
        self->moved = 0;
        self->spoilt = 0;
        moves = 0;
    }
    self->out.replayed = now->reads && now->ends;
    self->out.ecc_corrected = now->reads && self->fixed.corrected;
    self->out.ecc_fatal = now->reads && self->fixed.fatal;
    self->spoilt |= now->reads && self->fixed.fatal;
    self->count = now->ends ? (lcb_phits)0 : (lcb_phits)(self->count + any);
    self->busy = any ? !now->ends : self->busy;
    return moves;
}

/* The packet that the router hands over. */
static inline void keep_intake(struct pkt_tx *self, const struct pkt_tx_in *in, u1 take,
                               const struct choice *now)
{
    u1 cut = now->stores && now->ends && (self->force || !in->flit_tail);

    self->out.clipped = cut;
    if (self->drop) {
        self->drop = !(take && in->flit_tail);
    } else if (cut) {
        self->drop = take ? !in->flit_tail : self->rest;
    }
    if (now->stores) {
        self->bad = !now->ends && (self->bad || in->flit_bad || in->flit_head == self->open);
        self->force = !self->open && in->flit_tail;
        self->rest = 0;
        self->open = !now->ends;
    }
}

/* A packet on the wire that waits for its next flit; after the limit it ends here. */
static inline void keep_patience(struct pkt_tx *self, u1 stored)
{
    u1 waits = self->busy && !self->fed && !self->force && !stored;

    self->waited = waits ? (u12)(self->waited + 1) : (u12)0;
    if (self->waited == LCB_HOLD_LIMIT) {
        self->force = 1;
        self->rest = 1;
    }
}

/* ---- reading the replay buffer ----------------------------------------------------------------- */

static inline void fetch_ahead(struct pkt_tx *self, u1 consumed, lcb_seq end)
{
    u1 needed = self->busy && self->fed;

    if (self->aim && !needed) {
        self->aim = 0;
        self->fetch = self->resend;
        self->read_valid = 0;
        self->ready = 0;
    } else if (consumed || !self->ready) {
        /* what is stored in this clock is not read in it */
        u1 more = self->fetch != end && self->fetch != (lcb_seq)(self->next + self->filled);

        self->fixed = phit_load(self->read);
        self->ready = self->read_valid;
        if (more) {
            self->read = self->buffer[(tx_entry)self->fetch];
        }
        self->read_valid = more;
        self->fetch += more;
    }
}

/* ---- a dead link ------------------------------------------------------------------------------- */

/* Reports what is in the replay buffer, then what is taken. */
static inline void report(struct pkt_tx *self, const struct pkt_tx_in *in, u1 take)
{
    u1 reads = self->ready;
    u1 lost = self->fixed.fatal || self->fixed.torn;
    struct phit phit = self->fixed.phit;
    u1 takes = take && !self->drop;

    self->out.report_valid = reads || takes;
    self->out.report_head = reads ? phit.kind == PHIT_HEAD : in->flit_head;
    self->out.report_tail = reads ? phit.kind == PHIT_END : in->flit_tail;
    self->out.report_bad = reads ? lost : in->flit_bad;
    self->out.report_flit = reads ? phit.content : in->flit;
    self->out.made = takes && in->flit_tail;
    if (takes) {
        self->open = !in->flit_tail;
    }
    if (self->force &&
        !is_pending(self)) { /* its last flit was taken before, or is to be taken off */
        self->out.made = 1;
        self->drop = self->rest;
        self->open = 0;
        self->force = 0;
    }
    self->drop &= !(take && in->flit_tail);
}

/* The link went down: an open packet stays open, and all from base on is sent again. */
static inline void put_away(struct pkt_tx *self)
{
    self->resend = self->base;
    self->sent = 0;
    self->seek = 1;
    self->aim = 1;
    self->record = 0;
    self->busy = 0;
    self->fed = 0;
    self->count = 0;
    self->told = 0;
    self->closed = 1;
    self->picked.valid = 0;
    self->summed.valid = 0;
}

static inline void new_epoch(struct pkt_tx *self)
{
    self->base = 0;
    self->resend = 0;
    self->sent = 0;
    self->next = 0;
    self->went_back_to = 0;
    self->holding = 0;
    self->timer = 0;
    self->expired = 0;
    self->filled = 0;
    self->bad = 0;
    self->fetch = 0;
    self->seeks = 0;
    self->acks = 0;
}

/* ---- a clock ----------------------------------------------------------------------------------- */

/* A slot on the wire: chooses its phit, and keeps it if it is new. Returns how far `resend` moves. */
static inline lcb_seq send(struct pkt_tx *self, const struct pkt_tx_in *in, u1 take,
                           struct choice now)
{
    u1 stores = now.stores;
    u1 first = now.record ? !self->record : !self->busy;
    u1 caught_up = !is_pending(self);
    lcb_seq end = self->next + self->filled;
    lcb_seq moves;

    self->picked = (struct tx_phit){.valid = 1,
                                    .second = self->second,
                                    .first = first,
                                    .record = now.record,
                                    .position = self->resend,
                                    .phit = now.phit};
    self->out.lost = self->ready && !is_right(self) && (!self->busy || self->fed) && !self->record;
    moves = keep_wire(self, &now);
    keep_intake(self, in, take, &now);
    keep_schedule(self, in, &now);
    if (stores) {
        self->out.made = now.ends ? (lcb_phits)(self->filled + 1) : (lcb_phits)0;
        self->fetch += caught_up;
        self->filled = now.ends ? (lcb_phits)0 : (lcb_phits)(self->filled + 1);
        self->next = now.ends ? (lcb_seq)(end + 1) : self->next;
    }
    return moves;
}

/* Whether a flit is taken in the next clock. */
static inline u1 will_take(const struct pkt_tx *self, const struct pkt_tx_in *in)
{
    u1 pending = is_pending(self);
    u1 held_back = self->seek || self->seeks || self->due || self->record;
    u1 goes_on = self->busy && !self->fed && !self->force;
    u1 begins = !self->busy && !held_back && !pending && self->fits;

    return self->drop ||
           (self->dump ? !pending && (in->flush || self->open) : self->go && (goes_on || begins));
}

HLS_MODULE void pkt_tx(struct pkt_tx *self, const struct pkt_tx_in *in)
{
    u1 take = in->flit_valid && self->out.flit_ready;
    u1 close = !self->go && !in->run && !self->closed;
    u1 consumed = 0;
    struct choice now = {};
    lcb_seq end = self->next + self->filled;
    lcb_seq used = end - self->base;
    lcb_seq moves = 0;
    lcb_word word = self->out.word;

    self->out = (struct pkt_tx_out){.word = word};
    finish(self);
    sum_up(self);
    self->picked.valid = 0;
    if (self->dump) {
        report(self, in, take);
        consumed = self->ready;
        self->dump = in->flush || is_pending(self) || self->open || self->drop;
    } else if (self->go) {
        now = choose(self, in, take && !self->drop);
        consumed = now.reads;
        moves = send(self, in, take, now);
    } else if (take) { /* the rest of a packet that was cut */
        self->drop &= !in->flit_tail;
    }
    keep_patience(self, now.stores);
    if (move_window(self, in, moves)) {
        self->seek = 1;
        self->moved = 1;
        self->aim = 1;
    }
    if (close) {
        put_away(self);
    }
    fetch_ahead(self, consumed, end);
    if (now.stores) {
        self->buffer[(tx_entry)end] = phit_store(now.phit);
    }
    if (self->fed && !is_pending(self)) {
        self->fed = 0; /* the rest of an open packet comes from the router */
    }
    self->fits = used < WINDOW - LCB_CLIP;

    if (in->run) {
        self->closed = 0;
    }
    if (in->flush && self->closed) {
        self->dump = 1;
    }
    if (in->clear) {
        /* lcb_link waits for flushing to end, and run is 0 since it began */
        hls_assume(!self->go && !in->run && !in->flush);
        new_epoch(self);
    }
    self->second = self->go && !self->second;
    self->go = !self->dump && (self->second || (in->run && in->advance));
    self->out.flit_ready = will_take(self, in);
    self->out.flushing = self->dump;

    hls_assert((lcb_seq)(self->next + self->filled - self->base) <= WINDOW);
    hls_assert((lcb_seq)(self->resend - self->base) == self->sent);
    hls_assert(self->sent <= (lcb_seq)(self->next - self->base));
    hls_cover(self->out.nak_taken);
    hls_cover(self->out.timed_out);
    hls_cover(self->out.replayed && self->resend == 0);
    hls_cover(self->out.acked && self->base == 0);
    hls_cover(self->out.clipped);
}
