// SPDX-License-Identifier: Apache-2.0
/*
 * nic_fma.c - what a processor stores into pages and windows becomes requests.
 *
 *   clock 0   a run is taken: words of its descriptor that decide are read
 *   clock 1   what it asks for, checks; words of a page are written; global offset
 *   clock 2   PE and offset, checks of alignment; the other words are read
 *   clock 3   head beat; then local and data beats
 *
 * Nothing stops a run that was taken: the next one is taken when this one's beats will have gone, two clocks later at
 * the earliest, and none without room in tarb. So what a run writes in clock 1 the next one reads, and the words read in
 * clock 2 stand until its last beat.
 */
#include "nic/nic_fma.h"

#include "nic/ntt.h"

#define REFUSED(e) ((fma_refusal)((fma_refusal)1 << (e)))
#define PE_BITS    18

HLS_RESET void nic_fma_reset(struct nic_fma *self)
{
    self->out = (struct nic_fma_out){};
    self->taken = (struct fma_taken){};
    self->asked = (struct fma_asked){};
    self->request = (struct fma_request){};
    self->wait = 0;
    self->write = (struct nic_write){};
    self->looked = 0;
    self->found = 0;
    self->at = 0;
    self->rotation = 0;
    self->before = 0;
    self->behind = 0;
    self->first = (struct fma_first){};
    self->second = (struct fma_second){};
}

/* ---- clock 3: beats ----------------------------------------------------------------------------- */

static inline u1 has_local(u4 cmd)
{
    return cmd == CMD_GET || cmd == CMD_FAMO;
}

static inline beat_word head_beat(const struct nic_fma *self)
{
    const struct fma_request *r = &self->request;
    const struct fma_second *words = &self->second;
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
    word =
        BEAT_WITH(word, REQ_SSID_AT, 9, (nic_channel)(((nic_channel)CHANNEL_FMA << 7) | r->unit));
    if (translated) {
        word = BEAT_WITH(word, VPE_GRANULARITY_AT, 3, (u3)(words->place >> 39));
        word = BEAT_WITH(word, VPE_INDEX_AT, 13, place.index);
        word = BEAT_WITH(word, VPE_REFUSED_AT, 1, place.refused);
        word = BEAT_WITH(word, VPE_NTT_AT, 1, (u1)1);
    }
    return word;
}

/* Where the data of GET and FAMO shall go. */
static inline beat_word local_beat(const struct nic_fma *self)
{
    const struct fma_request *r = &self->request;
    u1 wide = !(u1)r->x |
              (u1)r->z; /* of 64 bits: all of the first generation, the odd ones of the second */
    u6 bytes = r->cmd == CMD_GET ? (u6)(((u6)r->x << 2) | 3) : (wide ? (u6)7 : (u6)3);
    beat_word word = BEAT_WITH((beat_word)0, LOCAL_OFFSET_AT, 40, (u40)r->word);

    word = BEAT_WITH(word, LOCAL_MDH_AT, 12, (u12)(self->second.modes >> 12));
    word = BEAT_WITH(word, LOCAL_PTAG_AT, 8, (u8)self->second.place);
    word = BEAT_WITH(word, LOCAL_BYTES_AT, 6, bytes);
    return BEAT_WITH(word, LOCAL_FLAGGED_AT, 1, r->flagged);
}

static inline beat_word operands(const struct nic_fma *self)
{
    const struct fma_request *r = &self->request;
    u1 both = amo_is_double((u7)(((u7)(u1)r->x << 6) | r->z));
    u64 second = both ? self->second.operand_b : (u64)0;

    return (beat_word)self->second.operand_a | ((beat_word)second << 64);
}

static inline beat_word close_beat(const struct nic_fma *self, u1 last)
{
    const struct fma_request *r = &self->request;
    u64 flag = (u1)r->x ? self->second.flag : (u64)0;
    u64 event = (u1)(r->x >> 1) ? self->second.event : (u64)0;
    beat_word one = 0, two = 0;

    one = BEAT_WITH(one, CLOSE_EVENT_AT, 64, event);
    one = BEAT_WITH(one, CLOSE_FLAG_LO_AT, 32, (u32)flag);
    two = BEAT_WITH(two, CLOSE_FLAG_HI_AT, 32, (u32)(flag >> 32));
    two = BEAT_WITH(two, CLOSE_WANTS_AT, 4, (u4)(r->word >> 56));
    two = BEAT_WITH(two, CLOSE_QUEUE_AT, 10, (u10)(self->second.modes >> 27));
    two = BEAT_WITH(two, CLOSE_ABORTED_AT, 1, r->aborted);
    two = BEAT_WITH(two, CLOSE_SOURCE_AT, 64, (u64)(u56)r->word);
    return last ? two : one;
}

/* 16 bytes of payload: each byte from the chunk before or the one behind it; a message begins with its event. */
static inline beat_word payload(const struct nic_fma *self, u1 last)
{
    const struct fma_request *r = &self->request;
    u1 event = r->cmd == CMD_PUT_MSG && r->step == 1;
    beat_data data = 0;

    for (int i = 0; i < BEAT_BYTES; i++) {
        u8 byte =
            r->rotation <= 15 - i ? (u8)(self->before >> (8 * i)) : (u8)(self->behind >> (8 * i));

        if (i < 8 && event) {
            byte = (u8)(self->second.event >> (8 * (i & 7)));
        }
        data |= last && r->ends < i ? (beat_data)0 : (beat_data)byte << (8 * i);
    }
    return data;
}

static inline void emit(struct nic_fma *self)
{
    struct fma_request *r = &self->request;
    u1 last = r->step == r->beats - 1;
    beat_word word = payload(self, last);

    if (r->step == 0) {
        word = head_beat(self);
    } else if (has_local(r->cmd)) {
        word = r->step == 1 ? local_beat(self) : operands(self);
    } else if (r->cmd == CMD_CLOSE) {
        word = close_beat(self, last);
    }
    self->out.beat = (struct beat){
        .valid = r->valid,
        .head = r->step == 0,
        .tail = last,
        .word = word,
    };
    self->out.count |= (uint(FMA_COUNTS))((uint(FMA_COUNTS))(r->valid & r->aborted & (r->step == 0))
                                          << FMA_COUNT_ABORTED);
    r->step++;
    r->valid = r->valid & !last;
}

/* The next chunk, its bytes rotated so that payload begins at byte 0. */
static inline void read_chunk(struct nic_fma *self)
{
    beat_data data = self->chunks[self->at];

    for (int i = 0; i < 4; i++) {
        if ((u1)(self->rotation >> i)) {
            data = (beat_data)((data >> (8 << i)) | (data << (128 - (8 << i))));
        }
    }
    self->before = self->behind;
    self->behind = data;
    self->at = (pio_place)((self->at & ~(pio_place)3) | (u2)(self->at + 1));
}

/* ---- clock 2: PE and offset --------------------------------------------------------------------- */

/* Where in a global offset the PE begins, by PE mask mode. */
static const u6 pe_begin[8] = {40, 35, 21, 12, 10, 9, 8, 6};

struct fma_cut {
    nic_node pe;
    nic_offset offset;
};

static inline struct fma_cut cut_global(fma_global global, u3 mode)
{
    struct fma_cut cut = {};
    u6 begin = pe_begin[mode];
    nic_offset low = (nic_offset)(((fma_global)1 << begin) - 1);

    for (int i = 0; i < 8; i++) {
        if (mode == i) {
            cut.pe = (nic_node)(global >> pe_begin[i]);
        }
    }
    cut.offset = ((nic_offset)global & low) | ((nic_offset)(global >> PE_BITS) & ~low);
    return cut;
}

/* Everything that speaks against what was asked. */
static inline fma_refusal refusals(const struct fma_asked *a)
{
    u1 crooked = ((u3)a->global & a->align) != 0 || (a->local && (u2)a->word != 0);
    fma_refusal all = a->refused;

    if (crooked && (a->refused & REFUSED(FMA_DISABLED)) == 0) {
        all |= REFUSED(FMA_BAD_ALIGNMENT);
    }
    return all;
}

static inline void locate(struct nic_fma *self, fma_refusal refused)
{
    const struct fma_asked *a = &self->asked;
    struct fma_cut cut = cut_global(a->global, a->pe);
    u1 nowhere = a->cmd == CMD_OPEN || a->cmd == CMD_CLOSE || a->cmd == CMD_CQWRITE;

    if (a->valid) {
        self->second.modes = self->second_modes[a->unit];
        self->second.place = self->places[a->unit];
        self->second.flag = self->flags[a->unit];
        self->second.flag_offset = self->flag_offsets[a->unit];
        self->second.event = self->events[a->unit];
        self->second.operand_a = self->operands_a[a->unit];
        self->second.operand_b = self->operands_b[a->unit];
    }
    if (a->valid && a->wanted && refused == 0) {
        hls_assert(!self->request.valid);
        self->request = (struct fma_request){
            .valid = 1,
            .unit = a->unit,
            .cmd = a->cmd,
            .x = a->x,
            .z = a->z,
            .aborted = a->aborted,
            .flagged = a->flagged,
            .beats = a->beats,
            .ends = a->ends,
            .rotation = (u4)a->begin,
            .pe = cut.pe,
            .offset = nowhere ? (nic_offset)0 : cut.offset,
            .word = a->word,
        };
    }
}

/* ---- clock 1: what is asked for ----------------------------------------------------------------- */

/* An atomic operation that exists; CSWAP of the first generation fetches. */
static inline u1 is_amo(u7 opcode, u1 fetch)
{
    u1 second = (u1)(opcode >> 6);
    u4 base = (u4)(opcode >> 1);
    u1 whole = (u1)(base >> 3) ? (u2)base != 3 && (u3)base != 7 && (u3)base != 3 : (u3)base <= 5;
    u1 first = (opcode & 0x68) == 0x08 && (u3)opcode <= (fetch ? 5 : 4);

    return second ? whole : first;
}

/* What kind of write it is; one at most is 1. */
struct fma_kind {
    u1 put;
    u1 get;
    u1 launch; /* besides one of these */
    u1 open;
    u1 close;
    u1 cqwrite;
    u1 store; /* of a word that is kept */
    u1 status;
    u1 unknown; /* no such word */
    u1 part;    /* of a word */
};

static inline struct fma_kind kind_of(const struct fma_taken *t)
{
    u1 page = t->region == REGION_PAGE && !t->abort;
    u9 number = (u9)(t->offset >> 3);
    u1 whole = (u3)t->offset == 0 && t->bytes == 7;
    u1 launch_word = number >> 1 == FMA_WORD_LAUNCH >> 1;
    u1 launch = page && number == FMA_WORD_LAUNCH && (u3)t->offset == 0 && t->bytes == 15;
    u1 launch_get = (u1)(t->chunk >> LAUNCH_GET_AT);
    u1 kept = number <= FMA_WORD_OPERANDS + 1 && number != 2;
    u1 known = kept || launch_word || number == FMA_WORD_OPEN || number == FMA_WORD_CQWRITE ||
               number == FMA_WORD_CLOSE || number == FMA_WORD_STATUS;
    u1 word = page && whole;

    return (struct fma_kind){
        .put = (t->region == REGION_PUT && !t->abort) || (launch && !launch_get),
        .get = (t->region == REGION_GET && !t->abort) || (launch && launch_get),
        .launch = launch,
        .open = word && number == FMA_WORD_OPEN,
        .close = t->abort || (word && number == FMA_WORD_CLOSE),
        .cqwrite = word && number == FMA_WORD_CQWRITE,
        .store = word && kept,
        .status = word && number == FMA_WORD_STATUS,
        .unknown = page && !known,
        .part = (page && !launch && (!whole || launch_word)) || (t->region == REGION_GET && !whole),
    };
}

static inline fma_refusal checks(const struct fma_taken *t, const struct fma_kind *kind,
                                 const struct fma_first *first, u64 word)
{
    u7 command = (u7)(first->modes >> 3);
    u7 opcode = kind->get ? (u7)(word >> CONTROL_OPCODE_AT) : command;
    u1 flagged = (u1)(first->modes >> 10) | (u1)(word >> CONTROL_FLAGGED_AT);
    u1 plain = opcode == 0;
    u1 message = kind->put && command == 1;
    u1 atomic = (kind->put && command > 1) || (kind->get && !plain);
    u1 two = amo_is_double(opcode);
    u1 needs_open = kind->put || kind->get || kind->close || kind->cqwrite;
    u1 no_id = kind->open && t->flight >= first->limit;
    u1 not_open = (needs_open && !t->open) || (kind->open && t->open);
    u1 bad_command = kind->unknown || (atomic && !is_amo(opcode, kind->get)) ||
                     (atomic && kind->put && kind->launch && two) ||
                     (message && (kind->launch || t->bytes > 55)) ||
                     (kind->get && plain && flagged && (u4)(word >> CONTROL_WORDS_AT) == 15);
    u1 bad_alignment =
        kind->part || (atomic && kind->put && !kind->launch && t->bytes != (two ? (u6)15 : (u6)7));
    fma_refusal all = 0;

    all |= no_id ? REFUSED(FMA_NO_ID) : (fma_refusal)0;
    all |= not_open ? REFUSED(FMA_NOT_OPEN) : (fma_refusal)0;
    all |= bad_command ? REFUSED(FMA_BAD_COMMAND) : (fma_refusal)0;
    all |= bad_alignment ? REFUSED(FMA_BAD_ALIGNMENT) : (fma_refusal)0;
    return t->abort ? (fma_refusal)0 : (t->enabled ? all : REFUSED(FMA_DISABLED));
}

static inline u4 command_of(const struct fma_kind *kind, u7 opcode)
{
    u4 put = opcode == 0 ? (u4)CMD_PUT : (opcode == 1 ? (u4)CMD_PUT_MSG : (u4)CMD_AMO);
    u4 get = opcode == 0 ? (u4)CMD_GET : (u4)CMD_FAMO;
    u4 control = kind->open ? (u4)CMD_OPEN : (kind->close ? (u4)CMD_CLOSE : (u4)CMD_CQWRITE);

    return kind->put ? put : (kind->get ? get : control);
}

/* What a packet says in x and z. */
static inline void describe(struct fma_asked *a, u7 opcode, u6 bytes)
{
    switch (a->cmd) {
    case CMD_GET:
        a->x = (u4)(a->word >> CONTROL_WORDS_AT);
        break;
    case CMD_AMO:
    case CMD_FAMO:
        a->x = (u1)(opcode >> 6);
        a->z = (u6)opcode;
        break;
    case CMD_OPEN:
        a->x = (u1)a->word;
        break;
    case CMD_CLOSE:
        a->x = (u4)(((u4)(u1)(a->word >> 58) << 1) | (u1)(a->word >> 59));
        a->z = 19;
        break;
    default:
        a->z = bytes;
        break;
    }
}

/* Beats of the packet. */
static inline u3 beats_of(u4 cmd, u7 bytes)
{
    u3 beats = (u3)((bytes >> 4) + 2);

    switch (cmd) {
    case CMD_OPEN:
        beats = 1;
        break;
    case CMD_GET:
        beats = 2;
        break;
    case CMD_FAMO:
    case CMD_CLOSE:
        beats = 3;
        break;
    default:
        break;
    }
    return beats;
}

static inline struct fma_asked ask(const struct fma_taken *t, const struct fma_kind *kind,
                                   const struct fma_first *first)
{
    u1 upper = (u1)(t->offset >> 3) | kind->launch;
    u64 word = upper ? (u64)(t->chunk >> 64) : (u64)t->chunk;
    u7 opcode = kind->get ? (u7)(word >> CONTROL_OPCODE_AT) : (u7)(first->modes >> 3);
    u1 brief = (u1)(first->modes >> 11) && opcode == 0;
    u6 bytes = kind->launch ? (brief ? (u6)3 : (u6)7) : t->bytes;
    u1 message = kind->put && opcode == 1;
    u7 payload = (u7)((u7)bytes + ((u7)message << 3));
    u6 begin = (u6)((((u6)t->offset) | ((u6)kind->launch << 3)) - ((u6)message << 3));
    fma_global from = kind->launch ? (fma_global)t->chunk : first->base;
    fma_global by =
        t->region == REGION_PUT ? (fma_global)t->offset : (fma_global)(fma_offset)(t->offset >> 1);
    u1 window = (u1)(t->region >> 1) && !t->abort;
    struct fma_asked a = {
        .valid = t->valid,
        .wanted = kind->put | kind->get | kind->open | kind->close | kind->cqwrite,
        .clear = kind->status,
        .unit = t->unit,
        .cmd = command_of(kind, opcode),
        .aborted = t->abort,
        .flagged = (u1)(first->modes >> 10) | (u1)(word >> CONTROL_FLAGGED_AT),
        .ends = (u4)payload,
        .begin = begin,
        .pe = (u3)first->modes,
        .global = (fma_global)(from + (window ? by : (fma_global)0)),
        .word = t->abort ? (u64)WANT_GLOBAL << 56 : word,
        .refused = checks(t, kind, first, word),
        .local = kind->get,
    };
    u1 wide = !(u1)(opcode >> 6) | (u1)opcode;

    a.align = kind->get ? (u3)3 : (a.cmd == CMD_AMO ? (wide ? (u3)7 : (u3)3) : (u3)0);
    a.beats = beats_of(a.cmd, payload);
    describe(&a, opcode, bytes);
    return a;
}

/* A word of a page is kept. */
static inline void store(struct nic_fma *self, fma_index unit, u9 number, u64 word)
{
    switch (number) {
    case FMA_WORD_BASE:
        self->bases[unit] = (fma_global)word;
        break;
    case FMA_WORD_MODES:
        self->first_modes[unit] =
            (u12)(((u12)(u9)(word >> MODES_COMMAND_AT) << 3) | (u3)(word >> MODES_PE_AT));
        self->second_modes[unit] = (u37)(((u37)(u13)(word >> MODES_MODE_AT) << 24) | (u24)word);
        break;
    case FMA_WORD_FLAG:
        self->flags[unit] = word;
        break;
    case FMA_WORD_FLAG_OFFSET:
        self->flag_offsets[unit] = (u40)word;
        break;
    case FMA_WORD_EVENT:
        self->events[unit] = word;
        break;
    case FMA_WORD_OPERANDS:
        self->operands_a[unit] = word;
        break;
    default:
        self->operands_b[unit] = word;
        break;
    }
}

/* ---- clock 0: what is taken --------------------------------------------------------------------- */

/* What happens in this clock, and the descriptor whose state is looked at. */
struct fma_turn {
    fma_index look;
    u1 write; /* the privileged part that waits is written */
    u1 scan;  /* nothing is asked: is there a transaction to abort? */
    u1 abort; /* yes, and now */
    u1 run;   /* in.run is taken */
};

/* The state of that descriptor. */
struct fma_state {
    u1 enabled;
    u1 doomed; /* what it has open is to be aborted */
    u1 open;
    u9 opened;
    u9 flight;
};

static inline struct fma_turn choose(const struct nic_fma *self, const struct nic_fma_in *in)
{
    u1 here = in->run.valid & !self->out.answer.valid;
    struct fma_turn turn = {
        .write = self->write.valid && !self->taken.valid && !self->asked.valid,
        .scan = self->found || self->taken.valid || !here,
    };

    turn.look = self->write.valid ? (fma_index)(self->write.addr >> 2)
                                  : (turn.scan ? self->looked : in->run.unit);
    return turn;
}

static inline void decide(struct nic_fma *self, const struct nic_fma_in *in, struct fma_turn *turn,
                          const struct fma_state *state)
{
    u1 free = !self->taken.valid && self->wait == 0 && !self->write.valid && !in->wipe.valid;
    u1 still = state->doomed & state->enabled; /* until what it had open is closed */
    u1 quiet = !self->asked.valid;             /* STATUS shows all that went before */

    turn->abort = free && self->found && in->room;
    turn->run = free && !turn->scan && !still && (in->run.read ? quiet : in->room);
}

static inline void take(struct nic_fma *self, const struct nic_fma_in *in,
                        const struct fma_turn *turn, const struct fma_state *state, u64 status)
{
    const struct pio_run *run = &in->run;
    u1 shows = run->read && state->enabled && (u9)(run->offset >> 3) == FMA_WORD_STATUS;
    beat_data chunk =
        self->chunks[(pio_place)(((pio_place)run->line << 2) | (u2)(run->offset >> 4))];

    self->taken.valid = turn->abort | (turn->run && !run->read);
    self->taken.abort = turn->abort;
    self->taken.region = run->region;
    self->taken.unit = turn->look;
    self->taken.offset = run->offset;
    self->taken.bytes = run->bytes;
    self->taken.enabled = state->enabled;
    self->taken.open = state->open;
    self->taken.opened = state->opened;
    self->taken.flight = state->flight;
    self->taken.chunk = chunk;
    self->taken.line = run->line;
    if (turn->abort | turn->run) {
        self->first.base = self->bases[turn->look];
        self->first.modes = self->first_modes[turn->look];
        self->first.limit = self->limits[turn->look];
    }
    self->out.answer = (struct page_reply){
        .valid = turn->run,
        .refused = !state->enabled,
        .data = shows ? status : (u64)0,
    };
    if (turn->scan && !self->write.valid) {
        self->looked += turn->abort | !(self->found | state->doomed);
        self->found = (self->found | state->doomed) & !turn->abort;
    }
}

/* A privileged part is written two clocks later at the latest; switched off, a descriptor keeps the rest of its own. */
static inline void write_part(struct nic_fma *self, const struct fma_turn *turn)
{
    u64 data = self->write.data;
    fma_index unit = turn->look;

    if (turn->write && (u1)(data >> NR_FMA_ENABLE_AT)) {
        self->limits[unit] = (u9)(data >> NR_FMA_LIMIT_AT);
        self->places[unit] = (u43)(((u43)(u1)(data >> NR_FMA_NTT_AT) << 42) | (u42)data);
    }
    self->write.valid &= !turn->write;
}

/* ---- together ------------------------------------------------------------------------------------ */

HLS_MODULE void nic_fma(struct nic_fma *self, const struct nic_fma_in *in)
{
    struct fma_turn turn = choose(self, in);
    fma_index wiped = (fma_index)in->wipe.index;
    fma_index noted = (fma_index)in->note.channel;
    u1 note = in->note.valid && in->note.channel >> 7 == CHANNEL_FMA;
    const struct fma_taken taken = self->taken;
    const struct fma_first first = self->first;
    struct fma_kind kind = kind_of(&taken);
    struct fma_asked next = ask(&taken, &kind, &first);
    u1 done = taken.valid && next.refused == 0;
    fma_refusal refused = refusals(&self->asked);

    /* State, all reads before all writes. */
    fma_index side = self->asked.valid ? self->asked.unit : turn.look;
    u2 gate = self->gates[turn.look];
    u9 over = self->freed[turn.look], noted_over = self->freed[noted];
    u21 fault = self->faults[side];
    u1 mark = self->failed[side], noted_seen = self->seen[noted], noted_mark = self->failed[noted];
    u1 unseen = mark ^ self->seen[side];
    struct fma_state state = {
        .enabled = (u1)gate,
        .doomed = (u1)(gate >> 1),
        .open = self->opens[turn.look],
        .opened = self->opened[turn.look],
    };

    state.flight = (u9)(state.opened - over);
    decide(self, in, &turn, &state);

    u64 status = (u64)(((u64)(u16)(fault >> FMA_REFUSALS) << STATUS_DROPPED_AT) |
                       ((u64)unseen << (STATUS_ERRORS_AT + FMA_FAILED)) |
                       ((u64)(fma_refusal)fault << STATUS_ERRORS_AT) |
                       ((u64)state.open << STATUS_OPEN_AT) | state.flight);

    self->out.count = 0;
    emit(self);
    read_chunk(self);
    locate(self, refused);

    /* State is written: by ssid's notes, by what was asked, by the driver. */
    u1 clears = self->asked.valid & self->asked.clear & (refused == 0);
    u1 fails = self->asked.valid & (refused != 0);
    u1 flips = clears && self->asked.unit == noted;
    u1 opens = done & (kind.open | kind.close);

    if (fails) {
        self->out.count |= (uint(FMA_COUNTS))refused;
    }
    if (in->wipe.valid | clears | fails) {
        fma_refusal all = (fma_refusal)fault | refused;
        u16 dropped = (u16)((u16)(fault >> FMA_REFUSALS) + 1);

        self->faults[in->wipe.valid ? wiped : side] =
            fails ? (u21)(((u21)dropped << FMA_REFUSALS) | all) : (u21)0;
    }
    if (in->wipe.valid | clears) {
        self->seen[in->wipe.valid ? wiped : side] = mark & clears;
    }
    if (in->wipe.valid | (note & in->note.failed)) {
        self->failed[in->wipe.valid ? wiped : noted] =
            (flips ? !noted_mark : !noted_seen) & !in->wipe.valid;
    }
    if (in->wipe.valid | note) {
        self->freed[in->wipe.valid ? wiped : noted] = in->wipe.valid ? (u9)0 : (u9)(noted_over + 1);
    }
    if (in->wipe.valid | opens) {
        self->opens[in->wipe.valid ? wiped : taken.unit] = kind.open & !in->wipe.valid;
    }
    if (in->wipe.valid | (done & kind.open)) {
        self->opened[in->wipe.valid ? wiped : taken.unit] =
            in->wipe.valid ? (u9)0 : (u9)(taken.opened + 1);
    }
    if (in->wipe.valid | turn.write | turn.abort) {
        u1 doomed = turn.write & (state.doomed | state.open);
        u1 enabled = turn.write ? (u1)(self->write.data >> NR_FMA_ENABLE_AT) : state.enabled;

        self->gates[in->wipe.valid ? wiped : turn.look] =
            in->wipe.valid ? (u2)0 : (u2)(((u2)doomed << 1) | enabled);
    }

    take(self, in, &turn, &state, status);
    self->asked = next;
    if (taken.valid) {
        self->wait = next.wanted && next.beats > 2 ? (u3)(next.beats - 2) : (u3)0;
        self->at = (pio_place)(((pio_place)taken.line << 2) | (u2)(next.begin >> 4));
        self->rotation = (u4)next.begin;
    } else {
        self->wait -= self->wait != 0;
    }
    if (done & kind.store) {
        store(self, taken.unit, (u9)(taken.offset >> 3), next.word);
    }
    write_part(self, &turn);
    if (in->write.valid && in->write.addr >> (NIC_FMA_LOG2 + 2) == NR_FMA >> (NIC_FMA_LOG2 + 2)) {
        self->write = in->write;
    }
    if (in->chunk.valid) {
        self->chunks[in->chunk.place] = in->chunk.data;
    }
}
