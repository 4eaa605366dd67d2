// SPDX-License-Identifier: Apache-2.0
/*
 * amo.c - atomic operations.
 *
 *   clocks 0, 1  head and operands out of the queue
 *   clock 2      its variable is looked for among those of a set: it is here, or a place for it is, and it is fetched
 *   clock 3      the variable is read, changed and written back; the write to memory and the answer leave
 *
 * So one variable is changed every second clock. Sums of floating point take five clocks more, in which others go on. A
 * variable that comes from memory is changed when it is there; what came first is done first, hits wait.
 *
 * Operations begin in order. One that needs a variable of which another is in progress, or no longer kept, waits, and all behind it; one in
 * an ordered mode begins when all puts and gets that were accepted before it are answered (order.h), and is written behind all operations before it. Each
 * change is written to memory; no variable is given up before its last write is done, so what is fetched is never old. One that leaves
 * is still worked on for AMO_HOT_LOG2 clocks or more after it was fetched: so many nodes at one variable do not wait for memory each time.
 * Memory does the writes in order, so answers are a FIFO; each is given when its write is done.
 */
#include "nic/amo/amo.h"

#include "nic/amo/amo_alu.h"
#include "nic/amo/amo_look.h"

#define ANSWERS_AHEAD                                                                              \
    8 /* answers that may still come: of the sums under way, and of those that began just before */

HLS_RESET void amo_reset(struct amo *self)
{
    self->out = (struct amo_out){};
    amo_queue_reset(&self->queue);
    amo_lines_reset(&self->lines);
    amo_retire_reset(&self->retire);
    amo_fp_reset(&self->fp);
    self->has_head = 0;
    self->head = 0;
    self->looks = 0;
    self->op = (struct amo_op){};
    self->turn = 0;
    self->fetching = 0;
    self->busy = 0;
    self->kept = 0;
    self->leaving = 0;
    self->cached = 0;
    self->writing = 0;
    self->wide = 0;
    self->ordered = 0;
    self->hot = 0;
    self->fresh = 0;
    self->hot_clocks = 0;
    self->fetch_read = 0;
    self->fetch_write = 0;
    self->value_read = 0;
    self->value_write = 0;
    self->values = 0;
    self->run = (struct amo_run){};
    for (int i = 0; i < SUM_CLOCKS; i++) {
        self->adding[i] = (struct amo_run){};
    }
    self->add = (struct amo_fp_in){};
    self->answer_read = 0;
    self->answer_write = 0;
    self->answers = 0;
    self->staged = 0;
    self->answer_code = 0;
    self->ready = 0;
    self->status_read = 0;
    self->status_write = 0;
    self->statuses_count = 0;
    self->written = 0;
    self->done = 0;
}

/* ---- clocks 0, 1: an operation comes ------------------------------------------------------------ */

static inline struct amo_op op_of(beat_word head, const struct beat *operands)
{
    return (struct amo_op){
        .addr = (u48)(head >> MEM_ADDR_AT),
        .space = BEAT_FIELD(head, MEM_SPACE_AT, 5),
        .whom = BEAT_FIELD(head, MEM_WHOM_AT, 33),
        .counted = BEAT_FIELD(head, MEM_COUNTED_AT, 1),
        .of = BEAT_FIELD(head, MEM_PLACE_AT, 11),
        .opcode = BEAT_FIELD(head, MEM_OPCODE_AT, 7),
        .fetch = BEAT_FIELD(head, MEM_FETCH_AT, 1),
        .order = BEAT_FIELD(head, MEM_ORDER_AT, 1),
        .bad = operands->bad,
        .a = (u64)operands->word,
        .b = (u64)(operands->word >> 64),
    };
}

/* What waits in the queue knows what came before it; gone: the one that looked. */
static inline void step_lines(struct amo *self, const struct amo_in *in, u1 gone)
{
    const struct order_counts *n = &in->counts;
    struct amo_lines_in lines = {
        .push = in->request.valid && in->request.head,
        .waits = BEAT_FIELD(in->request.word, MEM_ORDER_AT, 1),
        .pop = gone,
        .accepted = {n->accepted[ORDER_PUTS], n->accepted[ORDER_QUEUED], n->accepted[ORDER_READS]},
        .answered = {n->answered[ORDER_PUTS], n->answered[ORDER_QUEUED], n->answered[ORDER_READS]},
    };

    self->out.few = self->lines.out.count <= AMO_WAITING;
    amo_lines(&self->lines, &lines);
}

/* free: what looked goes on in this clock, or nothing did. A head with a double-bit error comes to look, too.
 * Says whether one comes. */
static inline u1 take(struct amo *self, const struct amo_in *in, u1 free)
{
    struct beat front = self->queue.out.front;
    u1 ends = front.valid && front.tail && free && self->retire.out.room;
    u1 begins = front.valid && !front.tail;
    struct amo_queue_in to = {.push = in->request, .pop = begins | ends};

    if (free) {
        self->looks = ends;
        self->op = op_of(self->head, &front);
        self->op.lost = !self->has_head;
        self->op.number = self->retire.out.number;
    }
    if (begins) {
        self->head = front.word;
    }
    self->has_head = begins ? !front.bad : self->has_head && !ends;
    self->out.count |= (amo_counts)((amo_counts)self->queue.out.corrected << AMO_CORRECTED);
    self->out.count |= (amo_counts)((amo_counts)(u1)(begins & front.bad) << AMO_LOST);
    amo_queue(&self->queue, &to);
    self->out.room = self->queue.out.room;
    return ends;
}

/* ---- clock 2: its variable ------------------------------------------------------------------------ */

static inline amo_op_word pack_op(const struct amo_op *op)
{
    return (amo_op_word)op->addr | ((amo_op_word)op->whom << 48) |
           ((amo_op_word)op->counted << 81) | ((amo_op_word)op->opcode << 82) |
           ((amo_op_word)op->fetch << 89) | ((amo_op_word)op->bad << 90) |
           ((amo_op_word)op->a << 91) | ((amo_op_word)op->b << 155) |
           ((amo_op_word)op->space << 219) | ((amo_op_word)op->of << 224) |
           ((amo_op_word)op->number << 235);
}

static inline struct amo_op unpack_op(amo_op_word word)
{
    return (struct amo_op){
        .addr = (u48)word,
        .whom = (u33)(word >> 48),
        .counted = (u1)(word >> 81),
        .opcode = (u7)(word >> 82),
        .fetch = (u1)(word >> 89),
        .bad = (u1)(word >> 90),
        .a = (u64)(word >> 91),
        .b = (u64)(word >> 155),
        .space = (mem_space)(word >> 219),
        .of = (u11)(word >> 224),
        .number = (amo_place)(word >> 235),
    };
}

/* It has its entry: it is kept there, and its tag, if it is another variable's than before. */
static inline void enter(struct amo *self, amo_tags tags, const struct amo_look *found)
{
    amo_way way = (amo_way)found->entry;
    amo_entries bit = bit_of(found->entry);
    amo_tags new_tags = 0;
    u1 keeps = amo_code_of(self->op.opcode).cached;
    amo_entries fetched = found->fetches ? bit : (amo_entries)0;

    for (int w = 0; w < AMO_WAYS; w++) {
        amo_tag old = (amo_tag)(tags >> (w * AMO_TAG_BITS));
        u1 changes = way == w && !found->hits;

        new_tags |= (amo_tags)((amo_tags)(changes ? tag_of(&self->op) : old) << (w * AMO_TAG_BITS));
    }
    self->tags[set_of(&self->op)] = new_tags;
    self->ops[found->entry] = pack_op(&self->op);
    self->kept &= ~bit;
    self->leaving &= ~bit;
    self->fetching |= fetched;
    self->hot |= fetched;
    self->fresh |= fetched;
    self->wide =
        found->fetches && !amo_is_wide(self->op.opcode) ? self->wide & ~bit : self->wide | fetched;
    self->busy |= found->fetches ? (amo_entries)0 : bit;
    self->cached = keeps ? self->cached | bit : self->cached & ~bit;
    self->ordered = self->op.order ? self->ordered | bit : self->ordered & ~bit;
    self->turn += (amo_way)(!found->hits);
}

static inline void begin(struct amo *self, amo_tags tags, const struct amo_look *found)
{
    const struct amo_op *op = &self->op;
    u1 runs = found->hits | found->fails;

    self->kept &= ~found->forgets;
    if (runs | found->fetches) {
        enter(self, tags, found);
    }
    if (runs) {
        self->run = (struct amo_run){.valid = 1, .entry = found->entry};
    }
    if (found->fetches) {
        self->out.fetch = (struct mem_fetch){.valid = 1,
                                             .space = op->space,
                                             .bytes = amo_is_wide(op->opcode) ? (u6)7 : (u6)3,
                                             .addr = op->addr};
        self->fetches[self->fetch_write] = found->entry;
        self->fetch_write++;
    }
}

/* Time is over for entries that were hot when it was over before. */
static inline void cool(struct amo *self)
{
    u1 over = self->hot_clocks == 0;

    self->hot &= over ? self->fresh : (amo_entries) ~(amo_entries)0;
    self->fresh = over ? (amo_entries)0 : self->fresh;
    self->hot_clocks++;
}

/* ---- memory answers -------------------------------------------------------------------------------- */

/* What comes of a variable: its status alone, or its bytes; taken: the oldest is used. */
static inline void collect(struct amo *self, const struct beat *reply, u1 taken)
{
    u2 status = BEAT_FIELD(reply->word, MEM_STATUS_AT, 2);
    u2 how = reply->head ? status : reply->bad ? (u2)MEM_WRONG_BITS : (u2)MEM_DONE;
    u1 comes = reply->valid && reply->tail;
    u5 left = (u5)(self->values - taken);
    amo_entry asked = (amo_entry)(self->fetch_write - self->fetch_read); /* 0: all, too */

    hls_assume(!comes || self->values != AMO_VALUES); /* axi_master looks at room_reply */
    hls_assume(!comes || (amo_entry)left != asked || (left == 0 && self->fetching != 0));
    if (comes) {
        self->came[self->value_write] = (amo_came)(((amo_came)how << 64) | (u64)reply->word);
        self->value_write++;
    }
    self->value_read += taken;
    self->values = (u5)(left + comes);
    self->out.room_reply = self->values <= AMO_VALUES / 2;
}

/* A write is done: of an entry whose last one it was none is under way; one that failed leaves nothing to keep. */
static inline void count_done(struct amo *self, const struct mem_done *done, u1 forget)
{
    amo_entry entry = (amo_entry)done->place;
    u1 ours = done->valid && done->client == MEM_AMO;
    u1 is_last = ours && self->last[entry] == self->done;
    u1 failed = ours && done->status != MEM_DONE;
    amo_entries bit = bit_of(entry);
    amo_entries lost = failed ? bit : (amo_entries)0;
    amo_entries gone = forget ? (amo_entries) ~(amo_entries)0 : lost;

    hls_assume(!ours || (u1)(self->writing >> entry)); /* each was sent */
    self->writing &= is_last ? (amo_entries)~bit : (amo_entries) ~(amo_entries)0;
    self->leaving = (amo_entries)((self->leaving | (self->kept & gone)) & self->writing);
    self->kept &= ~gone;
    self->cached &= ~gone; /* what is under way is not kept either */
    self->hot &= ~gone;
    self->done += ours;
}

/* ---- clock 3: it is done ---------------------------------------------------------------------------- */

/* Whose turn it is: a sum that comes out, else a variable that came, else a hit. */
struct amo_turn {
    u1 sum;
    u1 came;
    u1 hit;
};

static inline struct amo_turn turn_of(const struct amo *self, amo_entry fetched, u1 room_word)
{
    u1 sum = self->adding[SUM_CLOCKS - 1].valid;
    u1 free = !sum && room_word && self->answers <= AMO_FLYING - ANSWERS_AHEAD;
    u1 sums = 0;

    for (int i = 0; i < SUM_CLOCKS; i++) {
        sums |= self->adding[i].valid;
    }
    u1 overtakes = sums && (u1)(self->ordered >> fetched); /* a sum that was fetched before it */

    u1 arrived = self->values != 0 && !overtakes;
    u1 kept = self->values == 0 && self->run.valid;

    return (struct amo_turn){
        .sum = sum,
        .came = free && arrived,
        .hit = free && kept,
    };
}

static inline amo_answer_code encode_answer(const struct amo_op *op, nic_status_field status,
                                            u64 old)
{
    answer_ecc_data low =
        (answer_ecc_data)(((answer_ecc_data)(u18)old << 40) |
                          ((answer_ecc_data)amo_is_wide(op->opcode) << 39) |
                          ((answer_ecc_data)op->fetch << 38) | ((answer_ecc_data)status << 34) |
                          ((answer_ecc_data)op->counted << 33) | op->whom);
    answer_ecc_data high =
        (answer_ecc_data)(((answer_ecc_data)op->of << 46) | (answer_ecc_data)(u46)(old >> 18));

    return (amo_answer_code)answer_ecc_encode(low) |
           ((amo_answer_code)answer_ecc_encode(high) << AMO_ANSWER_BITS);
}

/* An answer; of what was not done it waits for no write. */
struct amo_end {
    u1 valid;
    u1 ready;
    amo_operation number;
    amo_answer_code code;
};

/* The entry's variable has a new value, which goes to memory. */
static inline void change(struct amo *self, amo_entry entry, const struct amo_op *op, u64 value)
{
    amo_entries bit = bit_of(entry);
    u1 keeps = (u1)(self->cached >> entry);

    self->kept |= keeps ? bit : (amo_entries)0;
    self->leaving |= keeps ? (amo_entries)0 : bit;
    self->writing |= bit;
    self->last[entry] = self->written;
    self->numbers[(amo_place)self->written] = op->number;
    self->written++;
    self->out.word = (struct mem_word){
        .valid = 1,
        .wide = amo_is_wide(op->opcode),
        .place = entry,
        .space = op->space,
        .addr = op->addr,
        .data = value,
    };
}

/* The four bytes of eight that an operation is for, and the eight with their new value. */
static inline u64 part_of(u64 eight, u1 upper)
{
    return upper ? (u64)(eight >> 32) : (u64)(u32)eight;
}

static inline u64 with_part(u64 eight, u1 upper, u32 part)
{
    return upper ? (u64)(((u64)part << 32) | (u32)eight)
                 : (u64)(((u64)(u32)(eight >> 32) << 32) | part);
}

/* One operation in a clock, and its answer if it is done. */
static inline struct amo_end step(struct amo *self, struct amo_turn turn, amo_entry fetched,
                                  u2 rounding)
{
    amo_came value = self->came[self->value_read];
    amo_entry entry = turn.sum    ? self->adding[SUM_CLOCKS - 1].entry
                      : turn.came ? fetched
                                  : self->run.entry;
    u1 goes = turn.sum | turn.came | turn.hit;
    u64 here = self->variables[entry];
    u64 all = turn.came ? (u64)value : here;
    struct amo_op op = unpack_op(self->ops[entry]);
    struct amo_code code = amo_code_of(op.opcode);
    nic_status_field read = turn.came ? status_of_memory((u2)(value >> 64)) : (u4)STATUS_OK;
    nic_status_field status = op.bad ? (u4)STATUS_DATA : read;
    u1 is_part = (u1)(self->wide >> entry) && !code.wide;
    u1 upper = (u1)(op.addr >> 2);
    u64 old = is_part ? part_of(all, upper) : all;
    u1 adds = code.base == AMO_FPADD && !turn.sum && status == STATUS_OK;
    u1 ends = goes && !adds;
    u64 next = turn.sum ? self->fp.out.sum : amo_alu(code, old, op.a, op.b);
    u64 new_all = is_part ? with_part(all, upper, (u32)next) : next;
    amo_entries bit = goes ? bit_of(entry) : (amo_entries)0;

    self->add = (struct amo_fp_in){
        .valid = goes && adds, .wide = code.wide, .rounding = rounding, .m = old, .a = op.a};
    self->fetching &= ~bit;
    self->busy = adds ? self->busy | bit : self->busy & ~bit;
    if (goes && status == STATUS_OK) {
        self->variables[entry] = adds ? all : new_all;
    }
    if (ends && status == STATUS_OK) {
        change(self, entry, &op, next);
    }
    for (int i = SUM_CLOCKS - 1; i > 0; i--) {
        self->adding[i] = self->adding[i - 1];
    }
    self->adding[0] = (struct amo_run){.valid = self->add.valid, .entry = entry};
    return (struct amo_end){.valid = ends,
                            .ready = status != STATUS_OK,
                            .number = op.number,
                            .code = encode_answer(&op, status, old)};
}

/* ---- answers ---------------------------------------------------------------------------------------- */

static inline void count_status(struct amo *self, nic_status_field status)
{
    self->out.count |= (amo_counts)((amo_counts)(u1)(status == STATUS_BUS) << AMO_BUS);
    self->out.count |= (amo_counts)((amo_counts)(u1)(status == STATUS_DATA) << AMO_DATA);
}

/* The oldest answer, if its write is done, into out.answer. Says whether it went. */
static inline u1 give(struct amo *self, u1 taken, u2 memory)
{
    struct answer_ecc_result low = answer_ecc_decode((answer_ecc_word)self->answer_code);
    struct answer_ecc_result high =
        answer_ecc_decode((answer_ecc_word)(self->answer_code >> AMO_ANSWER_BITS));
    u1 free = !self->out.answer.valid || taken;
    u1 go = self->staged && free && (self->ready || self->statuses_count != 0);
    u1 fatal = low.fatal | high.fatal;
    u1 corrected = low.corrected | high.corrected;
    nic_status_field stored = (nic_status_field)(low.data >> 34);
    nic_status_field status = self->ready ? stored : status_of_memory(memory);

    if (free) {
        self->out.answer = (struct amo_answer){
            .valid = go && !fatal,
            .whom = (u33)low.data,
            .status = status,
            .counted = (u1)(low.data >> 33),
            .ssid = (nic_ssid)(high.data >> 46),
            .use = (u2)(high.data >> 55),
            .fetch = (u1)(low.data >> 38),
            .wide = (u1)(low.data >> 39),
            .old = (u64)(((u64)(u46)high.data << 18) | (u18)(low.data >> 40)),
        };
    }
    if (go) {
        count_status(self, status);
        self->out.count |= (amo_counts)((amo_counts)corrected << AMO_CORRECTED);
        self->out.count |= (amo_counts)((amo_counts)fatal << AMO_LOST);
    }
    return go;
}

/* The FIFO of answers, and that of how memory answered. */
static inline void queue_answers(struct amo *self, const struct mem_done *done,
                                 const struct amo_end *end, u1 gone)
{
    u1 waited = gone && !self->ready;
    u1 ours = done->valid && done->client == MEM_AMO;
    u1 stored = self->answers != self->staged;
    u1 fills = stored && (!self->staged || gone);

    if (fills) {
        self->answer_code = self->answer_codes[self->answer_read];
        self->ready = self->readies[self->answer_read];
        self->answer_read++;
    }
    if (end->valid) {
        self->answer_codes[self->answer_write] = end->code;
        self->readies[self->answer_write] = end->ready;
        self->answer_write++;
    }
    if (ours) {
        self->statuses[self->status_write] = done->status;
        self->status_write++;
    }
    self->staged = fills || (self->staged && !gone);
    self->answers = (amo_answers)(self->answers + end->valid - gone);
    self->status_read += waited;
    self->statuses_count = (amo_answers)(self->statuses_count + ours - waited);
}

/* ---- together --------------------------------------------------------------------------------------- */

/* An entry is in one state, and one that leaves has a write under way. */
static inline void assert_entries(const struct amo *self)
{
    amo_entries two = (self->fetching & (self->busy | self->kept | self->leaving)) |
                      (self->busy & (self->kept | self->leaving)) | (self->kept & self->leaving);

    hls_assert(two == 0);
    hls_assert((self->leaving & ~self->writing) == 0);
    hls_assert(self->answers <= AMO_FLYING);
    hls_assert(self->values <= AMO_VALUES);
}

static inline u1 is_idle(const struct amo *self, const struct amo_in *in)
{
    return self->queue.out.empty && !in->request.valid && !self->has_head && !self->looks &&
           (self->fetching | self->busy | self->writing) == 0 && self->answers == 0 &&
           !self->out.answer.valid && self->retire.out.none;
}

HLS_MODULE void amo(struct amo *self, const struct amo_in *in)
{
    amo_entry fetched = self->fetches[self->fetch_read];
    struct amo_turn turn = turn_of(self, fetched, in->room_word);
    amo_tags tags = self->tags[set_of(&self->op)];
    u1 written = in->done.valid && in->done.client == MEM_AMO;
    u1 failed = written && in->done.status != MEM_DONE;
    amo_operation number = self->numbers[(amo_place)self->done];
    u1 stands = failed || in->config.flush;
    u1 run_free = !self->run.valid || turn.hit;
    u1 fetch_free = !self->out.fetch.valid || in->fetch_taken;
    struct amo_look found = look(self, tags, stands, run_free, fetch_free);
    struct amo_fp_in add = self->add;
    u2 memory = self->statuses[self->status_read];

    assert_entries(self);
    hls_cover(self->looks && !self->lines.out.may); /* for puts or gets before it */
    hls_cover(turn.sum && self->values != 0);       /* a sum goes before a variable that came */
    hls_cover(turn.came && self->run.valid);        /* ... and that before a hit */
    self->out.count = 0;
    self->out.word.valid = 0;
    self->out.fetch.valid = self->out.fetch.valid && !in->fetch_taken;
    self->out.idle = is_idle(self, in);
    self->run.valid = self->run.valid && !turn.hit;
    count_done(self, &in->done, in->config.flush);

    struct amo_end end = step(self, turn, fetched, in->config.rounding);
    u1 given = give(self, in->answer_taken, memory);

    queue_answers(self, &in->done, &end, given);
    self->fetch_read += turn.came;
    collect(self, &in->reply, turn.came);
    cool(self);
    begin(self, tags, &found);

    u1 gone = found.hits | found.fetches | found.fails | found.drops;

    struct amo_op op = self->op; /* which goes, or waits */

    step_lines(self, in, gone);
    struct amo_retire_in retires = {
        .comes = take(self, in, !self->looks | gone),
        .written = {.valid = written, .number = number},
        .failed = {.valid = end.valid && end.ready, .number = end.number},
        .dropped = {.valid = found.drops, .number = op.number},
    };

    amo_retire(&self->retire, &retires);
    self->out.retired = self->retire.out.retired;
    amo_fp(&self->fp, &add);

    hls_cover(self->looks && found.forgets != 0);
    hls_cover(failed && self->kept != 0);
    hls_cover(found.fails);
}
