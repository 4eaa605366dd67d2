// SPDX-License-Identifier: Apache-2.0
/*
 * prove_segments.c - no address leaves rat outside of a segment of its packet's domain that has the right (I2).
 *
 * Beside rat stands what the driver wrote into its tables, and follows each head through the stages: the vMDH of its domain, then the
 * MDD that its handle names there. When a head for memory leaves, its address, bytes and kind are those that the packet
 * asked for in that MDD, which is valid, of the packet's domain, has the right, and holds every byte. The window holds them too, or the
 * head carries the context of the MDD, if that says that its addresses are of one. An atomic operation exists, lies at a multiple of
 * its bytes and is marked as one, nothing else is; data only follow a write or operation that left. A read of this host that is
 * refused leaves as a bad head, no other head is bad. Of a message the buffer that bte_receive named for its head stands for the MDD.
 *
 * Any beats, room, epochs and windows; writes of the driver and wipes in any clock; rat_net, or rat_local with reads of this host.
 * Of nic_regs: a segment ends within 48 bits of address, and a wipe writes zeros. A word of a table is read as it was written or,
 * then with any data, as uncorrectable: at most two of its bits are wrong. Proved by induction, with 2 MDDs and 2 vMDHs; the queue hands out anything.
 */
#define MACHINE_PROTO 1

#include "common/prove.h"

#include "common/beat/beat_queue.h"

#undef NIC_MDD_LOG2
#define NIC_MDD_LOG2 1
#undef NIC_VMDH_LOG2
#define NIC_VMDH_LOG2 1

/* Tables become registers, of which an invariant may read any word in any clock. */
#undef HLS_BRAM
#define HLS_BRAM
#include "nic/target/rat.h"

#define MDDS  (1 << NIC_MDD_LOG2)
#define VMDHS (1 << NIC_VMDH_LOG2)

/* A code of which nothing is known but what it is for: above the data two bits say how they were read. */
#define READ_AS(code, word, bits)                                                                  \
    ((struct code##_result){.data = (code##_data)(word),                                           \
                            .corrected = (u1)((word) >> (bits)),                                   \
                            .fatal = (u1)((word) >> ((bits) + 1))})
#define mdd_ecc_encode(data)  ((mdd_ecc_word)(data))
#define mdd_ecc_decode(word)  READ_AS(mdd_ecc, word, 39)
#define vmdh_ecc_encode(data) ((vmdh_ecc_word)(data))
#define vmdh_ecc_decode(word) READ_AS(vmdh_ecc, word, 25)
#include "nic/target/rat.c"

HLS_MODULE void beat_queue(struct beat_queue *self, const struct beat_queue_in *in)
{
    (void)self; /* prove_segments sets what it hands out */
    (void)in;
}

HLS_RESET void beat_queue_reset(struct beat_queue *self)
{
    self->out = (struct beat_queue_out){};
    self->staged = 0;
    self->inside[0] = 0;
    self->rd[0] = 0;
    self->wr[0] = 0;
    self->code = 0;
}

struct prove_segments_in {
    struct rat_in rat;
    struct beat_queue_out queue;
    vmdh_ecc_word read_vmdh; /* how the words read in this clock come out of their memories */
    mdd_code read_mdd;
};

struct prove_segments_out {
    u1 started;
};

/* What the driver wrote that a head in a stage is judged by. */
struct prove_segment {
    u1 in_domain; /* its handle is one of its domain, and there is such an MDD */
    mdd_data mdd;
};

struct prove_segments {
    struct prove_segments_out out;
    u1 is_local;
    struct rat dut;
    vmdh_ecc_data vmdhs[VMDHS]; /* as they were written */
    mdd_data mdds[MDDS];
    vmdh_ecc_data asked;         /* of the head that is in the stage of this name */
    struct prove_segment named;  /* likewise */
    struct prove_segment placed; /* likewise */
    struct message_found buffer; /* of a message: its buffer */
    u1 writes;                   /* the head that was decided last left as a write or operation */
};

PROVE_RESET void prove_segments_reset(struct prove_segments *self)
{
    self->out.started = 0;
    self->is_local = 0;
    rat_reset(&self->dut);
    for (int i = 0; i < VMDHS; i++) {
        self->vmdhs[i] = 0;
        self->dut.vmdhs[i] = 0;
    }
    for (int i = 0; i < MDDS; i++) {
        self->mdds[i] = 0;
        self->dut.mdds[i] = 0;
    }
    self->asked = 0;
    self->named = (struct prove_segment){};
    self->placed = (struct prove_segment){};
    self->buffer = (struct message_found){};
    self->writes = 0;
}

/* ---- what a packet asks for ---------------------------------------------------------------------- */

static inline u1 asks_read(beat_word head)
{
    return req_cmd(head) == CMD_GET;
}

static inline u1 asks_message(beat_word head)
{
    return req_cmd(head) == CMD_SEND || req_cmd(head) == CMD_SEND_END;
}

static inline u1 asks_write(beat_word head)
{
    return req_cmd(head) == CMD_PUT || req_cmd(head) == CMD_PUT_MSG || req_cmd(head) == CMD_SEND;
}

static inline u1 asks_event(beat_word head)
{
    return req_cmd(head) == CMD_PUT_MSG || req_cmd(head) == CMD_CQWRITE;
}

/* With a flag of eight bytes, or without. */
static inline u1 asks_end(beat_word head)
{
    return req_cmd(head) == CMD_END || req_cmd(head) == CMD_NOTE;
}

static inline u1 asks_operation(beat_word head)
{
    return req_cmd(head) == CMD_AMO || req_cmd(head) == CMD_FAMO;
}

/* Of 64 bits; bits of x and z as the specification has them. */
static inline u1 asks_wide(beat_word head)
{
    return !(u1)(head >> REQ_X_AT) || (u1)(head >> REQ_Z_AT);
}

/* A list of the operations, one bit for each: of the second generation, of the first. */
static inline u1 operation_exists(beat_word head)
{
    u6 z = req_z(head);
    u8 first = req_cmd(head) == CMD_FAMO ? (u8)0x3F : (u8)0x1F;
    u1 in_first = !(u1)(z >> 5) && (u1)(z >> 3) && (u1)(first >> (u3)z);

    return (u1)(head >> REQ_X_AT) ? (u1)((u16)0x773F >> (u4)(z >> 1)) : in_first;
}

static inline u7 asked_bytes(beat_word head, u1 own)
{
    u7 words = (u7)((u7)req_x(head) + 1);
    u7 variable = asks_wide(head) ? (u7)8 : (u7)4;
    u1 ends = asks_end(head) || req_cmd(head) == CMD_SEND_END; /* of which nothing is asked */

    return asks_operation(head)      ? variable
           : ends                    ? (u7)8
           : asks_read(head) && !own ? (u7)(words << 2)
                                     : (u7)((u7)req_z(head) + 1);
}

/* Behind its last byte, counted from the segment's first one. */
static inline u41 asked_end(beat_word head, u1 own)
{
    return (u41)((u41)req_offset(head) + asked_bytes(head, own));
}

static inline u41 length_of(mdd_data mdd)
{
    u40 length = MDD1_FIELD(mdd, LENGTH);

    return length == 0 ? (u41)1 << 40 : (u41)length;
}

static inline u1 fits(mdd_data mdd)
{
    return (u49)((u49)MDD_FIELD(mdd, BASE) + length_of(mdd)) <= (u49)1 << 48;
}

/* The MDD that a head names, by the vMDH of its domain. */
static inline struct prove_segment find(const struct prove_segments *self, beat_word head)
{
    u1 in_table = !self->is_local && req_ptag(head) < VMDHS;
    u1 applies = in_table && (u1)(self->asked >> NR_VMDH_VALID_AT);
    u12 base = (u12)(self->asked >> NR_VMDH_BASE_AT);
    u12 size = (u12)(self->asked >> NR_VMDH_SIZE_AT);
    u13 handle = (u13)((u13)req_mdh(head) + (applies ? base : (u12)0));

    return (struct prove_segment){
        .in_domain = (!applies || req_mdh(head) < size) && handle < MDDS,
        .mdd = self->mdds[(rat_handle)handle],
    };
}

/* ---- the invariant ------------------------------------------------------------------------------- */

static inline u1 is_head(const struct beat *beat)
{
    return beat->valid && beat->head;
}

static inline u1 as_written(const struct prove_segments *self)
{
    u1 same = 1;

    for (int i = 0; i < VMDHS; i++) {
        same &= self->dut.vmdhs[i] == vmdh_ecc_encode(self->vmdhs[i]);
    }
    for (int i = 0; i < MDDS; i++) {
        same &= self->dut.mdds[i] == encode_mdd(self->mdds[i]) && fits(self->mdds[i]);
    }
    return same;
}

/* A word in a read register is what was written, or uncorrectable. */
static inline u1 vmdh_good(vmdh_ecc_word word, vmdh_ecc_data data)
{
    return vmdh_ecc_decode(word).fatal || vmdh_ecc_decode(word).data == data;
}

static inline u1 mdd_good(mdd_code code, mdd_data data)
{
    u1 good = 1;

    for (int i = 0; i < 3; i++) {
        mdd_ecc_word word = (mdd_ecc_word)(code >> (i * MDD_CODE_BITS));

        good &= mdd_ecc_decode(word).fatal ||
                mdd_ecc_decode(word).data == (mdd_ecc_data)(data >> (39 * i));
    }
    return good;
}

static inline u1 exists(beat_word head)
{
    return asks_read(head) || asks_write(head) || asks_event(head) || asks_end(head) ||
           asks_message(head) || (asks_operation(head) && operation_exists(head));
}

static inline u1 fields_are(const struct rat_mdd *mdd, mdd_data data)
{
    struct rat_mdd is = mdd_fields(data);

    return mdd->base == is.base && mdd->length == is.length && mdd->ptag == is.ptag &&
           mdd->valid == is.valid && mdd->read == is.read && mdd->write == is.write &&
           mdd->atomic == is.atomic && mdd->event == is.event && mdd->space == is.space;
}

/* What stands for a segment of a packet of a message: bytes go into its buffer alone. */
static inline u1 message_good(const struct prove_segments *self)
{
    const struct rat_mdd *mdd = &self->dut.mdd;
    const struct message_found *buffer = &self->buffer;
    u1 same = mdd->base == buffer->address && mdd->length == (u40)buffer->bytes &&
              mdd->ptag == buffer->ptag && mdd->space == buffer->space;

    u1 ends = (u49)((u49)buffer->address + buffer->bytes) <= (u49)1 << 48;

    return req_cmd(self->dut.placed.word) != CMD_SEND ||
           (same && ends && buffer->valid && buffer->bytes != 0 && mdd->write);
}

/* The head of a read of this host, which rat_local alone gets. */
static inline u1 is_local_read(const struct beat *beat, u1 is_local)
{
    return is_local && is_head(beat) && asks_read(beat->word);
}

static inline u1 stages_good(const struct prove_segments *self)
{
    const struct rat *dut = &self->dut;
    beat_word named = dut->named.word, placed = dut->placed.word;
    u1 asked_good = dut->asked_read || vmdh_good(dut->vmdh_code, self->asked);
    u1 reads_good = (!dut->asked_read || is_local_read(&dut->asked, self->is_local)) &&
                    (!dut->named_read || is_local_read(&dut->named, self->is_local)) &&
                    (!dut->placed_read || is_local_read(&dut->placed, self->is_local));
    u1 named_good = dut->named_status != STATUS_OK || exists(named);
    u1 segment = asks_message(placed)
                     ? message_good(self)
                     : self->placed.in_domain && fields_are(&dut->mdd, self->placed.mdd);
    u1 placed_good = dut->placed_status != STATUS_OK || (exists(placed) && segment);

    named_good &= dut->named_status != STATUS_OK || dut->beyond || self->named.in_domain ||
                  asks_message(named);
    named_good &=
        mdd_good(dut->code, self->named.mdd) && dut->named_end == asked_end(named, dut->named_read);
    named_good &= fits(self->named.mdd);
    placed_good &= dut->end == asked_end(placed, dut->placed_read) && fits(self->placed.mdd);
    placed_good &= dut->address == (u48)(dut->mdd.base + req_offset(placed));
    placed_good &= dut->behind == (u49)((u49)dut->mdd.base + dut->end);
    return reads_good &&
           ((!is_head(&dut->asked) || asked_good) && (!is_head(&dut->named) || named_good) &&
            (!is_head(&dut->placed) || placed_good) && (!dut->passes || self->writes));
}

/* ---- what leaves --------------------------------------------------------------------------------- */

/* The packet asks for an access of that kind, and the MDD has the right. */
static inline u1 is_allowed(beat_word packet, mdd_data mdd, u1 write, u1 atomic)
{
    u1 right = atomic  ? MDD_FIELD(mdd, ATOMIC)
               : write ? MDD_FIELD(mdd, WRITE)
                       : MDD_FIELD(mdd, READ);
    u1 asked = atomic  ? write && asks_operation(packet) && operation_exists(packet)
               : write ? asks_write(packet)
                       : asks_read(packet);

    return right && asked;
}

/* What amo is told is what the packet says, and its address is a multiple of its bytes. */
static inline u1 is_operation_of(beat_word packet, beat_word head)
{
    u33 whom = BEAT_FIELD(head, MEM_WHOM_AT, 33);
    u7 opcode = BEAT_FIELD(head, MEM_OPCODE_AT, 7);
    u48 address = (u48)(head >> MEM_ADDR_AT);

    return (u18)whom == req_src(packet) && (u10)(whom >> 18) == req_tag(packet) &&
           (u2)(whom >> 28) == req_gen(packet) && (u3)(whom >> 30) == req_mode(packet) &&
           (u6)opcode == req_z(packet) && (u1)(opcode >> 6) == (u1)(packet >> REQ_X_AT) &&
           (u1)(head >> MEM_FETCH_AT) == (req_cmd(packet) == CMD_FAMO) &&
           BEAT_FIELD(head, MEM_COUNTED_AT, 1) == req_rmt(packet) &&
           ((u3)address & (asks_wide(packet) ? (u3)7 : (u3)3)) == 0;
}

/* The bytes of a message lie in the buffer that was named for it, which is of the packet's domain. */
static inline u1 may_leave_message(const struct prove_segments *self, beat_word packet,
                                   const struct nic_config *config)
{
    const struct message_found *buffer = &self->buffer;
    beat_word head = self->dut.out.memory.word;
    u48 address = (u48)(head >> MEM_ADDR_AT);
    u7 bytes = (u7)((u7)BEAT_FIELD(head, MEM_BYTES_AT, 6) + 1);
    u1 in_window = address >= config->phys_base &&
                   (u50)((u50)address + bytes) <= (u50)((u50)config->phys_base + config->phys_size);
    u1 inside = (u49)address == (u49)((u49)buffer->address + req_offset(packet)) &&
                asked_end(packet, 0) <= buffer->bytes;

    return buffer->valid && buffer->ptag == req_ptag(packet) && inside &&
           (u1)(head >> MEM_WRITE_AT) && !self->dut.out.atomic &&
           BEAT_FIELD(head, MEM_SPACE_AT, 5) == buffer->space &&
           (buffer->space != 0 || in_window) && bytes == asked_bytes(packet, 0) &&
           !BEAT_FIELD(head, MEM_SKIP_AT, 1) && req_cmd(packet) == CMD_SEND;
}

/* The head that left in this clock, when that of the packet was in the last stage; own: a read of this host. */
static inline u1 may_leave(const struct prove_segments *self, const struct rat *before,
                           const struct nic_config *config)
{
    beat_word packet = before->placed.word;
    u1 own = before->placed_read;
    beat_word head = self->dut.out.memory.word;
    mdd_data mdd = self->placed.mdd;
    u48 address = (u48)(head >> MEM_ADDR_AT);
    u48 base = MDD_FIELD(mdd, BASE);
    u7 bytes = (u7)((u7)BEAT_FIELD(head, MEM_BYTES_AT, 6) + 1);
    u1 write = BEAT_FIELD(head, MEM_WRITE_AT, 1);
    u1 atomic = self->dut.out.atomic;
    u1 allowed = MDD_FIELD(mdd, VALID) && MDD1_FIELD(mdd, PTAG) == req_ptag(packet) &&
                 is_allowed(packet, mdd, write, atomic) &&
                 (!asks_event(packet) || MDD_FIELD(mdd, EVENT));
    u1 translated = MDD_FIELD(mdd, MMU);
    mem_space space =
        translated ? (mem_space)(((mem_space)MDD_FIELD(mdd, TC) << 1) | 1) : (mem_space)0;
    u1 in_space = BEAT_FIELD(head, MEM_SPACE_AT, 5) == space;
    u1 inside = (u49)address == (u49)((u49)base + req_offset(packet)) &&
                asked_end(packet, own) <= length_of(mdd);
    u1 in_window = address >= config->phys_base &&
                   (u50)((u50)address + bytes) <= (u50)((u50)config->phys_base + config->phys_size);
    u1 skips = BEAT_FIELD(head, MEM_SKIP_AT, 1);

    if (asks_message(packet)) {
        return !before->placed.bad && may_leave_message(self, packet, config);
    }
    return !before->placed.bad && allowed && inside && in_space && (translated || in_window) &&
           self->placed.in_domain && (!atomic || is_operation_of(packet, head)) &&
           bytes == asked_bytes(packet, own) && skips == (req_cmd(packet) == CMD_PUT_MSG);
}

/* ---- a clock ------------------------------------------------------------------------------------- */

/* What the driver, or a wipe, writes. */
static inline void write_both(struct prove_segments *self, const struct rat_in *in)
{
    const struct nic_write *write = &in->write;
    mdd_data entry =
        (mdd_data)(((mdd_data)write->data << MDD_WORD0_BITS) | (uint(MDD_WORD0_BITS))write->low);

    for (int i = 0; i < VMDHS; i++) {
        if (in->wipe.valid ? (rat_domain)in->wipe.index == i
                           : write->valid && write->addr == NR_VMDH + i) {
            self->vmdhs[i] = (vmdh_ecc_data)write->data;
        }
    }
    for (int i = 0; i < MDDS; i++) {
        if (in->wipe.valid ? (rat_handle)in->wipe.index == i
                           : write->valid && write->addr == NR_MDD + 2 * i + 1) {
            self->mdds[i] = entry;
        }
    }
}

/* All stages went on: what belongs to their heads does, too; what was read comes out as `in` says. */
static inline void follow_stages(struct prove_segments *self, const struct prove_segments_in *in,
                                 const struct rat *before)
{
    struct rat *dut = &self->dut;

    if (is_head(&before->placed)) {
        self->writes = dut->out.memory.valid &&
                       (asks_write(before->placed.word) || asks_operation(before->placed.word));
    }
    self->placed = self->named;
    if (is_head(&before->named)) {
        self->buffer = in->rat.found;
    }
    if (is_head(&before->asked)) {
        self->named = find(self, before->asked.word);
        dut->code = in->read_mdd;
        prove_assume(mdd_good(dut->code, self->named.mdd));
    }
    if (is_head(&dut->asked) && !dut->asked_read) {
        self->asked = self->vmdhs[(rat_domain)req_ptag(dut->asked.word)];
        dut->vmdh_code = in->read_vmdh;
        prove_assume(vmdh_good(dut->vmdh_code, self->asked));
    }
}

PROVE_MODULE void prove_segments(struct prove_segments *self, const struct prove_segments_in *in)
{
    const struct rat_in *to = &in->rat;
    struct rat *dut = &self->dut;
    const struct rat before = *dut;
    u1 moves = to->room_memory && !to->write.valid && !to->wipe.valid;

    if (!self->out.started) {
        self->out.started = 1;
        self->is_local = to->is_local;
        prove_assert(as_written(self) && stages_good(self));
        return;
    }
    /* So it was after the clock before. */
    prove_assume(as_written(self) && stages_good(self));

    prove_assume(to->is_local == self->is_local);
    prove_assume(!to->wipe.valid || (to->write.data == 0 && to->write.low == 0));
    prove_assume(fits((mdd_data)(((mdd_data)to->write.data << MDD_WORD0_BITS) |
                                 (uint(MDD_WORD0_BITS))to->write.low)));
    /* bte_receive: where no buffer is a status says why; one ends within 48 bits of address. */
    prove_assume(to->found.valid || to->found.status != STATUS_OK);
    prove_assume(!to->found.valid ||
                 (to->found.bytes <= (u33)1 << 32 &&
                  (u49)((u49)to->found.address + to->found.bytes) <= (u49)1 << 48));
    dut->queue.out = in->queue;
    rat(dut, to);
    if (dut->out.memory.valid && dut->out.memory.head) {
        /* A bad one touches nothing: it is the answer to a read of this host that is refused. */
        prove_assert(moves && (dut->out.memory.bad ? before.placed_read
                                                   : may_leave(self, &before, &to->config)));
    }
    prove_assert(!moves || dut->asked_read == dut->out.read_taken);
    prove_assert(!dut->out.read_taken || (moves && dut->asked.word == to->read.word));
    if (moves) {
        follow_stages(self, in, &before);
    }
    /* holds rat.segments */
    prove_assert(!dut->out.memory.valid || dut->out.memory.head || self->writes);
    write_both(self, to);
    prove_assert(as_written(self));
    prove_assert(stages_good(self));
    prove_cover(dut->out.memory.valid && dut->out.memory.head && asks_read(before.placed.word));
    prove_cover(dut->out.memory.valid && dut->out.memory.head && asks_event(before.placed.word));
    prove_cover(dut->out.memory.valid && dut->out.memory.head && dut->out.atomic);
    prove_cover(dut->out.memory.valid && dut->out.memory.head && asks_message(before.placed.word));
    prove_cover(dut->out.memory.valid && !dut->out.memory.head && self->is_local);
    prove_cover(dut->out.memory.valid && before.placed_read && !dut->out.memory.bad);
    prove_cover(dut->out.memory.valid && before.placed_read && dut->out.memory.bad);
    prove_cover(dut->out.memory.valid && dut->out.memory.head && before.mdd.space != 0);
}
