// SPDX-License-Identifier: Apache-2.0
/*
 * pack24.c - from beats to phits: one packet at a time, one phit a clock; acks for the same node share a packet.
 *
 * The beat of a response is taken with the packet's first phit, and its word goes in the next clock: by then the front of the queue
 * tells whether the next ack joins it. A request's beat stays in front for its seven phits, a beat of data for three or six.
 */
#include "nic/netlink/pack.h"

#define EVERY_TURN 3
#define LAST_PHIT  2 /* of 8 bytes */

HLS_RESET void pack_reset(struct pack *self)
{
    self->out = (struct pack_out){};
    beat_queue2_reset(&self->queue);
    self->open = 0;
    self->cls = 0;
    self->drops = 0;
    self->part = PACK_REQUEST;
    self->at = 0;
    self->left = 0;
    self->tailed = 0;
    self->marked = 0;
    self->crc = 0;
    self->word = 0;
    self->head = 0;
    self->ack = 0;
    self->acks = 0;
    self->turn = 0;
    self->gave_way = 0;
    for (int c = 0; c < 2; c++) {
        self->used[c] = 0;
        self->credit[c] = 0;
    }
}

/* ---- choice -------------------------------------------------------------------------------------- */

/* Of a head beat of a response. */
static inline u1 is_ack(beat_word word)
{
    return BEAT_FIELD(word, REQ_LENGTH_AT, RSP_LENGTH_BITS) == 1;
}

/*
 * The class of the next packet; *start: there is one that may begin. An ack that stands alone lets one request go first, as another may
 * come for the same node.
 */
static inline u1 choose(struct pack *self, u1 *start)
{
    const struct beat_queue2_out *queue = &self->queue.out;
    u1 request = queue->front[0].valid & self->credit[0];
    u1 response = queue->front[1].valid & self->credit[1];
    u1 alone = is_ack(queue->front[1].word) && queue->beats[1] == 0;
    u1 both = request & response;
    u1 waits = !self->gave_way && (self->turn == EVERY_TURN || alone);
    u1 cls = response && !(request && waits);

    *start = !self->open && !self->drops && (request | response);
    if (*start && both) {
        self->turn++;
    }
    if (*start) {
        self->gave_way = both && !cls;
    }
    return cls;
}

/* ---- phits --------------------------------------------------------------------------------------- */

/* The next phit of data: of a beat's lower or upper 8 bytes, without what is behind the packet's end. */
static inline rtr_flit data_flit(const struct pack *self, beat_word word)
{
    u64 group = (u1)(self->at >> 2) ? (u64)(word >> 64) : (u64)word;
    u64 kept = 0;

    for (int i = 0; i < PKT_GROUP_BYTES; i++) {
        kept |= self->left > i && !self->tailed ? group & ((u64)0xFF << (8 * i)) : (u64)0;
    }
    const rtr_flit flit[4] = {(rtr_flit)kept, (rtr_flit)(kept >> 22), (rtr_flit)(kept >> 44)};

    return flit[(u2)self->at];
}

/* What this clock does with the packet under way. */
struct pack_step {
    u1 sends; /* a phit, */
    rtr_flit flit;
    u1 end; /* its end, without the CRC */
    u1 pop; /* the beat in front */
    enum pack_part next;
    u3 at; /* of that part */
};

static inline struct pack_step begin(u1 cls, beat_word word)
{
    return (struct pack_step){
        .sends = 1,
        .flit = pkt_head(word, cls),
        .pop = cls, /* a response is in `word` from now on */
        .next = cls ? PACK_WORD : PACK_REQUEST,
        .at = 1,
    };
}

static inline struct pack_step request_step(const struct pack *self, const struct beat *beat)
{
    u1 last = self->at == PKT_HEAD_PHITS - 1;

    return (struct pack_step){
        .sends = beat->valid,
        .flit = request_flit(beat->word, self->at),
        .pop = beat->valid && last,
        .next = !last             ? PACK_REQUEST
                : self->left != 0 ? PACK_DATA
                                  : PACK_END,
        .at = last ? (u3)0 : (u3)(self->at + 1),
    };
}

/* Whether the beat in front is an ack that joins the packet under way. */
static inline u1 joins(const struct pack *self, const struct beat *beat)
{
    return self->ack && beat->valid && !beat->bad && is_ack(beat->word) &&
           pkt_head(beat->word, 1) == self->head && self->acks != ACKS_MOST;
}

static inline struct pack_step word_step(const struct pack *self, const struct beat *beat)
{
    u1 more = joins(self, beat);

    return (struct pack_step){
        .sends = 1,
        .flit = self->word | (more ? WORD_MORE : (rtr_flit)0),
        .pop = more,
        .next = more              ? PACK_WORD
                : self->left != 0 ? PACK_DATA
                                  : PACK_END,
    };
}

static inline struct pack_step data_step(const struct pack *self, const struct beat *beat)
{
    u1 group_done = (u2)self->at == LAST_PHIT;
    u1 last = group_done && self->left <= PKT_GROUP_BYTES;
    u1 beat_done = group_done && (u1)(self->at >> 2);
    u1 sends = self->tailed || beat->valid;

    return (struct pack_step){
        .sends = sends,
        .flit = data_flit(self, beat->word),
        .pop = sends && !self->tailed && (beat_done || last),
        .next = last ? PACK_END : PACK_DATA,
        .at = group_done ? (u3)((u3)(u1) ~(u1)(self->at >> 2) << 2) : (u3)(self->at + 1),
    };
}

static inline struct pack_step step_of(const struct pack *self, const struct beat *beat)
{
    struct pack_step step = {};

    if (!self->open) {
        return step;
    }
    switch (self->part) {
    case PACK_REQUEST:
        return request_step(self, beat);
    case PACK_WORD:
        return word_step(self, beat);
    case PACK_DATA:
        return data_step(self, beat);
    case PACK_END:
        step.sends = 1;
        step.end = 1;
        return step;
    }
    return step;
}

/* ---- registers ----------------------------------------------------------------------------------- */

/* Bytes of data behind the head of a packet. */
static inline u7 data_bytes(u1 cls, beat_word word)
{
    rsp_length length = BEAT_FIELD(word, REQ_LENGTH_AT, RSP_LENGTH_BITS);
    u7 words =
        length > RSP_LENGTH_WORDS && !rsp_err(word) ? (u7)(length - RSP_LENGTH_WORDS) : (u7)0;

    return cls ? (u7)(words << 2) : req_payload(word);
}

/* The place in the packet behind this clock's phit. */
static inline void move_on(struct pack *self, const struct pack_step *step, u1 start, u1 cls,
                           const struct beat *beat)
{
    u1 ack = cls && is_ack(beat->word);

    if (step->sends) {
        u1 group_done = self->part == PACK_DATA && (u2)self->at == LAST_PHIT;
        u7 left = self->left > PKT_GROUP_BYTES ? (u7)(self->left - PKT_GROUP_BYTES) : (u7)0;

        self->left = start ? data_bytes(cls, beat->word) : group_done ? left : self->left;
        self->part = step->next;
        self->at = step->at;
        self->open = !step->end;
        self->tailed = step->pop ? beat->tail : self->tailed && !start;
    }
    if (step->pop && (start || self->ack)) {
        self->word = response_word(beat->word);
    }
    if (start) {
        self->head = step->flit;
        self->ack = ack;
        self->acks = 1;
    } else if (step->pop && self->ack) {
        self->acks++;
    }
}

/* The flit register, with the CRC. */
static inline void drive(struct pack *self, const struct pack_step *step, u1 start,
                         const struct beat *beat)
{
    rtr_flit covered = start ? head_on(step->flit, 0, 0) : step->flit;
    pkt_crc crc = core_step(start ? (pkt_crc)0 : self->crc, covered);
    u1 marked = (!start && self->marked) | (step->pop && beat->bad);

    self->out.valid = step->sends;
    self->out.flit = step->end ? (rtr_flit)core_end(self->crc) : step->flit;
    self->out.tail = step->end;
    self->out.bad = step->end && marked;
    if (step->sends) {
        self->crc = crc;
        self->marked = marked;
    }
}

/* ---- accounts ------------------------------------------------------------------------------------ */

static inline void account(struct pack *self, const struct pack_in *in, u1 sends, u1 cls)
{
    u12 charged = (u12)((u12)self->used[0] + self->used[1]);
    u12 load = (u12)((charged >> 2) + self->queue.out.beats[0] + self->queue.out.beats[1]);

    self->out.load = load > 255 ? (u8)255 : (u8)load;
    for (int c = 0; c < 2; c++) {
        u1 sent = sends && cls == c;
        u1 freed = in->freed.valid && (in->freed.vc >= RTR_VCS / 2) == (c == 1);

        /* The router gives each flit back once. */
        hls_assume(!freed || self->used[c] != 0);
        self->used[c] += (pack_flits)((pack_flits)sent - (pack_flits)freed);
        self->credit[c] = self->used[c] <= PACK_ALLOWED - RTR_PACKET;
    }
}

HLS_MODULE void pack(struct pack *self, const struct pack_in *in)
{
    u1 begins;
    u1 chosen = choose(self, &begins);
    u1 cls = self->open || self->drops ? self->cls : chosen;
    struct beat beat = self->queue.out.front[cls];
    u1 drops = self->drops || (begins && beat.bad);
    u1 start = begins && !beat.bad;
    struct pack_step step = start ? begin(cls, beat.word) : step_of(self, &beat);
    u1 pop = step.pop || (drops && beat.valid);
    struct beat_queue2_in to = {
        .push = in->push,
        .push_class = in->push_class,
        .code = in->code,
        .pop = (u2)((u2)pop << cls),
        .ahead = cls,
    };

    drive(self, &step, start, &beat);
    move_on(self, &step, start, cls, &beat);
    account(self, in, step.sends, cls);
    self->cls = cls;
    self->drops = drops && !(beat.valid && beat.tail);
    self->out.uncorrectable = begins && beat.bad;
    self->out.corrected = self->queue.out.corrected;
    self->out.fatal = self->queue.out.fatal;
    hls_cover(self->drops);
    hls_cover(self->acks == ACKS_MOST);
    hls_cover(self->gave_way);
    hls_cover(!self->credit[0] && self->queue.out.front[0].valid);
    hls_cover(!self->credit[1] && self->queue.out.front[1].valid);
    beat_queue2(&self->queue, &to);
    for (int c = 0; c < 2; c++) {
        self->out.room[c] = self->queue.out.room[c];
    }
}
