// SPDX-License-Identifier: Apache-2.0
/*
 * rat.c - the address of a request, and whether it may be touched.
 *
 *   clock 0  head taken out of the queue, if memory and npt have room; vMDH read
 *   clock 1  handle + base; MDD read; end of the access in its segment
 *   clock 2  address
 *   clock 3  checks: memory head or refusal, context
 *
 * In these clocks a head is accepted: a mark that comes with it or later leaves behind it. Data beats follow their head through the same four stages. One beat a clock, so one head too. All of it stands still
 * while memory takes nothing, and in clocks in which the driver writes, so that no entry is read as it is written.
 *
 * The first check that fails gives the status, in the order of nic_status' uses below: ENABLE, command, vMDH, MDD,
 * domain, bounds, right, alignment, and at last whether the address is one of memory that the driver allowed.
 */
#include "nic/target/rat.h"
#include "nic/target/rat_head.h"
#include "nic/target/rat_message.h"

HLS_RESET void rat_reset(struct rat *self)
{
    self->out = (struct rat_out){};
    valve_reset(&self->valve);
    beat_queue_reset(&self->queue);
    self->inside = 0;
    self->packet_last = 0;
#if NIC_CE
    self->word_inside = 0;
    self->word_last = 0;
    self->asked_ce = 0;
    self->named_ce = 0;
    self->placed_ce = 0;
#endif
    self->asked = (struct beat){};
    self->asked_read = 0;
    self->asked_flag = 0;
    self->flag_inside = 0;
    self->asked_mark = 0;
    self->asked_find = 0;
    self->vmdh_code = 0;
    self->named = (struct beat){};
    self->named_read = 0;
    self->named_flag = 0;
    self->named_mark = 0;
    self->named_find = 0;
    self->named_status = 0;
    self->beyond = 0;
    self->named_end = 0;
    self->named_mdh = 0;
    self->code = 0;
    self->placed = (struct beat){};
    self->placed_read = 0;
    self->placed_flag = 0;
    self->placed_mark = 0;
    self->placed_message = 0;
    self->placed_slot = 0;
    self->placed_status = 0;
    self->mdd = (struct rat_mdd){};
    self->placed_mdh = 0;
    self->end = 0;
    self->address = 0;
    self->behind = 0;
    self->passes = 0;
    self->event_wanted = 0;
    self->head = 0;
    self->lost = 0;
    self->stray = 0;
}

/* ---- tables -------------------------------------------------------------------------------------- */

static inline mdd_code encode_mdd(mdd_data data)
{
    mdd_code low = mdd_ecc_encode((mdd_ecc_data)data);
    mdd_code middle = mdd_ecc_encode((mdd_ecc_data)(data >> 39));
    mdd_code high = mdd_ecc_encode((mdd_ecc_data)(data >> 78));

    return (mdd_code)(low | (middle << MDD_CODE_BITS) | (high << (2 * MDD_CODE_BITS)));
}

/* Writes of the driver, and the wipe after a reset, when write's data are 0. */
static inline void write_tables(struct rat *self, const struct rat_in *in)
{
    u16 addr = in->write.addr;
    u1 is_vmdh = in->write.valid && addr >> NIC_VMDH_LOG2 == NR_VMDH >> NIC_VMDH_LOG2;
    u1 is_mdd =
        in->write.valid && (u1)addr && addr >> (NIC_MDD_LOG2 + 1) == NR_MDD >> (NIC_MDD_LOG2 + 1);
    mdd_data entry = (mdd_data)(((mdd_data)in->write.data << MDD_WORD0_BITS) |
                                (uint(MDD_WORD0_BITS))in->write.low);

    if (is_vmdh || in->wipe.valid) {
        rat_domain at = in->wipe.valid ? (rat_domain)in->wipe.index : (rat_domain)addr;

        self->vmdhs[at] = vmdh_ecc_encode((vmdh_ecc_data)in->write.data);
    }
    if (is_mdd || in->wipe.valid) {
        rat_handle at = in->wipe.valid ? (rat_handle)in->wipe.index : (rat_handle)(addr >> 1);

        self->mdds[at] = encode_mdd(entry);
    }
}

#define MDD_FIELD(data, f) ((uint(NR_MDD_##f##_BITS))((data) >> NR_MDD_##f##_AT))
#define MDD1_FIELD(data, f)                                                                        \
    ((uint(NR_MDD1_##f##_BITS))((data) >> (MDD_WORD0_BITS + NR_MDD1_##f##_AT)))

static inline struct rat_mdd mdd_fields(mdd_data data)
{
    return (struct rat_mdd){
        .base = MDD_FIELD(data, BASE),
        .length = MDD1_FIELD(data, LENGTH),
        .ptag = MDD1_FIELD(data, PTAG),
        .queue = MDD1_FIELD(data, QUEUE),
        .valid = MDD_FIELD(data, VALID),
        .read = MDD_FIELD(data, READ),
        .write = MDD_FIELD(data, WRITE),
        .atomic = MDD_FIELD(data, ATOMIC),
        .event = MDD_FIELD(data, EVENT),
        .space = MDD_FIELD(data, MMU) ? (mem_space)(((mem_space)MDD_FIELD(data, TC) << 1) | 1)
                                      : (mem_space)0, /* physical addresses are one space */
    };
}

/* ---- clock 3: checks ----------------------------------------------------------------------------- */

static inline u1 lacks_right(const struct rat_mdd *mdd, beat_word head)
{
    return (is_read(head) && !mdd->read) || (is_write(head) && !mdd->write) ||
           (is_event(head) && !mdd->event) ||
           (is_end(head) && (u1)(req_x(head) >> 1) && !mdd->event) ||
           (is_flagged(head) && !mdd->write) || (is_atomic(head) && !mdd->atomic);
}

/* How the packet whose head is placed ends here; OK: memory, or an event, has the next word. */
static inline nic_status_field judge(const struct rat *self, const struct nic_config *config)
{
    beat_word head = self->placed.word;
    const struct rat_mdd *mdd = &self->mdd;
    u41 length = (u41)((u41)((u41)(mdd->length == 0) << 40) | mdd->length);
    u1 touches = !is_bare(head) || is_flagged(head);
    u1 early = self->placed_status != STATUS_OK;
    u1 foreign = mdd->ptag != req_ptag(head);
    u1 bounds = touches && self->end > length;
    u1 right = lacks_right(mdd, head);
    u3 align = is_atomic(head) || is_flagged(head) ? (u3)bytes_of(head, 0) : (u3)0;
    u1 odd = (is_read(head) && !self->placed_read && (u2)req_offset(head) != 0) ||
             ((u3)self->address & align) != 0;
    u49 window_end = (u49)((u49)config->phys_base + config->phys_size);
    u1 window_missed = self->address < config->phys_base || self->behind > window_end;
    u1 memory = touches && !(u1)mdd->space && window_missed; /* iommu looks at the others */
    u1 protection = foreign || (right && !bounds);
    u4 late = protection ? (u4)STATUS_PROTECTION
              : bounds   ? (u4)STATUS_BOUNDS
              : odd      ? (u4)STATUS_BAD_COMMAND
              : memory   ? (u4)STATUS_TRANSLATION
                         : (u4)STATUS_OK;

    return early || is_reduction(head) ? self->placed_status : !mdd->valid ? (u4)STATUS_MDD : late;
}

/* The access in clock 3 is a word of an endpoint, whose places are the upper half. */
static inline u1 is_word(const struct rat *self)
{
#if NIC_CE
    return self->placed_ce;
#else
    (void)self;
    return 0;
#endif
}

/* The data of such a word is next. */
static inline u1 is_inside_word(const struct rat *self)
{
#if NIC_CE
    return self->word_inside;
#else
    (void)self;
    return 0;
#endif
}

static inline beat_word memory_head(const struct rat *self, const struct rat_in *in)
{
    beat_word head = self->placed.word;
    u12 own = (u12)(((u12)is_word(self) << PLACE_CE_AT) | ((u12)self->placed_flag << PLACE_RMT_AT) |
                    req_tag_of_three(head));
    u12 counted = (u12)(((u12)(u2)(req_x(head) >> 2) << 9) | req_ssid(head));
    u12 place = in->is_local ? own : is_atomic(head) ? counted : (u12)is_queued(head);
    u1 order = (is_read(head) || is_atomic(head)) && req_mode(head) >= MODE_NMIN_HASH;
    u33 whom = (u33)(((u33)req_mode(head) << 30) | ((u33)req_gen(head) << 28) |
                     ((u33)req_tag(head) << 18) | req_src(head));
    beat_word operation = ((beat_word)whom << MEM_WHOM_AT) |
                          ((beat_word)req_rmt(head) << MEM_COUNTED_AT) |
                          ((beat_word)req_opcode(head) << MEM_OPCODE_AT) |
                          ((beat_word)(req_cmd(head) == CMD_FAMO) << MEM_FETCH_AT);

    return (is_atomic(head) ? operation : (beat_word)0) | ((beat_word)in->client << MEM_CLIENT_AT) |
           ((beat_word)place << MEM_PLACE_AT) |
           ((beat_word)bytes_of(head, self->placed_read) << MEM_BYTES_AT) |
           ((beat_word)(u1)!is_read(head) << MEM_WRITE_AT) | ((beat_word)order << MEM_ORDER_AT) |
           ((beat_word)is_event(head) << MEM_SKIP_AT) |
           ((beat_word)self->mdd.space << MEM_SPACE_AT) | ((beat_word)self->address << MEM_ADDR_AT);
}

static inline struct npt_context context_of(const struct rat *self, const struct rat_in *in,
                                            nic_status_field status)
{
    beat_word head = self->placed.word;
    u1 refused = status != STATUS_OK;

    return (struct npt_context){
        .read = is_read(head) && !refused,
        .ready = refused || is_bare(head),
        .status = status,
        .cmd = req_cmd(head),
        .src = req_src(head),
        .tag = in->is_local ? req_tag_of_three(head) : req_tag(head),
        .gen = req_gen(head),
        .mode = req_mode(head),
        .queued = is_queued(head) && !in->is_local && !refused,
        .ptag = req_ptag(head),
        .queue = self->mdd.queue,
        .kind = in->is_local || (is_message(head) && !self->placed_message)
                    ? (enum rmt_kind)RMT_OP_NONE
                    : kind_of(head),
        .ssid = req_ssid(head),
        .use = (u2)(req_x(head) >> 2),
        .wants = (u1)(req_x(head) >> 1),
        .flag = {.wanted = is_flagged(head), .mdh = self->placed_mdh, .offset = req_offset(head)},
        .message = self->placed_message,
        .slot = self->placed_slot,
    };
}

/* Counts what left in the clock before, by its status, and what was dropped instead. */
static inline void count_status(struct rat *self)
{
    static const u4 statuses[] = {
        [RAT_UNCORRECTABLE] = STATUS_UNCORRECTABLE,
        [RAT_BAD_COMMAND] = STATUS_BAD_COMMAND,
        [RAT_TRANSLATION] = STATUS_TRANSLATION,
        [RAT_VMDH] = STATUS_VMDH,
        [RAT_MDD] = STATUS_MDD,
        [RAT_PROTECTION] = STATUS_PROTECTION,
        [RAT_BOUNDS] = STATUS_BOUNDS,
        [RAT_UNREACHABLE] = STATUS_UNREACHABLE,
    };
    nic_status_field status = self->out.context.status;

    self->out.count =
        (rat_counts)(((rat_counts)self->lost << RAT_LOST) | ((rat_counts)self->stray << RAT_STRAY));
    for (int i = RAT_UNCORRECTABLE; i < RAT_COUNTS; i++) {
        u1 counts = self->out.context.valid && status == statuses[i];

        self->out.count |= (rat_counts)((rat_counts)counts << i);
    }
    self->out.info = self->out.count != 0 ? self->head : (nic_info)0;
    self->lost = 0;
    self->stray = 0;
}

/* Where the access of a head ends in its segment. */
static inline u41 end_of(beat_word head, u1 own)
{
    return (u41)((u41)req_offset(head) + bytes_of(head, own) + 1);
}

/* What the stages know of a head. */
static inline void assert_stages(const struct rat *self)
{
    const struct rat_mdd *mdd = &self->mdd;
    beat_word head = self->placed.word;
    u1 named = self->named.valid && self->named.head;
    u1 placed = self->placed.valid && self->placed.head;

    hls_assert(!named || self->named_status != STATUS_OK || is_known(self->named.word));
    hls_assert(!named || self->named_end == end_of(self->named.word, self->named_read));
    hls_assert(!placed || self->placed_status != STATUS_OK || is_known(head));
    hls_assert(!placed || self->end == end_of(head, self->placed_read));
    hls_assert(!placed || self->address == (u48)(mdd->base + req_offset(head)));
    hls_assert(!placed || self->behind == (u49)((u49)mdd->base + self->end));
}

/* What must hold of an address that leaves: it and its bytes lie in a segment with that right (invariant I2). */
static inline void assert_inside(const struct rat *self)
{
    const struct rat_mdd *mdd = &self->mdd;
    beat_word head = self->placed.word;
    u41 length = (u41)((u41)((u41)(mdd->length == 0) << 40) | mdd->length);
    u48 within = (u48)(self->address - mdd->base);

    hls_assert(mdd->valid && mdd->ptag == req_ptag(head));
    hls_assert(is_read(head) ? mdd->read : is_atomic(head) ? mdd->atomic : mdd->write);
    hls_assert((u49)((u49)within + bytes_of(head, self->placed_read) + 1) <= length);
}

/* The head in clock 3. */
static inline void decide(struct rat *self, const struct rat_in *in)
{
    beat_word head = self->placed.word;
    u1 stray = !in->is_local && req_node(head) != in->config.node;
    u1 lost = self->placed.bad;
    u1 drop = stray || (lost && !in->is_local);
    nic_status_field judged = judge(self, &in->config);
    nic_status_field status = lost ? (nic_status_field)STATUS_UNCORRECTABLE : judged;
    u1 ok = !drop && status == STATUS_OK;
    u1 memory = ok && !is_bare(head);
    u1 reduces = is_reduction(head);

    if (memory && !reduces) {
        assert_inside(self);
    }
    self->passes = memory && (is_write(head) || is_atomic(head) || reduces);
    self->event_wanted = ok && (is_event(head) || is_end(head));
    self->out.atomic = is_atomic(head);
    self->out.queued = is_queued(head) && !in->is_local;
    self->out.token = ok && !memory && self->out.queued;
    u1 answers = self->placed_read && !memory; /* a refused read, in its turn */

    self->out.memory.valid = memory | answers;
    self->out.memory.head = 1;
    self->out.memory.bad = answers;
    self->out.memory.word = reduces ? head : memory_head(self, in);
#if NIC_CE
    self->out.collective = reduces;
    self->out.refused_word = self->placed_ce;
#endif
    self->out.context = context_of(self, in, status);
    self->out.refused_read = self->placed_read;
    self->out.refused_flag = self->placed_flag;
    self->out.context.valid =
        !drop && !self->event_wanted && !((in->is_local || is_atomic(head) || reduces) && ok);
    self->head = (nic_info)head;
    self->lost = lost;
    self->stray = stray && !lost;
}

/* A data beat in clock 3. The first one of a message or event completes the context, the second one of END and NOTE. */
static inline void follow(struct rat *self)
{
    u4 cmd = self->out.context.cmd;
    u1 ends = cmd == CMD_END || cmd == CMD_NOTE || cmd == CMD_SEND_END;
    u1 event_lost = self->placed.bad && (cmd == CMD_CQWRITE || ends);
    u1 last = !ends || self->placed.tail;
    u1 second = ends && self->placed.tail;
    u64 flag = self->out.context.flag.value;

    self->out.memory = self->placed;
    self->out.memory.valid = self->passes;
    self->out.context.valid = self->event_wanted && last;
    self->out.context.flag.value = second ? (u64)(((u64)(u32)self->placed.word << 32) | (u32)flag)
                                          : (u64)(u32)(self->placed.word >> END_FLAG_AT);
    if (!second) {
        self->out.context.event =
            ends ? (u56)(self->placed.word >> END_EVENT_AT) : (u56)self->placed.word;
        self->out.context.total = (u32)(self->placed.word >> END_COUNT_AT);
    }
    if (event_lost) {
        self->out.context.status = STATUS_DATA;
    }
    self->event_wanted = self->event_wanted && !last;
}

/* ---- the stages ---------------------------------------------------------------------------------- */

/* Clock 2: the address. */
static inline void place(struct rat *self, const struct message_found *found)
{
    u1 head = self->named.valid && self->named.head;
    u1 message = is_message(self->named.word);
    struct mdd_ecc_result low = mdd_ecc_decode((mdd_ecc_word)self->code);
    struct mdd_ecc_result middle = mdd_ecc_decode((mdd_ecc_word)(self->code >> MDD_CODE_BITS));
    struct mdd_ecc_result high = mdd_ecc_decode((mdd_ecc_word)(self->code >> (2 * MDD_CODE_BITS)));
    mdd_data data = (mdd_data)((mdd_data)low.data | ((mdd_data)middle.data << 39) |
                               ((mdd_data)high.data << 78));
    u1 needed = !is_reduction(self->named.word) && !message; /* they have no segment */
    u1 fatal = (low.fatal | middle.fatal | high.fatal) & needed;
    u1 corrected = (low.corrected | middle.corrected | high.corrected) & needed;

    self->placed = self->named;
    if (head) {
        nic_status_field segment =
            message ? message_status(found, self->named_find, self->named.word)
                    : first_of(self->beyond & needed ? (nic_status_field)STATUS_MDD
                                                     : (nic_status_field)0,
                               fatal, STATUS_UNCORRECTABLE);

        self->placed_status = first_of(self->named_status, segment != STATUS_OK, segment);
        self->mdd = message ? segment_of(found, self->named.word) : mdd_fields(data);
        self->placed_message = self->named_find && found->valid;
        self->placed_slot = found->slot;
        self->placed_mdh = self->named_mdh;
        self->end = self->named_end;
        self->address = (u48)(self->mdd.base + req_offset(self->named.word));
        self->behind = (u49)((u49)self->mdd.base + self->named_end);
    }
    self->out.count |= (rat_counts)((rat_counts)(head & corrected) << RAT_CORRECTED);
}

/* Clock 1: the handle's own number. */
static inline void name(struct rat *self, const struct rat_in *in)
{
    beat_word head = self->asked.word;
    u1 is_head = self->asked.valid && self->asked.head;
    struct vmdh_ecc_result entry = vmdh_ecc_decode(self->vmdh_code);
    u1 named = !is_reduction(head) && !is_message(head);
    u1 exists = !in->is_local && named && (u16)req_ptag(head) >> NIC_VMDH_LOG2 == 0;
    u1 applies = exists && (u1)(entry.data >> NR_VMDH_VALID_AT);
    u12 base = (u12)(entry.data >> NR_VMDH_BASE_AT);
    u12 size = (u12)(entry.data >> NR_VMDH_SIZE_AT);
    u13 handle = (u13)((u13)req_mdh(head) + (applies ? base : (u12)0));
    nic_status_field status = STATUS_OK;

    status = first_of(status, !in->is_local && !in->config.enable, STATUS_UNREACHABLE);
    status = first_of(status, !is_known(head), STATUS_BAD_COMMAND);
    status = first_of(status, exists && entry.fatal, STATUS_UNCORRECTABLE);
    status = first_of(status, applies && req_mdh(head) >= size, STATUS_VMDH);

    self->named = self->asked;
    if (is_head) {
        self->named_status = status;
        self->beyond = handle >> NIC_MDD_LOG2 != 0;
        self->named_end = end_of(head, self->asked_read);
        self->named_mdh = (nic_mdh)handle;
        self->code = self->mdds[(rat_handle)handle];
    }
    self->out.count |=
        (rat_counts)((rat_counts)(is_head & exists & entry.corrected) << RAT_CORRECTED);
}

static inline u1 fits_collective(const struct rat_in *in, beat_word head)
{
#if NIC_CE
    return in->room_collective || !is_reduction(head);
#else
    (void)in;
    (void)head;
    return 1;
#endif
}

/* Where reads and words are taken: behind each packet, or when none waits; of both in turn. */
#if NIC_CE
static inline u1 takes_word(const struct rat *self, const struct rat_in *in, u1 turn, u1 read)
{
    u1 waits = in->word.valid && !self->out.word_taken;

    return self->word_inside || (turn && waits && !(read && self->word_last));
}

/* The beat of in.word that is next, if it is taken. */
static inline void ask_word(struct rat *self, const struct rat_in *in, u1 takes, u1 reads)
{
    u1 data = self->word_inside;

    self->out.word_taken = takes && data;
    self->word_inside = takes ? !data : data;
    self->word_last = takes || (self->word_last && !reads);
    if (takes) {
        self->asked = (struct beat){
            .valid = 1,
            .head = !data,
            .tail = data,
            .word = data ? (beat_word)in->word.data : in->word.head,
        };
    }
}
#endif

/* A flag of rmt as a PUT to a local segment; then its data. */
static inline struct beat flag_beat(const struct rmt_write *w, u1 data)
{
    beat_word head = req_with_offset((beat_word)CMD_PUT, w->flag.offset);

    head = BEAT_WITH(head, REQ_PTAG_AT, 8, w->ptag);
    head = BEAT_WITH(head, REQ_MDH_AT, 12, w->flag.mdh);
    head = BEAT_WITH(head, REQ_Z_AT, 6, 7);
    return (struct beat){.valid = 1,
                         .head = !data,
                         .tail = data,
                         .word = data ? (beat_word)w->flag.value
                                      : req_with_tags(head, (nic_tag)w->place)};
}

/* Clock 0: the next beat, if all goes on. */
static inline void ask(struct rat *self, const struct rat_in *in, u1 go)
{
    struct beat front = self->queue.out.front;
    u1 fits = (in->room_read || !is_read(front.word)) &&
              (in->room_atomic || !is_atomic(front.word)) &&
              (in->room_queued || !is_queued(front.word)) && fits_collective(in, front.word);
    u1 room = in->room_write && fits;
    u1 turn = !self->inside && (self->packet_last || !front.valid);
    u1 flag_data = go && self->flag_inside;
    u1 flag_head = go && !self->flag_inside && !is_inside_word(self) && turn && in->flag.valid &&
                   !self->out.flag_taken;
    u1 flags = flag_head | flag_data;
    u1 read = go && !flags && turn && in->read.valid && !self->out.read_taken;
#if NIC_CE
    u1 words = go && !flags && takes_word(self, in, turn, read);
#else
    u1 words = 0;
#endif
    u1 reads = read && !words;
    u1 others = reads | words | flags;
    u1 pop = go && !others && front.valid && (!front.head || (room && in->config.ready));
    u1 shut = self->valve.shut && in->request.valid && in->request.head;
    struct beat_queue_in to = {.push = valve_pass(&self->valve, &in->request), .pop = pop};

    self->out.find = find_of(in, &front, pop);
    self->inside = pop ? !front.tail : self->inside;
    self->packet_last = pop || (self->packet_last && !reads && !words);
    self->out.read_taken = reads;
    self->out.flag_taken = flag_data;
    self->flag_inside = flag_head | (self->flag_inside & !flag_data);
    if (go) {
        self->asked = flags ? flag_beat(&in->flag, flag_data) : reads ? in->read : front;
        self->asked.valid = pop | reads | flags;
        self->asked_read = reads;
#if NIC_CE
        self->asked_ce = words;
#endif
        self->asked_flag = flags;
        self->asked_find = self->out.find.valid;
    }
#if NIC_CE
    ask_word(self, in, words, reads);
#endif
    if (pop && front.head) {
        self->vmdh_code = self->vmdhs[(rat_domain)req_ptag(front.word)];
    }
    self->out.count |= (rat_counts)((rat_counts)self->queue.out.corrected << RAT_CORRECTED);
    self->out.count |= (rat_counts)((rat_counts)shut << RAT_STRAY);
    valve_watch(&self->valve, in->wipe.valid && !in->is_local, front.valid && !pop && !in->is_local,
                self->queue.out.fits, in->config.epoch | in->config.half);
    to.takes_all = self->valve.shut;
    beat_queue(&self->queue, &to);
    self->out.room = self->queue.out.room;
}

HLS_MODULE void rat(struct rat *self, const struct rat_in *in)
{
    u1 go = in->room_memory && !in->write.valid && !in->wipe.valid;

    /* orb sends nothing else. */
    hls_assume(!in->is_local || !in->request.valid || !in->request.head ||
               req_cmd(in->request.word) == CMD_PUT);
    hls_assume(!in->read.valid ||
               (in->is_local && in->read.head && in->read.tail && is_read(in->read.word)));
#if NIC_CE
    hls_assume(!in->word.valid || (in->is_local && req_cmd(in->word.head) == CMD_PUT));
#endif
    hls_assume(!in->flag.valid || in->is_local);

    assert_stages(self);
    count_status(self);
    self->out.idle = self->queue.out.empty && !in->request.valid && !self->asked.valid &&
                     !self->named.valid && !self->placed.valid && !self->out.memory.valid &&
                     !self->out.context.valid;
    self->out.memory.valid = 0;
    self->out.context.valid = 0;
    self->out.token = 0;
    self->out.marked = go && self->placed_mark;
    if (go) {
        if (self->placed.valid && self->placed.head) {
            decide(self, in);
        } else if (self->placed.valid) {
            follow(self);
        }
        self->out.memory.tail = self->placed.tail;
        place(self, &in->found);
        name(self, in);
#if NIC_CE
        self->placed_ce = self->named_ce;
        self->named_ce = self->asked_ce;
#endif
        self->placed_read = self->named_read;
        self->named_read = self->asked_read;
        self->placed_flag = self->named_flag;
        self->named_flag = self->asked_flag;
        self->named_find = self->asked_find;
        self->placed_mark = self->named_mark;
        self->named_mark = self->asked_mark;
        self->asked_mark = 0;
    }
    ask(self, in, go);
    self->asked_mark |= in->mark;
    write_tables(self, in);

    hls_cover(self->placed.valid && in->write.valid); /* all stages stand */
    hls_cover(self->placed.valid && !in->room_memory);
    hls_cover(self->placed.valid && self->beyond);
}
