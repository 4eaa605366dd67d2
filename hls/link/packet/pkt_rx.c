// SPDX-License-Identifier: Apache-2.0
/*
 * pkt_rx.c - the receiver of packets.
 *
 * One phit a clock: slot A of a word when it comes, slot B a clock later. Head and body go up when they are looked at; an end
 * is kept until the phit behind it is seen, and goes up with its verdict. After an error all is discarded until a SEEK to the
 * expected position.
 */
#include "link/packet/pkt_rx.h"

HLS_RESET void pkt_rx_reset(struct pkt_rx *self)
{
    *self = (struct pkt_rx){.out = {.gap = 1}};
}

/* What goes up in a clock: an end, and the flit behind it. */
struct rises {
    u1 end;
    u2 ok;
    u1 flit;
    u1 head;
};

/* One of them a clock; the other waits, and with it all that follows until a phit does not go up. */
static inline void go_up(struct pkt_rx *self, struct rises now, lcb_flit end, lcb_flit flit)
{
    struct pkt_up kept = self->waiting;
    struct pkt_up tail = {.tail = 1, .ok = now.ok, .flit = end};
    struct pkt_up body = {.head = now.head, .flit = flit};
    struct pkt_up first = self->waits ? kept : now.end ? tail : body;

    hls_assert(!(self->waits && now.end && now.flit));
    self->out.flit_valid = self->waits || now.end || now.flit;
    self->out.head = self->out.flit_valid && first.head;
    self->out.tail = self->out.flit_valid && first.tail;
    self->out.ok = self->out.flit_valid ? first.ok : (u2)0;
    self->out.flit = first.flit;
    self->waiting = self->waits && now.end ? tail : body;
    self->waits = (self->waits && (now.end || now.flit)) || (now.end && now.flit);
}

/* The CRC over a phit; of an end also the core CRC that it is handed up with. */
static inline void sum_up(struct pkt_rx *self, struct phit phit, u1 first, u1 record)
{
    u1 end = phit.kind == PHIT_END;
    u1 leads = first ? !record : self->leads;
    pkt_crc start = crc_start(record, self->place);
    pkt_crc crc = first ? start : self->crc;
    pkt_crc apart = first ? start : self->apart;
    pkt_crc core = crc_upper(apart, end_upper(phit.content)) ^ (pkt_crc)phit.content;

    if (first || phit.kind != PHIT_IDLE) {
        self->crc = crc_phit(crc, phit_join(phit));
        self->apart = crc_phit(apart, phit_apart(phit, leads));
        self->leads = leads && head_source(phit.content);
    }
    if (end) {
        self->end = end_pack(end_soft(phit.content), end_count(phit.content), core);
    }
}

/* A record with a right CRC. */
static inline void take_record(struct pkt_rx *self)
{
    lcb_flit record = self->body;
    u1 seek = record_seek(record);

    self->out.good = 1;
    self->out.ack_valid = !seek;
    self->out.ack = record_position(record);
    self->out.nak = ack_nak(record);
    self->out.credit_vc = ack_vc(record);
    self->out.credit_steps = ack_steps(record);
    self->out.seek_valid = seek;
    self->out.empty = seek_empty(record);
    self->out.load = seek ? seek_load(record) : self->out.load;
    self->out.repeated = seek && !self->right;
}

/* The end that is kept is believed: its packet was good, or had a soft error. */
static inline void take_packet(struct pkt_rx *self)
{
    self->out.good = 1;
    self->out.accepted = 1;
    self->out.soft_error = end_soft(self->end);
    self->out.counted = self->count;
    self->out.expected = self->place;
}

/* Whether a phit may follow an end: it is a head, or idle and no hold. */
static inline u1 may_follow(struct phit phit)
{
    return phit.kind == PHIT_HEAD || (phit.kind == PHIT_IDLE && phit.content != PHIT_HOLD);
}

/* Outside a packet: a head begins one; slot B may be idle; a record begins in slot A and ends in slot B. */
static inline u1 fits_outside(const struct pkt_rx *self, struct phit phit, u1 second)
{
    u1 idle = second && !self->record && phit.kind == PHIT_IDLE && phit.content == 0;
    u1 record = second ? self->record && phit.kind == PHIT_END : is_record(phit);
    u1 head = phit.kind == PHIT_HEAD && !(second && self->record);

    return head || idle || record;
}

/* Inside: body and end up to the longest packet, and holds. */
static inline u1 fits_inside(const struct pkt_rx *self, struct phit phit, lcb_phits clip)
{
    u1 more = phit.kind == PHIT_BODY || phit.kind == PHIT_END;
    u1 hold = phit.kind == PHIT_IDLE && phit.content == PHIT_HOLD;

    return hold || (more && self->count < clip);
}

/*
 * The state behind a phit that fits, or that is looked at in recovery, where records alone count. A phit that does not fit begins
 * none: an end of which two bits make the first phit of a record, with the head behind it, would hang on the CRC alone.
 */
static inline void move_on(struct pkt_rx *self, struct phit phit, u1 second, u1 fits)
{
    u1 head = !self->out.gap && phit.kind == PHIT_HEAD;
    u1 more = self->inside && (phit.kind == PHIT_BODY || phit.kind == PHIT_END);
    u1 ends = more && phit.kind == PHIT_END;
    u1 begins = !second && !self->inside && fits && is_record(phit);
    u1 closes = second && self->record && phit.kind == PHIT_END;
    lcb_phits count = head ? (lcb_phits)1 : (lcb_phits)(self->count + more);
    lcb_count due = closes ? (lcb_count)RECORD_COUNT : (lcb_count)count;

    if (head || begins || more || closes) {
        sum_up(self, phit, head || begins, begins);
    }
    if (begins) {
        self->body = phit.content;
    }
    self->fits = end_count(phit.content) == due && !(closes && end_soft(phit.content));
    self->right = record_position(self->body) == self->out.expected;
    self->place += (lcb_seq)(head || more);
    self->count = count;
    self->out.seen = head || more;
    self->out.seen_head = head;
    self->out.seen_odd = self->odd;
    self->out.seen_second = second;
    self->out.seen_parts = phit_parts(phit);
    self->quiet = head || more ? (u13)0 : self->quiet;
    self->record = begins;
    self->recorded = closes;
    self->ended = ends;
    self->inside = head || (self->inside && !ends);
}

/* From here on all is discarded until a SEEK. */
static inline void recover(struct pkt_rx *self)
{
    self->out.gap = 1;
    self->inside = 0;
    self->quiet = 0;
}

/*
 * The verdict on the end before this phit. Returns whether the phit may be part of a
 * packet: the link is not in recovery.
 */
static inline u1 judge(struct pkt_rx *self, struct phit phit)
{
    u1 recovers = self->out.gap;
    u1 pending = self->ended || self->recorded;
    u1 believed = pending && self->crc == 0 && self->fits && (recovers || may_follow(phit));
    u1 seek = self->recorded && believed && record_seek(self->body);
    u1 goes_on = recovers ? seek && self->right : (believed || !pending) && !(seek && !self->right);

    if (self->recorded && believed) {
        take_record(self);
        self->quiet = 0;
    }
    if (self->ended && believed) {
        take_packet(self);
    }
    self->out.crc_error = pending && !believed;
    if (seek && self->right) {
        self->out.gap = 0;
        self->place = self->out.expected;
    }
    return goes_on;
}

/* A phit. Returns what goes up with it. */
static inline struct rises look(struct pkt_rx *self, struct phit phit, u1 second, lcb_phits clip)
{
    u1 inside = self->inside;
    u1 ended = self->ended;
    u1 goes_on = judge(self, phit);
    u1 misfit =
        inside ? self->late || !fits_inside(self, phit, clip) : !fits_outside(self, phit, second);
    u1 error = goes_on && misfit;
    u2 verdict = !self->out.accepted    ? (u2)PKT_CUT
                 : self->out.soft_error ? (u2)PKT_SOFT
                                        : (u2)PKT_GOOD;

    struct rises up = {
        .end = ended || (inside && error),
        .ok = ended ? verdict : (u2)PKT_CUT,
        .flit = goes_on && !error && (phit.kind == PHIT_HEAD || phit.kind == PHIT_BODY),
        .head = phit.kind == PHIT_HEAD,
    };

    self->out.crc_error |= error;
    if (error || (!goes_on && !self->out.gap)) {
        recover(self);
    }
    move_on(self, phit, second, !error);
    return up;
}

/* A packet waits no longer than the limit for its next phit, and recovery for a right record. */
static inline void keep_patience(struct pkt_rx *self)
{
    u1 late = self->quiet == LCB_SILENCE;

    self->late = late && self->inside;
    self->out.silent = late && self->out.gap;
    if (!late) {
        self->quiet = self->inside || self->out.gap ? (u13)(self->quiet + 1) : (u13)0;
    } else if (!self->inside) {
        self->quiet = 0;
    }
}

/* The link is down: an open packet ends here, and what comes next is looked at in recovery. */
static inline struct rises break_off(struct pkt_rx *self)
{
    struct rises up = {.end = self->inside || self->ended, .ok = PKT_CUT};

    self->second = 0;
    self->ended = 0;
    self->record = 0;
    self->recorded = 0;
    self->late = 0;
    recover(self);
    return up;
}

HLS_MODULE void pkt_rx(struct pkt_rx *self, const struct pkt_rx_in *in)
{
    phit_bits parts = in->valid ? word_first(in->word) : self->lower;
    struct phit phit = parts_phit(parts);
    lcb_flit end = self->end;
    struct rises up;

    self->out.counted = 0;
    self->out.ack_valid = 0;
    self->out.seek_valid = 0;
    self->out.good = 0;
    self->out.crc_error = 0;
    self->out.accepted = 0;
    self->out.soft_error = 0;
    self->out.repeated = 0;
    self->out.silent = 0;
    self->out.seen = 0;
    if (!in->run) {
        up = break_off(self);
    } else if (in->valid || self->second) {
        up = look(self, phit, !in->valid, in->clip);
    } else {
        up = (struct rises){};
    }
    if (in->run) {
        keep_patience(self);
    }
    if (in->valid) {
        /* a word has two phits, and lanes give one in every second clock at most */
        hls_assume(!self->second);
        self->lower = word_second(in->word);
    }
    self->odd = in->run && (self->odd ^ self->second);
    self->second = in->run && in->valid;
    self->out.cut = up.end && up.ok == PKT_CUT;
    go_up(self, up, end, phit.content);
    self->out.holds = self->waits || self->inside || self->ended;
    if (in->clear) {
        /* lcb_link waits until nothing is held */
        hls_assume(!self->out.holds);
        self->out.expected = 0;
        self->out.load = 0;
    }

    hls_assert(!(self->inside && self->out.gap));
    hls_assert(self->count <= LCB_CLIP);
    hls_cover(self->out.repeated);
    hls_cover(self->out.accepted && self->out.expected == 0);
    hls_cover(self->out.cut);
}
