// SPDX-License-Identifier: Apache-2.0
/*
 * inq_store.c - the input queue's buffer: flits of all VCs in one memory.
 *
 * Each VC is a FIFO with a count of flits written and one of flits read. Partitioned, the count is the address within the
 * VC's part of the memory. Shared, the FIFO of a VC is a linked list of blocks of 8 flits: with the last word but one of a
 * block the writer takes a free block and stores its number in that word; the reader gets the number with that flit, out
 * of the memory in the next clock, decoded in the one after, just in time.
 *
 * What is read is decided late, by a bit that comes out of the memory in the same clock: whether the word read last is a
 * tail. So everything is found out for two flits, that which follows in the same VC and the next one of the VC whose turn
 * it is, which was determined a clock before.
 *
 * Counts and block numbers of the VCs stand in LUTRAM without a code, as registers do.
 */
#include "router/input/inq_store.h"

#include "router/flit/masks.h"
#include "router/flit/rtr_ecc.h"

HLS_RESET void inq_store_reset(struct inq_store *self)
{
    self->out = (struct inq_store_out){};
    vc_room_reset(&self->staging);
    self->next = 0;
#if RTR_LENGTH_BITS != 0
    self->left = 0;
    self->refused = 0;
    self->vc = 0;
#else
    self->packet = (struct inq_packet){};
    self->mine = 0;
    for (int i = 0; i < RTR_VCS; i++) {
        self->owed[i] = 0;
        self->mute[i] = 0;
    }
#endif
    self->refund = (struct head_vc_note){};
    self->filled = 0;
#if RTR_INQ_SHARED
    self->moved_wr = 0;
    self->moved_rd = 0;
    self->names = 0;
    self->linked = 0;
    self->link = 0;
    self->link_at = 0;
    self->gives = 0;
    self->given = 0;
    self->spare_valid = 0;
    self->spare = 0;
    self->fresh = RTR_VCS;
    self->listed_valid = 0;
    self->listed = 0;
    self->list_rd = 0;
    self->list_wr = 0;
#endif
}

/* A read or a write of the buffer, or one that might be. */
struct inq_access {
    u1 valid;
    rtr_vc vc;
    inq_count count; /* flits of the VC before this one, */
    inq_count after; /* and with it */
    inq_place place;
};

#if RTR_LENGTH_BITS == 0
#include "router/input/inq_verdict.h"
#endif

/* The next flit of a VC, if it has one. */
static inline struct inq_access offer(const struct inq_store *self, rtr_vc vc, u1 has)
{
    rtr_vcs ready = self->filled & self->staging.out.room;
    inq_count count = self->rd[vc];

    return (struct inq_access){
        .valid = has && (u1)(ready >> vc),
        .vc = vc,
        .count = count,
        .after = count + 1,
    };
}

/* Whose turn it is in the next clock: of those that are ready, else the VC that a flit comes on just now. */
static inline rtr_vc turn_after(const struct inq_store *self, u1 ready, rtr_vc comes)
{
    rtr_vc not = ready ? self->next : self->out.vc;
    rtr_vcs others = self->filled & self->staging.out.room & ~vc_bit(not);

    return others != 0 ? (rtr_vc)mask_next(others, self->next) : comes;
}

/* ---- address of a flit ------------------------------------------------------------------------ */

#if RTR_INQ_SHARED

#define LAST_IN_BLOCK ((1 << INQ_BLOCK_LOG2) - 1)

typedef uint(INQ_BLOCK_BITS) inq_block;

static inline u1 last_in_block(inq_count count)
{
    return (uint(INQ_BLOCK_LOG2))count == LAST_IN_BLOCK;
}

/* The word with this count holds the number of the block behind its own. */
static inline u1 names_next(inq_count count)
{
    return (uint(INQ_BLOCK_LOG2))count == LAST_IN_BLOCK - 1;
}

static inline inq_place place_in(inq_block block, inq_count count)
{
    return (inq_place)(((inq_place)block << INQ_BLOCK_LOG2) | (uint(INQ_BLOCK_LOG2))count);
}

/* Where the VC keeps the number of the block of this flit; that of the block behind it is the other of two. */
static inline inq_side side_of(rtr_vc vc, inq_count count)
{
    return (inq_side)(((inq_side)vc << 1) | (u1)(count >> INQ_BLOCK_LOG2));
}

/* Keeps a free block at hand, and the front of the FIFO of freed ones in `listed`; take: one is taken in this clock. */
static inline void prefetch(struct inq_store *self, u1 take)
{
    u1 unused = !(u1)(self->fresh >> INQ_BLOCK_BITS);
    u1 refills = take || !self->spare_valid;
    u1 moves = !self->listed_valid || (refills && !unused);

    if (!hls_when(refills || (moves && self->list_rd != self->list_wr))) {
        return;
    }
    if (refills) {
        self->spare_valid = unused || self->listed_valid;
        self->spare = unused ? inq_block_ecc_encode((inq_block)self->fresh) : self->listed;
        self->fresh += unused;
    }
    if (moves) {
        self->listed_valid = self->list_rd != self->list_wr;
        if (self->listed_valid) {
            self->listed = self->list[self->list_rd];
            self->list_rd++;
        }
    }
}

static inline inq_block reads_from(const struct inq_store *self, const struct inq_access *get)
{
    inq_block block = self->rd_block[side_of(get->vc, get->count)];

    return (u1)(self->moved_rd >> get->vc) ? block : (inq_block)get->vc;
}

/* A number that was read: out of the word into a register, from there to its VC's blocks. */
static inline void follow(struct inq_store *self, const struct inq_access *on, inq_block number)
{
    if (self->linked) {
        self->rd_block[self->link_at] = number;
    }
    self->linked = self->names;
    self->link = (inq_block_ecc_word)(self->out.word >> INQ_NEXT_AT);
    self->link_at = side_of(on->vc, on->count) ^ 1;
}

/* The place of the flit that comes in, which with the last word but one of a block takes the next; the part of the word that names that. */
static inline inq_word put_in(struct inq_store *self, struct inq_access *put)
{
    u1 takes = put->valid && names_next(put->count);

    self->out.corrected = 0;
    self->out.fatal = 0;
    if (!hls_when(put->valid)) {
        prefetch(self, 0);
        return 0;
    }
    inq_side side = side_of(put->vc, put->count);
    inq_block block = self->wr_block[side];
    struct inq_block_ecc_result spare = inq_block_ecc_decode(self->spare);

    put->place = place_in((u1)(self->moved_wr >> put->vc) ? block : (inq_block)put->vc, put->count);
    /* A block is free: the sender keeps to its credits, and lcb_regs grants no more than LCB_SHARED_MOST. */
    hls_assume(!takes || self->spare_valid);
    self->out.corrected = takes && spare.corrected;
    self->out.fatal = takes && spare.fatal;
    if (takes) {
        self->wr_block[side ^ 1] = spare.data;
    }
    if (put->valid && last_in_block(put->count)) {
        self->moved_wr |= vc_bit(put->vc);
    }
    prefetch(self, takes);
    return (inq_word)((inq_word)inq_block_ecc_encode(spare.data) << INQ_NEXT_AT);
}

/* The flit that is read, of the two that might be; a block of which it is the last is given back in the next clock. */
static inline struct inq_access get_from(struct inq_store *self, struct inq_access on,
                                         struct inq_access turn, u1 goes_on, u1 reads)
{
    struct inq_block_ecc_result link = {};

    if (hls_when(self->linked)) {
        link = inq_block_ecc_decode(self->link);
    }
    u1 late = self->linked && self->link_at == side_of(on.vc, on.count);
    inq_block on_from = late ? link.data : reads_from(self, &on);
    inq_block turn_from = reads_from(self, &turn);
    struct inq_access get = goes_on ? on : turn;
    u1 leaves = reads && last_in_block(get.count);

    /* As a difference, or synthesis saves a port of rd_block by choosing in front of it, too late. */
    inq_block differs = on_from ^ turn_from;
    inq_block from = goes_on ? turn_from ^ differs : turn_from;

    get.valid = reads;
    get.place = place_in(from, get.count);
    self->out.corrected |= self->linked && link.corrected;
    self->out.fatal |= self->linked && link.fatal;
    follow(self, &on, link.data);
    self->names = reads && names_next(get.count);
    if (self->gives) {
        self->list[self->list_wr] = inq_block_ecc_encode(self->given);
        self->list_wr++;
    }
    if (leaves) {
        self->moved_rd |= vc_bit(get.vc);
    }
    self->gives = leaves;
    self->given = from;
    return get;
}

#else

static inline inq_place place_of(const struct inq_access *at)
{
    return (inq_place)(((inq_place)at->vc << INQ_COUNT_BITS) | at->count);
}

static inline inq_word put_in(struct inq_store *self, struct inq_access *put)
{
    (void)self;
    put->place = place_of(put);
    return 0;
}

static inline struct inq_access get_from(struct inq_store *self, struct inq_access on,
                                         struct inq_access turn, u1 goes_on, u1 reads)
{
    struct inq_access get = goes_on ? on : turn;

    (void)self;
    get.valid = reads;
    get.place = goes_on ? place_of(&on) : place_of(&turn);
    return get;
}

#endif

/* ---- in and out ---------------------------------------------------------------------------------- */

#if RTR_LENGTH_BITS != 0

/* VC of the packet that is coming in; 0 for one that does not exist, whose packet is not stored. */
static inline rtr_vc own_vc(const struct inq_store *self)
{
    return (u4)self->vc < RTR_VCS ? (rtr_vc)self->vc : (rtr_vc)0;
}

/* Frames what comes in by the length in each head; returns whether this flit is stored. */
static inline u1 frame(struct inq_store *self, const struct inq_store_in *in)
{
    u1 head = self->left == 0;
    head_vc_field vc = head ? head_vc(in->flit) : self->vc;
    rtr_length others = head_length(in->flit) - 1;
    u1 nameless = (u4)vc >= RTR_VCS;
    u1 refused = nameless || others >= RTR_PACKET;

    self->refund.valid = 0;
    self->out.illegal = in->valid && head && refused;
    if (in->valid) {
        self->left = head ? others : (rtr_length)(self->left - 1);
        self->refused = head ? refused : self->refused;
        self->vc = vc;
        self->refund = (struct head_vc_note){self->refused, vc};
    }
    self->out.incoming = (struct vc_note){in->valid && !nameless, own_vc(self)};
    return in->valid && !self->refused;
}

#endif

/* Counts, and who has a flit; emptied: the VC read last has no more. */
static inline void keep_counts(struct inq_store *self, const struct inq_store_in *in,
                               const struct inq_access *get, const struct inq_access *put, u1 moves,
                               u1 emptied)
{
    /* moves: put, or a packet is taken back */
    hls_assume(!in->wipe || !in->valid); /* nothing comes so soon after a reset */
    if (emptied) {
        self->filled &= ~vc_bit(self->out.vc);
    }
    if (get->valid || in->wipe) {
        self->rd[in->wipe ? in->wipe_vc : get->vc] = in->wipe ? (inq_count)0 : get->after;
    }
    if (moves || in->wipe) {
        self->wr[in->wipe ? in->wipe_vc : put->vc] = in->wipe ? (inq_count)0 : put->after;
    }
    if (put->valid) {
        self->filled |= vc_bit(put->vc);
    }
}

HLS_MODULE void inq_store(struct inq_store *self, const struct inq_store_in *in)
{
    struct vc_room_in staging = {
        .sent = self->out.read,
        .sent_vc = in->wipe ? in->wipe_vc : self->out.vc,
        .freed = in->staging_freed,
        .wipe = in->wipe,
    };
    struct head_vc_note refund = self->refund;
#if RTR_LENGTH_BITS != 0
    u1 enters = frame(self, in);
    struct inq_access put = {.valid = enters, .vc = own_vc(self)};
    u1 emptied = self->out.read && self->rd[self->out.vc] == self->wr[self->out.vc];
#else
    u1 emptied = self->out.read && self->rd[self->out.vc] == self->wr[self->out.vc];
    struct inq_framed flit = frame(self, in);
    struct inq_verdict verdict = judge(self, in, &flit, emptied);
    struct inq_access put = verdict.put;
#endif
    struct inq_access on = offer(self, self->out.vc, !emptied);
    struct inq_access turn = offer(self, self->next, self->next != self->out.vc);
    /* One copy of the mark: nothing but the order of packets hangs on it. */
    u1 inside = self->out.read && !(u1)(self->out.word >> RTR_CODE_BITS);
    u1 goes_on = on.valid && (inside || !turn.valid);
    u1 reads = (on.valid || turn.valid) && !refund.valid && !in->hold && !in->wipe;

#if RTR_LENGTH_BITS != 0
    put.count = self->wr[put.vc];
    put.after = put.count + 1;
    u1 moves = put.valid;
#else
    u1 moves = put.valid || verdict.rolls;

    reads &= !verdict.cut;
#endif
    inq_word word = put_in(self, &put);
    struct inq_access get = get_from(self, on, turn, goes_on, reads);
    rtr_vc next = turn_after(self, turn.valid, put.vc);

    keep_counts(self, in, &get, &put, moves, emptied);
#if RTR_LENGTH_BITS == 0
    roll_back(self, &verdict);
    keep_credit(self, &flit, &verdict);
    keep_packet(self, in, &flit, &verdict);
    self->mine = reads_packet(self, &get);
    self->packet.begun |= self->mine;
#endif
    if (!turn.valid || (reads && !goes_on)) {
        self->next = next;
    }
    if (get.valid) {
        self->out.word = self->buffer[get.place];
        self->out.vc = get.vc;
    }
    if (put.valid) {
#if RTR_LENGTH_BITS != 0
        u1 ends = self->left == 0, bad = in->bad;
#else
        u1 ends = verdict.ends, bad = verdict.poisoned;
#endif
        inq_tail tail = ends ? (inq_tail)-1 : (inq_tail)0;

        word |= (inq_word)((inq_word)tail << RTR_CODE_BITS) | rtr_encode(in->flit, bad);
        self->buffer[put.place] = word;
    }
    vc_room(&self->staging, &staging);
    self->out.read = get.valid;
#if RTR_LENGTH_BITS != 0
    self->out.freed = refund.valid ? refund : (struct head_vc_note){get.valid, get.vc};
#endif
#if DEV_MAINT
    self->out.busy = self->filled != 0;
#endif
}
