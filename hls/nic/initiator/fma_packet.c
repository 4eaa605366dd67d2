// SPDX-License-Identifier: Apache-2.0
/*
 * fma_packet.c - an order of nic_fma becomes the beats of a packet.
 *
 * Call t, clock 2 of the FMA unit: PE and offset are cut out of the global offset, words of the descriptor read, the
 * first 16 bytes of the payload rotated. t + 1: head beat. From t + 2 on: local and data beats.
 */
#include "nic/initiator/fma_packet.h"

#include "nic/packet/bte_words.h"
#include "nic/initiator/ntt.h"

#define PE_BITS 18

HLS_RESET void fma_packet_reset(struct fma_packet *self)
{
    self->out = (struct fma_packet_out){};
    self->request = (struct fma_request){};
    self->at = 0;
    self->rotation = 0;
    self->before = 0;
    self->behind = 0;
    self->codes = (struct fma_codes){};
    self->mended = (struct fma_words){};
}

/* ---- clock 3: words are looked at --------------------------------------------------------------- */

/* What a packet needs of its descriptor beside modes and place. */
struct fma_needs {
    u1 flag;
    u1 flag_offset;
    u1 event;
    u1 operands;
};

static inline struct fma_needs needs_of(const struct fma_request *r)
{
    u1 close = r->cmd == CMD_CLOSE;
    u1 join = NIC_CE && r->cmd == CMD_CE_UP;
    u1 flag = close & (u1)r->x;

    return (struct fma_needs){
        .flag = flag | r->transfer,
        .flag_offset = flag | r->transfer | join,
        .event = (close & (u1)(r->x >> 1)) | (r->cmd == CMD_PUT_MSG) | r->transfer | join,
        .operands = (r->cmd == CMD_FAMO) | join,
    };
}

/* Whether words of a set have a single-bit error; a double-bit error. */
struct fma_errors {
    u1 single;
    u1 fatal;
};

static inline void look_short(struct fma_errors *all, fma_short_word word, u1 needed)
{
    fma_short_syndrome syndrome = fma_short_inspect(word);
    u1 odd = (u1)(syndrome >> 6);

    all->single |= needed & odd;
    all->fatal |= needed & !odd & ((u6)syndrome != 0);
}

static inline void look_long(struct fma_errors *all, fma_long_word word, u1 needed)
{
    fma_long_syndrome syndrome = fma_long_inspect(word);
    u1 odd = (u1)(syndrome >> 7);

    all->single |= needed & odd;
    all->fatal |= needed & !odd & ((u7)syndrome != 0);
}

static inline struct fma_errors look(const struct fma_packet *self)
{
    const struct fma_codes *w = &self->codes;
    struct fma_needs needs = needs_of(&self->request);
    struct fma_errors errors = {};

    look_short(&errors, w->modes, 1);
    look_short(&errors, w->place, 1);
    look_short(&errors, w->flag_offset, needs.flag_offset);
    look_long(&errors, w->flag, needs.flag);
    look_long(&errors, w->event, needs.event);
    look_long(&errors, w->operand_a, needs.operands);
    look_long(&errors, w->operand_b, needs.operands);
    return errors;
}

/* A word without its error; of one with two nothing is left, as it could name a queue or a domain of another process. */
static inline u43 mend_short(fma_short_word word)
{
    struct fma_short_result is = fma_short_decode(word);

    return is.fatal ? (u43)0 : is.data;
}

static inline u64 mend_long(fma_long_word word)
{
    struct fma_long_result is = fma_long_decode(word);

    return is.fatal ? (u64)0 : is.data;
}

static inline struct fma_words mend(const struct fma_codes *code)
{
    return (struct fma_words){
        .modes = (fma_modes)mend_short(code->modes),
        .place = mend_short(code->place),
        .flag_offset = (u40)mend_short(code->flag_offset),
        .flag = mend_long(code->flag),
        .event = mend_long(code->event),
        .operand_a = mend_long(code->operand_a),
        .operand_b = mend_long(code->operand_b),
    };
}

/* Words as they are without an error, or mended. */
static inline struct fma_words words_of(const struct fma_packet *self)
{
    const struct fma_codes *code = &self->codes;
    struct fma_words plain = {
        .modes = (fma_modes)code->modes,
        .place = (fma_place)code->place,
        .flag_offset = (u40)code->flag_offset,
        .flag = (u64)code->flag,
        .event = (u64)code->event,
        .operand_a = (u64)code->operand_a,
        .operand_b = (u64)code->operand_b,
    };

    return self->request.mended ? self->mended : plain;
}

/* ---- clock 3: beats ----------------------------------------------------------------------------- */

static inline u1 has_local(u4 cmd)
{
    return cmd == CMD_GET || cmd == CMD_FAMO;
}

static inline beat_word head_beat(const struct fma_packet *self, const struct fma_words *words)
{
    const struct fma_request *r = &self->request;
    u1 close = r->cmd == CMD_CLOSE;
    u1 flag = close & (u1)r->x;
    nic_offset offset = r->offset | (flag ? words->flag_offset : (nic_offset)0);
    u1 translated = (u1)(words->place >> 42) && r->cmd != CMD_OPEN && !(close && (u2)r->x == 0);
    struct ntt_place place = ntt_place(r->pe, (u13)(words->place >> 8), (u18)(words->place >> 21),
                                       (u3)(words->place >> 39));
    beat_word word = req_with_offset(0, offset);

    word = BEAT_WITH(word, REQ_CMD_AT, 4, r->cmd);
    word = BEAT_WITH(word, REQ_NODE_AT, 18, r->pe);
    word = BEAT_WITH(word, REQ_MODE_AT, 3, (u3)(words->modes >> 24));
    word = BEAT_WITH(word, REQ_X_AT, 4, r->x);
    word = BEAT_WITH(word, REQ_PTAG_AT, 8, (u8)words->place);
    word = BEAT_WITH(word, REQ_MDH_AT, 12, (u12)words->modes);
    word = BEAT_WITH(word, REQ_Z_AT, 6, r->z);
    word = req_with_channel(word, (nic_channel)(((nic_channel)CHANNEL_FMA << 7) | r->unit));
    if (translated) {
        word = BEAT_WITH(word, VPE_GRANULARITY_AT, 3, (u3)(words->place >> 39));
        word = BEAT_WITH(word, VPE_INDEX_AT, 13, place.index);
        word = BEAT_WITH(word, VPE_REFUSED_AT, 1, place.refused);
        word = BEAT_WITH(word, VPE_NTT_AT, 1, (u1)1);
    }
    return word;
}

/* Where the data of GET and FAMO shall go. */
static inline beat_word local_beat(const struct fma_packet *self, const struct fma_words *words)
{
    const struct fma_request *r = &self->request;
    u1 wide = amo_is_wide((u7)(((u7)(u1)r->x << 6) | r->z));
    u6 bytes = r->cmd == CMD_GET ? (u6)(((u6)r->x << 2) | 3) : (wide ? (u6)7 : (u6)3);
    beat_word word = BEAT_WITH((beat_word)0, LOCAL_OFFSET_AT, 40, (u40)r->word);

    word = BEAT_WITH(word, LOCAL_MDH_AT, 12, (u12)(words->modes >> 12));
    word = BEAT_WITH(word, LOCAL_PTAG_AT, 8, (u8)words->place);
    word = BEAT_WITH(word, LOCAL_BYTES_AT, 6, bytes);
    return BEAT_WITH(word, LOCAL_FLAGGED_AT, 1, r->flagged);
}

static inline beat_word operands(const struct fma_packet *self, const struct fma_words *words)
{
    const struct fma_request *r = &self->request;
    u1 both = amo_is_double((u7)(((u7)(u1)r->x << 6) | r->z));
    u64 second = both ? words->operand_b : (u64)0;

    return (beat_word)words->operand_a | ((beat_word)second << 64);
}

static inline beat_word close_beat(const struct fma_packet *self, const struct fma_words *words,
                                   u1 last)
{
    const struct fma_request *r = &self->request;
    u64 flag = (u1)r->x ? words->flag : (u64)0;
    u64 event = (u1)(r->x >> 1) ? words->event : (u64)0;
    beat_word one = 0, two = 0;

    one = BEAT_WITH(one, CLOSE_EVENT_AT, 64, event);
    one = BEAT_WITH(one, CLOSE_FLAG_LO_AT, 32, (u32)flag);
    two = BEAT_WITH(two, CLOSE_FLAG_HI_AT, 32, (u32)(flag >> 32));
    two = BEAT_WITH(two, CLOSE_WANTS_AT, 4, (u4)(r->word >> 56));
    two = BEAT_WITH(two, CLOSE_QUEUE_AT, 10, (u10)(words->modes >> 27));
    two = BEAT_WITH(two, CLOSE_ABORTED_AT, 1, r->aborted);
    two = BEAT_WITH(two, CLOSE_SOURCE_AT, 64, (u64)(u56)r->word);
    return last ? two : one;
}

/* 16 bytes of payload: each byte from the chunk before or the one behind it; a message begins with its event. */
static inline beat_word payload(const struct fma_packet *self, const struct fma_words *words,
                                u1 last)
{
    const struct fma_request *r = &self->request;
    u1 event = r->cmd == CMD_PUT_MSG && r->step == 1;
    beat_data data = 0;

    for (int i = 0; i < BEAT_BYTES; i++) {
        u8 byte =
            r->rotation <= 15 - i ? (u8)(self->before >> (8 * i)) : (u8)(self->behind >> (8 * i));

        if (i < 8 && event) {
            byte = (u8)(words->event >> (8 * (i & 7)));
        }
        data |= last && r->ends < i ? (beat_data)0 : (beat_data)byte << (8 * i);
    }
    return data;
}

/* Word 1 of the descriptor of a transfer. */
static inline u64 transfer_how(const struct fma_words *words, u64 word)
{
    beat_word how = 0;

    how = BEAT_WITH(how, DESC_MDH_AT, 24, (u24)words->modes); /* local mdh, mdh */
    how = BEAT_WITH(how, DESC_OP_AT, 2, (u2)(word >> TRANSFER_OP_AT));
    how = BEAT_WITH(how, DESC_FENCE_AT, 1, (u1)(word >> TRANSFER_FENCE_AT));
    how = BEAT_WITH(how, DESC_MODE_AT, 3, (u3)(words->modes >> 24));
    how = BEAT_WITH(how, DESC_WANTS_AT, 3, (u3)(word >> TRANSFER_WANTS_AT));
    how = BEAT_WITH(how, DESC_QUEUE_AT, 10, (u10)(words->modes >> 27));
    how = BEAT_WITH(how, DESC_PTAG_AT, 8, (u8)words->place);
    how = BEAT_WITH(how, DESC_NTT_AT, 1, (u1)(words->place >> 42));
    how = BEAT_WITH(how, DESC_GRANULARITY_AT, 3, (u3)(words->place >> 39));
    return (u64)how;
}

/* A join, for ce: its head, the operands, what its result needs. */
static inline u1 is_join(u4 cmd)
{
    return NIC_CE && cmd == CMD_CE_UP;
}

#if NIC_CE
static inline beat_word join_head(const struct fma_packet *self, const struct fma_words *words)
{
    const struct fma_request *r = &self->request;
    nic_offset offset =
        (nic_offset)(((nic_offset)(u4)(r->word >> REDUCE_EXCEPTIONS_AT) << CE_EXCEPTIONS_AT) |
                     ((nic_offset)(r->lost ? (u6)-1 : r->z) << CE_OPERATION_AT) |
                     ((nic_offset)(u5)(r->word >> REDUCE_CHILD_AT) << CE_CHILD_AT) |
                     ((nic_offset)(u2)(r->word >> REDUCE_ENGINE_AT) << CE_ENGINE_AT) |
                     (u15)(r->word >> REDUCE_ID_AT));
    beat_word word = req_with_offset(CMD_CE_UP, offset);

    word = BEAT_WITH(word, REQ_PTAG_AT, 8, (u8)words->place);
    word = BEAT_WITH(word, REQ_TAG_AT, 10, (nic_tag)r->unit);
    return BEAT_WITH(word, REQ_MDH_AT, 12, (u12)(words->modes >> 12));
}

static inline beat_word join_beat(const struct fma_packet *self, const struct fma_words *words)
{
    u64 second = (u1)(self->request.word >> REDUCE_TWO_AT) ? words->operand_b : (u64)0;
    beat_word record = 0;

    record = BEAT_WITH(record, JOIN_OFFSET_AT, 40, words->flag_offset);
    record = BEAT_WITH(record, JOIN_QUEUE_AT, 10, (u10)(words->modes >> 27));
    record = BEAT_WITH(record, JOIN_EVENT_AT, 56, (u56)words->event);
    return self->request.step == 0   ? join_head(self, words)
           : self->request.step == 1 ? (beat_word)words->operand_a | ((beat_word)second << 64)
                                     : record;
}
#endif

/* Two words of it: as a driver would write them into a ring. */
static inline beat_data transfer_words(const struct fma_packet *self, const struct fma_words *words)
{
    const struct fma_request *r = &self->request;
    u1 size = !r->lost && words->flag >> 33 == 0; /* else it has none that is possible */
    u64 low = 0, high = 0;

    switch ((u2)r->step) {
    case 0:
        low = (u64)r->offset | ((u64)r->pe << DESC_PE_AT);
        high = transfer_how(words, r->word);
        break;
    case 1:
        low = words->flag_offset;
        high = (size ? words->flag : (u64)0) | ((u64)(u13)(words->place >> 8) << DESC_BASE_AT);
        break;
    case 2:
        low = (u56)r->word;
        high = words->event;
        break;
    default:
        low = (u18)(words->place >> 21);
        break;
    }
    return (beat_data)low | ((beat_data)high << 64);
}

/* wait: the words of a packet are mended instead. */
static inline void emit(struct fma_packet *self, const struct fma_words *words, u1 wait)
{
    struct fma_request *r = &self->request;
    u1 goes = r->valid && !wait;
    u1 last = r->step == r->beats - 1;
    beat_word word = payload(self, words, last);

    if (r->step == 0) {
        word = head_beat(self, words);
    } else if (has_local(r->cmd)) {
        word = r->step == 1 ? local_beat(self, words) : operands(self, words);
    } else if (r->cmd == CMD_CLOSE) {
        word = close_beat(self, words, last);
    }
    self->out.beat = (struct beat){
        .valid = goes && !r->transfer && !is_join(r->cmd),
        .head = r->step == 0,
        .tail = last,
        .bad = r->lost,
        .word = word,
    };
    self->out.launch = (struct launch_words){
        .valid = goes && r->transfer,
        .beat = (u2)r->step,
        .channel = (u2)(r->word >> TRANSFER_CHANNEL_AT),
        .unit = r->unit,
        .data = transfer_words(self, words),
    };
#if NIC_CE
    self->out.join = (struct beat){
        .valid = goes && is_join(r->cmd),
        .head = r->step == 0,
        .tail = last,
        .word = join_beat(self, words),
    };
#endif
    r->step += !wait;
    r->valid = r->valid & !(goes & last);
}

/* The next chunk, or the first of an order, rotated so that payload begins at byte 0. */
static inline void read_chunk(struct fma_packet *self, const struct fma_order *order)
{
    pio_place first = (pio_place)(((pio_place)order->line << 2) | (order->begin >> 4));
    pio_place at = order->valid ? first : self->at;
    u4 rotation = order->valid ? (u4)order->begin : self->rotation;
    beat_data data = self->chunks[at];

    for (int i = 0; i < 4; i++) {
        if ((u1)(rotation >> i)) {
            data = (beat_data)((data >> (8 << i)) | (data << (128 - (8 << i))));
        }
    }
    self->before = self->behind;
    self->behind = data;
    self->at = (pio_place)((at & ~(pio_place)3) | (u2)(at + 1));
    self->rotation = rotation;
}

/* ---- clock 2: PE and offset --------------------------------------------------------------------- */

/* Where in a global offset the PE begins, by PE mask mode; and ones below. */
static const u6 pe_begin[8] = {40, 35, 21, 12, 10, 9, 8, 6};
static const u40 pe_low[8] = {0xFFFFFFFFFF, 0x7FFFFFFFF, 0x1FFFFF, 0xFFF, 0x3FF, 0x1FF, 0xFF, 0x3F};

struct fma_cut {
    nic_node pe;
    nic_offset offset;
};

static inline struct fma_cut cut_global(fma_global global, u3 mode)
{
    struct fma_cut cut = {};
    nic_offset low = pe_low[mode];

    for (int i = 0; i < 8; i++) {
        if (mode == i) {
            cut.pe = (nic_node)(global >> pe_begin[i]);
        }
    }
    cut.offset = ((nic_offset)global & low) | ((nic_offset)(global >> PE_BITS) & ~low);
    return cut;
}

/* An order: its packet begins in the next call. */
static inline void begin(struct fma_packet *self, const struct fma_order *order)
{
    struct fma_cut cut = cut_global(order->global, order->pe);
    u1 control = order->cmd == CMD_OPEN || order->cmd == CMD_CLOSE || order->cmd == CMD_CQWRITE;
    u1 nowhere = control && !order->transfer;

    hls_assume(!order->valid || !self->request.valid); /* nic_fma waits */
    if (order->valid) {
        self->codes.modes = self->modes[order->unit];
        self->codes.place = self->places[order->unit];
        self->codes.flag = self->flags[order->unit];
        self->codes.flag_offset = self->flag_offsets[order->unit];
        self->codes.event = self->events[order->unit];
        self->codes.operand_a = self->operands_a[order->unit];
        self->codes.operand_b = self->operands_b[order->unit];
        self->request = (struct fma_request){
            .valid = 1,
            .unit = order->unit,
            .cmd = order->cmd,
            .x = order->x,
            .z = order->z,
            .aborted = order->aborted,
            .flagged = order->flagged,
            .transfer = order->transfer,
            .lost = order->lost,
            .beats = order->beats,
            .ends = order->ends,
            .rotation = (u4)order->begin,
            .pe = cut.pe,
            .offset = nowhere ? (nic_offset)0 : cut.offset,
            .word = order->word,
        };
    }
}

/* A word of a page is kept; all are 0 in the wipe. */
static inline void store(struct fma_packet *self, const struct fma_order *order,
                         const struct nic_wipe *wipe)
{
    u64 word = wipe->valid ? (u64)0 : order->word;
    u1 keeps = order->store & !wipe->valid;
    fma_index at = wipe->valid ? (fma_index)wipe->index : order->unit;
    fma_long_word coded = fma_long_encode(word);
    u37 modes = (u37)(((u37)(u13)(word >> MODES_MODE_AT) << 24) | (u24)word);

    if (wipe->valid | (keeps & (order->number == FMA_WORD_MODES))) {
        self->modes[at] = fma_short_encode(modes);
    }
    if (wipe->valid | (keeps & (order->number == FMA_WORD_FLAG))) {
        self->flags[at] = coded;
    }
    if (wipe->valid | (keeps & (order->number == FMA_WORD_FLAG_OFFSET))) {
        self->flag_offsets[at] = fma_short_encode((u40)word);
    }
    if (wipe->valid | (keeps & (order->number == FMA_WORD_EVENT))) {
        self->events[at] = coded;
    }
    if (wipe->valid | (keeps & (order->number == FMA_WORD_OPERANDS))) {
        self->operands_a[at] = coded;
    }
    if (wipe->valid | (keeps & (order->number == FMA_WORD_OPERANDS + 1))) {
        self->operands_b[at] = coded;
    }
}

HLS_MODULE void fma_packet(struct fma_packet *self, const struct fma_packet_in *in)
{
    /* nic_fma: a run is a packet or a word, and no privileged part is written while one is looked at. */
    hls_assume(!in->order.valid || (!in->order.store && !in->place_valid));

    const struct fma_words words = words_of(self);
    struct fma_errors errors = look(self);
    u1 looks = self->request.valid & (self->request.step == 0) & !self->request.mended;
    u1 wait = looks & (errors.single | errors.fatal);

    hls_assume(!wait || !in->order.valid); /* it sees out.mends */
    self->out.mends = wait;
    self->out.corrected = looks & errors.single;
    self->out.fatal = looks & errors.fatal;
    emit(self, &words, wait);
    if (wait) {
        self->mended = mend(&self->codes);
        self->request.mended = 1;
        self->request.lost |= errors.fatal;
    }
    hls_cover(wait);
    hls_cover(in->order.valid && self->out.beat.valid); /* behind the tail of the one before */
    hls_cover(self->out.beat.head && in->place_valid && in->place_unit == self->request.unit);
    hls_cover(self->out.beat.tail && self->request.aborted);
    hls_cover(self->out.beat.tail && self->request.rotation != 0 && self->request.step == 5);
    if (!wait) {
        read_chunk(self, &in->order);
    }
    begin(self, &in->order);
    store(self, &in->order, &in->wipe);
    if (in->place_valid | in->wipe.valid) {
        self->places[in->wipe.valid ? (fma_index)in->wipe.index : in->place_unit] =
            fma_short_encode(in->wipe.valid ? (fma_place)0 : in->place);
    }
    if (in->chunk.valid) {
        self->chunks[in->chunk.place] = in->chunk.data;
    }
}
