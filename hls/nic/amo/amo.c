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
 * change is written to memory, at once or later (amo_lazy.h); no variable is given up before its last write is done, so what is fetched is never old. One that leaves
 * is still worked on for AMO_HOT_LOG2 clocks or more after it was fetched: so many nodes at one variable do not wait for memory each time.
 * Memory does the writes in order, so answers are a FIFO; each is given when its write is done, or at once if its change is kept back.
 */
#include "nic/amo/amo.h"

#include "nic/amo/amo_alu.h"
#include "nic/amo/amo_look.h"

/* Above the number of its operation in a word of writes. */
#define WRITE_ALONE_AT  NIC_PUTS_LOG2       /* there is no such operation: it was answered before */
#define WRITE_BRINGS_AT (NIC_PUTS_LOG2 + 1) /* it brings what was dirty */

#define ANSWERS_AHEAD                                                                              \
    8 /* answers that may still come: of the sums under way, and of those that began just before */

HLS_RESET void amo_reset(struct amo *self)
{
    self->out = (struct amo_out){};
    amo_queue_reset(&self->queue);
    amo_lines_reset(&self->lines);
    amo_retire_reset(&self->retire);
    amo_fp_reset(&self->fp);
    amo_answer_fifo_reset(&self->answer);
    amo_lazy_reset(&self->lazy);
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

/* A write that memory has answered. */
struct amo_written {
    u1 valid;
    u1 failed;
    u1 answers; /* the next answer that waits for a write */
    amo_entry entry;
    amo_operation number; /* of its operation */
    u1 brought;           /* what was dirty */
};

static inline struct amo_written written_of(const struct amo *self, const struct mem_done *done)
{
    amo_write write = self->writes[(amo_place)self->done];
    u1 ours = done->valid && done->client == MEM_AMO;

    return (struct amo_written){
        .valid = ours,
        .failed = ours && done->status != MEM_DONE,
        .answers = ours && !(u1)(write >> WRITE_ALONE_AT),
        .entry = (amo_entry)done->place,
        .number = (amo_operation)write,
        .brought = (u1)(write >> WRITE_BRINGS_AT),
    };
}

/* Of an entry whose last write is done none is under way; one that failed leaves nothing to keep. */
static inline void count_done(struct amo *self, const struct amo_written *done, u1 forget)
{
    amo_entry entry = done->entry;
    u1 is_last = done->valid && self->last[entry] == self->done;
    amo_entries bit = bit_of(entry);
    amo_entries lost = done->failed ? bit : (amo_entries)0;
    amo_entries gone = forget ? (amo_entries) ~(amo_entries)0 : lost;
    amo_entries dirty = self->lazy.out.dirty & ~lost;
    u1 unwritten = done->failed && (done->brought || (u1)(self->lazy.out.dirty >> entry));

    hls_assume(!done->valid || (u1)(self->writing >> entry)); /* each was sent */
    self->writing &= is_last ? (amo_entries)~bit : (amo_entries) ~(amo_entries)0;
    self->leaving = (amo_entries)((self->leaving | (self->kept & gone)) & (self->writing | dirty));
    self->kept &= ~gone;
    self->cached &= ~gone; /* what is under way is not kept either */
    self->hot &= ~gone;
    self->done += done->valid;
    self->out.count |= (amo_counts)((amo_counts)unwritten << AMO_UNWRITTEN);
}

/* ---- clock 3: it is done ---------------------------------------------------------------------------- */

/* Whose turn it is: a sum that comes out, else a dirty entry to be written, else a variable that came, else a hit. */
struct amo_turn {
    u1 sum;
    u1 writes;
    u1 came;
    u1 hit;
};

static inline struct amo_turn turn_of(const struct amo *self, amo_entry fetched, u1 room_word)
{
    u1 sum = self->adding[SUM_CLOCKS - 1].valid;
    amo_answers flying = (amo_answers)(self->written - self->done);
    u1 free = !sum && room_word && self->answer.out.answers <= AMO_FLYING - ANSWERS_AHEAD &&
              flying <= AMO_FLYING - ANSWERS_AHEAD;
    amo_entries rests = (self->kept | self->leaving) & self->lazy.out.due;
    u1 writes = self->lazy.out.offers && (u1)(rests >> self->lazy.out.first);
    u1 sums = 0;

    for (int i = 0; i < SUM_CLOCKS; i++) {
        sums |= self->adding[i].valid;
    }
    u1 overtakes = sums && (u1)(self->ordered >> fetched); /* a sum that was fetched before it */

    u1 arrived = self->values != 0 && !overtakes;
    u1 kept = self->values == 0 && self->run.valid;

    return (struct amo_turn){
        .sum = sum,
        .writes = free && writes,
        .came = free && !writes && arrived,
        .hit = free && !writes && kept,
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

/* A variable as it goes to memory: what an operation is for, or all that its entry has. */
static inline void put_out(struct amo *self, amo_entry entry, const struct amo_op *op, u1 all,
                           u64 value)
{
    u1 wide = all ? (u1)(self->wide >> entry) : amo_is_wide(op->opcode);

    self->writing |= bit_of(entry);
    self->last[entry] = self->written;
    self->written++;
    self->out.word = (struct mem_word){
        .valid = 1,
        .wide = wide,
        .place = entry,
        .space = op->space,
        .addr = (u48)(op->addr & ~(u48)((u3)(u1)wide << 2)),
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

/* What becomes of an entry. */
struct amo_change {
    u1 changes; /* its variable has a new value, which its operation ... */
    u1 gives;   /* ... gives to memory, or the entry its old one */
    amo_entry entry;
    amo_answers write;
    struct amo_end end; /* the answer */
};

/* One operation in a clock, or one entry that is written. */
static inline struct amo_change step(struct amo *self, struct amo_turn turn, amo_entry fetched,
                                     u2 rounding)
{
    amo_came value = self->came[self->value_read];
    amo_entry entry = turn.sum      ? self->adding[SUM_CLOCKS - 1].entry
                      : turn.writes ? self->lazy.out.first
                      : turn.came   ? fetched
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
    u1 changes = ends && status == STATUS_OK;
    u1 keeps = (u1)(self->cached >> entry);
    u1 dirty = (u1)(self->lazy.out.dirty >> entry);
    u1 back = keeps && !self->lazy.out.through;
    struct amo_change change = {
        .changes = changes,
        .gives = turn.writes || (changes && !back),
        .entry = entry,
        .write = self->written,
        .end = {.valid = ends,
                .ready = status != STATUS_OK || back,
                .number = op.number,
                .code = encode_answer(&op, status, old)},
    };

    if (changes) {
        self->kept |= keeps ? bit : (amo_entries)0;
        self->leaving |= keeps ? (amo_entries)0 : bit;
    }
    if (turn.writes) { /* if it is not kept any more */
        self->leaving |= bit_of(entry) & ~self->kept;
    }
    if (change.gives) {
        self->writes[(amo_place)self->written] =
            (amo_write)(((amo_write)dirty << WRITE_BRINGS_AT) |
                        ((amo_write)turn.writes << WRITE_ALONE_AT) | op.number);
        put_out(self, entry, &op, dirty, turn.writes ? here : dirty ? new_all : next);
    }
    for (int i = SUM_CLOCKS - 1; i > 0; i--) {
        self->adding[i] = self->adding[i - 1];
    }
    self->adding[0] = (struct amo_run){.valid = self->add.valid, .entry = entry};
    return change;
}

/* ---- together --------------------------------------------------------------------------------------- */

/* An entry is in one state; one that leaves has a write under way, or to come. */
static inline void assert_entries(const struct amo *self)
{
    amo_entries two = (self->fetching & (self->busy | self->kept | self->leaving)) |
                      (self->busy & (self->kept | self->leaving)) | (self->kept & self->leaving);

    hls_assert(two == 0);
    amo_entries dirty = self->lazy.out.dirty;

    hls_assert((self->leaving & ~(self->writing | dirty)) == 0);
    hls_assert((self->writing & ~(self->busy | self->kept | self->leaving)) == 0);
    hls_assert((dirty & ~(self->busy | self->kept | self->leaving)) == 0);
    hls_assert(self->values <= AMO_VALUES);
}

static inline u1 is_idle(const struct amo *self, const struct amo_in *in)
{
    return self->queue.out.empty && !in->request.valid && !self->has_head && !self->looks &&
           (self->fetching | self->busy | self->writing | self->lazy.out.dirty) == 0 &&
           self->answer.out.answers == 0 && !self->answer.out.answer.valid && self->retire.out.none;
}

static inline amo_counts answer_counts(const struct amo *self)
{
    amo_answer_counts count = self->answer.out.count;

    return (amo_counts)(((amo_counts)(u1)(count >> AMO_ANSWER_CORRECTED) << AMO_CORRECTED) |
                        ((amo_counts)(u1)(count >> AMO_ANSWER_LOST) << AMO_LOST) |
                        ((amo_counts)(u1)(count >> AMO_ANSWER_BUS) << AMO_BUS) |
                        ((amo_counts)(u1)(count >> AMO_ANSWER_DATA) << AMO_DATA));
}

static inline struct amo_lazy_in to_lazy(const struct amo *self, const struct amo_in *in,
                                         const struct amo_written *done,
                                         const struct amo_change *change, amo_entries wanted)
{
    return (struct amo_lazy_in){
        .lazy = in->config.lazy,
        .flush = in->config.flush,
        .stop = in->config.drain,
        .changes = change->changes,
        .gives = change->gives,
        .entry = change->entry,
        .write = change->write,
        .fails = done->failed,
        .failed = done->entry,
        .done = self->done,
        .rests = self->kept | self->leaving,
        .wanted = wanted,
        .op_waits =
            (self->looks && self->op.order) || (self->ordered & (self->fetching | self->busy)) != 0,
        .ordered = in->ordered,
        .accepted = in->counts.accepted[ORDER_ATOMICS],
        .retired = in->counts.answered[ORDER_ATOMICS],
    };
}

HLS_MODULE void amo(struct amo *self, const struct amo_in *in)
{
    amo_entry fetched = self->fetches[self->fetch_read];
    struct amo_turn turn = turn_of(self, fetched, in->room_word);
    amo_tags tags = self->tags[set_of(&self->op)];
    struct amo_written done = written_of(self, &in->done);
    u1 stands = done.failed || in->config.flush;
    u1 run_free = !self->run.valid || turn.hit;
    u1 fetch_free = !self->out.fetch.valid || in->fetch_taken;
    struct amo_look found = look(self, tags, stands, run_free, fetch_free);
    struct amo_fp_in add = self->add;

    assert_entries(self);
    hls_cover(self->looks && !self->lines.out.may); /* for puts or gets before it */
    hls_cover(turn.sum && self->values != 0);       /* a sum goes before a variable that came */
    hls_cover(turn.came && self->run.valid);        /* ... and that before a hit */
    self->out.count = answer_counts(self);
    self->out.word.valid = 0;
    self->out.fetch.valid = self->out.fetch.valid && !in->fetch_taken;
    self->out.idle = is_idle(self, in);
    self->run.valid = self->run.valid && !turn.hit;
    count_done(self, &done, in->config.flush);

    struct amo_change change = step(self, turn, fetched, in->config.rounding);

    self->fetch_read += turn.came;
    collect(self, &in->reply, turn.came);
    cool(self);
    begin(self, tags, &found);

    u1 gone = found.hits | found.fetches | found.fails | found.drops;

    struct amo_op op = self->op; /* which goes, or waits */
    struct amo_lazy_in lazy = to_lazy(self, in, &done, &change, found.wants);

    step_lines(self, in, gone);
    amo_lazy(&self->lazy, &lazy);
    struct amo_retire_in retires = {
        .comes = take(self, in, !self->looks | gone),
        .written = {.valid = done.answers, .number = done.number},
        .over = {.valid = change.end.valid && change.end.ready, .number = change.end.number},
        .dropped = {.valid = found.drops, .number = op.number},
    };
    struct amo_answer_fifo_in answers = {.end = change.end,
                                         .written = done.answers,
                                         .status = in->done.status,
                                         .taken = in->answer_taken};

    amo_retire(&self->retire, &retires);
    amo_answer_fifo(&self->answer, &answers);
    amo_fp(&self->fp, &add);
    self->out.answer = self->answer.out.answer;
    self->out.retired = self->retire.out.retired;
    self->out.seen = self->lazy.out.seen;
    self->out.flushing = self->lazy.out.flushing;

    hls_cover(self->looks && found.forgets != 0);
    hls_cover(done.failed && self->kept != 0);
    hls_cover(found.fails);
}
