// SPDX-License-Identifier: Apache-2.0
/*
 * bte_send.c - descriptors become requests.
 *
 *   worker   a process: a channel with work, its next piece, in four clocks; a put's piece is a read of local memory and an entry of
 *            `pieces`, a get's waits in `insert` for its place in the stream
 *   stream   replies go out as they come: their head becomes the head of a PUT, their data follow without a gap. OPEN, GET and
 *            CLOSE are inserted by a second process where no reply can come: before that room_reply has been 0
 *
 * A descriptor ends with the reply of its last piece; a get, or one that stops, when none of its channel is on its way: so CLOSE is behind all.
 */
#include "nic/bte/bte_send.h"

#include "nic/bte/bte_packet.h"
#include "nic/regs/nic_map.h"

HLS_RESET void bte_send_reset(struct bte_send *self)
{
    self->out = (struct bte_send_out){};
    self->filled = 0;
    self->brief = 0;
    self->partial = 0;
    self->unread = 0;
    for (int c = 0; c < BTE_CHANNELS; c++) {
        self->run[c] = 0;
        self->first[c] = 0;
        self->flying[c] = 0;
        self->in_air[c] = 0;
    }
    self->moving = 0;
    self->chained = 0;
    self->messages = 0;
    self->blocked = 0;
    self->work_at = WORK_CHOOSE;
    self->turn = 0;
    self->place = 0;
    self->chain = 0;
    self->job = (struct bte_job){};
    self->extent = (struct bte_extent){};
    self->at = 0;
    self->left = 0;
    self->align = 0;
    self->stops = 0;
    self->ends = 0;
    self->ended = (struct bte_close){};
    self->put = 0;
    self->got = 0;
    self->waiting = 0;
    self->reading = 0;
    self->piece_valid = 0;
    self->piece = (struct bte_piece){};
    self->faults = 0;
    self->wrongs = 0;
    self->deserted = 0;
    self->failed = 0;
    self->refused = 0;
    self->passes = 0;
    self->insert_at = INSERT_IDLE;
    self->insert = (struct bte_insert){};
    self->close_put = 0;
    self->close_got = 0;
    self->closing = 0;
    self->closes_now = (struct bte_close){};
    self->wrong = 0;
    self->alone = 0;
    self->shown = 0;
    self->owed = 0;
    self->late = 0;
}

/* ---- descriptors -------------------------------------------------------------------------------- */

static inline struct bte_job job_of(u64 to, u64 how, const struct bte_words *words)
{
    return (struct bte_job){
        .align = (u6)to,
        .mdh = (nic_mdh)(how >> DESC_LOCAL_MDH_AT),
        .ptag = (nic_ptag)(how >> DESC_PTAG_AT),
        .op = (u2)(how >> DESC_OP_AT),
        .fence = (u1)(how >> DESC_FENCE_AT),
        .concatenate = (u1)(how >> DESC_CONCATENATE_AT),
        .source = (u3)(how >> DESC_MODE_AT) == MODE_SOURCE,
        .launched = words->launched,
        .unit = words->unit,
    };
}

/*
 * Two words of a descriptor into their slot. The worker may look at one of a ring when all of it is here, at one that is launched with its first words,
 * and waits for the others: they come one after the other, but for replies between them.
 */
static inline void fill(struct bte_send *self, const struct bte_words *words)
{
    u1 ready = words->valid && words->beat == (words->launched ? 0 : 3);

    bte_place place = words->place;
    u64 low = (u64)words->data;
    u64 high = (u64)(words->data >> 64);

    if (words->valid && words->beat == 0) {
        self->to[place] = (uint(DESC_HOW_BITS))low;
        self->how[place] = (uint(DESC_HOW_BITS))high;
        self->jobs[place] = job_of(low, high, words);
    }
    if (words->valid && words->beat == 1) {
        self->from[place] = (nic_offset)low;
        self->extents[place] = (struct bte_extent){(nic_offset)low, (u33)(high >> DESC_BYTES_AT)};
        self->bases[place] = (u13)(high >> DESC_BASE_AT);
    }
    if (words->valid && words->beat == 2) {
        self->events[place] = (u56)low;
        self->targets[place] = high;
    }
    if (words->valid && words->beat == 3) {
        self->sizes[place] = (u18)low;
    }
    if (ready) {
        self->filled |= bte_one_place(1, place);
        self->unread = (bte_places)((self->unread & ~bte_one_place(1, place)) |
                                    bte_one_place(words->bad, place));
    }
    if (words->valid && words->launched) {
        self->brief = words->beat == 0;
        self->partial = words->beat != 3;
    }
}

/* ---- the worker --------------------------------------------------------------------------------- */

/* Channels with a descriptor in their slot. */
static inline bte_channels to_work(const struct bte_send *self)
{
    bte_channels wants = 0;

    for (int c = 0; c < BTE_CHANNELS; c++) {
        bte_place at = bte_place_of((bte_channel)c, self->run[c]);

        wants |= bte_one_channel((u1)(self->filled >> at), (bte_channel)c);
    }
    return (bte_channels)(wants & ~self->blocked);
}

/* What is no descriptor; in a chain, what is no message among those that are, or the reverse. */
static inline u1 is_wrong(const struct bte_send *self, u1 chained)
{
    const struct bte_job *job = &self->job;
    u33 bytes = self->extent.bytes;
    u1 unread = (u1)(self->unread >> self->place);
    u1 send = job->op == BTE_SEND;
    u1 size = (bytes == 0 && !send) || bytes > (u33)1 << 32;
    u1 words = job->op == BTE_GET && ((u2)job->align != 0 || (u2)bytes != 0);
    bte_place first = bte_place_of(self->turn, self->first[self->turn]);
    u1 mixed = chained && (u1)(self->messages >> first) != send;

    return unread || size || words || mixed || job->op == BTE_NO_OP || job->source;
}

/* Clock 2: what of the descriptor is still to be sent. */
static inline void sum(struct bte_send *self, u1 chained, u1 enabled)
{
    u1 unread = (u1)(self->unread >> self->place);
    u1 wrong = is_wrong(self, chained);
    u1 alone = self->job.launched && !enabled;

    self->left = (u33)(self->extent.bytes - self->at);
    self->align = (u6)(self->job.align + self->at);
    self->chain = chained ? bte_place_of(self->turn, self->first[self->turn]) : self->place;
    self->stops = wrong || alone || (chained && (u1)(self->faults >> self->chain));
    self->ends = bte_chain_ends(self->job.concatenate && !unread, self->place, self->chain);
    self->wrong = wrong;
    self->alone = alone;
}

/* The transaction of a channel may not begin yet. */
static inline u1 has_to_wait(const struct bte_send *self, const struct bte_send_in *in)
{
    bte_count flying = self->flying[self->turn];

    return flying >= in->limit[self->turn] || (self->job.fence && flying != 0);
}

/* A transaction begins. */
static inline void open(struct bte_send *self)
{
    bte_places others = (bte_places)~bte_one_place(1, self->place);

    self->insert = (struct bte_insert){.valid = 1, .place = self->place, .first = self->place};
    self->first[self->turn] = (bte_slot)self->place;
    self->chained |= bte_one_channel(1, self->turn);
    self->flying[self->turn]++;
    self->messages = (bte_places)((self->messages & others) |
                                  bte_one_place(self->job.op == BTE_SEND, self->place));
    self->faults &= others;
    self->wrongs &= others;
    self->deserted &= others;
    self->failed &= others;
    self->refused &= others;
}

static inline beat_word local_read(const struct bte_send *self, u6 bytes)
{
    beat_word word = req_with_offset(0, (nic_offset)(self->extent.offset + self->at));

    word = BEAT_WITH(word, REQ_CMD_AT, 4, CMD_GET);
    word = BEAT_WITH(word, REQ_Z_AT, 6, bytes);
    word = BEAT_WITH(word, REQ_MDH_AT, 12, self->job.mdh);
    word = BEAT_WITH(word, REQ_PTAG_AT, 8, self->job.ptag);
    return req_with_tags(word, (nic_tag)self->chain);
}

/* The next piece; the value is whether it is the last, and of a put: what ends a get is a step of its own. */
static inline u1 cut(struct bte_send *self)
{
    u7 line = (u7)(64 - self->align);
    u1 last = self->left <= line;
    u6 bytes = (u6)((last ? (u7)self->left : line) - 1);
    u1 get = self->job.op == BTE_GET;

    if (get) {
        self->insert = (struct bte_insert){1, 1, self->place, self->chain, bytes};
    } else {
        self->out.local = (struct beat){1, 1, 1, 0, local_read(self, bytes)};
        self->pieces[self->put] = (struct bte_piece){self->place, self->chain, last, self->ends};
        self->put++;
        self->waiting++;
        self->reading++;
        self->in_air[self->turn]++;
    }
    self->issued[self->turn] = (u33)(self->at + bytes + 1);
    return last && !get;
}

/* All of a descriptor was sent that will be, and nothing of it is on its way. */
static inline void end(struct bte_send *self)
{
    bte_places it = bte_one_place(1, self->chain);

    self->ended = (struct bte_close){1, self->place, self->chain, self->ends};
    self->faults |= self->stops ? it : (bte_places)0;
    self->wrongs |= self->wrong ? it : (bte_places)0;
    self->deserted |= self->alone ? it : (bte_places)0;
}

/* The channel goes on to its next descriptor. */
static inline void go_on(struct bte_send *self)
{
    self->moving &= (bte_channels)~bte_one_channel(1, self->turn);
    self->chained &= (bte_channels)~bte_one_channel(self->ends, self->turn);
    self->filled &= (bte_places)~bte_one_place(1, self->place);
    self->run[self->turn]++;
}

/* Whether there was space in the clock before. */
struct bte_room {
    u1 insert;
    u1 piece;
    u1 ended;
};

static inline void work(struct bte_send *self, const struct bte_send_in *in,
                        const struct bte_room *room)
{
    bte_channels wants = to_work(self);
    struct bte_job job = self->jobs[self->place];
    struct bte_extent extent = self->extents[self->place];
    u33 issued = self->issued[self->turn];
    u1 moving = (u1)(self->moving >> self->turn);
    u1 chained = (u1)(self->chained >> self->turn);
    u1 starts = !moving && !chained;
    u1 enabled = self->enabled[self->job.unit];
    u1 air = self->in_air[self->turn] != 0;
    u1 all = self->left == 0; /* of a get, or a message without bytes */
    u1 may = self->job.op == BTE_GET ? room->insert : room->piece;

    HLS_PROCESS(self->work_at, WORK_CHOOSE, WORK_READ, WORK_SUM, WORK_OPEN, WORK_CUT, WORK_END,
                WORK_ROOM);
    for (;;) {
        HLS_WAIT_UNTIL(WORK_CHOOSE, wants != 0);
        self->turn = bte_next_channel(wants, self->turn);
        self->place = bte_place_of(self->turn, self->run[self->turn]);
        HLS_WAIT_UNTIL(WORK_READ, !self->brief);
        self->job = job;
        self->extent = extent;
        self->at = moving ? issued : (u33)0;
        HLS_WAIT(WORK_SUM);
        sum(self, chained, enabled);
        if (starts) {
            if (has_to_wait(self, in)) {
                self->blocked |= bte_one_channel(1, self->turn);
                continue;
            }
            while (!room->insert)
                HLS_WAIT(WORK_OPEN);
            open(self);
        }
        HLS_WAIT_UNTIL(WORK_CUT, !self->partial);
        if (self->stops || all) {
            if (air) {
                self->blocked |= bte_one_channel(1, self->turn);
                continue;
            }
            while (!room->ended)
                HLS_WAIT(WORK_END);
            end(self);
            go_on(self);
        } else {
            while (!may)
                HLS_WAIT(WORK_ROOM);
            self->moving |= bte_one_channel(1, self->turn);
            if (cut(self)) {
                go_on(self);
            }
        }
    }
}

/* ---- the stream --------------------------------------------------------------------------------- */

/* Why a transaction ends that fails here; that of its requests ssid knows. */
static inline nic_status_field status_of_close(const struct bte_send *self,
                                               const struct bte_view *view)
{
    u1 failed = (u1)(self->failed >> view->first);
    u1 wrong = (u1)(self->wrongs >> view->first);
    u1 alone = (u1)(self->deserted >> view->first);

    return failed  ? view->status
           : wrong ? (nic_status_field)STATUS_BAD_COMMAND
           : alone ? (nic_status_field)STATUS_SEQUENCE
                   : (nic_status_field)STATUS_OK;
}

static inline void emit(struct bte_send *self, u1 head, u1 tail, beat_word word)
{
    self->out.beat = (struct beat){1, head, tail, 0, word};
}

/*
 * OPEN, GET, CLOSE. A descriptor whose transaction goes on ends without a packet. From the first beat of one on room_reply may be 1: the reply's head
 * is behind the last one.
 */
static inline void insert(struct bte_send *self, const struct bte_send_in *in,
                          const struct bte_view *view, const struct bte_close *next)
{
    u1 target = (wants_of(view) & WANT_TARGET) != 0;
    nic_status_field status = status_of_close(self, view);
    u1 ends = target && status == STATUS_OK; /* else the target forgets what it counted */
    u4 how = (u4)((u4)((u4)view->message << 2) | (u4)((u4)ends << 1));
    u1 opens = self->insert.valid && !self->insert.get;
    u1 quiet = self->reading == 0 || self->shown == 0 || opens || in->descriptor;
    u1 wants = self->insert.valid ? opens || in->tags : next->valid;
    u1 may = wants && quiet && in->room && !in->reply.valid;

    HLS_PROCESS(self->insert_at, INSERT_IDLE, INSERT_LOCAL, INSERT_CLOSE, INSERT_CLOSE2);
    for (;;) {
        HLS_WAIT_UNTIL(INSERT_IDLE, may);
        self->owed = BTE_OWED;
        if (opens) {
            emit(self, 1, 1, head_of(view, CMD_OPEN, target, 0));
            self->insert.valid = 0;
        } else if (self->insert.valid) {
            emit(self, 1, 0, head_of(view, CMD_GET, (u4)(self->insert.bytes >> 2), 0));
            HLS_WAIT(INSERT_LOCAL);
            emit(self, 0, 1, local_of(view, self->insert.bytes));
            self->insert.valid = 0;
        } else {
            self->closes_now = *next;
            self->out.sent = (struct bte_sent){1, next->place};
            self->close_got += !self->ended.valid;
            self->closing -= !self->ended.valid;
            self->ended.valid = 0;
            if (next->closes) {
                emit(self, 1, 0, head_of(view, CMD_CLOSE, how, CLOSE_BYTES - 1));
                HLS_WAIT(INSERT_CLOSE);
                emit(self, 0, 0, close_of(view, 0, 0));
                HLS_WAIT(INSERT_CLOSE2);
                emit(self, 0, 1, close_of(view, 1, status));
            }
        }
    }
}

/* A transaction fails here; the first reason counts. */
static inline void fail(struct bte_send *self, bte_place first, nic_status_field status)
{
    u1 before = (u1)(self->failed >> first);

    if (!before) {
        self->statuses[first] = status;
    }
    self->failed |= bte_one_place(1, first);
    self->faults |= bte_one_place(1, first);
}

/* A reply, or what is left of one: a PUT, unless its transaction has failed. */
static inline void reply(struct bte_send *self, const struct bte_send_in *in,
                         const struct bte_view *view, u1 ok)
{
    u6 bytes = BEAT_FIELD(in->reply.word, MEM_BYTES_AT, 6);

    self->out.beat = in->reply;
    if (in->reply.head) {
        self->passes = ok;
        self->out.beat.tail = 0;
        self->out.beat.word = head_of(view, view->message ? CMD_SEND : CMD_PUT, 0, bytes);
    }
    self->out.beat.valid = self->passes;
}

/* The reply of a piece begins, so its channel may go on; all of its descriptor was sent if it is the last. */
static inline void finish(struct bte_send *self)
{
    bte_channel c = bte_channel_of(self->piece.place);

    if (self->piece.last) {
        self->closes[self->close_put] =
            (struct bte_close){1, self->piece.place, self->piece.first, self->piece.closes};
        self->close_put++;
        self->closing++;
    }
    self->piece_valid = 0;
    self->reading--;
    self->in_air[c]--;
    self->blocked &= (bte_channels)~bte_one_channel(1, c);
}

static inline void stream(struct bte_send *self, const struct bte_send_in *in,
                          const struct bte_view *view, const struct bte_close *next)
{
    const struct bte_piece *piece = &self->piece;
    nic_status_field refusal = self->refusals[piece->first];
    u1 begins = in->reply.valid && in->reply.head;
    u2 memory = BEAT_FIELD(in->reply.word, MEM_STATUS_AT, 2);
    u1 asks = self->insert_at == INSERT_LOCAL;
    u1 refused = (u1)(self->refused >> piece->first);
    u1 stops = (u1)(self->faults >> piece->first);
    u6 bytes = asks ? self->insert.bytes : BEAT_FIELD(in->reply.word, MEM_BYTES_AT, 6);

    hls_assume(!begins || self->piece_valid);                       /* one for each read */
    hls_assume(!in->reply.valid || self->insert_at == INSERT_IDLE); /* room_reply was 0 */
    u1 ends = self->ended.valid & !self->insert.valid;

    if (begins | asks | ends | in->wipe.valid) {
        bte_place place = begins | asks ? view->place : self->ended.place;
        u1 goes_on = asks || (begins && !piece->last);

        self->sent[in->wipe.valid ? (bte_place)in->wipe.index : place] =
            goes_on && !in->wipe.valid ? (u33)(view->sent + bytes + 1) : (u33)0;
    }
    if (begins) {
        self->lasts[piece->first] = (u32)((u32)view->to + (u32)view->sent + bytes);
    }
    insert(self, in, view, next);
    if (in->reply.valid) {
        reply(self, in, view, memory == MEM_DONE && !stops);
    }
    if (begins && memory != MEM_DONE) {
        fail(self, piece->first, refused ? refusal : status_of_memory(memory));
    }
    if (begins) {
        finish(self);
    }
}

/* What the one place says whose packet may go out in this clock. */
static inline struct bte_view look(const struct bte_send *self, const struct bte_send_in *in,
                                   const struct bte_close *next)
{
    u1 closing = self->insert_at == INSERT_CLOSE || self->insert_at == INSERT_CLOSE2;
    u1 inserts = self->insert.valid && !closing;
    struct bte_close close = closing ? self->closes_now : *next;
    bte_place place = in->reply.valid ? self->piece.place
                      : inserts       ? self->insert.place
                                      : close.place;
    bte_place first = in->reply.valid ? self->piece.first
                      : inserts       ? self->insert.first
                                      : close.first;

    return (struct bte_view){
        .place = place,
        .first = first,
        .unread = (u1)(self->unread >> place),
        .message = (u1)(self->messages >> first),
        .to = self->to[place],
        .how = self->how[place],
        .from = self->from[place],
        .base = self->bases[place],
        .event = self->events[place],
        .target = self->targets[place],
        .size = self->sizes[place],
        .sent = self->sent[place],
        .end = self->lasts[first],
        .status = self->statuses[first],
    };
}

/* The oldest descriptor that ended with a piece. */
static inline struct bte_close next_close(const struct bte_send *self)
{
    struct bte_close close = self->closes[self->close_got];

    close.valid = self->closing != 0;
    return close;
}

/* ---- a clock ------------------------------------------------------------------------------------ */

/* What others say of transactions. */
static inline void listen(struct bte_send *self, const struct bte_send_in *in)
{
    bte_channel c = bte_channel_of(in->over.first);

    self->faults |= bte_one_place(in->fault.valid, in->fault.first) |
                    bte_one_place(in->refusal.valid, in->refusal.first);
    self->refused |= bte_one_place(in->refusal.valid, in->refusal.first);
    if (in->refusal.valid) {
        self->refusals[in->refusal.first] = in->refusal.status;
    }
    if (in->over.valid) {
        self->flying[c]--;
        self->blocked &= (bte_channels)~bte_one_channel(1, c);
    }
}

/* FMA descriptors are enabled and disabled. */
static inline void see_descriptors(struct bte_send *self, const struct bte_send_in *in)
{
    u16 addr = in->write.addr;
    u1 ours = in->write.valid && (u2)addr == 0 &&
              addr >> (NIC_FMA_LOG2 + 2) == NR_FMA >> (NIC_FMA_LOG2 + 2);

    if (ours | in->wipe.valid) {
        self->enabled[in->wipe.valid ? (bte_unit)in->wipe.index : (bte_unit)(addr >> 2)] =
            (u1)(in->write.data >> NR_FMA_ENABLE_AT) & !in->wipe.valid;
    }
}

static inline void report(struct bte_send *self, const struct bte_send_in *in, u1 shown)
{
    u1 pending = self->insert.valid || self->ended.valid || self->closing != 0;
    u1 replies = in->reply.valid && in->reply.head;
    u1 closes = self->ended.valid || self->closing != 0;
    u1 lets = self->insert.valid ? self->owed != 0 : self->late != 0;

    self->out.idle = self->filled == 0 && self->waiting == 0 && !self->piece_valid && !pending;
    self->out.room_reply = in->room && in->tags && (!pending || lets);
    self->shown = (uint(BTE_REPLY_CLOCKS - 1))((self->shown << 1) | shown);
    self->late =
        !closes || self->out.sent.valid ? (u6)BTE_LATE : (u6)(self->late - (self->late != 0));
    self->owed = replies || self->owed == 0 ? (u4)0 : (u4)(self->owed - 1);
}

HLS_MODULE void bte_send(struct bte_send *self, const struct bte_send_in *in)
{
    struct bte_close close = self->ended.valid ? self->ended : next_close(self);
    struct bte_view view = look(self, in, &close);
    struct bte_piece next = self->pieces[self->got];
    u1 comes = self->waiting != 0;
    struct bte_room room = {
        .insert = !self->insert.valid,
        .piece = !(u1)(self->waiting >> NIC_BTE_READS_LOG2) && !self->out.local.valid,
        .ended = !self->ended.valid,
    };
    u1 shown = self->out.room_reply;

    self->out.beat.valid = 0;
    self->out.local.valid &= !in->local_taken;
    self->out.sent.valid = 0;
    stream(self, in, &view, &close);
    if (!self->piece_valid && comes) {
        self->piece = next;
        self->piece_valid = 1;
        self->got++;
        self->waiting--;
    }
    listen(self, in);
    work(self, in, &room);
    see_descriptors(self, in);
    fill(self, &in->words);
    report(self, in, shown);
    hls_cover(self->out.beat.valid && self->insert_at == INSERT_LOCAL && self->reading != 0);
    hls_cover(self->blocked != 0);
    hls_cover((u1)(self->waiting >> NIC_BTE_READS_LOG2));
}
