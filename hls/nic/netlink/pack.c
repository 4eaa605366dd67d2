// SPDX-License-Identifier: Apache-2.0
/*
 * pack.c - from beats to flits: one packet at a time, one flit a clock.
 *
 * A flit is three lanes of 16 bits, a beat eight of payload (a head nine). The front of the queue is the beat at work: a
 * flit begins at one of its lanes; what is left of it behind the last flit that fits, two lanes, one or none, waits in `rest`
 * for the next beat. So a lane has one of eight places in a beat, and they follow each other as 0 3 6 1 4 7 2 5.
 */
#include "nic/netlink/pack.h"

#define EVERY_TURN 3

HLS_RESET void pack_reset(struct pack *self)
{
    self->out = (struct pack_out){};
    beat_queue2_reset(&self->queue);
    self->open = 0;
    self->cls = 0;
    self->drops = 0;
    self->in_head = 0;
    self->tailed = 0;
    self->at = 0;
    self->rest[0] = 0;
    self->rest[1] = 0;
    self->left = 0;
    self->marked = 0;
    self->crc = 0;
    self->turn = 0;
    for (int c = 0; c < 2; c++) {
        self->used[c] = 0;
        self->credit[c] = 0;
    }
}

static inline u16 lane(beat_word word, u4 n)
{
    u16 lanes[16] = {};

    for (int i = 0; i < 9; i++) {
        lanes[i] = (u16)(word >> (16 * i));
    }
    return lanes[n];
}

/* ---- choice -------------------------------------------------------------------------------------- */

/* The class of the next packet; *start: there is one that may begin. */
static inline u1 choose(struct pack *self, u1 *start)
{
    u1 request = self->queue.out.front[0].valid & self->credit[0];
    u1 response = self->queue.out.front[1].valid & self->credit[1];
    u1 cls = response && !(request && self->turn == EVERY_TURN);

    *start = !self->open && !self->drops && (request | response);
    if (*start && request && response) {
        self->turn++;
    }
    return cls;
}

/* ---- head ---------------------------------------------------------------------------------------- */

/* What a head beat says of its packet; found for both classes side by side, before one of them is chosen. */
struct pack_head {
    u1 single;     /* its beat is one flit */
    u1 behind;     /* payload follows */
    u7 bytes;      /* of that, with the CRC; 0: the CRC stands in the head, or there is none */
    rtr_flit flit; /* flit 0 as it leaves */
};

static inline struct pack_head request_head(beat_word word)
{
    u1 get = req_cmd(word) == CMD_GET;
    u7 bytes = req_payload(word);

    return (struct pack_head){
        .behind = !get,
        .bytes = get ? (u7)0 : (u7)(bytes + 2),
        .flit = nic_covered(head_sized((rtr_flit)word, req_flits(word))),
    };
}

static inline struct pack_head response_head(beat_word word)
{
    rtr_flit flit = nic_covered((rtr_flit)word) & ~(rtr_flit)0xF;
    u4 length = head_length((rtr_flit)word);
    u4 flits = length - 1; /* of data */
    u1 behind = !rsp_err(word) && length != 1;

    return (struct pack_head){
        .single = behind || length == 1,
        .behind = behind,
        .bytes = behind ? (u7)(((u7)flits << 2) + ((u7)flits << 1)) : (u7)0,
        .flit = flit | nic_chk(flit),
    };
}

/* ---- flits --------------------------------------------------------------------------------------- */

/* The lanes of the next flit, from the beat at work and what was left of the one before. */
static inline rtr_flit gather(const struct pack *self, beat_word word, u3 at, u1 in_head)
{
    u16 a = at == 6 ? self->rest[0] : (at == 7 ? self->rest[1] : lane(word, at));
    u16 b = at == 6 ? self->rest[1] : lane(word, (u3)(at + 1));
    u16 c = at == 6 && in_head ? lane(word, 8) : lane(word, (u3)(at + 2));

    return (rtr_flit)a | ((rtr_flit)b << 16) | ((rtr_flit)c << 32);
}

/* A flit of payload without what is behind its end: the last beat's if it has been taken, else `left` bytes with the CRC. */
static inline rtr_flit only(const struct pack *self, rtr_flit flit)
{
    u3 rest = self->at == 6 ? (u3)4 : (self->at == 7 ? (u3)2 : (u3)0);
    rtr_flit kept = 0;

    for (int i = 0; i < 6; i++) {
        u1 here = self->left > i + 2 && (!self->tailed || i < rest);

        kept |= here ? flit & ((rtr_flit)0xFF << (8 * i)) : (rtr_flit)0;
    }
    return kept;
}

/* What this clock does. */
struct pack_step {
    u1 sends; /* a flit */
    u1 last;
    u1 pop; /* the beat at work */
};

/* The first flit of a packet. */
static inline struct pack_step begin(const struct pack_head *head)
{
    return (struct pack_step){
        .sends = 1,
        .last = head->single && !head->behind,
        .pop = head->single,
    };
}

/* A further one: goes through the lanes of a beat; the packet's flits are counted by the bytes that are left of it. */
static inline struct pack_step go_on(const struct pack *self, const struct beat *beat)
{
    u1 head_done = self->in_head && (self->cls ? self->at == 3 : self->at == 6);
    u1 last = self->in_head ? head_done && self->left == 0 : self->left <= 6;
    u1 needs = self->in_head || !self->tailed;
    u1 sends = self->open && (!needs || beat->valid);
    u1 beat_done =
        self->in_head ? head_done : self->at == 3 || self->at == 4 || self->at == 5 || last;

    return (struct pack_step){.sends = sends, .last = last, .pop = sends && needs && beat_done};
}

/* The place in the packet behind this clock's flit; start: its first, of `head`. */
static inline void move_on(struct pack *self, const struct pack_step *step, u1 start,
                           const struct pack_head *head, const struct beat *beat)
{
    u1 in_head = start || self->in_head;
    u1 head_done = in_head && step->pop;

    if (step->sends) {
        self->left = start ? head->bytes : (self->in_head ? self->left : (u7)(self->left - 6));
        self->in_head = in_head && !step->pop;
        self->at = head_done ? (u3)0 : (start ? (u3)3 : (u3)(self->at + 3));
        u1 ours = start || self->in_head || !self->tailed; /* else the beat is of another packet */

        self->rest[0] = ours ? lane(beat->word, 6) : (u16)0;
        self->rest[1] = ours ? lane(beat->word, 7) : (u16)0;
        self->tailed = step->pop ? beat->tail : self->tailed;
        self->open = !step->last;
    }
}

/* The flit register, with the codes. */
static inline void drive(struct pack *self, const struct pack_step *step, u1 start, u1 cls,
                         const struct beat *beat, rtr_flit flit)
{
    u1 crc_here = step->last && !start; /* one flit has no CRC */
    rtr_flit blank = flit & ~(crc_here ? (rtr_flit)0xFFFF << NIC_CRC_AT : (rtr_flit)0);
    nic_crc crc = nic_crc_step(start ? (nic_crc)NIC_CRC_START : self->crc, blank);
    rtr_flit vc = start && cls ? (rtr_flit)(RTR_VCS / 2) << HEAD_VC_AT : (rtr_flit)0;
    u1 marked = (!start && self->marked) | (step->pop && beat->bad);

    self->out.valid = step->sends;
    self->out.flit = blank | vc | (crc_here ? (rtr_flit)crc << NIC_CRC_AT : (rtr_flit)0);
    self->out.bad = step->sends && marked;
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
    struct pack_head request = request_head(self->queue.out.front[0].word);
    struct pack_head response = response_head(self->queue.out.front[1].word);
    u1 begins;
    u1 chosen = choose(self, &begins);
    u1 cls = self->open || self->drops ? self->cls : chosen;
    struct pack_head head = chosen ? response : request;
    struct beat beat = self->queue.out.front[cls];
    u1 drops = self->drops || (begins && beat.bad);
    u1 start = begins && !beat.bad;
    rtr_flit body = gather(self, beat.word, self->at, self->in_head);
    rtr_flit flit = start ? head.flit : (self->in_head ? body : only(self, body));
    struct pack_step step = start ? begin(&head) : go_on(self, &beat);
    u1 pop = step.pop || (drops && beat.valid);
    struct beat_queue2_in to = {
        .push = in->push,
        .push_class = in->push_class,
        .code = in->code,
        .pop = (u2)((u2)pop << cls),
        .ahead = cls,
    };

    move_on(self, &step, start, &head, &beat);
    drive(self, &step, start, cls, &beat, flit);
    account(self, in, step.sends, cls);
    self->cls = cls;
    self->drops = drops && !(beat.valid && beat.tail);
    self->out.uncorrectable = begins && beat.bad;
    self->out.corrected = self->queue.out.corrected;
    self->out.fatal = self->queue.out.fatal;
    hls_cover(self->drops);
    hls_cover(!self->credit[0] && self->queue.out.front[0].valid);
    hls_cover(!self->credit[1] && self->queue.out.front[1].valid);
    beat_queue2(&self->queue, &to);
    for (int c = 0; c < 2; c++) {
        self->out.room[c] = self->queue.out.room[c];
    }
}
